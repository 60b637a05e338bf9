"""PEM and pem+: comparison of models with human judgments, training, and fitting to judgments."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from paragauge.errors import OptionError
from paragauge.evaluate.asking import no_effect, refuse_without_effect, request_of
from paragauge.evaluate.option import Request, option, seed_option
from paragauge.evaluate.result import Result
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.corpora.bitext import Bitext
    from paragauge.corpora.judged_pairs import JudgedPairs
    from paragauge.corpora.judgments import Judgments
    from paragauge.corpora.pairs import ParaphrasePairs
    from paragauge.io import PathLike
    from paragauge.judges.model import JudgeModel
    from paragauge.judges.training import JudgedSet, Paraphrases
    from paragauge.judges.unseen import FittingReport
    from paragauge.meta.pem_tables import Key, PemFigure, TableRow
    from paragauge.metrics.base import Score, SentenceMetric
    from paragauge.metrics.pem.model import PemModel
    from paragauge.metrics.pem.training import TrainingOptions, TrainingReport
    from paragauge.phrases.table import PhraseTable
    from paragauge.progress import Progress
    from paragauge.report.model import ScatterPlot
    from paragauge.report.table import Cell, ResultTable
    from paragauge.storage.engine import EngineOptions

Scale: TypeAlias = tuple[float, float]

PEM_SCALE: Scale = (1.0, 5.0)
_CANDIDATES_IN_REPORT = 512  # scored between two reports of progress
_OF_EXTRACTION = ("pivot_tokenizer", "min_count", "min_prob", "top")
_OF_LANGUAGE_MODEL = ("smoothing",)


def _licence() -> Any:
    return option(None, metavar="TEXT", help="Licence of the model, recorded in its card.")


@dataclass(frozen=True, kw_only=True)
class PemRequest(Request):
    """Options for comparing a model with human judgments."""

    method: Literal["pearson", "spearman", "kendall"] = option(
        "pearson", help="Correlation coefficient; kendall is tau-b."
    )
    judges: bool = option(
        False, help="Print the paper's three tables: judges with each other, criteria, and the model with each judge."
    )
    seed: int = seed_option()


@dataclass(frozen=True, kw_only=True)
class TrainRequest(Request):
    """Options for training PEM.

    Attributes:
        lm_min_counts: Minimum counts of n-grams of order 1, 2, ... in the language model.
    """

    controls: bool = option(
        False, help="Add three controls for each judged original: a copy, a random sentence and a word salad."
    )
    preset: Literal["default", "paper"] = option(
        "default",
        help="Feature settings: those that agree best with human judgments (default), or the paper's (paper).",
    )
    tokenizer: str = option(
        "penn", flags=("-t", "--tokenizer"), metavar="NAME", help="Tokeniser of the scored language."
    )
    stemmer: str = option(
        "porter",
        metavar="NAME",
        help="Stemmer of the scored language: porter (English), french, german, spanish, ...",
    )
    max_phrase: int | None = option(
        None,
        low=1,
        high=4,
        metavar="N",
        help="Maximum phrase length in the scored language, in words.",
        default_help="1; with --preset paper: 4",
    )
    pivot_tokenizer: str = option("13a", metavar="NAME", help="Tokeniser of the pivot languages.")
    min_count: int = option(1, low=1, metavar="N", help="Leave out phrase pairs seen fewer than N times.")
    min_prob: float = option(
        0.0,
        low=0,
        high=1,
        metavar="P",
        help="Keep phrase pairs with p(f|e) of at least P, where f is the pivot phrase.",
    )
    top: int | None = option(
        None, low=1, metavar="N", help="Keep the N most frequent pivot phrases per phrase.", default_help="keep all"
    )
    min_phrase_count: int = option(1, low=1, metavar="N", help="Leave out multi-word phrases seen fewer than N times.")
    lean: bool = option(
        True,
        flags=("--lean/--no-lean",),
        help="Leave out table entries that scoring never reads; scores are not affected.",
    )
    smoothing: Literal["kneser-ney", "katz"] = option("katz", help="Smoothing of the language model.")
    lm_stems: bool = option(False, help="Train the language model on stems.")
    folds: int = option(5, low=2, metavar="N", help="Number of cross-validation folds.")
    c: float | None = option(
        None,
        low=0,
        metavar="C",
        help="C of the regressor; requires --gamma and --epsilon.",
        default_help="chosen by cross-validation",
    )
    gamma: float | None = option(
        None,
        low=0,
        metavar="G",
        help="Gamma of the regressor; requires --c and --epsilon.",
        default_help="chosen by cross-validation",
    )
    epsilon: float | None = option(
        None,
        low=0,
        metavar="E",
        help="Epsilon of the regressor; requires --c and --gamma.",
        default_help="chosen by cross-validation",
    )
    licence: str | None = _licence()
    seed: int = seed_option()
    lm_min_counts: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        fixed = [self.c, self.gamma, self.epsilon]
        if None in fixed and fixed != [None] * 3:
            raise OptionError("--c, --gamma and --epsilon must be given together; give all three or none")
        if self.max_phrase == 1 or (self.max_phrase is None and self.preset == "default"):
            refuse_without_effect(
                self, {"min_phrase_count"}, "on phrases of one word; allow longer phrases with --max-phrase"
            )

    def options(self) -> TrainingOptions:
        """Return the options in the form that training expects."""
        from paragauge.learn.svr import SvrOptions
        from paragauge.metrics.pem.training import TrainingOptions
        from paragauge.phrases.build import Pruning

        svr = None
        if self.c is not None and self.gamma is not None and self.epsilon is not None:
            svr = SvrOptions(c=self.c, gamma=self.gamma, epsilon=self.epsilon)
        settings: dict[str, Any] = {} if self.max_phrase is None else {"max_phrase": self.max_phrase}
        return (TrainingOptions.paper if self.preset == "paper" else TrainingOptions)(
            **settings,
            tokenizer=self.tokenizer,
            stemmer=self.stemmer,
            pivot_tokenizer=self.pivot_tokenizer,
            min_phrase_count=self.min_phrase_count,
            lean=self.lean,
            pruning=Pruning(min_count=self.min_count, min_prob=self.min_prob, top=self.top),
            smoothing=self.smoothing,
            lm_min_counts=None if self.lm_min_counts is None else list(self.lm_min_counts),
            lm_stems=self.lm_stems,
            controls=self.controls,
            folds=self.folds,
            svr=svr,
            seed=self.seed,
        )


@dataclass(frozen=True, kw_only=True)
class FitRequest(Request):
    """Options for fitting pem+'s judge of meaning."""

    contrast_share: float = option(
        0.45,
        low=0,
        high=1,
        metavar="SHARE",
        help="Weight of the contrasts made from paraphrases when fitting the checks, from 0 to 1.",
    )
    base: str = option(
        "default",
        flags=("--from",),
        metavar="MODEL",
        help="Model that provides the word vectors, translations and judge of fluency.",
    )
    licence: str | None = _licence()
    seed: int = seed_option()


@dataclass(frozen=True)
class PemEvaluation(Result):
    """Comparison of a model with human judgments.

    Attributes:
        correlations: Rows of the paper's tables 1 to 3.
        method: Correlation coefficient.
        seed: Seed for the control candidates.
        signatures: Signatures of the metrics compared.
        scores: Name of each metric and its scores of all candidates, including controls.
        people: Judgments of the same candidates.
        details: Whether `table` is that of the paper's three tables, or answers first.
        figures: What the paper's figures 3 to 5 show; `svg` draws it.
    """

    correlations: tuple[TableRow, ...]
    method: str
    seed: int
    signatures: tuple[str, ...]
    scores: tuple[tuple[str, Mapping[Key, Score]], ...]
    people: JudgedPairs
    details: bool = False
    figures: tuple[PemFigure, ...] = ()

    def rows(self) -> list[dict[str, Cell]]:
        return [
            {
                "table": row.table,
                "what": row.what,
                "other": row.other,
                "level": row.level,
                "controls": "with" if row.controls else "without",
                "correlation": row.correlation,
                "items": row.items,
            }
            for row in self.correlations
        ]

    def answers(self) -> list[dict[str, Cell]]:
        """Return one row per model and level: its correlation with the mean of judges, without and with controls."""
        from paragauge.meta.pem_tables import MEAN_OF_JUDGES

        rows: dict[tuple[str, str], dict[str, Cell]] = {}
        for each in self.correlations:
            if each.table == 3 and each.other == MEAN_OF_JUDGES:
                row = rows.setdefault((each.what, each.level), {"metric": each.what, "level": each.level})
                which = "_with_controls" if each.controls else ""
                row |= {f"correlation{which}": each.correlation, f"items{which}": each.items}
        return list(rows.values())

    def table(self) -> ResultTable:
        """Return the model's agreement with the mean of judges; or, with details, the paper's three tables.

        Undefined correlations, such as those of judges with a single item in common, are counted in a note.
        """
        from math import isnan

        from paragauge.report.table import ResultTable

        notes = [f"{self.method}; seed of the controls: {self.seed}", *self.signatures]
        if not self.details:
            columns = ["metric", "level", "correlation", "items", "correlation_with_controls", "items_with_controls"]
            return ResultTable(columns, self.answers(), notes=notes)
        columns = ["table", "what", "other", "level", "controls", "correlation", "items"]
        pairs = zip(self.correlations, self.rows(), strict=True)
        rows = [row for each, row in pairs if not isnan(each.correlation)]
        left_out = len(self.correlations) - len(rows)
        if left_out:
            notes.insert(0, f"left out: {left_out:,} undefined correlations (fewer than two items, or equal scores)")
        return ResultTable(columns, rows, notes=notes)

    def svg(self) -> str:
        """Return the paper's figures 3 to 5 as one drawing: points are candidates or systems, controls are hollow."""
        from paragauge.report.scatter import scatter_svg

        return scatter_svg([_plot(each, self.method) for each in self.figures])

    def score_table(self) -> ResultTable:
        """Return the scores of all candidates, with the same systems and segments as `judgments`."""
        from paragauge.meta.pem_tables import segment_names
        from paragauge.report.table import ResultTable

        names = segment_names(self.people)
        rows: list[dict[str, Cell]] = []
        columns = dict.fromkeys(["metric", "system", "segment", "score"])
        for metric, scores in self.scores:
            for key, score in scores.items():
                place: dict[str, Cell] = {
                    "metric": metric,
                    "system": key[0],
                    "segment": names[key],
                    "score": score.value,
                }
                rows.append({**place, **score.components})
                columns.update(dict.fromkeys(score.components))
        return ResultTable(list(columns), rows)

    def judgments(self) -> Judgments:
        """Return the judgments of all candidates; those of control candidates follow a fixed rule."""
        from paragauge.corpora.judgments import Judgments
        from paragauge.meta.pem_tables import segment_names

        names = segment_names(self.people)
        return Judgments.from_rows(
            (row.system, names[row.system, row.original, row.candidate], row.judge, row.criterion, row.score)
            for row in self.people
        )


@dataclass(frozen=True)
class TrainingResult(Result):
    """A trained model.

    Attributes:
        model: The model, with its card.
        report: Performance on originals not used in training, and the direction of the model's answers.
    """

    model: PemModel
    report: TrainingReport

    def rows(self) -> list[dict[str, Cell]]:
        found = self.report
        return [
            {
                "judged": found.judged,
                "originals": found.originals,
                "controls": found.controls,
                "pearson": found.pearson,
                "spearman": found.spearman,
                "pearson_with_controls": found.pearson_with_controls,
                "vectors": found.vectors,
            }
        ]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows, notes=self.report.complaints())

    def summary(self) -> str:
        """Return a one-line summary."""
        found = self.report
        return (
            f"Pearson {found.pearson:.4f}, Spearman {found.spearman:.4f} on unseen originals, "
            f"{found.pearson_with_controls:.4f} with controls; {found.vectors:,} support vectors"
        )


@dataclass(frozen=True)
class FitResult(Result):
    """Judges fitted to judgments.

    Attributes:
        model: The judges, with their card.
        judged: Number of judged pairs from each set.
        paraphrases: Number of pairs from each set of paraphrases.
        report: How well they do on judgments that were left out of training in turn.
    """

    model: JudgeModel
    judged: Mapping[str, int]
    paraphrases: Mapping[str, int]
    report: FittingReport

    def rows(self) -> list[dict[str, Cell]]:
        unseen = {each.name: (each.folds, each.left_out) for each in self.report.sets}
        kinds = {"judgments": self.judged, "paraphrases": self.paraphrases}
        rows: list[dict[str, Cell]] = []
        for kind, counts in kinds.items():
            for name, count in counts.items():
                folds, left_out = unseen.get(name, (None, None)) if kind == "judgments" else (None, None)
                rows.append({"kind": kind, "set": name, "pairs": count, "folds": folds, "left_out": left_out})
        return rows

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        notes = [
            "folds: Pearson's correlation of meaning with people on originals left out of training; left_out: on the "
            "set, by judges fitted to the other sets"
        ]
        return ResultTable(["kind", "set", "pairs", "folds", "left_out"], self.rows(), notes=notes)

    def summary(self) -> str:
        """Return a one-line summary."""
        sets = self.report.sets
        figure = f"; Pearson {sum(each.folds for each in sets) / len(sets):.4f} on unseen originals" if sets else ""
        return f"fitted to {sum(self.judged.values()):,} judged pairs{figure}"


def evaluate(
    model: PathLike | SentenceMetric | Sequence[SentenceMetric],
    judgments: PathLike | JudgedPairs,
    request: PemRequest | None = None,
    *,
    scale: Scale = PEM_SCALE,
    encoding: str = "utf-8",
    progress: Progress | None = None,
    **options: Any,
) -> PemEvaluation:
    """Return tables 1 to 3 of the PEM paper: agreement among judges, of criteria with the overall score, and of models.

    Args:
        model: Folder of PEM or of pem+'s judges, ``default`` for both built-in models, or metrics that use originals.
        judgments: Judged paraphrases, or their file.
        request: All options; alternatively, pass the fields of `PemRequest` as keywords.
        scale: Lowest and highest score that judges could give.
        encoding: Encoding of the file.
        progress: Called with the number of candidates scored.
    """
    from paragauge.meta.pem_tables import pem_figures, pem_tables, segment_names, with_controls
    from paragauge.progress import Counter

    asked = request_of(PemRequest, request, options)
    metrics = _metrics_of(model)
    judged = judged_pairs(judgments, encoding).rescaled(*scale)
    everything = with_controls(judged, asked.seed)
    keys = list(segment_names(everything))
    done = Counter(progress, len(metrics) * len(keys), "candidates")
    scores: list[tuple[str, Mapping[Key, Score]]] = []
    values: dict[str, dict[Key, float]] = {}
    for metric in metrics:
        done.now(metric.name)
        found: list[Score] = []
        for start in range(0, len(keys), _CANDIDATES_IN_REPORT):
            part = keys[start : start + _CANDIDATES_IN_REPORT]
            found += metric.segment_scores([key[2] for key in part], originals=[key[1] for key in part])
            done.advance(len(part))
        scores.append((metric.name, dict(zip(keys, found, strict=True))))
        values[str(metric)] = {key: score.value for key, score in zip(keys, found, strict=True)}
    rows = pem_tables(values, judged, method=asked.method, seed=asked.seed)
    figures = pem_figures(values, judged, method=asked.method, seed=asked.seed)
    signatures = tuple(str(metric.signature_of_pairs()) for metric in metrics)
    return PemEvaluation(
        tuple(rows), asked.method, asked.seed, signatures, tuple(scores), everything, asked.judges, tuple(figures)
    )


def _plot(figure: PemFigure, method: str) -> tuple[ScatterPlot, frozenset[int]]:
    """Return the plot of a figure, and the places of controls among its points."""
    from paragauge.report.model import Point, ScatterPlot, spread_points

    if figure.level == "system":
        drawn, left_out = [(k, Point(p.x, p.y, p.x, p.y, p.name)) for k, p in enumerate(figure.points)], 0
    else:
        drawn, left_out = spread_points([(point.x, point.y, point.name) for point in figure.points])
    controls = frozenset(k for k, (place, _) in enumerate(drawn) if figure.points[place].control)
    points = tuple(point for _, point in drawn)
    kind = "system" if figure.level == "system" else "sentence"
    about = "dissimilarity, adequacy and fluency at least 4" if figure.figure == 3 else f"{figure.what}, {kind} level"
    title = f"Figure {figure.figure}: {about}; {method} {figure.correlation:.4f}"
    key = f"figure-{figure.figure}"
    return ScatterPlot(key, title, figure.what, "overall score", points, kind == "system", left_out), controls


def train(
    judgments: PathLike | JudgedPairs,
    request: TrainRequest | None = None,
    *,
    bitexts: Sequence[Bitext | tuple[PathLike, PathLike]] = (),
    tables: Sequence[PathLike] = (),
    names: Sequence[str] = (),
    language_model: PathLike | None = None,
    control_text: PathLike | None = None,
    scale: Scale = PEM_SCALE,
    encoding: str = "utf-8",
    output: PathLike | None = None,
    engine: EngineOptions | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> TrainingResult:
    """Train PEM: tokenise, stem, align, extract phrases, train a language model and learn from judgments.

    Args:
        judgments: Judged paraphrases, or their file.
        request: All options; alternatively, pass the fields of `TrainRequest` as keywords.
        bitexts: For each pivot language, two files with one sentence per line: the language to score and the pivot.
        tables: Folders of existing phrase tables of stems.
        names: Names of the pivots: bitexts, then tables; by default, the suffixes of their file names.
        language_model: Folder of an existing language model; by default, one is trained on the scored sides.
        control_text: File of additional sentences, of another kind of text, for which control candidates are added.
        scale: Lowest and highest score that judges could give.
        encoding: Encoding of the files.
        output: Folder to write the model to.
        engine: Memory limit, temporary folder and threads.
        progress: Called with the progress of each step.
    """
    from paragauge.lm.model import TOKENISED, LanguageModel
    from paragauge.metrics.pem.card import model_card
    from paragauge.metrics.pem.model import KIND
    from paragauge.metrics.pem.training import build_resources, train_pem
    from paragauge.resource import check_replaceable

    asked = request_of(TrainRequest, request, options)
    _check_effects(asked, bitexts, language_model, engine)
    pivots = _pivot_names(bitexts, tables, names, language_model)
    if output is not None:
        check_replaceable(output, KIND)
    settings = asked.options()
    judged = judged_pairs(judgments, encoding).rescaled(*scale)
    controls = _lines(control_text, encoding)
    threads = None if engine is None else engine.threads
    made = dict(zip(pivots, _read_pivots(bitexts, tables, encoding), strict=True))
    lm = None if language_model is None else LanguageModel.load(language_model)
    if lm is not None and asked.lm_stems and lm.pipeline != TOKENISED:
        raise no_effect("--lm-stems", f"with {language_model}, which records whether it is a model of stems")
    resources = build_resources(made, lm, settings, threads=threads, engine=engine, progress=progress)
    model, found = train_pem(resources, judged, settings, control_text=controls, threads=threads, progress=progress)
    data = _data(pivots, bitexts, tables, language_model, judgments, control_text)
    card = model_card(resources, found, settings, data=data, control_sentences=len(controls), licence=asked.licence)
    model = model.with_card(card)
    if output is not None:
        inputs = {what: digest for what, _, digest in data}
        model.save(output, options=settings.to_plain(), inputs=inputs, licence=asked.licence)
    return TrainingResult(model, found)


def fit_judges(
    judgments: Sequence[PathLike] | Mapping[str, JudgedPairs],
    request: FitRequest | None = None,
    *,
    paraphrases: Sequence[PathLike] | Mapping[str, ParaphrasePairs] = (),
    encoding: str = "utf-8",
    output: PathLike | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> FitResult:
    """Fit pem+'s judge of meaning to judgments; its tables and its judge of fluency stay the same.

    Args:
        judgments: Sets of judged pairs by name, or their files; scales may differ between sets.
        request: All options; alternatively, pass the fields of `FitRequest` as keywords.
        paraphrases: Sets of sentence pairs with the same meaning, from which contrasts are made.
        encoding: Encoding of the files.
        output: Folder to write the judges to.
        progress: Called with the progress on each set.
    """
    from paragauge.io import digest_file
    from paragauge.judges.card import judges_card
    from paragauge.judges.model import KIND, open_judges
    from paragauge.judges.training import refit
    from paragauge.resource import check_replaceable

    asked = request_of(FitRequest, request, options)
    if not paraphrases:
        refuse_without_effect(asked, {"contrast_share", "seed"}, "without --paraphrases to make contrasts from")
    if output is not None:
        check_replaceable(output, KIND)
    people, contrasts = _judged_sets(judgments, encoding), _paraphrase_sets(paraphrases, encoding)
    model, found = refit(
        open_judges(asked.base), people, contrasts, contrast_share=asked.contrast_share, seed=asked.seed,
        progress=progress,
    )  # fmt: skip
    files = [os.fspath(path) for given in (judgments, paraphrases) if not isinstance(given, Mapping) for path in given]
    inputs = {Path(path).name: digest_file(path) for path in files if path != STANDARD_STREAM}
    model = model.with_card(judges_card(model, people, contrasts, found, inputs=inputs, licence=asked.licence))
    if output is not None:
        how = {"from": asked.base, "contrast_share": asked.contrast_share, "seed": asked.seed}
        model.save(output, options=how, inputs=inputs, licence=asked.licence)
    judged = {each.name: len(each.pairs.mean_over_judges()) for each in people}
    return FitResult(model, judged, {each.name: len(each.pairs) for each in contrasts}, found)


def _metrics_of(model: PathLike | SentenceMetric | Sequence[SentenceMetric]) -> list[SentenceMetric]:
    """Return the metrics for a model: both for 'default', otherwise the one that the folder belongs to."""
    from paragauge.judges.model import KIND
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.pem.metric import PEM
    from paragauge.metrics.pem_plus import PEMPlus
    from paragauge.resource import DEFAULT, kind_of

    if isinstance(model, SentenceMetric):
        return [model]
    if not isinstance(model, str | os.PathLike):
        return list(model)
    name = os.fspath(model)
    if name == DEFAULT:
        return [PEM.load(), PEMPlus.load()]
    return [PEMPlus.load(name) if kind_of(name) == KIND else PEM.load(name)]


def judged_pairs(given: PathLike | JudgedPairs, encoding: str = "utf-8") -> JudgedPairs:
    """Return judged paraphrases, from their file if need be."""
    from paragauge.corpora.judged_pairs import JudgedPairs, read_judged_pairs

    return given if isinstance(given, JudgedPairs) else read_judged_pairs(given, encoding=encoding)


def _judged_sets(given: Sequence[PathLike] | Mapping[str, JudgedPairs], encoding: str) -> list[JudgedSet]:
    from paragauge.judges.training import JudgedSet

    if isinstance(given, Mapping):
        return [JudgedSet(name, pairs) for name, pairs in given.items()]
    return [JudgedSet(Path(path).name, judged_pairs(path, encoding)) for path in given]


def _paraphrase_sets(given: Sequence[PathLike] | Mapping[str, ParaphrasePairs], encoding: str) -> list[Paraphrases]:
    from paragauge.corpora.pairs import read_paraphrase_pairs
    from paragauge.judges.training import Paraphrases

    sets = (
        given.items()
        if isinstance(given, Mapping)
        else [(Path(path).name, read_paraphrase_pairs(path, encoding=encoding)) for path in given]
    )
    return [Paraphrases(name, tuple(zip(pairs.source, pairs.target, strict=True))) for name, pairs in sets]


def _lines(path: PathLike | None, encoding: str) -> list[str]:
    from paragauge.corpora.lines import read_filled_lines

    return [] if path is None else read_filled_lines(path, "one sentence per line", encoding)


def _check_effects(
    request: TrainRequest, bitexts: Sequence[Any], language_model: PathLike | None, engine: EngineOptions | None
) -> None:
    """Reject options that would be ignored."""
    if language_model is not None:
        why = "with --lm, which names an existing language model"
        refuse_without_effect(request, _OF_LANGUAGE_MODEL, why)
        if request.lm_min_counts is not None:
            raise no_effect("--lm-min-counts", why)
    if not bitexts:
        why = "without --bitext: the phrase tables already exist"
        refuse_without_effect(request, _OF_EXTRACTION, why)
        for name in ("memory_limit", "temp"):
            if engine is not None and getattr(engine, name) is not None:
                raise no_effect(f"--{name.replace('_', '-')}", why)


def _pivot_names(
    bitexts: Sequence[Any], tables: Sequence[PathLike], given: Sequence[str], language_model: PathLike | None
) -> list[str]:
    """Return the names of the pivots, as given or derived from file names."""
    sources = [*(each[1] if isinstance(each, tuple) else "pivot" for each in bitexts), *tables]
    if not sources:
        raise OptionError("PEM needs a pivot language; give a bitext with --bitext TEXT PIVOT or a table with --table")
    if not bitexts and language_model is None:
        raise OptionError("--table without --bitext needs a language model; name one with --lm")
    names = list(given)
    if names and len(names) != len(sources):
        raise OptionError(f"give --pivot once per bitext and table; found {len(names)} names, expected {len(sources)}")
    for source in sources if not names else ():
        name = Path(source).name.removesuffix(".gz").removesuffix(".table").rpartition(".")[2].rpartition("-")[2]
        names.append("".join(letter for letter in name if letter.isalnum()) or "pivot")
    if len(set(names)) < len(names):
        raise OptionError(f"pivots need different names; found {', '.join(names)}; name them with --pivot")
    for name in names:
        if not name.replace("-", "").replace("_", "").isalnum():
            raise OptionError(f"{name!r} is not a valid name of a pivot; use letters, digits, - and _")
    return names


def _read_pivots(bitexts: Sequence[Any], tables: Sequence[PathLike], encoding: str) -> list[Bitext | PhraseTable]:
    from paragauge.corpora.bitext import read_parallel
    from paragauge.phrases.table import PhraseTable

    texts = [read_parallel(*each, encoding=encoding) if isinstance(each, tuple) else each for each in bitexts]
    return [*texts, *map(PhraseTable.open, tables)]


def _data(
    names: Sequence[str],
    bitexts: Sequence[Any],
    tables: Sequence[PathLike],
    language_model: PathLike | None,
    judgments: PathLike | JudgedPairs,
    control_text: PathLike | None,
) -> list[tuple[str, str, str]]:
    """Return the sources of a model: a description, the name of the file or folder, and its digest."""
    from paragauge.resource import MANIFEST

    data: list[tuple[str, Any]] = []
    for name, bitext in zip(names, bitexts, strict=False):
        scored, other = bitext if isinstance(bitext, tuple) else (None, None)
        data += [(f"{name}, scored side", scored), (f"{name}, pivot side", other)]
    data += [
        (f"{name}, phrase table", Path(table) / MANIFEST)
        for name, table in zip(names[len(bitexts) :], tables, strict=True)
    ]
    if language_model is not None:
        data.append(("language model", Path(language_model) / MANIFEST))
    data.append(("judgments", judgments if isinstance(judgments, str | os.PathLike) else None))
    if control_text is not None:
        data.append(("control text", control_text))
    return [(what, *_origin(path)) for what, path in data]


def _origin(path: PathLike | None) -> tuple[str, str]:
    """Return the name and digest of a file; data without a file is described as in memory."""
    from paragauge.io import digest_file

    if path is None:
        return "in memory", ""
    if os.fspath(path) == STANDARD_STREAM:
        return "standard input", ""
    return Path(path).name, digest_file(path)
