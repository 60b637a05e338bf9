"""Do scores of paraphrase grammars predict how well a task is done with them? PARADIGM's table 7, for any data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, OptionError, unknown_name
from paragauge.evaluate.asking import request_of
from paragauge.evaluate.option import Request, option, seed_option
from paragauge.evaluate.result import Result
from paragauge.meta.choices import Method

if TYPE_CHECKING:
    from paragauge.evaluate.people import People
    from paragauge.io import PathLike
    from paragauge.meta.task_scores import Measures, TaskCorrelation
    from paragauge.metrics.signature import Signature
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class TaskRequest(Request):
    """Options for correlating scores of grammars with a task."""

    columns: tuple[str, ...] = option(
        (), flags=("--column",), metavar="NAME", help="Column of SCORES to use.", default_help="all columns of numbers"
    )
    criteria: tuple[str, ...] = option(
        (),
        flags=("--criterion",),
        metavar="NAME",
        help="Criterion of the judgments, or column of the task's scores.",
        default_help="all",
    )
    method: Method = option("spearman", help="Correlation coefficient; kendall is tau-b.")
    lower_is_better: tuple[str, ...] = option(
        (), metavar="NAME", help="Reverse the sign of a score for which lower is better; always done for ter."
    )
    control_margin: float | None = option(
        None,
        metavar="POINTS",
        help="With a file of 'annotate judge': leave out judges who do not rate the human control higher than random "
        "deletion by at least this, by every criterion.",
    )
    pair: str | None = option(None, metavar="PAIR", help="Language pair to take from judgments, if there are several.")
    seed: int = seed_option()


@dataclass(frozen=True)
class TaskResult(Result):
    """Agreement of scores of grammars with a task.

    Attributes:
        request: The request that this answers.
        correlations: One correlation for each score and criterion.
        signature: Everything that affects the numbers.
    """

    request: TaskRequest
    correlations: tuple[TaskCorrelation, ...]
    signature: Signature

    def rows(self) -> list[dict[str, Cell]]:
        return [
            {
                "score": each.measure,
                "criterion": each.criterion,
                "method": each.method,
                "correlation": each.value,
                "p": each.p_value,
                "grammars": each.resources,
            }
            for each in self.correlations
        ]

    def table(self) -> ResultTable:
        """Return one row for each score, with a column for each criterion, as in the paper."""
        from paragauge.report.table import ResultTable

        rows: dict[str, dict[str, Cell]] = {}
        columns = dict.fromkeys(["score"])
        for each in self.correlations:
            row = rows.setdefault(each.measure, {"score": each.measure})
            row |= {each.criterion: each.value, f"p_{each.criterion}": each.p_value}
            columns |= dict.fromkeys((each.criterion, f"p_{each.criterion}"))
        filled: list[dict[str, Cell]] = [{name: row.get(name) for name in columns} for row in rows.values()]
        sizes = sorted({each.resources for each in self.correlations})
        return ResultTable(
            list(columns), filled, notes=[f"grammars: {', '.join(map(str, sizes))}", str(self.signature)]
        )


def correlate_with_task(
    scores: PathLike | Sequence[PathLike] | Mapping[str, Mapping[str, float]],
    task: People,
    request: TaskRequest | None = None,
    *,
    encoding: str = "utf-8",
    **options: Any,
) -> TaskResult:
    """Return how well scores of grammars agree with judgments, or other scores, of a task done with them.

    Args:
        scores: Tables of scores, such as those of ``paradigm report`` and of ``score``: a column that names the grammar
            (system, grammar or resource) and columns of numbers. Or the value of each grammar, by score.
        task: Judgments of what was made with each grammar, rankings, or a table with a column for each score.
        request: All options; alternatively, pass the fields of `TaskRequest` as keywords.
        encoding: Encoding of the files.

    Raises:
        DataError: Scores and task have fewer than three grammars in common.
    """
    from os import PathLike as Path

    from paragauge.meta.task_scores import correlate_measures, read_measures
    from paragauge.metrics.base import package_version
    from paragauge.metrics.signature import Signature

    asked = request_of(TaskRequest, request, options)
    if isinstance(scores, Mapping):
        if asked.columns:
            raise OptionError("--column applies only to files; these scores are values")
        measures: Measures = {name: dict(values) for name, values in scores.items()}
    else:
        measures = {}
        for path in [scores] if isinstance(scores, str | Path) else scores:
            for name, values in read_measures(path, columns=asked.columns, encoding=encoding).items():
                if name in measures:
                    raise DataError(f"has scores called {name!r}, and so has another file; rename one", path=str(path))
                measures[name] = values
    done = _task(task, asked, encoding)
    found = correlate_measures(
        measures, done, method=asked.method, lower_is_better=asked.lower_is_better, seed=asked.seed
    )
    items: dict[str, object] = {"method": asked.method}
    if asked.lower_is_better:
        items["lower"] = ",".join(asked.lower_is_better)
    if asked.control_margin is not None:
        items["controls"] = f"{asked.control_margin:g}"
    items |= {"seed": asked.seed, "version": package_version()}
    return TaskResult(asked, tuple(found), Signature.of("task-correlation", items))


def _task(task: People, request: TaskRequest, encoding: str) -> Measures:
    """Return how well the task was done with each grammar, by criterion."""
    from os import PathLike as Path

    from paragauge.annotation.judging import JudgingStore, is_judging_store
    from paragauge.evaluate.people import as_people
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.references import human_scores
    from paragauge.meta.study import RANKING
    from paragauge.meta.task_scores import is_wide, read_measures

    is_store = isinstance(task, str | Path) and is_judging_store(task)
    if request.control_margin is not None and not is_store:
        raise OptionError("--control-margin applies only to a file of 'annotate judge'; these judgments are another")
    if isinstance(task, str | Path) and not is_store and is_wide(task, encoding=encoding):
        if request.pair is not None:
            raise OptionError("--pair applies only to judgments; the task's scores have no language pairs")
        done = read_measures(task, encoding=encoding)
    else:
        if is_store and request.control_margin is not None:
            with JudgingStore.open(task) as store:
                task = store.judgments(margin=request.control_margin)
        people = as_people(task, pair=request.pair, encoding=encoding)
        if isinstance(people, Rankings):
            done = {RANKING: human_scores(people)}
        else:
            done = {name: human_scores(people, name) for name in dict.fromkeys(people.criteria)}
    for name in request.criteria:
        if name not in done:
            raise unknown_name("criterion", name, list(done))
    return {name: values for name, values in done.items() if not request.criteria or name in request.criteria}
