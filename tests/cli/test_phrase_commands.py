"""The commands from links to paraphrases."""

import json
import os
from pathlib import Path

import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.phrases import read_moses


@pytest.fixture
def bitext(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en").write_text("the house\nthe home\na house\n")
    (tmp_path / "fr").write_text("la maison\nla maison\nune maison\n")
    (tmp_path / "links").write_text("0-0 1-1\n0-0 1-1\n0-0 1-1\n")
    return tmp_path


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_phrases_then_pivot_then_paraphrases(bitext, capsys):
    assert run(capsys, "phrases", "en", "fr", "links", "-o", "table") == (
        0, "", "paragauge: table: 7 pairs of 7 source and 5 target phrases\n",
    )  # fmt: skip
    assert pg.PhraseTable.open("table").probabilities("house") == {"maison": 1.0}
    code, out, err = run(capsys, "pivot", "table", "-o", "paraphrases", "--min-prob", "0.1")
    assert (code, out, err) == (0, "", "paragauge: paraphrases: 4 paraphrases\n")
    code, out, _ = run(capsys, "paraphrases", "paraphrases", "home", "--format", "json")
    assert code == 0
    assert json.loads(out) == [{"phrase": "home", "paraphrase": "house", "probability": pytest.approx(2 / 3)}]
    code, out, err = run(capsys, "paraphrases", "paraphrases", "zzz", "--format", "tsv")
    assert (code, out) == (0, "phrase\tparaphrase\tprobability\n")
    assert err == "paragauge: no paraphrases of 'zzz' in paraphrases\n"


def test_pivot_to_standard_output(bitext, capsys):
    run(capsys, "phrases", "en", "fr", "links", "-o", "table")
    code, out, _ = run(capsys, "pivot", "table", "-o", "-", "--top", "1", "-q")
    assert code == 0
    assert out.splitlines()[0] == "phrase\tparaphrase\tprobability"
    (bitext / "p.tsv").write_text(out)
    code, out, _ = run(capsys, "paraphrases", "p.tsv", "the house", "--top", "1", "--format", "tsv")
    assert out.splitlines()[1].startswith("the house\tthe home\t0.5")


def test_table_converts_merges_and_prunes(bitext, capsys):
    run(capsys, "phrases", "en", "fr", "links", "-o", "table", "--moses", "moses.gz", "-q")
    table = pg.PhraseTable.open("table")
    assert read_moses("moses.gz") == table
    for name in ("t.tsv.gz", "t.moses", "t.txt", "t.gz", "folder"):
        assert run(capsys, "table", "table", "-o", name)[0] == 0
        assert run(capsys, "table", name, "-o", "back", "-q")[0] == 0
        assert pg.PhraseTable.open("back") == table
    code, out, err = run(capsys, "table", "table", "t.tsv.gz", "-o", "twice")
    assert (code, out) == (0, "")
    assert pg.PhraseTable.open("twice")["house"]["maison"].count == 2 * table["house"]["maison"].count
    assert run(capsys, "table", "table", "-o", "-", "--min-count", "2", "-q")[1].count("\n") == 2
    assert run(capsys, "table", "table", "--invert", "-o", "turned", "-q")[0] == 0
    assert pg.PhraseTable.open("turned").probabilities("maison") == {"house": 2 / 3, "home": 1 / 3}
    code, out, err = run(capsys, "table", "table")
    assert (code, out, err) == (0, "", "paragauge: table: 7 pairs of 7 source and 5 target phrases\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["phrases", "en", "fr", "one-based", "-o", "t"], 1, "one-based:1: link 2-2 points past the source sentence"),
        (["phrases", "en", "fr", "bad", "-o", "t"], 1, "bad:2: '1:2' is not an alignment link; expected 'i-j'"),
        (["phrases", "en", "fr", "short", "-o", "t"], 1, "en has 3, short has 1"),
        (["phrases", "en", "fr", "nowhere", "-o", "t"], 1, "nowhere: cannot read: no such file"),
        (["phrases", "-", "-", "links", "-o", "t"], 2, "standard input ('-') can be read only once"),
        (["phrases", "en", "fr", "links", "-o", "t", "--memory-limit", "x"], 2, "'x' is not a memory size"),
        (
            ["phrases", "en", "fr", "links", "-o", "t", "--one-based"],
            1,
            "counts from 0, but links are expected to",
        ),
        (["phrases", "en", "fr", "links", "-o", "en"], 1, "en: exists already"),
        (["pivot", "nowhere", "-o", "t"], 1, "nowhere: cannot read: no such file"),
        (["table", "-", "-o", "t"], 2, "give it with --from"),
        (["paraphrases", "en", "house"], 1, "en:1: there is no column 'phrase'"),
        (["table", "empty", "-o", "t"], 1, "empty"),
    ],
)
def test_mistakes_are_explained(bitext, capsys, arguments, code, message):
    (bitext / "one-based").write_text("1-1 2-2\n1-1 2-2\n1-1 2-2\n")
    (bitext / "bad").write_text("0-0\n0-0 1:2\n0-0\n")
    (bitext / "short").write_text("0-0\n")
    (bitext / "empty").write_text("")
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert not (bitext / "t").exists()


def test_one_based_links(bitext, capsys):
    (bitext / "one-based").write_text("1-1 2-2\n1-1 2-2\n1-1 2-2\n")
    run(capsys, "phrases", "en", "fr", "links", "-o", "a", "-q")
    run(capsys, "phrases", "en", "fr", "one-based", "--one-based", "-o", "b", "-q")
    assert pg.PhraseTable.open("a") == pg.PhraseTable.open("b")


def test_no_lexical_and_pruning_options(bitext, capsys):
    run(
        capsys,
        "phrases",
        "en",
        "fr",
        "links",
        "-o",
        "t",
        "--no-lexical",
        "--max-length",
        "0",
        "--top",
        "1",
        "--threads",
        "1",
    )
    table = pg.PhraseTable.open("t")
    assert table.optional_columns == ("alignment",)
    assert table.options["max_length"] is None
    assert table.options["top"] == 1
    assert table["the house"]["la maison"].direct_lexical is None


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("command", ["phrases", "grammar"])
def test_a_pipe_is_read_once(tmp_path, monkeypatch, command, place):
    monkeypatch.chdir(tmp_path)
    files = {"en": "the house\na dog\n", "fr": "la maison\nun chien\n", "links": "0-0 1-1\n0-0 1-1\n"}
    for name, text in files.items():
        Path(name).write_text(text)
    assert main([command, *files, "-o", "plain"]) == 0
    names = list(files)
    reader, writer = os.pipe()
    os.write(writer, files[names[place]].encode())
    os.close(writer)
    names[place] = f"/dev/fd/{reader}"
    assert main([command, *names, "-o", "piped"]) == 0
    os.close(reader)
    plain, piped = (json.loads(Path(folder, "manifest.json").read_text()) for folder in ("plain", "piped"))
    assert piped["files"] == plain["files"]
    assert names[place] not in json.dumps(piped)
