"""Phrase tables and paraphrase tables as TSV with a header: for spreadsheets, scripts and other tools."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from paragauge.errors import DataError
from paragauge.io import PathLike, atomic_output, display_name, read_lines
from paragauge.phrases.build import PairRow, Pruning
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.queries import ALIGNMENT, LEXICAL
from paragauge.phrases.table import PAIRS_IN_BLOCK, PhraseTable
from paragauge.progress import Counter, Progress
from paragauge.storage.engine import EngineOptions
from paragauge.storage.links import LinkPlace, link_text
from paragauge.threads import thread_count

T = TypeVar("T")

COUNT_COLUMNS = ("source", "target", "count")
TOTAL_COLUMNS = ("source_count", "target_count")
# Computed from the counts: written for people and scripts, ignored on reading.
DERIVED_COLUMNS = ("probability", "inverse_probability")
PARAPHRASE_COLUMNS = ("phrase", "paraphrase", "probability")


def write_phrase_tsv(table: PhraseTable, path: PathLike, *, progress: Progress | None = None) -> int:
    """Write *table* as TSV, and return the number of pairs."""
    optional = [name for name in (*LEXICAL, ALIGNMENT) if name in table.optional_columns]
    columns = [*COUNT_COLUMNS, *TOTAL_COLUMNS, *DERIVED_COLUMNS, *optional]
    blocks = ([block[column] for column in columns] for block in table.text_blocks())
    return _write_blocks(path, columns, blocks, len(table), progress)


def read_phrase_tsv(
    path: PathLike,
    *,
    pruning: Pruning | None = None,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
) -> PhraseTable:
    """Return the table of a TSV file with the columns ``source``, ``target`` and ``count``.

    ``source_count`` and ``target_count``, both or none, give N(e) and N(f) if pairs are missing; by default these are
    sums of counts. Lexical weights and alignments are read if their columns are present.

    Raises:
        DataError: A column is missing or unknown, a cell is wrong, or a pair occurs twice.
    """
    reader = TsvReader(path)
    allowed = [*COUNT_COLUMNS, *TOTAL_COLUMNS, *DERIVED_COLUMNS, *LEXICAL, ALIGNMENT]
    reader.check_columns(COUNT_COLUMNS, allowed)
    totals = [column in reader.columns for column in TOTAL_COLUMNS]
    if any(totals) != all(totals):
        reader.fail("found only one of the columns 'source_count' and 'target_count', expected both or none", line=1)
    optional = [name for name in (*LEXICAL, ALIGNMENT) if name in reader.columns]
    return PhraseTable.from_rows(
        _pair_rows(reader), optional=optional, totals=all(totals), pruning=pruning, engine=engine, output=output
    )


def _pair_rows(reader: TsvReader) -> Iterator[PairRow]:
    present = reader.columns
    for cells in reader.rows():
        totals = [
            reader.number(cells, column, int, "a whole number") if column in present else None
            for column in TOTAL_COLUMNS
        ]
        weights = [reader.number(cells, name, float, "a number") if name in present else None for name in LEXICAL]
        count = reader.number(cells, "count", int, "a whole number")
        if not 1 <= count <= 2**62:
            reader.fail(f"the count {count} is out of range, expected at least 1")
        yield (
            reader.phrase(cells, "source"), reader.phrase(cells, "target"), count, totals[0], totals[1],
            weights[0], weights[1], reader.links(cells, ALIGNMENT) if ALIGNMENT in present else None,
        )  # fmt: skip


def write_paraphrase_tsv(table: ParaphraseTable, path: PathLike, *, progress: Progress | None = None) -> int:
    """Write *table* as TSV, and return the number of paraphrases."""

    def blocks() -> Iterator[list[Any]]:
        import numpy as np

        columns = table.columns
        texts = columns["phrase.text"], columns["phrase.offsets"]
        phrases = np.repeat(np.arange(len(texts[1]) - 1, dtype=np.int32), np.diff(columns["phrase.rows"]))
        for begin in range(0, len(table), PAIRS_IN_BLOCK):
            places = slice(begin, begin + PAIRS_IN_BLOCK)
            yield [(*texts, phrases[places]), (*texts, columns["paraphrases"][places]), columns["scores"][places]]

    return _write_blocks(path, PARAPHRASE_COLUMNS, blocks(), len(table), progress)


def _write_blocks(
    path: PathLike, names: Sequence[str], blocks: Iterable[list[Any]], rows: int, progress: Progress | None
) -> int:
    """Write a header and blocks of `PAIRS_IN_BLOCK` pairs."""
    from paragauge import _core

    separators = ["", *["\t"] * (len(names) - 1)]
    counter = Counter(progress, rows, "pairs written")
    with atomic_output(path) as file:
        file.write("\t".join(names).encode() + b"\n")
        for block in blocks:
            file.write(_core.write_rows(block, separators=separators, threads=thread_count(None)))
            counter.advance(min(PAIRS_IN_BLOCK, rows - counter.done))
    return rows


def read_paraphrase_tsv(
    path: PathLike, *, engine: EngineOptions | None = None, output: PathLike | None = None
) -> ParaphraseTable:
    """Return the paraphrase table of a TSV file with the columns ``phrase``, ``paraphrase`` and ``probability``.

    Instead of a probability, any finite number is allowed: higher is better.
    """
    reader = TsvReader(path)
    reader.check_columns(PARAPHRASE_COLUMNS, PARAPHRASE_COLUMNS)
    rows = (
        (
            reader.phrase(cells, "phrase"),
            reader.phrase(cells, "paraphrase"),
            reader.number(cells, "probability", float, "a number"),
        )
        for cells in reader.rows()
    )
    return ParaphraseTable.from_rows(rows, engine=engine, output=output)


class TsvReader:
    """Rows of a TSV file with a header, and errors that name the line."""

    def __init__(self, path: PathLike) -> None:
        self._path = path
        self._lines = read_lines(path)
        self._line = 1
        header = next(self._lines, None)
        if header is None:
            raise DataError(
                "the file is empty, expected a header and rows of tab-separated cells", path=display_name(path)
            )
        self.columns = header.split("\t")

    def check_columns(self, required: Sequence[str], allowed: Sequence[str]) -> None:
        """Raise an error for a header with a missing, repeated or unknown column."""
        for column in required:
            if column not in self.columns:
                self.fail(f"there is no column {column!r}; expected a header with {', '.join(map(repr, required))}")
        for column in self.columns:
            if column not in allowed:
                self.fail(f"unknown column {column!r}; known: {', '.join(allowed)}")
            if self.columns.count(column) > 1:
                self.fail(f"the column {column!r} occurs twice")

    def rows(self) -> Iterator[dict[str, str]]:
        """Yield the cells of each row by column."""
        for line in self._lines:
            self._line += 1
            cells = line.split("\t")
            if len(cells) != len(self.columns):
                self.fail(f"found {len(cells)} cells, expected {len(self.columns)} as in the header")
            yield dict(zip(self.columns, cells, strict=True))

    def phrase(self, cells: dict[str, str], column: str) -> str:
        """Return a phrase with single spaces between its words."""
        phrase = " ".join(cells[column].split())
        if not phrase:
            self.fail(f"the {column} is empty, expected a phrase")
        return phrase

    def links(self, cells: dict[str, str], column: str) -> str:
        """Return word links in their plain form."""
        return link_text(cells[column], LinkPlace(display_name(self._path), self._line))

    def number(self, cells: dict[str, str], column: str, kind: Callable[[str], T], what: str) -> T:
        """Return a finite number."""
        text = cells[column]
        try:
            if "_" in text or not text.isascii():
                raise ValueError
            number = kind(text)
            if isinstance(number, float) and not math.isfinite(number):
                raise ValueError
        except ValueError:
            self.fail(f"the {column} is {text!r}, expected {what}")
        return number

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Raise the error for the current line."""
        raise DataError(message, path=display_name(self._path), line=line or self._line)
