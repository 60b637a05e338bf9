"""Files in and out, and every way in which they go wrong."""

import gzip
import io
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import DataError, FileError, OptionError
from paragauge.io import atomic_output, count_lines, digest, digest_file, read_bytes, read_lines, read_text, write_lines

LINES = ["one", "", "three é", " spaces ", "U+2028 \u2028 and \x85 and \r stay"]


def test_lines_end_with_line_feed_or_windows_line_end_only(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes("\n".join(LINES).encode())
    assert list(read_lines(path)) == LINES
    path.write_bytes("\r\n".join(LINES).encode() + b"\r\n")
    assert list(read_lines(path)) == LINES


def test_byte_order_mark_is_not_text(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"\xef\xbb\xbffirst\nsecond\n")
    assert list(read_lines(path)) == ["first", "second"]


@pytest.mark.parametrize("name", ["plain.txt", "packed.gz"])
@pytest.mark.parametrize("packed", [True, False])
def test_gzip_is_recognised_by_content_whatever_the_name(tmp_path, name, packed):
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"a\nb\n") if packed else b"a\nb\n")
    assert list(read_lines(path)) == ["a", "b"]
    assert read_bytes(path) == b"a\nb\n"
    assert read_text(path) == "a\nb"


def test_truncated_gzip_says_so(tmp_path):
    path = tmp_path / "x.gz"
    whole = gzip.compress("\n".join(str(i * 7919) for i in range(20000)).encode())
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(
        DataError, match=r"x\.gz: gzip data ends early \(read [\d,]+ lines\); the copy may be incomplete"
    ):
        list(read_lines(path))


def test_damaged_gzip_says_so(tmp_path):
    path = tmp_path / "x.gz"
    whole = bytearray(gzip.compress(b"line\n" * 5000))
    whole[20:40] = b"\x00" * 20
    path.write_bytes(whole)
    with pytest.raises(DataError, match="gzip data is damaged"):
        list(read_lines(path))


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("text".encode("utf-16"), "looks like UTF-16 text, expected UTF-8 text.*iconv"),
        ("text".encode("utf-16-le"), "looks like UTF-16 text.*iconv -f UTF-16LE"),
        ("text of any length".encode("utf-16-be"), "looks like UTF-16 text.*iconv -f UTF-16BE"),
        (b"PK\x03\x04rest", "looks like a zip archive.*unzip"),
        (b"BZh91AY&SY", "looks like bzip2 data.*bunzip2"),
        (b"\xfd7zXZ\x00", "looks like xz data.*unxz"),
    ],
)
def test_wrong_turns_are_recognised(tmp_path, head, message):
    path = tmp_path / "x"
    path.write_bytes(head)
    with pytest.raises(DataError, match=message):
        list(read_lines(path))


def test_wrong_encoding_names_the_line_and_the_byte(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(DataError, match=r"x\.txt:2: byte 0xe9 at position 4 is not UTF-8 text.*--encoding latin-1"):
        list(read_lines(path))
    assert list(read_lines(path, encoding="latin-1")) == ["fine", "café"]


def test_unknown_encoding_is_a_wrong_option(tmp_path):
    (tmp_path / "x").write_bytes(b"a")
    with pytest.raises(OptionError, match="no text encoding named 'utf-88'"):
        list(read_lines(tmp_path / "x", encoding="utf-88"))


def test_lone_surrogates_are_not_text(tmp_path):
    with pytest.raises(DataError, match="item 1 contains a lone surrogate"):
        write_lines(tmp_path / "x", ["\ud800"])
    assert list(tmp_path.iterdir()) == []


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(FileError, match=r"nothing\.txt: cannot read: no such file"):
        list(read_lines(tmp_path / "nothing.txt"))
    with pytest.raises(FileError, match="cannot read: is a directory, expected a file"):
        list(read_lines(tmp_path))


def test_a_null_character_in_a_name(tmp_path):
    with pytest.raises(FileError, match="the name contains a null character"):
        list(read_lines(f"{tmp_path}/a\0b"))


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FileError, match="standard input is closed; name a file"):
        list(read_lines("-"))


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb"), encoding="utf-8"))
    assert list(read_lines("-")) == ["a", "b"]


def test_standard_input_may_be_gzipped(monkeypatch):
    raw = io.BufferedReader(io.BytesIO(gzip.compress(b"a\nb")))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw, encoding="utf-8"))
    assert list(read_lines("-")) == ["a", "b"]


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"))))
def test_written_lines_come_back(tmp_path_factory, lines):
    for name in ("x.txt", "x.txt.gz"):
        path = tmp_path_factory.mktemp("io") / name
        assert write_lines(path, lines) == len(lines)
        expected = [lines[0].removeprefix("\ufeff"), *lines[1:]] if lines else []
        assert list(read_lines(path)) == expected  # a leading U+FEFF is a byte-order mark, in any UTF-8 file


def test_line_end_inside_a_line_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(DataError, match="item 2 contains a line end"):
        write_lines(tmp_path / "x.txt", ["fine", "not\nfine"])
    assert list(tmp_path.iterdir()) == []


def test_failed_write_keeps_the_old_file_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_output(path) as file:  # noqa: PT012
        file.write(b"new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["x.txt"]


def test_full_disk_says_so_and_leaves_nothing(tmp_path, monkeypatch):
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match=r"x\.txt: cannot write: the disk is full; free some space"):
        write_lines(tmp_path / "x.txt", ["line"])
    assert list(tmp_path.iterdir()) == []


def test_writing_into_a_directory_or_nowhere_is_refused(tmp_path):
    with pytest.raises(FileError, match="is a directory, expected a file name"):
        write_lines(tmp_path, ["line"])
    with pytest.raises(FileError, match="no such file or directory"):
        write_lines(tmp_path / "no" / "x.txt", ["line"])


def test_packed_output_has_no_time_stamp(tmp_path):
    write_lines(tmp_path / "a.gz", ["line"])
    write_lines(tmp_path / "b.gz", ["line"])
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_digest_is_the_beginning_of_sha256(tmp_path):
    # sha256 of "abc" is ba7816bf 8f01cfea ... (FIPS 180-2, appendix B.1)
    assert digest(b"abc") == "ba7816bf8f01"
    (tmp_path / "x").write_bytes(b"abc")
    assert digest_file(tmp_path / "x") == "ba7816bf8f01"
    with pytest.raises(FileError, match="no such file"):
        digest_file(tmp_path / "y")


def test_a_line_of_a_million_tokens_is_read(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("word " * 1_000_000)
    assert len(next(read_lines(path)).split()) == 1_000_000


def test_lines_are_counted_where_that_is_quick(tmp_path):
    (tmp_path / "a").write_text("1\n2\n")
    (tmp_path / "b").write_text("3\n")
    (tmp_path / "c.gz").write_bytes(gzip.compress(b"4\n"))
    assert count_lines([tmp_path / "a", tmp_path / "b"]) == 3
    assert count_lines([tmp_path / "a", tmp_path / "c.gz"]) is None
    assert count_lines(["-"]) is None


@given(
    st.lists(st.sampled_from(["a", "é", "\r", "\n", "\r\n", "\ufeff", "\x0b", "\u2028", "x" * 40]), max_size=30).map(
        "".join
    ),
    st.integers(1, 50),
)
def test_lines_in_blocks_are_the_lines_one_by_one(text, size):
    import tempfile
    from pathlib import Path
    from unittest import mock

    from paragauge import io

    with tempfile.TemporaryDirectory() as folder, mock.patch.object(io, "_BLOCK", size):
        path = Path(folder) / "text"
        path.write_bytes(text.encode())
        fast = list(io.read_lines(path))
        with mock.patch.object(io, "_is_plain_file", return_value=False):
            assert fast == list(io.read_lines(path))


def test_a_mistake_in_a_later_block_is_named(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"fine\n" * 50_000 + b"br\xff\n" + b"fine\n")
    with pytest.raises(DataError, match="0xff at position 3") as error:
        list(read_lines(path))
    assert error.value.line == 50_001
