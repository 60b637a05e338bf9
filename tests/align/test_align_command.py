"""``paragauge align``, called as a function of click."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner
from support.terminals import run_in_terminal

from paragauge.align.options import METHODS
from paragauge.cli import align as command
from paragauge.errors import DataError

SOURCE = "the dog\nthe man\na man\na dog\n\n"
TARGET = "der Hund\nder Mann\nein Mann\nein Hund\n\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "a.en").write_text(SOURCE)
    (tmp_path / "a.de").write_text(TARGET)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments, **kwargs):
    result = CliRunner().invoke(command.align, [str(a) for a in arguments], **kwargs)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_links_go_to_standard_output_and_the_summary_to_standard_error(folder):
    result = run("a.en", "a.de", "--threads", 1)
    assert result.exit_code == 0
    assert result.stdout == "0-0 1-1\n" * 4 + "\n"
    assert result.stderr.startswith("5 sentence pairs, 8 links, agreement, ")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs_and_writes_files(folder, method):
    result = run("a.en", "a.de", "-o", "links.align", "--method", method)
    assert result.stdout == ""
    assert method in result.stderr
    assert len((folder / "links.align").read_text().splitlines()) == 5


def test_the_command_knows_the_methods_of_the_library():
    assert command.METHODS == METHODS


def test_one_side_may_be_standard_input(folder):
    assert run("-", "a.de", input=SOURCE).stdout == run("a.en", "a.de").stdout
    assert run("-", "-").exit_code == 2


def test_gold_prints_the_quality(folder):
    (folder / "gold").write_text("1-1 2-2\n1-1 2-2-P 1-2-P\n")
    result = run("a.en", "a.de", "-o", "links", "--gold", "gold", "--one-based")
    assert result.stdout == "precision 1.0000  recall 1.0000  F1 1.0000  AER 0.0000  (2 gold sentence pairs)\n"
    assert (folder / "links").read_text().startswith("1-1 2-2\n")
    result = run("a.en", "a.de", "--gold", "gold", "--one-based")
    assert "AER" not in result.stdout
    assert "AER 0.0000" in result.stderr
    with pytest.raises(DataError, match=r"gold:1: link 2-2 points past the source sentence \(2 tokens\).*--one-based"):
        run("a.en", "a.de", "-o", "links", "--gold", "gold")


def test_a_saved_model_gives_the_same_links(folder):
    first = run("a.en", "a.de", "--save-model", "m")
    assert run("a.en", "a.de", "--model", "m").stdout == first.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--model", "m", "--hmm", 0), "--hmm has no effect here: it is a training option"),
        (("--model", "m", "--no-lowercase"), "--lowercase has no effect here: it is a training option"),
        (("--method", "union", "--threshold", 0.3), "--threshold has no effect here: only --method agreement"),
        (("--temp", "."), "--temp has no effect here: only --engine spark"),
    ],
)
def test_options_without_effect_are_refused(folder, options, message):
    run("a.en", "a.de", "--save-model", "m")
    result = run("a.en", "a.de", *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_scores_stand_beside_links(folder):
    rows = [line.split("\t") for line in run("a.en", "a.de", "--scores").stdout.splitlines()]
    assert [len(row) for row in rows] == [3] * 5
    link, score = rows[0][0].split()[0].split(":")
    assert link == "0-0"
    assert 0.25 <= float(score) <= 1
    assert float(rows[0][1]) < 0
    assert rows[4] == ["", "0.0000", "0.0000"]


def test_unequal_files_and_empty_files_are_explained(folder):
    (folder / "short").write_text("le livre\n")
    with pytest.raises(DataError, match="source has 5, target has 1 segments"):
        run("a.en", "short")
    (folder / "empty").write_text("")
    with pytest.raises(DataError, match="no words to train on"):
        run("empty", "empty")


def test_monolingual_and_training_options_reach_the_aligner(folder):
    arguments = ("--monolingual", "--stems", "--no-lowercase", "--model1", 2, "--hmm", 2, "--max-length", 50)
    assert run("a.en", "a.en", *arguments).stdout == "0-0 1-1\n" * 4 + "\n"


def test_progress_shows_model_and_likelihood_where_somebody_watches(folder):
    for name in ("en", "de"):
        (folder / f"long.{name}").write_text((folder / f"a.{name}").read_text() * 15000)
    program = [sys.executable, "-m", "paragauge", "align", "long.en", "long.de", "-o", "links"]
    code, seen = run_in_terminal(program, folder)
    assert code == 0
    assert b"hmm logp" in seen
    assert b"pairs/s" in seen
