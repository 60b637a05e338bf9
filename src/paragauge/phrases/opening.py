"""Opening tables by name: a table folder, all the tables inside a folder, or those that came with the package."""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path

from paragauge.errors import DataError, FileError
from paragauge.io import digest
from paragauge.phrases import paraphrases, table
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.table import PhraseTable
from paragauge.resource import DEFAULT, MANIFEST, SHIPPED, ModelOpener

# Opens a paraphrase table by name: a folder, or ``default`` for the one that came with the package.
open_paraphrases = ModelOpener(ParaphraseTable.open, SHIPPED / "paraphrases" / DEFAULT)


def open_tables(name: str) -> tuple[PhraseTable | ParaphraseTable, ...]:
    """Return the tables that *name* refers to, memory-mapped; unchanged files give the same objects.

    Args:
        name: Folder of a phrase table or a paraphrase table; any other folder, such as a model, for all the phrase
            tables inside; or ``default`` for those that came with the package.

    Raises:
        FileError: There is no such folder.
        DataError: There is no table in the folder, or it is damaged.
    """
    folder = _shipped() if name == DEFAULT else Path(name).expanduser()
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise FileError(
            f"{name}: {what}, expected the folder of a table ('paragauge phrases' makes one), or {DEFAULT!r}"
        )
    found = _folders(folder)
    if not found:
        raise DataError(
            "no phrase tables came with this installation; give one with table=FOLDER"
            if name == DEFAULT
            else f"there is no phrase table or paraphrase table in this folder, expected the {MANIFEST} of one",
            path=None if name == DEFAULT else name,
        )
    return _open(tuple((str(each), (each / MANIFEST).stat().st_mtime_ns) for each in found))


def table_digest(table: PhraseTable | ParaphraseTable) -> str:
    """Return the digest of a table's manifest or, if it was never written, of its columns."""
    if table.digest is not None:
        return table.digest
    return digest(b"".join(name.encode() + table.columns[name].tobytes() for name in sorted(table.columns)))


def _shipped() -> Path:
    return SHIPPED / "phrases" / DEFAULT


def _folders(folder: Path) -> list[Path]:
    """Return the folder itself if it is a table, else the phrase tables below it, sorted by name."""
    if _kind(folder) in (table.KIND, paraphrases.KIND):
        return [folder]
    inside = (Path(root) for root, _, files in os.walk(folder) if MANIFEST in files)
    return sorted(each for each in inside if _kind(each) == table.KIND)


def _kind(folder: Path) -> str | None:
    try:
        kind = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["kind"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return kind if isinstance(kind, str) else None


@lru_cache(maxsize=8)
def _open(folders: tuple[tuple[str, int], ...]) -> tuple[PhraseTable | ParaphraseTable, ...]:
    return tuple(
        ParaphraseTable.open(path) if _kind(Path(path)) == paraphrases.KIND else PhraseTable.open(path)
        for path, _ in folders
    )
