"""Tokenisers behind one interface: a string in, tokens out, and a name that goes into the signature.

======== ==========================================================================================
name     what it does
======== ==========================================================================================
13a      tokeniser of mteval-v13a, the standard for BLEU (as in sacreBLEU)
intl     international tokeniser of mteval-v14 (as in sacreBLEU)
zh       splits Chinese text into characters and the rest as 13a does (as in sacreBLEU)
char     splits text into characters (as in sacreBLEU)
jieba    splits Chinese text into words (from rjieba; needs the extra ``zh``)
penn     Penn Treebank tokeniser for English
moses-XX Moses tokeniser for the language XX, such as ``moses-fr`` (from sacremoses, no HTML escapes)
none     splits at white space, for text that is already tokenised
======== ==========================================================================================

13a, intl, zh, char and penn are in the native core, which also knows where in the text each token stands. The first
four give the tokens of sacreBLEU. In penn (the rules of Robert MacIntyre's tokenizer.sed), contractions are split
(``do n't``, ``she 'll``, ``can not``), double quotes become ```` `` ```` and ``''``, a full stop is a separate token
only at the end of the sentence, and brackets are left unchanged. Unlike in the script, curly quotes and apostrophes are
treated like straight ones, and closing brackets and quotes may follow the final full stop. The tests compare all five
with the expressions that define them, and penn with NLTK's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from paragauge.errors import MissingExtraError, OptionError, unknown_name

if TYPE_CHECKING:
    from paragauge import _core

Tokenizer: TypeAlias = Callable[[str], list[str]]

TOKENIZER_NAMES = ("13a", "char", "intl", "jieba", "moses-XX", "none", "penn", "zh")
NATIVE = frozenset({"13a", "char", "intl", "penn", "zh"})

_WORD = re.compile(r"\S+")


@lru_cache(maxsize=64)
def native_tokenizer(name: str) -> _core.Tokenizer:
    """Return the native tokeniser *name*, one of `NATIVE`."""
    from paragauge import _core

    return _core.Tokenizer(name)


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
    if name in NATIVE:
        return native_tokenizer(name).tokens
    if name == "none":
        return str.split
    if name == "jieba":
        return _jieba()
    if re.fullmatch(r"moses-[a-z]{2,3}", name):
        return _moses(name.removeprefix("moses-"))
    if name == "moses" or name.startswith("moses-"):
        raise OptionError(f"tokeniser {name!r} has no valid language code; write moses-XX, for example moses-fr")
    raise unknown_name("tokeniser", name, TOKENIZER_NAMES)


def token_spans(name: str, text: str) -> list[tuple[str, int, int]] | None:
    """Return the tokens of *text* with where each begins and ends; ``None`` if the tokeniser cannot tell.

    >>> token_spans("penn", 'He said, "no".')[3:5]
    [('``', 9, 10), ('no', 10, 12)]
    """
    if name in NATIVE:
        return native_tokenizer(name).spans(text)
    if name == "none":
        return [(found.group(), found.start(), found.end()) for found in _WORD.finditer(text)]
    return None


_LANGUAGES = {"chinese": "zh", "japanese": "ja", "thai": "th", "lao": "lo", "khmer": "km", "burmese": "my"}
_BY_LANGUAGE = {"zh": "zh", "ja": "char", "th": "char", "lo": "char", "km": "char", "my": "char"}


def tokenizer_for(language: str) -> str | None:
    """Return the tokeniser for a language written without spaces; ``None`` for others, which the usual ones suit.

    >>> tokenizer_for("zh-CN"), tokenizer_for("Japanese"), tokenizer_for("de")
    ('zh', 'char', None)
    """
    base = re.split(r"[-_]", language.strip().lower())[0]
    return _BY_LANGUAGE.get(_LANGUAGES.get(base, base))
