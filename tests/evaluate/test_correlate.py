"""Correlations from Python: every kind of input, and every option that would have no effect."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from paragauge.cli.main import main
from paragauge.corpora.judgments import read_judgments
from paragauge.errors import DataError, OptionError
from paragauge.evaluate.agreement import agreement
from paragauge.evaluate.correlate import correlate
from paragauge.evaluate.references import references
from paragauge.evaluate.score import score
from paragauge.evaluate.study import study
from paragauge.meta.scores import ScoreRow, ScoreTable, read_scores

SCORES = [
    {"metric": metric, "system": system, "segment": str(segment), "score": sign * base + (segment * 7 % 3) / 10}
    for metric, sign in (("good", 1), ("odd", -1))
    for system, base in (("a", 1), ("b", 2), ("c", 4))
    for segment in range(1, 5)
]
JUDGMENTS = [
    {"system": system, "segment": str(segment), "judge": judge, "criterion": criterion, "score": base + segment % 3}
    for system, base in (("a", 1), ("b", 2), ("c", 3))
    for segment in range(1, 5)
    for judge in ("ann", "bob")
    for criterion in ("overall", "fluency")
]
RANKINGS = (
    "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
    "Czech,English,1,J,a,b,c,3,2,1\nCzech,English,2,J,a,b,c,3,1,2\n"
)


def _tsv(rows):
    lines = ["\t".join(rows[0]), *("\t".join(str(value) for value in row.values()) for row in rows)]
    return "\n".join(lines) + "\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("scores.tsv").write_text(_tsv(SCORES))
    Path("judgments.tsv").write_text(_tsv(JUDGMENTS))
    Path("rankings.csv").write_text(RANKINGS)
    Path("documents.tsv").write_text("segment\tdocument\n1\tx\n2\tx\n3\ty\n4\ty\n")
    Path("set.jsonl").write_text(
        "".join(
            json.dumps({"id": str(n), "references": {"1": "a b c", "2": "a b d"}, "candidates": {"x": c, "y": "a b"}})
            + "\n"
            for n, c in enumerate(["a b c d", "a b", "b c", "a"], start=1)
        )
    )


class Frame:
    """As much of a pandas frame as is needed."""

    def __init__(self, rows):
        self.columns = list(rows[0])
        self._rows = rows

    def to_dict(self, orient):
        assert orient == "records"
        return [{**row, "score": float("nan") if row["score"] is None else row["score"]} for row in self._rows]


def test_all_kinds_of_input_give_the_same(files):
    expected = correlate("scores.tsv", "judgments.tsv", criterion="overall", bootstrap=50).rows()
    assert len(expected) == 2
    for scores, judgments in (
        (Path("scores.tsv"), Path("judgments.tsv")),
        (read_scores("scores.tsv"), read_judgments("judgments.tsv")),
        (SCORES, JUDGMENTS),
        (pa.Table.from_pylist(SCORES), pa.Table.from_pylist(JUDGMENTS)),
        (Frame(SCORES), Frame(JUDGMENTS)),
    ):
        assert correlate(scores, judgments, criterion="overall", bootstrap=50).rows() == expected


def test_frames_of_pandas_are_taken(files):
    pandas = pytest.importorskip("pandas")
    found = correlate(pandas.DataFrame(SCORES), pandas.DataFrame(JUDGMENTS), criterion="overall", bootstrap=0)
    assert found.rows() == correlate(SCORES, JUDGMENTS, criterion="overall", bootstrap=0).rows()
    numbered = pandas.DataFrame(SCORES).astype({"segment": int})
    assert correlate(numbered, JUDGMENTS, criterion="overall", bootstrap=0).rows() == found.rows()
    assert list(found.to_frame()["metric"]) == ["good", "odd"]


def test_a_missing_score_stays_missing():
    rows = [*JUDGMENTS[:-1], {**JUDGMENTS[-1], "score": None}]
    rows = [row for row in rows if row["judge"] == "bob"]
    found = correlate(Frame(SCORES), Frame(rows), criterion="fluency", bootstrap=0)
    assert [row["items"] for row in found.rows()] == [11, 11]
    assert found.dropped == (
        "1 judgments without a score (left missing, not counted as 0)",
        "1 scored candidates without judgments",
    )


def test_scores_of_texts_can_be_correlated_at_once():
    candidates = {"near": ["the cat sat on a mat", "a dog ran"], "far": ["cat", "the dog ran over"]}
    texts = ["the cat sat on the mat", "a dog ran over"]
    people = [
        {"system": system, "segment": segment, "score": value}
        for system, values in (("near", (5, 3)), ("far", (1, 4)))
        for segment, value in zip(("1", "2"), values, strict=True)
    ]
    scores = score(candidates, texts, metrics=["bleu", "ter"], bootstrap=0)
    table = scores.score_table()
    assert [row.score for row in table if row.metric == "bleu" and row.segment is None] == [
        row["score"] for row in scores.rows() if row["metric"] == "bleu"
    ]
    found = correlate(scores, people, bootstrap=0)
    assert [row["metric"] for row in found.rows()] == ["bleu", "ter"]
    # Systems have the scores that score() gives them, not means of their segments.
    only = ScoreTable(tuple(row for row in table if row.segment is None))
    system = {"level": "system", "bootstrap": 0}
    assert correlate(scores, people, **system).rows() == correlate(only, people, **system).rows()


def test_the_command_prints_the_rows_of_the_result(files, capfdbinary):
    line = ["correlate", "scores.tsv", "judgments.tsv", "--criterion", "overall", "--each-judge", "--format", "json"]
    assert main([*line, "--bootstrap", "20", "--level", "system"]) == 0
    printed = json.loads(capfdbinary.readouterr().out)
    made = correlate("scores.tsv", "judgments.tsv", criterion="overall", each_judge=True, level="system", bootstrap=20)
    assert printed == made.to_dict()
    assert [{key: row[key] for key in printed[0]} for row in made.rows()] == printed
    assert made.to_arrow().column("judge").to_pylist() == ["mean", "mean", "ann", "ann", "bob", "bob"]


def test_sets_are_averaged_and_progress_is_told(files):
    told = []
    found = correlate(
        sets={"one": ("scores.tsv", "judgments.tsv"), "two": (SCORES, JUDGMENTS)},
        criterion="overall",
        bootstrap=0,
        progress=lambda done, total, what: told.append((done, total, what)),
    )
    assert [mean.sets for mean in found.means] == [2, 2]
    assert found.means[0].value == pytest.approx(found.correlations[0].correlation.value)
    assert told[-1] == (2, 2, "two")
    assert [row["set"] for row in found.rows()] == ["one", "one", "two", "two", "mean", "mean"]


def test_a_result_is_a_value(files):
    one, other = (correlate("scores.tsv", "judgments.tsv", criterion="overall", bootstrap=20) for _ in range(2))
    assert one == other
    with pytest.raises(AttributeError):
        one.turned = ("x",)
    assert str(one.signature).startswith("correlate|level:segment|average:none|criterion:overall|bs:20|unit:segment")


@pytest.mark.parametrize(
    ("people", "options", "message"),
    [
        ("judgments.tsv", {"pair": "Czech-English"}, "--pair applies only to WMT rankings"),
        ("judgments.tsv", {"ties": "ignored"}, "--ties applies only to rankings and to --method kendall-wmt"),
        ("judgments.tsv", {"ties": "discordant"}, "--ties applies only to rankings and to --method kendall-wmt"),
        ("judgments.tsv", {"min_difference": 1.0}, "--min-difference applies only to --method kendall-wmt"),
        ("judgments.tsv", {"permutations": 10}, "--permutations applies only to --compare and --clusters"),
        ("judgments.tsv", {"compare": True, "clusters": True}, "give one of them"),
        ("judgments.tsv", {"resample": "systems", "bootstrap": 0}, "--resample applies only to intervals"),
        ("judgments.tsv", {"level": "system", "average": "segment"}, "--average applies only to --level segment"),
        ("judgments.tsv", {"bootstrap": 0, "documents": "documents.tsv"}, "--documents applies only to intervals"),
        ("judgments.tsv", {"bootstrap": 0, "seed": 1}, "--seed applies only to intervals"),
        ("judgments.tsv", {"each_judge": True, "compare": True}, "--each-judge has no effect with --compare"),
        ("rankings.csv", {"criterion": "overall"}, "--criterion applies only to judgments"),
        ("rankings.csv", {"each_judge": True}, "--each-judge applies only to judgments"),
        ("rankings.csv", {"where": "fluency>=3"}, "--where applies only to judgments"),
        ("rankings.csv", {"exclude_systems": "a"}, "--exclude-system applies only to judgments"),
        ("rankings.csv", {"documents": "documents.tsv"}, "--documents applies only to judgments"),
        ("rankings.csv", {"resample": "systems"}, "--resample applies only to judgments"),
        ("rankings.csv", {"average": "system"}, "--average applies only to judgments"),
        ("rankings.csv", {"method": "pearson"}, "--method applies only to --level system"),
        ("rankings.csv", {"level": "system", "ties": "ignored"}, "--ties applies only to pairs of candidates"),
        ("rankings.csv", {"lower_is_better": "od"}, "no metric with scores named 'od'; did you mean 'odd'?"),
    ],
)
def test_options_without_effect_are_refused(files, people, options, message):
    with pytest.raises(OptionError, match=message.replace("?", r"\?")):
        correlate("scores.tsv", people, **options)


def test_rankings_take_the_options_that_matter(files):
    assert correlate("scores.tsv", "rankings.csv", method="kendall", ties="neutral").rows()
    lower = correlate("scores.tsv", "rankings.csv", lower_is_better="odd", bootstrap=0)
    assert lower.turned == ("odd",)
    # Where some data are judgments and some rankings, each option has an effect somewhere.
    mixed = {"one": ("scores.tsv", "judgments.tsv"), "Czech-English": ("scores.tsv", "rankings.csv")}
    found = correlate(sets=mixed, criterion="overall", ties="ignored", bootstrap=0)
    assert {row["method"] for row in found.rows()} == {"pearson", "kendall"}


@pytest.mark.parametrize(
    ("scores", "judgments", "message"),
    [
        ([{"metric": "m", "system": "a"}], JUDGMENTS, "no column named 'score'"),
        ([{"system": "a", "score": 1}], JUDGMENTS, "lacks 'metric'"),
        (SCORES, [{"segment": "a", "score": 1}], "row 1 lacks 'system'"),
        (SCORES, [{"system": "a", "segment": "1", "score": "x"}], "the score in row 1 is 'x', expected a number"),
        (SCORES, [1], "row 1 is int, expected a mapping"),
        (SCORES, 5, "found int, expected a file, a frame or a list of rows"),
    ],
)
def test_wrong_rows_are_explained(scores, judgments, message):
    with pytest.raises((DataError, OptionError), match=message):
        correlate(scores, judgments)


def test_scores_of_systems_have_no_segments(files):
    scores = ScoreTable(tuple(ScoreRow("m", system, None, value) for system, value in (("a", 1.0), ("b", 2.0))))
    for people in ("judgments.tsv", "rankings.csv"):
        options = {"criterion": "overall"} if people == "judgments.tsv" else {}
        with pytest.raises(DataError, match="the scores of m are of whole systems"):
            correlate(scores, people, **options)


def test_one_of_two_inputs_is_not_enough(files):
    with pytest.raises(OptionError, match="expected both scores and judgments"):
        correlate("scores.tsv")
    with pytest.raises(OptionError, match="applies only to files and frames"):
        correlate(read_scores("scores.tsv"), "judgments.tsv", column="extra", criterion="overall")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criteria": True, "criterion": "overall"}, "--criterion applies only to judges"),
        ({"criteria": True, "min_items": 5}, "--min-items applies only to judges"),
        ({"where": "fluency>=3"}, "--where applies only to --criteria"),
        ({"one_based": True}, "--one-based applies only to --links"),
        ({"texts": ("a", "b")}, "--texts applies only to --links"),
        ({"links": ("a", "b")}, "--links cannot be combined with judgments"),
        ({"links": ("a", "b"), "method": "kendall"}, "--method applies only to judgments, not to --links"),
        ({"links": ("a", "b"), "level": "system"}, "--level applies only to judgments, not to --links"),
    ],
)
def test_agreement_refuses_options_without_effect(files, options, message):
    with pytest.raises(OptionError, match=message):
        agreement("judgments.tsv", **options)


def test_agreement_from_python(files):
    found = agreement(JUDGMENTS, criterion="overall")
    assert [(pair.one, pair.other, pair.items) for pair in found.pairs] == [("ann", "bob", 12)]
    assert found.mean.value == pytest.approx(1)
    assert found == agreement("judgments.tsv", criterion="overall")
    assert str(found.signature).startswith("agreement|of:judges|level:segment|method:pearson|criterion:overall|min:3|")
    both = agreement("judgments.tsv", criteria=True, where="fluency>=2", level="system")
    assert str(both.signature).startswith("agreement|of:criteria|level:system|method:pearson|where:fluency>=2|version:")
    with pytest.raises(DataError, match="found WMT rankings"):
        agreement("rankings.csv")


@pytest.mark.parametrize(
    ("experiment", "people", "options", "message"),
    [
        ("single", "rankings.csv", {"criteria": "overall"}, "rankings have no criteria"),
        ("single", "judgments.tsv", {"pair": "Czech-English"}, "--pair applies only to WMT rankings"),
        ("single", None, {}, "needs judgments to correlate metrics with"),
        ("cross", "judgments.tsv", {}, "does not use judgments"),
        ("cross", None, {"method": "pearson"}, "--method applies only to judgments, which 'cross' does not use"),
        ("cross", None, {"bootstrap": 0, "by_document": True}, "--by-document applies only to intervals"),
        ("humans", None, {"bootstrap": 0, "seed": 3}, "--seed applies only to intervals"),
        ("humans", None, {"metrics": ()}, "no metric was given"),
        ("steps", "judgments.tsv", {}, "the experiment 'steps' always uses BLEU"),
    ],
)
def test_references_refuses_options_without_effect(files, experiment, people, options, message):
    with pytest.raises(OptionError, match=message):
        references("set.jsonl", **{"metrics": "bleu", "judgments": people, "experiment": experiment, **options})


def test_references_from_python(files):
    people = [{"system": "x", "segment": "1", "score": 1}, {"system": "y", "segment": "1", "score": 4}]
    found = references("set.jsonl", "ter", people, bootstrap=0)
    assert found.turned == ("ter",)
    assert "lower is better, sign reversed: ter" in str(found)
    assert [row["references"] for row in found.rows()] == ["1", "2", "all"]
    ranked = references("set.jsonl", ["bleu"], experiment="humans", bootstrap=0)
    assert {row["name"] for row in ranked.rows()} == {"x", "y", "reference-1", "reference-2"}


@pytest.mark.parametrize(
    ("people", "options", "message"),
    [
        ("judgments.tsv", {"pair": "Czech-English"}, "--pair applies only to WMT rankings"),
        (None, {"pair": "Czech-English"}, "--pair needs judgments; none were given"),
        (None, {"disagreements": 2}, "--disagreements needs judgments; none were given"),
        ("judgments.tsv", {"bootstrap": 0, "seed": 4}, "--seed applies only to intervals"),
        ("judgments.tsv", {"lower_is_better": "nobody"}, "no metric with scores named 'nobody'"),
        ("judgments.tsv", {"method": ()}, "no correlation method was given"),
    ],
)
def test_a_study_refuses_options_without_effect(files, people, options, message):
    with pytest.raises(OptionError, match=message):
        study("scores.tsv", people, **options)


def test_a_study_needs_scores_or_texts(files):
    with pytest.raises(DataError, match="no scores were given"):
        study()
    with pytest.raises(DataError, match="without texts to score"):
        study(metrics="bleu")
    with pytest.raises(DataError, match="two of the files contain the same scores"):
        study(["scores.tsv", "scores.tsv"])


def test_a_study_of_texts_computes_each_score_once(files):
    told = []
    found = study(
        testset="set.jsonl", metrics=["bleu", "chrf"], bootstrap=20, progress=lambda *state: told.append(state)
    )
    assert (16, 16) in {state[:2] for state in told}  # two metrics, two systems, four segments
    own = score(
        {"x": ["a b c d", "a b", "b c", "a"], "y": ["a b"] * 4}, [["a b c", "a b d"]] * 4, metrics="bleu", bootstrap=20
    )
    expected = [(row["system"], row["score"], row["low"], row["high"]) for row in own.rows()]
    rows = [row for row in found.rows() if row["by"] == "bleu"]
    assert [(row["system"], row["score"], row["low"], row["high"]) for row in rows] == expected
    assert {row["source"] for row in rows} == {"whole system"}
    assert any(note.startswith("bleu|nrefs:2|") and "|bs:20|" in note for note in found.signatures)
    assert "<table>" in found._repr_html_()
    assert "Scores of systems" in str(found)


def numbered_data(shift=0, segments=120):
    """Return rows of scores and judgments of two systems; judgments call segment k by the name k + shift."""
    rng = np.random.default_rng(8)
    quality = rng.normal(size=(2, segments))
    scores = [
        {"metric": "m", "system": f"s{i}", "segment": str(k + 1), "score": quality[i, k]}
        for i in range(2)
        for k in range(segments)
    ]
    names = [str((k + shift) % segments + 1) for k in range(segments)]
    people = [
        {"system": f"s{i}", "segment": names[k], "score": quality[i, k] + rng.normal()}
        for i in range(2)
        for k in range(segments)
    ]
    return scores, people


def test_segments_that_mean_other_sentences_are_doubted(caplog):
    correlate(*numbered_data(), bootstrap=0)
    assert not caplog.messages
    correlate(*numbered_data(shift=7), bootstrap=0)
    assert "no metric follows people over the segments of a system (the highest correlation is" in caplog.text
    assert "published numbers of segments are not always numbers of lines" in caplog.text


def test_segments_beyond_the_last_line_are_named(caplog):
    scores, people = numbered_data()
    correlate(scores, [*people, {"system": "s0", "segment": "400", "score": 1.0}], bootstrap=0)
    assert (
        "1 judgments of candidates that no metric scored (segments up to 400, scores up to 120: are they" in caplog.text
    )


def test_judgments_of_whole_systems_are_resampled_by_system():
    """Segments cannot be: an interval without width and the lowest possible p-value would be the result."""
    rng = np.random.default_rng(2)
    quality = rng.normal(size=8)
    scores = [
        {"metric": name, "system": f"s{k}", "score": quality[k] + spread * rng.normal()}
        for name, spread in (("one", 0.5), ("other", 0.6))
        for k in range(8)
    ]
    people = [{"system": f"s{k}", "score": quality[k]} for k in range(8)]
    found = correlate(scores, people, level="system", bootstrap=200)
    assert "unit:system" in str(found.signature)
    for each in found.correlations:
        assert each.correlation.interval.low < each.correlation.value < each.correlation.interval.high
    (test,) = correlate(scores, people, level="system", bootstrap=200, compare=True).comparisons
    assert test.interval.low < test.interval.high
    assert test.bootstrap_p > 0.05


def test_each_criterion_and_means_as_in_maxsims_table_1(tmp_path):
    """Rows by set and criterion; means over sets, then over criteria and sets, of correlations, not of judgments."""
    rng = np.random.default_rng(2)
    noisy = [{**row, "score": row["score"] + rng.normal() * (row["criterion"] == "fluency")} for row in JUDGMENTS]
    sets = {"one": (SCORES, JUDGMENTS), "two": (SCORES, noisy)}
    found = correlate(sets=sets, each_criterion=True, bootstrap=0)
    single = {
        (name, criterion): {
            each.correlation.metric: each.correlation.value
            for each in correlate(*data, criterion=criterion, bootstrap=0).correlations
        }
        for name, data in sets.items()
        for criterion in ("overall", "fluency")
    }
    rows = found.rows()
    for row in rows[:8]:
        assert row["correlation"] == single[row["set"], row["criterion"]][row["metric"]]
    means = {(row["criterion"], row["metric"]): (row["correlation"], row["items"]) for row in rows[8:]}
    assert len(means) == 6
    for metric in ("good", "odd"):
        parts = [single[name, criterion][metric] for criterion in ("overall", "fluency") for name in sets]
        assert means["overall", metric] == (pytest.approx(np.mean(parts[:2])), 2)
        assert means["fluency", metric] == (pytest.approx(np.mean(parts[2:])), 2)
        assert means["mean", metric] == (pytest.approx(np.mean(parts)), 4)
    assert found.signature.get("each-criterion") == "yes"
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in noisy))
    one = correlate(SCORES, str(tmp_path / "s.jsonl"), each_criterion=True, criterion="fluency,overall", bootstrap=0)
    assert [row["criterion"] for row in one.rows()] == ["fluency"] * 2 + ["overall"] * 2 + ["mean"] * 2
    assert [row["items"] for row in one.rows()[4:]] == [2, 2]
    for option in ("compare", "clusters"):
        with pytest.raises(OptionError, match="--each-criterion has no effect with --compare and --clusters"):
            correlate(SCORES, JUDGMENTS, each_criterion=True, **{option: True})
