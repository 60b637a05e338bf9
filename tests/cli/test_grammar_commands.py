"""The commands grammar and paradigm."""

import gzip
import json
import random
import shlex
from pathlib import Path

import pytest

from paragauge.cli.main import main

LINES = {
    "a": "some want to go\nothers stay\n",
    "b": "some people propose to leave\nothers stay\n",
    "links": "0-0 0-1 1-2 2-3 3-4\n0-0 1-1\n",
    "trees": "(S (NP (DT some)) (VP (VBP want) (VP (TO to) (VP (VB go)))))\n(S (NP (NNS others)) (VP (VBP stay)))\n",
}


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in LINES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_grammar_to_folder_and_text(texts, capsys):
    code, _, err = run(capsys, "grammar", "a", "b", "links", "--trees", "trees", "-o", "g", "--text", "g.gz")
    assert code == 0
    assert "rules" in err
    with gzip.open("g.gz", "rt") as file:
        assert any(line.startswith("[VP] ||| want [VP,1] ||| propose [VP,1] ||| Count=1 ") for line in file)
    assert run(capsys, "grammar", "--rules", "g.gz", "-o", "again", "-q")[0] == 0
    assert run(capsys, "grammar", "--rules", "again", "--text", "back", "-q")[0] == 0
    with gzip.open("g.gz", "rt") as file:
        assert file.read() == (texts / "back").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["grammar", "a", "b", "-o", "g"], 2, "expected either SRC, TGT and LINKS, or --gold FILE"),
        (["grammar", "a", "b", "links"], 2, "nothing to write"),
        (["grammar", "a", "b", "links", "-o", "g", "--labels", "samt"], 2, "need trees"),
        (["grammar", "a", "b", "trees", "-o", "g"], 1, "trees:1: "),
        (["grammar", "a", "a", "links", "-o", "g"], 1, "links:1: link 3-4 points past the target sentence"),
        (["grammar", "--rules", "a", "-o", "g"], 1, "a:1: found 1 field"),
        (["grammar", "--rules", "nothing", "-o", "g"], 1, "no such file"),
        (["paradigm", "overlap", "a", "b"], 1, "a:1: found 1 field"),
        (["paradigm", "coverage", "a", "b"], 1, "found 1 field"),
        (["paradigm", "overlap", "a", "b", "b"], 2, "b is given twice"),
    ],
)
def test_wrong_use_and_wrong_data(texts, capsys, arguments, code, message):
    got, _, err = run(capsys, *arguments)
    assert (got, message in err) == (code, True), err
    assert not (texts / "g").exists()


RULES = ["--rules", "rules", "-o", "g"]
TEXTS = ["a", "b", "links", "-o", "g"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*RULES, "--min-count", "2"], "--min-count has no effect with --rules, which extracts nothing"),
        ([*RULES, "--max-span", "3"], "--max-span has no effect with --rules"),
        ([*RULES, "--labels", "samt"], "--labels has no effect with --rules"),
        ([*RULES, "--one-based"], "--one-based has no effect with --rules"),
        ([*RULES, "--no-lexical"], "--lexical has no effect with --rules"),
        ([*RULES, "--trees", "trees"], "--trees has no effect with --rules"),
        ([*RULES, "--temp", "."], "--temp has no effect with --rules"),
        ([*RULES, "--memory-limit", "1GB"], "--memory-limit has no effect with --rules"),
        ([*RULES, "--threads", "1"], "--threads has no effect with --rules"),
        ([*RULES, "--encoding", "latin-1"], "--encoding has no effect with --rules: rules are always UTF-8"),
        ([*TEXTS, "--chain", "top"], "--chain has no effect without --trees"),
        ([*TEXTS, "--trees-side", "target"], "--trees-side has no effect without --trees"),
        ([*TEXTS, "--trees", "trees", "--labels", "hiero"], "--trees has no effect with --labels hiero"),
        ([*TEXTS, "--max-nonterminals", "0", "--adjacent"], "--adjacent has no effect with --max-nonterminals 0"),
        ([*TEXTS, "--max-nonterminals", "0", "--min-links", "2"], "--min-links has no effect with --max-nonterminals"),
        ([*TEXTS, "--engine", "spark", "--threads", "2"], "--threads does not go with --engine spark"),
        ([*TEXTS, "--engine", "spark", "--memory-limit", "1GB"], "--memory-limit does not go with --engine spark"),
    ],
)
def test_options_without_effect_are_refused(texts, capsys, arguments, message):
    (texts / "rules").write_text("[X] ||| a ||| b\n")
    code, _, err = run(capsys, "grammar", *arguments)
    assert (code, message in err) == (2, True), err
    assert not (texts / "g").exists()


def test_scores_go_to_correlate(texts, capsys):
    run(capsys, "grammar", "a", "b", "links", "--trees", "trees", "-o", "gold", "-q")
    systems = []
    with open("judgments.tsv", "w") as judgments:  # noqa: PTH123
        judgments.write("system\tsegment\tjudge\tcriterion\tscore\n")
        for place, limit in enumerate((1, 2, 3, 5), start=1):
            systems.append(f"s{place}")
            run(
                capsys,
                "grammar",
                "a",
                "b",
                "links",
                "--trees",
                "trees",
                "-o",
                f"s{place}",
                "--max-symbols",
                limit,
                "-q",
            )
            judgments.write(f"s{place}\t1\tann\tmeaning\t{place}\n")
    (texts / "pairs.tsv").write_text(
        "source\ttarget\tgroup\nsome want to go\tsome people propose to leave\tx\ngo\tstay\tx\n"
    )
    code, out, err = run(capsys, "paradigm", "report", "gold", *systems, "--pairs", "pairs.tsv", "--format", "tsv")
    assert code == 0, err
    (texts / "scores.tsv").write_text(out)
    code, out, err = run(
        capsys,
        "correlate",
        "scores.tsv",
        "judgments.tsv",
        "--level",
        "system",
        "--method",
        "spearman",
        "--bootstrap",
        0,
    )
    assert code == 0, err
    assert "paradigm" in out


def test_coverage_with_segments_derivations_and_drawings(texts, capsys):
    (texts / "rules").write_text(
        "[X] ||| some ||| some people\n[X] ||| want [X,1] ||| propose [X,1]\n[X] ||| go ||| leave\n"
    )
    (texts / "pairs").write_text("some want go\tsome people propose leave\nwant\twant\n")
    code, out, err = run(
        capsys, "paradigm", "coverage", "rules", "pairs", "--segments", "--format", "json", "--derivations", "d.jsonl",
        "--draw", "drawings",
    )  # fmt: skip
    assert code == 0, err
    assert [row["score"] for row in json.loads(out)] == [1.0, 0.0]
    derivation = json.loads((texts / "d.jsonl").read_text())
    assert [node["rule"] for node in derivation["nodes"]] == [
        "[X] ||| some ||| some people", "[X] ||| want [X,1] ||| propose [X,1]", "[X] ||| go ||| leave",
    ]  # fmt: skip
    assert [path.name for path in (texts / "drawings").iterdir()] == ["rules-1.svg"]
    code, out, _ = run(capsys, "paradigm", "coverage", "rules", "pairs", "--pass-through", "all", "--format", "tsv")
    header, row = (line.split("\t") for line in out.splitlines())
    assert dict(zip(header, row, strict=True))["derived"] == "2"


def test_curve_and_plot(texts, capsys):
    (texts / "gold").write_text("[X] ||| a ||| b\n[X] ||| c ||| d\n")
    (texts / "rules").write_text("[X] ||| a ||| b ||| p(e|f)=1\n[X] ||| e ||| f ||| p(e|f)=2\n")
    code, _, err = run(
        capsys,
        "paradigm",
        "overlap",
        "gold",
        "rules",
        "--match",
        "strict",
        "--curve",
        "curve.tsv",
        "--plot",
        "plot.svg",
    )
    assert code == 0, err
    assert (texts / "curve.tsv").read_text().splitlines()[-1] == "rules\tstrict\t2\t0.5\t0.5"
    assert (texts / "plot.svg").read_text().startswith("<svg")


def test_the_four_commands_of_the_documents_make_a_paraphraser(tmp_path, monkeypatch, capfd):
    block = Path(__file__).parents[2].joinpath("docs", "generate.md").read_text(encoding="utf-8")
    commands = block.split("## From a bitext to a paraphraser")[1].split("```sh\n")[1].split("```")[0].splitlines()
    assert [command.split()[1] for command in commands] == ["align", "grammar", "lm", "generate"]
    monkeypatch.chdir(tmp_path)
    nouns = ["house", "dog", "car", "tree", "garden", "boat"]
    Path("one.txt").write_text("".join(f"he bought a big {noun}\nshe sees the big {noun}\n" for noun in nouns))
    Path("other.txt").write_text("".join(f"he bought a large {noun}\nshe sees the large {noun}\n" for noun in nouns))
    rng = random.Random(1)
    words = ["the", "large", "dog", *(f"w{number}" for number in range(300))]
    weights = [1 / (place + 1) for place in range(len(words))]
    Path("more.txt").write_text("".join(" ".join(rng.choices(words, weights, k=9)) + "\n" for _ in range(300)))
    Path("sentences.txt").write_text("they want the big dog\n")
    for command in commands:
        capfd.readouterr()
        assert main(shlex.split(command)[1:]) == 0
    rows = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    texts = [dict(zip(rows[0], row, strict=True))["text"] for row in rows[1:]]
    assert "they want the large dog" in texts[:2]
