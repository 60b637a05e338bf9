"""``paragauge lm`` and ``paragauge lm query`` as a user meets them."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from paragauge import LanguageModel
from paragauge.cli.lm import _sentence_table, _sentence_tsv
from paragauge.cli.main import main
from paragauge.lm.arpa import read_arpa
from paragauge.lm.model import Scores

TEXT = "The cat sat on the mat.\nThe dog sat on the rug.\nA cat ran!\n"
PROGRAM = [sys.executable, "-m", "paragauge"]


@pytest.fixture
def text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path


def run(capfdbinary, *arguments):
    code = main(list(arguments))
    out, err = capfdbinary.readouterr()
    return code, out.decode(), err.decode()


def test_lm_makes_a_model_that_keeps_how_text_is_prepared(text, capfdbinary):
    code, out, err = run(
        capfdbinary, "lm", "t.txt", "-o", "m.lm", "--order", "3", "--smoothing", "katz", "--lowercase", "--stem",
        "--tokenizer", "penn", "--threads", "2",
    )  # fmt: skip
    assert (code, out) == (0, "")
    assert err == "paragauge: 3 sentences, 18 words; katz model of order 3, 14 / 17 / 1 n-grams\n"
    model = LanguageModel.load("m.lm")
    assert (model.pipeline.tokenizer, model.pipeline.lowercase, model.pipeline.stem) == ("penn", True, True)
    assert model.options["smoothing"] == "katz"
    assert list(model.manifest.inputs) == ["t.txt"]


def test_train_may_be_said_and_options_may_come_first(text, capfdbinary):
    options = ["--smoothing", "katz", "-q"]
    assert run(capfdbinary, "lm", "train", "t.txt", "-o", "a.lm", *options) == (0, "", "")
    assert run(capfdbinary, "lm", *options, "-o", "b.lm", "t.txt") == (0, "", "")
    for path in Path("a.lm").iterdir():
        assert path.read_bytes() == (Path("b.lm") / path.name).read_bytes()


def test_several_texts_packed_or_not_are_one(text, capfdbinary):
    lines = TEXT.splitlines(keepends=True)
    Path("a.txt").write_text(lines[0])
    Path("b.gz").write_bytes(gzip.compress("".join(lines[1:]).encode()))
    run(capfdbinary, "lm", "t.txt", "-o", "one.lm", "--smoothing", "katz")
    run(capfdbinary, "lm", "a.txt", "b.gz", "-o", "two.lm", "--smoothing", "katz")
    one, two = LanguageModel.load("one.lm"), LanguageModel.load("two.lm")
    assert one.signature == two.signature
    assert list(two.manifest.inputs) == ["a.txt", "b.gz"]


def test_arpa_file_beside_or_instead_of_the_model(text, capfdbinary):
    arguments = ["lm", "t.txt", "--order", "2", "--discount-fallback", "-q"]
    assert run(capfdbinary, *arguments, "-o", "m.lm", "--arpa", "m.arpa.gz") == (0, "", "")
    code, out, err = run(capfdbinary, *arguments, "--arpa", "-")
    assert (code, err) == (0, "")
    assert out.encode() == gzip.decompress(Path("m.arpa.gz").read_bytes())
    assert read_arpa("m.arpa.gz").score(["cat"]) == LanguageModel.load("m.lm").score(["cat"])


def test_minimum_counts(text, capfdbinary):
    run(capfdbinary, "lm", "t.txt", "-o", "m.lm", "--min-counts", "1,2", "--order", "3", "--smoothing", "katz", "-q")
    assert LanguageModel.load("m.lm").options["min_counts"] == [1, 2, 2]


def test_query_scores_sentences_and_the_whole(text, capfdbinary):
    run(capfdbinary, "lm", "t.txt", "-o", "m.lm", "--smoothing", "katz", "--lowercase", "-q")
    Path("q.txt").write_text("THE CAT SAT.\nthe cow flew\n")
    code, out, err = run(capfdbinary, "lm", "query", "m.lm", "q.txt", "--format", "json")
    first, second, whole = json.loads(out)
    model = LanguageModel.load("m.lm")
    assert (code, err) == (0, "")
    assert first["log10_p"] == model.score("the cat sat .")
    assert (first["words"], first["unknown"], second["unknown"]) == (4, 0, 2)
    assert first["perplexity"] == pytest.approx(10 ** (-first["log10_p"] / 5))
    assert (whole["sentence"], whole["words"], whole["unknown"]) == ("all", 7, 2)
    assert whole["perplexity"] == model.perplexity(["THE CAT SAT.", "the cow flew"])
    assert whole["perplexity_known"] < whole["perplexity"]
    _, tsv, _ = run(capfdbinary, "lm", "query", "m.lm", "q.txt", "--format", "tsv")
    assert tsv.splitlines()[0] == "sentence\tlog10_p\twords\tunknown\tperplexity\tperplexity_known"
    assert [line.split("\t")[0] for line in tsv.splitlines()[1:]] == ["1", "2", "all"]
    assert float(tsv.splitlines()[1].split("\t")[1]) == first["log10_p"]
    _, table, _ = run(capfdbinary, "lm", "query", "m.lm", "q.txt", "--summary")
    assert len(table.splitlines()) == 3


def test_query_words_from_standard_input(text, capfdbinary):
    run(capfdbinary, "lm", "t.txt", "--arpa", "m.arpa", "--smoothing", "katz", "-q")
    done = subprocess.run(
        [*PROGRAM, "lm", "query", "m.arpa", "--words", "--format", "json"],
        input=b"The cow\n\n",
        capture_output=True,
        check=True,
    )
    rows = json.loads(done.stdout)
    assert [(row["sentence"], row["word"], row["unknown"]) for row in rows] == [
        ("1", "The", "no"), ("1", "cow", "yes"), ("1", "</s>", "no"), ("2", "</s>", "no"),
    ]  # fmt: skip
    assert [row["order"] for row in rows] == [2, 1, 1, 1]


def test_query_writes_files_whole(text, capfdbinary):
    run(capfdbinary, "lm", "t.txt", "-o", "m.lm", "--smoothing", "katz", "-q")
    assert run(capfdbinary, "lm", "query", "m.lm", "t.txt", "-o", "out.tsv.gz", "--format", "tsv") == (0, "", "")
    assert gzip.decompress(Path("out.tsv.gz").read_bytes()).startswith(b"sentence\tlog10_p")


def test_help_shows_both_commands(capfdbinary):
    code, out, _ = run(capfdbinary, "lm", "--help")
    assert code == 0
    assert out.index("  train ") < out.index("  query ")
    assert "--discount-fallback" in run(capfdbinary, "lm", "train", "-h")[1]
    assert "--words" in run(capfdbinary, "lm", "query", "--help")[1]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["lm", "t.txt"], 2, "nothing to write; give a model folder with -o, an ARPA file with --arpa, or both"),
        (["lm", "-o", "m.lm"], 2, "Missing argument 'TEXT...'"),
        (["lm", "-", "-", "-o", "m.lm"], 2, "standard input ('-') can be read only once"),
        (["lm", "t.txt", "-o", "m.lm", "--order", "0"], 2, "0 is not in the range 1<=x<=64"),
        (["lm", "t.txt", "-o", "m.lm", "--min-counts", "1,x"], 2, "'1,x' is not a comma-separated list"),
        (["lm", "t.txt", "-o", "m.lm", "--min-counts", "2,1"], 2, "minimum counts must start with 1"),
        (["lm", "t.txt", "-o", "m.lm", "-t", "pen"], 2, "no tokeniser named 'pen'; did you mean 'penn'?"),
        (["lm", "t.txt", "-o", "m.lm"], 1, "cannot estimate the Kneser-Ney discounts of"),
        (["lm", "no.txt", "-o", "m.lm"], 1, "no.txt: cannot read: no such file"),
        (["lm", "empty.txt", "-o", "m.lm"], 1, "there are no words to train on"),
        (
            ["lm", "t.txt", "-o", "t.txt", "--smoothing", "katz"],
            1,
            "t.txt: exists already (something else",
        ),
        (["lm", "t.txt", "-o", "no/m.lm", "--smoothing", "katz"], 1, "no is not a folder"),
        (["lm", "query", "no.lm", "t.txt"], 1, "no.lm: no such folder"),
        (["lm", "query", "t.txt", "t.txt"], 1, "t.txt:1: found 'The cat sat on the mat.', expected '\\data\\'"),
        (
            ["lm", "t.txt", "-o", "m.lm", "--smoothing", "katz", "--discount-fallback"],
            2,
            "--discount-fallback has no effect here: Katz",
        ),
        (["lm", "query", "m.lm", "t.txt", "--words", "--summary"], 2, "--words and --summary exclude each other"),
    ],
)
def test_mistakes_are_explained(text, capfdbinary, arguments, code, message):
    Path("empty.txt").touch()
    found, out, err = run(capfdbinary, *arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert "Traceback" not in err
    assert not Path("m.lm").exists()
    assert not list(Path().glob(".*.part"))


def test_an_empty_text_cannot_be_scored(text, capfdbinary):
    run(capfdbinary, "lm", "t.txt", "-o", "m.lm", "--smoothing", "katz", "-q")
    Path("empty.txt").touch()
    code, out, err = run(capfdbinary, "lm", "query", "m.lm", "empty.txt")
    assert (code, out) == (1, "")
    assert "the text is empty; expected at least one sentence" in err


def test_rows_of_the_core_are_those_of_the_table():
    scores = Scores(
        np.array([-1.5, -1e-7, -123.25]), np.array([3, 0, 12]), np.array([0, 0, 2]), np.array([0.0, 0.0, -10.125])
    )
    assert _sentence_tsv(scores) == _sentence_table(scores, summary=False).render("tsv")
