"""Training of language models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, get_args

from paragauge.errors import OptionError, unknown_name
from paragauge.lm import katz, kneser_ney
from paragauge.lm.counts import NgramCounts
from paragauge.lm.model import TOKENISED, LanguageModel
from paragauge.text.pipeline import TextPipeline
from paragauge.text.vocabulary import Sentence
from paragauge.threads import thread_count

Smoothing: TypeAlias = Literal["kneser-ney", "katz"]
SMOOTHINGS: tuple[str, ...] = get_args(Smoothing)


def train_lm(
    sentences: Iterable[Sentence],
    *,
    order: int = 4,
    smoothing: Smoothing = "kneser-ney",
    min_counts: Sequence[int] | None = None,
    discount_fallback: bool | Sequence[float] = False,
    tokenizer: str = "13a",
    lowercase: bool = False,
    stem: bool | str = False,
    threads: int | None = None,
) -> LanguageModel:
    """Return an n-gram model trained on *sentences*.

    Args:
        sentences: Sentences of the text, as strings or as sequences of words, which are used unchanged.
        order: Length of the longest n-grams.
        smoothing: ``kneser-ney`` (interpolated modified Kneser-Ney, as in lmplz) or ``katz`` (with SRILM's defaults).
        min_counts: Minimum counts of n-grams of order 1, 2, ...; the last number applies to all longer n-grams. By
            default all n-grams are kept (Kneser-Ney), or all but those of three or more words that occur once (Katz).
        discount_fallback: Discounts for Kneser-Ney where the text is too small to estimate them: True for 0.5, 1
            and 1.5, or three numbers. With False, such a text is an error.
        tokenizer: Tokeniser that splits strings into words, both in training and in queries.
        lowercase: Whether to lower-case strings first.
        stem: Whether to replace words by their Porter stems, or the name of another stemmer.
        threads: Number of threads; None means all cores. The model does not depend on it.

    Raises:
        DataError: The text has no words, contains a reserved word, or is too small for Kneser-Ney.
        OptionError: An option is invalid.

    >>> model = train_lm(["the cat sat", "the cat ran", "a dog ran"], order=2, smoothing="katz")
    >>> model.score("the cat ran") > model.score("the dog sat")
    True
    """
    pipeline = TextPipeline(tokenizer=tokenizer, lowercase=lowercase, stem=stem)
    if smoothing not in SMOOTHINGS:
        raise unknown_name("smoothing", smoothing, SMOOTHINGS)
    cutoffs = check_min_counts(min_counts, order, smoothing)
    workers = thread_count(threads)
    if pipeline != TOKENISED:  # counting splits at white space anyway
        sentences = pipeline.prepared(sentences)
    counts = NgramCounts(sentences, order=order, threads=workers)
    options: dict[str, Any] = {
        "order": order,
        "smoothing": smoothing,
        "min_counts": cutoffs,
        "sentences": counts.sentences,
        "tokens": counts.tokens,
    }
    if smoothing == "katz":
        coefficients = katz.estimate_coefficients(counts)
        options["coefficients"] = coefficients
        arrays = katz.estimate(counts, coefficients, cutoffs, workers)
    else:
        discounts = kneser_ney.estimate_discounts(counts, _fallback(discount_fallback))
        options["discounts"] = [list(order_discounts) for order_discounts in discounts]
        arrays = kneser_ney.estimate(counts, discounts, cutoffs, workers)
    return LanguageModel(arrays, pipeline=pipeline, options=options)


def check_min_counts(min_counts: Sequence[int] | None, order: int, smoothing: str) -> list[int]:
    """Return the cut-off of each order, or raise an `OptionError`."""
    if min_counts is None:
        return katz.default_min_counts(order) if smoothing == "katz" else [1] * order
    cutoffs = list(min_counts)
    listed = ", ".join(map(str, cutoffs))
    if not cutoffs or len(cutoffs) > order:
        raise OptionError(f"minimum counts: expected 1 to {order} numbers, one for each order; got {listed or 'none'}")
    if cutoffs[0] != 1:
        raise OptionError(f"minimum counts must start with 1, since every word stays in the vocabulary; got {listed}")
    if cutoffs != sorted(cutoffs) or cutoffs[-1] >= 1 << 32:
        raise OptionError(
            f"minimum counts must not decrease with the order, or n-grams would lack their parts; got {listed}"
        )
    return cutoffs + cutoffs[-1:] * (order - len(cutoffs))


def _fallback(fallback: bool | Sequence[float]) -> kneser_ney.Discounts | None:
    if fallback is False:
        return None
    if fallback is True:
        return kneser_ney.FALLBACK
    values = tuple(map(float, fallback))
    if len(values) != 3:
        raise OptionError(f"fallback discounts must be three numbers, as in 0.5, 1, 1.5; got {len(values)}")
    return values
