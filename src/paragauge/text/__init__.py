"""From strings to tokens: tokenisers, normalisation, stemming, and the pipeline that combines them."""

from paragauge.text.language import LanguageReport, found_instead, is_clearly_not
from paragauge.text.normalize import get_stemmer, normalize, porter_stem, stemmer_names
from paragauge.text.pipeline import TextPipeline
from paragauge.text.tokenize import TOKENIZER_NAMES, get_tokenizer
from paragauge.text.vocabulary import EncodedSentences, Sentence, TextVocabulary, Vocabulary

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
