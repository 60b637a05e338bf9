"""Unfinished files and scratch folders: how they are named, owned and removed.

Whatever a run writes first stands under a temporary name. Its owner holds a lock on it (``flock``), which the system
releases when the process ends, however it ends. So the next run can tell what a dead process left behind, and removes
it. A signal that ends the process removes what it owns (`remove_all`).
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from paragauge.errors import FileError

try:
    import fcntl
except ImportError:  # not on Windows: leftovers stay there until someone removes them
    fcntl = None  # type: ignore[assignment]

PART = ".part"
VERSION = ".version"  # a folder behind a pointer, see `replacing`

_LONGEST_NAME = 200  # bytes of a name that its temporary name repeats; file systems allow 255
_TOKEN = 6  # bytes
_UNFINISHED = re.compile(rf"\..*\.[0-9a-f]{{{2 * _TOKEN}}}(\.part|\.version)", re.DOTALL)
_SCRATCH = "paragauge-scratch-"

_owned: set[str] = set()
_owned_lock = threading.Lock()


def temporary_name(target: Path, ending: str = PART) -> Path:
    """Return a new temporary name beside *target*."""
    name = os.fsdecode(os.fsencode(target.name)[:_LONGEST_NAME])
    return target.with_name(f".{name}.{os.urandom(_TOKEN).hex()}{ending}")


@contextlib.contextmanager
def unfinished(target: Path, create: Callable[[Path], object]) -> Iterator[Path]:
    """Yield a new file or folder beside *target*, made by *create*; whatever has its name after the block is removed.

    Leftovers of dead processes in the same folder are removed first.
    """
    remove_leftovers(target.parent)
    with _owned_path(lambda: temporary_name(target), create) as part:
        yield part


@contextlib.contextmanager
def scratch_folder(parent: str | os.PathLike[str] | None = None) -> Iterator[str]:
    """Yield a new folder for temporary files in *parent* (by default the system's), removed after the block.

    Raises:
        FileError: It cannot be created.
    """
    import tempfile

    try:
        place = Path(parent if parent is not None else tempfile.gettempdir())
        remove_leftovers(place)
        folders = _owned_path(
            lambda: place / f"{_SCRATCH}{os.urandom(_TOKEN).hex()}", lambda path: path.mkdir(mode=0o700)
        )
        folder = folders.__enter__()
    except OSError as error:
        raise no_temporary_files(parent, error) from error
    try:
        yield str(folder)
    finally:
        folders.__exit__(None, None, None)


def no_temporary_files(folder: str | os.PathLike[str] | None, error: OSError) -> FileError:
    """Return the error to raise when temporary files cannot be created or written in *folder*."""
    where = f"{os.fspath(folder)}: " if folder is not None else ""
    # An error without a number is NumPy's, which says how many bytes are missing.
    reason = error.strerror or "the disk may be full"
    return FileError(f"{where}cannot write temporary files: {reason}; pass --temp DIR, or set TMPDIR")


@contextlib.contextmanager
def _owned_path(names: Callable[[], Path], create: Callable[[Path], object]) -> Iterator[Path]:
    while True:
        path = names()
        with _owned_lock:
            _owned.add(str(path))
        lock = None
        try:
            create(path)
            # Whoever looked between these lines took it for a leftover, and holds the lock until it is removed.
            lock = _locked(path, wait=True)
            if path.exists():
                yield path
                return
        finally:
            remove(path)
            if lock is not None:
                os.close(lock)
            with _owned_lock:
                _owned.discard(str(path))


def remove_leftovers(folder: Path) -> None:
    """Remove what dead processes of this user left unfinished in *folder*."""
    if fcntl is None:
        return
    with contextlib.suppress(OSError):  # tidying up is no reason to fail
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if _UNFINISHED.fullmatch(entry.name) or entry.name.startswith(_SCRATCH)]
        for entry in found:
            if entry.stat(follow_symlinks=False).st_uid == os.getuid() and str(folder / entry.name) not in _owned:
                _remove_if_left(folder / entry.name)


def _remove_if_left(path: Path) -> None:
    owned = path.parent / os.readlink(path) if path.is_symlink() else path  # noqa: PTH115
    lock = _locked(owned)
    if lock is None:
        if path.is_symlink() and not owned.exists():
            remove(path)
        return
    try:
        # Looked up under the lock: before, its owner may have been about to point to it.
        if path.is_symlink() or not _is_pointed_to(path):
            remove(path)
    finally:
        os.close(lock)


def _is_pointed_to(path: Path) -> bool:
    with os.scandir(path.parent) as entries:
        return any(entry.is_symlink() and os.readlink(entry.path) == path.name for entry in entries)  # noqa: PTH115


def _locked(path: Path, *, wait: bool = False) -> int | None:
    """Return a descriptor that holds the lock on *path*; ``None`` if another process has it, or there are no locks."""
    if fcntl is None:
        return None
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            os.close(descriptor)
            return None
        return descriptor
    return None


@contextlib.contextmanager
def kept(path: Path) -> Iterator[None]:
    """Keep others from removing or exchanging what has the name *path*, even if the block gives it a temporary name."""
    while True:
        lock = _locked(path, wait=True)
        if lock is None or _is_at(path, lock):
            break
        os.close(lock)  # it was exchanged while we waited
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except OSError:
        return False


def remove(path: Path) -> None:
    """Remove a file, a link or a folder, if it is there and can be removed."""
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def remove_all() -> None:
    """Remove everything unfinished that this process owns, because it is about to end."""
    for path in tuple(_owned):
        remove(Path(path))


def sync_folder(folder: Path) -> None:
    """Make the names in *folder* durable, where the system can."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # some file systems cannot
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Make all files and names below *folder* durable."""
    for root, _, files in os.walk(folder):
        for name in files:
            descriptor = os.open(Path(root) / name, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        sync_folder(Path(root))
