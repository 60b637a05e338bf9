"""Word links as the flat arrays that the native extractor takes, from Pharaoh lines or from pairs of positions."""

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

Links: TypeAlias = str | Iterable[tuple[int, int]]  # "0-0 1-2", or (source, target) positions from 0

_LARGEST_POSITION = 2**31 - 1


@dataclass(frozen=True, slots=True)
class LinkArrays:
    """Links of many sentence pairs.

    Attributes:
        positions: Source and target position in turn, int32.
        offsets: Links of pair i are ``positions[2 * offsets[i] : 2 * offsets[i + 1]]``, int64.
    """

    positions: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """Where links come from, for messages."""

    path: str | None = None
    first: int = 1
    one_based: bool = False

    def error(self, message: str, number: int) -> DataError:
        """Return the error for sentence pair *number*, counted from 0 in this batch."""
        line = self.first + number
        if self.path is None:
            return DataError(f"alignment {line}: {message}")
        return DataError(message, path=self.path, line=line)


def read_link_batches(path: PathLike, size: int, *, one_based: bool = False) -> Iterator[tuple[LinkArrays, LinkPlace]]:
    """Yield the links of a Pharaoh file, *size* lines at a time; ``-`` is standard input, gzip is unpacked.

    Raises:
        DataError: A word is not a link.
    """
    lines = read_lines(path)
    place = LinkPlace(display_name(path), 1, one_based)
    while block := list(islice(lines, size)):
        yield parse_links(block, place), place
        place = LinkPlace(place.path, place.first + len(block), one_based)


def parse_links(lines: Sequence[str], place: LinkPlace) -> LinkArrays:
    """Return the links of Pharaoh lines; marks of possible links (``3-4-P``, ``3p4``, ``3?4``) are passed over."""
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


def _check_not_negative(positions: NDArray[np.int32], offsets: NDArray[np.int64], place: LinkPlace) -> None:
    import numpy as np

    wrong = np.flatnonzero(positions < 0)
    if len(wrong):
        link = int(wrong[0]) // 2
        i, j = positions[2 * link] + 1, positions[2 * link + 1] + 1
        raise place.error(
            f"link {i}-{j} counts from 0, but links were said to count from 1; leave --one-based out",
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
            one = parse_links([links], LinkPlace(place.path, place.first + number, place.one_based))
            positions.extend(one.positions.tolist())
        else:
            positions.extend(_checked(links, place, number))
        offsets.append(len(positions) // 2)
    return LinkArrays(np.array(positions, dtype=np.int32), np.array(offsets, dtype=np.int64))


def _checked(links: Iterable[tuple[int, int]], place: LinkPlace, number: int) -> Iterator[int]:
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


def check_links(
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
    base = int(place.one_based)
    i, j = (int(position) + base for position in links.positions[2 * link : 2 * link + 2])
    hint = "" if base else "; if your links count from 1, pass --one-based"
    length = int(offsets[pair + 1] - offsets[pair])
    raise place.error(f"link {i}-{j} points past the {side} sentence ({length} tokens){hint}", pair)


def _pair_of(link: int, offsets: NDArray[np.int64]) -> int:
    return int(offsets.searchsorted(link, side="right")) - 1
