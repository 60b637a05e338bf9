"""Word links: the parser of the Pharaoh format, and links as the flat arrays that the native core takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Link: TypeAlias = tuple[int, int]  # source position, target position, from 0
Links: TypeAlias = str | Iterable[Link]  # "0-0 1-2", or (source, target) positions from 0

_LARGEST_POSITION = 2**31 - 1


@dataclass(frozen=True, slots=True)
class LinkArrays:
    """Links of many sentence pairs.

    Attributes:
        positions: Alternating source and target positions, int32.
        offsets: Offsets of pairs, int64; links of pair i are ``positions[2 * offsets[i] : 2 * offsets[i + 1]]``.
    """

    positions: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def chosen(self, wanted: NDArray[np.bool_]) -> LinkArrays:
        """Return the links of the *wanted* pairs."""
        import numpy as np

        lengths = np.diff(self.offsets)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[wanted])])
        return LinkArrays(self.positions[np.repeat(wanted, 2 * lengths)], offsets)


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """Where links come from, for messages, and how their positions are counted.

    Attributes:
        path: File of the links; None for links from memory.
        first: Number of the first line, from 1; None if lines have no numbers.
        one_based: Whether positions count from 1.
    """

    path: str | None = None
    first: int | None = 1
    one_based: bool = False

    def error(self, message: str, number: int = 0) -> DataError:
        """Return the error for sentence pair *number*, counted from 0 in this batch."""
        line = None if self.first is None else self.first + number
        if self.path is None and line is not None:
            return DataError(f"alignment {line}: {message}")
        return DataError(message, path=self.path, line=line)

    def points_past(self, link: Link, side: str, length: int, number: int = 0) -> DataError:
        """Return the error for a link that points past one side of its sentence pair."""
        base = int(self.one_based)
        hint = "" if base else "; if your links count from 1, pass --one-based"
        shown = f"{link[0] + base}-{link[1] + base}"
        return self.error(f"link {shown} points past the {side} sentence ({length} tokens){hint}", number)


SOMEWHERE = LinkPlace(first=None)  # links that the caller passed in, one sentence pair at a time


def read_link_batches(path: PathLike, size: int, *, one_based: bool = False) -> Iterator[tuple[LinkArrays, LinkPlace]]:
    """Yield the links of a Pharaoh file, *size* lines at a time; ``-`` is standard input, and gzip is decompressed.

    Raises:
        DataError: A word is not a link.
    """
    lines = read_lines(path)
    first = 1
    while block := list(islice(lines, size)):
        place = LinkPlace(display_name(path), first, one_based)
        yield parse_links(block, place), place
        first += len(block)


def parse_links(lines: Sequence[str], place: LinkPlace) -> LinkArrays:
    """Return the links of Pharaoh lines; marks of possible links (``3-4-P``, ``3p4``, ``3?4``) are ignored."""
    from paragauge import _core

    text = ("\n".join(lines) + "\n").encode("utf-8", errors="surrogatepass")
    positions, offsets, begin, end = _core.parse_pharaoh(text)
    base = int(place.one_based)
    if begin != end:
        word = text[begin:end].decode("utf-8", errors="replace")
        raise place.error(
            f"{word!r} is not an alignment link; expected 'i-j' with {base}-based integers, "
            f"as in '{base}-{base} {base + 1}-{base + 2}'",
            len(offsets) - 1,
        )
    if base:
        positions -= 1
        _check_not_negative(positions, offsets, place)
    return LinkArrays(positions, offsets)


def parse_line(text: str, place: LinkPlace = SOMEWHERE) -> list[tuple[Link, bool]]:
    """Return the links of one Pharaoh line, each with whether it is sure; ``3-4-P``, ``3p4`` and ``3?4`` are possible.

    >>> parse_line("0-0 1-1-P 2p1")
    [((0, 0), True), ((1, 1), False), ((2, 1), False)]
    """
    words = text.split()
    found = parse_links([" ".join(words)], place).positions.tolist()
    sure = (not any(mark in word for mark in "pP?") for word in words)
    return list(zip(zip(found[::2], found[1::2], strict=True), sure, strict=True))


def link_text(text: str, place: LinkPlace = SOMEWHERE) -> str:
    """Return the links of a Pharaoh line in their plain form, without marks, in the same order."""
    return " ".join(f"{i}-{j}" for (i, j), _ in parse_line(text, place))


def _check_not_negative(positions: NDArray[np.int32], offsets: NDArray[np.int64], place: LinkPlace) -> None:
    import numpy as np

    wrong = np.flatnonzero(positions < 0)
    if len(wrong):
        link = int(wrong[0]) // 2
        i, j = positions[2 * link] + 1, positions[2 * link + 1] + 1
        raise place.error(
            f"link {i}-{j} counts from 0, but links are expected to count from 1; leave out --one-based",
            _pair_of(link, offsets),
        )


def pack_links(alignments: Iterable[Links], place: LinkPlace) -> LinkArrays:
    """Return links given as Pharaoh text or as pairs of positions.

    >>> arrays = pack_links(["0-0 1-2", [(0, 1)]], LinkPlace())
    >>> arrays.positions.tolist(), arrays.offsets.tolist()
    ([0, 0, 1, 2, 0, 1], [0, 2, 3])
    """
    import numpy as np

    positions: list[int] = []
    offsets = [0]
    for number, links in enumerate(alignments):
        if isinstance(links, str):
            first = None if place.first is None else place.first + number
            parsed = parse_line(links, LinkPlace(place.path, first, place.one_based))
            positions.extend(position for link, _ in parsed for position in link)
        else:
            positions.extend(_checked(links, place, number))
        offsets.append(len(positions) // 2)
    return LinkArrays(np.array(positions, dtype=np.int32), np.array(offsets, dtype=np.int64))


def _checked(links: Iterable[Link], place: LinkPlace, number: int) -> Iterator[int]:
    for link in links:
        try:
            i, j = link
            if not (0 <= i <= _LARGEST_POSITION and 0 <= j <= _LARGEST_POSITION):
                raise ValueError
            yield int(i)
            yield int(j)
        except (TypeError, ValueError) as error:
            raise place.error(
                f"{link!r} is not a link; expected (source, target) positions from 0, as in (0, 1)", number
            ) from error


def check_link_arrays(
    links: LinkArrays, source_offsets: NDArray[np.int64], target_offsets: NDArray[np.int64], place: LinkPlace
) -> None:
    """Raise a `DataError` for the first link that points past its sentence."""
    import numpy as np

    counts = np.diff(links.offsets)
    outside = [
        links.positions[side::2] >= np.repeat(np.diff(offsets), counts)
        for side, offsets in ((0, source_offsets), (1, target_offsets))
    ]
    wrong = np.flatnonzero(outside[0] | outside[1])
    if not len(wrong):
        return
    link = int(wrong[0])
    pair = _pair_of(link, links.offsets)
    side, offsets = ("source", source_offsets) if outside[0][link] else ("target", target_offsets)
    i, j = links.positions[2 * link : 2 * link + 2].tolist()
    raise place.points_past((i, j), side, int(offsets[pair + 1] - offsets[pair]), pair)


def check_links(links: Iterable[Link], source_length: int, target_length: int, place: LinkPlace = SOMEWHERE) -> None:
    """Raise a `DataError` for the first link of a sentence pair that points past it."""
    for i, j in links:
        if i >= source_length:
            raise place.points_past((i, j), "source", source_length)
        if j >= target_length:
            raise place.points_past((i, j), "target", target_length)


def _pair_of(link: int, offsets: NDArray[np.int64]) -> int:
    return int(offsets.searchsorted(link, side="right")) - 1
