"""The commands as a user meets them: output, exit codes, and every mistake with its message."""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU
from support.terminals import run_in_terminal

from paragauge import METRICS
from paragauge.cli.main import COMMANDS, main
from paragauge.metrics import SentenceMetric
from paragauge.metrics.registry import available_metrics

CANDIDATES = ["the cat is on the mat", "he bought a car yesterday", "it rains"]
REFERENCES = ["the cat sat on the mat", "he purchased a car yesterday", "it is raining"]
PROGRAM = [sys.executable, "-m", "paragauge"]


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _write("a.txt", CANDIDATES)
    _write("b.txt", [text.upper() for text in CANDIDATES])
    _write("ref.txt", REFERENCES)
    return tmp_path


def _write(name, lines):
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def run(capfdbinary, *arguments):
    code = main(list(arguments))
    out, err = capfdbinary.readouterr()
    return code, out.decode(), err.decode()


def test_score_table_shows_score_interval_and_signature(texts, capfdbinary):
    code, out, err = run(capfdbinary, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "b.txt")
    assert (code, err) == (0, "")
    expected = BLEU().corpus_score(CANDIDATES, [REFERENCES]).score
    assert ["a", f"►{expected:.2f}", "±"] in [line.split()[:3] for line in out.splitlines()]
    assert "bleu|nrefs:1|case:mixed|tok:13a|eff:no|smooth:exp|bs:1000|seed:12345|version:" in out


def test_score_tsv_has_a_header_and_full_precision(texts, capfdbinary):
    code, out, _ = run(capfdbinary, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--format", "tsv")
    header, row = out.splitlines()
    assert code == 0
    assert header == "metric\tsystem\tscore\tlow\thigh\tsignature"
    assert float(row.split("\t")[2]) == BLEU().corpus_score(CANDIDATES, [REFERENCES]).score


def test_score_segments_tsv_is_what_correlate_reads(texts, capfdbinary):
    arguments = ["-m", "bleu", "-m", "pinc", "--original", "ref.txt", "--ref", "ref.txt", "a.txt", "--segments"]
    code, out, _ = run(capfdbinary, "score", *arguments, "--format", "tsv")
    rows = [line.split("\t") for line in out.splitlines()]
    assert code == 0
    assert rows[0][:5] == ["metric", "system", "segment", "score", "precision_1"]
    assert [row[:3] for row in rows[1:]] == [[metric, "a", str(i)] for metric in ("bleu", "pinc") for i in (1, 2, 3)]
    theirs = BLEU(effective_order=True)
    for row, candidate, reference in zip(rows[1:4], CANDIDATES, REFERENCES, strict=True):
        assert float(row[3]) == theirs.sentence_score(candidate, [reference]).score
    assert rows[4][4] == ""  # pinc has no precision_1


def test_score_json_has_components(texts, capfdbinary):
    code, out, _ = run(capfdbinary, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--format", "json")
    (row,) = json.loads(out)
    assert code == 0
    assert row["system"] == "a"
    assert row["components"]["brevity_penalty"] <= 1
    assert row["interval"]["level"] == 0.95


def test_score_of_a_testset_scores_all_its_systems(texts, capfdbinary):
    segment = {"original": "a b", "references": ["a c"], "candidates": {"x": "a c", "y": "b"}}
    (texts / "set.jsonl").write_text(json.dumps(segment) + "\n")
    code, out, _ = run(capfdbinary, "score", "-m", "ibleu", "--testset", "set.jsonl", "--format", "tsv")
    assert code == 0
    assert [line.split("\t")[1] for line in out.splitlines()] == ["system", "x", "y"]


def test_systems_can_be_named(texts, capfdbinary):
    arguments = ["score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "b.txt", "--format", "tsv"]
    _, out, _ = run(capfdbinary, *arguments, "--name", "first", "--name", "second")
    assert [line.split("\t")[1] for line in out.splitlines()] == ["system", "first", "second"]
    code, _, err = run(capfdbinary, *arguments, "--name", "first")
    assert code == 2
    assert "got 1 names (first) for 2 files" in err


def test_scores_do_not_depend_on_packaging(texts, capfdbinary):
    _, plain, _ = run(capfdbinary, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt")
    data = (texts / "a.txt").read_bytes()
    for packed in (gzip.compress(data), data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data):
        (texts / "a.txt").write_bytes(packed)
        assert run(capfdbinary, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt") == (0, plain, "")
    Path("ref.txt").rename("ref.gz")  # a plain file under a name that promises gzip
    assert run(capfdbinary, "score", "-m", "bleu", "--ref", "ref.gz", "a.txt") == (0, plain, "")


def test_output_file_is_written_whole(texts, capfdbinary):
    code, out, _ = run(
        capfdbinary, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--format", "tsv", "-o", "out.tsv.gz"
    )
    assert (code, out) == (0, "")
    assert gzip.decompress((texts / "out.tsv.gz").read_bytes()).startswith(b"metric\tsystem")


def test_standard_input_is_a_system(texts):
    done = subprocess.run(
        [*PROGRAM, "score", "-m", "bleu", "--ref", "ref.txt", "-", "--format", "tsv"],
        input="\n".join(CANDIDATES).encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().splitlines()[1].startswith("bleu\tstdin\t")


def test_compare_reports_difference_and_p_value(texts, capfdbinary):
    code, out, _ = run(
        capfdbinary, "compare", "-m", "bleu", "--ref", "ref.txt", "b.txt", "a.txt", "--test", "bootstrap", "--test",
        "permutation", "--trials", "200", "--format", "json",
    )  # fmt: skip
    bootstrap, permutation = json.loads(out)
    assert code == 0
    assert (bootstrap["baseline"], bootstrap["system"]) == ("b", "a")
    assert bootstrap["difference"] == bootstrap["score"] - bootstrap["baseline_score"] > 0
    assert 0 < bootstrap["p_value"] <= 1
    assert bootstrap["low"] <= bootstrap["difference"] <= bootstrap["high"]
    assert permutation["low"] is None
    assert "|ar:200|seed:12345|" in permutation["signature"]


def test_compare_all_pairs(texts, capfdbinary):
    _write("c.txt", REFERENCES)
    _, out, _ = run(
        capfdbinary, "compare", "-m", "bleu", "--ref", "ref.txt", "a.txt", "b.txt", "c.txt", "--all-pairs", "--format",
        "tsv",
    )  # fmt: skip
    assert [line.split("\t")[2:4] for line in out.splitlines()[1:]] == [["a", "b"], ["a", "c"], ["b", "c"]]


def test_pairwise_scores_all_pairs(texts, capfdbinary):
    code, out, _ = run(capfdbinary, "pairwise", "-m", "bleu", "a.txt", "ref.txt", "--format", "tsv")
    rows = [line.split("\t") for line in out.splitlines()]
    assert code == 0
    assert rows[0] == ["metric", "candidate", "other", "score"]
    assert len(rows) == 1 + 9
    assert float(rows[1][3]) == BLEU(effective_order=True).sentence_score(CANDIDATES[0], REFERENCES[:1]).score


def test_explain_in_three_forms(texts, capfdbinary):
    base = ["explain", "-m", "bleu", "--ref", "the cat sat", "the cat <b>"]
    assert "[the] [cat]" in run(capfdbinary, *base)[1]
    assert json.loads(run(capfdbinary, *base, "--format", "json")[1])[0]["metric"] == "bleu"
    assert run(capfdbinary, *base, "--html", "-o", "why.html")[:2] == (0, "")
    assert "&lt;" in (texts / "why.html").read_text()


def test_demo_shows_every_metric_of_sentences(capfdbinary):
    code, out, err = run(capfdbinary, "demo")
    assert (code, err) == (0, "")
    of_sentences = [metric.name for metric in available_metrics()]
    assert [line.split()[0] for line in out.splitlines()[2 : 2 + len(of_sentences)]] == of_sentences


def test_metrics_lists_all_and_shows_options_of_one(capfdbinary):
    from paragauge import METRICS

    listed = json.loads(run(capfdbinary, "metrics", "--format", "json")[1])
    assert [row["metric"] for row in listed] == list(METRICS)
    assert all(row["citation"] and row["summary"] for row in listed)
    assert "smooth_value" in run(capfdbinary, "metrics", "bleu")[1]


def test_tokenize_prints_what_metrics_see(texts, capfdbinary):
    (texts / "x.txt").write_text("He can't, Dr. Brown said.\n\nCafe\u0301s\n")
    code, out, err = run(capfdbinary, "tokenize", "x.txt", "-t", "penn", "--lowercase", "--stem", "--normalize", "NFC")
    assert (code, out, err) == (0, "he ca n't , dr. brown said .\n\ncafé\n", "")
    assert run(capfdbinary, "tokenize", "x.txt", "-o", "out.gz")[0] == 0
    assert gzip.decompress((texts / "out.gz").read_bytes()).startswith(b"He can't , Dr . Brown said .\n")
    assert "no tokeniser named 'pen'; did you mean 'penn'?" in run(capfdbinary, "tokenize", "x.txt", "-t", "pen")[2]


def test_convert_merges_files_and_changes_the_format(texts, capfdbinary):
    sgml = '<{0} setid="s" srclang="de"{1}><doc docid="d"{2}>\n<seg id="1">{3}</seg>\n</doc></{0}>\n'
    (texts / "src.sgm").write_text(sgml.format("srcset", "", "", "Es regnet &amp; regnet."))
    (texts / "ref.sgm").write_text(sgml.format("refset", ' trglang="en"', ' sysid="r"', "It rains."))
    (texts / "tst.sgm").write_text(sgml.format("tstset", ' trglang="en"', ' sysid="mt"', "Rain."))
    code, out, err = run(capfdbinary, "convert", "src.sgm", "ref.sgm", "tst.sgm", "--to", "jsonl")
    assert (code, err) == (0, "")
    segment = json.loads(out.splitlines()[-1])
    assert segment["original"] == "Es regnet & regnet."
    assert segment["candidates"] == {"mt": "Rain."}
    assert run(capfdbinary, "convert", "src.sgm", "ref.sgm", "tst.sgm", "-o", "all.xml")[0] == 0
    assert run(capfdbinary, "score", "-m", "bleu", "--testset", "all.xml")[0] == 0


def test_convert_judgments_keeps_missing_ones_missing(texts, capfdbinary):
    (texts / "j.tsv").write_text("system\tsegment\tjudge\tcriterion\tscore\na\t1\tx\tfluency\t4\na\t2\tx\tfluency\t\n")
    code, out, _ = run(capfdbinary, "convert", "--judgments", "j.tsv", "--to", "jsonl")
    assert code == 0
    assert [json.loads(line)["score"] for line in out.splitlines()] == [4, None]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell, capfdbinary):
    code, out, _ = run(capfdbinary, "completion", shell)
    assert code == 0
    assert "_PARAGAUGE_COMPLETE" in out


def test_shell_completes_metric_names(monkeypatch):
    environment = {**os.environ, "_PARAGAUGE_COMPLETE": "bash_complete", "COMP_WORDS": "paragauge score -m self",
                   "COMP_CWORD": "3"}  # fmt: skip
    program = "import sys; sys.argv[0] = 'paragauge'; from paragauge.cli.main import run; run()"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert done.stdout.decode().split() == ["plain,self-bleu-original", "plain,self-bleu-set"]


# Mistakes of the command: exit code 2.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scor"], "no command named 'scor'; did you mean 'score'?"),
        (["score", "--ref", "ref.txt", "a.txt"], "Missing option '-m' / '--metric'"),
        (["score", "-m", "blue", "--ref", "ref.txt", "a.txt"], "no metric named 'blue'; did you mean 'bleu'?"),
        (["score", "-m", "bleu(order=2)", "--ref", "ref.txt", "a.txt"], "no option of bleu named 'order'"),
        (["score", "-m", "bleu", "a.txt"], "bleu needs references; give their file with --ref"),
        (["score", "-m", "pinc", "a.txt"], "pinc needs originals; give their file with --original"),
        (["score", "-m", "bleu", "-m", "bleu", "--ref", "ref.txt", "a.txt"], "metric 'bleu' is given twice"),
        (["score", "-m", "bleu", "--ref", "ref.txt", "--ref", "-", "-"], "standard input ('-') can be read only once"),
        (["score", "-m", "bleu", "--ref", "ref.txt", "--testset", "x", "a.txt"], "--testset contains all texts"),
        (["score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--encoding", "x"], "no text encoding named 'x'"),
        (["compare", "-m", "bleu", "--ref", "ref.txt", "a.txt"], "a comparison needs at least two systems"),
        (["explain", "-m", "bleu", "text"], "bleu needs references; give one with --ref TEXT"),
        (["explain", "-m", "pinc", "text"], "give it with --original TEXT"),
        (
            ["score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--temp", "x"],
            "--temp has no effect here: only --engine spark writes temporary files; leave it out",
        ),
        (
            ["score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--segments", "--bootstrap", "1000"],
            "--bootstrap has no effect here: scores of segments have no intervals",
        ),
        (
            ["score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--segments", "--seed", "1"],
            "--seed has no effect here",
        ),
        (
            ["score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--bootstrap", "0", "--seed", "1"],
            "--seed has no effect here: it goes with intervals, and --bootstrap 0 asks for none",
        ),
        (
            ["score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "--engine", "spark", "--bootstrap", "5"],
            "--bootstrap has no effect here: scores from a cluster have no intervals",
        ),
        (
            ["score", "-m", "bleu", "--ref", "r", "c", "--engine", "spark", "--segments", "-o", "x", "--format", "tsv"],
            "--format has no effect here: a cluster writes scores of segments as Parquet",
        ),
        (
            ["explain", "-m", "bleu", "--ref", "text", "text", "--html", "--format", "json"],
            "--format has no effect here: --html is a format of its own",
        ),
        (["metrics", "blue"], "no metric named 'blue'"),
        (["convert", "a.txt"], "the format of standard output is unknown; give it with --to"),
        (["convert", "a.txt", "-o", "out"], "the file name does not imply a format"),
        (["convert", "--judgments", "a.txt", "b.txt", "--to", "tsv"], "one file at a time; got 2"),
    ],
)
def test_wrong_command_exits_with_2_and_says_why(texts, capfdbinary, arguments, message):
    code, out, err = run(capfdbinary, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


# Mistakes in the data: exit code 1, and nothing is written.


def _data_error(capfdbinary, *arguments):
    code, out, err = run(capfdbinary, "score", "-m", "bleu", *arguments, "-o", "out.tsv")
    assert (code, out) == (1, "")
    assert err.startswith("paragauge: error: ")
    assert not Path("out.tsv").exists()
    assert not list(Path().glob(".*.part"))
    return err


def test_empty_file(texts, capfdbinary):
    _write("empty.txt", [])
    err = _data_error(capfdbinary, "--ref", "ref.txt", "empty.txt")
    assert "empty.txt" in err
    assert "empty" in err.split("empty.txt", 1)[1]


def test_unequal_numbers_of_lines(texts, capfdbinary):
    _write("short.txt", CANDIDATES[:2])
    err = _data_error(capfdbinary, "--ref", "ref.txt", "short.txt")
    assert "short.txt" in err
    assert "ref.txt" in err
    assert "the first segment without a partner is 3" in err


def test_transposed_references(texts, capfdbinary):
    for i in range(3):  # one file for each segment, its references on the lines
        _write(f"segment{i}.txt", [REFERENCES[i], REFERENCES[i]])
    references = [part for i in range(3) for part in ("--ref", f"segment{i}.txt")]
    assert "references look transposed" in _data_error(capfdbinary, *references, "a.txt")


def test_wrong_encoding(texts, capfdbinary):
    (texts / "latin.txt").write_bytes("ok\ncafé\nok\n".encode("latin-1"))
    err = _data_error(capfdbinary, "--ref", "ref.txt", "latin.txt")
    assert "latin.txt:2: byte 0xe9 at position 4 is not UTF-8" in err
    assert "--encoding latin-1" in err
    assert run(capfdbinary, "score", "-m", "bleu", "--ref", "ref.txt", "latin.txt", "--encoding", "latin-1")[0] == 0


def test_truncated_gzip(texts, capfdbinary):
    (texts / "cut.gz").write_bytes(gzip.compress(os.urandom(3000).hex().encode())[:1500])
    assert "cut.gz: gzip data ends early" in _data_error(capfdbinary, "--ref", "ref.txt", "cut.gz")


def test_directory_and_missing_file(texts, capfdbinary):
    (texts / "folder").mkdir()
    assert "folder: cannot read: is a directory" in _data_error(capfdbinary, "--ref", "ref.txt", "folder")
    assert "no.txt: cannot read: no such file" in _data_error(capfdbinary, "--ref", "no.txt", "a.txt")


def test_missing_need_inside_a_testset(texts, capfdbinary):
    (texts / "set.jsonl").write_text('{"original": "a", "candidates": {"x": "b"}}\n')
    assert "bleu needs references" in _data_error(capfdbinary, "--testset", "set.jsonl")


def test_empty_line_among_references_is_counted_and_does_not_stop_the_run(texts, capfdbinary):
    _write("gap.txt", [REFERENCES[0], "", REFERENCES[2]])
    code, out, err = run(capfdbinary, "score", "-m", "bleu", "--ref", "gap.txt", "a.txt", "--format", "tsv")
    assert code == 0
    assert err == (
        "paragauge: warning: 1 segment(s) have no reference text, so nothing in them can match; "
        "the first is segment 2\n"
    )
    quiet = run(capfdbinary, "score", "-m", "bleu", "--ref", "gap.txt", "a.txt", "--format", "tsv", "-q")
    assert quiet == (0, out, "")
    code, _, err = run(capfdbinary, "score", "-m", "bleu", "--ref", "gap.txt", "--ref", "ref.txt", "a.txt")
    assert (code, err) == (0, "")


def test_a_line_of_a_million_tokens(texts, capfdbinary):
    _write("long.txt", ["word " * 1_000_000])
    code, out, _ = run(
        capfdbinary, "score", "-m", "bleu", "-m", "pinc", "--original", "long.txt", "--ref", "long.txt", "long.txt",
        "--format", "tsv", "--bootstrap", "0",
    )  # fmt: skip
    assert code == 0
    assert [row.split("\t")[2] for row in out.splitlines()[1:]] == ["100.00000000000004", "0.0"]


@pytest.mark.parametrize("name", [name for name, cls in METRICS.items() if issubclass(cls, SentenceMetric)])
def test_every_metric_takes_or_refuses_a_line_of_a_million_tokens(texts, capfdbinary, name):
    rng = random.Random(name)
    for file in ("long.txt", "other.txt"):
        _write(file, [" ".join(f"w{rng.randrange(5000)}" for _ in range(1_000_000)), "short"])
    arguments = ["--original", "other.txt", "--ref", "other.txt", "long.txt", "--bootstrap", "0"]
    of_embeddings = name in ("bertscore", "embedding", "parascore")
    asked = f"{name}(model=wordllama)" if of_embeddings else name
    code, out, err = run(capfdbinary, "score", "-m", asked, *arguments)
    if name in ("ter", "edit-dissimilarity", "maxsim", "meteor"):
        assert (code, out) == (1, "")
        assert "segment 1 has a text of 1,000,000 words; the running time of" in err
        assert f"{name}(max_length=...)" in err
    elif name == "blend":
        assert (code, out) == (1, "")
        assert "segment 1 has a text of 1,000,000 words" in err
    elif of_embeddings:
        assert (code, out) == (1, "")
        assert "texts are embedded up to 100,000: split the segment" in err
    elif name == "roles":
        assert (code, out) == (1, "")
        assert "segment 1 has a text of 1,000,000 words" in err
    elif name in ("pem+", "meaning"):
        assert (code, out) == (1, "")
        assert "characters; the judges compare each word with each, and stop at 100,000: split the segment" in err
    else:
        assert code == 0


def test_full_disk(texts):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.decode() == (
        "paragauge: error: <stdout>: cannot write: the disk is full; choose another place with -o\n"
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_broken_pipe_ends_quietly(texts, unbuffered):
    _write("many.txt", ["a b c d"] * 20000)
    score = subprocess.Popen(
        [*PROGRAM, "score", "-m", "bleu", "--ref", "many.txt", "many.txt", "--segments", "--format", "tsv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert score.stdout.readline().startswith(b"metric\t")
    score.stdout.close()
    assert score.stderr.read() == b""
    score.stderr.close()
    assert score.wait(timeout=60) == 141


def test_interrupt_writes_nothing(texts):
    # The second file is a pipe that nobody fills: the run waits there, for certain, until it is interrupted.
    os.mkfifo("waiting")
    score = subprocess.Popen(
        [*PROGRAM, "score", "-m", "bleu", "--ref", "waiting", "a.txt", "-o", "out.tsv"], stderr=subprocess.PIPE
    )
    writer = os.open("waiting", os.O_WRONLY)  # returns once the run has opened the other end
    time.sleep(0.1)
    score.send_signal(signal.SIGINT)
    _, err = score.communicate(timeout=60)
    os.close(writer)
    assert score.returncode == 130
    assert err.decode().strip() == "paragauge: interrupted; no output was written"
    assert not Path("out.tsv").exists()


def test_every_command_has_help_with_an_example(capfdbinary):
    for command in COMMANDS:
        code, out, _ = run(capfdbinary, command, "--help")
        assert code == 0
        assert "Example:" in out
        assert f"paragauge {command}" in out


def test_progress_bar_shows_only_to_people(texts):
    work = (
        "import time\n"
        "from paragauge.cli.output import progress_bar\n"
        "with progress_bar('segments') as show:\n"
        "    for done in range(20):\n"
        "        show and show(done, 20, 'bleu')\n"
        "        time.sleep(0.05)\n"
    )
    command = [sys.executable, "-c", work]
    code, seen = run_in_terminal(command, texts)
    assert code == 0
    assert b"segments" in seen
    assert b"bleu" in seen
    assert subprocess.run(command, capture_output=True, check=True).stderr == b""


def test_a_slow_step_after_a_fast_one_moves_too(texts):
    work = (
        "import time\n"
        "from paragauge.cli.output import progress_bar\n"
        "with progress_bar('steps') as show:\n"
        "    for done in range(0, 80_000, 4000):\n"
        "        show(done, 80_000, 'fast')\n"
        "        time.sleep(0.05)\n"
        "    for done in range(1, 6):\n"
        "        time.sleep(0.3)\n"
        "        show(done, 5, 'slow')\n"
    )
    _, seen = run_in_terminal([sys.executable, "-c", work], texts)
    slow = [line for line in seen.split(b"\r") if b"/5 " in line]
    assert all(b"slow" in line for line in slow)  # the step has its own name from the start
    assert any(b" 3/5 " in line for line in slow)
    assert any(b" 5/5 " in line for line in slow)


def test_every_long_command_has_a_bar(root):
    # Judgments take 0.4 s for the 16,000 of a WMT language pair, most of it the start of Python.
    quick = {
        "agreement", "completion", "convert", "explain", "judgments", "metrics", "paraphrases", "serve", "tokenize",
    }  # fmt: skip
    from paragauge.cli.main import COMMANDS

    for name in set(COMMANDS) - quick:
        assert "progress_bar" in (root / "src" / "paragauge" / "cli" / f"{name}.py").read_text(encoding="utf-8"), name
