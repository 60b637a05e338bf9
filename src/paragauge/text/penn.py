"""Penn Treebank tokenisation of English (the rules of Robert MacIntyre's tokenizer.sed).

Contractions are split (``do n't``, ``she 'll``, ``can not``), double quotes become ```` `` ```` and ``''``,
a full stop is a separate token only at the end of the sentence, and brackets are left unchanged.
Unlike in the script, curly quotes and apostrophes are treated like straight ones, quotes that are already written
as ```` `` ```` and ``''`` are split off, and closing brackets and quotes may follow the final full stop.

The Penn mode of sacremoses cannot be called (its expressions are never compiled) and NLTK takes half a second to
import, hence this small implementation; the tests compare it with NLTK's.
"""

from __future__ import annotations

import re

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
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


def penn_tokenize(text: str) -> list[str]:
    """Return the Penn Treebank tokens of one English sentence.

    >>> penn_tokenize('He said, "I can\\'t go."')
    ['He', 'said', ',', '``', 'I', 'ca', "n't", 'go', '.', "''"]
    """
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text.split()
