"""ParaMetric (Callison-Burch, Cohn and Lapata 2008), an evaluation of methods that find paraphrases.

The gold standard consists of groups of sentences with the same meaning. The first sentence of a group is paired with
each of the others, and every pair is aligned by hand. PP(e1, e2, A) is the set of phrase pairs (as word sequences) of a
sentence pair that are consistent with its links A, excluding those with identical sides.

Alignment. With S the links of the method, M the manual links, and sums over all sentence pairs,

    AlignPrec   = sum |PP(S) and PP(M)| / sum |PP(S)|
    AlignRecall = sum |PP(S) and PP(M)| / sum |PP(M)|

Paraphrases. With para_M(p, s) the paraphrases that the method lists for a phrase p of the first sentence s of a group
G, para_REF(p, s, G) all p2 that p is paired with in PP(s, s2, M) of any pair of G, and sums over the groups and the
distinct phrases of their first sentences,

    LB-Precision = sum |para_M(p, s) and para_REF(p, s, G)| / sum |para_M(p, s)|
    Rel-Recall   = sum |para_M(p, s) and para_REF(p, s, G)| / sum |para_REF(p, s, G)|

The gold does not contain all paraphrases, so LB-Precision is a lower bound of precision, and Rel-Recall is recall
relative to the gold.

All counts are kept by phrase length: the number of words on the side of the first sentence.

How many sentences does a group need? (The paper leaves this to later work.) If n sentences are paired with the first
one and a paraphrase occurs in c of these pairs, it is in the gold made from k of them, chosen at random, with
probability

    1 - C(n - c, k) / C(n, k)

The sums of these probabilities over all reference paraphrases, and over those that a method lists, are what |para_REF|
and |para_M and para_REF| would be on average with k sentences: no sample need be drawn.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypeVar

from paragauge.align.alignment import Alignment
from paragauge.align.annotated import AlignedPairs
from paragauge.errors import DataError
from paragauge.io import digest
from paragauge.metrics.base import Measurement, ResourceMetric, check_choice, check_number
from paragauge.metrics.f_score import f_score
from paragauge.phrases.by_sentence import PhraseSet, phrase_pairs_by_sentence
from paragauge.phrases.opening import table_digest
from paragauge.phrases.paraphrases import ParaphraseTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CITATION = "Callison-Burch, Cohn & Lapata (2008)"

LENGTHS = 10  # phrases of at least this many words are counted together
VALUES = ("f1", "precision", "recall")

# A table, or a function that lists paraphrases of a phrase in its sentence: para_M(p, s).
Paraphraser: TypeAlias = ParaphraseTable | Callable[[str, str], Iterable[str]]
# Reference paraphrases for each phrase of each first sentence of each group.
References: TypeAlias = Sequence[Mapping[str, Mapping[str, Set[str]]]]

Resource = TypeVar("Resource", contravariant=True)


@dataclass(frozen=True, kw_only=True)
class _Parametric(ResourceMetric[Resource, AlignedPairs]):
    """Base of both scores: which links count, and the two ratios of summed counts; one row per group."""

    links: str = "sure"  # or "possible": sure and possible links; the paper does not distinguish them
    max_length: int | None = None  # in words of a phrase
    lowercase: bool = False  # lower-case the gold, for methods trained on lower-case text
    value: str = "f1"  # component to use as the score

    citation: ClassVar[str] = _CITATION
    scale: ClassVar[str] = "0 to 1"

    def __post_init__(self) -> None:
        check_choice(self.name, "links", self.links, ("sure", "possible"))
        if self.max_length is not None:
            check_number(self.name, "max_length", self.max_length, low=1, whole=True)
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_choice(self.name, "value", self.value, VALUES)

    def measure(self, totals: Sequence[float]) -> Measurement:
        """Return precision, recall and F1 from summed counts: found, posited and gold phrases of each length."""
        found, posited, gold = (sum(totals[place::3]) for place in range(3))
        precision = found / posited if posited else 0.0
        recall = found / gold if gold else 0.0
        components = {"precision": precision, "recall": recall, "f1": f_score(precision, recall, 0.5)}
        return Measurement(components[self.value], {**components, "found": found, "posited": posited, "gold": gold})

    def lengths(self) -> list[str]:
        """Return the names of the phrase lengths: 1, 2, ... and, for longer phrases, ``10+``."""
        most = min(self.max_length or LENGTHS, LENGTHS)
        more = self.max_length is None or self.max_length > LENGTHS
        return [*map(str, range(1, most)), f"{most}+" if more else str(most)]

    def by_length(self, rows: NDArray[np.int64]) -> dict[str, Measurement]:
        """Return the measurement of phrases of each length (the paper's table 3)."""
        totals = rows.sum(axis=0).tolist()
        return {name: self.measure(totals[3 * place : 3 * place + 3]) for place, name in enumerate(self.lengths())}

    @abstractmethod
    def reference(self, gold: AlignedPairs) -> object:
        """Return the content of *gold* in a form for comparison with several methods."""

    def phrase_pairs(self, gold: AlignedPairs, alignments: Iterable[Alignment], most: int | None) -> list[PhraseSet]:
        """Return PP of each sentence pair under *alignments*."""
        sides = (self._cased(gold.pairs.source), self._cased(gold.pairs.target))
        found = phrase_pairs_by_sentence(*sides, alignments, max_length=most)
        return [{pair for pair in pairs if pair[0] != pair[1]} for pairs in found]

    def _cased(self, sentences: Sequence[str]) -> list[str]:
        return [sentence.lower() if self.lowercase else sentence for sentence in sentences]

    def _empty_rows(self, gold: AlignedPairs) -> dict[str, list[int]]:
        if not len(gold):
            raise DataError("the gold has no pairs, expected at least one")
        return {group: [0] * (3 * len(self.lengths())) for group in gold.pairs.group_names()}

    def _add(self, row: list[int], place: int, spaces: Mapping[int, int]) -> None:
        """Add numbers of phrases, keyed by the number of *spaces* in the phrase, to column *place* of each length."""
        last = len(row) // 3 - 1
        for space, count in spaces.items():
            row[3 * min(space, last) + place] += count

    def signature_items(self) -> Mapping[str, object]:
        return {
            "value": self.value,
            "links": self.links,
            "len": self.max_length or "any",
            "case": "lc" if self.lowercase else "mixed",
        }


@dataclass(frozen=True, kw_only=True)
class ParametricAlignment(_Parametric[Sequence[Alignment]]):
    """AlignPrec and AlignRecall of a method that aligns words.

    >>> from paragauge.align import GoldAlignment
    >>> from paragauge.corpora.pairs import ParaphrasePairs
    >>> pairs = ParaphrasePairs(("he left us",), ("he deserted us",))
    >>> gold = AlignedPairs(pairs, (GoldAlignment.from_pharaoh("0-0 1-1 2-2"),))
    >>> score = ParametricAlignment().evaluate([Alignment.from_pharaoh("0-0 1-1")], gold)
    >>> score.found, score.posited, score.gold  # without its link, "us" may be on one side only: 4 right, 4 wrong
    (4, 8, 4)
    """

    name: ClassVar[str] = "parametric-alignment"
    summary: ClassVar[str] = "F1 of aligned phrases against manual alignments"
    needs: ClassVar[frozenset[str]] = frozenset({"links", "hand-aligned pairs"})

    def reference(self, gold: AlignedPairs) -> list[PhraseSet]:
        """Return PP(M) of each sentence pair."""
        return self.phrase_pairs(gold, gold.alignments(self.links), self.max_length)

    def statistics(self, resource: Sequence[Alignment], gold: AlignedPairs) -> NDArray[np.int64]:
        """Return for each group and length the numbers of phrase pairs in both, from the method and from the gold."""
        posited = self.phrase_pairs(gold, resource, self.max_length)
        return self.rows_of(posited, gold, self.reference(gold))

    def digests(self, resource: Sequence[Alignment], gold: AlignedPairs) -> dict[str, str | None]:
        """Return digests of the gold and of the links."""
        text = "\n".join(alignment.to_pharaoh() for alignment in resource)
        return {"gold": gold.digest, "align": digest(text.encode())}

    def rows_of(
        self, posited: Sequence[PhraseSet], gold: AlignedPairs, reference: Sequence[PhraseSet]
    ) -> NDArray[np.int64]:
        """Return the statistics of PP(S) and PP(M) extracted before."""
        import numpy as np

        rows = self._empty_rows(gold)
        for group, ours, true in zip(gold.pairs.group_names(), posited, reference, strict=True):
            for place, pairs in enumerate((ours & true, ours, true)):
                self._add(rows[group], place, Counter(phrase.count(" ") for phrase, _ in pairs))
        return np.array(list(rows.values()), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Parametric(_Parametric[Paraphraser]):
    """LB-Precision and Rel-Recall of a method that lists paraphrases.

    >>> from paragauge.align import GoldAlignment
    >>> from paragauge.corpora.pairs import ParaphrasePairs
    >>> pairs = ParaphrasePairs(("he left us",), ("he deserted us",))
    >>> gold = AlignedPairs(pairs, (GoldAlignment.from_pharaoh("0-0 1-1 2-2"),))
    >>> table = ParaphraseTable.from_rows([("left", "deserted", 0.2), ("left", "right", 0.1), ("he", "she", 0.3)])
    >>> score = Parametric().evaluate(table, gold)
    >>> score.found, score.posited, score.gold
    (1, 3, 4)
    """

    max_length: int | None = 5  # of p; its paraphrases may be longer (section 7.3)
    min_score: float | None = None  # of a paraphrase in a table; the paper uses 0.01
    top: int | None = None  # most paraphrases of a phrase in a table, best first

    name: ClassVar[str] = "parametric"
    summary: ClassVar[str] = "F1 of the paraphrases in a table against manual alignments"
    needs: ClassVar[frozenset[str]] = frozenset({"paraphrases", "hand-aligned pairs"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_score is not None:
            check_number(self.name, "min_score", self.min_score, low=float("-inf"))
        if self.top is not None:
            check_number(self.name, "top", self.top, low=1, whole=True)

    def reference(self, gold: AlignedPairs) -> list[dict[str, dict[str, set[str]]]]:
        """Return para_REF(p, s, G) by phrase p, by first sentence s, for each group G."""
        groups: dict[str, dict[str, dict[str, set[str]]]] = {}
        found = self.phrase_pairs(gold, gold.alignments(self.links), None)
        sentences = self._cased(gold.pairs.source)
        for group, sentence, pairs in zip(gold.pairs.group_names(), sentences, found, strict=True):
            known = groups.setdefault(group, {}).setdefault(sentence, {})
            for phrase, paraphrase in pairs:
                if self.max_length is None or phrase.count(" ") < self.max_length:
                    known.setdefault(phrase, set()).add(paraphrase)
        return list(groups.values())

    def occurrences(self, gold: AlignedPairs) -> list[GroupOccurrences]:
        """Return for each group how many pairs it has, and in how many of them each reference paraphrase occurs.

        Raises:
            DataError: A group has several first sentences.
        """
        groups: dict[str, GroupOccurrences] = {}
        found = self.phrase_pairs(gold, gold.alignments(self.links), None)
        sentences = self._cased(gold.pairs.source)
        for group, sentence, pairs in zip(gold.pairs.group_names(), sentences, found, strict=True):
            known = groups.setdefault(group, GroupOccurrences(sentence))
            if known.sentence != sentence:
                raise DataError(f"group {group} has several first sentences: {known.sentence!r} and {sentence!r}")
            known.pairs += 1
            for pair in pairs:
                if self.max_length is None or pair[0].count(" ") < self.max_length:
                    known.counts[pair] += 1
        return list(groups.values())

    def expected_rows(
        self, resource: Paraphraser | None, groups: Sequence[GroupOccurrences], others: int
    ) -> NDArray[np.float64]:
        """Return for each group the numbers of correct, listed and reference paraphrases expected with *others* pairs.

        Without a *resource*, only the reference paraphrases are counted.
        """
        import numpy as np

        list_paraphrases = None if resource is None else self._lister(resource)
        rows = np.zeros((len(groups), 3))
        for row, group in zip(rows, groups, strict=True):
            chances = {count: drawn_chance(group.pairs, count, others) for count in set(group.counts.values())}
            row[2] = math.fsum(chances[count] for count in group.counts.values())
            if list_paraphrases is not None:
                listed = {
                    phrase: list_paraphrases(phrase, group.sentence)
                    for phrase in _phrases(group.sentence, self.max_length)
                }
                row[0] = math.fsum(
                    chances[count] for (phrase, other), count in group.counts.items() if other in listed.get(phrase, ())
                )
                row[1] = sum(map(len, listed.values()))
        return rows

    def listed(self, table: ParaphraseTable, gold: AlignedPairs, reference: References) -> ListedParaphrases:
        """Return all paraphrases that a table lists for phrases of the gold, best first, to try thresholds on."""
        import numpy as np

        group_numbers, ranks, scores, hits = [], [], [], []
        true = np.zeros(len(reference), dtype=np.int64)
        for number, sentences in enumerate(reference):
            for sentence, references in sentences.items():
                true[number] += sum(map(len, references.values()))
                for phrase in _phrases(sentence, self.max_length):
                    expected = references.get(phrase, set())
                    found = (each for each in table.paraphrases(phrase) if each.text != phrase)
                    for rank, each in enumerate(found):
                        group_numbers.append(number)
                        ranks.append(rank)
                        scores.append(each.score)
                        hits.append(each.text in expected)
        return ListedParaphrases(
            np.array(group_numbers, dtype=np.int64), np.array(ranks, dtype=np.int64), np.array(scores, dtype=float),
            np.array(hits, dtype=bool), true,
        )  # fmt: skip

    def statistics(self, resource: Paraphraser, gold: AlignedPairs) -> NDArray[np.int64]:
        """Return for each group and length the numbers of correct, listed and reference paraphrases."""
        return self.rows_of(resource, gold, self.reference(gold))

    def digests(self, resource: Paraphraser, gold: AlignedPairs) -> dict[str, str | None]:
        """Return digests of the gold and of the table; a function has none."""
        return {"gold": gold.digest, "table": table_digest(resource) if isinstance(resource, ParaphraseTable) else None}

    def rows_of(self, resource: Paraphraser, gold: AlignedPairs, reference: References) -> NDArray[np.int64]:
        """Return the statistics against a para_REF computed before."""
        import numpy as np

        rows = self._empty_rows(gold)
        list_paraphrases = self._lister(resource)
        for row, sentences in zip(rows.values(), reference, strict=True):
            for sentence, references in sentences.items():
                for phrase in _phrases(sentence, self.max_length):
                    posited, true = list_paraphrases(phrase, sentence), references.get(phrase, set())
                    for place, paraphrases in enumerate((posited & true, posited, true)):
                        self._add(row, place, {phrase.count(" "): len(paraphrases)})
        return np.array(list(rows.values()), dtype=np.int64)

    def _lister(self, resource: Paraphraser) -> Callable[[str, str], set[str]]:
        """Return a function that lists the paraphrases of a phrase in its sentence, excluding the phrase itself."""
        if not isinstance(resource, ParaphraseTable):
            return lambda phrase, sentence: {*resource(phrase, sentence)} - {phrase}
        cache: dict[str, set[str]] = {}

        def look_up(phrase: str, _: str) -> set[str]:
            if phrase not in cache:
                found = resource.paraphrases(phrase, min_score=self.min_score)
                cache[phrase] = set([each.text for each in found if each.text != phrase][: self.top])
            return cache[phrase]

        return look_up

    def signature_items(self) -> Mapping[str, object]:
        least = {} if self.min_score is None else {"min": f"{self.min_score:g}"}
        most = {} if self.top is None else {"top": self.top}
        return {**super().signature_items(), **least, **most}


@dataclass
class GroupOccurrences:
    """A group: its first sentence, the number of its pairs, and of those that contain each pair of phrases."""

    sentence: str
    pairs: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)


def drawn_chance(pairs: int, count: int, others: int) -> float:
    """Return the probability that at least one of *count* special pairs is among *others* drawn from *pairs*.

    >>> [drawn_chance(4, 1, others) for others in range(5)]
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    return 1.0 - math.comb(pairs - count, others) / math.comb(pairs, others)


@dataclass(frozen=True)
class ListedParaphrases:
    """Paraphrases that a table lists for the phrases of a gold standard.

    Attributes:
        group: Number of the group of each.
        rank: Its place among those of its phrase, from 0.
        score: Its score.
        hit: Whether it is a reference paraphrase.
        gold: Number of reference paraphrases of each group.
    """

    group: NDArray[np.int64]
    rank: NDArray[np.int64]
    score: NDArray[np.float64]
    hit: NDArray[np.bool_]
    gold: NDArray[np.int64]

    def rows(self, min_score: float | None, top: int | None) -> NDArray[np.int64]:
        """Return correct, listed and reference paraphrases of each group, if only the best of a phrase are kept."""
        import numpy as np

        kept = np.ones(len(self.group), dtype=bool)
        if min_score is not None:
            kept &= self.score >= min_score
        if top is not None:
            kept &= self.rank < top
        found, posited = (np.bincount(self.group[mask], minlength=len(self.gold)) for mask in (kept & self.hit, kept))
        return np.stack([found, posited, self.gold], axis=1)


def _phrases(sentence: str, most: int | None) -> set[str]:
    """Return the distinct phrases of a sentence up to a maximum length in words."""
    words = sentence.split()
    longest = len(words) if most is None else min(most, len(words))
    return {
        " ".join(words[begin : begin + length])
        for length in range(1, longest + 1)
        for begin in range(len(words) - length + 1)
    }
