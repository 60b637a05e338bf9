"""Word alignment of paraphrases by knowledge of words.

Every two words of a pair with some evidence for each other form a cell: same word, lemma, stem or number, similar
letters, a relation in WordNet, shared translations, entries of the paraphrase table. A small network gives each cell a
probability; two more rounds look at it again, at what the round before thought of the cells around, and at words
without such evidence whose neighbours are linked. Links are the cells above a threshold, so a word may have several.
See docs/align.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.align.aligned import AlignedText, join_windows
from paragauge.align.aligner import Aligner
from paragauge.align.alignment import Alignment
from paragauge.align.encode import Windows, windows
from paragauge.align.options import check_threshold
from paragauge.corpora.segments import unequal_lengths
from paragauge.errors import DataError
from paragauge.io import digest
from paragauge.judges.vectors import WordVectors
from paragauge.monolingual.networks import LinkNetworks, open_networks
from paragauge.monolingual.reasons import ExplainedLink, reasons
from paragauge.monolingual.words import Batch, Tagged, WordBook
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.progress import Counter, Progress
from paragauge.resource import DEFAULT, SHIPPED
from paragauge.text.vocabulary import Sentence
from paragauge.threads import thread_count

ENGLISH = "en"
LINK_THRESHOLD = 0.5
MAX_LENGTH = 200  # tokens; longer sentences are aligned in windows

_BATCH = 2000  # sentence pairs at a time
_MOST_TOKENS = 100_000  # of a sentence
_WEAKEST = 0.01  # posterior products of a statistical aligner below this are no evidence


class Knowledge(NamedTuple):
    """What is known of a language: facts about words, vectors, paraphrases, and how to tag."""

    book: WordBook
    paraphrases: ParaphraseTable | None
    tag: Callable[[Sequence[Sequence[str]], int], list[Tagged]]
    signature: str


class Run(NamedTuple):
    """What the native core found: cells of all pieces with their probabilities, and the evidence if wanted."""

    starts: NDArray[np.int64]
    cells: NDArray[np.int32]
    probabilities: NDArray[np.float32]
    first: NDArray[np.float32]
    evidence: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class WordAligner:
    """Aligns the words of sentences in one language.

    >>> aligner = WordAligner.load()
    >>> aligner.align(["he bought the car"], ["the car was purchased by him"])[0].to_pharaoh()
    '1-3 2-0 3-1'

    Attributes:
        knowledge: What is known of the language.
        networks: Networks of the link model.
        english: Whether the language is English.
    """

    knowledge: Knowledge
    networks: LinkNetworks
    english: bool = True

    @classmethod
    def load(cls, language: str = ENGLISH) -> WordAligner:
        """Return the aligner that ships with paragauge: for English, or by letters and numbers for other languages."""
        english = language.lower().split("-")[0] in (ENGLISH, "english")
        return cls(_english() if english else _any_language(), open_networks(), english)

    @cached_property
    def signature(self) -> str:
        """What signatures say of the aligner: its name and a digest of all that its links depend on."""
        parts = f"{self.knowledge.signature} {self.networks.digest}"
        return f"words-{digest(parts.encode())}"

    def align(
        self,
        source: Iterable[Sentence],
        target: Iterable[Sentence],
        *,
        threshold: float = LINK_THRESHOLD,
        statistical: Aligner | None = None,
        threads: int | None = None,
    ) -> list[Alignment]:
        """Return the alignment of each sentence pair.

        Args:
            source: Sentences, as token sequences or as text with tokens separated by white space.
            target: Their paraphrases, in the same order.
            threshold: Lowest probability of a link.
            statistical: A trained statistical aligner, whose links are additional evidence.
            threads: All cores by default. The result is the same for any number.
        """
        return list(self.align_scored(source, target, threshold=threshold, statistical=statistical, threads=threads))

    def align_scored(
        self,
        source: Iterable[Sentence],
        target: Iterable[Sentence],
        *,
        threshold: float = LINK_THRESHOLD,
        statistical: Aligner | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> AlignedText:
        """Return alignments as `align` does, with the probability of each link."""
        check_threshold(threshold)
        parts = [AlignedText(np.zeros(1, np.int64), *_no_links(), np.empty((0, 2)))]
        counter = Counter(progress)
        for ours, theirs in _batches(source, target):
            batch, cut = self._prepared(ours, theirs, threads)
            prior = self._prior(ours, theirs, cut, statistical, threads)
            run = self.run(batch, prior, threshold=threshold, threads=threads)
            found = join_windows(cut, run.starts, run.cells, run.probabilities, np.zeros((len(run.starts) - 1, 2)))
            parts.append(found)
            counter.advance(len(ours))
        return _joined(parts)

    def explain(
        self,
        source: Sentence,
        target: Sentence,
        *,
        threshold: float = LINK_THRESHOLD,
        statistical: Aligner | None = None,
    ) -> tuple[ExplainedLink, ...]:
        """Return the links of one sentence pair with their probabilities and reasons.

        >>> [link] = WordAligner.load().explain(["automobile"], ["car"])
        >>> link.reasons[0]
        'synonyms'
        """
        check_threshold(threshold)
        ours, theirs = _tokens(source), _tokens(target)
        batch, cut = self._prepared([ours], [theirs], 1)
        prior = self._prior([ours], [theirs], cut, statistical, 1)
        run = self.run(batch, prior, threshold=threshold, evidence=True, threads=1)
        whole = join_windows(cut, run.starts, run.cells, run.probabilities, np.zeros((len(run.starts) - 1, 2)))
        names = _core.LINK_EVIDENCE
        rows = zip(whole.links.tolist(), run.probabilities.tolist(), run.first.tolist(), run.evidence, strict=True)
        return tuple(
            ExplainedLink(
                i, j, (ours[i], theirs[j]), p, first, tuple(reasons(dict(zip(names, row.tolist(), strict=True))))
            )
            for (i, j), p, first, row in rows
        )

    def run(
        self,
        batch: Batch,
        prior: NDArray[np.float32] | None = None,
        *,
        threshold: float = 0.0,
        rounds: int | None = None,
        evidence: bool = False,
        threads: int | None = None,
    ) -> Run:
        """Return the cells of a batch whose probability reaches *threshold*, after some or all *rounds*."""
        native = self._with_prior if prior is not None else self._alone
        starts, cells, probabilities, first, rows = native.run(
            batch.facts, batch.source, batch.target,
            prior=prior, rounds=rounds, threshold=threshold, features=evidence, threads=thread_count(threads),
        )  # fmt: skip
        width = len(_core.LINK_EVIDENCE)
        return Run(starts, cells.reshape(-1, 2), probabilities, first, rows.reshape(-1, width))

    @cached_property
    def _alone(self) -> _core.NativeLinkModel:
        return self._native("english" if self.english else "any")

    @cached_property
    def _with_prior(self) -> _core.NativeLinkModel:
        return self._native("english+corpus" if self.english else "any+corpus")

    def _native(self, name: str) -> _core.NativeLinkModel:
        return native_model(self.knowledge, self.networks.networks[name])

    def _prepared(
        self, ours: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]], threads: int | None
    ) -> tuple[Batch, Windows]:
        tagged = self.knowledge.tag([*ours, *theirs], thread_count(threads))
        batch = self.knowledge.book.batch(tagged[: len(ours)], tagged[len(ours) :])
        cut = windows(batch.source[1], batch.target[1], MAX_LENGTH)
        return Batch(batch.facts, (batch.source[0], cut.source_offsets), (batch.target[0], cut.target_offsets)), cut

    def _prior(
        self,
        ours: Sequence[Sequence[str]],
        theirs: Sequence[Sequence[str]],
        cut: Windows,
        statistical: Aligner | None,
        threads: int | None,
    ) -> NDArray[np.float32] | None:
        if statistical is None:
            return None
        aligned = statistical.align_scored(ours, theirs, method="agreement", threshold=_WEAKEST, threads=threads)
        return prior_grids(cut, aligned)


def native_model(knowledge: Knowledge, networks: Iterable[NDArray[np.float32]]) -> _core.NativeLinkModel:
    """Return the native model with the given *networks*, one row for each round."""
    book, table = knowledge.book, knowledge.paraphrases
    vectors = book.vectors
    try:
        return _core.NativeLinkModel(
            vectors=_core.VectorColumns(
                codes=np.ascontiguousarray(vectors.codes).ravel() if vectors is not None else np.empty(0, np.int8),
                scales=vectors.scales if vectors is not None else np.empty(0, np.float32),
                trust=book.trust,
            ),
            paraphrases=None
            if table is None
            else _core.ParaphraseColumns(
                phrases=(table.columns["phrase.text"], table.columns["phrase.offsets"]),
                rows=table.columns["phrase.rows"],
                targets=table.columns["paraphrases"],
                scores=table.columns["scores"],
            ),
            networks=[np.ascontiguousarray(row) for row in networks],
        )
    except ValueError as error:
        raise DataError(f"the link model is damaged: {error}") from error


def prior_grids(cut: Windows, aligned: AlignedText) -> NDArray[np.float32]:
    """Return the scores of a statistical aligner's links as grids, one after another for each piece."""
    sides = (cut.source_offsets, cut.target_offsets)
    heights, widths = (np.diff(offsets) for offsets in sides)
    starts = np.concatenate([[0], np.cumsum(heights * widths)])
    grid: NDArray[np.float32] = np.zeros(int(starts[-1]), dtype=np.float32)
    first = cut.first[np.repeat(np.arange(len(aligned)), np.diff(aligned.starts))]
    places = [aligned.links[:, side] + offsets[first] for side, offsets in enumerate(sides)]
    pieces = [np.searchsorted(offsets, place, side="right") - 1 for offsets, place in zip(sides, places, strict=True)]
    same = pieces[0] == pieces[1]  # links between pieces have no cell
    piece = pieces[0][same]
    rows, columns = (place[same] - offsets[piece] for place, offsets in zip(places, sides, strict=True))
    grid[starts[piece] + rows * widths[piece] + columns] = aligned.scores[same]
    return grid


def english_knowledge() -> Knowledge:
    """Return what ships about English: WordNet, word vectors, the paraphrase table and the tagger."""
    from paragauge.analysis.builtin import Builtin
    from paragauge.analysis.lexicon import Lexicon
    from paragauge.phrases.opening import open_paraphrases

    lexicon, table, analyser = Lexicon.load(), open_paraphrases(DEFAULT), Builtin.load()
    vectors = WordVectors.open(SHIPPED / "judges" / DEFAULT / "vectors")

    def tag(sentences: Sequence[Sequence[str]], threads: int) -> list[Tagged]:
        analyses = analyser.analyse(sentences, threads=threads)
        return [list(zip(each.words, each.tags or (), strict=True)) for each in analyses]

    parts = (lexicon.digest or "", table.digest or "", analyser.signature, digest(vectors.codes.tobytes()))
    return Knowledge(WordBook(lexicon, vectors), table, tag, " ".join(parts))


def any_knowledge() -> Knowledge:
    """Return what is known of any language: letters and numbers."""
    return Knowledge(WordBook(None, None), None, _untagged, "any")


def _untagged(sentences: Sequence[Sequence[str]], threads: int) -> list[Tagged]:
    return [[(word, "") for word in sentence] for sentence in sentences]


_known: dict[bool, Knowledge] = {}


def _english() -> Knowledge:
    if True not in _known:
        _known[True] = english_knowledge()
    return _known[True]


def _any_language() -> Knowledge:
    if False not in _known:
        _known[False] = any_knowledge()
    return _known[False]


def _tokens(sentence: Sentence) -> Sequence[str]:
    tokens = sentence.split() if isinstance(sentence, str) else sentence
    if len(tokens) > _MOST_TOKENS:
        raise DataError(
            f"a sentence has {len(tokens):,} tokens, which is no sentence; the limit is {_MOST_TOKENS:,}: check the "
            "line ends of the files"
        )
    return tokens


def _batches(
    source: Iterable[Sentence], target: Iterable[Sentence]
) -> Iterator[tuple[list[Sequence[str]], list[Sequence[str]]]]:
    sides = map(_tokens, source), map(_tokens, target)
    done = 0
    while True:
        ours, theirs = (list(islice(side, _BATCH)) for side in sides)
        if len(ours) != len(theirs):
            rest = [len(part) + sum(1 for _ in side) + done for part, side in zip((ours, theirs), sides, strict=True)]
            raise unequal_lengths("source", rest[0], "target", rest[1])
        if not ours:
            return
        yield ours, theirs
        done += len(ours)


def _no_links() -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    return np.empty((0, 2), np.int32), np.empty(0, np.float32)


def _joined(parts: Sequence[AlignedText]) -> AlignedText:
    counts = np.concatenate([np.diff(part.starts) for part in parts])
    return AlignedText(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([part.links for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.empty((0, 2)),
        sum(part.cut for part in parts),
    )
