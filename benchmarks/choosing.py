"""A search for settings in which every choice leaves a data set out.

The search begins with the plainest settings and goes through the steps once, in their order. A step has alternatives,
the plainest first; it takes the first whose mean figure is within `EARNS` of the best. If a step has a requirement,
only alternatives that meet it compete; if none does, the one that falls short least is taken. Done once for each set,
with the figures of all other sets, it gives the settings by which that set may be reported; done with all sets, it
gives those that ship.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

EARNS = 0.001  # of the mean figure: what anything that is not the plainest has to add

Settings = TypeVar("Settings")
Figure = Callable[[Settings, str], float]  # of settings, leaving out a set ("" for none)


def none_short(settings: object, left_out: str) -> float:
    """Return 0: all settings meet the requirements where there are none."""
    return 0.0


def say_nothing(step: str, left_out: str, chosen: object) -> None:
    """Ignore what is told."""


@dataclass(frozen=True)
class Step(Generic[Settings]):
    """A choice.

    Attributes:
        name: What is chosen.
        alternatives: Returns the settings to compare, the plainest first, given those chosen so far.
        shortfall: Returns how far settings fall short of what is required of them, 0 if they meet it.
    """

    name: str
    alternatives: Callable[[Settings], Sequence[Settings]]
    shortfall: Figure[Settings] = none_short


def plainest(means: Mapping[Settings, float]) -> Settings:
    """Return the first of those that are nearly the best."""
    enough = max(means.values()) - EARNS
    return next(settings for settings, mean in means.items() if mean >= enough)


def search(
    begin: Settings,
    steps: Sequence[Step[Settings]],
    mean_figure: Figure[Settings],
    left_out: Sequence[str],
    tell: Callable[[str, str, Settings], None] = say_nothing,
) -> dict[str, Settings]:
    """Return what is chosen, by the set that is left out.

    Searches that agree so far share their work. *tell* is told of the step, the set left out, and what was chosen.
    """
    if not steps:
        return dict.fromkeys(left_out, begin)
    chosen = {}
    for out in left_out:
        short = {settings: steps[0].shortfall(settings, out) for settings in steps[0].alternatives(begin)}
        least = min(short.values())
        chosen[out] = plainest({each: mean_figure(each, out) for each, lacks in short.items() if lacks <= least})
        tell(steps[0].name, out, chosen[out])
    found: dict[str, Settings] = {}
    for settings in dict.fromkeys(chosen.values()):
        agreed = [out for out in left_out if chosen[out] == settings]
        found |= search(settings, steps[1:], mean_figure, agreed, tell)
    return {out: found[out] for out in left_out}
