"""Alignment of two sentences in one language through a foreign sentence that both translate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from paragauge.align.alignment import Alignment
from paragauge.corpora.segments import unequal_lengths
from paragauge.errors import DataError, OptionError
from paragauge.storage.links import Link


def align_through(
    ways: Sequence[tuple[Sequence[Alignment], Sequence[Alignment]]], *, votes: int = 1
) -> list[Alignment]:
    """Return the alignments of sentence pairs that share foreign sentences.

    Args:
        ways: For each foreign language, the links from the first sentences to the foreign ones, and those from the
            second sentences to the same foreign ones.
        votes: Minimum number of languages that must yield a link.

    >>> first, second = Alignment.from_pharaoh("0-0 1-1"), Alignment.from_pharaoh("0-0 1-1 2-1")
    >>> align_through([([first], [second])])[0].to_pharaoh()
    '0-0 1-1 1-2'
    """
    if not ways:
        raise DataError("there is no foreign language to align through; expected links to at least one")
    if not 1 <= votes <= len(ways):
        raise OptionError(f"votes must be between 1 and the number of languages, {len(ways)}; got {votes}")
    pairs = len(ways[0][0])
    for number, sides in enumerate(ways, start=1):
        for name, side in zip(("first", "second"), sides, strict=True):
            if len(side) != pairs:
                raise unequal_lengths("the first links", pairs, f"the {name} links of language {number}", len(side))
    found = []
    for pair in range(pairs):
        counts: Counter[Link] = Counter()
        for one, other in ways:
            counts.update(one[pair].compose(other[pair].inverted()).links)
        found.append(Alignment.of(link for link, count in counts.items() if count >= votes))
    return found
