"""WMT XML test sets (2021 and later): originals, references and candidates of each document together."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from paragauge.corpora.lines import shown
from paragauge.corpora.markup import (
    Heading,
    Part,
    Passage,
    attributes,
    document_rows,
    escape,
    segment_numbers,
    testset_from_passages,
)
from paragauge.corpora.testset import TestSet
from paragauge.errors import DataError

if TYPE_CHECKING:
    from lxml.etree import _Element

logger = logging.getLogger(__name__)

ROOTS = frozenset({"dataset"})
_PARTS: dict[str, Part] = {"src": "original", "ref": "reference", "hyp": "candidate"}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_TEXT = 10_000_000  # bytes; libxml2 refuses longer ones unless all its limits are switched off


def parse_wmt_xml(data: bytes, path: str) -> TestSet:
    """Return the test set in the XML *data*.

    Entities other than XML's own and document type definitions are refused, and nothing is fetched.

    Raises:
        DataError: The data is not well-formed XML, or not a WMT test set.
    """
    reader = _Reader(path)
    passages = list(reader.passages(_parse(data, path)))
    if reader.left_out:
        logger.warning("%s: skipped %d test suite document(s), which have no references", path, reader.left_out)
    return testset_from_passages(passages, reader.heading(), path)


def _parse(data: bytes, path: str) -> _Element:
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, LookupError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise DataError(
            f"not well-formed XML ({error}); check that the copy is complete, and that & and < in the text "
            "are written &amp; and &lt;",
            path=path,
            line=line or 1,
        ) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise DataError("found a document type definition, which is not allowed; remove it", path=path)
    return root


class _Reader:
    """Walks the tree and collects the attributes of the whole test set."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name: str | None = None
        self.languages: dict[str, tuple[str, int]] = {}  # "source" and "target": language and line
        self.left_out = 0

    def error(self, message: str, element: _Element) -> DataError:
        return DataError(message, path=self.path, line=_line(element))

    def heading(self) -> Heading:
        known = {side: language for side, (language, _) in self.languages.items()}
        return Heading(self.name, known.get("source"), known.get("target"))

    def passages(self, root: _Element) -> Iterator[Passage]:
        if root.tag not in ROOTS:
            raise self.error(f"the root element is {shown(str(root.tag))}, expected 'dataset'", root)
        self.name = root.get("id") or None
        for child in self.children(root, ("collection", "doc")):
            documents = self.children(child, ("doc",)) if child.tag == "collection" else iter([child])
            for document in documents:
                if document.get("testsuite") is not None:
                    self.left_out += 1
                else:
                    yield from self.document(document)

    def document(self, document: _Element) -> Iterator[Passage]:
        references = 0
        for version in self.children(document, (*_PARTS, "supplemental")):
            if version.tag == "supplemental":
                continue  # information for translators, not part of the test set
            part = _PARTS[str(version.tag)]
            references += part == "reference"
            name = self.version_name(version, part, references)
            self.note_language(version, part)
            for segment in self.segments(version):
                yield Passage(
                    part,
                    name,
                    document.get("id") or "",
                    self.number(segment),
                    self.text(segment),
                    _line(segment),
                )

    def children(self, element: _Element, expected: Sequence[str]) -> Iterator[_Element]:
        for text in (element.text, *(child.tail for child in element)):
            if text and text.strip():
                raise self.error(
                    f"found text outside a segment, in <{element.tag}>: {shown(text.strip())}; "
                    'expected <seg id="1">text</seg>',
                    element,
                )
        for child in element:
            if child.tag not in expected:
                tags = ", ".join(f"<{tag}>" for tag in expected)
                raise self.error(f"found <{child.tag}> in <{element.tag}>, expected {tags}", child)
            yield child

    def segments(self, version: _Element) -> Iterator[_Element]:
        for child in self.children(version, ("p", "seg")):
            yield from self.children(child, ("seg",)) if child.tag == "p" else iter([child])

    def version_name(self, version: _Element, part: Part, count: int) -> str:
        if part == "original":
            return ""
        if part == "reference":
            return version.get("translator") or str(count)  # unnamed references are numbered
        name: str | None = version.get("system")
        if not name:
            raise self.error('the system has no name, expected <hyp system="NAME">', version)
        return name

    def note_language(self, version: _Element, part: Part) -> None:
        language = version.get("lang") or version.get("language")
        if not language:
            return
        side = "source" if part == "original" else "target"
        before, line = self.languages.setdefault(side, (language, _line(version)))
        if before != language:
            raise self.error(
                f"<{version.tag}> is in {shown(language)}, but on line {line} the {side} language is "
                f"{shown(before)}; expected one language pair per file: split the file",
                version,
            )

    def number(self, segment: _Element) -> str:
        number: str | None = segment.get("id")
        if not number:
            raise self.error('the segment has no id, expected <seg id="1">', segment)
        return number

    def text(self, segment: _Element) -> str:
        if len(segment):
            raise self.error(f"found <{segment[0].tag}> inside a segment, expected text only", segment)
        return segment.text or ""


def _line(element: _Element) -> int:
    return int(getattr(element, "sourceline", None) or 1)  # the type stubs do not declare it


def format_wmt_xml(testset: TestSet) -> Iterator[str]:
    """Yield the lines of *testset* as WMT XML.

    Raises:
        DataError: A text has characters that XML forbids, or a language is given without a text in it.
    """
    _check_languages(testset)
    numbers = segment_numbers(testset)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<dataset{_attributes(id=testset.name)}>\n"
    for document, rows in document_rows(testset):
        yield f"<doc{_attributes(id=document or None, origlang=testset.source_language)}>\n"
        for tag, version, texts in _versions(testset):
            yield f"<{tag}{version}><p>\n"
            for row in rows:
                yield f"<seg{_attributes(id=numbers[row])}>{_checked(texts[row])}</seg>\n"
            yield f"</p></{tag}>\n"
        yield "</doc>\n"
    yield "</dataset>\n"


def _versions(testset: TestSet) -> Iterator[tuple[str, str, Sequence[str]]]:
    if testset.originals is not None:
        yield "src", _attributes(lang=testset.source_language), testset.originals
    for name, texts in testset.references.items():
        yield "ref", _attributes(lang=testset.target_language, translator=name), texts
    for name, texts in testset.candidates.items():
        yield "hyp", _attributes(lang=testset.target_language, system=name), texts


def _check_languages(testset: TestSet) -> None:
    if testset.source_language is not None and testset.originals is None:
        raise DataError("WMT XML cannot hold a source language without originals; use another format")
    if testset.target_language is not None and not testset.references and not testset.candidates:
        raise DataError("WMT XML cannot hold a target language without references or candidates; use another format")


def _attributes(**values: str | None) -> str:
    for value in values.values():
        _checked(value or "")
    return attributes(**values)


def _checked(text: str) -> str:
    """Return *text* escaped, if XML can hold it."""
    if match := _NOT_XML.search(text):
        raise DataError(
            f"the text {shown(text)} contains U+{ord(match[0]):04X}, which XML cannot hold; remove it, or write JSONL"
        )
    if len(text) * 4 > _LONGEST_TEXT and len(text.encode("utf-8")) > _LONGEST_TEXT:
        raise DataError(
            f"a text of {len(text):,} characters is longer than XML readers accept "
            f"({_LONGEST_TEXT:,} bytes); write JSONL"
        )
    return escape(text)
