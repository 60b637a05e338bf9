"""Training of the judges: the examples that weights are learned from, and a model with new weights."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from paragauge.corpora.judged_pairs import JudgedPairs
from paragauge.errors import DataError
from paragauge.judges.damage import DAMAGES, Damager
from paragauge.judges.fitting import CONTRAST_SHARE, Examples, fit_meaning
from paragauge.judges.meaning import FEATURES
from paragauge.judges.model import JudgeModel
from paragauge.judges.unseen import FittingReport, validate_meaning
from paragauge.progress import Progress
from paragauge.text.language import LanguageReport

# Words in another order may say the same or nothing at all: that is for the judge of fluency.
CONTRAST_KINDS = tuple(name for name, each in DAMAGES.items() if each.spoils != "fluency" and each.spoils != "nothing"
                       and name != "shuffled")  # fmt: skip
_EVERY = 3  # each pair is damaged in every third way, the next pair in the next ones
_BLOCK = 512
_FOREIGN = 0.1  # share of pairs in another language that is worth a warning

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Paraphrases:
    """Pairs of sentences that people wrote as paraphrases.

    Attributes:
        name: Name of the set, for messages and the card.
        pairs: The sentences.
    """

    name: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """Judged pairs of one origin.

    Attributes:
        name: Name of the set, for messages and the card.
        pairs: The judgments; the mean over judges is used.
    """

    name: str
    pairs: JudgedPairs


def refit(
    model: JudgeModel,
    judged: Sequence[JudgedSet],
    paraphrases: Sequence[Paraphrases],
    *,
    contrast_share: float = CONTRAST_SHARE,
    seed: int = 1,
    progress: Progress | None = None,
) -> tuple[JudgeModel, FittingReport]:
    """Return *model* with weights of meaning learned from these examples, and how well it does on unseen judgments.

    Its tables and its judge of fluency stay.

    Args:
        model: The model that provides vectors, translations and the judge of fluency.
        judged: Sets with people's scores of how much two sentences mean the same; scales may differ between sets.
        paraphrases: Sets of paraphrases, which are damaged to learn the weight of single changes.
        contrast_share: Weight of the latter for the checks, from 0 to 1.
        seed: Of the damages, and of the folds of the report.
        progress: Told of the pairs whose features are known, and of each fit.

    Raises:
        DataError: A set is too small, or all its scores are the same.
    """
    for each in judged:
        found = LanguageReport.of([(row.original, row.candidate) for row in each.pairs])
        if found.main is not None and found.share >= _FOREIGN:
            logger.warning("%s: %s; the judges support English only", each.name, found.sentence())
    people = [judged_examples(model, each, progress=progress) for each in judged]
    contrasts = [contrast_examples(model, each, seed=seed, progress=progress) for each in paraphrases]
    weights = fit_meaning(people, contrasts, contrast_share=contrast_share)
    originals = [[row.original for row in each.pairs.mean_over_judges()] for each in judged]
    unseen = validate_meaning(people, originals, contrasts, contrast_share=contrast_share, seed=seed, progress=progress)
    return replace(model, weights=weights, manifest=None), unseen


def judged_examples(model: JudgeModel, judged: JudgedSet, *, progress: Progress | None = None) -> Examples:
    """Return the features of judged pairs with the means over their judges."""
    rows = list(judged.pairs.mean_over_judges())
    if not rows:
        raise DataError(f"{judged.name}: there is no overall score to learn from; expected the criterion 'overall'")
    pairs = [(row.original, row.candidate) for row in rows]
    targets = np.array([row.score for row in rows], dtype=np.float64)
    return Examples(pair_features(model, pairs, judged.name, progress), targets, judged.name)


def contrast_examples(
    model: JudgeModel, paraphrases: Paraphrases, *, seed: int = 1, progress: Progress | None = None
) -> Examples:
    """Return the features of `contrast_pairs`."""
    pairs, targets = contrast_pairs(paraphrases, seed=seed)
    return Examples(pair_features(model, pairs, paraphrases.name, progress), np.array(targets), paraphrases.name)


def contrast_pairs(paraphrases: Paraphrases, *, seed: int = 1) -> tuple[list[tuple[str, str]], list[float]]:
    """Return paraphrases (1) and both sides of them, damaged (0), each beside its original."""
    damager = Damager([text for pair in paraphrases.pairs for text in pair], seed=seed)
    pairs = list(paraphrases.pairs)
    targets = [1.0] * len(pairs)
    for number, kind in enumerate(CONTRAST_KINDS):
        chosen = [pair for place, pair in enumerate(paraphrases.pairs) if place % _EVERY == number % _EVERY]
        for side in (0, 1):
            damaged = damager.damage(kind, [pair[side] for pair in chosen])
            made = [(pair[0], text) for pair, text in zip(chosen, damaged, strict=True) if text is not None]
            pairs += made
            targets += [0.0] * len(made)
    return pairs, targets


def pair_features(
    model: JudgeModel, pairs: Sequence[tuple[str, str]], name: str, progress: Progress | None = None
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return what the judge of meaning sees in pairs of original and candidate, an array (pairs, features)."""
    rows = np.empty((len(pairs), len(FEATURES)))
    for begin in range(0, len(pairs), _BLOCK):
        block = pairs[begin : begin + _BLOCK]
        readings = model.reader.read([text for pair in block for text in pair])
        for place, (original, candidate) in enumerate(zip(readings[::2], readings[1::2], strict=True)):
            found = model.weigh(original, candidate).features
            rows[begin + place] = [found[feature] for feature in FEATURES]
        if progress is not None:
            progress(min(begin + _BLOCK, len(pairs)), len(pairs), name)
    return rows
