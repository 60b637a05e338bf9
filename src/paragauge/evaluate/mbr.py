"""Minimum Bayes risk: of several candidates for a segment, the one that agrees best with all the others.

The utility of a candidate is the mean score against each of the other candidates, taken as references (or as originals
by metrics of paraphrases); the candidate with the best utility is chosen (Kumar & Byrne, 2004). A candidate that occurs
several times counts as often as it occurs, and every text is compared only once with any other.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.option import option
from paragauge.evaluate.result import Result
from paragauge.evaluate.score import MetricLike, MetricsRequest, metric_names
from paragauge.progress import Counter

if TYPE_CHECKING:
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class MbrRequest(MetricsRequest):
    """Which metric chooses."""

    samples: int | None = option(
        None,
        low=1,
        metavar="N",
        help="Number of candidates per segment, on consecutive lines of one file; without it, each file has one "
        "candidate per segment.",
    )

    def load_metric(self) -> SentenceMetric:
        """Return the one metric."""
        metrics = self.load_metrics()
        if len(metrics) > 1:
            raise OptionError(f"one metric chooses; got {', '.join(map(str, metrics))}")
        if len(metrics[0].needs) != 1:
            raise OptionError(
                f"{metrics[0].name} does not compare a candidate with a single text; choose another metric"
            )
        return metrics[0]


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidate chosen for a segment.

    Attributes:
        candidate: Its place among the candidates, from 0.
        text: Its text.
        utility: Its mean score against the others; its score against itself if there are no others.
    """

    candidate: int
    text: str
    utility: float


@dataclass(frozen=True)
class MbrResult(Result):
    """The chosen candidates.

    Attributes:
        choices: One per segment.
        names: Names of the candidates, such as systems.
        signature: Signature of the utilities.
    """

    choices: tuple[Choice, ...]
    names: tuple[str, ...]
    signature: Signature

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per segment."""
        return [
            {
                "segment": segment,
                "candidate": self.names[each.candidate] if self.names else str(each.candidate + 1),
                "utility": each.utility,
                "text": each.text,
            }
            for segment, each in enumerate(self.choices, start=1)
        ]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = [{**row, "signature": str(self.signature)} for row in self.rows()]
        columns = ["segment", "candidate", "utility", "text"]
        return ResultTable(columns, rows, notes=[str(self.signature)], machine_columns=[*columns, "signature"])

    def text(self) -> str:
        """Return the chosen texts, one per line."""
        return "".join(f"{each.text}\n" for each in self.choices)


def mbr(
    candidates: Iterable[Iterable[str]],
    *,
    metric: MetricLike | Iterable[MetricLike],
    names: Sequence[str] = (),
    progress: Progress | None = None,
) -> MbrResult:
    """Choose one of several candidates for each segment.

    Args:
        candidates: The candidates of each segment; segments may have different numbers of them.
        metric: Metric that compares two candidates, by name or as an object.
        names: Names of the candidates, if all segments have the same ones.
        progress: Called with the number of segments done.

    Raises:
        DataError: A segment has no candidates.
        OptionError: The metric does not compare two texts.

    >>> mbr([["a cat sat", "the cat sat", "dogs"]], metric="bleu(max_order=1)").choices[0].text
    'a cat sat'
    """
    chosen = MbrRequest(metrics=metric_names(metric)).load_metric()
    groups = [tuple(group) for group in candidates]
    for place, group in enumerate(groups, start=1):
        if not group:
            raise DataError(f"segment {place} has no candidates; expected at least one")
    counter = Counter(progress, len(groups), chosen.name)
    choices = []
    for group in groups:
        choices.append(_choose(chosen, group))
        counter.advance()
    return MbrResult(tuple(choices), tuple(names), chosen.for_segments().signature_of_pairs())


def _choose(metric: SentenceMetric, group: Sequence[str]) -> Choice:
    import numpy as np

    counts = Counts(group)
    texts = list(counts)
    scores = metric.pairwise(texts, texts)
    weights = np.array([counts[text] for text in texts], dtype=np.float64)
    own = np.diag(scores)
    # A candidate is not compared with itself, but with its other copies.
    utilities = (scores @ weights - own) / (len(group) - 1) if len(group) > 1 else own
    best = int(np.argmax(utilities) if metric.better == "higher" else np.argmin(utilities))
    return Choice(group.index(texts[best]), texts[best], float(utilities[best]))


def groups_of_lines(files: Sequence[Sequence[str]], samples: int | None, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the candidates of each segment from the lines of files.

    Args:
        files: Lines of each file.
        samples: Number of consecutive lines per segment in one file; ``None`` if each file has one line per segment.
        names: Names of the files, for messages.
    """
    if samples is None:
        for name, lines in zip(names, files, strict=True):
            if len(lines) != len(files[0]):
                raise DataError(
                    f"{name} has {len(lines):,} lines and {names[0]} has {len(files[0]):,}; expected one line per "
                    "segment in each"
                )
        return list(zip(*files, strict=True))
    lines = files[0]
    if len(lines) % samples:
        raise DataError(
            f"{names[0]} has {len(lines):,} lines, which is not a multiple of {samples} candidates per segment"
        )
    return [tuple(lines[start : start + samples]) for start in range(0, len(lines), samples)]
