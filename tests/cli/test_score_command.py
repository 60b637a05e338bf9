"""`paragauge score` the way people use it: the grid, sacreBLEU's habits, expanded patterns, limits."""

import io
import json
import sys

import pytest
from support.commands import all_commands

from paragauge.cli.main import main
from paragauge.cli.patterns import expanded_with

REFERENCES = "the cat sat on the mat\nhe bought a car\nit rained all day\n"


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "ref.txt": REFERENCES,
        "a.txt": "the cat sat on a mat\nhe bought a car\nit was raining all day\n",
        "b.txt": "cat mat\nhe car\nrain\n",
        "orig.txt": "a cat was on the mat\nhe purchased a car\nit rained the whole day\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(capfd, *arguments):
    code = main(list(arguments))
    out, err = capfd.readouterr()
    return code, out, err


def long_scores(capfd, *arguments):
    code, out, _ = run(capfd, "score", *arguments, "--format", "json")
    assert code == 0
    return {(row["metric"], row["system"]): row["score"] for row in json.loads(out)}


def test_the_grid_has_systems_and_metrics_with_direction_and_best(texts, capfd):
    code, out, _ = run(capfd, "score", "-m", "bleu,ter", "--ref", "ref.txt", "a.txt", "b.txt")
    scores = long_scores(capfd, "-m", "bleu,ter", "--ref", "ref.txt", "a.txt", "b.txt")
    head, _, first, second, _, legend, *signatures = out.splitlines()
    assert code == 0
    assert head.split() == ["system", "bleu", "↑", "p", "ter", "↓", "p"]
    assert f"►{scores['bleu', 'a']:.2f}" in first
    assert f"►{scores['ter', 'a']:.2f}" in first  # lower is better
    assert "►" not in second
    assert f"{scores['ter', 'b']:.2f}" in second
    assert "difference from a (paired bootstrap)" in legend
    assert [each.split("|")[0] for each in signatures] == ["bleu", "ter"]


def test_the_grid_shows_the_p_values_of_compare(texts, capfd):
    for flag, test in (("--paired-bs", "bootstrap"), ("--paired-ar", "permutation")):
        _, out, _ = run(capfd, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "b.txt", flag)
        _, compared, _ = run(
            capfd, "compare", "-m", "bleu", "--ref", "ref.txt", "a.txt", "b.txt", flag, "--format", "json"
        )
        [row] = json.loads(compared)
        assert row["test"] == test
        assert out.splitlines()[3].split()[-1].lstrip("*") == f"{row['p_value']:.3f}"


def test_long_form_and_digits_and_bare_numbers(texts, capfd):
    [value] = long_scores(capfd, "-m", "bleu", "--ref", "ref.txt", "a.txt").values()
    texts_given = ("-m", "bleu", "--ref", "ref.txt", "a.txt")
    assert run(capfd, "score", *texts_given, "-b") == (0, f"{value:.2f}\n", "")
    assert run(capfd, "score", *texts_given, "-b", "-w", "5") == (0, f"{value:.5f}\n", "")
    _, long, _ = run(capfd, "score", *texts_given, "--long")
    assert long.splitlines()[0].split() == ["metric", "system", "score", "low", "high"]
    assert f"{value:.4f}" in long
    _, wide, _ = run(capfd, "score", *texts_given, "-w", "6")
    assert f"{value:.6f} ±" in wide
    _, bare, _ = run(capfd, "score", "-m", "bleu,chrf", "--ref", "ref.txt", "a.txt", "b.txt", "-b")
    assert [line.count("\t") for line in bare.splitlines()] == [1, 1]


def test_standard_input_is_the_default(texts, capfd, monkeypatch):
    expected = run(capfd, "score", "-m", "bleu", "--ref", "ref.txt", "a.txt", "-b")[1]
    stream = io.TextIOWrapper(io.BytesIO((texts / "a.txt").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert run(capfd, "score", "-m", "bleu", "--ref", "ref.txt", "-b") == (0, expected, "")


def test_a_terminal_is_not_read(texts, capfd, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO())
    stream.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", stream)
    code, _, err = run(capfd, "score", "-m", "bleu", "--ref", "ref.txt")
    assert (code, "no candidates; give at least one file" in err) == (2, True)


def test_the_order_of_sacrebleu(texts, capfd):
    (texts / "other.txt").write_text("the cat is on the mat\nhe bought a car\nit rained\n")
    ours = long_scores(capfd, "-m", "bleu", "--ref", "ref.txt", "--ref", "other.txt", "a.txt", "b.txt")
    assert long_scores(capfd, "ref.txt", "other.txt", "-m", "bleu", "-i", "a.txt", "b.txt") == ours
    assert long_scores(capfd, "ref.txt", "other.txt", "-i", "a.txt", "b.txt", "-m", "bleu") == ours


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ref.txt", "-i", "a.txt", "--ref", "b.txt", "-m", "bleu"], "it is unclear what ref.txt is"),
        (["ref.txt", "-i", "a.txt", "--original", "orig.txt", "-m", "pinc"], "is a reference, but pinc takes none"),
        (["-m", "bleu", "ref.txt"], "REFERENCE -i SYSTEM, as in sacreBLEU"),
        (["-m", "bleu", "--ref", "ref.txt", "a.txt", "--fail-under", "chrf=3"], "no computed metric named 'chrf'"),
        (["-m", "bleu", "--ref", "ref.txt", "a.txt", "--fail-under", "bleu"], "expected METRIC=NUMBER"),
        (["-m", "bleu", "--ref", "ref.txt", "a.txt", "--format", "tsv", "-w", "2"], "--width has no effect here"),
        (["-m", "bleu,,ter", "--ref", "ref.txt", "a.txt"], "'' is not a metric"),
    ],
)
def test_what_is_unclear_is_explained(texts, capfd, arguments, message):
    code, out, err = run(capfd, "score", *arguments)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("given", [["ref1.gz", "ref2.gz", "sys"], ["ref1.gz", "ref2.gz"], ["x.gz", "y.gz", "sys"]])
def test_an_expanded_pattern_is_not_scored(texts, capfd, given):
    for name in given:
        (texts / name).write_text(REFERENCES)
    code, out, err = run(capfd, "score", "-m", "bleu", "--ref", *given)
    assert (code, out) == (2, "")
    assert f"--ref {given[0]} --ref {given[1]} {given[2] if len(given) > 2 else 'SYSTEM'}" in err
    assert run(capfd, "score", "-m", "bleu", "-b", "--ref", given[0], "-i", *given[1:])[0] == 0  # said plainly


def test_ordinary_names_are_not_taken_for_a_pattern(tmp_path):
    names = ["news.ref", "news.sys1", "news.sys2", "reference.txt", "system-a.txt", "system-b.txt"]
    for name in names:
        (tmp_path / name).write_text("")
    files = [str(tmp_path / name) for name in names]
    assert expanded_with(files[0], files[1:3]) == []
    assert expanded_with(files[3], files[4:]) == []
    assert expanded_with(files[0], files[:1]) == []
    assert expanded_with("ref", []) == []


def test_fail_under_prints_the_scores_and_exits_with_1(texts, capfd):
    given = ("score", "-m", "bleu,ter", "--ref", "ref.txt", "a.txt", "b.txt", "--bootstrap", "0")
    assert run(capfd, *given, "--fail-under", "bleu=0", "--fail-under", "ter=200")[0] == 0
    code, out, err = run(capfd, *given, "--fail-under", "bleu=30", "--fail-under", "ter=50")
    assert code == 1
    assert "bleu ↑" in out
    assert "bleu of b is" in err
    assert ", below 30 (--fail-under)" in err
    assert "ter of b is" in err
    assert ", above 50 (--fail-under)" in err
    assert " of a is" not in err


def test_every_command_with_systems_reads_all_files_after_i():
    from paragauge.cli.inputs import TextsCommand

    with_systems = [each for _, each in all_commands() if any("-i" in option.opts for option in each.params)]
    assert len(with_systems) > 3
    assert all(isinstance(each, TextsCommand) for each in with_systems)


def test_checks_need_no_metric(texts, capfd):
    (texts / "b.txt").write_text("cat mat\n\nhe purchased a car\n")
    for files in (["--ref", "ref.txt", "a.txt", "b.txt"], ["ref.txt", "-i", "a.txt", "b.txt"], ["a.txt", "b.txt"]):
        code, out, _ = run(capfd, "score", "--check", *files, "--format", "tsv")
        assert code == 0
        assert ["b", "empty", "2"] in [line.split("\t")[:3] for line in out.splitlines()]
    code, out, err = run(capfd, "score", "--ref", "ref.txt", "a.txt")
    assert (code, out) == (2, "")
    assert "Missing option '-m' / '--metric'" in err
