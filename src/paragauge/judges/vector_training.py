"""Word vectors from parallel text: words are aligned, links counted, and the counts made into a hundred numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paragauge.align.aligner import Aligner
from paragauge.corpora.bitext import Bitext
from paragauge.errors import DataError, MissingExtraError
from paragauge.judges.vectors import WordVectors
from paragauge.phrases.table import PhraseTable
from paragauge.progress import Progress
from paragauge.text.normalize import porter_stem
from paragauge.text.pipeline import TextPipeline
from paragauge.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


DIMENSIONS = 100  # about: the number is cut where singular values are farthest apart
_LEAST_SIZE = 1e-6  # of a row that says anything
_NEAR = 0.2  # share of the dimensions that there may be more or fewer
LEAST_COUNT = 3  # of a stem, in all parallel text together
_LONGEST = 60  # words of sentences that are aligned
_LEAST_SHARE = 0.01  # p(f|e)
_TRUSTED = 8.0  # occurrences in one language at which its translations are believed by half
_SHOWN_TRANSLATIONS = 5


@dataclass(frozen=True, slots=True, eq=False)
class WordTranslations:
    """How often stems were linked to words of one pivot language.

    Attributes:
        pairs: Counts by stem and pivot word.
        stems: How often the text has each stem.
    """

    pairs: Mapping[tuple[str, str], int]
    stems: Mapping[str, int]

    def table(self) -> PhraseTable:
        """Return the most frequent translations of each stem, for explanations."""
        by_stem: dict[str, list[tuple[int, str]]] = {}
        for (stem, word), count in self.pairs.items():
            if count > 1 and any(map(str.isalnum, word)) and any(map(str.isalnum, stem)):
                by_stem.setdefault(stem, []).append((count, word))
        kept: dict[tuple[str | Sequence[str], str | Sequence[str]], int] = {
            (stem, word): count
            for stem, found in by_stem.items()
            for count, word in sorted(found, key=lambda each: (-each[0], each[1]))[:_SHOWN_TRANSLATIONS]
        }
        return PhraseTable.from_counts(kept)


def count_translations(
    bitext: Bitext, *, tokenizer: str = "intl", threads: int | None = None, progress: Progress | None = None
) -> WordTranslations:
    """Return how stems of English, the source of *bitext*, are translated, by word alignment."""
    english, other = TextPipeline(tokenizer="penn", lowercase=True), TextPipeline(tokenizer=tokenizer, lowercase=True)
    ours: list[tuple[str, ...]] = []
    theirs: list[tuple[str, ...]] = []
    for number, (source, target) in enumerate(bitext):
        if progress is not None and number % 8192 == 0:
            progress(number, len(bitext), "words")
        one, two = english(source), other(target)
        if 0 < len(one) <= _LONGEST and 0 < len(two) <= _LONGEST:
            ours.append(tuple(map(porter_stem, one)))
            theirs.append(two)
    if not ours:
        raise DataError("the parallel text has no sentences of up to 60 words on both sides")
    _, aligned = Aligner.train_and_align(ours, theirs, threads=threads, progress=progress)
    stems, words = Vocabulary(), Vocabulary()
    encoded, other_encoded = stems.encode(ours), words.encode(theirs)
    sentence = np.repeat(np.arange(len(ours)), np.diff(aligned.starts))
    links = np.asarray(aligned.links).reshape(-1, 2)
    left = encoded.ids[encoded.offsets[sentence] + links[:, 0]].astype(np.int64)
    right = other_encoded.ids[other_encoded.offsets[sentence] + links[:, 1]].astype(np.int64)
    keys, counts = np.unique(left * len(words) + right, return_counts=True)
    stem_names, word_names = list(stems), list(words)
    pairs = {
        (stem_names[key // len(words)], word_names[key % len(words)]): count
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True)
    }
    frequencies = np.bincount(encoded.ids, minlength=len(stems)).tolist()
    return WordTranslations(pairs, dict(zip(stem_names, frequencies, strict=True)))


def make_vectors(translations: Iterable[WordTranslations], *, dimensions: int = DIMENSIONS) -> WordVectors:
    """Return vectors of all stems that the parallel text of several languages has often enough.

    Raises:
        DataError: There are fewer stems than dimensions.
    """
    from scipy.sparse import hstack
    from scipy.sparse.linalg import svds

    languages = list(translations)
    totals: dict[str, int] = {}
    for each in languages:
        for stem, count in each.stems.items():
            totals[stem] = totals.get(stem, 0) + count
    known = sorted((stem for stem, count in totals.items() if count >= LEAST_COUNT), key=lambda s: (-totals[s], s))
    if len(known) <= dimensions:
        raise DataError(
            f"the parallel text has {len(known):,} stems that occur {LEAST_COUNT} times or more, too few for vectors "
            f"of {dimensions} numbers; use more text or fewer dimensions"
        )
    numbers = {stem: row for row, stem in enumerate(known)}
    matrix = hstack([_roots(each, numbers) for each in languages]).tocsr()
    if matrix.shape[1] <= dimensions:
        raise DataError(f"the other sides have {matrix.shape[1]:,} words, too few for vectors of {dimensions} numbers")
    most = min(dimensions + int(_NEAR * dimensions), min(matrix.shape) - 1)
    with _one_thread():  # threads of BLAS add in another order, and the last bit may differ
        left, values, _ = svds(matrix, k=most, v0=np.ones(min(matrix.shape)), random_state=0)
    order = np.argsort(-values)[: _widest_gap(np.sort(values)[::-1], dimensions)]
    left, values = left[:, order], values[order]
    # A singular vector and its opposite are as good: the largest number is to be positive.
    left *= np.sign(left[np.abs(left).argmax(axis=0), np.arange(len(order))])
    rows = left * np.sqrt(values)
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    # A stem that shares no translations with those that the dimensions are about has nothing but rounding errors here.
    rows = np.where(sizes > _LEAST_SIZE, rows / np.maximum(sizes, _LEAST_SIZE), 0.0)
    largest = np.maximum(np.abs(rows).max(axis=1), 1e-12)
    codes = np.round(rows / largest[:, None] * 127).astype(np.int8)
    lengths = np.maximum(np.linalg.norm(codes.astype(np.float64), axis=1), 1.0)
    counts = np.array([totals[stem] for stem in known], dtype=np.int64)
    return WordVectors(tuple(known), counts, codes, (1 / lengths).astype(np.float32))


def _widest_gap(values: NDArray[np.float64], dimensions: int) -> int:
    """Return how many of the falling singular *values* to keep: about as many as asked for, cut where they fall most.

    Among nearly equal ones, rounding would decide which are kept.
    """
    first = dimensions - int(_NEAR * dimensions)
    falls = values[first - 1 : -1] / np.maximum(values[first:], 1e-12)
    return first + int(falls.argmax()) if len(falls) else len(values)


def _roots(translations: WordTranslations, numbers: Mapping[str, int]) -> csr_matrix:
    """Return square roots of p(f|e), one row per stem, one column per pivot word; rare stems get less weight."""
    from scipy.sparse import csr_matrix as sparse

    linked: dict[str, int] = {}
    for (stem, _), count in translations.pairs.items():
        linked[stem] = linked.get(stem, 0) + count
    words = Vocabulary()
    rows, columns, values = [], [], []
    for (stem, word), count in translations.pairs.items():
        total = linked[stem]
        if stem in numbers and (count > 1 or total < 5) and count / total > _LEAST_SHARE:
            rows.append(numbers[stem])
            columns.append(words[word])
            values.append((count / total * total / (total + _TRUSTED)) ** 0.5)
    return sparse((values, (rows, columns)), shape=(len(numbers), max(1, len(words))))


def _one_thread() -> Any:
    try:
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise MissingExtraError("making word vectors", "threadpoolctl", "train") from error
    return threadpool_limits(1)
