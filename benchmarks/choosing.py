"""A search for settings in which every choice leaves a data set out.

The search begins with the plainest settings and goes through the steps in their order, several times, since a choice
may look different once later ones are made. A step has alternatives, the plainest first; it takes the first whose
figure is within `EARNS` of the best. Done once for each set, with the figures of all other sets, it gives the settings
by which that set may be reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

EARNS = 0.0003  # of the figure: what anything that is not the plainest has to add

Settings = TypeVar("Settings")
Figure = Callable[[Settings, str], float]  # of settings, leaving out a set ("" for none)


def say_nothing(step: str, left_out: str, chosen: object) -> None:
    """Ignore what is told."""


@dataclass(frozen=True)
class Step(Generic[Settings]):
    """A choice.

    Attributes:
        name: What is chosen.
        alternatives: Returns the settings to compare, the plainest first, given those chosen so far.
    """

    name: str
    alternatives: Callable[[Settings], Sequence[Settings]]


def plainest(figures: Mapping[Settings, float]) -> Settings:
    """Return the first of those that are nearly the best."""
    enough = max(figures.values()) - EARNS
    return next(settings for settings, figure in figures.items() if figure >= enough)


def search(
    begin: Settings,
    steps: Sequence[Step[Settings]],
    figure: Figure[Settings],
    left_out: Sequence[str],
    tell: Callable[[str, str, Settings], None] = say_nothing,
) -> dict[str, Settings]:
    """Return what is chosen by going through the steps once, by the set that is left out.

    Searches that agree so far share their work. *tell* is told of the step, the set left out, and what was chosen.
    """
    if not steps:
        return dict.fromkeys(left_out, begin)
    chosen = {}
    for out in left_out:
        chosen[out] = plainest({each: figure(each, out) for each in steps[0].alternatives(begin)})
        tell(steps[0].name, out, chosen[out])
    found: dict[str, Settings] = {}
    for settings in dict.fromkeys(chosen.values()):
        agreed = [out for out in left_out if chosen[out] == settings]
        found |= search(settings, steps[1:], figure, agreed, tell)
    return {out: found[out] for out in left_out}
