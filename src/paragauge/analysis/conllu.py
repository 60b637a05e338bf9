"""CoNLL-U, the format of Universal Dependencies: one word a line in ten columns, an empty line after each sentence.

The Penn tag is the fifth column (XPOS). Lines of words that are written together (``1-2``) and of words that are not
written at all (``1.1``) are passed over: dependencies hold between the words. Comments are not kept.
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
        DataError: A line has other columns than it should.
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
                f"found {len(fields)} columns, expected {_COLUMNS} with tabs between them", path=name, line=number
            )
        if _PASSED_OVER.fullmatch(fields[0]):
            continue
        if fields[0] != str(len(rows) + 1):
            raise DataError(f"the word has the number {fields[0]!r}, expected {len(rows) + 1}", path=name, line=number)
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
            # A word that is an underline has one as its lemma, too: alone it says nothing of the column.
            lemmas=_unless_absent(lemmas) if lemmas != words else lemmas,
            heads=None if set(heads) == {_ABSENT} else tuple(_head(head) for head in heads),
            relations=None if set(heads) == {_ABSENT} else relations,
        )
    except DataError as error:
        raise DataError(f"in the sentence that begins here: {error}", path=path, line=first) from error


def _unless_absent(column: tuple[str, ...]) -> tuple[str, ...] | None:
    return None if set(column) == {_ABSENT} else column


def _head(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise DataError(f"{text!r} is not the number of a word, expected 0 for the root, 1 for the first word")
    return int(text) - 1 if text != "0" else ROOT


def conllu_lines(analysis: Analysis) -> Iterator[str]:
    """Yield the lines of one sentence in CoNLL-U, with the empty one at its end.

    Raises:
        DataError: A word has a tab in it, which the format cannot hold.
    """
    count = len(analysis.words)
    absent = (_ABSENT,) * count
    heads = absent if analysis.heads is None else tuple(str(head + 1) for head in analysis.heads)
    columns = (analysis.words, analysis.lemmas or absent, analysis.tags or absent, heads, analysis.relations or absent)
    for number, (word, lemma, tag, head, relation) in enumerate(zip(*columns, strict=True), 1):
        for field in (word, lemma, tag, relation):
            if not field or re.search(r"[\t\n\r]", field):
                raise DataError(f"{field!r} is empty, or has a tab or line end in it, and cannot stand in CoNLL-U")
        yield "\t".join((str(number), word, lemma, _ABSENT, tag, _ABSENT, head, relation, _ABSENT, _ABSENT))
    yield ""


def write_conllu(path: PathLike, analyses: Iterable[Analysis]) -> int:
    """Write sentences in CoNLL-U and return how many there were; a sentence without words cannot be written.

    Raises:
        DataError: A sentence is empty, or has a word that the format cannot hold.
    """
    count = 0

    def lines() -> Iterator[str]:
        nonlocal count
        for analysis in analyses:
            count += 1
            if not analysis.words:
                raise DataError(f"sentence {count} has no words, which CoNLL-U cannot hold")
            yield from conllu_lines(analysis)

    write_lines(path, lines())
    return count
