"""PEM compared with people, trained and fitted: the same from Python and from the command line."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from support.pem_models import FRENCH, judgments

from paragauge.cli.main import main
from paragauge.corpora.judged_pairs import JudgedPairs, read_judged_pairs
from paragauge.errors import OptionError
from paragauge.evaluate.pem import FitRequest, PemRequest, TrainRequest, evaluate, fit_judges, train
from paragauge.judges.fitting import CONTRAST_SHARE
from paragauge.metrics.ngram_f1 import NgramF1
from paragauge.metrics.pem.metric import PEM
from paragauge.metrics.pem.training import TrainingOptions

FIXED = {"c": 10.0, "gamma": 0.3, "epsilon": 0.1, "folds": 3}
FLAGS = [part for name, value in FIXED.items() for part in (f"--{name}", str(value))]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.en").write_text("\n".join(FRENCH.source) + "\n", encoding="utf-8")
    (tmp_path / "text.fr").write_text("\n".join(FRENCH.target) + "\n", encoding="utf-8")
    rows = [f"{row.original}\t{row.candidate}\t{row.score}\t{row.system}\n" for row in judgments()]
    (tmp_path / "judged.tsv").write_text("original\tcandidate\tscore\tsystem\n" + "".join(rows), encoding="utf-8")
    pairs = [f"{text}\t{text.replace('buys', 'purchases')}\n" for text in FRENCH.source]
    (tmp_path / "pairs.tsv").write_text("".join(pairs), encoding="utf-8")
    return tmp_path


def test_training_is_the_same_everywhere(files, capsys):
    told = []
    found = train(
        "judged.tsv", bitexts=[("text.en", "text.fr")], controls=True, output="python.pem", **FIXED,
        progress=lambda *step: told.append(step),
    )  # fmt: skip
    line = ["--bitext", "text.en", "text.fr", "--judgments", "judged.tsv", "--controls", *FLAGS, "-o", "command.pem"]
    assert main(["pem", "train", *line]) == 0
    assert f"command.pem: {found.summary()}" in capsys.readouterr().err
    for name in ("model.json", "vectors.npy", "coefficients.npy", "card.md"):
        assert (files / "python.pem" / name).read_bytes() == (files / "command.pem" / name).read_bytes()
    assert PEM.load("python.pem").signature_of_pairs() == PEM.load("command.pem").signature_of_pairs()
    assert found.rows()[0]["pearson"] == found.report.pearson
    assert any(what == "cross-validation" for _, _, what in told)
    assert "wording shared with the original (the paper's dissimilarity)" in found.model.card
    assert "shared wording (dissimilarity)" not in found.model.card


def test_objects_train_like_their_files(files):
    options = {"controls": True, "seed": 3, **FIXED}
    of_files = train("judged.tsv", bitexts=[("text.en", "text.fr")], names=["fr"], **options)
    of_objects = train(judgments(), bitexts=[FRENCH], names=["fr"], **options)
    assert of_files.rows() == of_objects.rows()
    assert "| judgments | in memory |  |" in of_objects.model.card
    assert not (files / "python.pem").exists()


def test_evaluation_is_the_same_everywhere(files, capsys):
    train("judged.tsv", bitexts=[("text.en", "text.fr")], controls=True, output="my.pem", **FIXED)
    found = evaluate("my.pem", "judged.tsv", method="kendall", seed=4)
    line = ["my.pem", "judged.tsv", "--method", "kendall", "--seed", "4"]
    saved = ["--save-scores", "scores.tsv", "--save-judgments", "people.tsv", "--plot", "figures.svg"]
    assert main(["pem", "evaluate", *line, *saved, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == found.to_dict()
    assert (files / "scores.tsv").read_text() == found.score_table().to_tsv()
    drawing = (files / "figures.svg").read_text()
    assert drawing == found.svg()
    circles = [each for each in ElementTree.XML(drawing).iter() if each.tag.endswith("circle")]
    assert len(circles) == sum(len(figure.points) for figure in found.figures)
    controls = [each for each in circles if each.get("class") == "point hollow"]
    assert len(controls) == sum(point.control for figure in found.figures for point in figure.points)
    assert found.signatures == (str(PEM.load("my.pem").signature_of_pairs()),)
    ((name, scores),) = found.scores
    assert name == "pem"
    for (_, original, candidate), score in list(scores.items())[:5]:
        assert score.value == PEM.load("my.pem").score(candidate, original=original).value


def test_names_are_escaped_in_figures():
    rows = [row._replace(system=f"<{row.system}&") for row in judgments()]
    drawing = evaluate(NgramF1(), JudgedPairs(tuple(rows))).svg()
    assert "&lt;" in drawing
    ElementTree.XML(drawing)


def test_candidates_are_scored_once(monkeypatch):
    calls = []
    score = NgramF1.score_segments
    monkeypatch.setattr(
        NgramF1, "score_segments", lambda self, segments: calls.append(len(segments)) or score(self, segments)
    )
    found = evaluate(NgramF1(), read_judged_pairs("judged.tsv"))
    assert calls == [len(found.scores[0][1])]
    assert len(found.people) == len(judgments()) + 4 * 3 * len(judgments().originals)


def test_fitting_is_the_same_everywhere(files, capsys):
    found = fit_judges(["judged.tsv"], paraphrases=["pairs.tsv"], contrast_share=0.2, output="python.judges")
    line = ["--judgments", "judged.tsv", "--paraphrases", "pairs.tsv", "--contrast-share", "0.2", "-o", "my.judges"]
    assert main(["pem", "judges", *line]) == 0
    assert f"my.judges: {found.summary()}" in capsys.readouterr().err
    assert (files / "python.judges/judges.json").read_bytes() == (files / "my.judges/judges.json").read_bytes()
    people, pairs = found.rows()
    assert (people["kind"], people["set"], people["left_out"]) == ("judgments", "judged.tsv", None)
    assert people["pairs"] == len(list(judgments().mean_over_judges()))
    assert -1 <= people["folds"] <= 1
    assert (pairs["kind"], pairs["set"], pairs["pairs"]) == ("paraphrases", "pairs.tsv", len(FRENCH.source))
    assert f"| judged.tsv | {people['pairs']} | {people['folds']:.3f} | - |" in found.model.card


def test_defaults_are_those_of_training():
    """The requests cannot import them, since that would load NumPy with every command."""
    assert TrainRequest(seed=1).options() == TrainingOptions()
    assert TrainRequest(seed=1, preset="paper").options() == TrainingOptions.paper()
    assert FitRequest().contrast_share == CONTRAST_SHARE


TRAIN = ["train", "--judgments", "judged.tsv", "-o", "no.pem"]
TABLE = [*TRAIN, "--table", "t", "--lm", "lm"]
TEXTS = [*TRAIN, "--bitext", "text.en", "text.fr"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*TEXTS, "--lm", "lm", "--smoothing", "kneser-ney"], "--smoothing has no effect with --lm"),
        ([*TEXTS, "--lm", "lm", "--lm-min-counts", "1,1"], "--lm-min-counts has no effect with --lm"),
        ([*TABLE, "--min-count", "2"], "--min-count has no effect without --bitext"),
        ([*TABLE, "--min-prob", "0.5"], "--min-prob has no effect without --bitext"),
        ([*TABLE, "--top", "5"], "--top has no effect without --bitext"),
        ([*TABLE, "--pivot-tokenizer", "intl"], "--pivot-tokenizer has no effect without --bitext"),
        ([*TABLE, "--temp", "."], "--temp has no effect without --bitext"),
        ([*TABLE, "--memory-limit", "1GB"], "--memory-limit has no effect without --bitext"),
        ([*TEXTS, "--min-phrase-count", "2"], "--min-phrase-count has no effect on phrases of one word"),
        (["judges", "--judgments", "judged.tsv", "-o", "no.pem", "--contrast-share", "0.5"], "--contrast-share has no"),
        (["judges", "--judgments", "judged.tsv", "-o", "no.pem", "--seed", "5"], "--seed has no effect without --para"),
    ],
)
def test_options_without_effect_are_refused(files, capsys, arguments, message):
    assert main(["pem", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (files / "no.pem").exists()


def test_stems_of_a_language_model_that_knows_its_words(files, capsys):
    line = ["-t", "penn", "--lowercase", "--smoothing", "katz", "-o", "lm", "-q"]
    assert main(["lm", "text.en", *line]) == 0
    assert main(["pem", *TEXTS, "--lm", "lm", "--lm-stems"]) == 2
    assert "--lm-stems has no effect with lm, which records whether" in capsys.readouterr().err


def test_wrong_requests_are_refused_in_python():
    with pytest.raises(OptionError, match="must be given together"):
        TrainRequest(c=1.0)
    with pytest.raises(OptionError, match="at least 2"):
        TrainRequest(folds=1)
    with pytest.raises(OptionError, match="must be one of pearson, spearman, kendall"):
        PemRequest(method="tau")
    with pytest.raises(OptionError, match="no option 'criterion'"):
        evaluate(NgramF1(), judgments(), criterion="fluency")
