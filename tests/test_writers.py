"""Writing never destroys what it should not: devices, FIFOs, links, descriptors."""

from __future__ import annotations

import os
import pty
import select
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from paragauge.errors import FileError
from paragauge.io import atomic_output


def write(path, data=b"data\n"):
    with atomic_output(path) as file:
        file.write(data)


def run(code, **more):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, **more)


TO = "from paragauge.io import atomic_output\nwith atomic_output({!r}) as file: file.write(b'data\\n')"


def test_a_fifo_is_written_to(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    received = []
    reader = threading.Thread(target=lambda: received.append(fifo.read_bytes()), daemon=True)
    reader.start()
    write(fifo)
    reader.join(10)
    assert received == [b"data\n"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["fifo"]


def test_a_terminal_is_written_to(tmp_path):
    ours, theirs = pty.openpty()
    try:
        name = os.ttyname(theirs)
        (tmp_path / "link").symlink_to(name)
        write(tmp_path / "link")
        assert select.select([ours], [], [], 10)[0]
        assert os.read(ours, 100) == b"data\r\n"
        assert stat.S_ISCHR(Path(name).stat().st_mode)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make a device")
def test_a_device_stays_a_device(tmp_path):
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError:
        pytest.skip("devices cannot be made here")
    write(device)
    assert stat.S_ISCHR(device.stat().st_mode)
    os.mknod(tmp_path / "disk", stat.S_IFBLK | 0o600, os.makedev(250, 250))
    with pytest.raises(FileError, match="disk: cannot write: is a disk, expected a file name"):
        write(tmp_path / "disk")


def test_descriptors_are_written_to_where_they_stand(tmp_path):
    target = tmp_path / "out"
    with target.open("wb") as file:
        os.write(file.fileno(), b"before\n")
        done = run(TO.format(f"/dev/fd/{file.fileno()}"), pass_fds=[file.fileno()])
        assert (done.returncode, done.stderr) == (0, "")
        os.write(file.fileno(), b"after\n")
    assert target.read_bytes() == b"before\ndata\nafter\n"
    with target.open("wb") as file:
        subprocess.run([sys.executable, "-c", TO.format("/dev/stdout")], stdout=file, check=True, timeout=60)
        os.write(file.fileno(), b"after\n")
    assert target.read_bytes() == b"data\nafter\n"
    assert run(TO.format("/dev/stdout")).stdout == "data\n"


def test_process_substitution_receives_the_output(tmp_path):
    command = (
        f'"{sys.executable}" -m paragauge tokenize -o >(cat > "{tmp_path}/copy"; touch "{tmp_path}/done") - <<< "a b"'
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    subprocess.run(["bash", "-c", f'while [ ! -e "{tmp_path}/done" ]; do sleep 0.05; done'], timeout=20, check=True)
    assert (tmp_path / "copy").read_text() == "a b\n"


def test_links_are_followed(tmp_path):
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "file"
    target.write_bytes(b"old")
    target.chmod(0o640)
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to(target)
    write(tmp_path / "one")
    assert target.read_bytes() == b"data\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert (tmp_path / "one").is_symlink()
    assert (tmp_path / "two").is_symlink()
    (tmp_path / "new").symlink_to("real/new")
    write(tmp_path / "new")
    assert (tmp_path / "real" / "new").read_bytes() == b"data\n"


@pytest.mark.parametrize("come", [os.mkfifo, lambda path: path.symlink_to("elsewhere"), Path.mkdir])
def test_what_comes_under_the_name_meanwhile_stays(tmp_path, come):
    (tmp_path / "elsewhere").write_bytes(b"mine")
    path = tmp_path / "file"
    with pytest.raises(FileError, match="became something else than a file"), atomic_output(path) as file:  # noqa: PT012
        file.write(b"data")
        come(path)
    assert not path.is_file() or path.is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_link_that_leads_elsewhere_meanwhile_is_left_alone(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "file").symlink_to("one")
    with atomic_output(tmp_path / "file") as file:
        file.write(b"data")
        (tmp_path / "file").unlink()
        (tmp_path / "file").symlink_to("two")
    assert (tmp_path / "file").readlink() == Path("two")
    assert [(tmp_path / name).read_bytes() for name in ("one", "two")] == [b"data", b"two"]


def test_sockets_folders_and_endless_links_are_refused(tmp_path):
    import socket

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        with pytest.raises(FileError, match="is a socket, expected a file name"):
            write(tmp_path / "socket")
    with pytest.raises(FileError, match="is a directory"):
        write(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError, match="loop: cannot write"):
        write(tmp_path / "loop")
    with pytest.raises(FileError, match="null character"):
        write("a\0b")
    with pytest.raises(FileError, match="the name of the output is empty"):
        write("")


def test_long_names_leave_room_for_temporary_ones(tmp_path):
    name = "語" * 85  # 255 bytes, the most that file systems allow
    write(tmp_path / name)
    assert (tmp_path / name).read_bytes() == b"data\n"


def test_what_a_dead_process_left_is_removed_and_what_a_living_one_owns_is_not(tmp_path):
    code = (
        "import os, sys\nfrom paragauge.io import atomic_output\nfrom paragauge.resource import write_resource\n"
        "from paragauge.temporary import scratch_folder\n"
        f"with scratch_folder({str(tmp_path)!r}), atomic_output({str(tmp_path / 'file')!r}) as file, "
        f"write_resource({str(tmp_path / 'folder')!r}, 'table', format=1) as folder:\n"
        "    (folder / 'x').write_text('x')\n    print(flush=True)\n    sys.stdin.readline()\n"
        "    os.kill(os.getpid(), 9)"
    )
    (tmp_path / ".mine.part").write_text("not ours")
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline()
    living = {path.name for path in tmp_path.iterdir()}
    write(tmp_path / "other")
    assert {path.name for path in tmp_path.iterdir()} == living | {"other"}
    process.communicate(b"\n", timeout=60)
    assert len(list(tmp_path.iterdir())) == 5
    write(tmp_path / "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".mine.part", "other"]
