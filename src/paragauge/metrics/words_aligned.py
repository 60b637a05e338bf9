"""The aligner of English that metrics use on request, opened once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paragauge.monolingual import WordAligner


@lru_cache(maxsize=1)
def word_aligner() -> WordAligner:
    """Return the aligner of English that ships with paragauge."""
    from paragauge.monolingual import WordAligner

    return WordAligner.load()
