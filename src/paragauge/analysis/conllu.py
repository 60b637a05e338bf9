"""CoNLL-U, the format of Universal Dependencies: one word per line in ten columns, an empty line after each sentence.

The Penn tag is in the fifth column (XPOS). Lines for multiword tokens (``1-2``) and empty nodes (``1.1``) are skipped,
since dependencies hold between words. Comments are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paragauge.analysis.sentence import ROOT, Analysis
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_lines, write_lines

_COLUMNS = 10
_PASSED_OVER = re.compile(r"[0-9]+[-.][0-9]+")
_ABSENT = "_"


def read_conllu(path: PathLike, *, encoding: str = "utf-8") -> Iterator[Analysis]:
    """Yield the sentences of a CoNLL-U file; a column that is ``_`` throughout a sentence gives ``None``.

    Raises:
        DataError: A line does not have the expected columns.
    """
    name = display_name(path)
    rows: list[list[str]] = []
    first = 1
    for number, line in enumerate(read_lines(path, encoding=encoding), 1):
        if not line.strip():
            if rows:
                yield _sentence(rows, name, first)
            rows = []
            continue
        if line.startswith("#") and not rows:
            continue
        fields = line.split("\t")
        if len(fields) != _COLUMNS:
            raise DataError(
                f"found {len(fields)} columns, expected {_COLUMNS} separated by tabs", path=name, line=number
            )
        if _PASSED_OVER.fullmatch(fields[0]):
            continue
        if fields[0] != str(len(rows) + 1):
            raise DataError(f"the word has number {fields[0]!r}, expected {len(rows) + 1}", path=name, line=number)
        if not rows:
            first = number
        rows.append(fields)
    if rows:
        yield _sentence(rows, name, first)


def _sentence(rows: list[list[str]], path: str, first: int) -> Analysis:
    words, lemmas, tags, heads, relations = (tuple(row[column] for row in rows) for column in (1, 2, 4, 6, 7))
    try:
        return Analysis(
            words,
            tags=_unless_absent(tags),
            # The lemma of a word that is an underscore is an underscore too, so it says nothing about the column.
            lemmas=_unless_absent(lemmas) if lemmas != words else lemmas,
            heads=None if set(heads) == {_ABSENT} else tuple(_head(head) for head in heads),
            relations=None if set(heads) == {_ABSENT} else relations,
        )
    except DataError as error:
        raise DataError(f"in the sentence that starts here: {error}", path=path, line=first) from error


def _unless_absent(column: tuple[str, ...]) -> tuple[str, ...] | None:
    return None if set(column) == {_ABSENT} else column


def _head(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise DataError(f"{text!r} is not a word number, expected 0 for the root, 1 for the first word")
    return int(text) - 1 if text != "0" else ROOT


def conllu_lines(analysis: Analysis) -> Iterator[str]:
    """Yield the lines of one sentence in CoNLL-U, including the empty line at its end.

    Raises:
        DataError: A word contains a tab, which the format does not allow.
    """
    count = len(analysis.words)
    absent = (_ABSENT,) * count
    heads = absent if analysis.heads is None else tuple(str(head + 1) for head in analysis.heads)
    columns = (analysis.words, analysis.lemmas or absent, analysis.tags or absent, heads, analysis.relations or absent)
    for number, (word, lemma, tag, head, relation) in enumerate(zip(*columns, strict=True), 1):
        for field in (word, lemma, tag, relation):
            if not field or re.search(r"[\t\n\r]", field):
                raise DataError(f"{field!r} is empty or contains a tab or line end, which CoNLL-U does not allow")
        yield "\t".join((str(number), word, lemma, _ABSENT, tag, _ABSENT, head, relation, _ABSENT, _ABSENT))
    yield ""


def write_conllu(path: PathLike, analyses: Iterable[Analysis]) -> int:
    """Write sentences in CoNLL-U and return their number; a sentence without words cannot be written.

    Raises:
        DataError: A sentence is empty, or has a word that the format does not allow.
    """
    count = 0

    def lines() -> Iterator[str]:
        nonlocal count
        for analysis in analyses:
            count += 1
            if not analysis.words:
                raise DataError(f"sentence {count} has no words, which CoNLL-U does not allow")
            yield from conllu_lines(analysis)

    write_lines(path, lines())
    return count
