"""What is written comes back as it was, or is refused before a file exists: for every format."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paragauge.corpora import TestSet, read_testset, write_testset
from paragauge.corpora.judgments import Judgments, read_judgments, write_judgments
from paragauge.errors import DataError

ODD = " \t\n\r|\"'<&>,;:/.=\u2028\u0085\x00\x0b\x1f\ufeff\ufffe\ud800aé語😀"
CHARACTERS = st.one_of(st.sampled_from(ODD), st.characters())
TEXT = st.one_of(
    st.text(CHARACTERS, max_size=12),
    st.sampled_from(
        ["", " ", "&amp;", "&#32;", "</seg>", "<seg id=1>", "]]>", "\\ud800", '"', '""', "\r\n", "{", "null"]
    ),
)
NAME = TEXT.filter(bool)
# Names of columns; others are refused by the test set itself.
ONE_LINE = NAME.filter(lambda name: "\t" not in name and name.splitlines() == [name])

SURROGATE = re.compile("[\ud800-\udfff]")
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LINE_OR_TAB = re.compile("[\t\n\r]")


@st.composite
def any_testset(draw):
    count = draw(st.integers(1, 4))

    def columns(texts):
        return st.lists(texts, min_size=count, max_size=count)

    documents = draw(st.none() | columns(st.sampled_from(["d", "e", "f:g", "f"]) | NAME))
    ids = draw(st.lists(NAME, min_size=count, max_size=count, unique=True))
    if documents is not None and draw(st.booleans()):
        ids = [f"{document}:{number}" for number, document in enumerate(documents)]
    if documents is not None and len(set(documents)) == count and draw(st.booleans()):
        ids = [f"{document}:1" for document in documents]
    return TestSet(
        ids=ids,
        documents=documents,
        originals=draw(columns(TEXT)),
        references=draw(st.dictionaries(st.sampled_from(["1", "2", "A"]) | ONE_LINE, columns(TEXT), max_size=3)),
        candidates=draw(st.dictionaries(ONE_LINE, columns(TEXT), max_size=2)),
        name=draw(st.none() | NAME),
        source_language=draw(st.none() | st.sampled_from(["cs", "any", "Any"]) | NAME),
        target_language=draw(st.none() | st.sampled_from(["en", "any"]) | NAME),
    )


def everything(testset):
    """Return all the strings of a test set."""
    columns = [testset.ids, testset.documents or (), testset.originals or ()]
    columns += [*testset.references.values(), *testset.candidates.values()]
    names = [*testset.references, *testset.candidates]
    names += [name for name in (testset.name, testset.source_language, testset.target_language) if name is not None]
    return [text for column in columns for text in column] + names


def is_any(language):
    return language is not None and language.lower() == "any"


# When a format cannot hold a test set; the same rules stand in docs/formats.md.
REFUSES = {
    "tsv": lambda testset: any(LINE_OR_TAB.search(text) for text in everything(testset)),
    "csv": lambda testset: False,
    "jsonl": lambda testset: False,
    "sgml": lambda testset: is_any(testset.source_language) or is_any(testset.target_language),
    "xml": lambda testset: (
        any(NOT_XML.search(text) for text in everything(testset))
        or (testset.target_language is not None and not testset.references and not testset.candidates)
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("roundtrip")


@pytest.mark.parametrize("format", sorted(REFUSES))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(testset=any_testset())
def test_testset_comes_back_or_is_refused(folder, format, testset):
    path = folder / f"{format}.gz"
    path.unlink(missing_ok=True)
    if REFUSES[format](testset) or any(SURROGATE.search(text) for text in everything(testset)):
        with pytest.raises(DataError):
            write_testset(testset, path, format)
        assert not path.exists()
    else:
        write_testset(testset, path, format)
        again = read_testset(path)
        assert again == testset
        assert list(again.references) == list(testset.references)
        assert again.systems == testset.systems


@pytest.mark.parametrize("format", ["tsv", "csv", "jsonl", "sgml", "xml"])
def test_same_testset_gives_the_same_bytes(tmp_path, format):
    testset = TestSet(ids=["1"], originals=["x"], candidates={"b": ["y"], "a": ["z"]})
    write_testset(testset, tmp_path / "one.gz", format)
    write_testset(testset, tmp_path / "two.gz", format)
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()


SCORES = st.none() | st.integers(-5, 100) | st.floats(-1e100, 1e100)
ROWS = st.lists(st.tuples(NAME, NAME, TEXT, NAME, SCORES), min_size=1, max_size=4, unique_by=lambda row: row[:4])


@pytest.mark.parametrize("format", ["tsv", "csv", "jsonl"])
@settings(max_examples=150, deadline=None)
@given(rows=ROWS)
def test_judgments_come_back_or_are_refused(folder, format, rows):
    judgments = Judgments.from_rows(rows)
    texts = [text for row in rows for text in row[:4]]
    path = folder / f"judgments.{format}"
    path.unlink(missing_ok=True)
    if (format == "tsv" and any(LINE_OR_TAB.search(text) for text in texts)) or any(map(SURROGATE.search, texts)):
        with pytest.raises(DataError):
            write_judgments(judgments, path)
        assert not path.exists()
    else:
        write_judgments(judgments, path)
        assert read_judgments(path) == judgments
