"""From strings to tokens: tokenisers, normalisation, stemming, and the pipeline that combines them."""

from paragauge.text.language import LanguageReport, found_instead, is_clearly_not
from paragauge.text.normalize import get_stemmer, normalize, porter_stem, stemmer_names
from paragauge.text.pipeline import EncodedSentences, TextPipeline, Vocabulary
from paragauge.text.tokenize import TOKENIZER_NAMES, get_tokenizer

__all__ = [
    "TOKENIZER_NAMES",
    "EncodedSentences",
    "LanguageReport",
    "TextPipeline",
    "Vocabulary",
    "found_instead",
    "get_stemmer",
    "get_tokenizer",
    "is_clearly_not",
    "normalize",
    "porter_stem",
    "stemmer_names",
]
