"""Tuning: weights that make the decoder's best candidates good by a metric (PRO, Hopkins & May 2011).

Each round decodes the development sentences with the weights so far, adds the candidates to those of earlier rounds,
scores new ones with the metric, and fits weights to sampled pairs. A checkpoint after every round holds everything
that the next one needs, so an interrupted run continues where it was, with the same result.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.asking import request_of
from paragauge.evaluate.generate import Generator, Searching
from paragauge.evaluate.option import option, seed_option
from paragauge.evaluate.result import Result
from paragauge.grammar.weights import Weights
from paragauge.progress import Counter
from paragauge.text.pipeline import TextPipeline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.grammar.decode import Candidate
    from paragauge.io import PathLike
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

_CHECKPOINT = "paragauge tuning checkpoint, format 2"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class TuneRequest(Searching):
    """How to tune."""

    metric: str = option(
        "bleu",
        flags=("-m", "--metric"),
        metavar="METRIC",
        help="Metric to tune towards, with its options, such as precis(target_rate=0.75), bleu, ibleu, pem or pem+.",
    )
    rounds: int = option(10, low=1, metavar="N", help="Number of rounds of decoding and fitting.")
    kbest: int = option(100, low=2, high=10_000, metavar="N", help="Number of candidates per sentence in each round.")
    samples: int = option(5000, low=1, metavar="N", help="Number of pairs of candidates drawn per sentence.")
    keep: int = option(50, low=1, metavar="N", help="Number of these pairs kept per sentence, those that differ most.")
    least_difference: float = option(
        0.05, low=0, high=1, metavar="SHARE",
        help="Leave out pairs whose scores differ by less than this share of the range of all scores.",
    )  # fmt: skip
    interpolation: float = option(
        0.5, low=0.01, high=1, metavar="SHARE", help="Share of the new weights when they are mixed with the old ones."
    )
    strength: float = option(1.0, low=0, metavar="NUMBER", help="Strength of the penalty on large weights.")
    seed: int = seed_option()

    def load_metric(self) -> SentenceMetric:
        """Return the metric."""
        from paragauge.metrics.registry import parse_metric

        metric: SentenceMetric = parse_metric(self.metric)
        if not metric.needs <= {"references", "originals"}:
            raise OptionError(f"{metric.name} cannot score single candidates; choose another metric")
        return metric


@dataclass(frozen=True)
class Round:
    """One round of tuning.

    Attributes:
        number: Number of the round, from 1.
        value: Score of the metric for the best candidates of all sentences, decoded with this round's weights.
        candidates: Number of different candidates so far.
        pairs: Number of pairs that the next weights were fitted to.
        weights: Weights with which the sentences were decoded.
    """

    number: int
    value: float
    candidates: int
    pairs: int
    weights: Weights


@dataclass(frozen=True)
class TuneResult(Result):
    """Tuned weights.

    Attributes:
        rounds: The learning curve.
        weights: Weights of the best round.
        metric: Metric with its options, as text.
        signature: Signature of the metric's values.
    """

    rounds: tuple[Round, ...]
    weights: Weights
    metric: str
    signature: Signature

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per round."""
        return [
            {
                "round": one.number, self.metric: one.value, "candidates": one.candidates, "pairs": one.pairs,
                "chosen": one.weights == self.weights,
            }
            for one in self.rounds
        ]  # fmt: skip

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows, notes=[str(self.signature)])


def tune(
    generator: Generator,
    sentences: Iterable[str],
    references: Iterable[str | Sequence[str]] | None = None,
    request: TuneRequest | None = None,
    *,
    checkpoint: PathLike | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> TuneResult:
    """Return weights tuned so that the generator's output is good by a metric.

    Args:
        generator: Grammar, language model, and the weights to start with; only their features are tuned.
        sentences: Development sentences.
        references: References of each sentence, if the metric needs them.
        request: All options; alternatively, pass the fields of `TuneRequest` as keywords.
        checkpoint: File to write after every round, and to continue from if it exists.
        progress: Called with the number of rounds done.

    Raises:
        DataError: There are no sentences, a sentence has no derivation, or the checkpoint belongs to another run.
        OptionError: The metric needs references, and there are none.
    """
    asked = generator.prepared(request_of(TuneRequest, request, options))
    metric = asked.load_metric()
    tokens, _ = generator.read(sentences, asked)
    if not tokens:
        raise DataError("there are no sentences to tune on; expected at least one")
    pipeline = TextPipeline(tokenizer=asked.tokenizer, lowercase=asked.lowercase)
    given = None if references is None else [
        pipeline.lines([group] if isinstance(group, str) else group) for group in references
    ]  # fmt: skip
    if "references" in metric.needs and given is None:
        raise OptionError(f"{metric.name} needs references; give them, or choose a metric that does not")
    if given is not None and len(given) != len(tokens):
        raise DataError(f"there are {len(tokens):,} sentences and references for {len(given):,}; expected as many")
    tuning = _Tuning(generator, tokens, given, metric, asked)
    if checkpoint is not None and Path(checkpoint).exists():
        tuning.restore(checkpoint)
        logger.warning("continuing after round %d of the checkpoint %s", len(tuning.rounds), checkpoint)
    counter = Counter(progress, asked.rounds, "rounds")
    counter.advance(len(tuning.rounds))
    while len(tuning.rounds) < asked.rounds:
        tuning.next_round()
        if checkpoint is not None:
            tuning.store(checkpoint)
        counter.advance()
    best = _best(tuning.rounds, metric)
    return TuneResult(tuple(tuning.rounds), best.weights, str(metric), tuning.signature())


def _best(rounds: Sequence[Round], metric: SentenceMetric) -> Round:
    chosen: Callable[..., Round] = max if metric.better == "higher" else min
    return chosen(rounds, key=lambda one: one.value)


def _finite(value: Any) -> float:
    """Return *value* as a number.

    Raises:
        ValueError: It is none, or not finite.
    """
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is not finite")
    return number


class _Tuning:
    """What a run knows: candidates with their features and scores, and the weights of each round."""

    def __init__(
        self,
        generator: Generator,
        tokens: list[tuple[str, ...]],
        references: list[list[str]] | None,
        metric: SentenceMetric,
        request: TuneRequest,
    ) -> None:
        self._generator = generator
        self._tokens = tokens
        self._originals = [" ".join(sentence) for sentence in tokens]
        self._references = references if "references" in metric.needs else None
        self._metric = metric
        self._request = request
        self.rounds: list[Round] = []
        self._weights = generator.weights
        # By sentence, by text: features of the best derivation, and the score.
        self._pool: list[dict[str, tuple[tuple[float, ...], float]]] = [{} for _ in tokens]

    def next_round(self) -> None:
        request = self._request
        number = len(self.rounds) + 1
        decoder = self._generator.with_weights(self._weights).decoder
        found = decoder.decode(self._tokens, request.decode_options(kbest=request.kbest))
        for place, candidates in enumerate(found, start=1):
            if not candidates:
                raise DataError(f"sentence {place:,} has no derivation; allow --glue and --pass-through all")
        self._add(found)
        best = [candidates[0].text for candidates in found]
        value = self._metric.corpus_score(
            best, self._references, originals=self._given_originals(self._originals)
        ).value
        differences = self._pairs(number)
        pairs, weights = len(differences), self._mixed(differences)
        total = sum(map(len, self._pool))
        self.rounds.append(Round(number, value, total, pairs, self._weights))
        self._weights = weights

    def _given_originals(self, originals: list[str]) -> list[str] | None:
        return originals if "originals" in self._metric.needs else None

    def _add(self, found: Sequence[Sequence[Candidate]]) -> None:
        texts: list[str] = []
        places: list[int] = []
        features: list[tuple[float, ...]] = []
        for place, candidates in enumerate(found):
            for one in candidates:
                if one.text not in self._pool[place]:
                    texts.append(one.text)
                    places.append(place)
                    features.append(one.features)
        if not texts:
            return
        references = None if self._references is None else [self._references[place] for place in places]
        originals = self._given_originals([self._originals[place] for place in places])
        scores = self._metric.for_segments().segment_scores(texts, references, originals=originals)
        sign = 1.0 if self._metric.better == "higher" else -1.0
        for text, place, row, score in zip(texts, places, features, scores, strict=True):
            self._pool[place][text] = (row, sign * score.value)

    def _pairs(self, number: int) -> NDArray[np.float64]:
        import numpy as np

        from paragauge.learn.ranking import sample_pairs

        request = self._request
        values = [score for candidates in self._pool for _, score in candidates.values()]
        least = request.least_difference * (max(values) - min(values))
        rng = np.random.default_rng([request.seed, number])
        blocks = [np.zeros((0, len(self._weights)))]
        for candidates in self._pool:
            features = np.array([row for row, _ in candidates.values()])
            scores = np.array([score for _, score in candidates.values()])
            pairs = sample_pairs(scores, rng, samples=request.samples, keep=request.keep, least=least)
            if len(pairs):
                blocks.append(features[pairs[:, 0]] - features[pairs[:, 1]])
        return np.concatenate(blocks)

    def _mixed(self, differences: NDArray[np.float64]) -> Weights:
        """Fit weights, and mix them with those so far; their sum of absolute values is kept."""
        import numpy as np

        from paragauge.learn.ranking import DIGITS, fit_ranking

        old = np.array(list(self._weights.values()))
        new = fit_ranking(differences, strength=self._request.strength)
        size = np.abs(new).sum()
        if size > 0:
            new = new * (np.abs(old).sum() or 1.0) / size
        share = self._request.interpolation
        mixed = np.round((1 - share) * old + share * new, DIGITS)
        return Weights(dict(zip(self._weights, mixed.tolist(), strict=True)))

    def signature(self) -> Signature:
        from paragauge.corpora.segments import Segments

        segments = Segments.of(self._originals, self._references, self._given_originals(self._originals))
        return self._metric.signature(segments)

    # Checkpoints

    def _identity(self) -> dict[str, Any]:
        """Return what must be the same for a checkpoint to be continued."""
        from paragauge.io import digest

        request = self._request
        names = ("metric", "kbest", "samples", "keep", "least_difference", "interpolation", "strength", "seed")
        settings = {name: getattr(request, name) for name in names}
        texts = json.dumps([self._originals, self._references])
        model = self._generator.model
        return {
            "settings": settings, "search": request.decode_options().signature_items(),
            "texts": digest(texts.encode()), "start": self._generator.weights.digest(),
            "grammar": self._generator.grammar.digest,
            "lm": None if model is None or model.manifest is None else model.manifest.digest(),
        }  # fmt: skip

    def store(self, path: PathLike) -> None:
        """Write the state to a file, whole or not at all."""
        from paragauge.io import atomic_output

        state = {
            "kind": _CHECKPOINT, "identity": self._identity(), "weights": dict(self._weights),
            "rounds": [[one.number, one.value, one.candidates, one.pairs, dict(one.weights)] for one in self.rounds],
            "pool": [
                [[text, list(row), score] for text, (row, score) in candidates.items()] for candidates in self._pool
            ],
        }  # fmt: skip
        with atomic_output(path) as file:
            file.write(json.dumps({**state, "checksum": _checksum(state)}).encode())

    def restore(self, path: PathLike) -> None:
        """Continue from a file.

        Raises:
            DataError: It is not a checkpoint, or that of another run.
        """
        from paragauge.io import display_name

        name = display_name(path)
        state = read_checkpoint(path)
        identity = json.loads(json.dumps(self._identity()))
        if state["identity"] != identity:
            differing = [key for key, value in identity.items() if state["identity"].get(key) != value]
            raise DataError(
                f"the checkpoint is that of another run ({', '.join(differing)} differ); remove it to start anew, "
                "or use the same inputs and options",
                path=name,
            )
        try:
            rounds = [
                Round(int(number), _finite(value), int(candidates), int(pairs), Weights(weights))
                for number, value, candidates, pairs, weights in state["rounds"]
            ]
            pool = [
                {str(text): (tuple(map(_finite, row)), _finite(score)) for text, row, score in candidates}
                for candidates in state["pool"]
            ]
            weights = Weights(state["weights"])
            if len(pool) != len(self._tokens) or any(
                list(each) != list(self._weights) for each in (weights, *(one.weights for one in rounds))
            ):
                raise ValueError("sizes")
            if any(len(row) != len(weights) for candidates in pool for row, _ in candidates.values()):
                raise ValueError("features")
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise _damaged(name) from error
        self.rounds, self._pool, self._weights = rounds, pool, weights


def read_checkpoint(path: PathLike) -> dict[str, Any]:
    """Return what a file of `tune` holds.

    Raises:
        DataError: It is not a checkpoint, or it is damaged.
    """
    from paragauge.io import display_name, read_bytes

    try:
        state: dict[str, Any] = json.loads(read_bytes(path))
        checksum = state.pop("checksum")
        if state["kind"] != _CHECKPOINT or checksum != _checksum(state):
            raise ValueError("other contents")
        if not isinstance(state["identity"], dict):
            raise TypeError("no object")
    except DataError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _damaged(display_name(path)) from error
    return state


def _damaged(name: str) -> DataError:
    return DataError("is not a checkpoint of tuning, or is damaged; remove it to start anew", path=name)


def _checksum(state: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()
