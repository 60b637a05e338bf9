"""Training of PEM: bitexts to phrase tables and a language model, judgments to a regressor.

1. Both sides of each bitext become words, those of the scored language stems; words are aligned, phrases counted.
2. The language model is trained on the scored language's sides, each sentence once.
3. Features of the judged pairs, and of control candidates if asked for, are computed.
4. Options of the regressor are chosen by cross-validation in which no original is both trained and tested on, among
   those whose regressor answers in the right direction (`paragauge.metrics.pem.response`) if there are any.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.align.aligner import Aligner
from paragauge.corpora.bitext import Bitext
from paragauge.corpora.damaged_pairs import damaged_pairs
from paragauge.corpora.judged_pairs import ADEQUACY, FLUENCY, HIGHEST, LOWEST, JudgedPairs, control_pairs
from paragauge.corpora.judgments import OVERALL
from paragauge.errors import DataError, OptionError
from paragauge.judges.verdict import difference, verdict
from paragauge.learn.svr import CrossValidation, RbfRegressor, SvrOptions, cross_validate, fit_svr
from paragauge.learn.validation import pearson, spearman
from paragauge.lm.model import TOKENISED, LanguageModel
from paragauge.lm.train import Smoothing, train_lm
from paragauge.matching.pivot import BagOptions, PivotBags
from paragauge.metrics.pem.features import Fluency, PairBatch, PemResources, feature_names
from paragauge.metrics.pem.model import PemModel
from paragauge.metrics.pem.response import ResponseCurve, response_curves
from paragauge.phrases.build import Pruning
from paragauge.phrases.extract import extract_phrases
from paragauge.phrases.select import select_pairs, words_of_phrases
from paragauge.phrases.table import PhraseTable, merge_tables
from paragauge.progress import Counter, Progress, watched
from paragauge.storage.engine import EngineOptions
from paragauge.text.normalize import PORTER, get_stemmer
from paragauge.text.pipeline import TextPipeline

logger = logging.getLogger(__name__)


MAX_PIVOT_PHRASE = 4  # words of a pivot phrase, as in the paper
FEW_KNOWN, HARDLY_ANY_KNOWN = 0.5, 0.2  # shares of known words that make one doubt the language
LEARNED = 0.95  # of the variance of the targets: a regressor with more squared error in training has learned nothing
ENGLISH_STEMMERS = ("porter", "english", "lovins")

_NO_PRUNING, _BAGS = Pruning(), BagOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """How PEM is trained. The defaults follow people better than the paper's settings, which are `paper`.

    Attributes:
        tokenizer: Of the scored language.
        stemmer: Of the scored language: ``porter``, or another of Snowball's.
        pivot_tokenizer: Of the other languages.
        pivot_stemmer: Of the other languages; None leaves their words as they are.
        pruning: Which extracted phrase pairs stay.
        max_phrase: The most words of a phrase of the scored language.
        min_phrase_count: Phrases of several words need at least this N(e); single words stay.
        lean: Leave out edges that scoring never reads: what is not above ``bags.min_edge``, unless it is the best
            edge of its phrase. Changes no score.
        bags: How sentences become bags of pivot n-grams.
        punctuation: Whether tokens without a letter or a digit count for adequacy and for shared wording.
        fluency: ``log-odds``, relative to the original; or the paper's, ``per-word``.
        lm_order: Longest n-grams of the language model.
        smoothing: Of the language model; the paper's was SRILM's default, which is Katz.
        lm_min_counts: N-grams of order 1, 2, ... that occur less often are left out of it.
        lm_stems: Train it on stems instead of words.
        controls: Add the three control candidates of the paper for each judged original.
        folds: Of the cross-validation.
        svr: Fixed options of the regressor, instead of a choice by cross-validation.
        seed: Of control candidates and folds.
    """

    tokenizer: str = "penn"
    stemmer: str = PORTER
    pivot_tokenizer: str = "13a"
    pivot_stemmer: str | None = None
    pruning: Pruning = _NO_PRUNING
    max_phrase: int = 1
    min_phrase_count: int = 1
    lean: bool = True
    bags: BagOptions = _BAGS
    punctuation: bool = False
    fluency: Fluency = "log-odds"
    lm_order: int = 4
    smoothing: Smoothing = "katz"
    lm_min_counts: Sequence[int] | None = None
    lm_stems: bool = False
    controls: bool = False
    folds: int = 5
    svr: SvrOptions | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        get_stemmer(self.stemmer)
        if self.pivot_stemmer is not None:
            get_stemmer(self.pivot_stemmer)
        if not 1 <= self.max_phrase <= MAX_PIVOT_PHRASE:
            raise OptionError(f"max_phrase must lie between 1 and {MAX_PIVOT_PHRASE}, got {self.max_phrase}")

    @classmethod
    def paper(cls, **changes: Any) -> TrainingOptions:
        """Return the settings of Liu, Dahlmeier and Ng (2010), with *changes*.

        Phrases and n-grams of up to four words, edges above 0.1, unknown words at weight 1, punctuation, fluency for
        each word.
        """
        settings = cls(max_phrase=4, bags=BagOptions.paper(), punctuation=True, fluency="per-word")
        return replace(settings, **changes)

    @property
    def text(self) -> TextPipeline:
        """How sentences become words."""
        return TextPipeline(tokenizer=self.tokenizer, lowercase=True)

    def to_plain(self) -> dict[str, Any]:
        """Return the options as values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """How well a regressor does on originals that it was not trained on, and which way it answers.

    Attributes:
        judged: How many candidates people judged.
        originals: How many originals these have.
        controls: How many control candidates there are beside them.
        by_rule: Whether the overall scores were worked out of adequacy and fluency.
        validation: Chosen options, error, and predictions for all items in the order of the items.
        pearson: Of predictions and judgments, controls left out.
        spearman: Likewise.
        pearson_with_controls: Of all items; the same if there are no controls.
        vectors: Support vectors of the regressor that was trained on everything.
        curves: Which way it answers.
        passed_over: Options with less error whose regressor answers the wrong way.
    """

    judged: int
    originals: int
    controls: int
    by_rule: bool
    validation: CrossValidation
    pearson: float
    spearman: float
    pearson_with_controls: float
    vectors: int
    curves: tuple[ResponseCurve, ...]
    passed_over: int

    def complaints(self) -> list[str]:
        """Return what is wrong with the answers of the regressor; nothing for a sound one."""
        if not self.vectors:
            return ["every candidate gets the same score"]
        return [text for curve in self.curves if (text := curve.complaint()) is not None]


def build_pivot_table(
    bitext: Bitext,
    options: TrainingOptions,
    *,
    threads: int | None = None,
    engine: EngineOptions | None = None,
    progress: Progress | None = None,
) -> PhraseTable:
    """Return the phrase table of stems, of the source of *bitext*, against its other language."""
    text = options.text
    pivot = TextPipeline(tokenizer=options.pivot_tokenizer, lowercase=True, stem=options.pivot_stemmer or False)
    stem = get_stemmer(options.stemmer)
    ours = watched(bitext.source, progress, total=len(bitext), what="words")
    stems = [tuple(map(stem, text(line))) for line in ours]
    other = [pivot(line) for line in watched(bitext.target, progress, total=len(bitext), what="pivot words")]
    _, aligned = Aligner.train_and_align(stems, other, threads=threads, progress=progress)
    flat = aligned.links.tolist()
    links = [[tuple(link) for link in flat[begin:end]] for begin, end in pairwise(aligned.starts.tolist())]

    return extract_phrases(
        stems, other, links, max_length=MAX_PIVOT_PHRASE, lexical=False, engine=engine, progress=progress,
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
    lengths = words_of_phrases(table)
    if options.min_phrase_count > 1:
        keep &= ((lengths == 1) | (totals >= options.min_phrase_count))[sources]
    keep &= (lengths <= options.max_phrase)[sources]
    return select_pairs(table, keep)


def build_language_model(
    sentences: Iterable[str], options: TrainingOptions, *, threads: int | None = None, progress: Progress | None = None
) -> LanguageModel:
    """Return the language model of *sentences*, each of which counts once."""
    different = tuple(dict.fromkeys(sentences))
    counter = Counter(progress, len(different))
    counter.now("language model")
    words: Iterable[tuple[str, ...]] = map(options.text, different)
    if options.lm_stems:
        words = (tuple(map(get_stemmer(options.stemmer), sentence)) for sentence in words)
    model = train_lm(
        words, order=options.lm_order, smoothing=options.smoothing, min_counts=options.lm_min_counts,
        discount_fallback=True, tokenizer=options.tokenizer, lowercase=True, threads=threads,
        stem=options.lm_stems and options.stemmer,
    )  # fmt: skip
    counter.advance(len(different))
    return model


def build_resources(
    pivots: Mapping[str, Bitext | PhraseTable],
    language_model: LanguageModel | None,
    options: TrainingOptions,
    *,
    threads: int | None = None,
    engine: EngineOptions | None = None,
    progress: Progress | None = None,
) -> PemResources:
    """Return what features are computed with.

    Args:
        pivots: A bitext, the scored language first, or a ready-made table of its stems, by the name of the other
            language.
        language_model: A ready-made model of the same words, or of their stems; trained on the first sides of the
            bitexts if None.
        options: How to make what is not given.
        threads: All cores if None.
        engine: Memory limit and temporary folder for counting phrases.
        progress: Told of each step.
    """
    if not pivots:
        raise DataError("PEM needs at least one pivot language: a bitext or a phrase table")
    if language_model is None:
        lines = [line for bitext in pivots.values() if isinstance(bitext, Bitext) for line in bitext.source]
        if not lines:
            raise DataError("existing phrase tables need an existing language model")
        language_model = build_language_model(lines, options, threads=threads, progress=progress)
    lm_text = language_model.pipeline
    if lm_text != TOKENISED and (lm_text.tokenizer, lm_text.lowercase) != (options.tokenizer, True):
        raise DataError(
            f"the language model is one of {'lower-cased' if lm_text.lowercase else 'mixed-case'} words by the "
            f"tokeniser {lm_text.tokenizer}, expected lower-cased ones by {options.tokenizer}; make it again with: "
            f"paragauge lm --tokenizer {options.tokenizer} --lowercase, or choose its tokeniser for PEM"
        )
    if lm_text.stemmer_name not in (None, options.stemmer):
        raise DataError(
            f"the language model is one of stems by {lm_text.stemmer_name}, expected words or stems by "
            f"{options.stemmer}; choose the same stemmer for both"
        )
    bags = {}
    for name, given in pivots.items():
        table = given
        if isinstance(table, Bitext):
            table = build_pivot_table(table, options, threads=threads, engine=engine, progress=_named(name, progress))
        bags[name] = PivotBags(prune_for_pem(table, options), options.bags)
    return PemResources(
        pivots=bags,
        language_model=language_model,
        text=options.text,
        stemmer=options.stemmer,
        lm_stems=options.lm_stems if lm_text == TOKENISED else lm_text.stem is not False,
        punctuation=options.punctuation,
        fluency=options.fluency,
    )


class TrainingItem(NamedTuple):
    """A candidate to learn from: with an overall score, or with what to work it out of; all from 1 to 5."""

    original: str
    candidate: str
    overall: float | None
    adequacy: float
    fluency: float


def train_pem(
    resources: PemResources,
    judgments: JudgedPairs,
    options: TrainingOptions,
    *,
    control_text: Sequence[str] = (),
    more_controls: JudgedPairs | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[PemModel, TrainingReport]:
    """Return a model, and how well it does on unseen originals.

    Args:
        resources: What features are computed with.
        judgments: Overall scores of paraphrases, from 1 to 5; the mean over judges counts. Where nobody judged overall,
            scores of the criterion ``adequacy``, and of ``fluency`` if there are any, make the overall score by the
            rule of `paragauge.judges.verdict`, together with the wording that is measured.
        options: What to train.
        control_text: Sentences of another kind of text than the judged originals, for which control candidates and
            damaged versions are added: what a copy or a salad is worth should not depend on the kind of text.
        more_controls: Other candidates whose adequacy and fluency are known without asking anybody.
        threads: All cores if None; the model is the same for any number.
        progress: Told of each step.

    Raises:
        DataError: There is no score to learn from, all are the same, the texts are in another language than the phrase
            tables, or there are fewer originals than folds.
        MissingExtraError: scikit-learn is not installed.
    """
    judged, by_rule = _judged_items(judgments)
    _check_scores(judged)
    _check_language(resources, judged)
    rng = np.random.default_rng(options.seed)
    controls = []
    if options.controls:
        controls += known_items(control_pairs([item.original for item in judged], rng))
    if control_text:
        english = options.stemmer in ENGLISH_STEMMERS
        controls += known_items(control_pairs(control_text, rng))
        controls += known_items(damaged_pairs(control_text, rng, english=english))
    if more_controls is not None:
        controls += known_items(more_controls)
    items = [*judged, *controls]
    groups = [item.original for item in items]
    batch = PairBatch(resources, groups, [item.candidate for item in items], threads=threads)
    if progress is not None:
        progress(0, 1, "features")
    rows, targets = batch.features(), _targets(items, batch)
    fits: dict[SvrOptions, tuple[RbfRegressor, tuple[ResponseCurve, ...]]] = {}
    names = feature_names(batch.pivots)

    def will_do(chosen: SvrOptions) -> bool:
        regressor, curves = fitted(chosen)
        # A regressor that says the same of everything answers in no direction at all.
        learned = np.mean((regressor.predict(rows) - targets) ** 2) < LEARNED * np.var(targets)
        return bool(learned) and all(curve.is_right for curve in curves)

    def fitted(chosen: SvrOptions) -> tuple[RbfRegressor, tuple[ResponseCurve, ...]]:
        if chosen not in fits:
            regressor = fit_svr(rows, targets, chosen)
            fits[chosen] = regressor, response_curves(_clipped(regressor), rows, names)
        return fits[chosen]

    validation = cross_validate(
        rows, targets, groups, grid=None if options.svr is None else [options.svr], folds=options.folds,
        seed=options.seed, threads=threads, accept=will_do,
        progress=progress,
    )  # fmt: skip
    regressor, curves = fitted(validation.options)
    people = slice(0, len(judged))
    found = TrainingReport(
        judged=len(judged),
        originals=len({item.original for item in judged}),
        controls=len(controls),
        by_rule=by_rule,
        validation=validation,
        pearson=pearson(validation.predictions[people], targets[people]),
        spearman=spearman(validation.predictions[people], targets[people]),
        pearson_with_controls=pearson(validation.predictions, targets),
        vectors=len(regressor.vectors),
        curves=curves,
        passed_over=sum(error < validation.error for _, error in validation.tried),
    )
    for complaint in found.complaints():
        logger.warning("the model responds the wrong way: %s", complaint)
    return PemModel(resources, regressor), found


def _clipped(regressor: RbfRegressor) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    return lambda rows: np.clip(regressor.predict(rows), LOWEST, HIGHEST)


def _judged_items(judgments: JudgedPairs) -> tuple[list[TrainingItem], bool]:
    """Return what people judged, and whether overall scores have to be worked out."""
    overall = judgments.mean_over_judges(OVERALL)
    if len(overall):
        return [TrainingItem(row.original, row.candidate, row.score, HIGHEST, HIGHEST) for row in overall], False
    items = known_items(judgments)
    if not items:
        raise DataError(
            "the judgments have no score to learn from; expected the criterion 'overall' (or none), or 'adequacy'"
        )
    return items, True


def known_items(pairs: JudgedPairs) -> list[TrainingItem]:
    """Return candidates with adequacy and fluency; one whose fluency nobody judged is fluent."""
    fluency = {(*row[:2], row.system): row.score for row in pairs.mean_over_judges(FLUENCY)}
    return [
        TrainingItem(*row[:2], None, row.score or LOWEST, fluency.get((*row[:2], row.system)) or HIGHEST)
        for row in pairs.mean_over_judges(ADEQUACY)
    ]


def _targets(items: Sequence[TrainingItem], batch: PairBatch) -> NDArray[np.float64]:
    """Return the overall score of each item, judged or by the rule."""
    meaning, fluent = (
        (np.array(column, dtype=np.float64) - LOWEST) / (HIGHEST - LOWEST)
        for column in ([item.adequacy for item in items], [item.fluency for item in items])
    )
    by_rule = verdict(meaning, fluent, difference(batch.dissimilarity()))
    overall = np.array([np.nan if item.overall is None else item.overall for item in items], dtype=np.float64)
    return np.where(np.isnan(overall), by_rule, overall)


def _check_scores(items: Sequence[TrainingItem]) -> None:
    if len({(item.overall, item.adequacy, item.fluency) for item in items}) == 1:
        score = items[0].adequacy if items[0].overall is None else items[0].overall
        raise DataError(
            f"all {len(items):,} judged candidates have the same score ({score:g} on the scale from 1 to 5); there is "
            "nothing to learn from them: add candidates that are better or worse"
        )


def _check_language(resources: PemResources, items: Sequence[TrainingItem]) -> None:
    """Refuse judged texts hardly any of whose words are in the phrase tables; warn if most are not."""
    batch = PairBatch(resources, [item.original for item in items], [item.candidate for item in items])
    stems = [stem for line in (*batch.original_stems, *batch.candidate_stems) for stem in line.split()]
    tables = [bags.table for bags in resources.pivots.values()]
    known = {stem for stem in dict.fromkeys(stems) if any(table.count(stem) for table in tables)}
    share = sum(stem in known for stem in stems) / max(len(stems), 1)
    found = (
        f"{share:.0%} of the words of the judged texts are in the phrase tables, which are of words by the tokeniser "
        f"{resources.text.tokenizer} and stems by {resources.stemmer}"
    )
    if share < HARDLY_ANY_KNOWN:
        raise DataError(
            f"{found}; are the judgments in another language than the tables? The scored language comes first in a "
            "bitext"
        )
    if share < FEW_KNOWN:
        logger.warning("%s; adequacy will be unreliable", found)


def _named(pivot: str, progress: Progress | None) -> Progress | None:
    if progress is None:
        return None
    return lambda done, total, step: progress(done, total, f"{pivot}: {step}")
