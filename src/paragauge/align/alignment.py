"""Word alignments as values, and the Pharaoh format they travel in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_lines, write_lines

Link: TypeAlias = tuple[int, int]  # source position, target position, from 0

# "3-4", and the marks of possible links: "3p4", "3?4", "3-4-P".
_LINK = re.compile(r"([0-9]+)([-p?])([0-9]+)(-[PpSs])?")


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
        return cls(frozenset(link for link, _ in parse_links(text, one_based=one_based)))

    def to_pharaoh(self, *, one_based: bool = False) -> str:
        """Return the links as text, sorted by source and then target position."""
        base = int(one_based)
        return " ".join(f"{i + base}-{j + base}" for i, j in sorted(self.links))

    def inverted(self) -> Alignment:
        """Return the same links seen from the other side."""
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


def parse_links(
    text: str, *, one_based: bool = False, path: str | None = None, line: int | None = None
) -> list[tuple[Link, bool]]:
    """Return the links of one Pharaoh line, each with whether it is sure.

    Possible links are written ``i-j-P``, ``ipj`` or ``i?j``.
    """
    base = int(one_based)
    links = []
    for word in text.split():
        match = _LINK.fullmatch(word)
        if match is None:
            raise DataError(
                f"{word!r} is not an alignment link; expected 'i-j' with {base}-based integers, "
                f"as in '{base}-{base} {base + 1}-{base + 2}'",
                path=path,
                line=line,
            )
        i, j = int(match[1]) - base, int(match[3]) - base
        if i < 0 or j < 0:
            raise DataError(
                f"link {word} counts from 0, but links were said to count from 1; leave --one-based out",
                path=path,
                line=line,
            )
        sure = match[2] == "-" and (match[4] or "").lower() != "-p"
        links.append(((i, j), sure))
    return links


def check_links(
    links: Iterable[Link],
    source_length: int,
    target_length: int,
    *,
    one_based: bool = False,
    path: str | None = None,
    line: int | None = None,
) -> None:
    """Raise a `DataError` for the first of *links* that points past its sentence."""
    base = int(one_based)
    for i, j in links:
        if i < source_length and j < target_length:
            continue
        side, length = ("source", source_length) if i >= source_length else ("target", target_length)
        hint = "" if one_based else "; if your links count from 1, pass --one-based"
        raise DataError(
            f"link {i + base}-{j + base} points past the {side} sentence ({length} tokens){hint}",
            path=path,
            line=line,
        )


def read_pharaoh(
    path: PathLike, *, one_based: bool = False, lengths: Sequence[tuple[int, int]] | None = None
) -> Iterator[Alignment]:
    """Yield the alignments of a Pharaoh file, one for each line.

    Args:
        path: The file; ``-`` is standard input, gzip is unpacked.
        one_based: Links count from 1.
        lengths: Source and target length of each sentence pair. If given, links must stay inside, and there
            must be as many lines.

    Raises:
        DataError: A line does not hold links, or they do not fit *lengths*.
    """
    count = 0
    for text in read_lines(path):
        count += 1
        links = [link for link, _ in parse_links(text, one_based=one_based, path=display_name(path), line=count)]
        if lengths is not None:
            if count > len(lengths):
                raise _wrong_count(path, f"more than {len(lengths):,}", len(lengths))
            check_links(links, *lengths[count - 1], one_based=one_based, path=display_name(path), line=count)
        yield Alignment(frozenset(links))
    if lengths is not None and count < len(lengths):
        raise _wrong_count(path, f"{count:,}", len(lengths))


def _wrong_count(path: PathLike, found: str, expected: int) -> DataError:
    return DataError(f"has {found} lines, expected {expected:,}: one for each sentence pair", path=display_name(path))


def write_pharaoh(path: PathLike, alignments: Iterable[Alignment], *, one_based: bool = False) -> int:
    """Write one Pharaoh line for each alignment, and return how many there were."""
    return write_lines(path, (alignment.to_pharaoh(one_based=one_based) for alignment in alignments))
