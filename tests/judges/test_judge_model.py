"""The folder of the judges: saved, opened, damaged, fitted again."""

import json
import shutil

import pytest
from support.resources import sign_again

import paragauge as pg
from paragauge.cli.main import main
from paragauge.errors import DataError, FileError
from paragauge.judges.model import JudgeModel, open_judges

PAIRS = [
    ("He bought the old house near the river.", "He purchased the old house close to the river.", 4.5),
    ("He bought the old house near the river.", "He sold the old house near the river.", 1.5),
    ("Nobody answered the phone.", "No one picked up the telephone.", 4.5),
    ("Nobody answered the phone.", "Somebody answered the phone.", 1),
    ("The vote was put off until Monday.", "They postponed the vote until Monday.", 4),
    ("The vote was put off until Monday.", "The vote was put off until Friday.", 2),
    ("She likes green tea.", "She is fond of green tea.", 4),
    ("She likes green tea.", "The train was late again.", 1),
]


@pytest.fixture
def copied(tmp_path):
    return shutil.copytree(open_judges.folder("default"), tmp_path / "copy.judges")


def test_a_saved_model_judges_as_before(tmp_path):
    model = open_judges()
    model.save(tmp_path / "again", options={}, inputs={})
    again = JudgeModel.open(tmp_path / "again", verify=True)
    originals, candidates = [pair[0] for pair in PAIRS], [pair[1] for pair in PAIRS]
    assert (
        again.judge(candidates, originals=originals).values.tolist()
        == model.judge(candidates, originals=originals).values.tolist()
    )
    assert again.digest == model.digest


def test_the_model_that_ships_is_whole():
    JudgeModel.open(open_judges.folder("default"), verify=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda settings: settings["losses"].pop("missing"), "lacks losses.missing; fit it again"),
        (lambda settings: settings["checks"].update(irony=1.0), "also has checks.irony; fit it again"),
        (lambda settings: settings.pop("settings"), "lacks settings.strict_power, settings.power, .*; fit it again"),
        (lambda settings: settings["checks"].update(number=-1), "damaged"),
        (lambda settings: settings["checks"].update(number="much"), "damaged"),
        (lambda settings: settings.update(translations=["../elsewhere"]), "expected letters"),
    ],
)
def test_damaged_settings_are_refused(copied, change, message):
    file = copied / "judges.json"
    settings = json.loads(file.read_text())
    change(settings)
    file.write_text(json.dumps(settings))
    sign_again(copied)
    with pytest.raises(DataError, match=message):
        JudgeModel.open(copied)


def test_a_model_of_an_earlier_version_says_so(copied, capsys):
    file = copied / "judges.json"
    settings = json.loads(file.read_text())
    del settings["settings"]["lone_role"], settings["settings"]["free_share"]
    settings["checks"]["opposites"] = 0.5
    file.write_text(json.dumps(settings))
    sign_again(copied)
    made_by = json.loads((copied / "manifest.json").read_text())["made_by"]
    arguments = ["score", "-m", f"pem+(model={copied})", "--original", str(file), str(file)]
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert str(file) in told
    assert f"another version of paragauge ({made_by})" in told
    assert "lacks settings.lone_role, settings.free_share and also has checks.opposites" in told
    assert "paragauge pem judges" in told


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(FileError, match="no such folder"):
        pg.PEMPlus.load(str(tmp_path / "nothing"))
    with pytest.raises(DataError, match="is a resource of kind pem-model, expected judges"):
        pg.PEMPlus.load(str(open_judges.folder("default").parent.parent / "pem" / "default"))


def write_judgments(path, rows):
    lines = ["original\tcandidate\tscore", *("\t".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_command_fits_judges_to_judgments(tmp_path, capsys):
    judged = write_judgments(tmp_path / "judged.tsv", PAIRS)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("\n".join(f"{one}\t{other}" for one, other, score in PAIRS if score >= 4) + "\n")
    for name in ("one", "two"):
        arguments = [
            "pem",
            "judges",
            "--judgments",
            judged,
            "--paraphrases",
            str(pairs),
            "-q",
            "-o",
            str(tmp_path / name),
        ]
        assert main(arguments) == 0
    files = {path.relative_to(tmp_path / "one"): path.read_bytes() for path in (tmp_path / "one").rglob("*.*")}
    assert files == {path.relative_to(tmp_path / "two"): path.read_bytes() for path in (tmp_path / "two").rglob("*.*")}
    assert "judged.tsv, judged | 8" in (tmp_path / "one" / "card.md").read_text()
    fitted = pg.PEMPlus.load(str(tmp_path / "one"))
    assert 1 <= fitted.score(PAIRS[0][1], original=PAIRS[0][0]).value <= 5
    assert main(["pem", "evaluate", str(tmp_path / "one"), judged, "--format", "tsv"]) == 0
    assert "pem+(model=" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(one, other, 3) for one, other, _ in PAIRS], "all scores are the same"),
        (PAIRS[:2], "fewer than three"),
        ([("a", "b", "good")], "good"),
    ],
)
def test_judgments_that_teach_nothing_are_refused(tmp_path, capsys, rows, message):
    judged = write_judgments(tmp_path / "judged.tsv", rows)
    assert main(["pem", "judges", "--judgments", judged, "-q", "-o", str(tmp_path / "out")]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_judgments_in_another_language_get_a_warning(tmp_path, capsys):
    french = [
        (
            "Il a acheté la vieille maison près de la rivière.",
            "Il a acquis la vieille maison au bord de la rivière.",
            5,
        ),
        ("Personne n'a répondu au téléphone.", "Quelqu'un a répondu au téléphone hier soir.", 1),
        ("Le vote a été reporté à lundi prochain.", "Le vote est remis à lundi prochain.", 4),
    ]
    judged = write_judgments(tmp_path / "judged.tsv", french)
    assert main(["pem", "judges", "--judgments", judged, "-o", str(tmp_path / "out")]) == 0
    assert (
        "judged.tsv: 3 of 3 segments are not in English (found French); the judges support English only"
        in capsys.readouterr().err
    )
