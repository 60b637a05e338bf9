"""Replacing a resource: the old one or the new one at every moment, for every reader, after every crash."""

from __future__ import annotations

import contextlib
import errno
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


def _writing(path, kind="table", content="new"):
    @contextlib.contextmanager
    def begun():
        with write_resource(path, kind, format=1) as folder:
            (folder / "a").write_text(content)
            yield

    return begun()


def _foreign_folder(path):
    path.mkdir()
    (path / "thesis.txt").write_text("years of work")


def _link(path):
    (path.parent / "elsewhere").mkdir()
    path.symlink_to("elsewhere")


@pytest.mark.parametrize("make", [_foreign_folder, _link, os.mkfifo, lambda path: path.write_text("x")])
@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("late", [True, False])
def test_what_comes_under_the_name_meanwhile_stays(tmp_path, monkeypatch, make, old, late):
    path = tmp_path / "t"
    if old:
        with _writing(path, content="old"):
            pass

    def come():
        if old:
            path.rename(tmp_path / "moved")
        make(path)
        mine.append(os.lstat(path))

    mine = []
    if late:  # between the last look and the exchange
        exchange, renamed = replacing.exchange, replacing._renamed

        def exchanged(one, other):
            if other == path and not mine:
                come()
            return exchange(one, other)

        def tried(part, target):
            come()
            return renamed(part, target)

        monkeypatch.setattr(replacing, "exchange", exchanged)
        monkeypatch.setattr(replacing, "_renamed", tried)
    with pytest.raises(FileError, match=r"exists already|meanwhile"), _writing(path):  # noqa: PT012
        if not late:
            come()
    assert os.lstat(path).st_ino == mine[0].st_ino
    left = {each.name for each in tmp_path.iterdir()} - {"elsewhere"}
    assert left == ({"t", "moved"} if old else {"t"})
    if make is _foreign_folder:
        assert (path / "thesis.txt").read_text() == "years of work"


def test_two_writers_of_one_name_both_succeed_and_the_last_stays(tmp_path):
    for content in ("one", "two", "three"):
        with _writing(tmp_path / "t", content="first"), _writing(tmp_path / "t", content=content):
            pass
        assert versions(tmp_path / "t") == {"first"}
        assert [each.name for each in tmp_path.iterdir()] == ["t"]


@pytest.mark.parametrize("where", ["notes.txt", "deep/notes.txt"])
def test_files_of_others_inside_a_resource_are_not_removed_with_it(tmp_path, where):
    with _writing(tmp_path / "t", content="old"):
        pass
    notes = tmp_path / "t" / where
    notes.parent.mkdir(exist_ok=True)
    notes.write_text("mine")
    with (
        pytest.raises(FileError, match=rf"did not write the file {where} in it; move it away"),
        _writing(tmp_path / "t"),
    ):
        pass
    assert notes.read_text() == "mine"
    notes.unlink()
    with pytest.raises(FileError, match="did not write the file notes"), _writing(tmp_path / "t"):
        (tmp_path / "t" / "notes").symlink_to("nowhere")
    assert versions(tmp_path / "t") == {"old"}


def test_a_link_that_leads_elsewhere_meanwhile_is_left_alone(tmp_path):
    for name in ("one", "two"):
        with _writing(tmp_path / name, content=name):
            pass
    (tmp_path / "t").symlink_to("one")
    with _writing(tmp_path / "t"):
        (tmp_path / "t").unlink()
        (tmp_path / "t").symlink_to("two")
    assert (tmp_path / "t").readlink() == Path("two")
    assert (versions(tmp_path / "one"), versions(tmp_path / "two")) == ({"new"}, {"two"})


def test_a_folder_that_cannot_be_written_is_named_itself(tmp_path, monkeypatch):
    with _writing(tmp_path / "t"):
        pass

    def refused(one, other):
        raise OSError(errno.EROFS, "Read-only file system", str(one))

    monkeypatch.setattr(replacing, "exchange", refused)
    with pytest.raises(FileError, match=r"/t: cannot write: Read-only file system"), _writing(tmp_path / "t"):
        pass


WRITER = """
import sys
from pathlib import Path
from paragauge.io import atomic_output
from paragauge.resource import write_resource
for number in range(60):
    with write_resource(Path(f"t{number // 3}"), "table", format=1) as folder:
        (folder / "a").write_text(sys.argv[1])
    with atomic_output(f"f{number // 3}") as file:
        file.write(b"x")
"""


def test_many_writers_at_once_do_not_disturb_each_other(tmp_path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(number)], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        for number in range(6)
    ]
    assert [writer.communicate(timeout=120)[1] for writer in writers] == [""] * 6
    assert all(len(versions(tmp_path / f"t{number}")) == 1 for number in range(20))
    assert len(list(tmp_path.iterdir())) == 40
