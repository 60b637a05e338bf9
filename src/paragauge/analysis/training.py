"""Training of the models that ship, from treebanks.

The same treebanks and options give the same bytes. The parsers learn from tags (and dependencies) as they will be found, by
models that have not seen the sentence: each treebank is cut into folds, and each fold is analysed by models of the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from paragauge import _core
from paragauge.analysis.sentence import Analysis

if TYPE_CHECKING:
    from numpy.typing import NDArray

Words: TypeAlias = Sequence[Sequence[str]]
Report: TypeAlias = Callable[[str], None]

_FREQUENT = 5  # occurrences from which on a word's tags are taken to be known
_CLOSED = 100  # occurrences from which on a word has no tags but those
_LEAST_SHARE = 0.02  # of a tag among the tags of a word
_OTHER, _COMMA, _VERB, _CONJUNCTION = range(4)
_CLOSED_BIT = 1 << 63


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is trained."""

    epochs: int
    width: int
    bytes: int
    """The most that its weights may take."""
    variant_share: float = 0.25
    """How often an epoch takes another writing of a sentence than the treebank's."""
    seed: int = 1

    def options(self, report: Report | None, name: str) -> dict[str, Any]:
        def tell(epoch: int, mistakes: int) -> None:
            if report is not None:
                report(f"{name}: epoch {epoch} of {self.epochs}, {mistakes} sentences to learn from")

        return {
            "epochs": self.epochs,
            "width": self.width,
            "variant_share": self.variant_share,
            "seed": self.seed,
            "report": tell,
        }


def normalise_quotes(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the words with quotation marks as the Penn tokeniser writes them."""
    return [tag if tag in ("``", "''") and word in ('"', "“", "”") else word for word, tag in zip(words, tags, strict=True)]


def variants(treebank: Sequence[Analysis]) -> list[list[list[str]]]:
    """Return the sentences in several writings: as they are, in lower case, without the first capital, with Penn quotes."""
    plain = [list(sentence.words) for sentence in treebank]
    return [
        plain,
        [[word.lower() for word in words] for words in plain],
        [normalise_quotes(sentence.words, sentence.tags or ()) for sentence in treebank],
        [[word.lower() for word in normalise_quotes(sentence.words, sentence.tags or ())] for sentence in treebank],
        [[words[0][:1].lower() + words[0][1:], *words[1:]] for words in plain],
    ]


def tag_kinds(tags: Sequence[str]) -> NDArray[np.uint8]:
    """Return what the dependency parser wants to know of each tag."""
    kinds = np.zeros(256, np.uint8)
    for number, tag in enumerate(tags):
        if tag in {",", ":", "-LRB-", "-RRB-"}:
            kinds[number] = _COMMA
        elif tag.startswith(("VB", "MD")):
            kinds[number] = _VERB
        elif tag == "CC":
            kinds[number] = _CONJUNCTION
    return kinds


def word_table(treebank: Sequence[Analysis], tags: Sequence[str], clusters: dict[bytes, int]) -> bytes:
    """Return the table of words: which tags the frequent ones have, and their clusters."""
    numbers = {tag: number for number, tag in enumerate(tags)}
    counts: dict[bytes, Counter[int]] = {}
    for sentence in treebank:
        for form, tag in zip(_core.normal_forms(sentence.words), sentence.tags or (), strict=True):
            counts.setdefault(form, Counter())[numbers[tag]] += 1
    sets: dict[int, int] = {0: 0}
    rows: dict[bytes, int] = {}
    for form, found in counts.items():
        total = found.total()
        if total < _FREQUENT:
            continue
        closed = total >= _CLOSED
        # Sets are told apart by the most frequent tag, too.
        kept = [tag for tag, count in found.most_common() if count >= _LEAST_SHARE * total]
        if closed:  # a tag that occurs once in so many is a mistake, most likely
            kept = [tag for tag, count in found.items() if count > 1]
        key = sum(1 << tag for tag in kept) | (_CLOSED_BIT if closed else 0)
        rows[form] = sets.setdefault(key, len(sets))
    forms = sorted(rows.keys() | clusters.keys())
    return _core.pack_words(
        forms,
        np.array([rows.get(form, 0) for form in forms], np.uint16),
        np.array([clusters.get(form, 0) for form in forms], np.uint16),
        np.array(list(sets), np.uint64),
    )


def aligned(data: bytes) -> NDArray[np.uint8]:
    """Return the bytes at an address that is a multiple of eight."""
    array = np.empty(len(data) // 8 + 1, np.uint64).view(np.uint8)[: len(data)]
    array[:] = np.frombuffer(data, np.uint8)
    return array
