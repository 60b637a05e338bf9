"""Is it English? A number from 0 to 1 for each candidate, and the places that speak against it.

Two n-gram models say how surprising each word is where it stands: how many powers of ten less likely there than
anywhere in English. One looks at *grammar*: only the most frequent words stay words, all others are their Penn tags, so
that no word is unknown. The other looks at *wording*, with tags for rare words alone.

The original is taken for ordinary English. Two neighbouring words that it has, too, are above suspicion, so that names
and terms cost nothing and a copy is perfectly fluent; only new neighbours are judged. Five losses, none below zero, say
what is wrong, and

    fluency = exp(-sum of weight * loss)

grammar, wording
    The mean squared surprise at new places. A place where a word is at least as likely as anywhere counts as zero, and
    a likely wording takes away from the surprise at its grammar, since taggers err.
ending
    The surprise of both models that the sentence ends where it does.
doubling
    Words that stand twice in a row, as a share of new places.
telegram
    Small words missing: how far their share falls short, by more than chance, of the original's or of what is usual,
    times the mean surprise at the grammar of new places and a little more. Sentences with few small words that fit
    together are hardly telegrams.

Case and final punctuation do not count. Any punctuation between two words is the same mark.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike, file_error
from paragauge.judges.marked import NAME_TAGS, word_set
from paragauge.lm.model import LanguageModel
from paragauge.resource import SHIPPED, Manifest, read_manifest, steadily, write_resource
from paragauge.storage.store import open_array

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KIND = "fluency-model"
FORMAT = 1
MODEL_FOLDER = SHIPPED / "judges" / "default" / "fluency"

TaggedSentence: TypeAlias = Sequence[tuple[str, str]]
"""Penn tokens in lower case, with their Penn tags."""

LOSSES = ("grammar", "wording", "ending", "doubling", "telegram")

MARK = "|"
"""What any punctuation between two words is to the models. No word and no tag is spelled like this."""
SENTENCE_END = "</s>"

_MARK_CHARACTERS = frozenset(",;:.?!()[]{}-–—…")
_RESERVED = frozenset({"<unk>", "<s>", SENTENCE_END})
_SMALL_TAGS = word_set("DT PDT IN TO CC MD PRP PRP$ EX WDT WP WP$ WRB RP POS")
_SMALL_WORDS = word_set("be am is are was were been being 's 're 'm 've 'd have has had having do does did not n't")
_NO_WORD = ""
_OTHER_TAG = "XX"

# No loss yet: an end where sentences seldom end, and a lack of small words that may be chance in a short sentence.
_EASY_END = 0.3
_USUAL_SMALL_SHARE = 0.4
_TELEGRAM_FLOOR = 0.2  # what missing small words cost without any surprise
_SPARED_SMALL_SHARE = 0.35  # divided by the square root of the number of words
# Few new places say little: as if there were two more without a fault.
_FAULTLESS_PLACES = 2
_MOST_ENTRIES = 1 << 16


def class_of(word: str, tag: str, kept: Any) -> str:
    """Return what a model sees of a word: the word if it is among those *kept* and no name, else its tag."""
    if tag not in NAME_TAGS and word not in _RESERVED and word in kept:
        return word
    return _OTHER_TAG if tag in ("", MARK) else tag


def is_word(token: str) -> bool:
    """Return whether a token has a letter or digit."""
    return any(map(str.isalnum, token))


def is_mark(token: str) -> bool:
    """Return whether a token that is no word separates words; signs like ``$`` and quotation marks do not."""
    return not _MARK_CHARACTERS.isdisjoint(token)


@dataclass(frozen=True, eq=False)
class Expectations:
    """What may stand where: an n-gram model of classes, and how frequent each class is anywhere.

    Attributes:
        model: The n-gram model.
        log10_shares: log10 of the share of each class in text, by its number in the model's vocabulary.
    """

    model: LanguageModel
    log10_shares: NDArray[np.float32]
    _mark: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.log10_shares) != len(self.model.vocabulary):
            raise DataError(
                f"found {len(self.log10_shares):,} shares of classes, expected {len(self.model.vocabulary):,}, one for "
                "each class of the language model"
            )
        numbers, _, _ = self.model.word_arrays([[MARK]])
        if numbers[0] == 0:
            raise DataError(f"the language model does not know punctuation, expected the class {MARK!r} for it")
        object.__setattr__(self, "_mark", int(numbers[0]))

    def surprises(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the surprise at each word and at the end of each sentence of classes, one after the other.

        Marks have no entry of their own. An unknown class surprises nobody.
        """
        import numpy as np

        numbers, log10_p, _ = self.model.word_arrays(sentences)
        surprises = self.log10_shares[numbers].astype(np.float64) - log10_p
        surprises[numbers == 0] = 0.0
        kept: NDArray[np.float64] = surprises[numbers != self._mark]
        return kept


@dataclass(frozen=True, slots=True)
class Place:
    """A place that speaks against a sentence.

    Attributes:
        position: The position of the token; one past the last for the end of the sentence.
        token: The token, ``</s>`` for the end.
        after: The word before it, empty at the beginning.
        grammar: The surprise of the model of grammar, in powers of ten.
        wording: The surprise of the model of wording.
    """

    position: int
    token: str
    after: str
    grammar: float
    wording: float


@dataclass(frozen=True, slots=True)
class FluencyExplanation:
    """Why a candidate has its fluency.

    Attributes:
        fluency: From 0 to 1.
        losses: Each loss times its weight; fluency is exp(-their sum). Of an empty candidate, all are zero.
        places: The weakest new places, worst first.
    """

    fluency: float
    losses: Mapping[str, float]
    places: tuple[Place, ...]


# A token as the judge sees it: the word or nothing, its class in grammar, its class in wording, whether it is small.
_Entry: TypeAlias = tuple[str, str, str, bool]


class _Entries(dict[tuple[str, str], _Entry]):
    """What the judge sees of tokens and their tags; the common ones are remembered."""

    def __init__(self, grammar: LanguageModel, wording: LanguageModel) -> None:
        self._grammar = grammar
        self._wording = wording

    def __missing__(self, pair: tuple[str, str]) -> _Entry:
        if len(self) >= _MOST_ENTRIES:
            self.clear()
        entry = self[pair] = self._make(*pair)
        return entry

    def _make(self, token: str, tag: str) -> _Entry:
        word = token.lower()
        if not is_word(word):
            mark = MARK if is_mark(word) else ""
            return _NO_WORD, mark, mark, False
        is_small = tag in _SMALL_TAGS or word in _SMALL_WORDS
        return word, class_of(word, tag, self._grammar), class_of(word, tag, self._wording), is_small


@dataclass(frozen=True, slots=True)
class _Candidate:
    words: list[str]
    grammar: list[str]
    wording: list[str]
    small_share: float


@dataclass(frozen=True, eq=False)
class FluencyModel:
    """The judge of fluency.

    Attributes:
        grammar: Expectations of classes: frequent words, else tags.
        wording: Expectations of words: tags for rare words alone.
        weights: The weight of each of `LOSSES`.
    """

    grammar: Expectations
    wording: Expectations
    weights: Mapping[str, float]
    manifest: Manifest | None = None
    _entries: _Entries = field(init=False, repr=False)
    _weights: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import numpy as np

        if set(self.weights) != set(LOSSES) or not all(0 <= self.weights[name] < float("inf") for name in LOSSES):
            raise DataError(
                f"weights of the losses: found {dict(self.weights)}, expected a number of at least 0 for each of "
                + ", ".join(LOSSES)
            )
        object.__setattr__(self, "_entries", _Entries(self.grammar.model, self.wording.model))
        object.__setattr__(self, "_weights", np.array([self.weights[name] for name in LOSSES]))

    def fluency(self, candidates: Sequence[TaggedSentence], originals: Sequence[TaggedSentence]) -> NDArray[np.float64]:
        """Return the fluency, from 0 to 1, of each candidate for its original; 0 for one without any word.

        Raises:
            OptionError: There are more candidates than originals, or fewer.
        """
        import numpy as np

        losses = self.losses(candidates, originals)
        values: NDArray[np.float64] = np.exp(-(losses * self._weights).sum(axis=1))
        for number, candidate in enumerate(candidates):
            if not any(self._entries[pair][0] for pair in candidate):
                values[number] = 0.0
        return values

    def losses(self, candidates: Sequence[TaggedSentence], originals: Sequence[TaggedSentence]) -> NDArray[np.float64]:
        """Return the `LOSSES` of each candidate, a row each, before they are weighted.

        Raises:
            OptionError: There are more candidates than originals, or fewer.
        """
        import numpy as np

        if len(candidates) != len(originals):
            raise OptionError(f"found {len(candidates):,} candidates and {len(originals):,} originals, expected pairs")
        if not candidates:
            return np.zeros((0, len(LOSSES)))
        read = [self._read(candidate) for candidate in candidates]
        new: list[bool] = []
        doubled: list[int] = []
        missing: list[float] = []
        for one, original in zip(read, originals, strict=True):
            words, small_share = self._words(original)
            mine = _new_places(one.words, words)
            new += mine
            doubled.append(_count_doubled(one.words, mine))
            spared = _SPARED_SMALL_SHARE / max(1, len(one.words)) ** 0.5
            missing.append(min(small_share, _USUAL_SMALL_SHARE) - one.small_share - spared)
        ends = np.cumsum([len(one.words) + 1 for one in read])
        starts = np.zeros_like(ends)
        starts[1:] = ends[:-1]
        is_new = np.array(new)
        grammar = self.grammar.surprises([one.grammar for one in read])
        wording = self.wording.surprises([one.wording for one in read])
        mean_at_end = (grammar[ends - 1] + wording[ends - 1]) / 2
        ending = np.where(is_new[ends - 1], np.maximum(0.0, mean_at_end - _EASY_END), 0.0)
        is_new[ends - 1] = False  # the end has its own loss
        places = np.add.reduceat(is_new, starts, dtype=np.float64) + _FAULTLESS_PLACES
        surprise = np.add.reduceat(np.maximum(0.0, grammar) * is_new, starts) / places
        telegram = np.maximum(0.0, missing) * (_TELEGRAM_FLOOR + surprise)
        grammar += np.minimum(0.0, wording)
        squares = [np.add.reduceat(np.maximum(0.0, values) ** 2 * is_new, starts) for values in (grammar, wording)]
        columns = [squares[0] / places, squares[1] / places, ending, doubled / places, telegram]
        found: NDArray[np.float64] = np.stack(columns, axis=1)
        return found

    def explain(self, candidate: TaggedSentence, original: TaggedSentence, *, most: int = 5) -> FluencyExplanation:
        """Return the losses of one candidate, and at most *most* of its weakest places."""
        losses = self.losses([candidate], [original])[0].tolist()
        weighted = {name: self.weights[name] * loss for name, loss in zip(LOSSES, losses, strict=True)}
        read = self._read(candidate)
        new = _new_places(read.words, self._words(original)[0])
        grammar = self.grammar.surprises([read.grammar]).tolist()
        wording = self.wording.surprises([read.wording]).tolist()
        positions = [position for position, (token, _) in enumerate(candidate) if is_word(token)]
        places = [
            Place(position, token, after, grammar[number], wording[number])
            for number, (position, token, after) in enumerate(
                zip([*positions, len(candidate)], [*read.words, SENTENCE_END], ["", *read.words], strict=True)
            )
            if new[number] and max(grammar[number], wording[number]) > 0
        ]
        places.sort(key=lambda place: (-self._cost(place), place.position))
        return FluencyExplanation(
            float(self.fluency([candidate], [original])[0]), weighted, tuple(places[:most]) if read.words else ()
        )

    def _cost(self, place: Place) -> float:
        if place.token == SENTENCE_END:
            return self.weights["ending"] * max(0.0, (place.grammar + place.wording) / 2 - _EASY_END)
        grammar, wording = max(0.0, place.grammar + min(0.0, place.wording)), max(0.0, place.wording)
        return self.weights["grammar"] * grammar**2 + self.weights["wording"] * wording**2

    def _read(self, sentence: TaggedSentence) -> _Candidate:
        words: list[str] = []
        grammar: list[str] = []
        wording: list[str] = []
        small = 0
        marked = False
        for word, in_grammar, in_wording, is_small in map(self._entries.__getitem__, sentence):
            if word:
                if marked and words:  # marks count once, and between words
                    grammar.append(MARK)
                    wording.append(MARK)
                marked = False
                words.append(word)
                grammar.append(in_grammar)
                wording.append(in_wording)
                small += is_small
            elif in_grammar:
                marked = True
        return _Candidate(words, grammar, wording, small / max(1, len(words)))

    def _words(self, sentence: TaggedSentence) -> tuple[list[str], float]:
        entries = [entry for entry in map(self._entries.__getitem__, sentence) if entry[0]]
        return [entry[0] for entry in entries], sum(entry[3] for entry in entries) / max(1, len(entries))

    def save(self, path: PathLike, *, inputs: Mapping[str, str] | None = None, licence: str | None = None) -> None:
        """Write the model as a folder, atomically.

        Args:
            path: The folder; a fluency model that is there is replaced.
            inputs: Digests of what it was made from, by name.
            licence: Under which terms it may be passed on.
        """
        import numpy as np

        with write_resource(path, KIND, format=FORMAT, inputs=inputs, licence=licence) as folder:
            for name, part in (("grammar", self.grammar), ("wording", self.wording)):
                part.model.save(folder / name)
                np.save(folder / f"{name}.shares.npy", part.log10_shares, allow_pickle=False)
            text = json.dumps({name: self.weights[name] for name in LOSSES}, indent=2)
            (folder / "weights.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    @steadily
    def open(cls, path: PathLike = MODEL_FOLDER, *, verify: bool = True) -> FluencyModel:
        """Open the model folder *path*, the one that ships unless told otherwise.

        Args:
            path: A folder that `save` wrote; its arrays are mapped.
            verify: Compare the digests of the folder's files first, which reads all of them.

        Raises:
            FileError: There is nothing, or it cannot be read.
            DataError: It is something else, or damaged.
        """
        manifest = read_manifest(path, KIND, newest_format=FORMAT, verify=verify)
        folder = Path(path)
        try:
            grammar, wording = _open_part(folder, "grammar"), _open_part(folder, "wording")
            return cls(grammar, wording, _read_weights(folder / "weights.json"), manifest)
        except DataError as error:
            if error.path is not None:
                raise
            raise DataError(str(error), path=str(path)) from error


def _open_part(folder: Path, name: str) -> Expectations:
    model = LanguageModel.load(folder / name, verify=False)
    return Expectations(model, open_array(folder / f"{name}.shares.npy", "<f4"))


def _read_weights(file: Path) -> dict[str, float]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return {str(name): float(value) for name, value in found.items()}
    except OSError as error:
        raise file_error(file, error, "read") from error
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise DataError(f"is damaged ({error}), expected the weights of the losses as JSON", path=str(file)) from error


def _new_places(words: Sequence[str], original: Sequence[str]) -> list[bool]:
    """Return for each word and the end whether the original lacks it right after the word before."""
    known = set(zip([_NO_WORD, *original], [*original, _NO_WORD], strict=True))
    return [pair not in known for pair in zip([_NO_WORD, *words], [*words, _NO_WORD], strict=True)]


def _count_doubled(words: Sequence[str], new: Sequence[bool]) -> int:
    return sum(new[number] and words[number] == words[number - 1] for number in range(1, len(words)))
