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

    from paragauge import _core

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
_MOST_TOKENS = 1 << 16


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

    @property
    def native(self) -> _core.Expectations:
        """The same for the native core."""
        from paragauge import _core

        return _core.Expectations(model=self.model.queries, log10_shares=self.log10_shares, mark=self._mark)


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


class _Tokens(dict[tuple[str, str], "_core.FluencyToken"]):
    """What the judge sees of tokens and their tags; the common ones are remembered."""

    def __init__(self, grammar: LanguageModel, wording: LanguageModel) -> None:
        self._grammar = grammar
        self._wording = wording

    def __missing__(self, pair: tuple[str, str]) -> _core.FluencyToken:
        if len(self) >= _MOST_TOKENS:
            self.clear()
        token = self[pair] = self._make(*pair)
        return token

    def _make(self, token: str, tag: str) -> _core.FluencyToken:
        from paragauge import _core

        word = token.lower()
        if not is_word(word):
            return _core.FluencyToken(word=_NO_WORD, grammar=0, wording=0, is_small=False, is_mark=is_mark(word))
        grammar, wording = (model.queries.find(class_of(word, tag, model)) for model in (self._grammar, self._wording))
        is_small = tag in _SMALL_TAGS or word in _SMALL_WORDS
        return _core.FluencyToken(word=word, grammar=grammar, wording=wording, is_small=is_small, is_mark=False)


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
    _tokens: _Tokens = field(init=False, repr=False)
    _native: _core.NativeFluency = field(init=False, repr=False)
    _weights: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import numpy as np

        from paragauge import _core

        if set(self.weights) != set(LOSSES) or not all(0 <= self.weights[name] < float("inf") for name in LOSSES):
            raise DataError(
                f"weights of the losses: found {dict(self.weights)}, expected a number of at least 0 for each of "
                + ", ".join(LOSSES)
            )
        settings = _core.FluencySettings(
            easy_end=_EASY_END,
            usual_small_share=_USUAL_SMALL_SHARE,
            spared_small_share=_SPARED_SMALL_SHARE,
            telegram_floor=_TELEGRAM_FLOOR,
            faultless_places=_FAULTLESS_PLACES,
        )
        object.__setattr__(self, "_tokens", _Tokens(self.grammar.model, self.wording.model))
        object.__setattr__(self, "_native", _core.NativeFluency(self.grammar.native, self.wording.native, settings))
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
            if not any(is_word(token) for token, _ in candidate):
                values[number] = 0.0
        return values

    def losses(self, candidates: Sequence[TaggedSentence], originals: Sequence[TaggedSentence]) -> NDArray[np.float64]:
        """Return the `LOSSES` of each candidate, a row each, before they are weighted.

        Raises:
            OptionError: There are more candidates than originals, or fewer.
        """
        if len(candidates) != len(originals):
            raise OptionError(f"found {len(candidates):,} candidates and {len(originals):,} originals, expected pairs")
        return self._native.losses(*(list(map(self._read, each)) for each in (candidates, originals)))

    def _read(self, sentence: TaggedSentence) -> list[_core.FluencyToken]:
        return list(map(self._tokens.__getitem__, sentence))

    def explain(self, candidate: TaggedSentence, original: TaggedSentence, *, most: int = 5) -> FluencyExplanation:
        """Return the losses of one candidate, and at most *most* of its weakest places."""
        losses = self.losses([candidate], [original])[0].tolist()
        weighted = {name: self.weights[name] * loss for name, loss in zip(LOSSES, losses, strict=True)}
        new, grammar, wording = self._native.places(self._read(candidate), self._read(original))
        words = [token.lower() for token, _ in candidate if is_word(token)]
        positions = [position for position, (token, _) in enumerate(candidate) if is_word(token)]
        places = [
            Place(position, token, after, grammar[number], wording[number])
            for number, (position, token, after) in enumerate(
                zip([*positions, len(candidate)], [*words, SENTENCE_END], ["", *words], strict=True)
            )
            if new[number] and max(grammar[number], wording[number]) > 0
        ]
        places.sort(key=lambda place: (-self._cost(place), place.position))
        return FluencyExplanation(
            float(self.fluency([candidate], [original])[0]), weighted, tuple(places[:most]) if words else ()
        )

    def _cost(self, place: Place) -> float:
        if place.token == SENTENCE_END:
            return self.weights["ending"] * max(0.0, (place.grammar + place.wording) / 2 - _EASY_END)
        grammar, wording = max(0.0, place.grammar + min(0.0, place.wording)), max(0.0, place.wording)
        return self.weights["grammar"] * grammar**2 + self.weights["wording"] * wording**2

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
