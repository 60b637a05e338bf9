"""Word alignments as values, and alignment files in the Pharaoh format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_lines, write_lines
from paragauge.storage.links import Link, LinkPlace, check_links, parse_line


@dataclass(frozen=True, slots=True)
class Alignment:
    """Links between two token sequences, as 0-based ``(source, target)`` positions.

    >>> alignment = Alignment.from_pharaoh("0-0 1-2 2-1")
    >>> alignment.inverted().to_pharaoh()
    '0-0 1-2 2-1'
    >>> (1, 2) in alignment, len(alignment)
    (True, 3)
    """

    links: frozenset[Link] = frozenset()

    @classmethod
    def of(cls, links: Iterable[Link]) -> Alignment:
        """Return the alignment with these links."""
        return cls(frozenset(links))

    @classmethod
    def from_pharaoh(cls, text: str, *, one_based: bool = False) -> Alignment:
        """Return the alignment written as *text*, such as ``0-0 1-2``; marks of possible links are ignored.

        Raises:
            DataError: A word of *text* is not a link.
        """
        return cls(frozenset(link for link, _ in parse_line(text, LinkPlace(first=None, one_based=one_based))))

    def to_pharaoh(self, *, one_based: bool = False) -> str:
        """Return the links as text, sorted by source and then target position."""
        base = int(one_based)
        return " ".join(f"{i + base}-{j + base}" for i, j in sorted(self.links))

    def inverted(self) -> Alignment:
        """Return the same links with source and target exchanged."""
        return Alignment(frozenset((j, i) for i, j in self.links))

    def compose(self, other: Alignment) -> Alignment:
        """Return the alignment through a pivot: (i, k) if some j has (i, j) here and (j, k) in *other*.

        >>> to_pivot, from_pivot = Alignment.from_pharaoh("0-1 1-0"), Alignment.from_pharaoh("0-0 1-1 1-2")
        >>> to_pivot.compose(from_pivot).to_pharaoh()
        '0-1 0-2 1-0'
        """
        onward: dict[int, list[int]] = {}
        for j, k in other.links:
            onward.setdefault(j, []).append(k)
        return Alignment(frozenset((i, k) for i, j in self.links for k in onward.get(j, ())))

    def __len__(self) -> int:
        return len(self.links)

    def __iter__(self) -> Iterator[Link]:
        return iter(sorted(self.links))

    def __contains__(self, link: object) -> bool:
        return link in self.links


def read_pharaoh(
    path: PathLike, *, one_based: bool = False, lengths: Sequence[tuple[int, int]] | None = None
) -> Iterator[Alignment]:
    """Yield the alignments of a Pharaoh file, one per line.

    Args:
        path: File to read; ``-`` is standard input, and gzip is decompressed.
        one_based: Whether positions count from 1.
        lengths: Source and target length of each sentence pair. If given, links must stay within them, and
            the file must have as many lines.

    Raises:
        DataError: A line does not hold links, or they do not fit *lengths*.
    """
    count = 0
    for text in read_lines(path):
        count += 1
        place = LinkPlace(display_name(path), count, one_based)
        links = [link for link, _ in parse_line(text, place)]
        if lengths is not None:
            if count > len(lengths):
                raise _wrong_count(path, f"more than {len(lengths):,}", len(lengths))
            check_links(links, *lengths[count - 1], place)
        yield Alignment(frozenset(links))
    if lengths is not None and count < len(lengths):
        raise _wrong_count(path, f"{count:,}", len(lengths))


def _wrong_count(path: PathLike, found: str, expected: int) -> DataError:
    return DataError(f"has {found} lines, expected {expected:,}: one for each sentence pair", path=display_name(path))


def write_pharaoh(path: PathLike, alignments: Iterable[Alignment], *, one_based: bool = False) -> int:
    """Write one Pharaoh line for each alignment, and return the number of alignments."""
    return write_lines(path, (alignment.to_pharaoh(one_based=one_based) for alignment in alignments))
