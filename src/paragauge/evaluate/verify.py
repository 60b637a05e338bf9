"""Whether what paragauge wrote is whole: every file, every digest, every number that points somewhere."""

from __future__ import annotations

import gzip
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, FileError, ParagaugeError
from paragauge.evaluate.result import Result
from paragauge.io import PathLike, open_binary
from paragauge.opening import CLASSES, open
from paragauge.resource import CHECKSUM, MANIFEST, Manifest, check_files, parse_manifest, unlisted_files

if TYPE_CHECKING:
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

_SQLITE = b"SQLite format 3\0"
_ENGLISH = b"PGENGLI"
_ROLES = b"PGROLES"
_HEAD = 4096  # bytes by which a file is recognised
_WEIGHT = re.compile(rb"\s*(?:#[^\n]*\n\s*)*\S+[ \t]+[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\s*(?:\n|$)")


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that is wrong with a resource.

    Attributes:
        file: The file, as a path inside the resource; the manifest for the resource as a whole.
        message: What is wrong.
    """

    file: str
    message: str


@dataclass(frozen=True)
class VerifyResult(Result):
    """What was found in one resource.

    Attributes:
        path: The folder or file.
        kind: Kind of resource.
        files: Number of files that were read.
        bytes: Their size.
        digest: The digest that signatures carry; ``None`` if the manifest cannot be read.
        damage: Everything that is wrong with it.
        remarks: What could not be checked.
    """

    path: str
    kind: str
    files: int
    bytes: int
    digest: str | None
    damage: tuple[Damage, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.damage

    def table(self) -> ResultTable:
        """Return one row, or one for each damaged file."""
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows, notes=self.remarks)

    def rows(self) -> list[dict[str, Cell]]:
        """Return the rows of `table`."""
        common: dict[str, Cell] = {
            "path": self.path,
            "kind": self.kind,
            "files": self.files,
            "bytes": self.bytes,
            "digest": self.digest,
        }
        if self.whole:
            return [{**common, "state": "whole", "file": None, "problem": None}]
        return [{**common, "state": "damaged", "file": each.file, "problem": each.message} for each in self.damage]


def verify(path: PathLike, *, progress: Progress | None = None) -> VerifyResult:
    """Read everything in *path* and compare it with what was written.

    Args:
        path: A folder made by paragauge, a file of annotations, a model file of English, an ARPA file, or the weights
            or a checkpoint of tuning.
        progress: Called with the number of files that were read.

    Raises:
        FileError: There is no such file or folder.
        DataError: It is not something that paragauge writes.
    """
    place = Path(path)
    if not place.exists():
        raise FileError(f"{place}: no such file or folder")
    return _verify_folder(place, progress) if place.is_dir() else _verify_file(place)


def _verify_folder(folder: Path, progress: Progress | None) -> VerifyResult:
    name = str(folder)
    try:
        text = (folder / MANIFEST).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"has no readable {MANIFEST}, expected a folder made by paragauge", path=name) from error
    try:
        manifest = parse_manifest(text, name)
    except DataError as error:
        return VerifyResult(name, "unknown", 0, 0, None, (Damage(MANIFEST, str(error)),))
    damage = [*_damaged_files(folder, manifest, progress)]
    for file in unlisted_files(folder, manifest):
        damage.append(Damage(file, "the manifest does not list this file; it may be left over from copying"))
    remarks = []
    if manifest.kind not in CLASSES:
        remarks.append(f"{name}: the kind {manifest.kind} is unknown to this version; only the digests were compared")
    elif not damage:
        damage += _failure(MANIFEST, lambda: _read_all(open(folder)))
    if f'"{CHECKSUM}"' not in text:
        remarks.append(
            f"{name}: the manifest is from a version that did not write a checksum of it; only the files were compared"
        )
    size = sum(file.bytes for file in manifest.files.values())
    return VerifyResult(
        name, manifest.kind, len(manifest.files), size, manifest.digest(), tuple(damage), tuple(remarks)
    )


def _damaged_files(folder: Path, manifest: Manifest, progress: Progress | None) -> Iterator[Damage]:
    """Yield what is wrong with each file; unlike opening, which stops at the first."""
    for number, (name, file) in enumerate(manifest.files.items(), start=1):
        only = replace(manifest, files={name: file})
        yield from _failure(name, lambda only=only: check_files(folder, only, str(folder)))  # type: ignore[misc]
        if progress is not None:
            progress(number, len(manifest.files), "files")


def _failure(file: str, check: Callable[[], object]) -> list[Damage]:
    try:
        check()
    except ParagaugeError as error:
        return [Damage(file, str(error))]
    return []


def _read_all(opened: Any) -> None:
    """Read what opening leaves for later: the rules of a grammar and their index."""
    if hasattr(opened, "batches") and hasattr(opened, "index"):
        for _ in opened.batches():
            pass
        _ = opened.index


def _verify_file(path: Path) -> VerifyResult:
    try:
        with open_binary(path) as file:
            head = file.read(_HEAD)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        damage = Damage(path.name, f"the gzip data is damaged ({error})")
        return VerifyResult(str(path), "gzip data", 1, path.stat().st_size, None, (damage,))
    kind, check = _check_of(head, path)
    return VerifyResult(str(path), kind, 1, path.stat().st_size, None, tuple(_failure(path.name, check)))


def _check_of(head: bytes, path: Path) -> tuple[str, Callable[[], object]]:
    """Return the kind of a file that begins with *head*, and how to read all of it."""
    from paragauge.annotation.database import application_of
    from paragauge.annotation.judging import JUDGMENTS

    if head.startswith(_SQLITE):
        if application_of(path) == JUDGMENTS.application:
            return "judgments", lambda: _check_judgments(path)
        return "annotations", lambda: _check_annotations(path)
    if head.startswith(_ENGLISH):
        from paragauge.analysis.builtin import Builtin

        return "english-model", lambda: Builtin.load(path).analyse([])
    if head.startswith(_ROLES):
        from paragauge.analysis.roles import RoleLabeller

        return "role-model", lambda: RoleLabeller.load(path).label([])
    if head.lstrip().startswith(b"\\data\\"):
        from paragauge.lm.arpa import read_arpa

        return "arpa", lambda: read_arpa(path)
    if head.startswith(b'{"kind": "paragauge tuning checkpoint'):
        from paragauge.evaluate.tune import read_checkpoint

        return "tuning-checkpoint", lambda: read_checkpoint(path)
    if _WEIGHT.match(head):
        from paragauge.grammar.weights import Weights

        return "weights", lambda: Weights.read(path)
    raise DataError(
        "is not a file that can be verified; expected a folder made by paragauge, a file of annotations or "
        "judgments, a model file of English, an ARPA file, or the weights or a checkpoint of tuning",
        path=str(path),
    )


def _check_annotations(path: Path) -> None:
    from paragauge.annotation.store import AnnotationStore

    try:
        with AnnotationStore.open(path) as store:
            for annotator in store.annotators():
                store.states(annotator)
    except sqlite3.Error as error:
        raise DataError(f"is damaged ({error})", path=str(path)) from error


def _check_judgments(path: Path) -> None:
    from paragauge.annotation.judging import JudgingStore

    with JudgingStore.open(path) as store:
        for judge in store.judges():
            store.ratings(judge)
