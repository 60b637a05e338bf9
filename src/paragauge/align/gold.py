"""Hand-made alignments: sure links, and possible links, which are optional."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from paragauge.align.alignment import Alignment
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_lines, write_lines
from paragauge.storage.links import Link, LinkPlace, check_links, parse_line


@dataclass(frozen=True, slots=True)
class GoldAlignment:
    """Sure links, and possible links, which contain the sure ones (Och and Ney, 2003).

    >>> gold = GoldAlignment.from_pharaoh("0-0 1-1-P 2p1")
    >>> gold.sure.to_pharaoh(), gold.possible.to_pharaoh()
    ('0-0', '0-0 1-1 2-1')
    """

    sure: Alignment
    possible: Alignment

    def __post_init__(self) -> None:
        if not self.sure.links <= self.possible.links:
            stray = min(self.sure.links - self.possible.links)
            raise DataError(f"sure link {stray[0]}-{stray[1]} is not among the possible links; add it to them")

    @classmethod
    def of(cls, sure: Alignment, possible: Alignment | None = None) -> GoldAlignment:
        """Return gold links; *possible* need not repeat the sure ones."""
        return cls(sure, Alignment(sure.links | (possible.links if possible else frozenset())))

    @classmethod
    def from_pharaoh(cls, text: str, *, one_based: bool = False) -> GoldAlignment:
        """Return the gold links written as *text*: ``i-j`` sure; ``i-j-P``, ``ipj`` or ``i?j`` possible."""
        return cls._of_parsed(parse_line(text, LinkPlace(first=None, one_based=one_based)))

    @classmethod
    def _of_parsed(cls, links: list[tuple[Link, bool]]) -> GoldAlignment:
        sure = frozenset(link for link, is_sure in links if is_sure)
        return cls(Alignment(sure), Alignment(frozenset(link for link, _ in links)))

    def to_pharaoh(self, *, one_based: bool = False, short: bool = False) -> str:
        """Return the links as text, possible ones as ``i-j-P``, or as ``ipj`` if *short*."""
        base = int(one_based)

        def shown(i: int, j: int) -> str:
            if (i, j) in self.sure.links:
                return f"{i + base}-{j + base}"
            return f"{i + base}p{j + base}" if short else f"{i + base}-{j + base}-P"

        return " ".join(shown(i, j) for i, j in self.possible)

    def inverted(self) -> GoldAlignment:
        """Return the same links with source and target exchanged."""
        return GoldAlignment(self.sure.inverted(), self.possible.inverted())


def read_gold(
    path: PathLike,
    *,
    one_based: bool = False,
    lengths: Sequence[tuple[int, int]] | None = None,
    complete: bool = False,
) -> Iterator[GoldAlignment]:
    """Yield the gold alignments of a Pharaoh file with marked possible links, one per line.

    Args:
        path: File to read; ``-`` is standard input, and gzip is decompressed.
        one_based: Whether positions count from 1.
        lengths: Source and target length of each sentence pair. If given, links must stay within them. The
            file may be shorter: gold alignments often cover only the first sentences.
        complete: Raise an error if the file is shorter than *lengths*.

    Raises:
        DataError: A line does not hold links, or they do not fit *lengths*.
    """
    name = display_name(path)
    number = 0
    for number, text in enumerate(read_lines(path), start=1):
        place = LinkPlace(name, number, one_based)
        links = parse_line(text, place)
        if lengths is not None:
            if number > len(lengths):
                raise DataError(
                    f"has more lines than there are sentence pairs ({len(lengths):,}); check that the files match",
                    path=name,
                    line=number,
                )
            check_links((link for link, _ in links), *lengths[number - 1], place)
        yield GoldAlignment._of_parsed(links)
    if complete and lengths is not None and number < len(lengths):
        raise DataError(f"has {number:,} lines, expected {len(lengths):,}: one for each sentence pair", path=name)


def write_gold(path: PathLike, alignments: Iterable[GoldAlignment]) -> int:
    """Write one Pharaoh line for each alignment, possible links as ``1p2``, and return their number."""
    return write_lines(path, (alignment.to_pharaoh(short=True) for alignment in alignments))
