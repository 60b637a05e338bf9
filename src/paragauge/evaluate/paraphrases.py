"""Paraphrases of a phrase in a table, without noise if requested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paragauge.phrases.paraphrases import Paraphrase, ParaphraseTable


def look_up(
    table: ParaphraseTable,
    phrase: str,
    *,
    top: int | None = None,
    min_score: float | None = None,
    without: Sequence[str] = (),
) -> list[Paraphrase] | None:
    """Return the paraphrases of *phrase*, best first; ``None`` if the table does not have it.

    A phrase that is unknown as written is looked for in lower case.

    Args:
        table: Paraphrase table.
        phrase: Phrase to look for.
        top: Maximum number of paraphrases, after noise was left out.
        min_score: Minimum score.
        without: Kinds of noise to leave out; see `paragauge.grammar.noise`.

    >>> from paragauge.phrases import ParaphraseTable
    >>> table = ParaphraseTable.from_rows([("house", "home", 0.5), ("house", "my house", 0.25)])
    >>> look_up(table, "House", without=["containment"])
    [Paraphrase(text='home', score=0.5)]
    """
    from paragauge.grammar.noise import check_kinds, is_noise

    check_kinds(without)
    kinds: Any = without
    known = next((form for form in dict.fromkeys([phrase, phrase.lower()]) if form in table), None)
    if known is None:
        return None
    found = table.paraphrases(known, min_score=min_score)
    return [one for one in found if not is_noise(known, one.text, kinds)][:top]
