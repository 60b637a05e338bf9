"""Folders that hold what was learned: a table, a grammar, a language model, an aligner.

A resource is a folder of data files (Parquet, Arrow, NumPy arrays, plain text; never pickle) and ``manifest.json``,
which says what it is, how it was made and what each file must look like. A resource may hold others, as folders of
their own: their files count as its files. Writing is atomic: the folder appears whole
or not at all. Opening one runs no code from it and trusts no name in it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from paragauge.errors import DataError, FileError
from paragauge.io import PathLike, digest, file_error

MANIFEST = "manifest.json"
DEFAULT = "default"  # the name of the model that ships
SHIPPED = Path(__file__).resolve().parent / "data"  # mapped from disk, as the native core is

Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class ResourceFile:
    """What a data file must look like."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a resource says about itself.

    Attributes:
        kind: What it is, such as ``phrase-table``.
        format: Version of the file format of this kind.
        made_by: The version of paragauge that wrote it.
        options: The options it was made with.
        inputs: Digests of what it was made from, by name.
        licence: Under which terms it may be passed on, if anybody said.
        files: The data files, by name.
    """

    kind: str
    format: int
    made_by: str
    options: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    licence: str | None = None
    files: Mapping[str, ResourceFile] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the text of the manifest file."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    def digest(self) -> str:
        """Return what signatures carry: a digest of kind, format and contents, whoever made it and when."""
        # The manifest of a resource inside says who made it, too; its contents are here already.
        contents = {name: file.sha256 for name, file in sorted(self.files.items()) if not name.endswith(f"/{MANIFEST}")}
        return digest(json.dumps([self.kind, self.format, contents], sort_keys=True).encode())


@contextlib.contextmanager
def write_resource(
    path: PathLike,
    kind: str,
    *,
    format: int,
    options: Mapping[str, Any] | None = None,
    inputs: Mapping[str, str] | None = None,
    licence: str | None = None,
) -> Iterator[Path]:
    """Give a new folder to write data files into; when the block ends well it becomes the resource *path*.

    A resource of the same kind that was there is replaced; anything else is left alone.

    Raises:
        FileError: The folder cannot be written, or *path* is something else than a resource of this *kind*.
    """
    target = Path(path)
    check_replaceable(target, kind)
    part = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        part.mkdir(parents=False)
        yield part
        manifest = Manifest(
            kind=kind,
            format=format,
            made_by=_version(),
            options=dict(options or {}),
            inputs=dict(inputs or {}),
            licence=licence,
            files=_describe_all(part),
        )
        (part / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")
        _put_in_place(part, target)
    except OSError as error:
        if error.errno is None:  # ours, or not about a file
            raise
        raise file_error(path, error, "write") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def read_manifest(path: PathLike, kind: str, *, newest_format: int, verify: bool = False) -> Manifest:
    """Return the manifest of the resource *path*, checked: kind, format, and that every file is there with its size.

    Args:
        path: The folder.
        kind: What it must be.
        newest_format: The newest format that the caller can read.
        verify: Read all files and compare their digests too; costs as much as reading them.

    Raises:
        FileError: There is no such folder, or it cannot be read.
        DataError: It is no resource, another kind, too new, or damaged.
    """
    folder = Path(path)
    name = os.fspath(path)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise FileError(f"{name}: {what}, expected a folder made by paragauge ({kind})")
    manifest = _parse(folder / MANIFEST, name)
    if manifest.kind != kind:
        raise DataError(f"is of the kind {manifest.kind}, expected {kind}", path=name)
    if manifest.format > newest_format:
        raise DataError(
            f"the {kind} has format {manifest.format}, written by paragauge {manifest.made_by}; this version reads "
            f"formats up to {newest_format}: update paragauge",
            path=name,
        )
    for file, expected in manifest.files.items():
        _check_file(folder, file, expected, name, verify)
    return manifest


def kind_of(path: PathLike) -> str | None:
    """Return what kind of resource the folder *path* says it is; None if it is none."""
    try:
        return _parse(Path(path) / MANIFEST, os.fspath(path)).kind
    except DataError:
        return None


class ModelOpener(Generic[Model]):
    """Opens models by name, ``default`` or a folder; one that is open already is not opened again.

    Args:
        open_folder: Opens a folder.
        shipped: The folder that ``default`` stands for.
    """

    def __init__(self, open_folder: Callable[[str], Model], shipped: Path) -> None:
        self._shipped = str(shipped)
        self._open_once = lru_cache(maxsize=8)(lambda folder, inside, stamp: open_folder(folder))

    def folder(self, name: str) -> Path:
        """Return the folder of the model *name*."""
        return Path(self._shipped if name == DEFAULT else name)

    def __call__(self, name: str = DEFAULT) -> Model:
        """Return the model *name*."""
        # Every segment and every resample comes by here: strings, since paths cost ten times as much.
        if name == DEFAULT:  # it lies in one place, and does not change
            return self._open_once(self._shipped, "", 0)
        try:
            stamp = os.stat(f"{name}/{MANIFEST}").st_mtime_ns  # noqa: PTH116
        except OSError:
            stamp = 0  # opening it will say what is wrong
        return self._open_once(name, os.getcwd(), stamp)  # noqa: PTH109


def _check_file(folder: Path, name: str, expected: ResourceFile, resource: str, verify: bool) -> None:
    file = folder / name
    try:
        size = file.stat().st_size
    except OSError as error:
        raise DataError(f"lacks its file {name}; the copy may be incomplete", path=resource) from error
    if size != expected.bytes:
        raise DataError(
            f"{name} has {size:,} bytes, expected {expected.bytes:,}; the copy may be incomplete", path=resource
        )
    if verify and _describe(file).sha256 != expected.sha256:
        raise DataError(f"{name} is not what was written; it is damaged or was changed", path=resource)


def _parse(path: Path, resource: str) -> Manifest:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"has no readable {MANIFEST}, expected a folder made by paragauge", path=resource) from error
    return parse_manifest(text, resource)


def parse_manifest(text: str, resource: str) -> Manifest:
    """Return the manifest that *text* is, of the resource of that name; refuse what could not be one.

    Raises:
        DataError: It is damaged, or names files outside of its folder.
    """
    try:
        data = json.loads(text)
        files = {
            str(name): ResourceFile(int(item["bytes"]), str(item["sha256"])) for name, item in data["files"].items()
        }
        manifest = Manifest(
            kind=str(data["kind"]),
            format=int(data["format"]),
            made_by=str(data["made_by"]),
            options=dict(data["options"]),
            inputs={str(name): str(value) for name, value in dict(data["inputs"]).items()},
            licence=None if data["licence"] is None else str(data["licence"]),
            files=files,
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise DataError(f"{MANIFEST} is damaged ({type(error).__name__}: {error})", path=resource) from error
    for name in manifest.files:
        steps = name.split("/")
        if not all(steps) or {".", ".."} & set(steps) or name == MANIFEST or set("\\:\0") & set(name):
            raise DataError(f"{MANIFEST} names a file outside of the folder: {name!r}", path=resource)
    return manifest


def check_replaceable(path: PathLike, kind: str) -> None:
    """Raise a `FileError` unless a resource of this *kind* can be written to *path*: before hours of work, not after.

    Raises:
        FileError: The folder around it is missing, or *path* is something else than a resource of this *kind*.
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise FileError(f"{target}: cannot write: {target.parent} is no folder")
    if not os.path.lexists(target):
        return
    try:
        found = _parse(target / MANIFEST, str(target)).kind
    except DataError:
        found = "something else"
    if found != kind:
        raise FileError(f"{target}: exists already ({found}, expected {kind}); choose another name or remove it")


def _put_in_place(part: Path, target: Path) -> None:
    """Rename *part* to *target*; what was there goes away only once the new folder is whole."""
    if not target.exists():
        part.rename(target)
        return
    old = part.with_name(part.name + ".old")
    target.rename(old)
    try:
        part.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _describe(file: Path) -> ResourceFile:
    with file.open("rb") as opened:
        sha256 = hashlib.file_digest(opened, "sha256").hexdigest()
    return ResourceFile(file.stat().st_size, sha256)


def _describe_all(folder: Path) -> dict[str, ResourceFile]:
    """Describe all files in *folder*, several at a time: digests of large tables take as long as writing them."""
    from concurrent.futures import ThreadPoolExecutor

    files = sorted(file for file in folder.rglob("*") if not file.is_dir())
    with ThreadPoolExecutor(max_workers=4) as pool:
        names = (file.relative_to(folder).as_posix() for file in files)
        return dict(zip(names, pool.map(_describe, files), strict=True))


def _version() -> str:
    from paragauge import __version__

    return __version__
