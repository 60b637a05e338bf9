"""The judges' model: one folder with everything needed to judge a paraphrase.

It holds word vectors, translations to be shown as reasons, the fluency model, and ``judges.json`` with the weights; the
tagger, the parser and WordNet are those that ship. Opening it runs no code from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.analysis.builtin import Builtin
from paragauge.analysis.lexicon import Lexicon
from paragauge.errors import DataError, FileError
from paragauge.io import PathLike
from paragauge.judges.fluency import FluencyModel
from paragauge.judges.likeness import Likeness
from paragauge.judges.meaning import CHECKS, LOSSES, MeaningEvidence, MeaningWeights, weigh_evidence
from paragauge.judges.reading import Reader, Reading
from paragauge.judges.settings import JudgeSettings
from paragauge.judges.vectors import WordVectors
from paragauge.judges.verdict import difference, verdict
from paragauge.matching.pivot import BagOptions, PivotBags
from paragauge.phrases.table import PhraseTable
from paragauge.resource import DEFAULT, SHIPPED, Manifest, ModelOpener, read_manifest, steadily, write_resource
from paragauge.text.pipeline import TextPipeline

KIND = "judges"
FORMAT = 1
MOST_CHARACTERS = 100_000  # of a text

_SHIPPED = SHIPPED / "judges" / DEFAULT
_SETTINGS, _CARD, _VECTORS, _FLUENCY = "judges.json", "card.md", "vectors", "fluency"
_TRANSLATIONS = "translations-"
_BEAMS = (3, 1, 1)  # of tagger and parser: a greedy parse is good enough here, and three times as fast
_ORDER = 4  # of the n-grams of shared wording


@dataclass(frozen=True, slots=True)
class Judgments:
    """The three judges' numbers for many pairs, each from 0 to 1.

    Attributes:
        meaning: Does it say the same?
        fluency: Is it good English?
        difference: Is it worded differently?
    """

    meaning: NDArray[np.float64]
    fluency: NDArray[np.float64]
    difference: NDArray[np.float64]

    @property
    def values(self) -> NDArray[np.float64]:
        """The verdict, from 1 to 5."""
        return verdict(self.meaning, self.fluency, self.difference)


@dataclass(frozen=True, eq=False)
class JudgeModel:
    """Three judges.

    Attributes:
        vectors: Word vectors from translations.
        translations: Tables of stems and words of other languages, to show why two words are alike.
        fluency: The judge of fluency.
        weights: Weights of the judge of meaning.
        card: The model card, as Markdown.
        manifest: The manifest of the folder that the model was opened from.
        settings: Settings of the judges.
    """

    vectors: WordVectors
    translations: Mapping[str, PhraseTable]
    fluency: FluencyModel
    weights: MeaningWeights
    card: str = ""
    manifest: Manifest | None = None
    settings: JudgeSettings = field(default_factory=JudgeSettings)
    likeness: Likeness = field(init=False)
    reader: Reader = field(init=False)
    analysis: str = field(init=False)  # what signatures say of the tagger and parser
    _wording: PivotBags = field(init=False)

    def __post_init__(self) -> None:
        lexicon = Lexicon.load()
        analysis = Builtin(Builtin.load().model, _BEAMS)
        reader = Reader(
            TextPipeline(tokenizer="penn"),
            lambda sentences: analysis.analyse(sentences, dependencies=True),
            lexicon,
            self.vectors,
        )
        object.__setattr__(self, "likeness", Likeness(lexicon, self.vectors, self.settings))
        object.__setattr__(self, "reader", reader)
        object.__setattr__(self, "analysis", analysis.signature)
        # Without a table every word is its own edge, and an n-gram weighs as much as the product of its edges.
        options = BagOptions(max_order=_ORDER, unknown=self.settings.decay, min_weight=0)
        object.__setattr__(self, "_wording", PivotBags(None, options))

    @cached_property
    def digest(self) -> str:
        """The digest that signatures carry."""
        if self.manifest is None:
            raise DataError("the model has no folder and therefore no digest; save it and open it first")
        return self.manifest.digest()

    def with_card(self, card: str) -> JudgeModel:
        """Return the model with another *card*."""
        return replace(self, card=card)

    def judge(self, candidates: Sequence[str], *, originals: Sequence[str], threads: int | None = None) -> Judgments:
        """Return the judgments of each candidate.

        Raises:
            DataError: A pair of sentences is too long; the message names the segment.
        """
        for texts in (originals, candidates):
            for number, text in enumerate(texts, start=1):
                if len(text) > MOST_CHARACTERS:  # before it is tagged and parsed for a minute
                    raise DataError(
                        f"segment {number} has a text of {len(text):,} characters; the judges compare each word with "
                        f"each, and stop at {MOST_CHARACTERS:,}: split the segment"
                    )
        readings = self.reader.read([*originals, *candidates])
        ours, theirs = readings[: len(originals)], readings[len(originals) :]
        meaning = np.zeros(len(theirs))
        for number, (original, candidate) in enumerate(zip(ours, theirs, strict=True)):
            meaning[number] = self._meaning(original, candidate, number)
        shared = self.shared_wording(ours, theirs, threads=threads)
        fluency = self.fluency.fluency([each.tagged for each in theirs], [each.tagged for each in ours])
        return Judgments(meaning, fluency, difference(shared))

    def weigh(self, original: Reading, candidate: Reading) -> MeaningEvidence:
        """Return the evidence that the judge of meaning finds in a pair."""
        return weigh_evidence(original, candidate, self.likeness)

    def _meaning(self, original: Reading, candidate: Reading, number: int) -> float:
        if original.is_empty or candidate.is_empty:  # nothing said, nothing kept; marks alone may be copied
            return float(original.surface == candidate.surface != ())
        try:
            return self.weights.meaning(self.weigh(original, candidate).features)
        except DataError as error:
            raise DataError(f"segment {number + 1}: {error}") from error

    def shared_wording(
        self, originals: Sequence[Reading], candidates: Sequence[Reading], *, threads: int | None = None
    ) -> NDArray[np.float64]:
        """Return F1 of the stemmed n-grams, without punctuation, that each pair has in common; 1 for a copy."""
        overlap = self._wording.overlap(map(_stems, originals), map(_stems, candidates), threads=threads)
        shared = overlap.f1()
        for number, (original, candidate) in enumerate(zip(originals, candidates, strict=True)):
            if original.is_empty and original.surface == candidate.surface:
                shared[number] = 1.0
        return shared

    def save(
        self, path: PathLike, *, options: Mapping[str, Any], inputs: Mapping[str, str], licence: str | None = None
    ) -> None:
        """Write the model as a folder, whole or not at all; an existing model is replaced."""
        with write_resource(path, KIND, format=FORMAT, options=options, inputs=inputs, licence=licence) as folder:
            (folder / _VECTORS).mkdir()
            self.vectors.save(folder / _VECTORS)
            for language, table in self.translations.items():
                table.save(folder / f"{_TRANSLATIONS}{language}", licence=licence, compact=True)
            self.fluency.save(folder / _FLUENCY)
            settings = {
                "translations": list(self.translations),
                "settings": self.settings.to_dict(),
                "losses": dict(zip(LOSSES, self.weights.losses, strict=True)),
                "checks": dict(zip(CHECKS, self.weights.checks, strict=True)),
            }
            (folder / _SETTINGS).write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
            (folder / _CARD).write_text(self.card, encoding="utf-8")

    @classmethod
    @steadily
    def open(cls, path: PathLike, *, verify: bool = True) -> JudgeModel:
        """Open the model folder *path*; *verify* compares the digests of all files first, which reads them.

        Raises:
            FileError: There is no such folder.
            DataError: It is something else, too new, or damaged.
        """
        folder = Path(path)
        manifest = read_manifest(folder, KIND, newest_format=FORMAT, verify=verify)
        try:
            settings = json.loads((folder / _SETTINGS).read_text(encoding="utf-8"))
            _check_names(settings, manifest, folder / _SETTINGS)
            weights = MeaningWeights(
                tuple(_weight(settings["losses"][name]) for name in LOSSES),
                tuple(_weight(settings["checks"][name]) for name in CHECKS),
            )
            languages = [str(language) for language in settings["translations"]]
            if not all(language.isalnum() for language in languages):
                raise DataError(f"the names of languages are {languages}, expected letters", path=str(path))
            return cls(
                WordVectors.open(folder / _VECTORS),
                {
                    language: PhraseTable.open(folder / f"{_TRANSLATIONS}{language}", verify=False)
                    for language in languages
                },
                FluencyModel.open(folder / _FLUENCY, verify=False),
                weights,
                (folder / _CARD).read_text(encoding="utf-8"),
                manifest,
                JudgeSettings.from_dict(settings["settings"]),
            )
        except (DataError, FileError):
            raise
        except (OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            raise DataError(f"the judges' model is damaged ({what}); copy or train it again", path=str(path)) from error


def _check_names(settings: Mapping[str, Any], manifest: Manifest, file: Path) -> None:
    """Check that a model has the weights and settings of this version, no fewer and no others.

    Raises:
        DataError: It was made by a version that has others.
    """
    expected = {"losses": LOSSES, "checks": CHECKS, "settings": tuple(field.name for field in fields(JudgeSettings))}
    lacks: list[str] = []
    unknown: list[str] = []
    for part, names in expected.items():
        found = settings.get(part, {})
        lacks += [f"{part}.{name}" for name in names if name not in found]
        unknown += [f"{part}.{name}" for name in found if name not in names]
    if lacks or unknown:
        differs = [f"{what} {', '.join(names)}" for what, names in (("lacks", lacks), ("also has", unknown)) if names]
        raise DataError(
            f"the judges were fitted by another version of paragauge ({manifest.made_by}): the model "
            f"{' and '.join(differs)}; fit it again (paragauge pem judges), or use the version that made it",
            path=str(file),
        )


def _weight(value: object) -> float:
    weight = float(value)  # type: ignore[arg-type]
    if not 0 <= weight < 1000:
        raise ValueError(f"a weight is {weight}, expected a number of at least 0")
    return weight


def _stems(reading: Reading) -> str:
    return " ".join(word.stem for word in reading.words if not word.is_mark)


open_judges = ModelOpener(JudgeModel.open, _SHIPPED)
