"""NIST SGML test sets: srcset, refset and tstset, as mteval reads them.

These files are seldom well-formed XML: tags in any case, attributes without quotes, a bare ``&`` or ``<`` in
the text. So they are scanned rather than parsed, in one pass, and each mistake is reported with its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

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
    unescape,
)
from paragauge.corpora.testset import TestSet
from paragauge.errors import DataError

_SETS: dict[str, Part] = {"srcset": "original", "refset": "reference", "tstset": "candidate"}
ROOTS = frozenset({*_SETS, "mteval"})
_STRUCTURAL = frozenset({*ROOTS, "doc", "seg"})
_ANY_LANGUAGE = "any"  # written where the language is not stated

# Each alternative stops at once where it fails, and the scanner never goes back: time is linear in the text.
_MARK = re.compile(r"<(!--|!|\?|/?[A-Za-z][A-Za-z0-9_.:-]*+)")
_STRUCTURE = re.compile(r"<(/?)(seg|doc|srcset|refset|tstset|mteval)(?=[\s/>])", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\s*+([A-Za-z_][A-Za-z0-9_.:-]*+)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'=]++)""")


def parse_sgml(text: str, path: str) -> TestSet:
    """Return the test set in *text*, with all its sets merged.

    Raises:
        DataError: Tags are not closed, attributes are missing, sets contradict each other, …
    """
    scanner = _Scanner(text, path)
    passages = list(scanner.passages())
    return testset_from_passages(passages, scanner.heading(), path)


class _Scanner:
    """One pass over the text of an SGML file; keeps track of the current set and document."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.position = 0
        self.newlines = [match.start() for match in re.finditer("\n", text)]
        self.set: tuple[str, dict[str, str], int] | None = None  # tag, attributes, line
        self.document: tuple[dict[str, str], int] | None = None
        # An element outside the test set, such as <url>; its text is skipped until it ends or a segment begins.
        self.skipped: str | None = None
        self.found: dict[str, tuple[str, int]] = {}  # attributes of the test set, and the lines they are on
        self.reference_sets = 0

    def error(self, message: str, position: int | None = None) -> DataError:
        return DataError(message, path=self.path, line=self.line(self.position if position is None else position))

    def line(self, position: int) -> int:
        return bisect_left(self.newlines, position) + 1

    def heading(self) -> Heading:
        known = {attribute: value for attribute, (value, _) in self.found.items()}
        return Heading(known.get("setid"), known.get("srclang"), known.get("trglang"))

    def passages(self) -> Iterator[Passage]:
        """Yield the segments of all sets."""
        while match := _MARK.search(self.text, self.position):
            self.check_between(match.start())
            self.position = match.start()
            mark = match[1].lower()
            if mark == "!--":
                self.skip_past("-->", "comment")
            elif mark in ("!", "?"):
                self.skip_declaration()
            elif mark == "seg":
                yield self.segment()
            else:
                self.tag(mark)
        self.check_between(len(self.text))
        if self.set is not None:
            tag, _, line = self.set if self.document is None else ("doc", {}, self.document[1])
            self.position = len(self.text)
            raise self.error(f"the file ends inside the <{tag}> of line {line}; the copy may be incomplete")

    def check_between(self, end: int) -> None:
        between = self.text[self.position : end].strip()
        if between and self.skipped is None:
            start = self.text.index(between[0], self.position)
            raise self.error(f"found text outside a segment: {shown(between)}; expected <seg id=…>text</seg>", start)

    def skip_past(self, closing: str, what: str) -> None:
        end = self.text.find(closing, self.position)
        if end < 0:
            raise self.error(f"the {what} is not closed, expected {closing}")
        self.position = end + len(closing)

    def skip_declaration(self) -> None:
        start = self.position
        self.skip_past(">", "declaration")
        if "[" in self.text[start : self.position]:
            raise self.error("found a DTD with an internal subset, which is not supported; remove it", start)

    def tag(self, name: str) -> None:
        start = self.position
        body = self.body(name)
        if self.skipped is None or name == "/" + self.skipped or name.removeprefix("/") in _STRUCTURAL:
            self.skipped = None
        else:
            return
        if name in _SETS:
            self.open_set(name, body, start)
        elif name == "doc":
            self.open_document(body, start)
        elif name == "/doc":
            self.close_document(start)
        elif name[1:] in _SETS and name[0] == "/":
            self.close_set(name[1:], start)
        elif name == "/seg":
            raise self.error("found </seg> without <seg> before it", start)
        elif name not in ("mteval", "p", "hl") and name[0] != "/" and not body.endswith("/"):
            self.skipped = name

    def body(self, name: str) -> str:
        """Return the rest of the current tag after its name, and move past the tag."""
        start = self.position + 1 + len(name)
        end = self.text.find(">", start)
        body = self.text[start : end if end >= 0 else start]
        if end < 0 or "<" in body:
            raise self.error(f"the tag <{name}> is not closed, expected '>'")
        self.position = end + 1
        return body.strip()

    def attributes(self, name: str, body: str, start: int) -> dict[str, str]:
        """Return the attributes of a tag, keyed by lower-case name."""
        found: dict[str, str] = {}
        body = body.removesuffix("/").rstrip()
        position = 0
        while position < len(body):
            match = _ATTRIBUTE.match(body, position)
            if not match:
                raise self.error(
                    f"cannot read the attributes of <{name}> at {shown(body[position:].strip(), 30)}; "
                    'expected name="value" pairs',
                    start,
                )
            key, value = match[1].lower(), match[2]
            if key in found:
                raise self.error(f"<{name}> has the attribute {key} twice", start)
            found[key] = self.unescaped(value[1:-1] if value[0] in "\"'" else value, start)
            position = match.end()
        return found

    def unescaped(self, text: str, start: int) -> str:
        try:
            return unescape(text)
        except ValueError as error:
            raise self.error(str(error), start) from error

    def open_set(self, name: str, body: str, start: int) -> None:
        if self.set is not None:
            raise self.error(
                f"<{name}> begins inside the <{self.set[0]}> of line {self.set[2]}, which is not closed", start
            )
        values = self.attributes(name, body, start)
        line = self.line(start)
        for attribute in ("setid", "srclang", "trglang"):
            value = values.get(attribute, "")
            if not value or (attribute != "setid" and value.lower() == _ANY_LANGUAGE):
                continue
            before, before_line = self.found.setdefault(attribute, (value, line))
            if before != value:
                raise self.error(
                    f"<{name}> has {attribute} {shown(value)}, but line {before_line} has {shown(before)}; "
                    "expected sets of one test set",
                    start,
                )
        self.reference_sets += name == "refset"
        self.set = (name, values, line)
        if body.endswith("/"):
            self.set = None

    def open_document(self, body: str, start: int) -> None:
        if self.set is None:
            raise self.error("found <doc> outside a set, expected <srcset>, <refset> or <tstset> before it", start)
        if self.document is not None:
            raise self.error(f"<doc> begins inside the <doc> of line {self.document[1]}, which is not closed", start)
        self.document = (self.attributes("doc", body, start), self.line(start))
        if body.endswith("/"):
            self.document = None

    def close_document(self, start: int) -> None:
        if self.document is None:
            raise self.error("found </doc> without <doc> before it", start)
        self.document = None

    def close_set(self, tag: str, start: int) -> None:
        if self.set is None:
            raise self.error(f"found </{tag}> without <{tag}> before it", start)
        if self.document is not None:
            raise self.error(f"</{tag}> is inside the <doc> of line {self.document[1]}, which is not closed", start)
        if self.set[0] != tag:
            raise self.error(
                f"found </{tag}> inside the <{self.set[0]}> of line {self.set[2]}, which is not closed", start
            )
        self.set = None

    def segment(self) -> Passage:
        """Return the segment at the current position, and move past it."""
        start = self.position
        body = self.body("seg")
        self.skipped = None
        if self.set is None or self.document is None:
            raise self.error("found <seg> outside a document, expected <doc> in a set before it", start)
        values = self.attributes("seg", body, start)
        if not values.get("id"):
            raise self.error('the segment has no id, expected <seg id="1">', start)
        text = "" if body.endswith("/") else self.segment_text(start)
        part = _SETS[self.set[0]]
        name = "" if part == "original" else self.version(part, self.set[1], self.document[0], start)
        document = self.document[0].get("docid", "")
        return Passage(part, name, document, values["id"], text, self.line(start))

    def segment_text(self, start: int) -> str:
        end = _STRUCTURE.search(self.text, self.position)
        if end is None or not end[1] or end[2].lower() != "seg":
            found = "the file ends" if end is None else f"{end[0]}> follows on line {self.line(end.start())}"
            raise self.error(f"the segment is not closed: {found}, expected </seg>", start)
        raw = self.text[self.position : end.start()]
        self.position = end.start()
        self.body("/seg")
        # Only literal spaces are stripped; those written as entities belong to the text.
        lines = (line.strip(" \t\r") for line in raw.split("\n"))
        return self.unescaped(" ".join(line for line in lines if line), start)

    def version(self, part: Part, of_set: dict[str, str], of_document: dict[str, str], start: int) -> str:
        """Return the name of the reference or system, from the document or the set."""
        names = [of_document.get("sysid"), of_set.get("sysid")]
        if part == "reference":
            names = [
                of_document.get("sysid"),
                of_document.get("refid"),
                of_set.get("refid"),
                of_set.get("sysid"),
            ]
        name = next((name for name in names if name), None)
        if name is None and part == "reference":
            return str(self.reference_sets)  # unnamed references are numbered
        if name is None:
            raise self.error('the system has no name, expected sysid="NAME" on <doc> or <tstset>', start)
        return name


def format_sgml(testset: TestSet) -> Iterator[str]:
    """Yield the lines of *testset* as NIST SGML, all sets in one ``<mteval>`` element.

    Raises:
        DataError: A language is called "any", which means no language in this format.
    """
    for language in (testset.source_language, testset.target_language):
        if language is not None and language.lower() == _ANY_LANGUAGE:
            raise DataError(f"the language {language!r} means no language in SGML; give its name, or leave it out")
    common = attributes(setid=testset.name, srclang=testset.source_language, trglang=testset.target_language)
    yield "<mteval>\n"
    if testset.originals is not None:
        yield from _format_set("srcset", common, None, testset, testset.originals)
    for name, texts in testset.references.items():
        yield from _format_set("refset", common + attributes(refid=name), name, testset, texts)
    for name, texts in testset.candidates.items():
        yield from _format_set("tstset", common + attributes(sysid=name), name, testset, texts)
    yield "</mteval>\n"


def _format_set(tag: str, of_set: str, name: str | None, testset: TestSet, texts: Sequence[str]) -> Iterator[str]:
    numbers = segment_numbers(testset)
    yield f"<{tag}{of_set}>\n"
    for document, rows in document_rows(testset):
        yield f"<doc{attributes(docid=document, sysid=name)}>\n"
        for row in rows:
            yield f"<seg{attributes(id=numbers[row])}>{_escape_edges(texts[row])}</seg>\n"
        yield "</doc>\n"
    yield f"</{tag}>\n"


def _escape_edges(text: str) -> str:
    """Return *text* escaped, with spaces at its ends as entities: readers strip literal ones."""
    inner = text.strip(" ")
    before = len(text) - len(text.lstrip(" "))
    after = len(text) - len(inner) - before
    return "&#32;" * before + escape(inner) + "&#32;" * after
