"""Sentence compression as a test of grammars, as in section 6 of the PARADIGM paper.

Pairs of sentences with the same meaning, of which one is shorter by a certain ratio, are tasks: the longer sentence is
to be compressed, and the shorter one is the reference. For each grammar, weights are tuned on some pairs towards
PRECIS, and the others are decoded. Controls: the reference itself, random deletion to its length, and a copy of the
input.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paragauge.annotation.judging import HUMAN, RANDOM
from paragauge.errors import DataError, OptionError
from paragauge.evaluate.asking import request_of
from paragauge.evaluate.generate import Generator
from paragauge.evaluate.option import option
from paragauge.evaluate.result import Result
from paragauge.evaluate.tune import TuneRequest, tune
from paragauge.grammar.deletion import with_deletions
from paragauge.grammar.grammar import Grammar
from paragauge.grammar.weights import Weights

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.io import PathLike
    from paragauge.lm.model import LanguageModel
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

COPY = "(copy)"
_DELETABLE = frozenset({"JJ", "JJR", "JJS", "RB", "RBR", "RBS", "DT", "PDT", "``", "''", ","})  # Penn tags


@dataclass(frozen=True, kw_only=True)
class CompressionRequest(TuneRequest):
    """Which pairs are tasks, and how weights are tuned."""

    metric: str = option(
        "precis(target_rate=0.75)",
        flags=("-m", "--metric"),
        metavar="METRIC",
        help="Metric to tune towards, with its options.",
    )
    shortest: float = option(
        0.67, low=0, high=1, metavar="RATIO", help="Lowest ratio of the lengths of a pair, in words."
    )
    longest: float = option(0.75, low=0, high=1, metavar="RATIO", help="Highest ratio of the lengths of a pair.")
    deletions: bool = option(
        False,
        flags=("--deletions/--no-deletions",),
        help="Add rules that delete adjectives, adverbs, determiners, quotation marks and commas, but no negation.",
    )
    max_dev: int = option(1000, low=1, metavar="N", help="Maximum number of pairs to tune on.")
    max_test: int = option(1000, low=1, metavar="N", help="Maximum number of pairs to compress.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shortest > self.longest:
            raise OptionError(f"--shortest {self.shortest:g} is above --longest {self.longest:g}")


@dataclass(frozen=True, slots=True)
class Task:
    """A sentence to compress, and a compression written by a person."""

    original: str
    reference: str

    @property
    def ratio(self) -> float:
        """Length of the reference as a share of the original's, in words."""
        return len(self.reference.split()) / len(self.original.split())


@dataclass(frozen=True)
class Compressed:
    """The compressions of one system.

    Attributes:
        system: Name of the grammar, or of the control.
        texts: One compression per task.
        scores: Score of each metric.
        ratio: Length of the compressions as a share of the originals', in words.
        changed: Share of the sentences that were changed at all.
        weights: Tuned weights; None for controls.
    """

    system: str
    texts: tuple[str, ...]
    scores: Mapping[str, float]
    ratio: float
    changed: float
    weights: Weights | None = None


@dataclass(frozen=True)
class CompressionResult(Result):
    """Compressions by several grammars, and the controls.

    Attributes:
        systems: Grammars, then controls.
        tasks: Tasks that were compressed.
        tuned_on: Number of pairs that weights were tuned on.
        signatures: Signature of each metric.
    """

    systems: tuple[Compressed, ...]
    tasks: tuple[Task, ...]
    tuned_on: int
    signatures: Mapping[str, Signature]

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per system."""
        return [
            {
                "system": one.system, **one.scores, "ratio": one.ratio, "changed": one.changed,
                "sentences": len(one.texts), "tuned_on": self.tuned_on,
            }
            for one in self.systems
        ]  # fmt: skip

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows, notes=[str(each) for each in self.signatures.values()])

    def testset(self) -> TestSet:
        """Return all compressions as a test set, with the references and the controls."""
        from paragauge.corpora.testset import TestSet

        return TestSet(
            ids=[str(number) for number in range(1, len(self.tasks) + 1)],
            originals=[task.original for task in self.tasks],
            references={"1": [task.reference for task in self.tasks]},
            candidates={one.system: one.texts for one in self.systems},
        )


def choose_tasks(pairs: Iterable[tuple[str, str]], request: CompressionRequest, limit: int) -> list[Task]:
    """Return the pairs whose lengths have the requested ratio, the longer sentence first; each sentence only once."""
    from paragauge.text.pipeline import TextPipeline

    pipeline = TextPipeline(tokenizer=request.tokenizer, lowercase=request.lowercase)
    tasks: list[Task] = []
    seen: set[str] = set()
    for pair in pairs:
        one, other = sorted(pipeline.lines(pair), key=lambda text: -len(text.split()))
        task = Task(one, other)
        if not other or one in seen or other in seen:
            continue
        if request.shortest <= task.ratio <= request.longest:
            tasks.append(task)
            seen |= {one, other}
            if len(tasks) == limit:
                break
    return tasks


def compress(
    grammars: Mapping[str, Grammar | PathLike],
    dev: Iterable[tuple[str, str]],
    test: Iterable[tuple[str, str]],
    request: CompressionRequest | None = None,
    *,
    lm: LanguageModel | PathLike | None = None,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] | None = None,
    **options: Any,
) -> CompressionResult:
    """Tune each grammar to compress sentences, compress others with it, and score the result.

    Args:
        grammars: Grammars by name.
        dev: Pairs of sentences with the same meaning to tune on.
        test: Pairs of sentences to compress; those that share a sentence with *dev* are left out.
        request: All options; alternatively, pass the fields of `CompressionRequest` as keywords.
        lm: Language model, or its path.
        threads: Number of threads; all cores by default.
        progress: Called with the name of each grammar; returns what is called with the rounds done.

    Raises:
        DataError: No pair has the requested ratio.
    """
    asked = request_of(CompressionRequest, request, options)
    tuning = choose_tasks(dev, asked, asked.max_dev)
    known = {text for task in tuning for text in (task.original, task.reference)}
    tasks = [
        task for task in choose_tasks(test, asked, asked.max_test + len(tuning))
        if task.original not in known and task.reference not in known
    ][: asked.max_test]  # fmt: skip
    for name, chosen in (("tune on", tuning), ("compress", tasks)):
        if not chosen:
            raise DataError(
                f"no pair to {name} has a length ratio between {asked.shortest:g} and {asked.longest:g}; widen the "
                "range with --shortest and --longest"
            )
    metrics = _metrics(asked)
    originals = [task.original for task in tasks]
    systems = []
    words = _deletable([task.original for task in (*tuning, *tasks)]) if asked.deletions else []
    for name, given in grammars.items():
        grammar = given if isinstance(given, Grammar) else Grammar.open(given)
        generator = Generator(with_deletions(grammar, words) if words else grammar, lm, threads=threads)
        tuned = tune(
            generator, [task.original for task in tuning], [task.reference for task in tuning],
            asked.changed(tokenizer="none", lowercase=False),
            progress=None if progress is None else progress(name),
        )  # fmt: skip
        found = generator.with_weights(tuned.weights).decoder.decode(
            [text.split() for text in originals], asked.decode_options(threads=threads)
        )
        texts = [candidates[0].text for candidates in found]
        systems.append(_scored(name, texts, tasks, metrics, tuned.weights))
    rng = random.Random(asked.seed)  # noqa: S311 - nothing to protect
    controls = {
        HUMAN: [task.reference for task in tasks], RANDOM: [_deleted(task, rng) for task in tasks], COPY: originals,
    }  # fmt: skip
    systems += [_scored(name, texts, tasks, metrics, None) for name, texts in controls.items()]
    signatures = {name: _signature(metric, tasks) for name, metric in metrics.items()}
    return CompressionResult(tuple(systems), tuple(tasks), len(tuning), signatures)


def _deletable(sentences: Sequence[str]) -> list[str]:
    """Return the words of tokenised sentences that may be deleted, by their tags."""
    from paragauge.analysis.providers import provider
    from paragauge.judges.closed_words import NEGATIONS

    found = set()
    for analysis in provider("builtin").analyse([text.split() for text in sentences]):
        for word, tag in zip(analysis.words, analysis.tags or (), strict=True):
            if tag in _DELETABLE and word.lower() not in NEGATIONS:
                found.add(word)
    return sorted(found)


def _metrics(request: CompressionRequest) -> dict[str, SentenceMetric]:
    from paragauge.metrics.registry import parse_metric

    target = request.load_metric()
    found = {target.name: target}
    for name in ("precis", "bleu", "pinc"):
        if name not in found:
            found[name] = parse_metric(name)
    return found


def _given(metric: SentenceMetric, tasks: Sequence[Task]) -> tuple[list[list[str]] | None, list[str] | None]:
    return (
        [[task.reference] for task in tasks] if "references" in metric.needs else None,
        [task.original for task in tasks] if "originals" in metric.needs else None,
    )


def _signature(metric: SentenceMetric, tasks: Sequence[Task]) -> Signature:
    from paragauge.corpora.segments import Segments

    return metric.signature(Segments.of([task.reference for task in tasks], *_given(metric, tasks)))


def _scored(
    name: str,
    texts: Sequence[str],
    tasks: Sequence[Task],
    metrics: Mapping[str, SentenceMetric],
    weights: Weights | None,
) -> Compressed:
    scores = {}
    for key, metric in metrics.items():
        references, originals = _given(metric, tasks)
        scores[key] = metric.corpus_score(texts, references, originals=originals).value
    words = sum(len(text.split()) for text in texts) / sum(len(task.original.split()) for task in tasks)
    changed = sum(text != task.original for text, task in zip(texts, tasks, strict=True)) / len(tasks)
    return Compressed(name, tuple(texts), scores, words, changed, weights)


def _deleted(task: Task, rng: random.Random) -> str:
    """Return the original without words chosen at random, as long as the reference."""
    words = task.original.split()
    kept = sorted(rng.sample(range(len(words)), len(task.reference.split())))
    return " ".join(words[place] for place in kept)
