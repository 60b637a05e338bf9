"""The common basis of NIST SGML and WMT XML: documents of numbered segments, each segment in several versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from paragauge.corpora.lines import located, shown
from paragauge.corpora.testset import TestSet, Texts
from paragauge.errors import DataError

Part: TypeAlias = Literal["original", "reference", "candidate"]

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
# Numbers have bounded length: without a bound, one could run to a billion digits.
_ENTITY = re.compile(r"&(?:#([0-9]{1,8})|#[xX]([0-9A-Fa-f]{1,8})|(amp|lt|gt|quot|apos));")
_SURROGATES = range(0xD800, 0xE000)


class Passage(NamedTuple):
    """One text of a document: a version (*part* and *name*) of one segment."""

    part: Part
    name: str
    document: str
    segment: str
    text: str
    line: int


class Heading(NamedTuple):
    """Information in a file about the whole test set."""

    name: str | None = None
    source_language: str | None = None
    target_language: str | None = None


def escape(text: str) -> str:
    """Return *text* escaped for an element or a quoted attribute."""
    return text.translate(_ESCAPES)


def unescape(text: str) -> str:
    """Return *text* with the five named entities and the numeric ones replaced; others stay unchanged.

    Raises:
        ValueError: A numeric entity is not a character.
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if code > 0x10FFFF or code in _SURROGATES:
        raise ValueError(f"{match[0]} is not a character")
    return chr(code)


def testset_from_passages(passages: Iterable[Passage], heading: Heading, path: str) -> TestSet:
    """Return the test set of *passages*, with segments in order of first appearance.

    Every segment needs a candidate of every system, and an original if any has one. It may lack references,
    but not all of them.
    """
    columns: dict[tuple[Part, str], dict[tuple[str, str], Passage]] = {}
    firsts: dict[tuple[str, str], Passage] = {}
    for passage in passages:
        key = (passage.document, passage.segment)
        column = columns.setdefault((passage.part, passage.name), {})
        if key in column:
            raise _duplicate(column[key], passage, path)
        column[key] = passage
        firsts.setdefault(key, passage)
    if not firsts:
        raise DataError("found no segments, expected <seg id=…> elements in documents", path=path)
    _check_complete(columns, firsts, path)
    originals = columns.get(("original", ""))
    with located(path):
        return TestSet(
            ids=_ids(firsts),
            documents=_documents(firsts.values(), path),
            originals=None if originals is None else [originals[key].text for key in firsts],
            references=_texts(columns, firsts, "reference"),
            candidates=_texts(columns, firsts, "candidate"),
            name=heading.name,
            source_language=heading.source_language,
            target_language=heading.target_language,
        )


def _texts(
    columns: dict[tuple[Part, str], dict[tuple[str, str], Passage]],
    keys: Iterable[tuple[str, str]],
    wanted: Part,
) -> dict[str, list[str]]:
    return {
        name: [column[key].text if key in column else "" for key in keys]
        for (part, name), column in columns.items()
        if part == wanted
    }


def _version(passage: Passage) -> str:
    return passage.part if passage.part == "original" else f"{passage.part} {shown(passage.name)}"


def _place(passage: Passage) -> str:
    document = f" of document {shown(passage.document)}" if passage.document else ""
    return f"segment {shown(passage.segment)}{document}"


def _duplicate(before: Passage, passage: Passage, path: str) -> DataError:
    return DataError(
        f"{_place(passage)} has its {_version(passage)} both here and on line {before.line}; "
        "expected it once: if these are two versions, give them different names",
        path=path,
        line=passage.line,
    )


def _check_complete(
    columns: dict[tuple[Part, str], dict[tuple[str, str], Passage]],
    firsts: dict[tuple[str, str], Passage],
    path: str,
) -> None:
    references = [column for (part, _), column in columns.items() if part == "reference"]
    for key, first in firsts.items():
        for (part, _), column in columns.items():
            if part != "reference" and key not in column:
                some = next(iter(column.values()))
                raise DataError(
                    f"{_place(first)} has its {_version(first)} here, but its {_version(some)} is missing; "
                    "expected one for every segment",
                    path=path,
                    line=first.line,
                )
        if references and not any(key in column for column in references):
            raise DataError(
                f"{_place(first)} has no reference, but other segments do; add one, or remove the segment",
                path=path,
                line=first.line,
            )


def _documents(firsts: Iterable[Passage], path: str) -> Texts | None:
    passages = list(firsts)
    unnamed = [passage for passage in passages if not passage.document]
    if len(unnamed) == len(passages):
        return None
    if unnamed:
        raise DataError(
            "this document has no name, but others do; name all documents or none",
            path=path,
            line=unnamed[0].line,
        )
    return tuple(passage.document for passage in passages)


def _ids(keys: Iterable[tuple[str, str]]) -> Texts:
    """Return the ids as in the file, prefixed with the document if numbering restarts in each document."""
    pairs = list(keys)
    ids = tuple(segment for _, segment in pairs)
    return ids if len(set(ids)) == len(ids) else tuple(f"{document}:{segment}" for document, segment in pairs)


def segment_numbers(testset: TestSet) -> Texts:
    """Return the ids to write for the segments, undoing the change made on reading."""
    if testset.documents is not None:
        pairs = list(zip(testset.documents, testset.ids, strict=True))
        if all(name.startswith(document + ":") and len(name) > len(document) + 1 for document, name in pairs):
            short = tuple(name[len(document) + 1 :] for document, name in pairs)
            if len(set(short)) < len(short):
                return short
    return tuple(testset.ids)


def document_rows(testset: TestSet) -> Iterator[tuple[str, list[int]]]:
    """Yield each run of segments of one document: its name (``""`` if there are no documents) and its rows."""
    documents = testset.documents or [""] * len(testset)
    for document, rows in groupby(range(len(testset)), key=documents.__getitem__):
        yield document, list(rows)


def attributes(**values: str | None) -> str:
    """Return the attributes of a tag, each preceded by a space; those that are ``None`` are left out."""
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items() if value is not None)
