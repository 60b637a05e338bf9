"""Learn the networks of a link model from hand-aligned sentence pairs.

Each round is one network with a hidden layer, fitted by stochastic gradient descent with adaptive steps. A round learns
from what earlier rounds say of sentences that they have not seen: the pairs are dealt into folds, and the surroundings
of each cell come from networks that learned from the other folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.align.aligner import Aligner
from paragauge.align.annotated import AlignedPairs
from paragauge.align.encode import windows
from paragauge.align.options import AlignerOptions
from paragauge.monolingual.aligner import Knowledge, Run, native_model, prior_grids
from paragauge.monolingual.words import Batch
from paragauge.threads import thread_count

Numbers = NDArray[np.float32]

ROUNDS = 3
_POSSIBLE = 0.5  # how much a possible link counts as evidence against a link
_DECAYS = (0.9, 0.99)


@dataclass(frozen=True, slots=True)
class Schedule:
    """How networks are fitted.

    Attributes:
        units: Size of the hidden layer.
        epochs: Passes over the data.
        rate: First step size; it falls to 0.
        decay: Pull of all weights of the hidden layer towards 0.
        block: Cells per step.
        folds: Number of folds.
        networks: How many networks, from different random numbers, are averaged in each round.
        dropout: Share of hidden units that are left out, others for each cell and step.
    """

    units: int = 64
    epochs: int = 24
    rate: float = 3e-3
    decay: float = 1e-5
    block: int = 1024
    folds: int = 2
    networks: int = 1
    dropout: float = 0.3


@dataclass(frozen=True, eq=False)
class GoldPairs:
    """Hand-aligned pairs as a link model sees them.

    Attributes:
        gold: The pairs.
        knowledge: What is known of their language.
        statistical: Whether to train a statistical aligner on them and to take its links as evidence.
        places: Numbers of the pairs to take; all by default.
        weight: How much each cell counts when networks are learned.
    """

    gold: AlignedPairs
    knowledge: Knowledge
    statistical: bool = False
    places: tuple[int, ...] | None = None
    weight: float = 1.0

    @cached_property
    def _pairs(self) -> list[tuple[list[str], list[str]]]:
        both = list(zip(self.gold.pairs.source, self.gold.pairs.target, strict=True))
        return [(both[place][0].split(), both[place][1].split()) for place in self._places]

    @cached_property
    def _places(self) -> Sequence[int]:
        return range(len(self.gold)) if self.places is None else self.places

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def batch(self) -> Batch:
        """The pairs with the facts about their words."""
        ours, theirs = ([pair[side] for pair in self._pairs] for side in (0, 1))
        tagged = self.knowledge.tag([*ours, *theirs], thread_count(None))
        return self.knowledge.book.batch(tagged[: len(ours)], tagged[len(ours) :])

    @cached_property
    def prior(self) -> Numbers | None:
        """The links of a statistical aligner that was trained on the same pairs."""
        if not self.statistical:
            return None
        ours, theirs = ([pair[side] for pair in self._pairs] for side in (0, 1))
        aligner = Aligner.train(ours, theirs, options=AlignerOptions(monolingual=True))
        aligned = aligner.align_scored(ours, theirs, method="agreement", threshold=0.01)
        return prior_grids(windows(self.batch.source[1], self.batch.target[1], 1 << 40), aligned)

    def run(self, networks: Sequence[Numbers], *, rounds: int | None = None, evidence: bool = True) -> Run:
        """Return all cells after *rounds* of *networks*, with the evidence that the next round sees."""
        native = native_model(self.knowledge, networks)
        starts, cells, probabilities, first, rows = native.run(
            self.batch.facts, self.batch.source, self.batch.target,
            prior=self.prior, rounds=rounds, threshold=0.0, features=evidence, threads=thread_count(None),
        )  # fmt: skip
        return Run(starts, cells.reshape(-1, 2), probabilities, first, rows.reshape(-1, len(_core.LINK_EVIDENCE)))

    def labels(self, run: Run) -> tuple[Numbers, Numbers]:
        """Return for each cell whether it is a sure link, and how much that counts."""
        truth: Numbers = np.zeros(len(run.cells), dtype=np.float32)
        weights: Numbers = np.full(len(run.cells), self.weight, dtype=np.float32)
        cells = list(map(tuple, run.cells.tolist()))
        for place, (begin, end) in zip(self._places, pairwise(run.starts.tolist()), strict=True):
            gold = self.gold.links[place]
            for number in range(begin, end):
                if cells[number] in gold.sure:
                    truth[number] = 1.0
                elif cells[number] in gold.possible:
                    weights[number] *= _POSSIBLE
        return truth, weights

    def folds(self, count: int) -> NDArray[np.int64]:
        """Return the fold of each pair; pairs that share a sentence are in the same."""
        return sentence_groups(self._pairs) % count

    @property
    def sure(self) -> int:
        """Number of sure links."""
        return sum(len(self.gold.links[place].sure) for place in self._places)

    def f1(self, networks: Sequence[Numbers], threshold: float = 0.5) -> tuple[float, float, float]:
        """Return precision, recall and F1 of the links above *threshold* against the sure links."""
        run = self.run(networks, evidence=False)
        truth, _ = self.labels(run)
        found = run.probabilities >= threshold
        right = float(truth[found].sum())
        precision, recall = right / max(1, int(found.sum())), right / max(1, self.sure)
        return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def sentence_groups(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> NDArray[np.int64]:
    """Return the group of each pair: pairs that share a sentence, but for case, directly or through others, are one.

    >>> sentence_groups([(["A"], ["b"]), (["c"], ["d"]), (["e"], ["a"])]).tolist()
    [0, 1, 0]
    """
    leaders: dict[str, str] = {}

    def leader(text: str) -> str:
        while leaders.setdefault(text, text) != text:
            text = leaders[text]
        return text

    texts = [tuple(" ".join(side).lower() for side in pair) for pair in pairs]
    for one, other in texts:
        leaders[leader(one)] = leader(other)
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(leader(one), len(numbers)) for one, _ in texts], dtype=np.int64)


def train_networks(sets: Sequence[GoldPairs], schedule: Schedule | None = None, *, rounds: int = ROUNDS) -> Numbers:
    """Return the networks learned from *sets*, one row for each round."""
    schedule = schedule or Schedule()
    nothing = np.zeros(len(_core.LINK_EVIDENCE) + 3, dtype=np.float32)  # a network to come
    found: list[Numbers] = []
    by_fold: list[list[Numbers]] = [[] for _ in range(schedule.folds)]
    for number in range(rounds):
        parts = []
        for each in sets:
            of_pair = each.folds(schedule.folds)
            for index, networks in enumerate(by_fold):
                run = each.run([*networks, nothing], rounds=number)
                fold = np.repeat(of_pair, np.diff(run.starts))
                kept = fold == index
                truth, weights = each.labels(run)
                parts.append((run.evidence[kept], truth[kept], weights[kept], fold[kept]))
        rows, truth, weights, fold = (np.concatenate([part[column] for part in parts]) for column in range(4))
        weights /= weights.mean()
        found.append(_averaged(rows, truth, weights, schedule, seed=number))
        if number + 1 < rounds:
            for index, networks in enumerate(by_fold):
                kept = fold != index
                networks.append(_fit(rows[kept], truth[kept], weights[kept], schedule, seed=number + rounds))
    return np.stack(found)


def _averaged(rows: Numbers, truth: Numbers, weights: Numbers, schedule: Schedule, *, seed: int) -> Numbers:
    """Return several networks as one with all their units, whose logarithm of odds is the mean of theirs."""
    width = rows.shape[1]
    sizes = np.cumsum([width * schedule.units, schedule.units, schedule.units])
    fitted = [_fit(rows, truth, weights, schedule, seed=seed + 100 * k) for k in range(schedule.networks)]
    split = [np.split(network, sizes) for network in fitted]
    layer = np.concatenate([parts[0].reshape(width, -1) for parts in split], axis=1)
    biases = np.concatenate([parts[1] for parts in split])
    top = np.concatenate([parts[2] for parts in split]) / len(split)
    bias = np.mean([parts[3] for parts in split], axis=0)
    return np.concatenate([layer.ravel(), biases, top, bias]).astype(np.float32)


def _fit(rows: Numbers, truth: Numbers, weights: Numbers, schedule: Schedule, *, seed: int) -> Numbers:
    """Return a network as one row of numbers; the mean over the last epoch is more stable than the last step."""
    random = np.random.default_rng(seed)
    count, width = rows.shape
    units = schedule.units
    layer = random.normal(0, np.sqrt(2 / width), (width, units)).astype(np.float32)
    top = random.normal(0, np.sqrt(1 / units), units).astype(np.float32)
    values = [layer, np.zeros(units, np.float32), top, np.zeros(1, np.float32)]
    means = [np.zeros_like(value) for value in values]
    squares = [np.zeros_like(value) for value in values]
    averages = [np.zeros_like(value) for value in values]
    blocks = -(-count // schedule.block)
    total = blocks * schedule.epochs
    for step in range(total):
        if step % blocks == 0:
            order = random.permutation(count)
        chosen = order[step % blocks * schedule.block :][: schedule.block]
        x = rows[chosen]
        sums = x @ values[0] + values[1]
        kept = ((random.random(sums.shape, dtype=np.float32) >= schedule.dropout) / (1 - schedule.dropout)).astype(
            np.float32
        )
        active = np.maximum(sums, 0) * kept
        p = 1 / (1 + np.exp(-(active @ values[2] + values[3][0])))
        error = (p - truth[chosen]) * weights[chosen] / len(chosen)
        back = np.outer(error, values[2]) * (sums > 0) * kept
        slopes = [x.T @ back + schedule.decay * values[0], back.sum(0), active.T @ error, error.sum(keepdims=True)]
        rate = schedule.rate * (1 - step / total)
        for number, slope in enumerate(slopes):
            means[number] = _DECAYS[0] * means[number] + (1 - _DECAYS[0]) * slope
            squares[number] = _DECAYS[1] * squares[number] + (1 - _DECAYS[1]) * slope * slope
            mean = means[number] / (1 - _DECAYS[0] ** (step + 1))
            square = squares[number] / (1 - _DECAYS[1] ** (step + 1))
            values[number] = (values[number] - rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
            if step >= total - blocks:
                averages[number] += values[number] / blocks
    return np.concatenate([value.ravel() for value in averages]).astype(np.float32)
