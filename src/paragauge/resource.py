"""Folders that hold learned data: a table, a grammar, a language model, an aligner.

A resource is a folder of data files (Parquet, Arrow, NumPy arrays, plain text; never pickle) and ``manifest.json``,
which records its kind, how it was made, and the size and digest of each file. A resource may contain others as
subfolders, whose files count as its own. Writing is atomic and durable: at every moment, the path names the old folder
or the complete new one. Opening a resource runs no code from it, trusts no file name in it, and compares the digests of
all its files, so that damage is an error and not another number.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

from paragauge.errors import DataError, FileError, ParagaugeError
from paragauge.io import PathLike, digest, file_error
from paragauge.replacing import check_exchangeable, put_in_place, real_target
from paragauge.temporary import kept, unfinished

MANIFEST = "manifest.json"
SEEN_FILE = "seen.npy"  # digests of the sentences that a resource was made from
DEFAULT = "default"  # the name of the model that ships with paragauge
SHIPPED = Path(__file__).resolve().parent / "data"  # mapped from disk, as the native core is

CHECKSUM = "checksum"  # of the manifest itself, its last entry

Model = TypeVar("Model")
Opened = TypeVar("Opened")
P = ParamSpec("P")
Stamp = tuple[int, ...] | None  # identifies one version of a folder

_ATTEMPTS = 20  # to open a folder that is being replaced
_READ_AT_ONCE = 64 << 20  # more bytes than this are read by several threads


@dataclass(frozen=True, slots=True)
class ResourceFile:
    """The expected size and digest of a data file."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a resource.

    Attributes:
        kind: Kind of resource, such as ``phrase-table``.
        format: Version of the file format of this kind.
        made_by: The version of paragauge that wrote it.
        options: The options it was made with.
        inputs: Digests of what it was made from, by name.
        licence: Terms under which it may be redistributed, if known.
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
        data = asdict(self)
        return json.dumps({**data, CHECKSUM: _checksum(data)}, indent=2, ensure_ascii=False) + "\n"

    def digest(self) -> str:
        """Return the digest used in signatures: of kind, format and contents, whoever made it and when."""
        # The manifest of a nested resource also records who made it; its contents are covered already. Which
        # sentences a resource was made from changes no score.
        left_out = (f"/{MANIFEST}", f"/{SEEN_FILE}")
        contents = {name: file.sha256 for name, file in sorted(self.files.items()) if not f"/{name}".endswith(left_out)}
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
    """Provide a new folder to write data files to; if the block succeeds, it becomes the resource *path*.

    An existing resource of the same kind is replaced; anything else is left alone.

    Raises:
        FileError: The folder cannot be written, or *path* exists and is not a resource of this *kind*.
    """
    check_replaceable(path, kind)
    target = real_target(path)
    try:
        with unfinished(target, lambda part: part.mkdir()) as part:
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
            put_in_place(part, target, lambda folder: _check_removable(folder, os.fspath(path), kind))
    except OSError as error:
        if isinstance(error, ParagaugeError):
            raise
        raise file_error(path, error, "write") from error


def read_manifest(path: PathLike, kind: str, *, newest_format: int, verify: bool = True) -> Manifest:
    """Return the manifest of the resource *path* after checking its kind, its format and all its files.

    Args:
        path: The folder.
        kind: The kind it must have.
        newest_format: The newest format that the caller can read.
        verify: Read all files and compare their digests; otherwise only their sizes are compared.

    Raises:
        FileError: There is no such folder, or it cannot be read.
        DataError: It is not a resource, is of another kind, is too new, or is damaged.
    """
    folder = Path(path)
    name = os.fspath(path)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise FileError(f"{name}: {what}, expected a folder made by paragauge ({kind})")
    manifest = _parse(folder / MANIFEST, name)
    if manifest.kind != kind:
        raise DataError(f"is a resource of kind {manifest.kind}, expected {kind}", path=name)
    if manifest.format > newest_format:
        raise DataError(
            f"the {kind} has format {manifest.format}, written by paragauge {manifest.made_by}; this version reads "
            f"formats up to {newest_format}: update paragauge",
            path=name,
        )
    check_files(folder, manifest, name, verify=verify)
    return manifest


def check_files(folder: Path, manifest: Manifest, resource: str, *, verify: bool = True) -> None:
    """Check that every file in *manifest* has its size and, with *verify*, its digest.

    Raises:
        DataError: A file is missing or damaged; *resource* is the name of the folder in the message.
    """
    for name, expected in manifest.files.items():
        _check_size(folder / name, expected, name, resource)
    if not verify:
        return
    if sum(file.bytes for file in manifest.files.values()) <= _READ_AT_ONCE:
        described: Iterable[ResourceFile] = map(describe_file, (folder / name for name in manifest.files))
    else:
        described = _described([folder / name for name in manifest.files])
    try:
        for name, file in zip(manifest.files, described, strict=True):
            if file.sha256 != manifest.files[name].sha256:
                raise DataError(
                    f"the digest of {name} does not match; the file is damaged or was changed: copy the folder again, "
                    "or make it again",
                    path=resource,
                )
    except OSError as error:
        if isinstance(error, ParagaugeError):
            raise
        raise file_error(error.filename or resource, error, "read") from error


def stamp_of(path: PathLike) -> Stamp:
    """Return what tells this version of the folder *path* from others; ``None`` if there is no resource."""
    try:
        folder, manifest = os.stat(path), os.stat(f"{os.fspath(path)}/{MANIFEST}")  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return (folder.st_dev, folder.st_ino, manifest.st_ino, manifest.st_mtime_ns, manifest.st_ctime_ns, manifest.st_size)


def steadily(open_folder: Callable[P, Opened]) -> Callable[P, Opened]:
    """Make a function that opens the folder ``path`` open one version of it, even if it is replaced meanwhile."""
    signature = inspect.signature(open_folder)

    @functools.wraps(open_folder)
    def opened(*args: P.args, **kwargs: P.kwargs) -> Opened:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        path = bound.arguments["path"]
        for _ in range(_ATTEMPTS):
            before = stamp_of(path)
            try:
                found = open_folder(*args, **kwargs)
            except ParagaugeError:
                if before == stamp_of(path):
                    raise
            else:
                if before == stamp_of(path):
                    return found
        raise DataError("is being replaced again and again; try once more when that has ended", path=os.fspath(path))

    return opened


@contextlib.contextmanager
def unchanged_since(path: PathLike, stamp: Stamp) -> Iterator[None]:
    """Raise an error if the folder *path*, whose files the block reads, is no longer the one that was opened.

    Raises:
        DataError: It was replaced.
    """
    try:
        yield
    finally:
        if stamp_of(path) != stamp:
            raise DataError("was replaced after it was opened; open it again", path=os.fspath(path))


def kind_of(path: PathLike) -> str | None:
    """Return the kind of resource in the folder *path*; None if it is not a resource."""
    try:
        return _parse(Path(path) / MANIFEST, os.fspath(path)).kind
    except DataError:
        return None


class ModelOpener(Generic[Model]):
    """Opens models by name (``default`` or a folder); a model that is already open is not opened again.

    Args:
        open_folder: Function that opens a folder.
        shipped: Folder of the ``default`` model.
    """

    def __init__(self, open_folder: Callable[[str], Model], shipped: Path) -> None:
        self._shipped = str(shipped)
        self._open_once = lru_cache(maxsize=8)(lambda folder, inside, stamp: open_folder(folder))

    def folder(self, name: str) -> Path:
        """Return the folder of the model *name*."""
        return Path(self._shipped if name == DEFAULT else name)

    def __call__(self, name: str = DEFAULT) -> Model:
        """Return the model *name*."""
        # Called for every segment and every resample: strings, since Path objects cost ten times as much.
        if name == DEFAULT:  # it has a fixed place and does not change
            return self._open_once(self._shipped, "", None)
        try:
            state = os.stat(f"{name}/{MANIFEST}")  # noqa: PTH116
            stamp = (state.st_ino, state.st_mtime_ns, state.st_ctime_ns)
        except (OSError, ValueError):  # the latter for a null character
            stamp = None  # opening it will report what is wrong
        return self._open_once(name, os.getcwd(), stamp)  # noqa: PTH109


def _check_size(file: Path, expected: ResourceFile, name: str, resource: str) -> None:
    try:
        size = file.stat().st_size
    except OSError as error:
        raise DataError(f"the file {name} is missing; the copy may be incomplete", path=resource) from error
    if size != expected.bytes or not file.is_file():
        raise DataError(
            f"{name} has {size:,} bytes, expected {expected.bytes:,}; the copy may be incomplete", path=resource
        )


def _parse(path: Path, resource: str) -> Manifest:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"has no readable {MANIFEST}, expected a folder made by paragauge", path=resource) from error
    return parse_manifest(text, resource)


def parse_manifest(text: str, resource: str) -> Manifest:
    """Return the manifest of the resource *resource*, parsed from *text*; reject invalid ones.

    Raises:
        DataError: It is damaged, or names files outside its folder.
    """
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()  # a lone surrogate, which no file name or message can hold
        _check_entries(data, resource)
        files = {
            name: ResourceFile(_whole(item["bytes"]), _text(item["sha256"])) for name, item in data["files"].items()
        }
        manifest = Manifest(
            kind=_text(data["kind"]),
            format=_whole(data["format"]),
            made_by=_text(data["made_by"]),
            options=dict(data["options"]),
            inputs={str(name): str(value) for name, value in dict(data["inputs"]).items()},
            licence=None if data["licence"] is None else _text(data["licence"]),
            files=files,
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise DataError(f"{MANIFEST} is damaged ({type(error).__name__}: {error})", path=resource) from error
    for name in manifest.files:
        steps = name.split("/")
        if not all(steps) or {".", ".."} & set(steps) or name == MANIFEST or not set(name).isdisjoint("\\:\0\r\n"):
            raise DataError(f"{MANIFEST} names a file outside the folder: {name!r}", path=resource)
    return manifest


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError(f"found {repr(value)[:40]}, expected a whole number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"found {repr(value)[:40]}, expected text")
    return value


def _checksum(data: Mapping[str, Any]) -> str:
    plain = json.loads(json.dumps({name: value for name, value in data.items() if name != CHECKSUM}))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _check_entries(data: Mapping[str, Any], resource: str) -> None:
    if CHECKSUM in data:
        if data[CHECKSUM] != _checksum(data):
            raise DataError(
                f"{MANIFEST} is damaged or was changed: its checksum does not match; copy or make the folder again",
                path=resource,
            )
    elif set(data) != {each.name for each in fields(Manifest)}:  # written before manifests had checksums, or damaged
        raise ValueError("its entries are not those of a manifest")


def check_replaceable(path: PathLike, kind: str) -> None:
    """Raise a `FileError` unless a resource of this *kind* can be written to *path*; call it before long work.

    Raises:
        FileError: The parent folder is missing, or *path* exists and is not a resource of this *kind*.
    """
    name, target = os.fspath(path), real_target(path)
    if not target.parent.is_dir():
        raise FileError(f"{name}: cannot write: {target.parent} is not a folder")
    if not os.path.lexists(target) and not os.path.exists(path):  # noqa: PTH110, which a path such as /dev/stdout does
        return
    with kept(target):
        _check_removable(target, name, kind)
    try:
        check_exchangeable(target)
    except OSError as error:
        if isinstance(error, ParagaugeError):
            raise
        raise file_error(path, error, "write") from error


def unlisted_files(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the names of the files in *folder* that *manifest* does not list."""
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if name != MANIFEST and name not in manifest.files and (file.is_symlink() or not file.is_dir()):
            yield name


def _check_removable(folder: Path, name: str, kind: str) -> None:
    """Raise a `FileError`, about the path *name*, unless *folder* is a resource of this *kind* and nothing more."""
    try:
        manifest = _parse(folder / MANIFEST, name)
    except DataError:
        manifest = None
    if manifest is None or manifest.kind != kind:
        found = manifest.kind if manifest else "something else"
        raise FileError(f"{name}: exists already ({found}, expected {kind}); choose another name or remove it")
    for file in unlisted_files(folder, manifest):
        raise FileError(
            f"{name}: cannot be replaced: paragauge did not write the file {file} in it; move it away, or choose "
            "another name"
        )


def describe_file(file: Path) -> ResourceFile:
    """Return the size and the digest of a file."""
    with file.open("rb") as opened:
        sha256 = hashlib.file_digest(opened, "sha256").hexdigest()
    return ResourceFile(file.stat().st_size, sha256)


def _describe_all(folder: Path) -> dict[str, ResourceFile]:
    files = sorted(file for file in folder.rglob("*") if not file.is_dir())
    names = (file.relative_to(folder).as_posix() for file in files)
    return dict(zip(names, _described(files), strict=True))


def _described(files: Sequence[Path]) -> list[ResourceFile]:
    """Describe *files*, several at once: digesting large tables takes as long as writing them."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=4) as pool:
        return list(pool.map(describe_file, files))


def _version() -> str:
    from paragauge import __version__

    return __version__
