"""Tokenisers behind one interface: a string in, tokens out, and a name that goes into the signature.

======== ==========================================================================================
name     what it does
======== ==========================================================================================
13a      tokeniser of mteval-v13a, the standard for BLEU (from sacreBLEU)
intl     international tokeniser of mteval-v14 (from sacreBLEU)
zh       splits Chinese text into characters and the rest as 13a does (from sacreBLEU)
char     splits text into characters (from sacreBLEU)
jieba    splits Chinese text into words (from rjieba; needs the extra ``zh``)
penn     Penn Treebank tokeniser for English
moses-XX Moses tokeniser for the language XX, such as ``moses-fr`` (from sacremoses, no HTML escapes)
none     splits at white space, for text that is already tokenised
======== ==========================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from paragauge.errors import MissingExtraError, OptionError, unknown_name

Tokenizer: TypeAlias = Callable[[str], list[str]]

TOKENIZER_NAMES = ("13a", "char", "intl", "jieba", "moses-XX", "none", "penn", "zh")

_SACREBLEU = {
    "13a": "tokenizer_13a.Tokenizer13a",
    "char": "tokenizer_char.TokenizerChar",
    "intl": "tokenizer_intl.TokenizerV14International",
    "zh": "tokenizer_zh.TokenizerZh",
}


def _from_sacrebleu(name: str) -> Tokenizer:
    import importlib

    module_name, class_name = _SACREBLEU[name].split(".")
    module = importlib.import_module(f"sacrebleu.tokenizers.{module_name}")
    tokenize: Callable[[str], str] = getattr(module, class_name)()
    # Trailing space is removed first, as in sacreBLEU's metrics, since it can change the result of 13a.
    return lambda text: tokenize(text.rstrip()).split()


def _moses(language: str) -> Tokenizer:
    from sacremoses import MosesTokenizer

    moses = MosesTokenizer(lang=language)

    def tokenize(text: str) -> list[str]:
        tokens: list[str] = moses.tokenize(text, escape=False)
        return tokens

    return tokenize


def _jieba() -> Tokenizer:
    try:
        import rjieba
    except ImportError as error:
        raise MissingExtraError("the tokeniser 'jieba'", "rjieba", "zh") from error
    return lambda text: [token for token in rjieba.cut(text) if not token.isspace()]


@lru_cache(maxsize=64)
def get_tokenizer(name: str) -> Tokenizer:
    """Return the tokeniser named *name* (see the table above).

    >>> get_tokenizer("13a")("Hello, world.")
    ['Hello', ',', 'world', '.']
    """
    if name in _SACREBLEU:
        return _from_sacrebleu(name)
    if name == "none":
        return str.split
    if name == "penn":
        from paragauge.text.penn import penn_tokenize

        return penn_tokenize
    if name == "jieba":
        return _jieba()
    if re.fullmatch(r"moses-[a-z]{2,3}", name):
        return _moses(name.removeprefix("moses-"))
    if name == "moses" or name.startswith("moses-"):
        raise OptionError(f"tokeniser {name!r} has no valid language code; write moses-XX, for example moses-fr")
    raise unknown_name("tokeniser", name, TOKENIZER_NAMES)


_LANGUAGES = {"chinese": "zh", "japanese": "ja", "thai": "th", "lao": "lo", "khmer": "km", "burmese": "my"}
_BY_LANGUAGE = {"zh": "zh", "ja": "char", "th": "char", "lo": "char", "km": "char", "my": "char"}


def tokenizer_for(language: str) -> str | None:
    """Return the tokeniser for a language written without spaces; ``None`` for others, which the usual ones suit.

    >>> tokenizer_for("zh-CN"), tokenizer_for("Japanese"), tokenizer_for("de")
    ('zh', 'char', None)
    """
    base = re.split(r"[-_]", language.strip().lower())[0]
    return _BY_LANGUAGE.get(_LANGUAGES.get(base, base))
