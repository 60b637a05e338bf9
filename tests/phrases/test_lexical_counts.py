"""Counts of linked words: taken out of the native core, added up elsewhere, put in again."""

import numpy as np
import pytest

from paragauge import _core
from paragauge.phrases.extract import encode_batches, pack_alignments
from paragauge.text import TextVocabulary

SOURCE = ["the big house", "the house", "a house big", "x"]
TARGET = ["la grande maison", "la maison", "maison une", "y"]
LINKS = ["0-0 1-1 2-2", "0-0 1-1", "1-0 2-0", ""]


def counted(source, target, links):
    vocabularies = TextVocabulary(), TextVocabulary()
    counts = _core.LexicalCounts()
    batches = encode_batches(iter(source), iter(target), pack_alignments(iter(links)), ("s", "t", "l"), vocabularies)
    for batch in batches:
        counts.add(batch.native)
    return counts


def test_rows_say_how_often_words_were_linked_or_not():
    sources, targets, times = counted(SOURCE, TARGET, LINKS).rows()
    rows = dict(zip(zip(sources.tolist(), targets.tolist(), strict=True), times.tolist(), strict=True))
    the, big, house, a, x = range(5)
    la, grande, maison, une, y = range(5)
    assert rows == {
        (the, la): 2, (big, grande): 1, (house, maison): 3, (big, maison): 1,
        (a, -1): 1, (-1, une): 1, (x, -1): 1, (-1, y): 1,
    }  # fmt: skip


def test_rows_that_are_put_in_again_give_the_same_weights():
    counts = counted(SOURCE, TARGET, LINKS)
    sources, targets, times = counts.rows()
    totals = [
        np.array([times[(column == word) & (other >= 0)].sum() for word in column])
        for column, other in ((sources, targets), (targets, sources))
    ]
    again = _core.LexicalCounts()
    again.put(sources, targets, times, *totals)
    assert again.pairs == counts.pairs
    for source in range(-1, 6):
        for target in range(-1, 6):
            if max(source, target) >= 0:
                assert again.direct(source, target) == counts.direct(source, target)
                assert again.inverse(source, target) == counts.inverse(source, target)


@pytest.mark.parametrize(
    ("sources", "targets", "message"),
    [([0, 1], [0], "one entry"), ([-2], [0], "out of range"), ([-1], [-1], "no word at all")],
)
def test_rows_that_make_no_sense_are_refused(sources, targets, message):
    numbers = np.ones(len(sources), np.int64)
    with pytest.raises(ValueError, match=message):
        _core.LexicalCounts().put(np.array(sources, np.int32), np.array(targets, np.int32), numbers, numbers, numbers)
