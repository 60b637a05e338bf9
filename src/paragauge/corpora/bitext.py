"""Parallel sentences: two files aligned line by line, or one file with both sides on each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paragauge.corpora.lines import (
    check_standard_input_once,
    read_filled_lines,
    shown,
    write_text_lines,
)
from paragauge.corpora.parallel import check_parallel
from paragauge.corpora.segments import unequal_lengths
from paragauge.corpora.tables import write_tsv
from paragauge.errors import DataError, OptionError
from paragauge.io import STANDARD_STREAM, PathLike, display_name

BARS = " ||| "


@dataclass(frozen=True, slots=True)
class Bitext:
    """Sentences and their translations: ``source[i]`` and ``target[i]`` have the same meaning.

    >>> len(Bitext(("a house",), ("une maison",)))
    1
    """

    source: tuple[str, ...]
    target: tuple[str, ...]

    def __post_init__(self) -> None:
        for side in ("source", "target"):
            texts: Sequence[object] = getattr(self, side)
            if isinstance(texts, str):
                raise DataError(f"{side} is one string, expected a sequence of strings; for one sentence pass [text]")
            for number, text in enumerate(texts, start=1):
                if not isinstance(text, str):
                    raise DataError(f"{side}: sentence {number} is {type(text).__name__}, expected a string")
            object.__setattr__(self, side, tuple(texts))
        if len(self.source) != len(self.target):
            raise unequal_lengths("source", len(self.source), "target", len(self.target))

    def __len__(self) -> int:
        return len(self.source)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return zip(self.source, self.target, strict=True)


def read_parallel(source: PathLike, target: PathLike, *, encoding: str = "utf-8") -> Bitext:
    """Return the bitext of two plain files with one sentence on each line.

    Raises:
        DataError: A file is empty, or the files differ in length.
    """
    check_standard_input_once([source, target])
    sides = [read_filled_lines(path, "one sentence on each line", encoding) for path in (source, target)]
    check_parallel([(source, sides[0]), (target, sides[1])])
    return Bitext(tuple(sides[0]), tuple(sides[1]))


def write_parallel(bitext: Bitext, source: PathLike, target: PathLike) -> None:
    """Write the two sides to two plain files."""
    if display_name(source) == display_name(target):
        what = "standard output" if display_name(source) == display_name(STANDARD_STREAM) else display_name(source)
        raise OptionError(f"both sides would go to {what}; give two files, or write one file of pairs")
    _check_filled(bitext)
    write_text_lines(source, bitext.source)
    write_text_lines(target, bitext.target)


def read_bitext_tsv(path: PathLike, *, encoding: str = "utf-8") -> Bitext:
    """Return the bitext of a file with ``source TAB target`` on each line and no header."""
    return _read_pairs(path, "\t", "a tab", encoding)


def write_bitext_tsv(bitext: Bitext, path: PathLike) -> None:
    """Write ``source TAB target`` lines without a header."""
    _check_filled(bitext)
    header, *rows = bitext  # there is no header: the first pair takes its place
    write_tsv(path, header, rows)


def read_bitext_bars(path: PathLike, *, encoding: str = "utf-8") -> Bitext:
    """Return the bitext of a file with ``source ||| target`` on each line, as fast_align reads it."""
    return _read_pairs(path, BARS, "' ||| '", encoding)


def write_bitext_bars(bitext: Bitext, path: PathLike) -> None:
    """Write ``source ||| target`` lines.

    Raises:
        DataError: A sentence contains the separator, or text that would be read as one.
    """
    _check_filled(bitext)
    write_text_lines(path, (_barred(path, number, *pair) for number, pair in enumerate(bitext, start=1)))


def _check_filled(bitext: Bitext) -> None:
    # An empty file is refused on reading, since it is nearly always the result of a failed step.
    if not len(bitext):
        raise DataError("the bitext has no sentence pairs to write; expected at least one")


def _barred(path: PathLike, number: int, source: str, target: str) -> str:
    line = source + BARS + target
    if line.split(BARS) != [source, target]:
        raise DataError(
            f"the pair {shown(source)}, {shown(target)} contains '|||' and could not be read back; "
            "replace the '|||', or write TSV",
            path=display_name(path),
            line=number,
        )
    return line


def _read_pairs(path: PathLike, separator: str, name: str, encoding: str) -> Bitext:
    expected = f"a source and a target sentence with {name} between them"
    source, target = [], []
    for number, line in enumerate(read_filled_lines(path, expected + " on each line", encoding), start=1):
        fields = line.split(separator)
        if len(fields) != 2:
            raise DataError(
                f"found {len(fields)} field{'s' * (len(fields) > 1)} in {shown(line)}, expected {expected}",
                path=display_name(path),
                line=number,
            )
        source.append(fields[0])
        target.append(fields[1])
    return Bitext(tuple(source), tuple(target))
