"""Learning a metric: any metrics, people's judgments, one number."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.asking import refuse_without_effect, request_of
from paragauge.evaluate.option import Request, option, seed_option
from paragauge.evaluate.result import Result
from paragauge.metrics.blend.choices import RegressorName

if TYPE_CHECKING:
    from paragauge.corpora.judged_texts import JudgedText, JudgedTexts
    from paragauge.io import PathLike
    from paragauge.metrics.blend.metric import Blend
    from paragauge.metrics.blend.model import BlendModel
    from paragauge.metrics.blend.training import LearningReport
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

# A file, several files, texts that were read before, or sets of either by name.
JudgedInput: TypeAlias = "PathLike | JudgedTexts | Sequence[PathLike] | Mapping[str, PathLike | JudgedTexts]"


@dataclass(frozen=True, kw_only=True)
class LearnRequest(Request):
    """Options for learning a metric."""

    metrics: tuple[str, ...] = option(
        flags=("-m", "--metrics"),
        metavar="NAMES",
        help="Metrics to blend, separated by commas; with options in brackets, and .NAME for a component, such as "
        "meteor.precision.",
    )
    regressor: RegressorName = option(
        "ridge",
        help="ridge: a weighted sum. monotone: a sum of functions that never fall when a metric improves. svr: "
        "support vector regression, as in PEM (needs the extra 'train').",
    )
    penalty: float | None = option(
        None,
        low=0,
        metavar="P",
        help="Penalty of large weights, for ridge and monotone.",
        default_help="the best on sets left out in turn, or on source sentences left out",
    )
    criterion: str | None = option(
        None, metavar="NAME", help="Criterion to learn; required if the judgments have several."
    )
    folds: int = option(5, low=2, high=1000, metavar="N", help="Number of folds of source sentences.")
    licence: str | None = option(None, metavar="TEXT", help="Licence of the model, recorded in its card.")
    seed: int = seed_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.regressor == "svr":
            refuse_without_effect(self, {"penalty"}, "on support vector regression")


@dataclass(frozen=True)
class LearnResult(Result):
    """A learned metric.

    Attributes:
        model: The blend, with its card.
        report: How well it does on what it was not trained on.
        folder: Where it was written; ``None`` if it was not.
    """

    model: BlendModel
    report: LearningReport
    folder: str | None = None

    @property
    def metric(self) -> Blend:
        """The metric, ready to score.

        Raises:
            OptionError: It was not written to a folder, and so has no signature.
        """
        from paragauge.metrics.blend.metric import Blend

        if self.folder is None:
            raise OptionError("the blend has no folder and so no signature; learn(..., output=FOLDER)")
        return Blend.load(self.folder)

    def rows(self) -> list[dict[str, Cell]]:
        """Return a row for the blend and one for each feature: its correlation with each set of judgments."""
        sets = self.report.sets
        blend: dict[str, Cell] = {"feature": "blend, unseen sentences", "pearson": self.report.folds, "without": None}
        blend.update({each.name or "judgments": each.folds for each in sets})
        rows = [blend]
        if len(sets) > 1:
            figures = [each.left_out or 0.0 for each in sets]
            left: dict[str, Cell] = {"feature": "blend, set left out", "pearson": sum(figures) / len(figures)}
            rows.append({**left, "without": None, **{each.name: each.left_out for each in sets}})
        for feature in self.model.features:
            alone = {each.name or "judgments": each.alone[str(feature)] for each in sets}
            rows.append(
                {
                    "feature": str(feature),
                    "pearson": sum(alone.values()) / len(alone),
                    "without": self.report.without.get(str(feature.metric)),
                    **alone,
                }
            )
        return rows

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        report = self.report
        notes = [
            "pearson: mean over sets of the correlation with people; without: the blend's without this metric",
            f"{report.items:,} judged texts of {report.groups:,} source sentences; {report.regressor}, {report.chosen}",
        ]
        return ResultTable(list(rows[0]), rows, notes=notes)

    def summary(self) -> str:
        """Return a one-line summary."""
        best = max((row for row in self.rows() if row["feature"] in set(map(str, self.model.features))),
                   key=lambda row: float(str(row["pearson"])))  # fmt: skip
        return (
            f"Pearson {self.report.folds:.4f} on unseen source sentences; the best of its parts, {best['feature']}, "
            f"has {best['pearson']:.4f}"
        )


def learn(
    judgments: JudgedInput,
    request: LearnRequest | None = None,
    *,
    output: PathLike | None = None,
    encoding: str = "utf-8",
    threads: int | None = None,
    progress: Progress | None = None,
    notes: Sequence[str] = (),
    **options: Any,
) -> LearnResult:
    """Return a metric learned from people's judgments, made of other metrics.

    Args:
        judgments: A file of judged texts, several of them, texts read before, or a mapping of names to either. Rows
            without a set belong to the set named after their file. Scales may differ between sets.
        request: The options; or give them by keyword: ``learn("judged.tsv", metrics=["bleu", "chrf"])``.
        output: Folder to write the blend to, whole or not at all.
        encoding: Of the files.
        threads: All cores if None; the blend is the same for any number.
        progress: Told of each step.
        notes: Paragraphs for the card.
        **options: Options of the request.

    Raises:
        OptionError: A metric is unknown, or cannot be part of a blend.
        DataError: The judgments have nothing to learn from, or lack texts that a metric needs.
    """
    from paragauge.io import digest
    from paragauge.metrics.blend.card import blend_card
    from paragauge.metrics.blend.features import compute_features, parse_features
    from paragauge.metrics.blend.training import importance, learn_blend
    from paragauge.progress import Counter
    from paragauge.resource import check_replaceable

    asked = request_of(LearnRequest, request, options)
    features = parse_features(asked.metrics)
    if output is not None:
        from pathlib import Path

        from paragauge.metrics.blend.model import KIND

        check_replaceable(Path(output), KIND)  # before hours of work, not after
    texts, inputs = _read(judgments, encoding)
    items = texts.items(asked.criterion)
    for metric in dict.fromkeys(feature.metric for feature in features):
        for need in sorted(metric.needs):
            if getattr(items.segments, need) is None:
                raise DataError(
                    f"{metric.name} needs {need}, but the judgments have no column {need.removesuffix('s')!r}; add it, "
                    f"or learn without {metric.name}"
                )
    counter = Counter(progress, len(items) * len({feature.metric for feature in features}))

    def report(count: int, name: str) -> None:
        counter.what = name
        counter.advance(count)

    rows = compute_features(features, items.segments, report)
    model, found = learn_blend(
        features, rows, items, regressor=asked.regressor, penalty=asked.penalty, folds=asked.folds, seed=asked.seed,
        threads=threads, progress=progress,
    )  # fmt: skip
    weights = {str(metric): value for metric, value in importance(model, rows).items()}
    known = inputs or {"judgments": digest(repr(texts.rows).encode())}
    card = blend_card(model, found, weights=weights, inputs=known, licence=asked.licence, seed=asked.seed, notes=notes)
    model = model.with_card(card)
    if output is not None:
        settings = {
            "metrics": [str(feature) for feature in features],
            "regressor": asked.regressor,
            "penalty": asked.penalty,
            "criterion": asked.criterion,
            "folds": asked.folds,
            "seed": asked.seed,
        }
        model.save(output, options=settings, inputs=known, licence=asked.licence)
    return LearnResult(model, found, None if output is None else os.fspath(output))


def _read(judgments: JudgedInput, encoding: str) -> tuple[JudgedTexts, dict[str, str]]:
    """Return all judged texts, each with the name of its set, and the digests of the files."""
    from pathlib import Path

    from paragauge.corpora.judged_texts import JudgedTexts, read_judged_texts
    from paragauge.io import STANDARD_STREAM, digest_file

    given: Iterable[tuple[str, Any]]
    if isinstance(judgments, JudgedTexts):
        return judgments, {}
    if isinstance(judgments, Mapping):
        given = judgments.items()
    else:
        paths = [judgments] if isinstance(judgments, str | os.PathLike) else list(judgments)
        names = [Path(path).name.removesuffix(".gz").rpartition(".")[0] or Path(path).name for path in paths]
        given = zip(names if len(paths) > 1 else [""], paths, strict=True)
    rows: list[JudgedText] = []
    inputs: dict[str, str] = {}
    seen: set[str] = set()
    for name, source in given:
        if name in seen:
            raise DataError(f"two sets of judgments are named {name!r}; rename a file, or give a column 'set'")
        seen.add(name)
        if isinstance(source, JudgedTexts):
            texts = source
        else:
            texts = read_judged_texts(source, encoding=encoding)
            if os.fspath(source) != STANDARD_STREAM:
                inputs[Path(source).name] = digest_file(source)
        rows += texts.named(name).rows
    if not rows:
        raise DataError("there are no judged texts; expected at least one file with rows")
    return JudgedTexts(tuple(rows)), inputs
