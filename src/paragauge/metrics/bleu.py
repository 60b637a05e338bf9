"""BLEU (Papineni, Roukos, Ward & Zhu, 2002) and its parts.

BLEU = BP * exp(1/N * sum over n = 1..N of log p_n), with p_n the modified n-gram precision: clipped matches over
n-grams of the candidates, both summed over the corpus; and BP = 1 if the candidates are longer than the references,
else exp(1 - r/c), where r is the sum of the reference lengths closest to the candidates'.

Scores equal sacreBLEU's to the last digit: same tokens, same smoothing, same order of operations. The parts that
ParaEval's authors compare (Zhou, Lin & Hovy, 2006, tables 5 and 6) are components of every score, and options make
them separate metrics: ``bleu(max_order=1, brevity_penalty=False)`` is modified unigram precision,
``bleu(brevity_penalty=False)`` the geometric mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from paragauge import _core
from paragauge.errors import OptionError
from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_number
from paragauge.text.pipeline import TextPipeline
from paragauge.threads import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.corpora.segments import Pairs, Segments
    from paragauge.metrics.explanation import Explanation, Step

SMOOTHINGS = ("exp", "floor", "add-k", "none")
# 0.1 for floor is from Chen & Cherry (2014); 1 for add-k is from Lin & Och (2004).
SMOOTH_VALUES: Mapping[str, float] = {"floor": 0.1, "add-k": 1}
LOG_OF_ZERO = -9999999999.0  # sacreBLEU's value: finite, but its exp is 0


@dataclass(frozen=True, kw_only=True)
class BleuOptions(SentenceMetric):
    """Options of BLEU and of the metrics built on it."""

    tokenizer: str = "13a"
    lowercase: bool = False
    max_order: int = 4
    smooth: Literal["exp", "floor", "add-k", "none"] = "exp"  # mteval-v13a's
    smooth_value: float | None = None
    effective_order: bool = False  # always on for single segments, as in sacreBLEU's command line

    def __post_init__(self) -> None:
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_number(self.name, "max_order", self.max_order, low=1, high=100, whole=True)
        check_choice(self.name, "smooth", self.smooth, SMOOTHINGS)
        check_choice(self.name, "effective_order", self.effective_order, (True, False))
        if self.smooth_value is not None:
            if self.smooth not in SMOOTH_VALUES:
                raise OptionError(f"smooth={self.smooth!r} of {self.name} takes no smooth_value")
            check_number(self.name, "smooth_value", self.smooth_value, low=0)
        _ = self.pipeline

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The pipeline that turns text into tokens."""
        return TextPipeline(tokenizer=self.tokenizer, lowercase=self.lowercase)

    def for_segments(self) -> Self:
        return replace(self, effective_order=True)

    def bleu_rows(self, segments: Segments, references: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        """Return BLEU's statistics against *references*: lengths c and r, matches and totals by order."""
        from paragauge.matching.overlap import encode_groups

        texts = encode_groups(self.pipeline, segments.candidates, references)
        return _core.bleu_rows(*texts, self.max_order, thread_count(None))

    def pairwise_statistics(self, pairs: Pairs) -> NDArray[np.int64]:
        """Return BLEU's statistics of every pair, extracting the n-grams of each sentence once."""
        import numpy as np

        from paragauge.matching.overlap import ngram_totals

        candidates, others = self.pipeline.encode(pairs.candidates, pairs.others)
        matched = _core.pairwise_overlap(candidates.arrays, others.arrays, self.max_order)
        matched = matched.reshape(-1, self.max_order)
        own = np.repeat(candidates.lengths, len(pairs.others))
        other = np.tile(others.lengths, len(pairs.candidates))
        lengths = np.stack([own, other], axis=1)
        rows: NDArray[np.int64] = np.concatenate([lengths, matched, ngram_totals(own, self.max_order)], axis=1)
        return rows

    def bleu(self, totals: Sequence[float]) -> BleuPieces:
        """Return BLEU for summed statistics with these options."""
        return bleu(
            totals,
            max_order=self.max_order,
            smooth=self.smooth,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
        )

    def bleu_steps(self, totals: Sequence[float], name: str = "bleu", *, penalised: bool = True) -> list[Step]:
        """Return how BLEU follows from summed statistics."""
        return bleu_steps(
            totals,
            self.bleu(totals),
            smooth=self.smooth,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            name=name,
            penalised=penalised,
        )

    def explain_bleu(
        self, segments: Segments, noun: Literal["reference", "original"], steps: list[Step]
    ) -> Explanation:
        """Return the explanation of a score that depends on n-grams shared with references or originals."""
        from paragauge.metrics.explanation import Explanation, calculation
        from paragauge.metrics.ngram_explain import LEGEND, SharedNgrams

        shared = SharedNgrams.of(segments, self.pipeline, noun, self.max_order)
        score = self.score_segments(segments)[0]
        return Explanation(
            score,
            (*shared.texts(segments), shared.summary()),
            shared.verdict(),
            LEGEND,
            (calculation(steps), shared.detail()),
        )

    def bleu_signature_items(self) -> dict[str, object]:
        """Return the signature items shared with sacreBLEU, and the options that differ from its defaults."""
        smooth = self.smooth
        if smooth in SMOOTH_VALUES:
            value = SMOOTH_VALUES[smooth] if self.smooth_value is None else self.smooth_value
            smooth += f"[{value:.2f}]"  # type: ignore[assignment]
        items: dict[str, object] = {
            **self.pipeline.signature_items(),
            "eff": "yes" if self.effective_order else "no",
            "smooth": smooth,
        }
        if self.max_order != 4:
            items["order"] = self.max_order
        return items


@dataclass(frozen=True, slots=True)
class BleuPieces:
    """The parts of one BLEU score, precisions in per cent."""

    score: float
    precisions: tuple[float, ...]
    geometric_mean: float
    brevity_penalty: float
    candidate_length: float
    reference_length: float

    def components(self) -> dict[str, float]:
        """Return the parts by name."""
        return {
            **{f"precision_{n}": p for n, p in enumerate(self.precisions, start=1)},
            "geometric_mean": self.geometric_mean,
            "brevity_penalty": self.brevity_penalty,
            "candidate_length": self.candidate_length,
            "reference_length": self.reference_length,
        }


def bleu(
    totals: Sequence[float],
    *,
    max_order: int = 4,
    smooth: str = "exp",
    smooth_value: float | None = None,
    effective_order: bool = False,
) -> BleuPieces:
    """Return BLEU and its parts from summed statistics ``[c, r, matches..., totals...]``.

    >>> pieces = bleu([4, 4, 3, 1, 0, 0, 4, 3, 2, 1], smooth="none")
    >>> pieces.precisions[:2], pieces.brevity_penalty
    ((75.0, 33.333333333333336), 1.0)
    """
    candidate_length, reference_length = totals[0], totals[1]
    matches, counts = list(totals[2 : 2 + max_order]), list(totals[2 + max_order :])
    value = SMOOTH_VALUES.get(smooth, 0.0) if smooth_value is None else smooth_value

    brevity_penalty = 1.0
    if candidate_length < reference_length:
        brevity_penalty = math.exp(1 - reference_length / candidate_length) if candidate_length > 0 else 0.0

    precisions = [0.0] * max_order
    orders = max_order
    if not any(matches):
        return BleuPieces(0.0, tuple(precisions), 0.0, brevity_penalty, candidate_length, reference_length)

    halvings = 1.0
    for n in range(max_order):
        if smooth == "add-k" and n > 0:
            matches[n] += value
            counts[n] += value
        if counts[n] == 0:
            break
        if effective_order:
            orders = n + 1
        if matches[n] > 0:
            precisions[n] = 100.0 * matches[n] / counts[n]
        elif smooth == "exp":
            halvings *= 2
            precisions[n] = 100.0 / (halvings * counts[n])
        elif smooth == "floor":
            precisions[n] = 100.0 * value / counts[n]

    logs = [LOG_OF_ZERO if p == 0.0 else math.log(p) for p in precisions[:orders]]
    mean = math.exp(sum(logs) / orders)
    return BleuPieces(
        brevity_penalty * mean, tuple(precisions), mean, brevity_penalty, candidate_length, reference_length
    )


def bleu_steps(
    totals: Sequence[float],
    pieces: BleuPieces,
    *,
    smooth: str,
    smooth_value: float | None,
    effective_order: bool,
    name: str,
    penalised: bool,
) -> list[Step]:
    """Return how *pieces*, the result of `bleu` with the same options, follow from summed statistics."""
    from paragauge.metrics.explanation import Step, number
    from paragauge.metrics.ngram_explain import runs

    max_order = len(pieces.precisions)
    matches, counts = totals[2 : 2 + max_order], totals[2 + max_order :]
    value = SMOOTH_VALUES.get(smooth, 0.0) if smooth_value is None else smooth_value
    if not any(matches):
        return [Step(name, "0, since no word is shared", "0", 0.0)]
    steps = []
    halvings = 0
    shown = []
    for order, (matched, count) in enumerate(zip(matches, counts, strict=True), start=1):
        if smooth == "add-k" and order > 1:
            symbols, numbers = "(shared + k) / (all + k)", f"({matched} + {value:g}) / ({count} + {value:g})"
            if count + value == 0:
                break
        elif count == 0:
            break
        elif matched > 0 or smooth == "none":
            symbols, numbers = "shared / all", f"{matched} / {count}"
        elif smooth == "exp":
            halvings += 1
            symbols, numbers = "smoothed: 1 / (2^k × all)", f"1 / (2^{halvings} × {count})"
        else:
            symbols, numbers = "smoothed: floor / all", f"{value:g} / {count}"
        precision = pieces.precisions[order - 1] / 100
        steps.append(Step(f"precision of {runs(order)}", symbols, numbers, precision))
        shown.append(precision)
    shown += [] if effective_order else [0.0] * (max_order - len(shown))
    own, other = pieces.candidate_length, pieces.reference_length
    if not penalised:
        pass
    elif own < other:
        numbers = f"exp(1 - {number(other)} / {number(own)})"
        steps.append(Step("brevity penalty", "exp(1 - other length / length)", numbers, pieces.brevity_penalty))
    else:
        steps.append(Step("brevity penalty", "1, since the candidate is not shorter", "1", 1.0))
    factor = f"{number(pieces.brevity_penalty)} × " if penalised else ""
    numbers = f"100 × {factor}({' × '.join(map(number, shown))})^(1/{len(shown)})"
    symbols = f"100 × {'brevity penalty × ' if penalised else ''}(product of the precisions)^(1/{len(shown)})"
    return [*steps, Step(name, symbols, numbers, pieces.score if penalised else pieces.geometric_mean)]


@dataclass(frozen=True, kw_only=True)
class Bleu(BleuOptions):
    """BLEU (Papineni et al., 2002), with the same scores as sacreBLEU."""

    brevity_penalty: bool = True

    name: ClassVar[str] = "bleu"
    summary: ClassVar[str] = "n-gram precision with a brevity penalty, as in sacreBLEU"
    citation: ClassVar[str] = "Papineni et al. (2002)"
    scale: ClassVar[str] = "0 to 100"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "brevity_penalty", self.brevity_penalty, (True, False))

    def statistics(self, segments: Segments) -> NDArray[np.int64]:
        return self.bleu_rows(segments, segments.references or ())

    def row(self, segments: Segments) -> Sequence[float]:
        # The sums over one segment are its row, and need no array.
        return self.totals(segments) if self.pipeline.native else super().row(segments)

    @property
    def adds_up(self) -> bool:  # type: ignore[override]  # depends on the tokeniser
        return self.pipeline.native

    def totals(self, segments: Segments) -> Sequence[float]:
        if not self.pipeline.native:
            return super().totals(segments)
        groups = segments.references or ()
        return self.pipeline.native_tokenizer.bleu_totals(
            self.pipeline.prepared_texts(segments.candidates),
            self.pipeline.prepared_texts(chain.from_iterable(groups)),
            list(accumulate(map(len, groups), initial=0)),
            self.max_order,
            1 if len(groups) == 1 else thread_count(None),
        )

    def measure(self, totals: Sequence[float]) -> Measurement:
        pieces = self.bleu(totals)
        value = pieces.score if self.brevity_penalty else pieces.geometric_mean
        return Measurement(value, pieces.components())

    def signature_items(self) -> dict[str, object]:
        items = self.bleu_signature_items()
        if not self.brevity_penalty:
            items["bp"] = "no"
        return items

    def explain(self, segments: Segments) -> Explanation:
        from dataclasses import replace as changed

        variant = self.for_segments()
        totals = variant.statistics(segments)[0].tolist()
        explanation = self.explain_bleu(
            segments, "reference", variant.bleu_steps(totals, penalised=self.brevity_penalty)
        )
        pieces = variant.bleu(totals)
        return changed(explanation, verdict=f"{explanation.verdict}{self._brevity(pieces)}")

    def _brevity(self, pieces: BleuPieces) -> str:
        if not self.brevity_penalty or pieces.brevity_penalty == 1.0 or not pieces.score:
            return ""
        from paragauge.metrics.explanation import number, percent

        own, other = number(pieces.candidate_length), number(pieces.reference_length)
        cost = percent(1 - pieces.brevity_penalty)
        return f" It is shorter than the reference ({own} words to {other}), which costs {cost}."
