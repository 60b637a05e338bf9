"""Warnings about pairs of texts from deep inside a computation: collected where systems are known, else logged.

A computation in blocks would warn once per block, and cannot name the system. Whoever scores systems collects what the
blocks report, and warns once.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

Report = tuple[str, tuple[int, ...]]  # what is wrong, after "%d", and the places of the pairs

_collector: ContextVar[list[Report] | None] = ContextVar("collector", default=None)


def report_pairs(logger: logging.Logger, said: str, places: Sequence[int]) -> None:
    """Report that the pairs of texts at *places* have a problem; *said* has a "%d" for their number."""
    collector = _collector.get()
    if collector is None:
        logger.warning(said, len(places))
    else:
        collector.append((said, tuple(places)))


@contextmanager
def collected_reports() -> Iterator[list[Report]]:
    """Yield the list of what is reported meanwhile; nothing of it is logged."""
    reports: list[Report] = []
    token = _collector.set(reports)
    try:
        yield reports
    finally:
        _collector.reset(token)


@contextmanager
def reported_once(logger: logging.Logger) -> Iterator[None]:
    """Log each kind of problem that is reported meanwhile once, with the number of all its pairs, at the end."""
    with collected_reports() as reports:
        yield
    counts: dict[str, int] = {}
    for said, places in reports:
        counts[said] = counts.get(said, 0) + len(places)
    for said, count in counts.items():
        logger.warning(said, count)
