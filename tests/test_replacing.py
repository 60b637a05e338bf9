"""Replacing a resource: the old one or the new one at every moment, for every reader, after every crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import paragauge.replacing as replacing
from paragauge.errors import DataError, FileError
from paragauge.resource import read_manifest, steadily, write_resource

STEPS = ("mkdir", "rename", "replace", "unlink", "rmdir", "symlink", "fsync", "open")


def write(path: Path, content: str, last: int = 0, exchange: str = "yes") -> int:
    """Write a resource in a process that dies before step *last*, counted in calls that change or sync a name.

    Returns:
        The number of steps, or 0 if the process died.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        calls = 0

        def dying(function):
            def called(*args, **kwargs):
                nonlocal calls
                calls += 1
                if calls == last:
                    os._exit(9)
                return function(*args, **kwargs)

            return called

        for name in STEPS:
            setattr(os, name, dying(getattr(os, name)))
        replacing.exchange = dying(replacing.exchange if exchange == "yes" else lambda one, other: False)
        with write_resource(path, "table", format=1) as folder:
            for name in "ab":
                (folder / name).write_text(content)
        os.write(writing, str(calls).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        steps = int(file.read() or 0)
    os.waitpid(child, 0)
    return steps


def versions(path: Path) -> set[str]:
    manifest = read_manifest(path, "table", newest_format=1)
    return {(path / name).read_text() for name in manifest.files}


@pytest.mark.parametrize("exchange", ["yes", "no"])
def test_a_crash_leaves_the_old_resource_or_the_new_one(tmp_path, exchange):
    if exchange == "yes" and not replacing.can_exchange(tmp_path):
        pytest.skip("this file system cannot exchange folders")
    path = tmp_path / "table"
    assert write(path, "old", exchange=exchange)
    assert path.is_symlink() == (exchange == "no")
    steps = write(path, "old", exchange=exchange)
    assert steps > 20
    seen = []
    for last in range(1, steps + 1):
        assert write(path, "old", exchange=exchange)
        assert write(path, "new", last, exchange) == 0
        (found,) = versions(path)
        seen.append(found)
    assert set(seen) == {"old", "new"}
    assert seen == sorted(seen, reverse=True)
    assert write(path, "new", exchange=exchange)
    left = {each.name for each in tmp_path.iterdir()}
    assert left == ({"table"} if exchange == "yes" else {"table", path.readlink().name})


def test_everything_is_on_disk_before_the_name_is_given(tmp_path, monkeypatch):
    synced, order = set(), []
    fsync, exchange = os.fsync, replacing.exchange

    def recorded(descriptor):
        synced.add(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    def exchanged(one, other):
        if (one / "manifest.json").exists():
            order.append({each.stat().st_ino for each in (one, *one.iterdir())} - synced)
        return exchange(one, other)

    monkeypatch.setattr(os, "fsync", recorded)
    monkeypatch.setattr(replacing, "exchange", exchanged)
    for content in ("one", "two"):
        with write_resource(tmp_path / "t", "table", format=1) as folder:
            (folder / "a").write_text(content)
    assert order == [set()]
    assert tmp_path.stat().st_ino in synced


def test_where_folders_cannot_be_exchanged_a_plain_folder_is_not_replaced(tmp_path, monkeypatch):
    with write_resource(tmp_path / "t", "table", format=1) as folder:
        (folder / "a").write_text("old")
    monkeypatch.setattr(replacing, "exchange", lambda one, other: False)
    writing = write_resource(tmp_path / "t", "table", format=1)
    with pytest.raises(FileError, match="cannot exchange two folders in one step; choose another name"):
        writing.__enter__()
    assert versions(tmp_path / "t") == {"old"}
    assert [each.name for each in tmp_path.iterdir()] == ["t"]


def test_a_link_to_a_resource_is_followed(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "t").symlink_to(tmp_path / "disk" / "t")
    for content in ("old", "new"):
        with write_resource(tmp_path / "t", "table", format=1) as folder:
            (folder / "a").write_text(content)
        assert (tmp_path / "t").is_symlink()
        assert versions(tmp_path / "disk" / "t") == {content}


def test_what_is_no_folder_of_ours_is_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").write_text("x")
    for name in ("fifo", "file", "."):
        with pytest.raises(FileError, match="exists already"), write_resource(tmp_path / name, "table", format=1):
            pass


def test_readers_never_see_a_mixture(tmp_path):
    path = tmp_path / "t"

    def save(content: str) -> None:
        with write_resource(path, "table", format=1) as folder:
            for name in "abcdef":
                (folder / name).write_text(content)

    @steadily
    def opened(path: Path) -> set[str]:
        manifest = read_manifest(path, "table", newest_format=1, verify=False)
        return {(path / name).read_text() for name in manifest.files}

    save("0000")
    code = (
        "import sys; from paragauge.resource import write_resource\n"
        "for number in range(60):\n"
        "    with write_resource(sys.argv[1], 'table', format=1) as folder:\n"
        "        for name in 'abcdef': (folder / name).write_text(f'{number:04}')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, path])
    seen, errors = set(), 0
    try:
        while process.poll() is None:
            try:
                found = opened(path)
            except (DataError, FileError, FileNotFoundError):
                errors += 1
                continue
            assert len(found) == 1
            seen |= found
    finally:
        process.wait(60)
    assert len(seen) > 5


def test_a_replacement_while_it_is_opened_is_noticed(tmp_path):
    calls = []

    @steadily
    def opened(path: Path) -> set[str]:
        manifest = read_manifest(path, "table", newest_format=1, verify=False)
        first = (path / "a").read_text()
        if len(calls) < 1:
            calls.append(1)
            with write_resource(path, "table", format=1) as folder:
                for name in "ab":
                    (folder / name).write_text("new")
        assert set(manifest.files) == {"a", "b"}
        return {first, (path / "b").read_text()}

    with write_resource(tmp_path / "t", "table", format=1) as folder:
        for name in "ab":
            (folder / name).write_text("old")
    assert opened(tmp_path / "t") == {"new"}
