"""Subsets of judged candidates, such as PEM's "adequacy and fluency at least 4"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paragauge.corpora.judgments import Judgments
from paragauge.errors import OptionError, unknown_name

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
}
_CONDITION = re.compile(r"\s*(.+?)\s*(>=|<=|==|!=|=|>|<)\s*([+-]?\d+(?:\.\d*)?)\s*")


@dataclass(frozen=True, slots=True)
class Condition:
    """A bound on the mean human score for one criterion.

    >>> Condition.parse("fluency>=4")
    Condition(criterion='fluency', operator='>=', bound=4.0)
    """

    criterion: str
    operator: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Return the condition written as *text*."""
        match = _CONDITION.fullmatch(text)
        if match is None:
            raise OptionError(f"{text!r} is not a condition; expected one such as fluency>=4")
        return cls(match[1], match[2], float(match[3]))

    def holds(self, score: float) -> bool:
        """Return whether *score* meets the condition."""
        return _OPERATORS[self.operator](score, self.bound)


def subset(
    judgments: Judgments, conditions: Sequence[Condition] = (), exclude_systems: Sequence[str] = ()
) -> Callable[[str, str], bool]:
    """Return the (system, segment) pairs that meet all *conditions*; candidates without the judgment do not."""
    criteria, systems = set(judgments.criteria), set(judgments.systems)
    for condition in conditions:
        if condition.criterion not in criteria:
            raise unknown_name("criterion", condition.criterion, criteria)
    for system in exclude_systems:
        if system not in systems:
            raise unknown_name("system", system, systems)
    means = {(row.system, row.segment, row.criterion): row.score for row in judgments.mean_over_judges()}

    def keep(system: str, segment: str) -> bool:
        if system in exclude_systems:
            return False
        scores = [means.get((system, segment, condition.criterion)) for condition in conditions]
        pairs = zip(scores, conditions, strict=True)
        return all(score is not None and condition.holds(score) for score, condition in pairs)

    return keep
