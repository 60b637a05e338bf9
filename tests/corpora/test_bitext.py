from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.corpora import (
    Bitext,
    read_bitext_bars,
    read_bitext_tsv,
    read_parallel,
    write_bitext_bars,
    write_bitext_tsv,
    write_parallel,
)
from paragauge.errors import DataError, FileError, OptionError

TEXT = st.text(alphabet=st.one_of(st.sampled_from(" \t\n\r|\"'<&>\u2028\x00\ufeffaé"), st.characters()), max_size=12)
PAIRS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4)


def bitext_of(pairs):
    return Bitext(tuple(source for source, _ in pairs), tuple(target for _, target in pairs))


def bears_lines(texts):
    """Say whether a file of lines can hold these texts, by the rules of docs/formats.md."""
    return (
        not any("\n" in text or text.endswith("\r") for text in texts)
        and not texts[0].startswith("\ufeff")
        and not texts[0].startswith("PK\x03\x04")  # what reading takes for an archive
        and not any("\ud800" <= character <= "\udfff" for text in texts for character in text)
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bitext")


def write_bytes(path, data):
    path.write_bytes(data)
    return path


def test_parallel_files_give_pairs_line_by_line(tmp_path):
    source = write_bytes(tmp_path / "en", b"a house\nyes\n")
    target = write_bytes(tmp_path / "fr", b"une maison\noui\n")
    assert list(read_parallel(source, target)) == [("a house", "une maison"), ("yes", "oui")]


def test_parallel_files_may_have_bom_crlf_and_gzip_under_any_name(tmp_path):
    source = write_bytes(tmp_path / "en", b"\xef\xbb\xbfa house\r\nyes")
    target = write_bytes(tmp_path / "fr", gzip.compress(b"une maison\noui\n"))
    assert list(read_parallel(source, target)) == [("a house", "une maison"), ("yes", "oui")]


def test_plain_text_under_a_gz_name_is_read(tmp_path):
    source = write_bytes(tmp_path / "en.gz", b"yes\n")
    assert read_parallel(source, source) == Bitext(("yes",), ("yes",))


def test_unequal_files_name_both_their_counts_and_the_first_without_partner(tmp_path):
    source = write_bytes(tmp_path / "en", b"a\nb\nc\n")
    target = write_bytes(tmp_path / "fr", b"x\ny\n")
    with pytest.raises(DataError, match=r"en has 3, .*fr has 2 segments; the first .* without a partner is 3$"):
        read_parallel(source, target)


def test_blank_lines_at_the_end_are_named_as_the_likely_cause(tmp_path):
    source = write_bytes(tmp_path / "en", b"a\nb\n\n")
    target = write_bytes(tmp_path / "fr", b"x\ny\n")
    with pytest.raises(DataError, match=r"every line of .*en from there on is blank"):
        read_parallel(source, target)


def test_empty_file_is_refused(tmp_path):
    empty = write_bytes(tmp_path / "en", b"")
    with pytest.raises(DataError, match="en: the file is empty, expected one sentence on each line"):
        read_parallel(empty, empty)


def test_wrong_encoding_names_line_and_byte_and_can_be_given(tmp_path):
    path = write_bytes(tmp_path / "en", b"yes\n\xe9t\xe9\n")
    with pytest.raises(DataError, match=r"en:2: byte 0xe9 at position 1 is not UTF-8"):
        read_parallel(path, path)
    assert read_parallel(path, path, encoding="latin-1").source == ("yes", "été")


def test_unknown_encoding_is_an_option_error(tmp_path):
    path = write_bytes(tmp_path / "en", b"yes\n")
    with pytest.raises(OptionError, match="no text encoding named 'klingon'"):
        read_parallel(path, path, encoding="klingon")


def test_truncated_gzip_is_named(tmp_path):
    path = write_bytes(tmp_path / "en.gz", gzip.compress(b"a house\n" * 1000)[:-12])
    with pytest.raises(DataError, match="gzip data ends early"):
        read_parallel(path, path)


def test_directory_and_missing_file_are_file_errors(tmp_path):
    with pytest.raises(FileError, match="is a directory"):
        read_parallel(tmp_path, tmp_path)
    with pytest.raises(FileError, match="no such file"):
        read_parallel(tmp_path / "absent", tmp_path / "absent")


def test_standard_input_can_be_only_one_side():
    with pytest.raises(OptionError, match="given more than once"):
        read_parallel("-", "-")


def test_tsv_with_three_fields_names_the_line(tmp_path):
    path = write_bytes(tmp_path / "pairs.tsv", b"a\tb\na\tb\tc\n")
    with pytest.raises(DataError, match=r"pairs.tsv:2: found 3 fields in .* expected a source and a target"):
        read_bitext_tsv(path)


def test_bars_without_spaces_are_not_a_separator(tmp_path):
    path = write_bytes(tmp_path / "pairs", b"a ||| b\na|||b\n")
    with pytest.raises(DataError, match=r"pairs:2: found 1 field in 'a\|\|\|b', expected .* ' \|\|\| ' between"):
        read_bitext_bars(path)


def test_bitext_checks_its_sides():
    with pytest.raises(DataError, match="source has 2, target has 1 segments"):
        Bitext(("a", "b"), ("x",))
    with pytest.raises(DataError, match="target is one string"):
        Bitext(("a",), "x")
    with pytest.raises(DataError, match="sentence 1 is int"):
        Bitext((1,), ("x",))


def test_empty_bitext_is_not_written(tmp_path):
    with pytest.raises(DataError, match="no sentence pairs to write"):
        write_bitext_tsv(Bitext((), ()), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_both_sides_to_one_file_is_refused(tmp_path):
    with pytest.raises(OptionError, match="both sides would go to standard output"):
        write_parallel(Bitext(("a",), ("b",)), "-", "-")


def test_million_token_line_is_read(tmp_path):
    line = "word " * 1_000_000
    write_bitext_bars(Bitext((line,), (line,)), tmp_path / "long.gz")
    assert read_bitext_bars(tmp_path / "long.gz").target == (line,)


@settings(deadline=None)  # every example writes to disk
@given(PAIRS)
def test_parallel_files_come_back_or_are_refused(folder, pairs):
    bitext = bitext_of(pairs)
    if bears_lines(bitext.source) and bears_lines(bitext.target):
        write_parallel(bitext, folder / "s.gz", folder / "t")
        assert read_parallel(folder / "s.gz", folder / "t") == bitext
    elif not bitext.target[0].startswith(("PK", "BZ")) and not bitext.source[0].startswith(("PK", "BZ")):
        with pytest.raises(DataError):
            write_parallel(bitext, folder / "s", folder / "t")


@settings(deadline=None)  # every example writes to disk
@given(PAIRS)
def test_tsv_comes_back_or_is_refused(folder, pairs):
    bitext = bitext_of(pairs)
    texts = [text for pair in pairs for text in pair]
    if bears_lines([pairs[0][0]]) and bears_lines(["x", *texts]) and not any("\t" in t or "\r" in t for t in texts):
        write_bitext_tsv(bitext, folder / "b.tsv")
        assert read_bitext_tsv(folder / "b.tsv") == bitext
    elif not texts[0].startswith(("PK", "BZ")):
        with pytest.raises(DataError):
            write_bitext_tsv(bitext, folder / "b.tsv")


@settings(deadline=None)  # every example writes to disk
@given(PAIRS)
def test_bars_come_back_or_are_refused(folder, pairs):
    bitext = bitext_of(pairs)
    try:
        write_bitext_bars(bitext, folder / "b.txt")
    except DataError:
        texts = [text for pair in pairs for text in pair]
        assert any(mark in text for text in texts for mark in ("|||", "\n", "\r", "\ufeff")) or any(
            "\ud800" <= character <= "\udfff" for text in texts for character in text
        )
        return
    if not bitext.source[0].startswith("PK\x03\x04"):
        assert read_bitext_bars(folder / "b.txt") == bitext


def test_bars_inside_a_sentence_are_refused(tmp_path):
    # "a ||| ||| b" would be split after the first bars, not the second.
    with pytest.raises(DataError, match=r"contains '\|\|\|' and could not be read back"):
        write_bitext_bars(Bitext(("a |||",), ("b",)), tmp_path / "out")
