"""Phrase and paraphrase tables in any format: recognised by content when read, chosen by file name when written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from paragauge.errors import DataError, OptionError
from paragauge.io import STANDARD_STREAM, PathLike, read_lines
from paragauge.phrases.moses import has_moses_counts, read_moses, read_moses_scores, write_moses
from paragauge.phrases.opening import open_tables
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.ppdb import DEFAULT_FEATURE, read_ppdb
from paragauge.phrases.table import PhraseTable
from paragauge.phrases.tsv import read_paraphrase_tsv, read_phrase_tsv, write_phrase_tsv
from paragauge.progress import Progress
from paragauge.storage.engine import EngineOptions

TableFormat: TypeAlias = Literal["folder", "moses", "tsv"]
TABLE_FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)


def read_phrase_table(
    path: PathLike, *, form: TableFormat | None = None, engine: EngineOptions | None = None
) -> PhraseTable:
    """Return the phrase table *path*: a folder, Moses text or TSV, gzipped or not.

    Args:
        path: Folder or file; ``-`` is standard input.
        form: Format; by default recognised by content, which is impossible for standard input.
        engine: Memory limit, temporary folder and threads.
    """
    stream = os.fspath(path) == STANDARD_STREAM
    if form == "folder" or (form is None and not stream and Path(path).is_dir()):
        return PhraseTable.open(path)
    if form is None:
        if stream:
            raise OptionError("the format of standard input cannot be recognised; give it with --from")
        form = "moses" if "|||" in next(read_lines(path), "") else "tsv"
    return read_moses(path, engine=engine) if form == "moses" else read_phrase_tsv(path, engine=engine)


def read_paraphrase_table(path: PathLike, *, feature: str | None = None) -> ParaphraseTable:
    """Return the paraphrase table *path*: a folder, PPDB or TSV, or a monolingual phrase table scored by p(f|e).

    Args:
        path: Folder or file.
        feature: Feature of a PPDB file to use as the score of paraphrases.
    """
    if Path(path).is_dir():
        found = open_tables(os.fspath(path))
        if len(found) > 1:
            raise DataError(f"the folder holds {len(found)} tables; give one of them", path=os.fspath(path))
        return found[0] if isinstance(found[0], ParaphraseTable) else ParaphraseTable.from_phrase_table(found[0])
    first = next(read_lines(path), "")
    if _begins_ppdb(first):
        return read_ppdb(path, feature=feature or DEFAULT_FEATURE)
    if "|||" in first:
        if not has_moses_counts(first):
            return ParaphraseTable.from_rows(read_moses_scores(path))
        return ParaphraseTable.from_phrase_table(read_moses(path))
    if "target" in first.split("\t") and "paraphrase" not in first.split("\t"):
        return ParaphraseTable.from_phrase_table(read_phrase_tsv(path))
    return read_paraphrase_tsv(path)


def is_ppdb(path: PathLike) -> bool:
    """Return whether *path* is a PPDB file, whose paraphrases have features."""
    return not Path(path).is_dir() and _begins_ppdb(next(read_lines(path), ""))


def _begins_ppdb(line: str) -> bool:
    # Moses begins with a phrase, PPDB with a label in brackets.
    return "|||" in line and line.startswith("[") and line.split("|||")[0].strip().endswith("]")


def format_of_name(path: PathLike) -> TableFormat:
    """Return the format implied by the name of a phrase table.

    >>> [format_of_name(name) for name in ("en-fr.table", "t.tsv.gz", "t.moses", "t.gz", "-")]
    ['folder', 'tsv', 'moses', 'moses', 'moses']
    """
    given = os.fspath(path)
    name = given.removesuffix(".gz")
    if name.endswith(".tsv"):
        return "tsv"
    if given == STANDARD_STREAM or name != given or name.endswith((".moses", ".txt")):
        return "moses"
    return "folder"


def is_paraphrase_tsv(path: PathLike) -> bool:
    """Return whether the name of a paraphrase table implies TSV, not a folder.

    >>> [is_paraphrase_tsv(name) for name in ("p.paraphrases", "p.tsv", "p.tsv.gz", "-")]
    [False, True, True, True]
    """
    name = os.fspath(path)
    return name == STANDARD_STREAM or name.removesuffix(".gz").endswith(".tsv")


def write_phrase_text(
    table: PhraseTable, path: PathLike, form: TableFormat, *, progress: Progress | None = None
) -> int:
    """Write *table* as ``tsv`` or ``moses``, and return the number of pairs."""
    write = write_phrase_tsv if form == "tsv" else write_moses
    return write(table, path, progress=progress)
