"""What docs/architecture.md promises about resources, seen from outside: by commands and by what a user imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.resources import sign_again

import paragauge as pg
from paragauge.cli.main import main

SENTENCES = ["the cat sat on the mat", "a dog sat on a log", "the dog saw the cat", "a cat saw a dog on the mat"]
FOREIGN = ["le chat assis sur le tapis", "un chien assis sur un tronc", "le chien vit le chat", "un chat vit un chien"]
LINKS = ["0-0 1-1 2-2 3-3 4-4 5-5", "0-0 1-1 2-2 3-3 4-4 5-5", "0-0 1-1 2-2 3-3 4-4", "0-0 1-1 2-2 3-3 4-4"]

# Replaces a resource in a process that dies before one of its steps, for each step in turn: `save` saves it again, and
# `check` raises an exception unless the path holds a whole one.
DYING = """
import os, sys
path = sys.argv[1]
{setup}
STEPS = ("mkdir", "rename", "replace", "unlink", "rmdir", "symlink", "fsync", "open")

def dying(function, last, calls):
    def called(*args, **kwargs):
        calls[0] += 1
        if calls[0] == last:
            os._exit(9)
        return function(*args, **kwargs)
    return called

def attempt(last):
    child = os.fork()
    if child == 0:
        calls = [0]
        for name in STEPS:
            setattr(os, name, dying(getattr(os, name), last, calls))
        save(path)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

save(path)
check(path)
step = 1
while (code := attempt(step)) == 9:
    check(path)
    step += 1
assert code == 0, code
assert step > 20, step
save(path)
left = [name for name in os.listdir(os.path.dirname(path)) if name.startswith(".")]
assert not left, left
"""
MAKING = {
    "phrase-table": """
import paragauge as pg
table = pg.PhraseTable.from_counts({("a", "x"): 1, ("b", "y"): 2})
save, expected = table.save, list(table)
def check(path):
    assert list(pg.PhraseTable.open(path)) == expected
""",
    "language-model": f"""
import paragauge as pg
model = pg.train_lm({SENTENCES}, order=2, smoothing="katz")
expected = model.scores({SENTENCES}).log10_p.tolist()
save = model.save
def check(path):
    assert pg.LanguageModel.open(path).scores({SENTENCES}).log10_p.tolist() == expected
""",
}


def run(code: str, *arguments: str, **more) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **more)


@pytest.mark.parametrize("kind", MAKING)
def test_a_crash_at_any_step_leaves_a_whole_resource(tmp_path, kind):
    done = run(DYING.format(setup=MAKING[kind]), str(tmp_path / "resource"))
    assert done.returncode == 0, done.stderr


def test_files_and_folders_are_synced(tmp_path, monkeypatch):
    synced, fsync = set(), os.fsync

    def recorded(descriptor):
        synced.add(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", recorded)
    pg.train_lm(SENTENCES, order=2, smoothing="katz").save(tmp_path / "lm")
    assert {each.stat().st_ino for each in (tmp_path, tmp_path / "lm", *(tmp_path / "lm").iterdir())} <= synced


# Exchanges the folder for another one just before a file of it is opened, for each of the files in turn.
RACING = """
import os, sys
import paragauge as pg
here, there, aside = (sys.argv[1] + name for name in ("/table", "/other", "/aside"))
tables = [pg.PhraseTable.from_counts(dict(pairs)) for pairs in (
    [(("a", "x"), 1), (("b", "y"), 2)], [(("c", "z"), 3), (("d", "w"), 4)])]
for table, path in zip(tables, (here, there)):
    table.save(path)
wholes = [list(pg.PhraseTable.open(path)) for path in (here, there)]
opened, last = 0, -1

def watch(event, arguments):
    global opened
    if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(here + os.sep):
        opened += 1
        if opened == last:
            os.rename(here, aside); os.rename(there, here); os.rename(aside, there)

sys.addaudithook(watch)
last = 1
while True:
    opened = 0
    try:
        found = list(pg.PhraseTable.open(here, **(dict(verify=False) if len(sys.argv) > 2 else {})))
    except pg.ParagaugeError:
        found = None
    if opened < last:
        break
    assert found is None or found in wholes, (last, found)
    last += 1
assert last > 5
"""


@pytest.mark.parametrize("more", [[], ["unverified"]])
def test_a_reader_sees_one_version(tmp_path, more):
    done = run(RACING, str(tmp_path), *more)
    assert done.returncode == 0, done.stderr


# Runs a command as the program does, and sends it a signal just before it writes a manifest.
SIGNALLED = """
import os, signal, sys
number = signal.Signals[sys.argv.pop(1)]
if number != signal.SIGKILL:
    signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

def watch(event, arguments):
    if event == "open" and str(arguments[0]).endswith("manifest.json") and str(arguments[1]).startswith("w"):
        os.kill(os.getpid(), number)

sys.addaudithook(watch)
sys.argv[0] = "paragauge"
from paragauge.cli.main import run
run()
"""


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in (("s", SENTENCES), ("t", FOREIGN), ("l", LINKS)):
        Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_next_run_removes_what_a_killed_one_left(texts):
    assert run(SIGNALLED, "SIGKILL", "phrases", "s", "t", "l", "-o", "table", "-q").returncode == -9
    assert len(names(texts)) > 3
    assert main(["phrases", "s", "t", "l", "-o", "table", "-q"]) == 0
    assert names(texts) == ["l", "s", "t", "table"]


@pytest.mark.parametrize(("signal", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_signals_clean_up(texts, signal, code):
    done = run(SIGNALLED, signal, "phrases", "s", "t", "l", "-o", "table", "-q")
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert names(texts) == ["l", "s", "t"]


def test_a_flipped_bit_is_seen_and_its_file_is_named(texts, capsys):
    model = pg.train_lm(SENTENCES, order=3, smoothing="katz")
    model.save("lm")
    for file in sorted(Path("lm").iterdir()):
        whole = file.read_bytes()
        damaged = bytearray(whole)
        damaged[-2 if file.suffix == ".json" else len(whole) * 3 // 4] ^= 4
        file.write_bytes(damaged)
        with pytest.raises(pg.ParagaugeError):
            pg.LanguageModel.open("lm")
        assert main(["verify", "lm", "--format", "json"]) == 1
        assert [row["file"] for row in json.loads(capsys.readouterr().out)] == [file.name]
        file.write_bytes(whole)
    assert main(["verify", "lm"]) == 0


@pytest.mark.parametrize("number", [-1, 2**20, 2**40, 2**62])
@pytest.mark.parametrize("place", [0, 1, -2, -1])
def test_wrong_offsets_are_refused_before_anything_follows_them(texts, place, number):
    pg.extract_phrases(SENTENCES, FOREIGN, LINKS, max_length=3).save("table")
    offsets = np.load("table/source.offsets.npy")
    offsets[place] = number
    np.save("table/source.offsets.npy", offsets)
    sign_again(Path("table"))
    code = "import paragauge as pg\ntry: print(len(list(pg.PhraseTable.open('table'))))\nexcept pg.ParagaugeError: pass"
    done = run(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_explanations_work_with_any_tokeniser(capsys):
    explained = ["explain", "the cat, sat", "--ref", "the cat sat", "-m"]
    assert main([*explained, "paraeval(tokenizer=char)"]) == 0
    assert "paraeval" in capsys.readouterr().out


# Whatever is written, a file may have a few kilobytes: a disk that is nearly full.
NEARLY_FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from paragauge.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "command",
    [
        "lm train long -o out --order 2 --smoothing katz -q",
        "lm train long --arpa out --order 2 --smoothing katz -q",
        "phrases long long links -o out -q",
        "table table -o out.tsv -q",
        "tokenize long -o out",
        "convert --ref long long --to plain -o out",
    ],
)
def test_a_full_disk_is_reported_and_nothing_is_left(texts, command):
    words = [[f"w{(7 * line + place) % 97}" for place in range(20)] for line in range(80)]
    Path("long").write_text("".join(" ".join(line) + "\n" for line in words), encoding="utf-8")
    Path("links").write_text((" ".join(f"{k}-{k}" for k in range(20)) + "\n") * 80, encoding="utf-8")
    pg.PhraseTable.from_counts({(f"a{k}", f"b{k}"): 1 for k in range(1000)}).save("table")
    before = names(texts)
    done = run(NEARLY_FULL, *command.split())
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "cannot write" in done.stderr
    assert "out" in done.stderr or "--temp DIR" in done.stderr
    assert names(texts) == before


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write to")
@pytest.mark.parametrize("command", ["phrases s t l -o out -q", "pivot table -o out -q"])
def test_temporary_files_that_cannot_be_written_are_reported(texts, command, capsys):
    pg.PhraseTable.from_counts({("a", "b"): 1}).save("table")
    assert main([*command.split(), "--temp", "/proc/self"]) == 1
    assert "cannot write temporary files" in capsys.readouterr().err
