"""Paraphrase tables in any form, grammars included, and the paraphrases of a phrase, without noise if requested."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paragauge.io import PathLike
    from paragauge.phrases.paraphrases import Paraphrase, ParaphraseTable


def open_paraphrases(path: PathLike, *, feature: str | None = None) -> ParaphraseTable:
    """Return a table of paraphrases; of a grammar, the lexical and phrasal rules.

    Args:
        path: Folder of a table or grammar, or a file: PPDB, TSV, Moses.
        feature: Feature of a grammar or PPDB file to use as the score; by default p(e|f).
    """
    from paragauge.phrases.formats import read_paraphrase_table

    if not _is_grammar_folder(path):
        return read_paraphrase_table(path, feature=feature)
    from paragauge.grammar.grammar import DEFAULT_FEATURE, Grammar
    from paragauge.grammar.tables import paraphrases_of_grammar

    return paraphrases_of_grammar(Grammar.open(path), feature=feature or DEFAULT_FEATURE)


def has_features(path: PathLike) -> bool:
    """Return whether the paraphrases of a file or folder have features to choose from."""
    from paragauge.phrases.formats import is_ppdb

    return _is_grammar_folder(path) or is_ppdb(path)


def _is_grammar_folder(path: PathLike) -> bool:
    from paragauge.resource import kind_of

    return Path(path).is_dir() and kind_of(path) == "grammar"


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
