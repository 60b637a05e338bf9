"""The tools of the command grammar, gold files, --exclude, and warnings where nothing can match."""

import io
import json
import math
import sys

import pytest

from paragauge import Grammar, ParaphraseTable, PhraseTable
from paragauge.cli.main import main
from paragauge.storage.seen import Seen

RULES = """\
[NN] ||| house ||| home ||| Count=3 p(e|f)=0.5 p(f|e)=0.7
[NP] ||| house ||| home ||| Count=1 p(e|f)=1.5 p(f|e)=0.7
[NN] ||| house ||| my house ||| Count=2 p(e|f)=1 p(f|e)=0.7
[NN] ||| house ||| houses ||| Count=2 p(e|f)=2 p(f|e)=0.7
[NN] ||| house ||| house . ||| Count=2 p(e|f)=2.5 p(f|e)=0.7
[NN] ||| house ||| house ||| Count=9 p(e|f)=0.1 p(f|e)=0.7
[NP] ||| the house of [NP,1] ||| [NP,1] 's house ||| Count=2 p(e|f)=0.2 p(f|e)=0.7
[VP] ||| put off ||| postpone ||| Count=1 p(e|f)=0.4 p(f|e)=0.7
"""
GOLD = [
    {"source": "They bought a big house .", "target": "They purchased a large house .",
     "sureAlign": "0-0 1-1 2-2 3-3 4-4 5-5", "possibleAlign": ""},
    {"source": "He can't go .", "target": "He cannot leave .", "sureAlign": "0-0 1-1 3-3", "possibleAlign": "2-2"},
]  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.txt").write_text(RULES)
    (tmp_path / "gold.json").write_text(json.dumps(GOLD))
    return tmp_path


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def sides(path):
    return [(rule.lhs, rule.source_text, rule.target_text) for rule in Grammar.open(path)]


def test_show_finds_phrases_with_their_features(here, capsys):
    code, out, _ = run(capsys, "grammar", "show", "rules.txt", "House", "--format", "json", "--top", 2)
    assert code == 0
    rows = [json.loads(line) for line in out.splitlines()] if out.startswith("{") else json.loads(out)
    assert [row["target"] for row in rows] == ["house", "home"]
    assert rows[1]["p(e|f)"] == 0.5
    _, out, err = run(capsys, "grammar", "show", "rules.txt", "house of", "--contains", "--format", "tsv")
    assert "the house of [NP,1]" in out
    assert "no rules" not in err
    _, out, err = run(capsys, "grammar", "show", "rules.txt", "castle")
    assert "paragauge: no rules of 'castle' in rules.txt" in err
    noise = [part for kind in ("containment", "inflection", "punctuation") for part in ("--without", kind)]
    _, out, _ = run(capsys, "grammar", "show", "rules.txt", "house", "--format", "tsv", *noise)
    assert {line.split("\t")[3] for line in out.splitlines()[1:]} == {"home", "house"}


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (["--min-count", 3], {("NN", "house", "home"), ("NN", "house", "house")}),
        (["--min-prob", math.exp(-0.45)], {("NN", "house", "house"), ("VP", "put off", "postpone")}),
        (["--top", 1, "--no-identities"], {("NN", "house", "home"), ("NP", "house", "home")}),
        (["--top-labels", 1, "--label", "NN", "--label", "NP", "--class", "lexical", "--without", "containment",
          "--without", "inflection", "--no-identities"], {("NN", "house", "home")}),
        (["--class", "syntactic"], {("NP", "the house of [NP,1]", "[NP,1] 's house")}),
    ],
)  # fmt: skip
def test_prune_keeps_what_it_says(here, capsys, options, left):
    assert run(capsys, "grammar", "prune", "rules.txt", "-o", "small.gz", *options)[0] == 0
    found = {rule for rule in sides("small.gz") if rule[1] == "house" or options[0] not in ("--min-prob", "--top")}
    expected = {rule for rule in left if rule[1] == "house"} if options[0] in ("--min-prob", "--top") else left
    assert found == expected


def test_prune_says_what_is_wrong(here, capsys):
    code, _, err = run(capsys, "grammar", "prune", "rules.txt", "-o", "x", "--min-prob", "0.9999")
    assert code == 1
    assert "no rule is left; prune less" in err
    code, _, err = run(capsys, "grammar", "prune", "rules.txt", "-o", "x", "--feature", "Other")
    assert code == 2
    assert "--feature has no effect without --top" in err
    assert run(capsys, "grammar", "prune", "rules.txt", "-o", "x", "--feature", "Other", "--top", 1)[0] == 1
    assert not (here / "x").exists()


def test_merge_adds_counts_of_extracted_grammars(here, capsys):
    (here / "a").write_text("big house\nbig house\n")
    (here / "b").write_text("large house\nlarge home\n")
    (here / "l").write_text("0-0 1-1\n0-0 1-1\n")
    for name, lines in (("one", slice(0, 1)), ("two", slice(1, 2))):
        for text in "abl":
            (here / f"{text}.{name}").write_text("".join((here / text).read_text().splitlines(keepends=True)[lines]))
        assert run(capsys, "grammar", f"a.{name}", f"b.{name}", f"l.{name}", "-o", name, "-q")[0] == 0
    assert run(capsys, "grammar", "merge", "one", "two", "-o", "both")[0] == 0
    assert run(capsys, "grammar", "a", "b", "l", "-o", "whole", "-q")[0] == 0
    both, whole = ({str(rule).partition(" Lex")[0]: rule for rule in Grammar.open(name)} for name in ("both", "whole"))
    assert set(both) == set(whole)
    for key, rule in both.items():
        assert rule.features["p(e|f)"] == whole[key].features["p(e|f)"]
    assert Grammar.open("both").seen.count(["Big house."]) == 1
    # Of rules as text, the first counts.
    (here / "other.txt").write_text("[NN] ||| house ||| home ||| p(e|f)=9\n[NN] ||| end ||| close ||| p(e|f)=1\n")
    assert run(capsys, "grammar", "merge", "rules.txt", "other.txt", "-o", "merged.txt", "-q")[0] == 0
    rules = {rule.source_text + rule.target_text + rule.lhs: rule for rule in Grammar.open("merged.txt")}
    assert len(rules) == 9
    assert rules["househomeNN"].features["p(e|f)"] == 0.5


def test_sample_and_stats(here, capsys):
    one, two = (run(capsys, "grammar", "sample", "rules.txt", "--size", 3, "-q")[1] for _ in range(2))
    assert one == two
    assert len(one.splitlines()) == 3
    assert set(one.splitlines()) <= set(RULES.splitlines())
    _, out, _ = run(capsys, "grammar", "stats", "rules.txt", "--format", "tsv")
    rows = [line.split("\t") for line in out.splitlines()]
    numbers = {row[1]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}
    assert numbers["lexical"]["rules"] == "6"
    assert numbers["lexical"]["identities"] == "1"
    assert numbers["lexical"]["pairs"] == "5"  # two labels of one pair
    assert numbers["lexical"]["labels"] == "2"
    assert numbers["syntactic"]["source_symbols"] == "4.0"


def test_phrase_tables_survive_grammars_and_moses(here, capsys):
    texts = (
        ["the big house", "the large house", "a big dog", "the house"],
        ["la grande maison"] * 2 + ["un grand chien", "la maison"],
    )
    for name, lines in zip(("a", "b"), texts, strict=True):
        (here / name).write_text("".join(f"{line}\n" for line in lines))
    (here / "l").write_text("0-0 1-1 2-2\n0-0 1-1 2-2\n0-0 1-1 2-2\n0-0 1-1\n")
    assert run(capsys, "phrases", "a", "b", "l", "-o", "table", "-q")[0] == 0
    assert run(capsys, "grammar", "convert", "table", "-o", "g", "-q")[0] == 0
    for made in (["-o", "back", "--to", "phrases"], ["-o", "t.moses"]):
        assert run(capsys, "grammar", "convert", "g", *made, "-q")[0] == 0
    assert run(capsys, "table", "t.moses", "-o", "from-moses", "-q")[0] == 0
    table = PhraseTable.open("table")
    assert [(pair.source, pair.target, pair.alignment) for pair in PhraseTable.open("back")] == [
        (pair.source, pair.target, pair.alignment) for pair in table
    ]
    for name in ("back", "from-moses"):
        for one, other in zip(PhraseTable.open(name), table, strict=True):
            assert (one.count, one.source_count, one.target_count) == (
                other.count,
                other.source_count,
                other.target_count,
            )
            assert one.direct_lexical == pytest.approx(other.direct_lexical)
    # Labels are added up: 'house' as NN and as NP.
    trees = ["(S (DT the) (JJ big) (NN house))", "(S (DT the) (JJ large) (NP house))", "(S (DT a) (JJ big) (NN dog))",
             "(S (DT the) (NN house))"]  # fmt: skip
    (here / "t").write_text("".join(f"{tree}\n" for tree in trees))
    assert run(capsys, "grammar", "a", "b", "l", "--trees", "t", "-o", "labelled", "-q")[0] == 0
    assert run(capsys, "grammar", "convert", "labelled", "-o", "phrases", "--to", "phrases", "-q")[0] == 0
    found = PhraseTable.open("phrases")["house"]["maison"]
    assert (found.count, found.source_count, found.target_count) == (3, 3, 3)
    code, _, err = run(capsys, "grammar", "convert", "rules.txt", "-o", "no", "--to", "phrases")
    assert code == 1
    assert "its rules have no counts" in err


def test_grammars_are_tables_of_paraphrases(here, capsys):
    assert run(capsys, "grammar", "convert", "rules.txt", "-o", "g", "-q")[0] == 0
    assert run(capsys, "grammar", "convert", "g", "-o", "t.moses", "-q")[0] == 0
    shown = [run(capsys, "paraphrases", name, "House", "--format", "tsv")[1] for name in ("rules.txt", "g", "t.moses")]
    assert shown[0] == shown[1]
    assert [line.split("\t")[1] for line in shown[2].splitlines()] == [
        line.split("\t")[1] for line in shown[0].splitlines()
    ]
    ranked = run(capsys, "paraphrases", "g", "house", "--feature", "Count", "--format", "tsv", "--top", 1)[1]
    assert ranked.splitlines()[1].startswith("house\thome\t3")
    (here / "gold.tsv").write_text("source\ttarget\tlinks\nthe house\tthe home\t0-0 1-1\n")
    code, out, err = run(
        capsys, "parametric", "--gold", "gold.tsv", "--paraphrases", "g", "--bootstrap", 0, "--format", "tsv"
    )
    assert code == 0
    assert "\t1\t4\t" in out.replace(".0", "")
    assert not err


def test_nothing_in_common_is_said(here, capsys):
    (here / "gold.tsv").write_text("source\ttarget\tlinks\nthe house\tthe home\t0-0 1-1\n")
    (here / "foreign.tsv").write_text("phrase\tparaphrase\tprobability\nhouse\tmaison\t1\n")
    (here / "other.tsv").write_text("phrase\tparaphrase\tprobability\nchat\tmatou\t1\n")
    command = ["parametric", "--gold", "gold.tsv", "--bootstrap", 0, "--paraphrases"]
    assert "none of the 1 paraphrases of foreign.tsv is in the gold" in run(capsys, *command, "foreign.tsv")[2]
    assert "other.tsv has no paraphrases for anything in the gold" in run(capsys, *command, "other.tsv")[2]
    (here / "foreign.txt").write_text("[NN] ||| house ||| maison\n")
    command = ["paradigm", "overlap", "rules.txt", "foreign.txt", "--min-count", 1]
    assert "none of the 1 rules of foreign.txt is in the gold" in run(capsys, *command)[2]


def test_tables_become_grammars_and_back(here, capsys):
    table = ParaphraseTable.from_rows([("house", "home", 0.5), ("put off", "postpone", 0.25)])
    table.save("table")
    assert run(capsys, "grammar", "convert", "table", "-o", "g")[0] == 0
    rules = {rule.source_text: rule for rule in Grammar.open("g")}
    assert rules["house"].lhs == "X"
    assert rules["put off"].features["p(e|f)"] == pytest.approx(-math.log(0.25))
    assert run(capsys, "grammar", "convert", "g", "-o", "back", "--to", "table")[0] == 0
    back = {(phrase, one.text): one.score for phrase, one in ParaphraseTable.open("back")}
    assert back == pytest.approx({("house", "home"): 0.5, ("put off", "postpone"): 0.25})
    assert run(capsys, "grammar", "convert", "table", "-o", "t.tsv")[0] == 0
    assert (here / "t.tsv").read_text().splitlines()[1] == "house\thome\t0.5"
    assert run(capsys, "grammar", "convert", "table", "-o", "ppdb.gz", "--label", "NN")[0] == 0
    assert sides("ppdb.gz")[0] == ("NN", "house", "home")
    assert run(capsys, "grammar", "convert", "table", "-o", "t.moses")[0] == 0
    assert (here / "t.moses").read_text().startswith("house ||| home ||| 0.5 ||| ")
    assert (
        run(capsys, "paraphrases", "ppdb.gz", "house", "--format", "tsv")[1]
        .splitlines()[1]
        .startswith("house\thome\t0.5")
    )
    phrases = PhraseTable.from_counts({("house", "maison"): 3, ("home", "maison"): 1})
    phrases.save("phrases")
    assert run(capsys, "grammar", "convert", "phrases", "-o", "p.txt")[0] == 0
    _, house = Grammar.open("p.txt")
    assert (house.features["Count"], round(house.features["p(f|e)"], 4)) == (3, round(-math.log(0.75), 4))


def test_labels_in_upper_case(here, capsys):
    (here / "low.txt").write_text("[np] ||| the [nn,1] ||| a [nn,1]\n[nn/np] ||| house ||| home\n")
    (here / "up.txt").write_text("[NP] ||| the [NN,1] ||| a [NN,1]\n")
    _, _, err = run(capsys, "paradigm", "overlap", "up.txt", "low.txt")
    assert "they differ in case; convert it with 'paragauge grammar convert --upper-labels'" in err
    assert run(capsys, "grammar", "convert", "low.txt", "-o", "fixed.txt", "--upper-labels")[0] == 0
    assert sides("fixed.txt") == [("NP", "the [NN,1]", "a [NN,1]"), ("NN/NP", "house", "home")]


def test_paraphrases_in_any_case_from_standard_input_without_noise(here, capsys, monkeypatch):
    import io
    import sys

    rows = [("house", "home", 0.5), ("house", "my house", 0.4), ("house", "houses", 0.3), ("house", "house .", 0.2)]
    ParaphraseTable.from_rows(rows).save("table")
    _, out, err = run(capsys, "paraphrases", "table", "House", "--format", "tsv", "--without", "containment")
    assert [line.split("\t")[1] for line in out.splitlines()[1:]] == ["home", "houses"]
    assert "no paraphrases" not in err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"House\n\ncastle\n"), encoding="utf-8"))
    options = ["--without", "containment", "--without", "inflection", "--without", "punctuation"]
    _, out, err = run(capsys, "paraphrases", "table", "-", "--format", "tsv", *options)
    assert [line.split("\t")[1] for line in out.splitlines()[1:]] == ["home"]
    assert "no paraphrases of 'castle' in table" in err


def test_extraction_options_are_refused_with_rules(here, capsys):
    for option in (
        ["--min-count", 5],
        ["--labels", "samt"],
        ["--max-span", 3],
        ["--exclude", "gold.json"],
        ["--parse"],
    ):
        code, _, err = run(capsys, "grammar", "--rules", "rules.txt", "-o", "g", *option)
        assert code == 2
        assert f"{option[0]} has no effect" in err


def test_gold_to_grammar_in_one_step(here, capsys):
    assert run(capsys, "grammar", "--gold", "gold.json", "--parse", "--lowercase", "-t", "penn", "-o", "g")[0] == 0
    found = sides("g")
    assert ("JJ", "big", "large") in found
    assert ("VB", "go", "leave") in found  # a possible link
    assert any(source == "ca n't" and target == "can not" for _, source, target in found) or any(
        "can not" in target for _, _, target in found
    )
    assert run(capsys, "grammar", "--gold", "gold.json", "--sure-only", "-o", "sure", "-q")[0] == 0
    assert ("X", "go", "leave") not in sides("sure")
    code, _, err = run(capsys, "grammar", "a", "b", "c", "--parse", "-o", "x")
    assert code == 2
    assert "--parse has no effect here: it applies only to --gold" in err


def test_coverage_reads_gold_and_sees_leaks(here, capsys, caplog):
    run(capsys, "grammar", "--gold", "gold.json", "-o", "g", "-q")
    code, out, err = run(capsys, "paradigm", "coverage", "g", "gold.json", "--bootstrap", 0, "--format", "tsv")
    assert code == 0
    assert "g was made from text that contains 4 of the 4 gold sentences" in err
    assert "|grammar:g|" in out
    other = [{**GOLD[0], "source": "Nobody bought a big dog .", "target": "Nobody purchased a large dog ."}]
    (here / "other.json").write_text(json.dumps([*other, GOLD[1]]))
    _, _, err = run(capsys, "grammar", "--gold", "other.json", "--exclude", "gold.json", "-o", "clean")
    assert "left out because of --exclude: 1" in err
    _, _, err = run(capsys, "paradigm", "coverage", "clean", "gold.json", "--bootstrap", 0)
    assert "gold sentences" not in err
    _, _, err = run(capsys, "paradigm", "overlap", "g", "g")
    assert "g and the gold grammar were both made from the same sentences" in err


def test_sentences_are_known_again_by_ten_words(here):
    long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    gold = Seen.of([long], sample=1)
    shared = "zero " + " ".join(long.split()[2:12]) + " and more"
    assert gold.among([shared.upper(), " ".join(long.split()[:9]), "", "..."]).tolist() == [True, False, False, False]


def test_phrases_and_pivot_exclude(here, capsys):
    (here / "en").write_text("They bought a big house .\na big dog\n")
    (here / "fr").write_text("ils ont une maison .\nun grand chien\n")
    (here / "l").write_text("0-0 1-1\n0-0 1-1 2-2\n")
    assert run(capsys, "phrases", "en", "fr", "l", "-o", "all", "-q")[0] == 0
    code, _, err = run(capsys, "pivot", "all", "-o", "p", "--exclude", "gold.json")
    assert code == 1
    assert (
        "was made from 1 of the 4 sentences to exclude; extract it again with 'paragauge phrases --exclude GOLD'" in err
    )
    _, _, err = run(capsys, "phrases", "en", "fr", "l", "-o", "clean", "--exclude", "gold.json")
    assert "left out because of --exclude: 1" in err
    assert "they" not in [pair.source.lower() for pair in PhraseTable.open("clean")]
    assert run(capsys, "pivot", "clean", "-o", "p", "--exclude", "gold.json", "--identity")[0] == 0


def test_methods_exclude_and_tables_remember(here, capsys):
    (here / "groups").write_text(
        "They bought a big house .\tThey purchased a large house .\na big dog\ta large dog\nthe big man\ta large man\n"
    )
    assert run(capsys, "parametric", "smt", "groups", "-o", "leaky", "-q")[0] == 0
    _, _, err = run(capsys, "parametric", "smt", "groups", "-o", "clean", "--exclude", "gold.json")
    assert "left out because of --exclude: 1" in err
    _, out, err = run(capsys, "parametric", "--gold", "gold.json", "--paraphrases", "leaky", "--bootstrap", 0)
    assert "leaky was made from text that contains 2 of the 4 gold sentences" in err
    assert "|method:leaky|" in out
    _, _, err = run(capsys, "parametric", "--gold", "gold.json", "--paraphrases", "clean", "--bootstrap", 0)
    assert "gold sentences" not in err


def test_an_alignment_may_be_json(here, capsys):
    options = ["--gold", "gold.json", "--bootstrap", 0, "--format", "tsv"]
    (here / "mine.align").write_text("0-0 1-1 2-2 3-3 4-4 5-5\n0-0 1-1 2-2 3-3\n")
    _, one, _ = run(capsys, "parametric", *options, "--alignment", "mine.align")
    code, other, _ = run(capsys, "parametric", *options, "--alignment", "gold.json")
    assert code == 0
    assert one.replace("mine.align", "gold.json") == other


def test_pairs_of_groups(here, capsys):
    (here / "groups").write_text("He's here.\tHe is here.\tHere he is.\nA\tB\n")
    _, out, _ = run(capsys, "paradigm", "pairs", "groups", "-t", "penn", "--lowercase")
    assert out.splitlines() == [
        "group\tsource\ttarget", "1\the 's here .\the is here .", "1\the 's here .\there he is .",
        "1\the is here .\there he is .", "2\ta\tb",
    ]  # fmt: skip
    _, out, _ = run(capsys, "paradigm", "pairs", "groups", "--pairing", "first")
    assert len(out.splitlines()) == 4
    assert (
        run(capsys, "paradigm", "pairs", "gold.json")[1].splitlines()[1]
        == f"1\t{GOLD[0]['source']}\t{GOLD[0]['target']}"
    )


def test_what_cannot_match_is_said(here, capsys):
    words = [f"word{number}" for number in range(100)]
    (here / "gold.txt").write_text("".join(f"[NN] ||| {word.title()} ||| {word}x\n" for word in words))
    (here / "low.txt").write_text("".join(f"[X] ||| {word} ||| {word}x\n" for word in words))
    _, _, err = run(capsys, "paradigm", "overlap", "gold.txt", "low.txt")
    assert "the gold grammar has words with capitals, low.txt has none" in err
    assert "every label is X; extract the gold grammar with --default-label X" in err
    text = " ".join(f"{word}, don't" for word in words[:60])
    (here / "pairs.tsv").write_text(f"source\ttarget\n{text}\t{text}\n")
    _, _, err = run(capsys, "paradigm", "coverage", "low.txt", "pairs.tsv", "--bootstrap", 0)
    assert "the file of pairs has words with punctuation such as 'word,'" not in err  # these end in digits
    assert "low.txt has no rules that leave words unchanged" in err
    (here / "title.tsv").write_text(f"source\ttarget\n{text.title()}\t{text}\n")
    _, _, err = run(capsys, "paradigm", "coverage", "low.txt", "title.tsv", "--bootstrap", 0)
    assert "the file of pairs has words with capitals, low.txt has none" in err
    assert "pass --pass-through all" in err
    _, _, err = run(capsys, "paradigm", "coverage", "low.txt", "pairs.tsv", "--bootstrap", 0, "--pass-through", "all")
    assert "leave words unchanged" not in err


def test_pivot_refuses_grammars_that_have_seen_the_gold(here, capsys):
    (here / "a").write_text("they bought a big house .\na large house\na big house\n")
    (here / "b").write_text("ils ont acheté une grande maison .\nune grande maison\nune grande maison\n")
    (here / "l").write_text("0-0 1-2 2-3 3-4 4-5 5-6\n0-0 1-1 2-2\n0-0 1-1 2-2\n")
    for exclude, name in (([], "leaky"), (["--exclude", "gold.json"], "clean")):
        assert run(capsys, "grammar", "a", "b", "l", *exclude, "-o", name, "-q")[0] == 0
    code, _, err = run(capsys, "grammar", "pivot", "leaky", "-o", "out", "--exclude", "gold.json")
    assert code == 1
    assert "leaky: was made from 1 of the 4 sentences to exclude; extract it again with 'paragauge grammar" in err
    assert not (here / "out").exists()
    assert run(capsys, "grammar", "pivot", "clean", "-o", "out", "--exclude", "gold.json", "-q")[0] == 0
    assert run(capsys, "grammar", "convert", "clean", "-o", "clean.txt", "-q")[0] == 0
    code, _, err = run(capsys, "grammar", "pivot", "clean.txt", "-o", "other", "--exclude", "gold.json")
    assert code == 1
    assert "does not say which sentences it was made from" in err


def test_pairs_without_links_are_aligned_by_words(here, capsys):
    pairs = "".join(f"{pair['source']}\t{pair['target']}\n" for pair in GOLD)
    (here / "pairs.tsv").write_text(pairs)
    line = ["--parse", "-t", "penn", "--lowercase", "--default-label", "X"]
    assert run(capsys, "grammar", "--gold", "pairs.tsv", "--align", *line, "-o", "aligned.grammar")[0] == 0
    rules = [str(rule) for rule in Grammar.open("aligned.grammar")]
    assert any("||| bought ||| purchased" in rule for rule in rules)
    assert any("||| big ||| large" in rule for rule in rules)
    # Hand-made links of the same pairs are not used.
    assert run(capsys, "grammar", "--gold", "gold.json", "--align", *line, "-o", "again.grammar")[0] == 0
    assert [str(rule) for rule in Grammar.open("again.grammar")] == rules
    for more in (["--sure-only"], ["--links", "x.align"], ["--possible", "gold.json"], ["--one-based"]):
        code, _, said = run(capsys, "grammar", "--gold", "gold.json", "--align", *more, "-o", "no.grammar")
        assert code != 0
        assert f"{more[0]} has no effect with --align" in said
    code, _, said = run(capsys, "grammar", "a", "b", "c", "--align", "-o", "no.grammar")
    assert code != 0
    assert "it applies only to --gold" in said


@pytest.mark.parametrize("text", ["group\tsource\ttarget\n1\ta b\tc d\n1\ta b\te f\n1\tc d\te f\n", "a b\tc d\te f\n"])
def test_pairs_and_groups_come_through_a_pipe(here, capsys, monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    code, out, _ = run(capsys, "paradigm", "pairs", "-")
    assert (code, out) == (0, "group\tsource\ttarget\n1\ta b\tc d\n1\ta b\te f\n1\tc d\te f\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out.encode()), encoding="utf-8"))
    code, out, _ = run(capsys, "paradigm", "coverage", "rules.txt", "-", "--format", "json", "--bootstrap", "0")
    assert (code, json.loads(out)[0]["pairs"]) == (0, 3)
