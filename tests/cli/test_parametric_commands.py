"""The command parametric, and what it shares with others."""

import gzip
import json

import pytest

from paragauge.cli.main import main

FILES = {
    "gold.tsv": "group\tsource\ttarget\tlinks\n"
    "1\tsome want to go\tsome people propose to go\t0-0 0-1 1-2 2-3 3-4\n"
    "1\tsome want to go\tthose who propose leaving\t0-0 0-1-P 1-2 2-3 3-3\n"
    "2\the left\the went away\t0-0 1-1 1-2\n",
    "good.align": "0-0 0-1 1-2 2-3 3-4\n0-0 0-1 1-2 2-3 3-3\n0-0 1-1 1-2\n",
    "poor.align": "0-0\n\n0-0\n",
    "table.tsv": "phrase\tparaphrase\tprobability\nwant\tpropose\t0.4\nsome\tothers\t0.2\nleft\twent away\t0.005\n",
    "moses": "want ||| propose ||| 1 1 0.5 1 ||| 0-0 ||| 1 2 1\nwant ||| want ||| 1 1 0.5 1 ||| 0-0 ||| 1 2 1\n",
    "ppdb": "[V] ||| want ||| propose ||| p(e|f)=0.5 Score=3 ||| 0-0\n",
    "phrases.tsv": "source\ttarget\tcount\nwant\tpropose\t1\nwant\twant\t3\n",
    "groups": "12 persons were killed\ttwelve people died\nhe left\the went away\n",
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def rows(capsys, *arguments):
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert code == 0, err
    return json.loads(out)


def test_scores_of_alignments_and_tables(files, capsys):
    found = rows(
        capsys, "parametric", "--gold", "gold.tsv", "--alignment", "good.align", "--alignment", "poor.align",
        "--paraphrases", "table.tsv",
    )  # fmt: skip
    by_name = {(row["system"], row["links"]): row for row in found}
    assert len(found) == len(by_name) == 6
    assert by_name["good.align", "possible"]["score"] == 1
    assert by_name["good.align", "possible"]["recall_low"] == 1
    assert by_name["good.align", "sure"]["recall"] < 1
    assert by_name["poor.align", "sure"]["precision"] < 1
    table = by_name["table.tsv", "sure"]
    assert (table["found"], table["posited"]) == (2, 3)
    assert table["precision_low"] <= table["precision"] <= table["precision_high"]
    assert "gold:" in table["signature"]
    assert "bs:1000|seed:12345" in table["signature"]
    least = rows(
        capsys, "parametric", "--gold", "gold.tsv", "--paraphrases", "table.tsv", "--min-prob", 0.01, "--bootstrap", 0
    )
    assert (least[0]["found"], least[0]["posited"]) == (1, 2)
    assert "precision_low" not in least[0]


def test_table_for_people(files, capsys):
    code, out, _ = run(
        capsys, "parametric", "--gold", "gold.tsv", "--paraphrases", "table.tsv", "--by-length", "--bootstrap", 0
    )
    assert code == 0
    assert "lower bound" in out
    assert out.splitlines()[0].split()[:4] == ["system", "measure", "links", "length"]
    lengths = [line.split()[3] for line in out.splitlines() if line.startswith("table.tsv")]
    assert lengths == ["all", "1", "2", "3", "4"] * 2


@pytest.mark.parametrize("name", ["moses", "ppdb", "phrases.tsv", "folder", "pairs"])
def test_tables_of_other_kinds(files, capsys, name):
    if name == "folder":
        assert run(capsys, "table", "phrases.tsv", "-o", "folder", "-q")[0] == 0
    if name == "pairs":  # TSV, gzipped
        (files / name).write_bytes(gzip.compress(FILES["table.tsv"].encode()))
    (row, _) = rows(capsys, "parametric", "--gold", "gold.tsv", "--paraphrases", name, "--bootstrap", 0)
    assert row["found"] >= 1
    assert run(capsys, "paraphrases", name, "want")[1].splitlines()[2].split()[:2] == ["want", "propose"]


def test_comparison(files, capsys):
    arguments = [
        "parametric", "compare", "--gold", "gold.tsv",
        "--alignment", "good=good.align", "--alignment", "poor=poor.align",
        "--paraphrases", "good=table.tsv", "--paraphrases", "other=ppdb", "--feature", "Score",
    ]  # fmt: skip
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "Sure links"
    assert lines[2].split() == ["method", "AlignPrec", "AlignRecall", "LB-Precision", "Rel-Recall"]
    assert [line.split()[0] for line in lines[4:7]] == ["good", "poor", "other"]
    assert "[" in lines[4]
    assert "Sure and possible links" in lines
    assert "By phrase length in words" in lines
    found = rows(capsys, *arguments)
    assert {row["length"] for row in found} >= {"all", "1", "2"}
    assert {row["system"] for row in found} == {"good", "poor", "other"}


def test_methods_write_what_can_be_scored(files, capsys):
    assert run(capsys, "parametric", "smt", "groups", "-o", "smt", "--align", "gold.tsv", "smt.align", "-q")[0] == 0
    assert (
        run(capsys, "parametric", "syntactic", "groups", "-o", "syn.tsv.gz", "--align", "gold.tsv", "syn.align")[0] == 0
    )
    assert run(capsys, "parametric", "match", "gold.tsv", "table.tsv", "-o", "match.align")[0] == 0
    assert (files / "match.align").read_text().splitlines()[2] == "0-0 1-1 1-2"
    (files / "pairs").write_text("he left\the went away\n")
    code, out, _ = run(capsys, "parametric", "match", "pairs", "table.tsv")
    assert (code, out) == (0, "0-0 1-1 1-2\n")
    assert run(capsys, "parametric", "through", "good.align", "good.align", "-o", "through.align")[0] == 0
    alignments = [part for name in ("smt", "syn", "match", "through") for part in ("--alignment", f"{name}.align")][:6]
    found = rows(
        capsys, "parametric", "--gold", "gold.tsv", *alignments, "--paraphrases", "smt", "--paraphrases", "syn.tsv.gz"
    )
    assert len(found) == 2 * 5
    code, out, err = run(capsys, "parametric", "syntactic", "groups", "-o", "-", "--no-mixed")
    assert (code, "died\twere killed\t1.0" in out, "paraphrases" in err) == (0, True, True)
    assert (
        run(capsys, "parametric", "smt", "groups", "--save-model", "aligner", "--method", "union", "--lowercase")[0]
        == 0
    )
    assert (files / "aligner").is_dir()


def test_lattice_is_shown(files, capsys):
    code, out, _ = run(capsys, "parametric", "lattice", "groups", "--group", 2)
    assert (code, out.splitlines()[0]) == (0, "0 -> 1  he  (1, 2)")
    assert run(capsys, "parametric", "lattice", "groups", "--drawing", "dot")[1].startswith("digraph")
    assert run(capsys, "parametric", "lattice", "groups", "--drawing", "svg", "-o", "lattice.svg")[0] == 0
    assert (files / "lattice.svg").read_text().startswith("<svg")


def test_agreement_of_files_with_their_sentences(files, capsys):
    (files / "other.tsv").write_text(FILES["gold.tsv"].replace("0-1-P", ""))
    (row,) = rows(capsys, "agreement", "--links", "gold.tsv", "gold.tsv")
    assert (row["c_hat"], row["c_hat_phrases"], row["sentences"], row["words"]) == (1, 1, 3, 10)
    (row,) = rows(capsys, "agreement", "--links", "gold.tsv", "other.tsv")
    assert 0 < row["c_hat_phrases"] < row["c_hat"] < 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["parametric"], 2, "expected --gold GOLD and at least one"),
        (["parametric", "--gold", "gold.tsv"], 2, "expected --gold GOLD and at least one"),
        (["parametric", "compare", "--gold", "gold.tsv"], 2, "expected --gold GOLD and at least one"),
        (["parametric", "--gold", "gold.tsv", "compare"], 2, "options of 'compare' must follow its name"),
        (["parametric", "--gold", "gold.tsv", "--alignment", "groups"], 1, "groups:1: '12' is not an alignment link"),
        (["parametric", "--gold", "groups", "--alignment", "good.align"], 1, "groups:1: found 2 fields"),
        (["parametric", "--gold", "gold.tsv", "--alignment", "nothing"], 1, "no such file"),
        (
            ["parametric", "--gold", "gold.tsv", "--paraphrases", "good.align"],
            1,
            "good.align:1: there is no column 'phrase'",
        ),
        (["parametric", "--gold", "gold.tsv", "--alignment", "a", "--alignment", "a"], 2, "a is given twice"),
        (["parametric", "compare", "--gold", "gold.tsv", "--alignment", "good.align"], 2, "expected NAME=FILE"),
        (
            ["parametric", "compare", "--gold", "gold.tsv", "--alignment", "a=b", "--alignment", "a=c"],
            2,
            "the name 'a' occurs twice",
        ),
        (["parametric", "smt", "groups"], 2, "nothing to write"),
        (["parametric", "match", "moses", "table.tsv"], 1, "moses:1: found 1 field"),
        (["parametric", "smt", "poor.align", "-o", "t"], 1, "no line has two sentences"),
        (["parametric", "syntactic", "groups"], 2, "expected GROUPS and -o TABLE"),
        (["parametric", "through", "good.align"], 2, "found 1 files, expected two per foreign language"),
        (["parametric", "through", "good.align", "good.align", "--votes", "2"], 2, "votes must be between"),
        (["parametric", "lattice", "groups", "--group", "3"], 1, "groups: has only 2 groups; there is no group 3"),
        (["parametric", "lattice", "groups", "--provider", "nobody"], 2, "no provider named 'nobody'"),
        (["agreement", "--links", "gold.tsv", "groups"], 1, "groups:1: found 2 fields"),
    ],
)
def test_wrong_use_and_wrong_data(files, capsys, arguments, code, message):
    got, out, err = run(capsys, *arguments)
    assert (got, out) == (code, "")
    assert message in err


def test_links_must_fit_the_gold(files, capsys):
    (files / "short.align").write_text("0-0\n")
    code, _, err = run(capsys, "parametric", "--gold", "gold.tsv", "--alignment", "short.align")
    assert (code, "short.align: has 1 lines, expected 3" in err) == (1, True)
    (files / "wide.align").write_text("0-9\n\n\n")
    code, _, err = run(capsys, "parametric", "--gold", "gold.tsv", "--alignment", "wide.align")
    assert (code, "wide.align:1: link 0-9 points past the target sentence (5 tokens)" in err) == (1, True)


def test_curve_and_tune(files, capsys):
    (files / "gold.tsv").write_text(
        "group\tsource\ttarget\tlinks\n"
        "1\the left\the went away\t0-0 1-1 1-2\n1\the left\the departed\t0-0 1-1\n"
        "2\tI want it\tI wish it\t0-0 1-1 2-2\n2\tI want it\tI propose it\t0-0 1-1 2-2\n"
    )
    found = rows(capsys, "parametric", "curve", "--gold", "gold.tsv", "--paraphrases", "table.tsv", "--bootstrap", 20)
    assert [(row["system"], row["others"]) for row in found] == [("table.tsv", 1), ("table.tsv", 2)]
    assert found[1]["recall_low"] <= found[1]["recall"] <= found[1]["recall_high"]
    code, out, _ = run(capsys, "parametric", "curve", "--gold", "gold.tsv", "--format", "tsv")
    assert (code, out.splitlines()[0]) == (0, "others\treferences\tknown")
    tuned = rows(capsys, "parametric", "tune", "--gold", "gold.tsv", "--paraphrases", "table.tsv", "--folds", 2)
    assert tuned[-1]["system"] == "held out"
    every = ["--every", "--min-prob", 0.1, "--min-prob", 0.001, "--top", 1]
    settings = rows(
        capsys, "parametric", "tune", "--gold", "gold.tsv", "--paraphrases", "table.tsv", "--folds", 2, *every
    )
    assert {(row["min_prob"], row["top"]) for row in settings[:-1]} == {(0.1, 1), (0.001, 1)}
    lines = [line.split("\t")[1:] for line in (files / "gold.tsv").read_text().splitlines()[1:]]
    (files / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target, _ in lines))
    (files / "gold.align").write_text("".join(f"{links}\n" for *_, links in lines))
    apart = ["--gold", "pairs.tsv", "--links", "gold.align", "--use-links", "possible"]
    tuned = rows(capsys, "parametric", "tune", *apart, "--paraphrases", "table.tsv", "--folds", 2)
    assert tuned[-1]["system"] == "held out"
    groups = [line.rpartition("\t")[0] for line in (files / "gold.tsv").read_text().splitlines()]
    (files / "groups.tsv").write_text("".join(f"{line}\n" for line in groups))
    found = rows(capsys, "parametric", "curve", "--gold", "groups.tsv", "--links", "gold.align")
    assert found == rows(capsys, "parametric", "curve", "--gold", "gold.tsv")
    code, _, err = run(capsys, "parametric", "curve", *apart)
    assert (code, "groups of several sentences" in err) == (1, True)  # pairs of two columns have no groups
    for wrong, message in (
        (["curve"], "expected --gold GOLD"),
        (["tune", "--gold", "gold.tsv"], "at least one --paraphrases TABLE"),
        (["tune", "--gold", "gold.tsv", "--paraphrases", "table.tsv"], "expected at least one for each of 5 folds"),
        (["curve", "--gold", "gold.tsv", "--most", "7"], "expected 7"),
    ):
        code, _, err = run(capsys, "parametric", *wrong)
        assert code in (1, 2)
        assert message in err
