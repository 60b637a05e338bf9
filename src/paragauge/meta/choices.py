"""Choices for correlating metrics with human judgments; imports nothing heavy, so that requests can use them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Method: TypeAlias = Literal["pearson", "spearman", "kendall"]
Statistic: TypeAlias = Literal[
    "pearson", "spearman", "kendall", "kendall-c", "kendall-wmt", "acc-eq", "pairwise-accuracy", "spa"
]
Level: TypeAlias = Literal["segment", "system"]
Average: TypeAlias = Literal["none", "segment", "system"]
Ties: TypeAlias = Literal["discordant", "ignored", "neutral"]

METHODS: tuple[Method, ...] = get_args(Method)
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
LEVELS: tuple[Level, ...] = get_args(Level)
AVERAGES: tuple[Average, ...] = get_args(Average)
TIES: tuple[Ties, ...] = get_args(Ties)

# Statistics of pairs of candidates for one segment, and of pairs of systems; the others correlate at both levels.
OF_SEGMENTS: frozenset[Statistic] = frozenset({"kendall-wmt", "acc-eq"})
OF_SYSTEMS: frozenset[Statistic] = frozenset({"pairwise-accuracy", "spa"})

SIGNIFICANT = 0.05  # differences with a smaller p-value are called significant
