"""How well the judge of meaning does on judgments that its weights were not learned from."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.judges.fitting import CONTRAST_SHARE, Examples, fit_meaning
from paragauge.judges.meaning import FEATURES, MeaningWeights
from paragauge.learn.validation import Matrix, UnseenSet, group_folds, learning_curve, predict_unseen, unseen_sets
from paragauge.progress import Progress

FEWEST = 10  # originals without which nothing can be left out
_CURVE = (50, 100, 200, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True, slots=True)
class FittingReport:
    """Figures on judgments that were left out of training in turn.

    Attributes:
        sets: Those of each set of judgments; none if there are too few originals to leave any out.
        curve: Pearson's correlation over all sets, by the number of judged pairs learned from.
    """

    sets: tuple[UnseenSet, ...]
    curve: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class MeaningFit:
    """A fit for `paragauge.learn.validation`: its rows have the number of their set in a last column.

    Attributes:
        contrasts: Sets of paraphrases and damaged sentences, learned from every time.
        contrast_share: How much they count.
    """

    contrasts: Sequence[Examples]
    contrast_share: float = CONTRAST_SHARE

    def __call__(self, rows: Matrix, targets: Matrix) -> MeaningWeights:
        """Return the weights learned from *rows*; a set of which all scores are the same says nothing."""
        sets = rows[:, len(FEATURES)]
        judged = [
            Examples(rows[sets == number, : len(FEATURES)], targets[sets == number])
            for number in np.unique(sets).tolist()
            if (sets == number).sum() > 2 and np.ptp(targets[sets == number]) > 0
        ]
        return fit_meaning(judged, self.contrasts, contrast_share=self.contrast_share)


def validate_meaning(
    judged: Sequence[Examples],
    groups: Sequence[Sequence[Hashable]],
    contrasts: Sequence[Examples],
    *,
    contrast_share: float = CONTRAST_SHARE,
    folds: int = 5,
    seed: int = 1,
    progress: Progress | None = None,
) -> FittingReport:
    """Return how well weights do that are learned from part of the examples.

    Args:
        judged: Sets of judged pairs.
        groups: The original of each pair, for each set: an original is in one fold only.
        contrasts: Sets of paraphrases and damaged sentences, which are learned from every time.
        contrast_share: How much they count.
        folds: Number of folds.
        seed: Of the folds and of the learning curve.
        progress: Told of each fit.
    """
    originals = [group for each in groups for group in each]
    if len(set(originals)) < FEWEST:
        return FittingReport((), ())
    number_of = np.concatenate([np.full(len(each.targets), number) for number, each in enumerate(judged)])
    rows = np.column_stack([np.concatenate([each.features for each in judged]), number_of])
    # Scales may differ between sets; the curve is one correlation over all of them.
    targets = np.concatenate([(each.targets - each.targets.mean()) / each.targets.std() for each in judged])
    fold_of = group_folds(originals, folds, seed)
    fit = MeaningFit(contrasts, contrast_share)
    in_folds = predict_unseen([fit], rows, targets, fold_of, progress=progress)[0]
    left_out = predict_unseen([fit], rows, targets, number_of, progress=progress)[0] if len(judged) > 1 else None
    names = [judged[number].name for number in number_of.tolist()]
    curve = learning_curve(fit, rows, targets, fold_of, _CURVE, seed)
    return FittingReport(tuple(unseen_sets(targets, names, in_folds, left_out)), tuple(curve))
