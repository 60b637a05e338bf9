"""The most probable segmentation of a sentence into known phrases (PEM's first step; Liu, Dahlmeier and Ng 2010).

Pr(p) = N(p) / sum of N. The best segmentation maximises the product of Pr over its phrases. Any single word may be a
phrase; an unseen word has a count of 0.5. Among equally probable segmentations, the one with fewer phrases wins, then
the one with the longer first phrase.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from paragauge.errors import OptionError
from paragauge.phrases.table import Phrase, PhraseTable, phrase_text
from paragauge.storage.engine import EngineOptions
from paragauge.storage.store import pack_strings

UNSEEN_COUNT = 0.5


@dataclass(frozen=True, slots=True)
class Segment:
    """A phrase of a segmented sentence.

    Attributes:
        text: Text of the phrase.
        length: Length in words.
        number: Number in the table, -1 for an unseen word.
    """

    text: str
    length: int
    number: int

    @property
    def known(self) -> bool:
        """Whether the table has the phrase."""
        return self.number >= 0


def segment_sentences(
    table: PhraseTable, sentences: Iterable[Phrase], *, unseen: float = UNSEEN_COUNT, threads: int | None = None
) -> list[list[Segment]]:
    """Return the best segmentation of each sentence into source phrases of *table*.

    >>> table = PhraseTable.from_counts({("good morning", "bonjour"): 3, ("good", "bon"): 2, ("morning", "matin"): 2})
    >>> [segment.text for segment in segment_sentences(table, ["good morning sunshine"])[0]]
    ['good morning', 'sunshine']
    """
    if not unseen > 0:
        raise OptionError(f"unseen must be above 0, got {unseen}")
    lines = [phrase_text(sentence) for sentence in sentences]
    count = EngineOptions(threads=threads).thread_count
    # Phrase length is not limited here: the search ends where no known phrase continues.
    starts, lengths, numbers = table.index.segment(
        pack_strings(lines),
        counts=table.source_counts(),
        total=table.total,
        unseen=unseen,
        max_length=2**31 - 1,
        threads=count,
    )
    bounds = starts.tolist()
    pieces = list(zip(lengths.tolist(), numbers.tolist(), strict=True))
    result = []
    for line, begin, end in zip(lines, bounds, bounds[1:], strict=False):
        words = line.split(" ")
        segments = []
        place = 0
        for length, number in pieces[begin:end]:
            segments.append(Segment(" ".join(words[place : place + length]), length, number))
            place += length
        result.append(segments)
    return result
