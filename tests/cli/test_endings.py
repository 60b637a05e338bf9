"""How runs end: by signals, limits, closed streams, damaged and impossible input; always with a message of ours."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.commands import all_commands

import paragauge as pg
from paragauge.cli.main import main
from paragauge.errors import DataError
from paragauge.io import read_bytes

PROGRAM = [sys.executable, "-m", "paragauge"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("the cat sat\na dog\n")
    (tmp_path / "b").write_text("the cat sat\nthe dog\n")
    return tmp_path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_run_and_leaves_nothing(here, number):
    code = (
        "import sys, time\nfrom paragauge.cli import main as cli\nfrom paragauge.io import atomic_output\n"
        "from paragauge.resource import write_resource\nfrom paragauge.temporary import scratch_folder\n"
        "def work(*_):\n"
        "    with scratch_folder('.'), atomic_output('file'), write_resource('t', 'table', format=1) as folder:\n"
        "        (folder / 'x').write_text('x')\n        print(flush=True)\n        time.sleep(60)\n"
        "cli.main = work\ncli.run()"
    )
    # Whoever runs the tests may ignore signals (nohup), and children would inherit that.
    code = f"import signal\nsignal.signal({number}, signal.SIG_DFL)\n{code}"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert sorted(path.name for path in here.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("arguments", [["score", "-m", "bleu", "--ref", "b"], ["tokenize"], ["parse"], ["generate"]])
def test_closed_standard_input_is_reported(here, arguments):
    closed = "import os, sys\nos.close(0)\nos.execv(sys.argv[1], sys.argv[1:])"
    run = subprocess.run(
        [sys.executable, "-c", closed, *PROGRAM, *arguments], capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    assert run.stderr == "paragauge: error: <stdin>: cannot read: standard input is closed; name a file\n"


def test_closed_streams_are_not_taken_for_the_files_opened_next(here):
    code = (
        "import os\nfrom paragauge.cli import main as cli\nfrom paragauge.io import atomic_output\n"
        "def work(*_):\n    with atomic_output('file') as file:\n        file.write(b'data')\n        file.flush()\n"
        "        os.write(2, b'message of a library')\n    with atomic_output('/dev/stdout') as file:\n"
        "        file.write(b'lost')\n"
        "cli.main = work\nfor number in (0, 1, 2):\n    os.close(number)\ncli.run()"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 1
    assert (here / "file").read_bytes() == b"data"


def test_a_native_loop_or_a_swallowed_interrupt_does_not_keep_the_run(here):
    code = (
        "import time\nfrom paragauge.cli import main as cli, signals\nfrom paragauge.io import atomic_output\n"
        "signals._GRACE = 0.5\n"
        "def work(*_):\n"
        "    with atomic_output('file'):\n        print(flush=True)\n"
        "        while True:\n"
        "            try:\n                time.sleep(60)\n            except BaseException:\n                pass\n"
        "cli.main = work\ncli.run()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert sorted(path.name for path in here.iterdir()) == ["a", "b"]


def test_an_error_that_an_interrupt_became_ends_with_130(here):
    code = (
        "import time\nfrom paragauge.cli import main as cli\n"
        "def work(*_):\n"
        "    try:\n        print(flush=True)\n        time.sleep(60)\n"
        "    except KeyboardInterrupt:\n        raise RuntimeError('interrupted')\n"
        "cli.main = work\ncli.run()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.parametrize("command", ["score -m bleu --ref b a", "metrics"])
def test_a_closed_standard_output_is_an_error(command):
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m paragauge {command} >&-'],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "standard output is closed; write to a file with -o" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_standard_error_is_no_error():
    command = f'"{sys.executable}" -m paragauge score -m bleu --ref b a 2>&-'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "bleu" in done.stdout


@pytest.mark.parametrize("value", ["13", "[1]", "1e400", "{}", "None", "(1)"])
@pytest.mark.parametrize("metric", ["bleu", "pinc", "meteor", "ngram-f1", "paraeval"])
def test_a_tokeniser_is_a_name(metric, value, capsys):
    assert main(["score", "-m", f"{metric}(tokenizer={value})", "--ref", "b", "--original", "b", "a"]) == 2
    assert "error" in capsys.readouterr().err


def test_names_that_are_not_utf8_are_shown(here, capfdbinary):
    name = os.fsdecode(b"n\xff")
    (here / name).write_text("the cat sat\na dog\n")
    for form in ("table", "tsv", "json"):
        assert main(["score", "-m", "bleu", "--ref", "b", name, "--format", form, "--bootstrap", "0"]) == 0
        assert "n\\udcff" in capfdbinary.readouterr().out.decode("utf-8")


def test_scores_whose_squares_overflow_are_refused(here, capsys):
    (here / "s.tsv").write_text("metric\tsystem\tsegment\tscore\nm\ta\t1\t1e308\nm\ta\t2\t1\n")
    (here / "j.tsv").write_text("system\tsegment\tscore\na\t1\t1\na\t2\t2\n")
    assert main(["correlate", "s.tsv", "j.tsv", "--level", "segment"]) == 1
    assert "s.tsv:2: score is '1e308', expected a number up to 1e100" in capsys.readouterr().err
    (here / "s.tsv").write_text("metric\tsystem\tsegment\tscore\nm\ta\t1\t2\nm\ta\t2\t1\n")
    (here / "j.tsv").write_text("system\tsegment\tscore\na\t1\t-1e308\na\t2\t2\n")
    assert main(["correlate", "s.tsv", "j.tsv", "--level", "segment"]) == 1
    assert "j.tsv:2: the score '-1e308' is not a finite number up to 1e100" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\r", "a\u2028b"])
def test_names_that_tables_cannot_hold_are_refused(name):
    with pytest.raises(DataError, match="contains a tab or a line end"):
        pg.score({name: ["a b"]}, references=["a b"], metrics=["bleu"])


def test_gzip_bombs_are_refused_and_the_ceiling_can_be_raised(here, monkeypatch):
    with gzip.open(here / "bomb.gz", "wb") as file:
        for _ in range(100):
            file.write(bytes(1 << 20))
    with pytest.raises(DataError, match=r"bomb.gz: the gzip data expands to more than 200 times its size"):
        read_bytes(here / "bomb.gz")
    monkeypatch.setenv("PARAGAUGE_MAX_EXPANSION", "2000")
    assert len(read_bytes(here / "bomb.gz")) == 100 << 20
    monkeypatch.setenv("PARAGAUGE_MAX_EXPANSION", "many")
    with pytest.raises(pg.ParagaugeError, match="PARAGAUGE_MAX_EXPANSION is 'many'"):
        read_bytes(here / "bomb.gz")


@pytest.mark.parametrize("text", ["x" * 10_000_000, "the cat " * 1_250_000])
def test_ten_megabytes_in_one_line_are_refused_at_once(text):
    for name, metric in pg.METRICS.items():
        if issubclass(metric, pg.SentenceMetric) and metric().available:
            begun = time.process_time()
            with pytest.raises(DataError):
                metric().corpus_score([text], references=[["a b"]], originals=["a b"])
            assert time.process_time() - begun < 10, name


def test_an_endless_sentence_pair_is_not_aligned():
    with pytest.raises(DataError, match="sentence pair 1 has 25,000 tokens or more on both sides"):
        pg.align(["a " * 25_000], ["b " * 25_000])


# A program that may take a few seconds of processor time: one that hangs is ended by the system.
HASTY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
from paragauge.cli.main import main, paragauge
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("options", [[], ["--monolingual"]])
@pytest.mark.parametrize(("unit", "count", "codes"), [("x", 10_000_000, {0, 1}), ("the cat ", 1_250_000, {1})])
def test_ten_megabytes_in_one_line_are_aligned_or_refused_at_once(here, unit, count, codes, options):
    (here / "long").write_text(unit * count + "\na dog\n")
    command = [sys.executable, "-c", HASTY, "align", "long", "long", "-o", "links", "-q", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in codes, done.stderr
    assert "Traceback" not in done.stderr
    assert (done.returncode == 0) == (here / "links").exists()
    assert (done.returncode == 0) != ("which is no sentence" in done.stderr)


@pytest.mark.parametrize("metric", ["chrf", "pem", "bleu"])
def test_ten_megabytes_in_one_line_are_scored_or_refused_at_once(here, metric):
    (here / "long").write_text("x" * 10_000_000 + "\na dog\n")
    command = ["score", "-m", metric, "long", *(["--original", "b"] if metric == "pem" else ["--ref", "b"])]
    done = subprocess.run(
        [sys.executable, "-c", HASTY, *command], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1
    assert "a word of 10,000,000 characters, which is no segment of text" in done.stderr


LIMITED = [name for name, command in all_commands() if any(each.name == "memory_limit" for each in command.params)]
WITHOUT_ENGINE = {"compress", "generate", "parse", "tune"}


@pytest.mark.parametrize("command", sorted(LIMITED))
def test_every_command_refuses_memory_limits_that_cannot_work(command, capsys):
    least = 100 if command in WITHOUT_ENGINE else 400
    tried = {"1MB": f"the least that can is {least}MB", f"{least - 1}MB": "the least", "x": "not a memory size"}
    for limit, message in tried.items():
        assert main([*command.split(), "--memory-limit", limit]) == 2
        assert message in capsys.readouterr().err


# Runs a command and prints its peak of memory in kilobytes. A small program in between, since Linux counts what the
# parent held when it started the child.
WATCHED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how much memory is used")
def test_a_run_that_exceeds_its_memory_limit_ends_with_an_error(here):
    words = [[f"w{(7919 * line + 31 * place * place) % 20011}" for place in range(60)] for line in range(700)]
    (here / "long").write_text("".join(" ".join(line) + "\n" for line in words))
    (here / "links").write_text((" ".join(f"{place}-{place}" for place in range(60)) + "\n") * 700)
    options = ["-o", "table", "--max-length", "40", "--memory-limit", "400MB", "-q"]  # without a limit: 1 GB
    command = [sys.executable, "-c", WATCHED, *PROGRAM, "phrases", "long", "long", "links", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "needs more memory than --memory-limit 400MB; raise the limit" in done.stderr
    assert 1024 * int(done.stdout) < 1.1 * 400_000_000 + 150_000_000  # with the code of programs, which is mapped
    assert sorted(path.name for path in here.iterdir()) == ["a", "b", "links", "long"]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how much memory is used")
def test_commands_without_an_engine_keep_to_their_limit(here):
    (here / "many").write_text("the old man went home and bought a big house\n" * 20_000)
    command = [*PROGRAM, "generate", "many", "--kbest", "50", "-q", "-o", "out", "--memory-limit", "100MB"]
    done = subprocess.run([sys.executable, "-c", WATCHED, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "needs more memory than --memory-limit 100MB; raise the limit" in done.stderr
    assert 1024 * int(done.stdout) < 1.1 * 100_000_000 + 150_000_000
    assert sorted(path.name for path in here.iterdir()) == ["a", "b", "many"]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="limits of addresses hold on Linux only")
@pytest.mark.parametrize("limit", [300_000_000, 700_000_000, 1_100_000_000, 1_490_000_000])
def test_too_few_addresses_are_reported(here, limit):
    pg.PhraseTable.from_counts({("a", "x"): 1, ("b", "x"): 1}).save(here / "t")
    code = f"import os, resource, sys\nresource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))\n"
    command = [sys.executable, "-c", f"{code}os.execv(sys.argv[1], sys.argv[1:])", *PROGRAM, "pivot", "t", "-o", "p"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("paragauge: error: ")
    assert "ulimit -v" in done.stderr
    assert not (here / "p").exists()


def test_an_empty_text_is_not_rewritten(here, capsys):
    (here / "empty").write_text("")
    assert main(["generate", "empty"]) == 1
    assert "the file is empty, expected one sentence on each line" in capsys.readouterr().err


def test_null_characters_are_not_written_to_arpa(here):
    from paragauge.lm.arpa import write_arpa

    model = pg.train_lm(["a\0b c", "c d", "a\0b d"], order=2, smoothing="katz", tokenizer="none")
    with pytest.raises(DataError, match="null character"):
        write_arpa(model, here / "m.arpa")
    assert not (here / "m.arpa").exists()


@pytest.mark.parametrize("limit", ["999999999TB", "99999999999999999GB"])
def test_more_memory_than_there_is_is_no_limit(here, limit):
    pg.PhraseTable.from_counts({("a", "x"): 1, ("b", "x"): 1}).save(here / "t")
    assert main(["pivot", "t", "-o", "p", "-q", "--memory-limit", limit]) == 0
