"""What workers compute: a request as plain data in, an answer as plain data out.

Requests were checked by `paragauge.web.models`; what only the data can tell, the readers and metrics tell here.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from paragauge.corpora import Segments, TestSet, read_testset
from paragauge.corpora.demo import demo_testset
from paragauge.errors import DataError, OptionError, ParagaugeError
from paragauge.meta.rankings import read_people
from paragauge.meta.scores import ScoreRow, ScoreTable, read_scores
from paragauge.meta.study import Study, make_study
from paragauge.metrics.base import SentenceMetric
from paragauge.metrics.registry import METRICS, lower_is_better, metric_options, parse_sentence_metrics
from paragauge.metrics.suitability import TextSample, concerns
from paragauge.report.derivation import derivation_svg
from paragauge.report.explain import explanation_dict, explanation_section
from paragauge.report.html import report_content
from paragauge.report.model import study_report
from paragauge.report.progress import Progress
from paragauge.report.scoring import comparison_table, segment_table, system_table
from paragauge.report.table import ResultTable, finite
from paragauge.report.text import report_dict
from paragauge.web.protocol import Settings

if TYPE_CHECKING:
    from paragauge.grammar import Grammar
    from paragauge.grammar.parse import ParseResult

Request = Mapping[str, Any]


class TotalProgress(Progress, Protocol):
    """A progress bar that is told how much there is to do."""

    total: int


def score(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return the scores of systems and, if wanted, of segments."""
    metrics = _metrics(request["metrics"], settings)
    testset = _testset(request, settings, metrics)
    bar.total = _size(metrics, testset) * (2 if request["segments"] else 1)
    systems = system_table(metrics, testset, request["bootstrap"], request["seed"], bar)
    answer: dict[str, Any] = {"systems": _details(systems), "warnings": _warnings(metrics, testset)}
    if request["segments"]:
        by_segment = segment_table(metrics, testset, bar)
        found = _details(by_segment)
        answer["segment_signatures"] = {each["metric"]: each["signature"] for each in found}
        keep = ("metric", "system", "segment", "score", "components")
        answer["segments"] = [{name: each[name] for name in keep} for each in found]
    return finite(answer)


def compare(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return the differences between systems."""
    metrics = _metrics(request["metrics"], settings)
    testset = _testset(request, settings, metrics)
    if len(testset.candidates) < 2:
        raise DataError("comparing takes at least two systems; found one")
    bar.total = _size(metrics, testset)
    table = comparison_table(
        metrics,
        testset,
        list(dict.fromkeys(request["tests"])),
        request["trials"],
        request["all_pairs"],
        request["seed"],
        bar,
    )
    return finite({"comparisons": table.rows, "warnings": _warnings(metrics, testset)})


def explain(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return why one candidate scores what it does."""
    references, original = request["references"], request["original"]
    segments = Segments.of(
        [request["candidate"]],
        [references] if references else None,
        None if original is None else [original],
    )
    metrics = _metrics(request["metrics"], settings)
    bar.total = len(metrics)
    explanations = []
    for metric in metrics:
        bar.set_postfix_str(metric.name)
        metric.check(segments)
        found = metric.explain(segments)
        explanations.append(explanation_dict(found))
        if request["html"]:
            explanations[-1]["html"] = explanation_section(found)
        bar.update(1)
    return finite({"explanations": explanations})


def derive(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return whether a grammar derives a pair of sentences, and how."""
    from paragauge.grammar.parse import ParseOptions, parse_pairs
    from paragauge.text import TextPipeline

    pipeline = TextPipeline(tokenizer=request["tokenizer"], lowercase=request["lowercase"])
    pair = [pipeline(request["source"]), pipeline(request["target"])]
    with _grammar(request["grammar"], settings) as grammar:
        options = ParseOptions(threads=1)
        found = parse_pairs(grammar, [pair[0]], [pair[1]], options=options, derivations=True)[0]
    derivation = found.derivation
    answer = {
        "status": found.status.name.lower(),
        "derived": found.derived,
        "rules": found.rules,
        "derivation": None if derivation is None else derivation.to_dict(),
    }
    if request["html"]:
        answer["html"] = _derivation_html(found)
    return answer


def _derivation_html(found: ParseResult) -> str:
    if found.derivation is None:
        status = found.status.name.lower().replace("_", " ")
        return f'<p class="soft">{status}; rules of the grammar that fit: {found.rules:,}</p>'
    drawing = derivation_svg(found.derivation, styled=False)
    rules = escape(found.derivation.to_text())
    return (
        f'<div class="derivation" role="region" aria-label="derivation" tabindex="0">{drawing}</div>'
        f"<details><summary>rules</summary><pre>{rules}</pre></details>"
    )


def correlate(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return how far metrics agree with people."""
    study, _ = _study({**request, "disagreements": 0}, settings, bar)
    rows = [
        {
            "criterion": each.criterion,
            "metric": each.correlation.metric,
            "level": each.correlation.level,
            "method": each.correlation.method,
            "correlation": each.correlation.value,
            "low": None if each.correlation.interval is None else each.correlation.interval.low,
            "high": None if each.correlation.interval is None else each.correlation.interval.high,
            "items": each.correlation.items,
        }
        for each in study.agreements
        if request["level"] in (None, each.correlation.level)
    ]
    return finite({"correlations": rows, "dropped": study.dropped, "bootstrap": study.resamples, "seed": study.seed})


def report(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return a whole meta-evaluation."""
    study, testset = _study(request, settings, bar)
    made = study_report(study, testset=testset, title=request["title"])
    answer: dict[str, Any] = {"report": report_dict(made)}
    if request["html"]:
        answer["html"] = report_content(made)
    return answer


def read(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return the test set in a file."""
    with _stored(request["file"], settings) as path:
        return _testset_dict(read_testset(path))


def example(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return the test set that ships."""
    return _testset_dict(demo_testset())


def catalogue(request: Request, settings: Settings, bar: TotalProgress) -> Any:
    """Return what there is to know of each metric."""
    return [_described(name, cls) for name, cls in METRICS.items()]


TASKS: Mapping[str, Callable[[Request, Settings, TotalProgress], Any]] = {
    task.__name__: task for task in (score, compare, explain, derive, correlate, report, read, example, catalogue)
}


def _described(name: str, cls: Any) -> dict[str, Any]:
    sentences = issubclass(cls, SentenceMetric)
    return {
        "name": name,
        "kind": "sentences" if sentences else "resource",
        "summary": cls.summary,
        "citation": cls.citation,
        "scale": cls.scale,
        "better": cls.better,
        "needs": sorted(getattr(cls, "needs", ())),
        "available": bool(cls().available) if sentences else True,
        "options": [
            {"name": option.name, "default": repr(option.default), "type": str(option.type)} for option in fields(cls)
        ],
    }


def _metrics(texts: Sequence[str], settings: Settings) -> list[SentenceMetric]:
    for text in texts:
        if text not in settings.metrics:
            _refuse_files(text)
    return parse_sentence_metrics(texts)


def _refuse_files(text: str) -> None:
    """Raise an `OptionError` if an option names a file: a request must not read what it was not given."""
    name, options = metric_options(text)
    for option, value in options.items():
        named = value if isinstance(value, str) else ""
        if "/" in named or "\\" in named or ":" in named.removeprefix("spacy:") or _exists(named):
            raise OptionError(
                f"option {option!r} of {name} names a file, which a request may not; start the server with -m {text!r}"
            )


def _exists(name: str) -> bool:
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):  # too long, or no name at all
        return False


def _testset(request: Request, settings: Settings, metrics: Iterable[SentenceMetric]) -> TestSet:
    if request["testset"] is not None:
        with _stored(request["testset"], settings) as path:
            testset = read_testset(path)
    else:
        texts = request["texts"]
        columns = [texts["originals"] or (), *texts["references"].values(), *texts["candidates"].values()]
        size = max(map(len, columns), default=0)
        testset = TestSet(
            ids=texts["ids"] or [str(number) for number in range(1, size + 1)],
            candidates=texts["candidates"],
            references=texts["references"],
            originals=texts["originals"],
        )
    for system in testset.candidates or ("",):  # without candidates, this says so
        segments = testset.segments(system)
        for metric in metrics:
            metric.check(segments)
    return testset


def _warnings(metrics: Iterable[SentenceMetric], testset: TestSet) -> list[str]:
    sample = TextSample.of_segments(map(testset.segments, testset.candidates))
    return list(dict.fromkeys(sentence for metric in metrics for _, sentence in concerns(metric, sample)))


def _testset_dict(testset: TestSet) -> dict[str, Any]:
    return {
        "ids": testset.ids,
        "originals": testset.originals,
        "references": testset.references,
        "candidates": testset.candidates,
    }


def _size(metrics: Sequence[SentenceMetric], testset: TestSet) -> int:
    return len(metrics) * len(testset.candidates) * len(testset)


def _details(table: ResultTable) -> list[dict[str, Any]]:
    """Return the details of a table with the metric as it was asked for, options included."""
    details = table.details or ()
    return [{**each, "metric": row["metric"]} for row, each in zip(table.rows, details, strict=True)]


def _study(request: Request, settings: Settings, bar: TotalProgress) -> tuple[Study, TestSet | None]:
    """Return the study of scores that were given, or are computed from a test set, beside what people said."""
    metrics = _metrics(request["metrics"], settings)
    has_texts = request["testset"] is not None or request["texts"] is not None
    if metrics and not has_texts:
        raise DataError(
            "there are metrics, but no texts to score; give texts or a test set, or scores instead of metrics"
        )
    testset = _testset(request, settings, metrics) if has_texts else None
    rows: list[ScoreRow] = []
    for file in request["scores"]:
        with _stored(file, settings) as path:
            rows += read_scores(path)
    if testset is not None and metrics:
        bar.total = _size(metrics, testset)
        rows += [
            ScoreRow(each["metric"], each["system"], each["segment"], finite(each["score"]))
            for each in _details(segment_table(metrics, testset, bar))
        ]
    if not rows:
        raise DataError("there are no scores; give files of scores, or metrics and texts to score")
    people = None
    if request["judgments"] is not None:
        with _stored(request["judgments"], settings) as path:
            people = read_people(path, pair=request["pair"])
    table = ScoreTable(tuple(rows))
    study = make_study(
        table,
        people,
        methods=tuple(dict.fromkeys(request["methods"])),
        lower_is_better={*request["lower_is_better"], *filter(lower_is_better, table.metrics)},
        disagreements=request["disagreements"],
        resamples=request["bootstrap"],
        seed=request["seed"],
    )
    return study, testset


@contextlib.contextmanager
def _stored(file: Mapping[str, str], settings: Settings) -> Iterator[Path]:
    """Lay a file of a request down in the work folder while it is read; errors call it by the name it came with."""
    with tempfile.TemporaryDirectory(dir=settings.work) as folder:
        path = Path(folder) / "file"  # a name of ours: theirs could lead out of the folder
        path.write_bytes(file["text"].encode("utf-8"))
        try:
            yield path
        except ParagaugeError as error:
            name = " ".join(file["name"].split())[:100] or "file"
            raise DataError(str(error).replace(str(path), name)) from error


@contextlib.contextmanager
def _grammar(file: Mapping[str, str] | None, settings: Settings) -> Iterator[Grammar]:
    from paragauge.grammar import Grammar

    if file is not None:
        with _stored(file, settings) as path:
            yield Grammar.open(path)
    elif settings.grammar is not None:
        yield _own_grammar(settings.grammar)
    else:
        raise DataError("there is no grammar; send one with the request, or start the server with --grammar")


@lru_cache(maxsize=1)
def _own_grammar(path: str) -> Grammar:
    from paragauge.grammar import Grammar

    return Grammar.open(path)
