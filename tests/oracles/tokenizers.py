"""The tokenisers as they are defined: rewriting rules in regular expressions, one after another."""

from __future__ import annotations

import re
from collections.abc import Callable

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

PENN_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, flags), replacement)
    for pattern, replacement, flags in [
        # double quotes, opening at the start of a word
        (r"^[\"“]", r"`` ", 0),
        (r"([ (\[{<])[\"“]", r"\1 `` ", 0),
        (r"“|``", r" `` ", 0),
        # two apostrophes open only before a word, so that the tokens of tokenised text stay as they are
        (r"([ (\[{<])''(?=[^\s'])", r"\1 `` ", 0),
        (r"[\"”]|''", r" '' ", 0),
        # punctuation; a comma or colon inside a number stays
        (r"(\.\.\.+|…)", r" \1 ", 0),
        (r"([:,])(?=\D|$)", r" \1 ", 0),
        (r"([;@#$%&?!])", r" \1 ", 0),
        # the full stop that ends the sentence
        (r"([^.\s])(\.)(?=[\])}>\s'’]*$)", r"\1 \2 ", 0),
        (r"([\]\[(){}<>])", r" \1 ", 0),
        (r"(--+|[–—])", r" \1 ", 0),
        # single quotes that close, possessives, contractions
        (r"([^'’\s])(['’])(?=\s|$)", r"\1 \2 ", 0),
        (r"([^'’\s])(['’](?:s|m|d|ll|re|ve))(?!\w)", r"\1 \2 ", re.I),
        (r"([^'’\s])(n['’]t)(?!\w)", r"\1 \2 ", re.I),
        (r"\b(can)(not)\b", r"\1 \2", re.I),
        (r"\b(d)(['’]ye)\b", r"\1 \2", re.I),
        (r"\b(gim|lem)(me)\b", r"\1 \2", re.I),
        (r"\b(gon|wan)(na)\b", r"\1 \2", re.I),
        (r"\b(got)(ta)\b", r"\1 \2", re.I),
        (r"\b(more)(['’]n)\b", r"\1 \2", re.I),
        (r"(?<!\w)(['’]t)(is|was)\b", r"\1 \2", re.I),
    ]
)


def penn(text: str) -> list[str]:
    for pattern, replacement in PENN_RULES:
        text = pattern.sub(replacement, text)
    return text.split()


def _sacrebleu(tokenizer: Callable[[str], str]) -> Callable[[str], list[str]]:
    return lambda text: tokenizer(text.rstrip()).split()


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "13a": _sacrebleu(Tokenizer13a()),
    "intl": _sacrebleu(TokenizerV14International()),
    "zh": _sacrebleu(TokenizerZh()),
    "char": _sacrebleu(TokenizerChar()),
    "penn": penn,
}
