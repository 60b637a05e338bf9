"""Names of regressors, apart from what computes with them: the command line lists them without loading NumPy."""

from __future__ import annotations

from typing import Literal, TypeAlias

RegressorName: TypeAlias = Literal["ridge", "monotone", "svr"]
