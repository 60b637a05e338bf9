"""``paragauge pem train`` and ``evaluate``, and PEM in the commands that score."""

import gzip
import json
from pathlib import Path

import pytest
from support.pem_models import FRENCH, GERMAN, judgments

import paragauge as pg
from paragauge.cli.main import main

FIXED = ["--c", "10", "--gamma", "0.3", "--epsilon", "0.1", "--folds", "3"]


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pem-commands")
    (folder / "text.en").write_text("\n".join(FRENCH.source) + "\n", encoding="utf-8")
    (folder / "text.fr.gz").write_bytes(gzip.compress(("\n".join(FRENCH.target) + "\n").encode()))
    (folder / "text.de").write_text("\r\n".join(GERMAN.target) + "\r\n", encoding="utf-8")
    lines = ["original\tparaphrase\tscore\tsystem"]
    lines += [f"{row.original}\t{row.candidate}\t{(row.score - 1) * 25}\t{row.system}" for row in judgments()]
    (folder / "judged.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "columns.tsv").write_text("original\tcandidate\tscore\tquality\na\tb\t1\t2\n")
    (folder / "lacking.tsv").write_text("original\tcandidate\na\tb\n")
    (folder / "same.tsv").write_text("original\tcandidate\tscore\nThe man buys.\tThe man sells.\t4\na book\ta car\t4\n")
    (folder / "originals.txt").write_text("The man buys the house.\nA boy sees the car.\n")
    (folder / "candidates.txt").write_text("The man purchases the house.\nA kid sees the car.\n")
    (folder / "copies.txt").write_text("The man buys the house.\nA boy sees the car.\n")
    return folder


@pytest.fixture(autouse=True)
def inside(folder, monkeypatch):
    monkeypatch.chdir(folder)


@pytest.fixture(scope="module")
def model(folder):
    def at(name):
        return str(folder / name)

    bitext = ["--bitext", at("text.en"), at("text.fr.gz")]
    assert main(["pem", "train", *bitext, "--judgments", at("judged.tsv"), "--scale", "0", "100", "--controls", *FIXED,
                 "--seed", "7", "--licence", "CC0", "-o", at("my.pem"), "-q"]) == 0  # fmt: skip
    return at("my.pem")


def test_training_says_how_well_it_did_and_writes_a_card(model, capsys):
    code, out, err = run(
        capsys, "pem", "train", "--bitext", "text.en", "text.fr.gz", "--bitext", "text.en", "text.de", "--judgments",
        "judged.tsv", "--scale", "0", "100", "--controls", "--control-text", "text.en", *FIXED, "-o", "two.pem",
    )  # fmt: skip
    assert (code, out) == (0, "")
    assert "paragauge: two.pem: Pearson " in err
    assert "with controls" in err
    features = json.loads(Path("two.pem/model.json").read_text())["features"]
    assert features[:2] == ["adequacy:fr", "adequacy:de"]
    card = Path(model, "card.md").read_text()
    for expected in (
        "Licence: CC0",
        "| fr, scored side | text.en |",
        "Which way it answers",
        "stems by porter",
        "Pearson",
    ):
        assert expected in card
    assert str(Path(model).parent) not in card


def test_the_papers_preset(capsys):
    arguments = ["--bitext", "text.en", "text.de", "--judgments", "judged.tsv", "--scale", "0", "100", *FIXED, "-q"]
    assert main(["pem", "train", *arguments, "--preset", "paper", "-o", "paper.pem"]) == 0
    settings = json.loads(Path("paper.pem/model.json").read_text())
    assert settings["fluency"] == "per-word"
    assert settings["punctuation"] is True
    assert settings["pivots"]["de"] == {
        "max_order": 4, "min_edge": 0.1, "min_weight": 0.01, "unseen": 0.5, "unknown": 1.0
    }  # fmt: skip
    assert any(" " in pair.source for pair in pg.PhraseTable.open("paper.pem/pivot-de"))
    assert main(["pem", "train", *arguments, "--max-phrase", "2", "-o", "two-words.pem"]) == 0
    assert {len(pair.source.split()) for pair in pg.PhraseTable.open("two-words.pem/pivot-de")} == {1, 2}


def test_french_can_be_scored_through_english(capsys):
    rows = ["original\tcandidate\tscore\tcriterion"]
    for k, (one, other) in enumerate(zip(FRENCH.target[:-1], FRENCH.target[1:], strict=True)):
        rows.append(f"L'on s'étonne : {one}\ts' {other}\t{1 + k % 5}\tadequacy")
    Path("french.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    Path("plain.fr").write_text("\n".join(FRENCH.target) + "\n", encoding="utf-8")
    code, _, err = run(
        capsys, "pem", "train", "--bitext", "plain.fr", "text.en", "-t", "intl", "--stemmer", "french", "--judgments",
        "french.tsv", "--controls", *FIXED, "-o", "french.pem",
    )  # fmt: skip
    assert code == 0
    card = Path("french.pem/card.md").read_text()
    assert "tokeniser intl, lower-cased; stems by french" in card
    assert "English" not in card + err
    score = pg.PEM.load("french.pem").score("la femme achète la maison .", original="La femme achète la maison.")
    assert score.adequacy == 1.0
    assert score.signature.get("stem") == "french"


def test_ready_made_parts(model, capsys):
    code, _, err = run(
        capsys, "pem", "train", "--table", "my.pem/pivot-fr", "--lm", "my.pem/language-model", "--judgments",
        "judged.tsv", "--scale", "0", "100", "--controls", *FIXED, "--seed", "7", "-o", "again.pem", "-q",
    )  # fmt: skip
    assert (code, err) == (0, "")
    for name in ("vectors.npy", "coefficients.npy", "model.json"):
        assert Path("again.pem", name).read_bytes() == Path(model, name).read_bytes()


def test_scoring_with_components_and_intervals(model, capsys):
    metric = f"pem(model={model})"
    code, out, _ = run(
        capsys, "score", "-m", metric, "--original", "originals.txt", "candidates.txt", "copies.txt", "--format", "json"
    )
    assert code == 0
    system, copies = json.loads(out)
    assert set(system["components"]) == {"adequacy", "fluency", "dissimilarity"}
    assert system["interval"]["low"] <= system["score"] <= system["interval"]["high"]
    assert copies["components"]["adequacy"] == 1.0
    assert system["score"] > copies["score"]
    code, out, _ = run(
        capsys, "score", "-m", metric, "--original", "originals.txt", "candidates.txt", "--segments", "--format", "tsv"
    )
    header, first, _ = (line.split("\t") for line in out.splitlines())
    assert header == ["metric", "system", "segment", "score", "adequacy", "fluency", "dissimilarity"]
    direct = pg.PEM.load(model).score("The man purchases the house.", original="The man buys the house.")
    assert float(first[3]) == direct.value


def test_explaining(model, capsys):
    arguments = ["-m", f"pem(model={model})", "--original", "The man buys the house.", "The man purchases the house."]
    code, out, _ = run(capsys, "explain", *arguments, "--details")
    assert code == 0
    assert "original in French" in out
    code, out, _ = run(capsys, "explain", *arguments)
    assert "original in French" not in out
    assert "With --details: how the score is calculated" in out
    code, out, _ = run(capsys, "explain", *arguments, "--html")
    assert "<svg" in out


def test_evaluating(model, capsys):
    line = ["pem", "evaluate", model, "judged.tsv", "--scale", "0", "100"]
    code, out, _ = run(capsys, *line, "--judges", "--format", "tsv")
    assert code == 0
    assert "nan" not in out
    header, *rows = (line.split("\t") for line in out.splitlines())
    assert header == ["table", "what", "other", "level", "controls", "correlation", "items"]
    found = {(row[1].partition("(")[0], row[3], row[4]): (float(row[5]), int(row[6])) for row in rows}
    assert found["pem", "segment", "without"][0] > 0.9
    assert found["pem", "segment", "with"][1] == 36 + 3 * 18
    assert found["pem", "system", "with"][1] == 5
    answers = json.loads(run(capsys, *line, "--format", "json")[1])
    assert [(row["level"], row["items"], row["items_with_controls"]) for row in answers] == [
        ("segment", 36, 36 + 3 * 18), ("system", found["pem", "system", "without"][1], 5),
    ]  # fmt: skip
    assert answers[0]["correlation"] == pytest.approx(found["pem", "segment", "without"][0])
    code, out, _ = run(capsys, *line, "--method", "spearman")
    assert "spearman; seed of the controls: 12345" in out
    assert "pem|model:" in out


def test_what_was_compared_can_be_saved_and_correlated(model, capsys):
    saved = ["--save-scores", "scores.tsv", "--save-judgments", "people.tsv"]
    code, out, _ = run(
        capsys, "pem", "evaluate", model, "judged.tsv", "--scale", "0", "100", "--judges", "--format", "tsv", *saved
    )
    assert code == 0
    row = next(line.split("\t") for line in out.splitlines() if "segment\twith\t" in line)
    code, out, _ = run(
        capsys,
        "correlate",
        "scores.tsv",
        "people.tsv",
        "--criterion",
        "overall",
        "--bootstrap",
        "0",
        "--format",
        "json",
    )
    assert code == 0
    pem = next(item for item in json.loads(out) if item["metric"] == "pem")
    assert pem["pearson" if "pearson" in pem else "correlation"] == pytest.approx(float(row[5]))
    code, out, _ = run(
        capsys,
        "correlate",
        "scores.tsv",
        "people.tsv",
        "--criterion",
        "overall",
        "--column",
        "adequacy",
        "--bootstrap",
        "0",
    )
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--judgments", "judged.tsv"], 2, "needs a pivot language"),
        (["--table", "my.pem/pivot-fr", "--judgments", "judged.tsv"], 2, "name one with --lm"),
        (["--bitext", "text.en", "text.de", "--judgments", "judged.tsv", "--c", "1"], 2, "must be given together"),
        (["--bitext", "text.en", "text.de", "--pivot", "a", "--pivot", "b", "--judgments", "j"], 2, "found 2 names"),
        (["--bitext", "text.en", "text.de", "--pivot", "../x", "--judgments", "j"], 2, "'../x' is not a valid name"),
        (["--bitext", "text.en", "a.de", "--bitext", "text.en", "b.de", "--judgments", "j"], 2, "different names"),
        (["--bitext", "text.en", "originals.txt", "--judgments", "judged.tsv", "--scale", "0", "100"], 1, "in length"),
        (["--bitext", "text.en", "text.de", "--judgments", "judged.tsv"], 1, "is outside the scale 1 to 5"),
        (["--bitext", "text.en", "text.de", "--judgments", "nothing.tsv"], 1, "no such file"),
        (["--bitext", "text.en", "text.de", "--judgments", "text.en"], 1, "expected a TSV or CSV header"),
        (["--bitext", "text.en", "text.de", "--judgments", "columns.tsv"], 1, "columns.tsv:1: unknown column"),
        (["--bitext", "text.en", "text.de", "--judgments", "lacking.tsv"], 1, "lacking.tsv:1: there is no column"),
        (["--bitext", "text.en", "text.de", "--judgments", "same.tsv"], 1, "judged candidates have the same score (4"),
        (["--bitext", "text.de", "text.en", "--judgments", "judged.tsv", "--scale", "0", "100"], 1,
         "are the judgments in another language than the tables?"),
        (["--bitext", "text.en", "text.de", "--judgments", "j", "--stemmer", "elvish"], 2, "no stemmer named 'elvish'"),
    ],
)  # fmt: skip
def test_mistakes_are_named_and_nothing_is_written(model, capsys, arguments, code, message):
    found, out, err = run(capsys, "pem", "train", *arguments, "-o", "bad.pem")
    assert (found, out) == (code, "")
    assert message in " ".join(err.split())
    assert not Path("bad.pem").exists()


def test_a_folder_in_the_way_is_found_before_the_work(capsys):
    Path("busy").mkdir(exist_ok=True)
    arguments = ["--bitext", "nothing.en", "nothing.fr", "--judgments", "nothing.tsv", "-o", "busy"]
    code, out, err = run(capsys, "pem", "train", *arguments)
    assert (code, out) == (1, "")
    assert "busy: exists already (something else, expected pem-model)" in err


def test_scoring_without_such_a_model(capsys):
    code, out, err = run(capsys, "score", "-m", "pem(model=nowhere)", "--original", "originals.txt", "candidates.txt")
    assert (code, out) == (1, "")
    assert "no such folder, expected a folder made by paragauge (pem-model)" in err
