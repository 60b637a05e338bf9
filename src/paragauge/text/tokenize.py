"""Tokenisers behind one interface: a string in, tokens out, and a name that goes into the signature.

======== ==========================================================================================
name     what it does
======== ==========================================================================================
13a      mteval-v13a's, the standard of BLEU (sacreBLEU's implementation)
intl     mteval-v14's international variant (sacreBLEU's)
zh       every Chinese character by itself, 13a for the rest (sacreBLEU's)
char     every character by itself (sacreBLEU's)
jieba    Chinese words (rjieba; extra ``zh``)
penn     Penn Treebank English
moses-XX Moses' tokeniser for the language XX, such as ``moses-fr`` (sacremoses', no HTML escapes)
none     splits at white space: for text that is tokenised already
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
    # Trailing space is cut first, as sacreBLEU's metrics do: the expressions of 13a can see the difference.
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
    """Return the tokeniser called *name* (see the table above).

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
        raise OptionError(f"tokeniser {name!r} lacks its language; write moses- and a code, as in moses-fr")
    raise unknown_name("tokeniser", name, TOKENIZER_NAMES)
