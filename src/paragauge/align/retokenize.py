"""Hand-aligned pairs with other tokens: links follow the characters that they connect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from paragauge.align.alignment import Alignment
from paragauge.align.annotated import AlignedPairs
from paragauge.align.gold import GoldAlignment
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError
from paragauge.text.tokenize import get_tokenizer

NO_TOKENIZER = "none"
_QUOTES = re.compile(r"``|''|[“”„]")


def prepared_pairs(
    pairs: ParaphrasePairs, *, tokenizer: str = NO_TOKENIZER, lowercase: bool = False
) -> ParaphrasePairs:
    """Return *pairs* tokenised and in lower case, if wanted."""
    source, target = (_prepared(side, tokenizer, lowercase) for side in (pairs.source, pairs.target))
    return ParaphrasePairs(source, target, pairs.groups)


def prepared_gold(gold: AlignedPairs, *, tokenizer: str = NO_TOKENIZER, lowercase: bool = False) -> AlignedPairs:
    """Return hand-aligned pairs tokenised and in lower case, if wanted; all parts of a split token keep its links.

    Raises:
        DataError: The tokeniser changes characters, so that links cannot follow them.

    >>> pairs = ParaphrasePairs(("He can't .",), ("He cannot .",))
    >>> gold = AlignedPairs(pairs, (GoldAlignment.from_pharaoh("0-0 1-1 2-2"),))
    >>> made = prepared_gold(gold, tokenizer="penn", lowercase=True)
    >>> made.pairs.source[0], made.links[0].to_pharaoh()
    ("he ca n't .", '0-0 1-1 1-2 2-1 2-2 3-3')
    """
    pairs = prepared_pairs(gold.pairs, tokenizer=tokenizer, lowercase=lowercase)
    if tokenizer == NO_TOKENIZER:
        return AlignedPairs(pairs, gold.links)
    links = []
    for number, links_of_pair in enumerate(gold.links):
        parts = []
        for before, after in ((gold.pairs.source, pairs.source), (gold.pairs.target, pairs.target)):
            try:
                parts.append(_parts(before[number].split(), after[number].split()))
            except ValueError:
                raise DataError(
                    f"pair {number + 1}: the tokeniser {tokenizer} changes more than spaces and quotation marks in "
                    f"{before[number]!r}; its links cannot follow"
                ) from None
        links.append(
            GoldAlignment.of(*(_expanded(each, *parts) for each in (links_of_pair.sure, links_of_pair.possible)))
        )
    return AlignedPairs(pairs, tuple(links))


def _prepared(texts: Sequence[str], tokenizer: str, lowercase: bool) -> tuple[str, ...]:
    if tokenizer != NO_TOKENIZER:
        tokenize = get_tokenizer(tokenizer)
        texts = [" ".join(tokenize(text)) for text in texts]
    return tuple(text.lower() for text in texts) if lowercase else tuple(texts)


def _parts(before: Sequence[str], after: Sequence[str]) -> list[list[int]]:
    """Return the tokens of *after* that share characters with each token of *before*."""
    # Tokenisers may write quotation marks differently; one character stands for any of them.
    old, new = ([_QUOTES.sub('"', token.lower()) for token in tokens] for tokens in (before, after))
    if "".join(old) != "".join(new):
        raise ValueError
    owners = [place for place, token in enumerate(new) for _ in token]
    ends = list(accumulate(map(len, old), initial=0))
    return [sorted(set(owners[begin:end])) for begin, end in pairwise(ends)]


def _expanded(alignment: Alignment, source: list[list[int]], target: list[list[int]]) -> Alignment:
    return Alignment.of((one, other) for i, j in alignment for one in source[i] for other in target[j])
