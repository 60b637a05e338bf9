"""Why a rewriting of an English sentence is refused, whatever its score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paragauge.analysis.providers import provider
from paragauge.evaluate.written import WrittenLine, pieces_of

if TYPE_CHECKING:
    from paragauge.grammar.decode import Candidate
    from paragauge.judges.reading import Reading

# Changes that the judge of meaning names and that no paraphrase makes; the others are its estimates.
_REFUSED = frozenset(
    (
        "number",
        "date",
        "negation",
        "moved",
        "cancelled",
        "opposite",
        "name",
        "quantifier",
        "question",
        "place",
        "roles",
        "attachment",
    )
)
LEAST_FLUENCY = 0.85


def allowed(original: str, candidates: Sequence[tuple[Candidate, str]]) -> list[bool]:
    """Return which candidates, given with their texts, may stand for the original.

    Refused is what changes a number, a date, a negation, a name, a quantifier or who does what to whom; what gives a
    rewritten phrase another part of speech or form; and what is much less fluent than the original.
    """
    from paragauge.judges.model import open_judges

    judges = open_judges()
    first, *others = judges.reader.read([original, *(text for _, text in candidates)])
    fluency = judges.fluency.fluency([one.tagged for one in others], [first.tagged] * len(others))
    return [
        text == original
        or (
            value >= LEAST_FLUENCY
            and _keeps_forms(first, one, candidate)
            and not any(change.certain and change.kind in _REFUSED for change in judges.weigh(first, one).changes)
        )
        for (candidate, text), one, value in zip(candidates, others, fluency.tolist(), strict=True)
    ]


def _keeps_forms(original: Reading, reading: Reading, candidate: Candidate) -> bool:
    """Return whether rewritten phrases begin and end with words of the same tags; a text read otherwise passes."""
    derivation = candidate.derivation
    if (
        derivation is None
        or len(original.words) != len(derivation.source)
        or len(reading.words) != len(derivation.target)
    ):
        return True
    ours, theirs = original.words, reading.words
    return all(
        ours[piece.source[end]].tag == theirs[piece.target[end]].tag
        for piece in pieces_of(derivation)
        if piece.source and piece.target and len(piece.kept) < len(piece.target)
        for end in (0, -1)
    )


def find_names(lines: Sequence[WrittenLine]) -> list[list[bool]]:
    """Return for each token of each line whether it belongs to a name, by its capitals and its tag."""
    words = [[line.word(place) for place in range(len(line.spans or ()))] for line in lines]
    found = []
    for line, tokens, analysis in zip(lines, words, provider("builtin").analyse(words), strict=True):
        tags = analysis.tags or ("",) * len(tokens)
        found.append(
            [
                word != "I"
                and any(letter.isupper() for letter in word)
                and (tags[place] in ("NNP", "NNPS") or not line.begins_sentence(place))
                for place, word in enumerate(tokens)
            ]
        )
    return found
