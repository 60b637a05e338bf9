"""Replacing a folder by another so that its path names the old one or the new one at every moment.

Linux and macOS can exchange two folders in one step. Where the file system cannot (some network disks), a folder is
written under a name of its own, and its path is a symbolic link to it: the link can be replaced in one step.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from paragauge.errors import FileError
from paragauge.temporary import VERSION, kept, remove, sync_folder, sync_tree, temporary_name, unfinished

_AT_FDCWD = -100
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
_NOT_HERE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def exchange(one: Path, other: Path) -> bool:
    """Exchange two paths in one step; return whether this system and this file system can do it."""
    names = os.fsencode(one), os.fsencode(other)
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            failed = libc.renamex_np(*names, ctypes.c_uint(_EXCHANGE))
        else:
            failed = libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], ctypes.c_uint(_EXCHANGE))
    except (AttributeError, TypeError, OSError):  # no such function in this C library
        return False
    if not failed:
        return True
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        return False
    raise OSError(number, os.strerror(number), str(other))


def can_exchange(folder: Path) -> bool:
    """Return whether two folders inside *folder* can be exchanged in one step."""
    # In a folder of its own, which others do not take for a leftover.
    with unfinished(folder / "probe", lambda place: place.mkdir()) as place:
        one, other = place / "one", place / "other"
        one.mkdir()
        other.mkdir()
        return exchange(one, other)


def real_target(path: str | os.PathLike[str]) -> Path:
    """Return where *path* leads, following symbolic links, but not a pointer to a version."""
    target = Path(path)
    for _ in range(40):
        if not target.is_symlink() or is_pointer(target):
            break
        target = target.parent / os.readlink(target)  # noqa: PTH115
    return Path(os.path.realpath(target.parent)) / target.name if target.name not in ("", "..") else target.resolve()


def is_pointer(path: Path) -> bool:
    """Return whether *path* is a link to a version beside it."""
    if not path.is_symlink():
        return False
    found = os.readlink(path)  # noqa: PTH115
    return found.startswith(".") and found.endswith(VERSION) and os.sep not in found


def check_exchangeable(target: Path) -> None:
    """Raise an error if the existing folder *target* could not be replaced in one step.

    Raises:
        FileError: It cannot.
    """
    if target.exists() and not is_pointer(target) and not can_exchange(target.parent):
        raise FileError(
            f"{target}: cannot be replaced, because this file system cannot exchange two folders in one step; "
            "choose another name, or remove it first"
        )


def put_in_place(part: Path, target: Path, check: Callable[[Path], object]) -> None:
    """Make the folder *part* durable, and give it the name *target*; an old folder is removed, or left under *part*.

    Args:
        part: The new folder.
        target: Its name.
        check: Raises an error unless the folder that it is given may be removed. What stands under a name can change
            during hours of work: it is asked about what stands there now.
    """
    sync_tree(part)
    sync_folder(part.parent)
    while not _put(part, target, check):
        pass  # another run has just written something there
    sync_folder(target.parent)


def _put(part: Path, target: Path, check: Callable[[Path], object]) -> bool:
    """Give *part* the name *target*; return whether that was done: not if something came there meanwhile."""
    free = not os.path.lexists(target)
    with kept(target):
        if not free:
            _check_old(target, target, check)
        if is_pointer(target) or (free and not can_exchange(target.parent)):
            _point(part, target)
        elif free:
            return _renamed(part, target)
        else:
            _swap(part, target, check)
        return True


def _renamed(part: Path, target: Path) -> bool:
    """Give *part* the name *target*, and return whether it was free."""
    try:
        part.rename(target)
    except OSError as error:
        if error.errno not in {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}:
            raise
        return False
    return True


def _swap(part: Path, target: Path, check: Callable[[Path], object]) -> None:
    if not exchange(part, target):
        check_exchangeable(target)
        raise FileError(f"{target}: cannot be replaced in one step; choose another name")
    try:
        _check_old(part, target, check)
    except BaseException:  # it came there between the last look and the exchange
        exchange(part, target)
        raise


def _check_old(old: Path, target: Path, check: Callable[[Path], object]) -> None:
    if old.is_symlink() and not is_pointer(old):
        raise FileError(f"{target}: cannot write: became a symbolic link meanwhile")
    check(old)


def _point(part: Path, target: Path) -> None:
    version, link = temporary_name(target, VERSION), temporary_name(target)
    old = target.parent / os.readlink(target) if is_pointer(target) else None  # noqa: PTH115
    part.rename(version)
    try:
        link.symlink_to(version.name, target_is_directory=True)
        link.replace(target)
    except OSError:
        remove(link)
        if os.path.lexists(target):
            remove(version)
            raise
        version.rename(target)  # no links here: the folder can be written, but not be replaced
        return
    except BaseException:  # a signal
        remove(link)
        if not (is_pointer(target) and os.readlink(target) == version.name):  # noqa: PTH115
            remove(version)
        raise
    sync_folder(target.parent)
    if old is not None:
        remove(old)
