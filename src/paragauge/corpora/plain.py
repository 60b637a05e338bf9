"""Test sets in plain files: one segment per line, with separate files for systems, references and originals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from paragauge.corpora.lines import check_standard_input_once, encode_text, located, read_filled_lines, shown
from paragauge.corpora.parallel import check_parallel
from paragauge.corpora.testset import TestSet, line_ids
from paragauge.errors import DataError, FileError, OptionError, ParagaugeError
from paragauge.io import STANDARD_STREAM, PathLike, display_name, file_error
from paragauge.replacing import put_in_place, real_target
from paragauge.temporary import unfinished

_MARKUP = re.compile(r"\s*<(\?xml|!doctype|srcset|refset|tstset|mteval|dataset)\b", re.IGNORECASE)


def read_plain_testset(
    candidates: Sequence[PathLike],
    references: Sequence[PathLike] = (),
    originals: PathLike | None = None,
    *,
    encoding: str = "utf-8",
) -> TestSet:
    """Return the test set of plain files that are aligned line by line.

    Args:
        candidates: One file for each system; the file name without ``.gz`` and ``.txt`` names the system.
        references: One file for each reference. An empty line means that the segment lacks this reference.
        originals: File with the sentences that were translated or paraphrased.
        encoding: The encoding of all the files.

    Raises:
        DataError: A file is empty, files differ in length, or references look transposed.
    """
    _check_sequences(candidates, references)
    paths = [*candidates, *references, *([] if originals is None else [originals])]
    check_standard_input_once(paths)
    files = [(path, _read_segments(path, encoding)) for path in paths]
    reference_files = files[len(candidates) : len(candidates) + len(references)]
    _check_references(len(files[0][1]), reference_files)
    check_parallel(files)
    with located(paths[0]):
        return TestSet(
            ids=line_ids(len(files[0][1])),
            candidates=dict(zip(system_names(candidates), (lines for _, lines in files), strict=False)),
            references={str(number): lines for number, (_, lines) in enumerate(reference_files, start=1)},
            originals=None if originals is None else files[-1][1],
        )


def read_plain_references(references: Sequence[PathLike], *, encoding: str = "utf-8") -> TestSet:
    """Return a test set of references only; the file name without ``.gz`` and ``.txt`` names each."""
    read = read_plain_testset(references, encoding=encoding)
    return TestSet(ids=read.ids, references=read.candidates)


def write_plain_testset(testset: TestSet, folder: PathLike) -> None:
    """Write *testset* to a new folder: ``original.txt``, ``reference.txt`` (or ``reference.1.txt``, ...) and one file
    per system, one segment per line. Ids and documents are not written.

    Raises:
        DataError: A text has a line break, or the name of a system cannot name a file.
        FileError: The folder exists and is not empty, or cannot be written.
    """
    columns: dict[str, Sequence[str]] = {} if testset.originals is None else {"original": testset.originals}
    single = len(testset.references) == 1
    for number, texts in enumerate(testset.references.values(), start=1):
        columns["reference" if single else f"reference.{number}"] = texts
    for system, texts in testset.candidates.items():
        if not system.strip(".") or set(system) & set("/\\\0") or system in columns:
            raise DataError(f"the system {shown(system)} cannot name a file; rename it")
        columns[system] = texts
    for name, texts in columns.items():
        for segment, text in zip(testset.ids, texts, strict=True):
            if len(text.splitlines()) > 1:
                raise DataError(f"{name}, segment {segment}: the text has a line break; use a format other than plain")

    def check(place: Path) -> None:
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise FileError(f"{display_name(folder)}: exists already and is not an empty folder; choose another name")

    check(Path(folder))
    try:
        with unfinished(real_target(folder), lambda part: part.mkdir()) as made:
            for name, texts in columns.items():
                data = encode_text(f"{display_name(folder)}/{name}.txt", "".join(f"{text}\n" for text in texts))
                (made / f"{name}.txt").write_bytes(data)
            put_in_place(made, real_target(folder), check)
    except OSError as error:
        if isinstance(error, ParagaugeError):
            raise
        raise file_error(folder, error, "write") from error


def _check_sequences(candidates: Sequence[PathLike], references: Sequence[PathLike]) -> None:
    for what, paths in (("candidates", candidates), ("references", references)):
        if isinstance(paths, str | Path):
            raise OptionError(f"{what} is one path, expected a sequence of paths; for one file pass [path]")
    if not candidates:
        raise OptionError("no candidate files were given; expected at least one")


def _read_segments(path: PathLike, encoding: str) -> list[str]:
    lines = read_filled_lines(path, "one segment on each line", encoding)
    check_plain_lines(path, lines)
    return lines


def check_plain_lines(path: PathLike, lines: Sequence[str]) -> None:
    """Raise a `DataError` if a file of which these are the first *lines* is a test set in another format."""
    if match := _MARKUP.match(lines[0]):
        raise DataError(
            f"looks like SGML or XML (it begins with <{match[1]}), expected plain text with one segment per "
            "line; read this file with read_testset",
            path=display_name(path),
            line=1,
        )


def system_names(paths: Sequence[PathLike]) -> list[str]:
    """Return a name for each file: the file name without ``.gz`` and ``.txt``, or the path where names coincide.

    >>> system_names(["out/moses.txt.gz", "out/nmt", "a/base.txt", "b/base.txt"])
    ['moses', 'nmt', 'a/base.txt', 'b/base.txt']
    """
    given = [display_name(path) for path in paths]
    short = ["stdin" if name == display_name(STANDARD_STREAM) else _short_name(name) for name in given]
    counts = Counter(short)
    names = [path if counts[name] > 1 else name for path, name in zip(given, short, strict=True)]
    if len(set(names)) < len(names):  # a path can equal the short name of another file
        names = given
    for name, count in Counter(names).items():
        if count > 1:
            raise OptionError(f"{name} is given {count} times as a candidate, expected each file once")
    return names


def _short_name(path: str) -> str:
    name = Path(path).name
    return name.removesuffix(".gz").removesuffix(".txt") or name or path


def _check_references(count: int, files: Sequence[tuple[PathLike, Sequence[str]]]) -> None:
    """Detect transposed references, which would otherwise be reported only as unequal lengths."""
    lengths = {len(lines) for _, lines in files}
    if len(files) == count and len(lengths) == 1 and lengths != {count}:
        raise DataError(
            f"references look transposed: found {count} files ({display_name(files[0][0])}, …) of "
            f"{lengths.pop()} lines for {count} segments, expected one file of {count} lines for each "
            f"reference; transpose them with: paste -d '\\n' FILES | split -l {count}"
        )
    for path, lines in files:
        _check_one_per_line(path, lines)


def _check_one_per_line(path: PathLike, lines: Sequence[str]) -> None:
    fields = {line.count("\t") + 1 for line in lines}
    if len(fields) == 1 and fields != {1}:
        found = fields.pop()
        raise DataError(
            f"references look transposed: each line has {found} tab-separated fields; expected one "
            f"file for each reference, with one segment per line; "
            f"split it with: cut -f1, … cut -f{found}",
            path=display_name(path),
        )
