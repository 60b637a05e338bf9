"""ParaMetric's tables 2 and 3: several ways to find paraphrases, scored on the same gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from paragauge.align.alignment import Alignment
from paragauge.align.annotated import AlignedPairs
from paragauge.io import digest
from paragauge.meta.significance import DEFAULT_RESAMPLES, DEFAULT_SEED, bootstrap_interval
from paragauge.metrics.base import Interval, Measurement, package_version
from paragauge.metrics.parametric import Parametric, ParametricAlignment, Paraphraser
from paragauge.metrics.signature import Signature
from paragauge.phrases.opening import table_digest
from paragauge.phrases.paraphrases import ParaphraseTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AnyMetric: TypeAlias = ParametricAlignment | Parametric

ALL = "all"  # lengths


@dataclass(frozen=True, slots=True)
class MethodScore:
    """What a method scores on phrases of one length, or of all.

    Attributes:
        method: Its name.
        metric: Which of the two scores, with its options.
        length: ``all``, or the words of the phrases: ``1``, ``2``, ... ``10+``.
        measurement: Precision, recall, F1 and the counts.
        intervals: Of precision and recall; only for all lengths.
        signature: Likewise.
    """

    method: str
    metric: AnyMetric
    length: str
    measurement: Measurement
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    signature: Signature | None = None


def score_methods(
    gold: AlignedPairs,
    alignments: Mapping[str, Sequence[Alignment]],
    paraphrases: Mapping[str, Paraphraser],
    *,
    max_length: int | None = -1,
    lowercase: bool = False,
    min_score: float | None = None,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    progress: Callable[[int], object] | None = None,
) -> list[MethodScore]:
    """Return the scores of all methods: for sure links and, if there are others, for possible ones; then by length.

    Args:
        gold: Hand-aligned pairs.
        alignments: Links of these pairs by the name of the method.
        paraphrases: Tables, or functions of phrase and sentence, by the name of the method.
        max_length: The most words of a phrase, None for any; -1 is any for alignments and 5 for paraphrases.
        lowercase: Lower-case the gold.
        min_score: The least score of a paraphrase in a table.
        resamples: Of groups, for intervals; 0 for none.
        seed: Of chance.
        progress: Called with 1 after each score.
    """
    given: dict[str, Any] = {"lowercase": lowercase} | ({} if max_length == -1 else {"max_length": max_length})
    report = progress or (lambda _: None)
    scores: list[MethodScore] = []

    def add(method: str, metric: AnyMetric, rows: NDArray[np.int64], resource: Mapping[str, object]) -> None:
        intervals = {}
        if resamples:
            for value in ("precision", "recall"):
                intervals[value] = bootstrap_interval(
                    replace(metric, value=value), rows, resamples=resamples, seed=seed
                )
            resource = {**resource, "bs": resamples, "seed": seed}
        items = {**metric.signature_items(), "gold": gold.digest, **resource, "version": package_version()}
        whole = metric.measure_rows(rows)
        scores.append(MethodScore(method, metric, ALL, whole, intervals, Signature.of(metric.name, items)))
        scores.extend(
            MethodScore(method, metric, length, measured)
            for length, measured in metric.by_length(rows).items()
            if measured.components["posited"] or measured.components["gold"]
        )
        report(1)

    kinds = ("sure", "possible") if gold.has_possible else ("sure",)
    metrics = [ParametricAlignment(links=kind, **given) for kind in kinds if alignments]
    aligning = {metric: metric.reference(gold) for metric in metrics}
    for method, found in alignments.items():
        text = "\n".join(alignment.to_pharaoh() for alignment in found)
        posited = metrics[0].phrase_pairs(gold, found, metrics[0].max_length)  # whichever links of people count
        for aligned, phrase_sets in aligning.items():
            add(method, aligned, aligned.rows_of(posited, gold, phrase_sets), {"align": digest(text.encode())})
    for kind in kinds if paraphrases else ():
        listed = Parametric(links=kind, min_score=min_score, **given)
        references = listed.reference(gold)
        for method, resource in paraphrases.items():
            source = {"table": table_digest(resource)} if isinstance(resource, ParaphraseTable) else {}
            add(method, listed, listed.rows_of(resource, gold, references), source)
    return scores
