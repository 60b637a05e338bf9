"""Millions of segments: files scored in blocks give the numbers of files scored as a whole."""

import gzip
import random

import pytest
from click.testing import CliRunner

from paragauge.cli.main import main, paragauge
from paragauge.corpora.candidate_files import CandidateFiles
from paragauge.corpora.plain import read_plain_testset
from paragauge.errors import DataError, OptionError
from paragauge.evaluate import stream
from paragauge.evaluate.score import ScoreRequest, score_files, score_testset
from paragauge.metrics.base import ExactSums, sum_rows

WORDS = "the a cat dog sat ran on mat , . not three old house saw bought".split()
METRICS = "bleu,chrf,chrf(word_order=2),ter,pinc,ibleu,edit-dissimilarity,meteor,pem+"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(stream, "_BLOCK", 7)
    rng = random.Random(5)
    for name in ("a", "b", "ref1", "ref2", "original"):
        least = 0 if name in ("a", "ref2") else 1
        texts = [" ".join(rng.choices(WORDS, k=rng.randint(least, 9))) for _ in range(40)]
        data = "".join(f"{text}\n" for text in texts).encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name == "b" else data)
    return tmp_path


def _files(folder, *names):
    references = (folder / "ref1", folder / "ref2")
    return {name: CandidateFiles(folder / name, references, folder / "original") for name in names}


def test_scores_of_systems_are_the_same(files):
    request = ScoreRequest(metrics=(METRICS,), bootstrap=0)
    whole = score_testset(
        read_plain_testset([files / "a", files / "b"], [files / "ref1", files / "ref2"], files / "original"), request
    )
    steps: list[int] = []
    result = score_files(_files(files, "a", "b"), request, progress=lambda done, total, what: steps.append(done))
    assert [(each.metric, each.system, each.score) for each in result.scores] == [
        (each.metric, each.system, each.score) for each in whole.scores
    ]
    assert steps[-1] == 9 * 2 * 40
    assert str(result) == str(whole)


def test_scores_of_segments_are_the_same_bytes(files):
    given = ["score", "-m", "bleu,pem+,ter", "--ref", "ref1", "--ref", "ref2", "--original", "original", "a", "b"]
    arguments = [str(files / each) if (files / each).exists() else each for each in given]
    whole, blocks = files / "whole.tsv", files / "blocks.tsv"
    assert main([*arguments, "--segments", "--format", "tsv", "-o", str(whole)]) == 0
    assert main([*arguments, "--segments", "--stream", "-o", str(blocks)]) == 0
    assert blocks.read_bytes() == whole.read_bytes()


def test_standard_input_streams_once(files):
    text = (files / "a").read_text()
    run = CliRunner().invoke
    arguments = ["score", "--ref", str(files / "ref1"), "--stream"]
    shown = run(paragauge, [*arguments, "-m", "bleu,chrf", "-b"], input=text)
    assert len(shown.stdout.split()) == 2
    assert len(run(paragauge, [*arguments, "-m", "bleu", "--segments"], input=text).stdout.splitlines()) == 41
    with pytest.raises(OptionError, match="standard input cannot be; give a file"):
        run(paragauge, [*arguments, "-m", "bleu,chrf", "--segments"], input=text, catch_exceptions=False)


def test_only_a_block_is_read_ahead(files, monkeypatch):
    read = []

    def lines(path, encoding):
        for number in range(1000):
            read.append(number)
            yield f"{number}"

    monkeypatch.setattr(stream, "read_lines", lines)
    blocks = stream.read_blocks(CandidateFiles("a", ("b",)))
    first = next(blocks)
    assert first.candidates == ("0", "1", "2", "3", "4", "5", "6")
    assert len(read) == 14
    assert sum(map(len, blocks)) == 993


@pytest.mark.parametrize(("lines", "message"), [(0, "is empty"), (3, "a has 40, .*b has 3 segments")])
def test_files_must_be_parallel(files, lines, message):
    (files / "b").write_text("x\n" * lines)
    with pytest.raises(DataError, match=message):
        score_files(
            {"a": CandidateFiles(files / ("a" if lines else "b"), (files / "b",))},
            ScoreRequest(metrics=("bleu",), bootstrap=0),
        )


def test_what_needs_all_segments_is_refused(files):
    with pytest.raises(OptionError, match="scores from files have no intervals"):
        score_files(_files(files, "a"), ScoreRequest(metrics=("bleu",)))
    with pytest.raises(OptionError, match="compares all candidates"):
        score_files(_files(files, "a"), ScoreRequest(metrics=("self-bleu-set",), bootstrap=0))
    arguments = ["score", "-m", "bleu", "--ref", str(files / "ref1"), str(files / "a"), "--stream"]
    for option in (["--bootstrap", "10"], ["--test", "permutation"], ["--segments", "--format", "json"]):
        assert main([*arguments, *option]) == 2


def test_sums_of_blocks_are_exact():
    import numpy as np

    rows = np.random.default_rng(1).normal(size=(300, 3)) * 10.0 ** np.arange(-9, 9, 6)
    sums = ExactSums()
    for start in range(0, 300, 7):
        sums.add_rows(rows[start : start + 7])
    assert sums.totals() == sum_rows(rows)
    sums.add([1, 2])
    assert len(sums.totals()) == 3
