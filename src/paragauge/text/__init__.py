"""From strings to tokens: tokenisers, normalisation, stemming, and the pipeline that combines them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paragauge.text.normalize import get_stemmer, normalize, porter_stem, stemmer_names
from paragauge.text.pipeline import TextPipeline
from paragauge.text.tokenize import TOKENIZER_NAMES, get_tokenizer
from paragauge.text.vocabulary import EncodedSentences, Sentence, TextVocabulary, Vocabulary

if TYPE_CHECKING:
    from paragauge.text.language import LanguageReport as LanguageReport
    from paragauge.text.language import found_instead as found_instead
    from paragauge.text.language import is_clearly_not as is_clearly_not

__all__ = [
    "TOKENIZER_NAMES",
    "EncodedSentences",
    "LanguageReport",
    "Sentence",
    "TextPipeline",
    "TextVocabulary",
    "Vocabulary",
    "found_instead",
    "get_stemmer",
    "get_tokenizer",
    "is_clearly_not",
    "normalize",
    "porter_stem",
    "stemmer_names",
]


def __getattr__(name: str) -> Any:
    if name not in ("LanguageReport", "found_instead", "is_clearly_not"):
        raise AttributeError(f"module 'paragauge.text' has no attribute {name!r}")
    from paragauge.text import language  # lists of words that take a while to load

    return getattr(language, name)
