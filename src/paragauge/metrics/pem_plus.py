"""pem+: the name under which a metric with more features than PEM's three is registered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from paragauge.metrics.pem import PEM


@dataclass(frozen=True, kw_only=True)
class PEMPlus(PEM):
    """PEM under another name."""

    name: ClassVar[str] = "pem+"
