"""`paragauge annotate` on the command line: what it begins with, and what comes out."""

import json
from pathlib import Path

import pytest

from paragauge.align.aligner import Aligner
from paragauge.align.annotated import read_aligned_pairs
from paragauge.align.gold import GoldAlignment, read_gold
from paragauge.annotation.changes import Change
from paragauge.annotation.store import AnnotationStore
from paragauge.cli.main import main
from paragauge.corpora.pairs import read_paraphrase_pairs
from paragauge.monolingual.aligner import WordAligner

TABLE = """group\tsource\ttarget
A\the bought a car\the purchased a car
A\the bought a car\ta car was bought
B\tyes\tindeed
"""


@pytest.fixture
def pairs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.tsv").write_text(TABLE, encoding="utf-8")
    return tmp_path / "pairs.tsv"


@pytest.fixture
def served(monkeypatch):
    """Instead of a server, what it would have been given."""
    calls = []
    monkeypatch.setattr("paragauge.web.server.run_server", lambda *args, **options: calls.append((args, options)))
    return calls


def start_links():
    with AnnotationStore.open("pairs.tsv.annotations.sqlite") as store:
        return [store.start(number).to_pharaoh(short=True) for number in range(1, len(store) + 1)]


def run(*arguments):
    return main(["annotate", *map(str, arguments)])


def test_the_aligner_gives_the_first_links(pairs, served):
    assert run(pairs, "--annotator", "ann") == 0
    read = read_paraphrase_pairs(pairs)
    aligned = WordAligner.load().align(read.source, read.target)
    assert start_links() == [links.to_pharaoh() for links in aligned]
    assert "0-0" in start_links()[0]
    ((areas, _), options) = served[0]
    assert [area.path for area in areas] == ["/annotate/ann", "/annotate"]
    assert (options["host"], options["port"], options["open_browser"]) == ("127.0.0.1", 8017, False)


def test_links_come_from_a_file_with_possible_ones(pairs, served):
    pairs.with_name("links").write_text("1-1 2p2\n\n1-1-P\n")
    assert run(pairs, "--annotator", "ann", "--annotator", "bob", "--links", "links", "--one-based") == 0
    assert start_links() == ["0-0 1p1", "", "0p0"]
    assert [area.title for area in served[0][0][0]] == ["Annotate as ann", "Annotate as bob", "Progress"]


def test_links_come_from_a_saved_aligner_or_from_nowhere(pairs, served, capsys):
    read = read_paraphrase_pairs(pairs)
    aligner = Aligner.train(read.source, read.target)
    aligner.save("model")
    assert run(pairs, "--annotator", "ann", "--model", "model") == 0
    assert start_links() == [links.to_pharaoh() for links in aligner.align(read.source, read.target)]
    assert run(pairs, "--annotator", "bob", "--no-links") == 0  # the store is there
    assert "its first links stay as they are" in capsys.readouterr().err
    assert run(pairs, "--annotator", "bob", "--no-links", "--store", "empty") == 0
    with AnnotationStore.open("empty") as store:
        assert store.start(1) == GoldAlignment.from_pharaoh("")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["pairs.tsv"], 2, "--annotator"),
        (["pairs.tsv", "--annotator", "a/b"], 2, "not a valid annotator name"),
        (["pairs.tsv", "--annotator", "a", "--annotator", "a"], 2, "named twice"),
        (["pairs.tsv", "--annotator", "a", "--links", "x", "--no-links"], 2, "exclude each other"),
        (["pairs.tsv", "--annotator", "a", "--one-based"], 2, "needs --links"),
        (["-", "--annotator", "a"], 2, "needs --store"),
        (["absent", "--annotator", "a"], 1, "no such file"),
        (["empty", "--annotator", "a"], 1, "the file is empty"),
        (["latin", "--annotator", "a"], 1, "not UTF-8"),
        (["pairs.tsv", "--annotator", "a", "--links", "short"], 1, "short: has 1 lines, expected 3"),
        (["pairs.tsv", "--annotator", "a", "--links", "wrong"], 1, "wrong:2: link 9-9 points past"),
        (["pairs.tsv", "--annotator", "a", "--store", "pairs.tsv"], 1, "not a file of annotations"),
        (["export", "absent"], 1, "no such file"),
        (["export", "pairs.tsv"], 1, "not a file of annotations"),
    ],
)
def test_mistakes_are_named_and_leave_no_store(pairs, served, capsys, arguments, code, message):
    for name, data in (
        ("empty", b""), ("latin", b"caf\xe9\tcaf\xe9\n"), ("short", b"0-0\n"), ("wrong", b"\n9-9\n\n"),
    ):  # fmt: skip
        pairs.with_name(name).write_bytes(data)
    assert run(*arguments) == code
    assert message in capsys.readouterr().err
    assert served == []
    assert not list(pairs.parent.glob("*.sqlite*"))
    assert pairs.read_text() == TABLE


@pytest.fixture
def store(pairs):
    """Ann has finished all pairs, bob two of them."""
    with AnnotationStore.create("store.sqlite", read_paraphrase_pairs(pairs)) as made:
        work = [
            ("ann", 1, "0-0 1-1 2-2 3-3"), ("ann", 2, "1-3 1p2 2-0 3-1"), ("ann", 3, "0p0"),
            ("bob", 1, "0-0 1p1 2-2 3-3"), ("bob", 2, "1-3 2-0"),
        ]  # fmt: skip
        for annotator, number, cells in work:
            made.record(annotator, number, Change("set", f"set-{annotator}-{number}", cells, seconds=10 * number))
            made.record(annotator, number, Change("done", f"done-{annotator}-{number}", seconds=1))
        made.record("bob", 3, Change("set", "set-bob-3", "0-0"))
    return "store.sqlite"


def test_exported_links_are_gold_of_the_aligner(store, capsys):
    assert run("export", store, "--annotator", "ann", "--texts", "a.src", "a.tgt", "-o", "ann.align") == 0
    assert Path("ann.align").read_bytes() == b"0-0 1-1 2-2 3-3\n1p2 1-3 2-0 3-1\n0p0\n"
    with AnnotationStore.open(store) as opened:
        assert list(read_gold("ann.align", lengths=opened.lengths)) == [state.gold() for state in opened.states("ann")]
    capsys.readouterr()
    assert main(["align", "a.src", "a.tgt", "--gold", "ann.align", "-o", "auto.align", "-q"]) == 0
    assert "(3 gold sentence pairs)" in capsys.readouterr().out


def test_exported_links_agree_as_the_store_says(store, capsys):
    for name in ("ann", "bob"):
        assert run("export", store, "--annotator", name, "--texts", "a", "b", "-o", f"{name}.align", "--quiet") == 0
    for name in ("ann.align", "bob.align", "a", "b"):  # the pairs that both have finished
        Path(name).write_text("\n".join(Path(name).read_text().split("\n")[:2]) + "\n")
    assert run("agreement", store, "--format", "json") == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["annotator"], found["other"], found["pairs"], found["words"]) == ("ann", "bob", 2, 8)
    assert main(["agreement", "--links", "ann.align", "bob.align", "--texts", "a", "b", "--format", "json"]) == 0
    (again,) = json.loads(capsys.readouterr().out)
    assert [found[name] for name in ("c_hat", "c_hat_phrases")] == pytest.approx(
        [again["c_hat"], again["c_hat_phrases"]]
    )


def test_exported_table_holds_pairs_groups_and_links(store, capsys):
    assert run("export", store, "--annotator", "ann", "--to", "parametric", "-o", "gold.tsv") == 0
    with AnnotationStore.open(store) as opened:
        assert read_aligned_pairs("gold.tsv") == opened.gold("ann")[0]
    assert run("export", store, "--annotator", "ann", "-o", "ann.align") == 0
    capsys.readouterr()
    scoring = ["parametric", "--gold", "gold.tsv", "--alignment", "ann.align", "--bootstrap", "0", "--format", "tsv"]
    assert main(scoring) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    possible = next(row for row in rows if "possible" in row)
    assert float(possible[rows[0].index("precision")]) == float(possible[rows[0].index("recall")]) == 1
    assert run("export", store, "--annotator", "ann", "--to", "parametric") == 0
    out = capsys.readouterr().out
    assert out == (
        "group\tsource\ttarget\tlinks\n"
        "A\the bought a car\the purchased a car\t0-0 1-1 2-2 3-3\n"
        "A\the bought a car\ta car was bought\t1p2 1-3 2-0 3-1\n"
        "B\tyes\tindeed\t0p0\n"
    )


def test_unfinished_pairs_are_said_or_left_out(store, capsys):
    assert run("export", store, "--annotator", "bob") == 0
    captured = capsys.readouterr()
    assert captured.out == "0-0 1p1 2-2 3-3\n1-3 2-0\n0-0\n"
    assert "1 of 3 pairs are unfinished" in captured.err
    assert run("export", store, "--annotator", "bob", "--finished") == 0
    captured = capsys.readouterr()
    assert captured.out == "0-0 1p1 2-2 3-3\n1-3 2-0\n"
    assert captured.err == ""


def test_export_asks_whose_links(store, pairs, capsys):
    assert run("export", store) == 1
    assert "several annotators (ann, bob)" in capsys.readouterr().err
    assert run("export", store, "--annotator", "anna") == 2
    assert "did you mean 'ann'?" in capsys.readouterr().err
    AnnotationStore.create("fresh", read_paraphrase_pairs(pairs)).close()
    assert run("export", "fresh") == 1
    assert "there are no annotations yet" in capsys.readouterr().err
    assert run("agreement", "fresh") == 1
    assert "no two annotators" in capsys.readouterr().err
    assert run("export", store, "--to", "parametric", "--texts", "a", "b") == 2


def test_progress_has_a_row_for_each_annotator(store, capsys):
    assert run("progress", store, "--format", "tsv") == 0
    assert capsys.readouterr().out == (
        "annotator\tfinished\tpairs\tsure\tpossible\tseconds_per_pair\tseconds\n"
        "ann\t3\t3\t7\t2\t21.0\t63.0\n"
        "bob\t2\t3\t5\t1\t16.0\t32.0\n"
    )


@pytest.mark.data
def test_links_of_real_annotators_come_back_and_agree(data_folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    folder = data_folder / "msr_rte06_align"
    gold = {name: read_aligned_pairs(folder / f"RTE2_dev_{name}.align.txt.gz") for name in "AB"}
    with AnnotationStore.create("store", gold["A"].pairs) as store:
        for name, each in gold.items():
            for number, links in enumerate(each.links, start=1):
                if len(links.possible):
                    store.record(name, number, Change("set", f"links-{name}-{number:04}", links.to_pharaoh(short=True)))
                store.record(name, number, Change("done", f"done-{name}-{number:04}"))
        assert store.gold("A")[0].links == gold["A"].links
        assert store.gold("B")[0].links == gold["B"].links
    assert run("agreement", "store", "--format", "json") == 0
    (found,) = json.loads(capsys.readouterr().out)
    paths = [str(folder / f"RTE2_dev_{name}.align.txt.gz") for name in "AB"]
    assert main(["agreement", "--links", *paths, "--format", "json"]) == 0
    (expected,) = json.loads(capsys.readouterr().out)
    for measure in ("c_hat", "c_hat_phrases"):
        assert found[measure] == pytest.approx(expected[measure])
