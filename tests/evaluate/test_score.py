"""Scores: computed once, and the same through every door."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.corpora.demo import demo_testset
from paragauge.errors import DataError, OptionError
from paragauge.evaluate.score import ScoreRequest, ScoreResult, SystemScore, score_testset
from paragauge.meta import bootstrap_interval
from paragauge.meta.significance import DEFAULT_RESAMPLES, DEFAULT_SEED
from paragauge.metrics import METRICS, Measurement, SentenceMetric
from paragauge.metrics.registry import available_metrics
from paragauge.report.table import finite

NAMES = [metric.name for metric in available_metrics()]
TESTSET = demo_testset()


@dataclass(frozen=True, kw_only=True)
class Counting(SentenceMetric):
    """The length of candidates; counts how many rows were ever computed."""

    name: ClassVar[str] = "counting"
    summary: ClassVar[str] = "length"
    citation: ClassVar[str] = "nobody"
    scale: ClassVar[str] = "0 and more"
    needs: ClassVar[frozenset] = frozenset()
    computed: ClassVar[list[str]] = []

    def statistics(self, segments):
        self.computed.extend(segments.candidates)
        return np.array([[len(text), 1.0] for text in segments.candidates])

    def measure(self, totals):
        return Measurement(totals[0] / totals[1], {"letters": totals[0]})

    def signature_items(self):
        return {"unit": "character"}


def test_statistics_are_computed_once():
    Counting.computed.clear()
    systems = {"a": ["one", "three"], "b": ["seven", "x"]}
    result = pg.score(systems, metrics=Counting(), bootstrap=20)
    _ = result.segments.rows(), result.segments.to_arrow(), result.table(), result.to_dict(), result.score_table()
    compared = pg.compare(result, tests=["bootstrap", "permutation"], trials=20)
    assert len(compared.comparisons) == 2
    assert Counting.computed == ["one", "three", "seven", "x"]
    assert [each.score.value for each in result.scores] == [4, 3]
    assert [row["score"] for row in result.segments.rows()] == [3, 5, 5, 1]


@pytest.mark.parametrize("name", [*NAMES, "self-bleu-set(effective_order=no)", "bleu(max_order=2)"])
def test_numbers_are_those_of_the_metric(name):
    metric = pg.parse_metric(name)
    result = score_testset(TESTSET, ScoreRequest(metrics=(name,), bootstrap=30, seed=5))
    for each in result.scores:
        segments = TESTSET.segments(each.system)
        rows = metric.statistics(segments)
        if metric.segments_share_rows:
            assert np.array_equal(rows, metric.for_segments().statistics(segments))
        expected = metric.score_corpus(segments, rows)
        assert each.score.value == expected.value
        assert each.score.components == expected.components
        assert each.score.interval == bootstrap_interval(metric, rows, resamples=30, seed=5)
        assert each.score.signature == expected.signature.extended({"bs": 30, "seed": 5})
        assert list(each.statistics.segment_scores) == metric.score_segments(segments)


def test_rows_that_segments_do_not_share_are_computed_for_them():
    metric = pg.parse_metric("self-bleu-set(effective_order=no)")
    texts = ["a cat", "a dog", "the dog barks"]
    [each] = pg.score(texts, metrics=metric).scores
    assert list(each.statistics.segment_scores) == metric.segment_scores(texts)
    assert [score.value for score in each.statistics.segment_scores] != each.statistics.rows[:, 0].tolist()


def test_defaults_are_those_of_the_algorithms():
    assert ScoreRequest.bootstrap == DEFAULT_RESAMPLES
    assert ScoreRequest.seed == DEFAULT_SEED


@pytest.fixture(scope="module")
def everything():
    return score_testset(TESTSET, ScoreRequest(metrics=tuple(NAMES), bootstrap=40))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    for system, texts in TESTSET.candidates.items():
        (folder / system).write_text("".join(f"{text}\n" for text in texts))
    for name, texts in {**TESTSET.references, "o": TESTSET.originals}.items():
        (folder / name).write_text("".join(f"{text}\n" for text in texts))
    return folder


def _from_command(folder, capsysbinary, *options):
    metrics = [argument for name in NAMES for argument in ("-m", name)]
    texts = ["--ref", "1", "--ref", "2", "--original", "o", *TESTSET.systems]
    places = [str(folder / text) if not text.startswith("-") else text for text in texts]
    assert main(["score", *metrics, *places, "--format", "json", *options]) == 0
    return json.loads(capsysbinary.readouterr().out)


def test_every_door_gives_the_same_numbers(everything, files, capsysbinary):
    from paragauge.web import models, tasks
    from paragauge.web.protocol import Settings

    python = pg.score(
        dict(TESTSET.candidates),
        TESTSET.references,
        originals=TESTSET.originals,
        ids=TESTSET.ids,
        metrics=NAMES,
        bootstrap=40,
    )
    assert python == everything
    assert _from_command(files, capsysbinary, "--bootstrap", "40") == everything.to_dict()
    segments = everything.segments.to_dict()
    numbered = {name: str(number) for number, name in enumerate(TESTSET.ids, start=1)}
    assert _from_command(files, capsysbinary, "--segments") == [
        {**each, "segment": numbered[each["segment"]]} for each in segments
    ]
    texts = {"candidates": TESTSET.candidates, "references": TESTSET.references, "originals": TESTSET.originals}
    asked = models.ScoreRequest.model_validate(
        {"metrics": NAMES, "texts": {**texts, "ids": TESTSET.ids}, "bootstrap": 40, "segments": True}
    )
    answer = tasks.score(asked.model_dump(mode="json"), Settings("."), lambda done, total, what: None)
    assert answer["systems"] == finite(everything.to_dict())
    assert answer["segments"] == [
        {key: each[key] for key in ("metric", "system", "segment", "score", "components")} for each in segments
    ]
    assert answer["segment_signatures"] == {each["metric"]: each["signature"] for each in segments}


def test_resources_come_with_their_digests(everything):
    found = {each.metric.name: each.resources for each in everything.scores}
    assert set(found["pem+"]) == {"model", "analysis", "lexicon"}
    assert found["pem"] == {"model": METRICS["pem"]().opened.digest}
    assert set(found["paraeval"]) == {"table"}
    assert found["bleu"] == {}


def test_frames_and_pages():
    pandas = pytest.importorskip("pandas")
    result = pg.score({"a<b>": ["he bought a car"]}, originals=["he purchased a car"], metrics=["pinc", "pem"])
    frame = result.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["metric", "system", "score", "low", "high", "signature"]
    assert frame["system"].tolist() == ["a<b>"] * 2
    assert "a&lt;b&gt;" in result._repr_html_()
    assert "<b>" not in result._repr_html_()
    segments = result.segments.to_frame()
    assert list(segments["segment"]) == ["1", "1"]
    assert segments["adequacy"].isna().tolist() == [True, False]
    assert result.to_arrow().num_rows == 2
    assert result.to_dict()[1]["components"] == dict(result.scores[1].score.components)
    assert str(result).splitlines()[0].split() == ["system", "pinc", "↑", "pem", "↑"]


def test_progress_counts_segments():
    steps = []
    pg.score(
        {"a": ["x"] * 40, "b": ["y"] * 40}, ["x"] * 40, metrics=["bleu", "chrf"],
        progress=lambda done, total, what: steps.append((done, total, what)),
    )  # fmt: skip
    scored = [step for step in steps if step[1] == 160]
    assert [step[0] for step in scored] == sorted(step[0] for step in scored)
    assert scored[-1] == (160, 160, "chrf b")
    assert {what for _, _, what in scored} == {"bleu a", "bleu b", "chrf a", "chrf b"}
    assert steps[: len(scored)] == scored
    assert steps[-1] == (4, 4, "intervals of chrf")


def test_warnings_are_part_of_the_result(caplog):
    result = pg.score(["Wo ist der Bahnhof?"] * 20, originals=["Wo ist er?"] * 20, metrics="pem")
    assert len(result.warnings) == 1
    assert "pem supports English only" in result.warnings[0]
    assert [record.getMessage() for record in caplog.records] == list(result.warnings)
    blank = pg.score(["a", "b"], ["", "b"], metrics="bleu")
    assert blank.warnings == (
        "1 segment(s) have no reference text, so nothing in them can match; the first is segment 1",
    )


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((["a"], ["b"]), {"metrics": "pem"}, DataError, "the candidate comes first; pass the original"),
        ((["a"],), {"metrics": "bleu"}, DataError, "bleu needs references"),
        ((["a"], ["b"]), {"metrics": []}, OptionError, "no metric was given"),
        ((["a"], ["b"]), {"metrics": "blue"}, OptionError, "did you mean 'bleu'"),
        ((["a"], ["b"]), {"metrics": ["bleu", pg.Bleu()]}, OptionError, "given twice"),
        ((["a"], ["b"]), {"metrics": [5]}, OptionError, "'metrics' must be text"),
        ((["a"], ["b"]), {"metrics": "parametric"}, OptionError, "scores a resource"),
        ((["a"], ["b"]), {"metrics": "bleu", "bootstrap": -1}, OptionError, "at least 0"),
        (
            (["a"], ["b"]),
            {"metrics": "bleu", "bootstrap": 0, "seed": 1},
            OptionError,
            "--seed applies only to intervals",
        ),
        (("path", "path"), {"metrics": "bleu", "engine": object(), "bootstrap": 5}, OptionError, "have no intervals"),
        (
            ("path", "path"),
            {"metrics": "bleu", "engine": object(), "ids": ["1"]},
            OptionError,
            "ids and progress cannot be combined with engine",
        ),
    ],
)
def test_nonsense_is_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        pg.score(*arguments, **options)


def test_a_cluster_keeps_the_segments():
    score = pg.Bleu().corpus_score(["a"], ["a"])
    result = ScoreResult((SystemScore(pg.Bleu(), "a", score),), ())
    with pytest.raises(OptionError, match="do not include scores of segments"):
        result.segments.rows()
    assert [(row.system, row.segment, row.score) for row in result.score_table()] == [("a", None, score.value)]
