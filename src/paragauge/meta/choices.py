"""Choices for correlating metrics with human judgments; imports nothing heavy, so that requests can use them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Method: TypeAlias = Literal["pearson", "spearman", "kendall"]
Level: TypeAlias = Literal["segment", "system"]
Average: TypeAlias = Literal["none", "segment", "system"]
Ties: TypeAlias = Literal["discordant", "ignored", "neutral"]

METHODS: tuple[Method, ...] = get_args(Method)
LEVELS: tuple[Level, ...] = get_args(Level)
AVERAGES: tuple[Average, ...] = get_args(Average)
TIES: tuple[Ties, ...] = get_args(Ties)

SIGNIFICANT = 0.05  # differences with a smaller p-value are called significant
