"""Training of PEM: bitexts to phrase tables and a language model, judgments to regressors.

1. Both sides of each bitext become words, English words stems; words are aligned, phrases of up to four words counted.
2. The language model is trained on the English sides, each sentence once.
3. Features of the judged pairs, and of control candidates if asked for, are computed.
4. Options of the regressors are chosen by cross-validation in which no original is both trained and tested on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge.align.aligner import Aligner
from paragauge.align.training import Iteration
from paragauge.corpora.bitext import Bitext
from paragauge.corpora.judged_pairs import JudgedPairs, control_pairs
from paragauge.errors import DataError, OptionError, unknown_name
from paragauge.learn.svr import CrossValidation, SvrOptions, cross_validate, fit_svr
from paragauge.lm.model import TOKENISED, LanguageModel
from paragauge.lm.train import Smoothing, train_lm
from paragauge.matching.pivot import BagOptions, PivotBags
from paragauge.matching.pivot_words import is_single_word
from paragauge.metrics.pem import paper_features
from paragauge.metrics.pem_features import PairBatch, PemResources, feature_matrix
from paragauge.metrics.pem_model import PemModel, Variant
from paragauge.metrics.pem_plus import plus_features
from paragauge.phrases.build import Pruning
from paragauge.phrases.engine import EngineOptions
from paragauge.phrases.extract import extract_phrases
from paragauge.phrases.select import select_pairs
from paragauge.phrases.table import PhraseTable, merge_tables
from paragauge.text.normalize import porter_stem
from paragauge.text.pipeline import TextPipeline

Report: TypeAlias = Callable[[str, int, int], None]  # what is done, how much of it, out of how much

VARIANTS: Mapping[str, Callable[[Sequence[str]], tuple[str, ...]]] = {"pem": paper_features, "pem+": plus_features}
MAX_PHRASE = 4

_NO_PRUNING, _PAPERS_BAGS = Pruning(), BagOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """How PEM is trained.

    Attributes:
        tokenizer: Of English.
        pivot_tokenizer: Of the other languages.
        pruning: Which extracted phrase pairs stay.
        min_phrase_count: Phrases of several words need at least this N(e); single words stay.
        lean: Leave out edges that scoring never reads: what is not above ``bags.min_edge``, unless it is the best
            edge of its phrase. Changes no score.
        bags: How sentences become bags of pivot n-grams.
        lm_order: Longest n-grams of the language model.
        smoothing: Of the language model; the paper's was SRILM's default, which is Katz.
        lm_min_counts: N-grams of order 1, 2, ... that occur less often are left out of it.
        lm_stems: Train it on stems instead of words.
        variants: Which regressors to train.
        controls: Add control candidates to the judgments.
        folds: Of the cross-validation.
        svr: Fixed options of the regressors, instead of a choice by cross-validation.
        seed: Of control candidates and folds.
    """

    tokenizer: str = "penn"
    pivot_tokenizer: str = "13a"
    pruning: Pruning = _NO_PRUNING
    min_phrase_count: int = 1
    lean: bool = True
    bags: BagOptions = _PAPERS_BAGS
    lm_order: int = 4
    smoothing: Smoothing = "katz"
    lm_min_counts: Sequence[int] | None = None
    lm_stems: bool = False
    variants: tuple[str, ...] = tuple(VARIANTS)
    controls: bool = False
    folds: int = 5
    svr: SvrOptions | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        for name in self.variants:
            if name not in VARIANTS:
                raise unknown_name("variant of PEM", name, VARIANTS)
        if not self.variants:
            raise OptionError("there is no variant of PEM to train")

    @property
    def text(self) -> TextPipeline:
        """How English becomes words."""
        return TextPipeline(tokenizer=self.tokenizer, lowercase=True)

    def to_plain(self) -> dict[str, Any]:
        """Return the options as values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class VariantReport:
    """How well a regressor does on originals that it was not trained on.

    Attributes:
        features: What it looks at.
        validation: Chosen options, error, and predictions for all items in the order of the items.
        pearson: Of predictions and judgments, controls left out.
        spearman: Likewise.
        pearson_with_controls: Of all items; the same if there are no controls.
        vectors: Support vectors of the regressor that was trained on everything.
    """

    features: tuple[str, ...]
    validation: CrossValidation
    pearson: float
    spearman: float
    pearson_with_controls: float
    vectors: int


def _silent(step: str, done: int, total: int) -> None:
    pass


def build_pivot_table(
    bitext: Bitext,
    options: TrainingOptions,
    *,
    threads: int | None = None,
    engine: EngineOptions | None = None,
    report: Report = _silent,
) -> PhraseTable:
    """Return the phrase table of stemmed English, the source of *bitext*, against its other language."""
    text, pivot = options.text, TextPipeline(tokenizer=options.pivot_tokenizer, lowercase=True)
    english = [tuple(map(porter_stem, text(line))) for line in _counted(bitext.source, "English words", report)]
    other = [pivot(line) for line in _counted(bitext.target, "pivot words", report)]

    def iterated(iteration: Iteration) -> None:
        report(f"alignment, {iteration.model}", iteration.number, iteration.total)

    _, aligned = Aligner.train_and_align(english, other, threads=threads, progress=iterated)
    flat = aligned.links.tolist()
    links = [[tuple(link) for link in flat[begin:end]] for begin, end in pairwise(aligned.starts.tolist())]
    done = 0

    def extracted(pairs: int) -> None:
        nonlocal done
        done += pairs
        report("phrases", done, 2 * len(english))

    return extract_phrases(
        english, other, links, max_length=MAX_PHRASE, lexical=False, engine=engine, progress=extracted,
        min_count=options.pruning.min_count, min_prob=options.pruning.min_prob, top=options.pruning.top,
    )  # fmt: skip


def prune_for_pem(table: PhraseTable, options: TrainingOptions) -> PhraseTable:
    """Return the part of a *table* that a model keeps; word links and lexical weights go, nothing looks at them."""
    if table.is_inverted:
        table = merge_tables([table])
    columns = table.columns
    sources, totals = columns["pairs.source"], columns["source.totals"]
    keep = np.ones(len(sources), dtype=bool)
    if options.lean:
        keep = columns["pairs.counts"] / totals[sources] > options.bags.min_edge
        keep[columns["source.rows"][:-1]] = True  # the best of each phrase
    if options.min_phrase_count > 1:
        keep &= (is_single_word(table) | (totals >= options.min_phrase_count))[sources]
    return select_pairs(table, keep)


def build_language_model(
    english: Iterable[str], options: TrainingOptions, *, threads: int | None = None, report: Report = _silent
) -> LanguageModel:
    """Return the language model of *english* sentences, each of which counts once."""
    sentences = tuple(dict.fromkeys(english))
    report("language model", 0, len(sentences))
    words: Iterable[tuple[str, ...]] = map(options.text, sentences)
    if options.lm_stems:
        words = (tuple(map(porter_stem, sentence)) for sentence in words)
    model = train_lm(
        words, order=options.lm_order, smoothing=options.smoothing, min_counts=options.lm_min_counts,
        discount_fallback=True, tokenizer=options.tokenizer, lowercase=True, stem=options.lm_stems, threads=threads,
    )  # fmt: skip
    report("language model", len(sentences), len(sentences))
    return model


def build_resources(
    pivots: Mapping[str, Bitext | PhraseTable],
    language_model: LanguageModel | None,
    options: TrainingOptions,
    *,
    threads: int | None = None,
    engine: EngineOptions | None = None,
    report: Report = _silent,
) -> PemResources:
    """Return what features are computed with.

    Args:
        pivots: A bitext, English first, or a ready-made table of stemmed English, by the name of the other language.
        language_model: A ready-made model of the same words, or of their stems; trained on the English sides of the
            bitexts if None.
        options: How to make what is not given.
        threads: All cores if None.
        engine: Memory limit and temporary folder for counting phrases.
        report: Called with what is done, how much of it, and out of how much.
    """
    if not pivots:
        raise DataError("PEM needs at least one pivot language: a bitext or a phrase table")
    if language_model is None:
        english = [line for bitext in pivots.values() if isinstance(bitext, Bitext) for line in bitext.source]
        if not english:
            raise DataError("ready-made tables need a ready-made language model beside them")
        language_model = build_language_model(english, options, threads=threads, report=report)
    lm_text = language_model.pipeline
    if lm_text != TOKENISED and (lm_text.tokenizer, lm_text.lowercase) != (options.tokenizer, True):
        raise DataError(
            f"the language model is one of {'lower-cased' if lm_text.lowercase else 'mixed-case'} words by the "
            f"tokeniser {lm_text.tokenizer}, expected lower-cased ones by {options.tokenizer}; make it again with: "
            f"paragauge lm --tokenizer {options.tokenizer} --lowercase, or choose its tokeniser for PEM"
        )
    bags = {}
    for name, given in pivots.items():
        table = given
        if isinstance(table, Bitext):
            table = build_pivot_table(table, options, threads=threads, engine=engine, report=_named(name, report))
        bags[name] = PivotBags(prune_for_pem(table, options), options.bags)
    lm_stems = options.lm_stems if lm_text == TOKENISED else lm_text.stem
    return PemResources(pivots=bags, language_model=language_model, text=options.text, lm_stems=lm_stems)


def train_pem(
    resources: PemResources,
    judgments: JudgedPairs,
    options: TrainingOptions,
    *,
    control_text: Sequence[str] = (),
    threads: int | None = None,
    report: Report = _silent,
) -> tuple[PemModel, dict[str, VariantReport]]:
    """Return a model and, for each of its regressors, how well it does on unseen originals.

    Args:
        resources: What features are computed with.
        judgments: Overall scores of paraphrases, from 1 to 5; the mean over judges counts.
        options: What to train.
        control_text: Sentences of another kind of text than the judged originals, for which control candidates are
            added, too: what a copy or a salad is worth should not depend on the kind of text that was judged.
        threads: All cores if None; the model is the same for any number.
        report: Called with what is done, how much of it, and out of how much.

    Raises:
        DataError: There is no overall score, or there are fewer originals than folds.
        MissingExtraError: scikit-learn is not installed.
    """
    judged = judgments.mean_over_judges()
    if not len(judged):
        raise DataError("the judgments have no overall score to learn from; expected the criterion 'overall', or none")
    items = list(judged)
    rng = np.random.default_rng(options.seed)
    for originals in ((judged.originals,) if options.controls else ()) + ((control_text,) if control_text else ()):
        items += control_pairs(originals, rng).mean_over_judges()
    targets = np.array([item.score for item in items], dtype=np.float64)
    groups = [item.original for item in items]
    batch = PairBatch(resources, groups, [item.candidate for item in items], threads=threads)
    variants, reports = {}, {}
    for name in options.variants:
        features = VARIANTS[name](tuple(resources.pivots))
        report(f"features of {name}", 0, 1)
        rows = feature_matrix(features, batch)
        validation = cross_validate(
            rows, targets, groups, grid=None if options.svr is None else [options.svr], folds=options.folds,
            seed=options.seed, threads=threads, progress=_validation(name, report),
        )  # fmt: skip
        regressor = fit_svr(rows, targets, validation.options)
        variants[name] = Variant(features, regressor)
        people = slice(0, len(judged))
        reports[name] = VariantReport(
            features,
            validation,
            _pearson(validation.predictions[people], targets[people]),
            _spearman(validation.predictions[people], targets[people]),
            _pearson(validation.predictions, targets),
            len(regressor.vectors),
        )
    return PemModel(resources, variants), reports


def _validation(name: str, report: Report) -> Callable[[int, int], None]:
    return lambda done, total: report(f"cross-validation of {name}", done, total)


def _named(pivot: str, report: Report) -> Report:
    return lambda step, done, total: report(f"{pivot}: {step}", done, total)


def _counted(lines: Sequence[str], step: str, report: Report) -> Iterable[str]:
    for number, line in enumerate(lines):
        if number % 4096 == 0:
            report(step, number, len(lines))
        yield line
    report(step, len(lines), len(lines))


def _pearson(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


def _spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    from scipy.stats import rankdata

    return _pearson(rankdata(one), rankdata(other))
