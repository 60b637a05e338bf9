"""Learned metrics: learning, the model's folder, scoring, and what is refused."""

import json
import shutil

import numpy as np
import pytest
from support.resources import sign_again

import paragauge as pg
from paragauge.cli.main import main
from paragauge.corpora.judged_texts import JudgedText, JudgedTexts
from paragauge.corpora.segments import Segments
from paragauge.errors import DataError, FileError, OptionError
from paragauge.metrics import Blend, Bleu, Chrf
from paragauge.metrics.blend.features import Feature, parse_features, split_names
from paragauge.metrics.blend.model import BlendModel

WORDS = "the old dog sees a small white cat near our house every single morning".split()


def judged(count=60, seed=5, *, originals=False, set=""):
    """Return sentences some of whose words are replaced; people's score is the share of words that are left."""
    chance = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        words = [*chance.permutation(WORDS).tolist(), str(number)]
        broken = [word if chance.random() > number % 7 / 8 else "nothing" for word in words]
        score = sum(map(str.__eq__, words, broken)) / len(words) * 100
        text = " ".join(words)
        rows.append(
            JudgedText(" ".join(broken), score, () if originals else (text,), text if originals else None, set=set)
        )
    return JudgedTexts(tuple(rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("blend") / "my.metric"
    pg.learn(judged(), metrics=["bleu", "chrf,ter", "bleu.precision_1"], output=path)
    return path


def test_a_blend_predicts_judgments(folder):
    blend = Blend(model=str(folder))
    other = judged(seed=77)
    scores = blend.segment_scores([row.candidate for row in other], [row.references for row in other])
    values, wanted = np.array([score.value for score in scores]), np.array([row.score for row in other])
    assert np.corrcoef(values, wanted)[0, 1] > 0.98
    assert np.abs(values - wanted).mean() < 8  # one set: on the scale of its judgments
    corpus = blend.corpus_score([row.candidate for row in other], [row.references for row in other])
    assert corpus.value == pytest.approx(values.mean())
    assert list(corpus.components) == ["bleu", "chrf", "ter", "bleu.precision_1"]
    first = other.rows[0]
    assert scores[0].components["chrf"] == pytest.approx(Chrf().score(first.candidate, first.references).value)
    assert blend.needs == {"references"}


def test_signature_names_all_parts(folder):
    signature = Blend(model=str(folder)).signature(Segments(("a",), (("b",),)))
    assert signature.get("metrics") == "bleu+chrf+ter"
    assert signature.get("regressor") == "ridge"
    assert len(signature.get("model")) == 12
    shipped = Blend().signature(Segments(("a",), (("b",),)))
    assert len(shipped.get("meteor-lexicon")) == len(shipped.get("meteor-table")) == 12
    assert "maxsim-analysis" in Blend().resource_keys


@pytest.mark.parametrize("regressor", ["ridge", "monotone", "svr"])
def test_every_regressor_is_kept_and_opened(tmp_path, regressor):
    if regressor == "svr":
        pytest.importorskip("sklearn")
    result = pg.learn(judged(), metrics=["bleu", "chrf"], regressor=regressor, folds=3, output=tmp_path / "m")
    assert result.report.folds > 0.9
    rows = np.array([[10.0, 20.0], [60.0, 70.0]])
    opened = BlendModel.open(tmp_path / "m", verify=True)
    assert opened.kind == regressor
    assert opened.scores(rows).tolist() == result.model.scores(rows).tolist()
    assert pg.open(tmp_path / "m").names == ("bleu", "chrf")
    again = pg.learn(judged(), metrics=["bleu", "chrf"], regressor=regressor, folds=3, output=tmp_path / "n", threads=1)
    assert again.metric.opened.digest == result.metric.opened.digest  # the same bytes


def test_contributions_add_up_and_are_explained(folder):
    blend = Blend(model=str(folder))
    model = blend.opened
    row = np.array([30.0, 40.0, 50.0, 60.0])
    total = model.scores(row[None])[0] - model.scores(model.typical[None])[0]
    assert model.contributions(row).sum() == pytest.approx(total)
    grid = blend.explain(Segments.of(["a small cat"], ["a small dog"])).parts[-1]
    assert grid.columns == ("feature", "value", "typical", "contribution")
    assert [abs(cells[3]) for cells in grid.rows] == sorted((abs(cells[3]) for cells in grid.rows), reverse=True)


def test_sets_left_out_and_what_metrics_add():
    result = pg.learn({"one": judged(seed=1), "two": judged(seed=2)}, metrics=["bleu", "chrf"])
    assert [each.name for each in result.report.sets] == ["one", "two"]
    assert all(each.left_out > 0.9 for each in result.report.sets)
    assert set(result.report.without) == {"bleu", "chrf"}
    assert (result.model.mean, result.model.scale) == (0, 1)
    assert "blend, set left out" in str(result)
    for text in ("| one | 60 |", "set left out", "`chrf`"):
        assert text in result.model.card
    with pytest.raises(OptionError, match="no folder and so no signature"):
        _ = result.metric


def test_intervals_and_tests_work(folder):
    rows = judged(20, seed=9).rows
    systems = {"a": [row.candidate for row in rows], "b": [row.references[0] for row in rows]}
    references = [row.references[0] for row in rows]
    result = pg.score(systems, references=references, metrics=[f"blend(model='{folder}')"], bootstrap=50)
    assert "b" in str(result)
    assert pg.compare(systems, references=references, metrics=[f"blend(model='{folder}')"]) is not None


def test_names_of_features():
    names = ["bleu", "maxsim(alpha=0.7,max_order=2).f_1", "'x,y'"]
    assert split_names(", ".join(names)) == names
    assert Feature.parse("bleu(smooth_value=0.1, smooth='add-k')").component == ""
    assert Feature.parse("bleu(max_order=2).precision_1") == Feature(Bleu(max_order=2), "precision_1")
    assert [feature.sign for feature in parse_features(["ter", "bleu", "bleu.precision_1"])] == [-1, 1, 0]


@pytest.mark.parametrize(
    ("metrics", "error", "message"),
    [
        ([""], OptionError, "at least one metric"),
        (["bleu,bleu"], OptionError, "'bleu' is named twice"),
        (["blue"], OptionError, "did you mean 'bleu'"),
        (["blend"], OptionError, "a blend cannot be part of a blend"),
        (["self-bleu-set"], OptionError, "scores a set of candidates"),
        (["parametric"], OptionError, "scores a resource"),
        (["bleu.nothing"], DataError, "bleu has no component 'nothing'; it has precision_1"),
        (["pinc"], DataError, "pinc needs originals, but the judgments have no column 'original'"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(tmp_path, metrics, error, message):
    with pytest.raises(error, match=message):
        pg.learn(judged(10), metrics=metrics, output=tmp_path / "m")
    assert not list(tmp_path.iterdir())


def changed(texts, change):
    return JudgedTexts(tuple(row._replace(**change(number, row)) for number, row in enumerate(texts)))


@pytest.mark.parametrize(
    ("change", "metrics", "message"),
    [
        (
            lambda number, row: {"references": ("zzz qqq",), "source": str(number)},
            ["chrf", "bleu.precision_1"],
            r"the same value for all 30 judged texts: chrf \(0\), bleu\.precision_1 \(0\); .*leave it out",
        ),
        (lambda number, row: {"score": 3.0}, ["chrf"], r"all scores are the same \(3\)"),
        (lambda number, row: {"score": float("nan") if number == 4 else row.score}, ["chrf"], "is nan; expected a"),
        (lambda number, row: {"score": float("inf") if number == 4 else row.score}, ["chrf"], "is inf; expected a"),
        (lambda number, row: {"score": None if number > 1 else row.score}, ["chrf"], r"fewer than three .* \(2\)"),
    ],
)
@pytest.mark.parametrize("regressor", ["ridge", "monotone"])
def test_what_does_not_vary_or_is_no_number_is_refused(tmp_path, change, metrics, message, regressor):
    with pytest.raises(DataError, match=message):
        pg.learn(changed(judged(30), change), metrics=metrics, regressor=regressor, output=tmp_path / "m")
    assert not list(tmp_path.iterdir())


def test_judges_who_contradict_each_other_exactly_are_refused():
    texts = judged(30)
    other = changed(texts, lambda number, row: {"score": -row.score, "judge": "other"})
    with pytest.raises(DataError, match="all scores are the same"):
        pg.learn(JudgedTexts(texts.rows + other.rows), metrics=["chrf"])


def test_a_monotone_blend_of_metrics_that_disagree_with_people_is_refused(tmp_path):
    worse = changed(judged(30), lambda number, row: {"score": -row.score})
    with pytest.raises(DataError, match=r"all judged texts the same score.*try --regressor ridge"):
        pg.learn(worse, metrics=["bleu,chrf"], regressor="monotone", output=tmp_path / "m")
    assert not list(tmp_path.iterdir())
    assert pg.learn(worse, metrics=["bleu,chrf"]).report.folds > 0.9


def test_a_metric_that_varies_in_one_set_only_has_figures():
    flat = changed(judged(30, seed=2), lambda number, row: {"references": ("zzz qqq",), "source": str(number)})
    result = pg.learn({"one": judged(30, seed=1), "two": flat}, metrics=["bleu", "chrf"])
    assert [each.alone["chrf"] > 0.9 for each in result.report.sets] == [True, False]
    assert result.report.sets[1].alone["chrf"] == result.report.sets[1].left_out == 0
    assert "nan" not in str(result) + result.model.card


def test_metrics_that_need_references_are_refused_for_paraphrases():
    with pytest.raises(DataError, match="bleu needs references, but the judgments have no column 'reference'"):
        pg.learn(judged(10, originals=True), metrics=["bleu"])
    assert pg.learn(judged(30, originals=True), metrics=["pinc", "edit-dissimilarity"]).report.folds > 0.8


def test_nothing_but_a_blend_is_replaced(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "text").write_text("mine", encoding="utf-8")
    with pytest.raises(FileError):
        pg.learn(judged(10), metrics=["bleu"], output=tmp_path / "notes")
    assert (tmp_path / "notes" / "text").read_text(encoding="utf-8") == "mine"


def test_folders_that_are_no_blend_are_refused(tmp_path, folder):
    with pytest.raises(FileError, match="no such folder"):
        Blend.load(str(tmp_path / "nothing"))
    with pytest.raises(DataError):
        Blend.load(str(tmp_path))
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    settings = json.loads((damaged / "model.json").read_text(encoding="utf-8"))

    def rewrite(**changes):
        (damaged / "model.json").write_text(json.dumps({**settings, **changes}), encoding="utf-8")
        sign_again(damaged)

    for changes, message in (
        ({"kind": "pickle"}, "damaged"),
        ({"features": ["bleu"]}, "features"),
        ({"mean": float("nan")}, "not finite"),
        ({"parts": {}}, "nothing is said about bleu"),
        ({"features": ["gone", "chrf", "ter", "bleu.precision_1"]}, "cannot be used here: no metric named 'gone'"),
    ):
        rewrite(**changes)
        with pytest.raises(DataError, match=message):
            BlendModel.open(damaged)
    parts = {**settings["parts"], "bleu": {**settings["parts"]["bleu"], "tok": "intl"}}
    rewrite(parts=parts)
    with pytest.raises(DataError, match=r"learned with bleu of tok:intl by paragauge .*; here it has tok:13a"):
        BlendModel.open(damaged)


def test_from_the_command_line(tmp_path, capsys):
    header = "candidate\treference\tscore\n"
    for name, seed in (("one", 1), ("two", 2)):
        lines = [f"{row.candidate}\t{row.references[0]}\t{row.score}\n" for row in judged(seed=seed)]
        (tmp_path / f"{name}.tsv").write_text(header + "".join(lines), encoding="utf-8")
    output = tmp_path / "my.metric"
    files = [str(tmp_path / "one.tsv"), str(tmp_path / "two.tsv")]
    assert main(["learn", *files, "--metrics", "bleu,chrf", "-o", str(output), "--format", "tsv", "-q"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split("\t") == ["feature", "pearson", "without", "one", "two"]
    assert [line.split("\t")[0] for line in table[1:]] == [
        "blend, unseen sentences", "blend, set left out", "bleu", "chrf",
    ]  # fmt: skip
    (tmp_path / "same.tsv").write_text(header + "a\tb\t1\n" * 4, encoding="utf-8")
    assert main(["learn", str(tmp_path / "same.tsv"), "-m", "bleu", "-o", str(tmp_path / "no"), "-q"]) == 1
    assert "all scores are the same (1)" in capsys.readouterr().err
    (tmp_path / "nan.tsv").write_text(header + "a\tb\t1\nc\td\tnan\n", encoding="utf-8")
    assert main(["learn", str(tmp_path / "nan.tsv"), "-m", "bleu", "-o", str(tmp_path / "no"), "-q"]) == 1
    assert "nan.tsv:3: the score 'nan' is not a finite number" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


def test_the_one_that_ships_prefers_the_better_translation():
    blend = Blend.load("translation")
    reference = "The committee rejected the proposal on Friday."
    good = blend.score("The committee turned down the proposal on Friday.", reference)
    bad = blend.score("Committee the on proposal Friday.", reference)
    assert good.value > bad.value
    assert blend.score(reference, reference).value > good.value
