"""Language models to query for the probability of a sentence, or of a word after others.

All logarithms are to base 10, as in ARPA files.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike
from paragauge.lm.counts import SENTENCE_END, UNKNOWN_WORD
from paragauge.resource import Manifest, read_manifest, steadily, write_resource
from paragauge.storage.store import open_array
from paragauge.text.pipeline import TextPipeline
from paragauge.text.vocabulary import Sentence
from paragauge.threads import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge._core import LmQueries

KIND = "language-model"
FORMAT = 1

S = TypeVar("S", bound=Hashable)

# Models made by other tools expect words separated by spaces, as those tools do.
TOKENISED = TextPipeline(tokenizer="none")

_SENTENCES_A_BATCH = 1 << 16


@dataclass(frozen=True, slots=True)
class State:
    """The part of the preceding words that can affect the probability of later ones.

    Equal states of one model give equal scores for anything that follows, and can be merged in a search.

    Attributes:
        nodes: Positions of the known n-grams of the last 1, 2, ... words.
    """

    nodes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WordScore:
    """The score of one word of a sentence.

    Attributes:
        word: Word; ``</s>`` for the end of the sentence.
        log10_p: Logarithm (base 10) of its probability after the preceding words.
        order: Length of the longest known n-gram that ends with the word.
        unknown: Whether the word is not in the vocabulary.
    """

    word: str
    log10_p: float
    order: int
    unknown: bool


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of several sentences; each array has one number per sentence.

    Attributes:
        log10_p: Logarithm (base 10) of the probability of the sentence, including its end.
        words: Number of words, not counting the end.
        unknown: Number of words that are not in the vocabulary.
        unknown_log10_p: Part of log10_p that comes from these.
    """

    log10_p: NDArray[np.float64]
    words: NDArray[np.int64]
    unknown: NDArray[np.int64]
    unknown_log10_p: NDArray[np.float64]

    @property
    def tokens(self) -> int:
        """Number of words and sentence ends, over which perplexity is an average."""
        return int(self.words.sum()) + len(self.words)

    def perplexity(self, *, include_unknown: bool = True) -> float:
        """Return 10 ^ (-log10 Pr of all sentences / their tokens), with or without the unknown words.

        Raises:
            DataError: There are no sentences.
        """
        if len(self.words) == 0:
            raise DataError("perplexity needs at least one sentence, found none")
        if include_unknown:
            return _perplexity(float(self.log10_p.sum()), self.tokens)
        known = float(self.log10_p.sum() - self.unknown_log10_p.sum())
        return _perplexity(known, self.tokens - int(self.unknown.sum()))

    def perplexities(self, *, include_unknown: bool = True) -> NDArray[np.float64]:
        """Return the perplexity of each sentence on its own."""
        import numpy as np

        log10_p, tokens = self.log10_p, self.words + 1
        if not include_unknown:
            log10_p, tokens = log10_p - self.unknown_log10_p, tokens - self.unknown
        with np.errstate(over="ignore"):  # infinite, as intended
            values: NDArray[np.float64] = np.power(10.0, -log10_p / tokens)
        return values


def _perplexity(log10_p: float, tokens: int) -> float:
    exponent = -log10_p / tokens
    return float("inf") if exponent > 300 else 10.0**exponent


class NgramModel(ABC, Generic[S]):
    """The interface of all models, of any origin.

    A sentence is a string, to which the model's text pipeline is applied, or a sequence of words.
    """

    pipeline: TextPipeline = TOKENISED

    @property
    @abstractmethod
    def order(self) -> int:
        """The length of the longest n-grams."""

    @property
    @abstractmethod
    def begin(self) -> S:
        """The state at the beginning of a sentence."""

    @property
    @abstractmethod
    def empty(self) -> S:
        """The state without context, for text that does not start at the beginning of a sentence."""

    @abstractmethod
    def advance(self, state: S, word: str) -> tuple[WordScore, S]:
        """Return the score of *word* in *state*, and the state after it; ``</s>`` ends a sentence."""

    @abstractmethod
    def __contains__(self, word: object) -> bool:
        """Return whether *word* is in the vocabulary."""

    def score(self, sentence: Sentence) -> float:
        """Return log10 Pr(*sentence*), including its beginning and end."""
        return self._score_one(sentence)[0]

    def normalised(self, sentence: Sentence) -> float:
        """Return log10 Pr(*sentence*) divided by its number of words, the fluency of PEM.

        An empty sentence counts as one word, since only its end is scored.
        """
        log10_p, words = self._score_one(sentence)
        return log10_p / max(1, words)

    def perplexity(
        self, sentences: Iterable[Sentence], *, include_unknown: bool = True, threads: int | None = None
    ) -> float:
        """Return the perplexity of *sentences*; see `Scores.perplexity`."""
        return self.scores(sentences, threads=threads).perplexity(include_unknown=include_unknown)

    def words(self, sentence: Sentence) -> list[WordScore]:
        """Return the score of each word of *sentence* and of its end."""
        state, scores = self.begin, []
        for word in (*self._tokens(sentence), SENTENCE_END):
            score, state = self.advance(state, word)
            scores.append(score)
        return scores

    def scores(self, sentences: Iterable[Sentence], *, threads: int | None = None) -> Scores:
        """Return the scores of all *sentences*; the number of *threads* affects only the time."""
        import numpy as np

        rows = [self._row(sentence) for sentence in sentences]
        columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
        return Scores(
            np.array(columns[0], dtype=np.float64),
            np.array(columns[1], dtype=np.int64),
            np.array(columns[2], dtype=np.int64),
            np.array(columns[3], dtype=np.float64),
        )

    def _score_one(self, sentence: Sentence) -> tuple[float, int]:
        return self._row(sentence)[:2]

    def _row(self, sentence: Sentence) -> tuple[float, int, int, float]:
        words = self.words(sentence)
        unknown = [word.log10_p for word in words if word.unknown]
        return sum(word.log10_p for word in words), len(words) - 1, len(unknown), sum(unknown)

    def _tokens(self, sentence: Sentence) -> Sequence[str]:
        return self.pipeline(sentence) if isinstance(sentence, str) else sentence


@dataclass(frozen=True, slots=True)
class ModelArrays:
    """A model as arrays, in memory or mapped from files.

    Attributes:
        word_bytes: All words in UTF-8, one after the other.
        word_offsets: Offsets of the beginnings of words, and of the end.
        word_slots: Hash table of the words.
        unigrams: Logarithms (base 10) of the probability and back-off weight of each word.
        tables: Hash tables of n-grams (keys and weights) for orders 2 and above.
        sizes: Number of n-grams of each order.
    """

    word_bytes: NDArray[np.uint8]
    word_offsets: NDArray[np.int64]
    word_slots: NDArray[np.uint64]
    unigrams: NDArray[np.float32]
    tables: tuple[NDArray[np.uint64], ...]
    sizes: tuple[int, ...]

    @classmethod
    def assembled(cls, vocabulary: tuple[Any, Any, Any], model: tuple[Any, Any, Any]) -> ModelArrays:
        """Return the arrays of the native core as one object."""
        unigrams, tables, sizes = model
        return cls(*vocabulary, unigrams, tuple(tables), tuple(map(int, sizes)))


class Vocabulary(Collection[str]):
    """The words of a model, with ``<unk>``, ``<s>`` and ``</s>`` first."""

    def __init__(self, queries: LmQueries, size: int) -> None:
        self._queries = queries
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        return map(self._queries.word, range(self._size))

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word == UNKNOWN_WORD or self._queries.find(word) != 0)


class LanguageModel(NgramModel[State]):
    """A back-off model of any order, trained by `train_lm`, read from an ARPA file, or opened from a folder.

    >>> from paragauge import train_lm
    >>> model = train_lm(["a b", "a b c", "b c"], order=2, smoothing="katz", tokenizer="none")
    >>> model.order, len(model.vocabulary)
    (2, 6)
    >>> round(model.score("a b"), 4) == round(model.score(["a", "b"]), 4)
    True
    """

    def __init__(
        self, arrays: ModelArrays, *, pipeline: TextPipeline = TOKENISED, options: Mapping[str, Any] | None = None
    ) -> None:
        """Wrap *arrays*.

        Args:
            arrays: Arrays of the model.
            pipeline: Text pipeline for strings to score.
            options: Options of the training: ``smoothing``, ``min_counts``, ...
        """
        from paragauge._core import LmQueries

        self.arrays = arrays
        self.pipeline = TOKENISED if pipeline == TOKENISED else pipeline
        self.options: dict[str, Any] = dict(options or {})
        self.manifest: Manifest | None = None
        self._queries = LmQueries(
            arrays.unigrams, list(arrays.tables), arrays.word_bytes, arrays.word_offsets, arrays.word_slots
        )
        self._begin = State(self._queries.begin_state())

    def __repr__(self) -> str:
        sizes = "/".join(f"{size:,}" for size in self.sizes)
        return (
            f"<LanguageModel of order {self.order}, {sizes} n-grams, {self.options.get('smoothing', 'made elsewhere')}>"
        )

    @property
    def order(self) -> int:
        return self._queries.order

    @property
    def queries(self) -> LmQueries:
        """The model as the native core holds it, for the decoder."""
        return self._queries

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of n-grams of each order."""
        return self.arrays.sizes

    @property
    def vocabulary(self) -> Vocabulary:
        """The known words, including reserved ones."""
        return Vocabulary(self._queries, len(self.arrays.unigrams))

    @property
    def begin(self) -> State:
        return self._begin

    @property
    def empty(self) -> State:
        return State()

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

    def advance(self, state: State, word: str) -> tuple[WordScore, State]:
        log10_p, order, nodes = self._queries.advance(state.nodes, word)
        return WordScore(word, log10_p, order, self._queries.find(word) == 0), State(nodes)

    def _score_one(self, sentence: Sentence) -> tuple[float, int]:
        try:
            return self._queries.score_one(sentence if self.pipeline is TOKENISED else self._tokens(sentence))
        except UnicodeEncodeError as error:
            raise _no_text() from error

    def scores(self, sentences: Iterable[Sentence], *, threads: int | None = None) -> Scores:
        import numpy as np

        workers = thread_count(threads)
        remaining = iter(sentences)
        parts = []
        while batch := list(itertools.islice(remaining, _SENTENCES_A_BATCH)):
            parts.append(self._score_batch(batch, workers))
        if len(parts) == 1:
            return Scores(*parts[0])
        return Scores(*(np.concatenate(column) for column in zip(*(parts or [self._score_batch([], 1)]), strict=True)))

    def word_arrays(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.uint8]]:
        """Return the results of `words` for many sentences at once, as arrays of concatenated sentences.

        Returns:
            The numbers of the words in the vocabulary, their log10 p, and the lengths of the n-grams that were found;
            each sentence also has an entry for its end.
        """
        try:
            return self._queries.score_words(sentences)
        except UnicodeEncodeError as error:
            raise _no_text() from error

    def log_odds(self, sentences: Sequence[Sequence[str]], *, rare: float = -math.inf) -> NDArray[np.float64]:
        """Return the syntactic log-odds ratio of each of *sentences*, which are sequences of words.

        The mean of log10 p(word | words before it) - log10 p(word) over known words and the end of the sentence: how
        much more probable words are in their places than anywhere (Pauls & Klein, 2012; Lau, Clark & Lappin, 2017).

        Args:
            sentences: Sequences of words.
            rare: Words with log10 p(word) below this add at least 0: the model has seen too few of their n-grams to
                hold a new one against them.
        """
        try:
            return self._queries.log_odds(sentences, rare)
        except UnicodeEncodeError as error:
            raise _no_text() from error

    def _score_batch(self, sentences: list[Sentence], threads: int) -> tuple[Any, Any, Any, Any]:
        # Splitting at white space happens during lookup, in all threads.
        try:
            texts = [sentence for sentence in sentences if isinstance(sentence, str)]
            if self.pipeline is TOKENISED and len(texts) == len(sentences):
                return self._queries.score_texts(texts, threads)
            if self.pipeline.native and len(texts) == len(sentences):
                return self._queries.score_texts(self.pipeline.lines(texts), threads)
            return self._queries.score_tokens([self._tokens(sentence) for sentence in sentences], threads)
        except UnicodeEncodeError as error:
            raise _no_text() from error

    def save(self, path: PathLike, *, inputs: Mapping[str, str] | None = None, licence: str | None = None) -> None:
        """Write the model as a folder that opens in milliseconds, atomically.

        Args:
            path: Folder to write; an existing language model is replaced.
            inputs: Digests of the training data, by name.
            licence: Licence of the model.
        """
        import numpy as np

        options = {**self.options, "ngrams": list(self.sizes), "text": asdict(self.pipeline)}
        with write_resource(path, KIND, format=FORMAT, options=options, inputs=inputs, licence=licence) as folder:
            for name, array in self._named_arrays():
                np.save(folder / name, array, allow_pickle=False)

    def _named_arrays(self) -> Iterator[tuple[str, Any]]:
        yield "word_bytes.npy", self.arrays.word_bytes
        yield "word_offsets.npy", self.arrays.word_offsets
        yield "word_slots.npy", self.arrays.word_slots
        yield "ngrams.1.npy", self.arrays.unigrams
        for order, table in enumerate(self.arrays.tables, 2):
            yield f"ngrams.{order}.npy", table

    @classmethod
    @steadily
    def open(cls, path: PathLike, *, verify: bool = True) -> LanguageModel:
        """Open the model folder, or read the ARPA file, *path*.

        Args:
            path: A folder written by `save`, whose arrays are mapped; or an ARPA file.
            verify: Check the digests of the folder's files first, which means reading all of them.

        Raises:
            FileError: There is no such file or folder, or it cannot be read.
            DataError: It is not a language model, or it is damaged.
        """
        if Path(path).is_file():
            from paragauge.lm.arpa import read_arpa

            return read_arpa(path)
        manifest = read_manifest(path, KIND, newest_format=FORMAT, verify=verify)
        try:
            sizes = tuple(int(size) for size in manifest.options["ngrams"])
            pipeline = TextPipeline(**manifest.options["text"])
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"manifest.json is damaged ({error})", path=str(path)) from error
        options = {key: value for key, value in manifest.options.items() if key not in ("ngrams", "text")}
        arrays = _map_arrays(Path(path), sizes)
        try:
            model = cls(arrays, pipeline=pipeline, options=options)
        except (TypeError, ValueError) as error:
            raise DataError(f"the arrays are damaged ({str(error).splitlines()[0]})", path=str(path)) from error
        model.manifest = manifest
        return model

    load = open

    @property
    def signature(self) -> str:
        """A digest of a model that was opened from a folder, for the signatures of scores."""
        if self.manifest is None:
            raise OptionError("the model has no digest, because it is not in a folder; save and open it first")
        return self.manifest.digest()


def _no_text() -> DataError:
    return DataError("a sentence contains half a character (a lone surrogate), which is not text")


def _map_arrays(folder: Path, sizes: tuple[int, ...]) -> ModelArrays:
    def mapped(name: str, kind: str, dimensions: int) -> Any:
        return open_array(folder / name, kind, dimensions)

    return ModelArrays(
        mapped("word_bytes.npy", "|u1", 1),
        mapped("word_offsets.npy", "<i8", 1),
        mapped("word_slots.npy", "<u8", 1),
        mapped("ngrams.1.npy", "<f4", 2),
        tuple(mapped(f"ngrams.{order}.npy", "<u8", 2) for order in range(2, len(sizes) + 1)),
        sizes,
    )
