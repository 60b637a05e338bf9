"""Warnings where a score is low because two resources cannot match: labels, case, tokens, words that may not stay."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from paragauge.grammar.grammar import SIDES

if TYPE_CHECKING:
    from paragauge.grammar.grammar import Grammar
    from paragauge.phrases.paraphrases import ParaphraseTable

logger = logging.getLogger(__name__)

_WORDS = 20_000  # that are looked at on each side
_ATTACHED = re.compile(r"[^\W\d]{2,}[,;:!?]|[\"“(]\w+")  # punctuation that a tokeniser would have split off
_SPLIT = frozenset(("n't", "'s", "'re", "'ve", "'ll"))
_WHOLE = re.compile(r"\w+(?:n't|'(?:s|re|ve|ll))", re.IGNORECASE)
_FEW, _MANY = 0.002, 0.02
_LEAST_WORDS = 50
_LABELS_IN_COMMON = 0.5
_BATCHES_OF_FILE = 8


@dataclass(frozen=True, slots=True)
class Style:
    """How words are written: the shares of words with capitals, with punctuation, with whole contractions.

    >>> Style.of(["The", "dog", "does", "n't"]).capitals
    0.25
    """

    words: int
    capitals: float
    attached: float
    whole: float
    split: float

    @classmethod
    def of(cls, words: Iterable[str]) -> Style:
        """Return the style of *words*."""
        sample = list(islice(words, _WORDS))
        count = max(len(sample), 1)
        return cls(
            len(sample),
            sum(word != word.lower() for word in sample) / count,
            sum(_ATTACHED.fullmatch(word) is not None for word in sample) / count,
            sum(_WHOLE.fullmatch(word) is not None and word.lower() not in _SPLIT for word in sample) / count,
            sum(word.lower() in _SPLIT for word in sample) / count,
        )


def warn_of_style(gold_name: str, gold: Style, name: str, other: Style) -> None:
    """Warn if the gold and a resource differ in case or tokens."""
    if min(gold.words, other.words) < _LEAST_WORDS:
        return
    for one, one_name, two, two_name in ((gold, gold_name, other, name), (other, name, gold, gold_name)):
        if one.capitals > _MANY and two.capitals < _FEW:
            logger.warning(
                "%s has words with capitals, %s has none, so that these words cannot match; lower-case both "
                "(--lowercase)", one_name, two_name,
            )  # fmt: skip
        if one.attached > _MANY and two.attached < _FEW:
            logger.warning(
                "%s has words with punctuation such as 'word,', %s has not; tokenise both in the same way "
                "(-t penn, or 'paragauge tokenize')", one_name, two_name,
            )  # fmt: skip
        if one.whole > _FEW and one.split == 0 and two.split > 0 and two.whole == 0:
            logger.warning(
                "%s writes contractions as one word, %s splits them; tokenise both in the same way (-t penn, or "
                "'paragauge tokenize')", one_name, two_name,
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Glance:
    """What a look at a grammar shows: rules by label, the style of its words, and whether any rule is an identity."""

    labels: Mapping[str, int]
    style: Style
    identities: bool

    @classmethod
    def of(cls, grammar: Grammar) -> Glance:
        """Look at a grammar: all over a folder, at the first rules of a file, which would have to be read again."""
        import pyarrow.compute as pc

        labels: dict[str, int] = {}
        words: list[str] = []
        identities = False
        batches = grammar.batches(list(SIDES))
        for batch in batches if grammar.known_size is not None else islice(batches, _BATCHES_OF_FILE):
            for pair in batch.column("lhs").value_counts().to_pylist():
                labels[pair["values"]] = labels.get(pair["values"], 0) + pair["counts"]
            chosen = list(range(0, batch.num_rows, max(1, batch.num_rows // 200)))
            sides = batch.column("source").take(chosen).to_pylist()
            words += (word for side in sides for word in side.split() if not word.startswith("["))
            if not identities:
                identities = bool(pc.any(pc.equal(batch.column("source"), batch.column("target"))).as_py())
        return cls(labels, Style.of(words), identities)


def words_of_table(table: ParaphraseTable) -> Iterator[str]:
    """Yield words of a table's phrases."""
    total = len(table.columns["phrase.offsets"]) - 1
    for number in range(0, total, max(1, total // _WORDS)):
        yield from table.phrase(number).split()


def warn_of_labels(known: Mapping[str, int], name: str, found: Mapping[str, int]) -> None:
    """Warn if most rules of a grammar have labels that are not among the *known* ones of the gold grammar."""
    total = sum(found.values())
    shared = sum(count for label, count in found.items() if label in known)
    if not total or shared >= _LABELS_IN_COMMON * total:
        return
    upper = {label.upper() for label in known}
    cased = sum(count for label, count in found.items() if label.upper() in upper)
    if cased > 2 * shared:
        remedy = "they differ in case; convert it with 'paragauge grammar convert --upper-labels'"
    elif set(found) == {"X"}:
        remedy = "every label is X; extract the gold grammar with --default-label X, or compare with --match non-strict"
    else:
        remedy = "extract both with the same --labels and --default-label, or compare with --match non-strict"
    logger.warning(
        "%s: the labels of %.0f%% of its rules are not in the gold grammar and cannot match strictly: %s", name,
        100 - 100 * shared / total, remedy,
    )  # fmt: skip


def warn_of_pass_through(name: str, identities: bool) -> None:
    """Warn if a grammar has no rules that leave a word as it is, so that only unknown words may stay."""
    if identities:
        return
    logger.warning(
        "%s has no rules that leave words unchanged, so that a word that it knows must be paraphrased; pass "
        "--pass-through all if words may stay", name,
    )  # fmt: skip


def warn_of_nothing_found(name: str, found: int, offered: int, what: str) -> None:
    """Warn if a resource has nothing in common with the gold: it is more likely to be unsuitable than to be so bad."""
    if found:
        return
    if offered:
        logger.warning(
            "none of the %s %s of %s is in the gold; check that both are in the same language, on both sides, and "
            "tokenised in the same way", f"{offered:,}", what, name,
        )  # fmt: skip
    else:
        logger.warning(
            "%s has no %s for anything in the gold; check that both are in the same language and tokenised in the same "
            "way", name, what,
        )  # fmt: skip
