"""Moses text tables: ``source ||| target ||| scores ||| alignment ||| counts``, gzipped or not.

Scores are, in Moses' order, p(source|target), its lexical weight, p(target|source), its lexical weight, and optionally
others, which are ignored. Counts are N(target), N(source) and N(source, target). Probabilities are computed from the
counts, which are therefore required; if scores differ from them because of smoothing, a single warning gives the
number of such pairs.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from typing import Any, NoReturn

from paragauge.errors import DataError
from paragauge.io import PathLike, atomic_output, display_name, read_lines
from paragauge.phrases.build import PairRow, Pruning
from paragauge.phrases.queries import ALIGNMENT, LEXICAL
from paragauge.phrases.table import PhraseTable
from paragauge.progress import Counter, Progress
from paragauge.storage.engine import EngineOptions
from paragauge.storage.links import LinkPlace, link_text
from paragauge.threads import thread_count

logger = logging.getLogger(__name__)

BARS = " ||| "
_SEPARATORS = ["", BARS, BARS, " ", " ", " ", BARS, BARS, " ", " "]  # before each column
_LAYOUT = "'source ||| target ||| scores ||| alignment ||| counts'"
_DIFFERENT = 0.01  # scores are written with few digits; smoothing changes them more than rounding does


def read_moses(
    path: PathLike,
    *,
    pruning: Pruning | None = None,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
) -> PhraseTable:
    """Return the table of a Moses text file.

    Raises:
        DataError: A line is not a line of a Moses table, a pair occurs twice, or counts are inconsistent.
    """
    reader = _Reader(path)
    optional = _optional_columns(path)
    table = PhraseTable.from_rows(
        reader.rows(optional), optional=optional, pruning=pruning, engine=engine, output=output
    )
    reader.warn()
    return table


def has_moses_counts(line: str) -> bool:
    """Return whether a line of a Moses table has counts, the fifth field."""
    fields = _fields(line)
    return len(fields) > 4 and bool(fields[4])


def read_moses_scores(path: PathLike) -> Iterator[tuple[str, str, float]]:
    """Yield (phrase, paraphrase, p(paraphrase|phrase)) of a Moses table without counts.

    The probability is the third of at least four scores, or the only score. Pairs with equal sides are left out.

    Raises:
        DataError: A line is not a line of a Moses table.
    """
    reader = _Reader(path)
    return reader.scored_pairs()


def write_moses(table: PhraseTable, path: PathLike, *, progress: Progress | None = None) -> int:
    """Write *table* as Moses text, and return the number of pairs; *progress* is called as pairs are written.

    Unknown lexical weights are written as 1, which does not change a decoder's sum of logarithms.
    """
    from paragauge import _core

    for side in ("source", "target"):
        _refuse_bars(table, side)
    counter = Counter(progress, len(table), "pairs written")
    with atomic_output(path) as file:
        for block in table.text_blocks():
            file.write(_core.write_rows(_moses_columns(block), separators=_SEPARATORS, threads=thread_count(None)))
            counter.advance(len(block["count"]))
    return len(table)


def _moses_columns(block: dict[str, Any]) -> list[Any]:
    import numpy as np

    count = len(block["count"])
    unknown = np.ones(count)
    nothing = (np.empty(0, np.uint8), np.zeros(count + 1, np.int64))
    scores = [
        block["inverse_probability"],
        block.get("inverse_lexical", unknown),
        block["probability"],
        block.get("direct_lexical", unknown),
    ]
    links, counts = block.get(ALIGNMENT, nothing), [block["target_count"], block["source_count"], block["count"]]
    return [block["source"], block["target"], *scores, links, *counts]


def _refuse_bars(table: PhraseTable, side: str) -> None:
    texts = table.strings(side)
    if b"|||" not in memoryview(texts.buffers()[2] or b"").tobytes():
        return
    for phrase in texts.to_pylist():
        if "|||" in phrase.split():
            raise DataError(
                f"the phrase {phrase!r} contains '|||' and cannot be written to a Moses table; write TSV instead"
            )


def _optional_columns(path: PathLike) -> list[str]:
    """Return the optional columns of the first line; standard input, read only once, counts as having all."""
    if display_name(path) == "<stdin>":
        return [*LEXICAL, ALIGNMENT]
    for line in read_lines(path):
        fields = _fields(line)
        has_alignment = len(fields) > 3 and bool(fields[3])
        return [*LEXICAL, ALIGNMENT] if has_alignment else [*LEXICAL]
    raise DataError(f"the file is empty, expected lines of {_LAYOUT}", path=display_name(path))


def _fields(line: str) -> list[str]:
    return [field.strip(" ") for field in line.split("|||")]


class _Reader:
    def __init__(self, path: PathLike) -> None:
        self._path = path
        self._line = 0
        self._smoothed = 0

    def rows(self, optional: list[str]) -> Iterator[PairRow]:
        aligned = ALIGNMENT in optional
        for line in read_lines(self._path):
            self._line += 1
            fields = _fields(line)
            if len(fields) < 3:
                self._fail(f"found {len(fields)} field{'s' * (len(fields) > 1)}, expected {_LAYOUT}")
            if len(fields) < 5 or not fields[4]:
                self._fail(
                    "the counts (the fifth field) are missing; probabilities are computed from them; expected "
                    f"{_LAYOUT} as Moses writes it"
                )
            source, target = (" ".join(field.split()) for field in fields[:2])
            if not source or not target:
                self._fail("a phrase is empty, expected words on both sides")
            inverse, inverse_lexical, direct, direct_lexical = self._scores(fields[2])
            target_total, source_total, count = self._counts(fields[4])
            if max(abs(inverse - count / target_total), abs(direct - count / source_total)) > _DIFFERENT:
                self._smoothed += 1
            alignment = self._alignment(fields[3]) if aligned else None
            yield source, target, count, source_total, target_total, direct_lexical, inverse_lexical, alignment
        if not self._line:
            raise DataError(f"the file is empty, expected lines of {_LAYOUT}", path=display_name(self._path))

    def scored_pairs(self) -> Iterator[tuple[str, str, float]]:
        for line in read_lines(self._path):
            self._line += 1
            fields = _fields(line)
            source, target = (" ".join(field.split()) for field in (*fields, "", "")[:2])
            if len(fields) < 3 or not source or not target:
                self._fail(f"expected {_LAYOUT}, with or without counts")
            words = fields[2].split()
            if len(words) != 1 and len(words) < 4:
                self._fail(f"found {len(words)} scores, expected p(target|source) alone, or at least 4 in Moses' order")
            if source != target:
                yield source, target, self._probability(words, fields[2])

    def _probability(self, words: list[str], field: str) -> float:
        try:
            score = float(words[0 if len(words) == 1 else 2])
        except ValueError:
            self._fail(f"{field!r} is not a list of numbers, expected scores")
        if not (math.isfinite(score) and score >= 0):
            self._fail(f"the scores {field!r} are out of range, expected finite numbers of at least 0")
        return score

    def warn(self) -> None:
        if self._smoothed:
            logger.warning(
                "%s: %s pair(s) have probabilities that differ from their counts by more than %s; "
                "probabilities are computed from the counts",
                display_name(self._path), f"{self._smoothed:,}", _DIFFERENT,
            )  # fmt: skip

    def _scores(self, field: str) -> tuple[float, ...]:
        words = field.split()
        if len(words) < 4:
            self._fail(
                f"found {len(words)} scores, expected at least 4: inverse, its lexical weight, direct, its weight"
            )
        try:
            scores = tuple(float(word) for word in words[:4])
        except ValueError:
            self._fail(f"{field!r} is not a list of numbers, expected scores")
        if not all(math.isfinite(score) and score >= 0 for score in scores):
            self._fail(f"the scores {field!r} are out of range, expected finite numbers of at least 0")
        return scores

    def _counts(self, field: str) -> tuple[int, int, int]:
        words = field.split()
        try:
            numbers = [float(word) for word in words[:3]]
            counts = [int(number) for number in numbers]
        except (ValueError, OverflowError):
            self._fail(f"{field!r} is not a list of counts, expected 'N(target) N(source) N(source, target)'")
        if len(counts) < 3:
            self._fail(f"found {len(counts)} counts, expected 3: 'N(target) N(source) N(source, target)'")
        if counts != numbers or max(counts) > 2**53:
            self._fail(f"the counts {field!r} are not integers; weighted counts are not supported")
        if min(counts) < 1 or counts[2] > min(counts[:2]):
            self._fail(
                f"the counts {field!r} are inconsistent: expected 1 <= N(source, target) <= N(target), N(source)"
            )
        return counts[0], counts[1], counts[2]

    def _alignment(self, field: str) -> str:
        return link_text(field, LinkPlace(display_name(self._path), self._line))

    def _fail(self, message: str) -> NoReturn:
        raise DataError(message, path=display_name(self._path), line=self._line)
