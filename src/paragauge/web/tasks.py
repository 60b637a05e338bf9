"""Tasks of the workers: a request as plain data in, an answer as plain data out.

Requests have been checked by `paragauge.web.models`; problems with the data are found by readers and metrics here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragauge.corpora import TestSet, read_testset
from paragauge.corpora.demo import demo_testset
from paragauge.errors import DataError, ParagaugeError
from paragauge.evaluate.compare import CompareRequest, compare_testset
from paragauge.evaluate.compare import compare as evaluate_compare
from paragauge.evaluate.explain import ExplainRequest, explain_candidate
from paragauge.evaluate.score import ScoreRequest, ScoreResult, score_testset
from paragauge.evaluate.study import StudyRequest, StudyResult, make_report
from paragauge.meta.rankings import read_people
from paragauge.meta.scores import read_scores
from paragauge.metrics.base import SentenceMetric
from paragauge.metrics.registry import METRICS
from paragauge.progress import Progress
from paragauge.report.derivation import derivation_svg
from paragauge.report.explain import explanation_section
from paragauge.report.html import report_content
from paragauge.report.table import finite
from paragauge.report.text import report_dict
from paragauge.temporary import scratch_folder
from paragauge.web.allowed import allowed_metrics
from paragauge.web.protocol import Settings
from paragauge.web.rewriting import generate

if TYPE_CHECKING:
    from paragauge.grammar import Grammar
    from paragauge.grammar.parse import ParseResult

Request = Mapping[str, Any]

CORRELATE_FIELDS = ("pair", "methods", "lower_is_better", "bootstrap", "seed")
REPORT_FIELDS = (*CORRELATE_FIELDS, "disagreements", "title")
SHOWN_IN_FULL = ("summary", "changes", "distributions")  # sections of a report that repeat the scores of segments


def score(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return the scores of systems and, if requested, of segments."""
    asked = ScoreRequest(
        metrics=allowed_metrics(request["metrics"], settings),
        bootstrap=request["bootstrap"],
        seed=request["seed"],
        target_lang=request["target_lang"],
    )
    asked.load_metrics()  # report an invalid metric before texts are read
    result = score_testset(_testset(request, settings), asked, progress=progress)
    segments = _segment_scores(result) if request["segments"] else {}
    return finite({**_system_scores(result), **segments})


def _system_scores(result: ScoreResult) -> dict[str, Any]:
    return {
        "systems": [{**each.to_dict(), "metric": str(each.metric)} for each in result.scores],
        "warnings": list(result.warnings),
    }


def _segment_scores(result: ScoreResult) -> dict[str, Any]:
    return {
        "segment_signatures": result.segments.signatures,
        "segments": [
            {
                "metric": str(each.metric),
                "system": each.system,
                "segment": segment,
                "score": score.value,
                "components": dict(score.components),
            }
            for each, segment, score in result.segments.items()
        ],
    }


def compare(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return the differences between systems."""
    asked = CompareRequest(
        metrics=allowed_metrics(request["metrics"], settings),
        tests=tuple(request["tests"]),
        trials=request["trials"],
        all_pairs=request["all_pairs"],
        seed=request["seed"],
        target_lang=request["target_lang"],
    )
    asked.load_metrics()
    result = compare_testset(_testset(request, settings), asked, progress=progress)
    return finite({"comparisons": result.rows(), "warnings": list(result.warnings)})


def explain(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return explanations of the scores of one candidate."""
    asked = ExplainRequest(
        metrics=allowed_metrics(request["metrics"], settings),
        candidate=request["candidate"],
        target_lang=request["target_lang"],
        original=request["original"],
        references=tuple(request["references"]),
    )
    result = explain_candidate(asked, progress=progress)
    explanations = result.to_dict()
    if request["html"]:
        for answer, found in zip(explanations, result.explanations, strict=True):
            answer["html"] = explanation_section(found)
    return {"explanations": explanations}


def derive(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return whether and how a grammar derives a pair of sentences."""
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
        return f'<p class="soft">{status}; applicable rules of the grammar: {found.rules:,}</p>'
    drawing = derivation_svg(found.derivation, styled=False)
    rules = escape(found.derivation.to_text())
    return (
        f'<div class="derivation" role="region" aria-label="derivation" tabindex="0">{drawing}</div>'
        f"<details><summary>rules</summary><pre>{rules}</pre></details>"
    )


def correlate(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return how well metrics agree with human judgments."""
    result = _study(CORRELATE_FIELDS, request, settings, progress)
    rows = [row for row in result.correlations() if request["level"] in (None, row["level"])]
    study = result.study
    return finite(
        {
            "correlations": rows,
            "turned": study.turned,
            "dropped": study.dropped,
            "bootstrap": study.resamples,
            "seed": study.seed,
        }
    )


def report(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return a complete meta-evaluation and, if requested, what it says of systems in full."""
    found = _study(REPORT_FIELDS, request, settings, progress)
    made = found.report()
    answer: dict[str, Any] = {"report": report_dict(made)}
    if request["segments"] and found.scored is not None:
        answer |= {**_system_scores(found.scored), **_segment_scores(found.scored), "comparisons": []}
        if len(found.scored.systems) > 1:
            answer["comparisons"] = evaluate_compare(
                found.scored,
                tests=request["tests"],
                trials=request["trials"],
                all_pairs=request["all_pairs"],
                seed=request["seed"],
            ).rows()
        made = replace(made, sections=tuple(each for each in made.sections if each.key not in SHOWN_IN_FULL))
    if request["html"]:
        answer["html"] = report_content(made)
    return finite(answer)


def read(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return the test set in a file."""
    with stored(request["file"], settings) as path:
        return _testset_dict(read_testset(path))


def example(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return the built-in test set."""
    return _testset_dict(demo_testset())


def catalogue(request: Request, settings: Settings, progress: Progress) -> Any:
    """Return the descriptions of all metrics."""
    return [_described(name, cls) for name, cls in METRICS.items()]


TASKS: Mapping[str, Callable[[Request, Settings, Progress], Any]] = {
    task.__name__: task
    for task in (score, compare, explain, derive, generate, correlate, report, read, example, catalogue)
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


def _testset(request: Request, settings: Settings) -> TestSet:
    if request["testset"] is not None:
        with stored(request["testset"], settings) as path:
            return read_testset(path)
    texts = request["texts"]
    columns = [texts["originals"] or (), *texts["references"].values(), *texts["candidates"].values()]
    size = max(map(len, columns), default=0)
    return TestSet(
        ids=texts["ids"] or [str(number) for number in range(1, size + 1)],
        candidates=texts["candidates"],
        references=texts["references"],
        originals=texts["originals"],
    )


def _testset_dict(testset: TestSet) -> dict[str, Any]:
    return {
        "ids": testset.ids,
        "originals": testset.originals,
        "references": testset.references,
        "candidates": testset.candidates,
    }


def _study(fields: Sequence[str], request: Request, settings: Settings, progress: Progress) -> StudyResult:
    """Return the study of the given scores, or of scores computed from a test set, with human judgments if given."""
    options: dict[str, Any] = {
        name: tuple(request[name]) if isinstance(request[name], list) else request[name] for name in fields
    }
    if request.get("segments") and not options["bootstrap"]:
        options["seed"] = StudyRequest.seed  # it is the seed of the tests only
    asked = StudyRequest(metrics=allowed_metrics(request["metrics"], settings), **options)
    tables = []
    for file in request["scores"]:
        with stored(file, settings) as path:
            tables.append(read_scores(path))
    people = None
    if request["judgments"] is not None:
        with stored(request["judgments"], settings) as path:
            people = read_people(path, pair=request["pair"])
    has_texts = request["testset"] is not None or request["texts"] is not None
    testset = _testset(request, settings) if has_texts else None
    return make_report(asked, tables, people, testset=testset, progress=progress)


@contextlib.contextmanager
def stored(file: Mapping[str, str], settings: Settings) -> Iterator[Path]:
    """Store a file of a request in the work folder while it is read; errors use the name from the request."""
    with scratch_folder(settings.work) as folder:
        path = Path(folder) / "file"  # our own name: one from the request could point outside the folder
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
        with stored(file, settings) as path:
            yield Grammar.open(path)
    elif settings.grammar is not None:
        yield _own_grammar(settings.grammar)
    else:
        raise DataError("no grammar was given; send one with the request, or start the server with --grammar")


@lru_cache(maxsize=1)
def _own_grammar(path: str) -> Grammar:
    from paragauge.grammar import Grammar

    return Grammar.open(path)
