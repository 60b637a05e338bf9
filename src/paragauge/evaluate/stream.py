"""Scores of millions of segments on one machine: files are read, scored and written in blocks.

Memory does not grow with the number of segments. The numbers are those of `score_testset`, to the last digit: a metric
computes the same rows of statistics, sums of fractions are exact in any order, and the formula is applied to the sums.
What needs all rows at once, intervals and tests, is not offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import IO, TYPE_CHECKING

from paragauge.corpora.candidate_files import CandidateFiles, parallel_segments
from paragauge.corpora.lines import empty_file
from paragauge.corpora.plain import check_plain_lines
from paragauge.corpora.segments import Segments, unequal_lengths
from paragauge.errors import DataError, OptionError
from paragauge.evaluate.measured import Troubles
from paragauge.io import STANDARD_STREAM, display_name, read_lines
from paragauge.metrics.base import ExactSums
from paragauge.metrics.suitability import warn_of_texts
from paragauge.progress import Counter
from paragauge.storage.remote import RunSummary

if TYPE_CHECKING:
    from paragauge.metrics.base import Score, SentenceMetric
    from paragauge.progress import Progress

LOOKED_AT = 1000  # lines of each text to check for warnings

_BLOCK = 20_000  # segments in memory at a time


class _LineNumbers(Sequence[str]):
    """Names of segments by line, without storing them."""

    def __len__(self) -> int:
        raise TypeError("the number of lines is not known before they are read")

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        return str(place + 1)


def read_blocks(files: CandidateFiles) -> Iterator[Segments]:
    """Yield the segments of *files*, block by block.

    Raises:
        DataError: A file is empty, or files differ in length.
    """
    lines = [read_lines(path, encoding=files.encoding) for path in files.paths]
    done = 0
    with ExitStack() as stack:
        for each in lines:
            stack.callback(each.close)  # type: ignore[attr-defined]  # it is a generator
        while True:
            block = [list(islice(each, _BLOCK)) for each in lines]
            lengths = list(map(len, block))
            if len(set(lengths)) > 1:
                rest = [sum(1 for _ in each) for each in lines]
                _refuse_lengths(files, [done + length + more for length, more in zip(lengths, rest, strict=True)])
            if not lengths[0]:
                break
            if not done:
                for path, texts in zip(files.paths, block, strict=True):
                    check_plain_lines(path, texts)
            yield parallel_segments(block, files.shape)
            done += lengths[0]
    if not done:
        raise empty_file(files.candidates, "one segment on each line")


def _refuse_lengths(files: CandidateFiles, lengths: Sequence[int]) -> None:
    first, *others = zip(map(display_name, files.paths), lengths, strict=True)
    for other in others:
        if other[1] != first[1]:
            raise unequal_lengths(*first, *other)


def score_stream(
    metrics: Sequence[SentenceMetric], systems: Mapping[str, CandidateFiles], progress: Progress | None = None
) -> tuple[dict[tuple[SentenceMetric, str], Score], tuple[str, ...]]:
    """Return the score of each system by each metric, and the warnings; every file is read once."""
    _check(metrics, systems)
    counter = Counter(progress)
    warnings: tuple[str, ...] = ()
    scores = {}
    for system, files in systems.items():
        sums = {metric: ExactSums() for metric in metrics}
        counts: set[int] = set()
        troubles = [Troubles(metric.name, _LineNumbers()) for metric in metrics]
        for number, part in enumerate(read_blocks(files)):
            if not number:
                warnings += _warn(metrics, system, part)
            counts.update(map(len, part.references or ()))
            for metric, trouble in zip(metrics, troubles, strict=True):
                counter.now(f"{metric.name} {system}")
                with trouble.of_system(system, part, counter.advance, start=number * _BLOCK) as advance:
                    if metric.adds_up:
                        sums[metric].add(metric.totals_in_blocks(part, advance))
                    else:
                        sums[metric].add_rows(metric.statistics_in_blocks(part, advance))
        # One segment for each number of references that occurs is enough for the signature.
        known = Segments(("",) * max(1, len(counts)), tuple(("",) * count for count in sorted(counts)) or None)
        for metric, trouble in zip(metrics, troubles, strict=True):
            scores[metric, system] = metric.score_totals(known, sums[metric].totals())
            warnings += trouble.warn()
    return scores, warnings


def write_segments(
    metrics: Sequence[SentenceMetric],
    systems: Mapping[str, CandidateFiles],
    output: IO[bytes],
    progress: Progress | None = None,
) -> RunSummary:
    """Write the score of each segment as TSV: metric, system, segment, score, and the components of all metrics.

    Files are read once for each metric, since rows are in the order of metrics.
    """
    from paragauge.report.table import tsv_cell

    _check(metrics, systems)
    if len(metrics) > 1 and any(path == STANDARD_STREAM for files in systems.values() for path in files.paths):
        raise OptionError(
            "with several metrics, files are read several times, and standard input cannot be; give a file"
        )
    variants = {metric: metric.for_segments() for metric in metrics}
    counter = Counter(progress)
    components: list[str] | None = None
    written = 0
    for metric, variant in variants.items():
        trouble = Troubles(metric.name, _LineNumbers())
        for system, files in systems.items():
            start = f"{tsv_cell(str(metric))}\t{tsv_cell(system)}\t"
            for number, part in enumerate(read_blocks(files)):
                if not number and metric is metrics[0]:
                    _warn(metrics, system, part)
                if components is None:
                    components = _components(variants.values(), part)
                    output.write("\t".join(["metric", "system", "segment", "score", *components]).encode() + b"\n")
                counter.now(f"{metric.name} {system}")
                first = number * _BLOCK
                with trouble.of_system(system, part, counter.advance, start=first) as advance:
                    rows = variant.statistics_in_blocks(part, advance).tolist()
                lines = []
                for place, row in enumerate(rows, start=first + 1):
                    measured = variant.measure(row)
                    cells = (measured.components.get(name) for name in components)
                    lines.append("\t".join([f"{start}{place}", repr(measured.value), *map(tsv_cell, cells)]))
                    if not measured.components.keys() <= set(components):
                        raise DataError(
                            f"{metric.name} has other components for segment {place} than for the first ones"
                        )
                output.write(("\n".join(lines) + "\n").encode("utf-8", errors="backslashreplace"))
                written += len(rows)
        trouble.warn()
    return RunSummary("candidates", written // len(metrics), "scores", written)


def _components(variants: Iterable[SentenceMetric], part: Segments) -> list[str]:
    """Return the names of the components of all metrics, in order."""
    few = part.part(0, 1)
    names: dict[str, None] = {}
    for variant in variants:
        names |= dict.fromkeys(variant.measure(variant.statistics(few).tolist()[0]).components)
    return list(names)


def _warn(metrics: Sequence[SentenceMetric], system: str, part: Segments) -> tuple[str, ...]:
    first = part.part(0, LOOKED_AT)
    names = [(system, str(number)) for number in range(1, len(first) + 1)]
    return tuple(warn_of_texts(metrics, [first], beginning_only=True, names=names))


def _check(metrics: Sequence[SentenceMetric], systems: Mapping[str, CandidateFiles]) -> None:
    for metric in metrics:
        if not metric.segmentwise:
            raise OptionError(
                f"{metric.name} compares all candidates with one another, and cannot be computed in parts"
            )
        for files in systems.values():
            metric.check(files.example())
