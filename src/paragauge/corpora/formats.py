"""Reading and writing test sets in any format; ``docs/formats.md`` specifies each."""

from __future__ import annotations

import codecs
from pathlib import PurePath

from paragauge.corpora import sgml, wmt_xml
from paragauge.corpora.columns import is_column, testset_from_table, testset_to_table
from paragauge.corpora.jsonlines import parse_jsonl, write_jsonl
from paragauge.corpora.lines import decode_lines, empty_file, located, shown, write_text
from paragauge.corpora.named import is_named, read_named_testset
from paragauge.corpora.objects import testset_from_records, testset_to_objects
from paragauge.corpora.tables import parse_csv, parse_tsv, recognise_table, table_hint, write_csv, write_tsv
from paragauge.corpora.testset import TestSet
from paragauge.errors import DataError, OptionError, unknown_name
from paragauge.io import PathLike, display_name, read_bytes

SUFFIXES = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".sgm": "sgml", ".sgml": "sgml", ".xml": "xml"}
TESTSET_FORMATS = ("tsv", "csv", "jsonl", "sgml", "xml")


def read_testset(path: PathLike, *, format: str | None = None, encoding: str = "utf-8") -> TestSet:
    """Return the test set in *path*; ``-`` is standard input.

    Args:
        path: The file, gzipped or not; or a test set that sacreBLEU has downloaded, such as ``wmt21:cs-en``.
        format: One of ``tsv``, ``csv``, ``jsonl``, ``sgml``, ``xml``; recognised by the content if ``None``.
        encoding: The encoding of the text; XML files declare their own.

    Raises:
        FileError: The file cannot be read.
        DataError: The file is not a test set; the message names the line.
        OptionError: There is no such format or encoding.
    """
    check_format(format, TESTSET_FORMATS)
    if is_named(path):
        return read_named_testset(str(path))
    data = read_bytes(path)
    place = display_name(path)
    match format or recognise_testset(data, path):
        case "xml":
            return wmt_xml.parse_wmt_xml(data, place)
        case "sgml":
            return sgml.parse_sgml("\n".join(decode_lines(data, path, encoding)), place)
        case "jsonl":
            return testset_from_records(parse_jsonl(data, path, encoding))
        case "csv":
            return testset_from_table(parse_csv(data, path, encoding))
        case _:
            return testset_from_table(parse_tsv(data, path, encoding))


def write_testset(testset: TestSet, path: PathLike, format: str | None = None) -> None:
    """Write *testset*; the output is compressed if the name ends in ``.gz``; ``-`` is standard output.

    Args:
        testset: Test set to write.
        path: File to write.
        format: One of ``tsv``, ``csv``, ``jsonl``, ``sgml``, ``xml``; taken from the file name if ``None``.

    Raises:
        DataError: The format cannot hold the test set; the message names one that can.
    """
    check_format(format, TESTSET_FORMATS)
    with located(path):
        match format or format_of_name(path, TESTSET_FORMATS):
            case "xml":
                write_text(path, wmt_xml.format_wmt_xml(testset))
            case "sgml":
                write_text(path, sgml.format_sgml(testset))
            case "jsonl":
                write_jsonl(path, testset_to_objects(testset))
            case "csv":
                write_csv(path, *testset_to_table(testset))
            case _:
                write_tsv(path, *testset_to_table(testset))


def check_format(format: str | None, known: tuple[str, ...]) -> None:
    """Raise an error if *format* is not *known*."""
    if format is not None and format not in known:
        raise unknown_name("format", format, known)


def format_of_name(path: PathLike, known: tuple[str, ...]) -> str:
    """Return the format implied by the name of an output file."""
    name = PurePath(path).name.removesuffix(".gz")
    format = SUFFIXES.get(PurePath(name).suffix.lower())
    if format not in known:
        raise OptionError(
            f"{display_name(path)}: the file name does not imply a format; give one of {', '.join(known)}"
        )
    return format


def recognise_testset(data: bytes, path: PathLike) -> str:
    """Return the format of a test set, recognised by its content.

    Raises:
        DataError: The format is unknown; the message shows how the file begins.
    """
    start = data.removeprefix(codecs.BOM_UTF8)
    if not start.strip():
        raise empty_file(path, "a test set")
    if start.lstrip().startswith(b"{"):
        return "jsonl"
    if start.lstrip().startswith(b"<"):
        return _recognise_markup(start, path)
    line = first_line(start)
    format = recognise_table(line, is_column)
    if format is not None:
        return format
    raise DataError(
        f"the file begins with {shown(line)}, which is not a test set format; expected a TSV or CSV header "
        "with columns such as id, original, reference, candidate.SYSTEM, or JSON Lines, NIST SGML or "
        "WMT XML; read plain text with one segment per line with read_plain_testset"
        + ("; to turn a JSON array into JSON Lines, use: jq -c '.[]'" if line.startswith("[") else "")
        + table_hint(line, is_column),
        path=display_name(path),
        line=1,
    )


def first_line(data: bytes) -> str:
    """Return the first line, with undecodable bytes replaced, to recognise a format and to show in a message."""
    return data.split(b"\n", 1)[0].removesuffix(b"\r").decode("utf-8", errors="replace")


def _recognise_markup(data: bytes, path: PathLike) -> str:
    root = _root_name(data)
    if root in wmt_xml.ROOTS:
        return "xml"
    if root in sgml.ROOTS:
        return "sgml"
    raise DataError(
        f"looks like markup with the root element {shown(root)}, expected <dataset> of WMT XML, "
        "or <srcset>, <refset> or <tstset> of NIST SGML",
        path=display_name(path),
        line=1,
    )


def _root_name(data: bytes) -> str:
    """Return the name of the first element in lower case, ``""`` if there is none."""
    position = data.find(b"<")
    while position >= 0:
        closing = next((end for start, end in _ASIDES if data.startswith(start, position)), None)
        if closing is None:
            break
        end = data.find(closing, position)
        position = data.find(b"<", end) if end >= 0 else -1
    name = data[position + 1 : position + 40] if position >= 0 else b""
    return name.decode("latin-1").replace("/", " ").replace(">", " ").lower().partition(" ")[0].split("\n")[0].strip()


# What may precede the root element, and how it ends.
_ASIDES = ((b"<!--", b"-->"), (b"<?", b"?>"), (b"<!", b">"))
