"""Somebody who wants to know how far the work is: a bar in a terminal, a page in a browser."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """What a progress bar can do."""

    def update(self, n: int = 1) -> object:
        """Take note of *n* more items."""

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> object:
        """Take note of what is being done."""
