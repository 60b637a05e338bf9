"""Word alignment within one language, by what is known of the words: nothing is trained on the text."""

from paragauge.monolingual.aligner import WordAligner
from paragauge.monolingual.reasons import ExplainedLink

__all__ = ["ExplainedLink", "WordAligner"]
