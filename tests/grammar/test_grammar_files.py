"""Rules as text, grammar folders, and what happens to wrong ones."""

import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.resources import sign_again

from paragauge import Grammar
from paragauge.errors import DataError, FileError, ParagaugeError
from paragauge.grammar import Nonterminal, Rule, RuleClass, read_rules

PPDB_1 = (
    "[NP] ||| [NP,1] 's [NN,2] ||| the [NN,2] of [NP,1] ||| Abstract=0 p(e|f)=4.03858 p(f|e)=2.5 PhrasePenalty=1 "
    "||| 0-3 1-2 2-1"
)
PPDB_2 = "[VBG/NP] ||| amounting to ||| representing ||| PPDB2.0Score=3.2 p(e|f)=1.1 ||| 0-0 1-0 ||| Equivalence"


def test_ppdb_rows_of_both_versions():
    rule = Rule.parse(PPDB_1)
    assert rule.source == (Nonterminal("NP", 1), "'s", Nonterminal("NN", 2))
    assert rule.target == ("the", Nonterminal("NN", 2), "of", Nonterminal("NP", 1))
    assert rule.features["p(e|f)"] == 4.03858
    assert rule.alignment == "0-3 1-2 2-1"
    assert rule.rule_class is RuleClass.SYNTACTIC
    second = Rule.parse(PPDB_2)
    assert (second.lhs, second.features["PPDB2.0Score"], second.alignment) == ("VBG/NP", 3.2, "0-0 1-0")
    assert second.rule_class is RuleClass.PHRASAL


def test_indices_follow_the_source_side():
    rule = Rule.parse("[X] ||| [A,2] a [B,1] ||| [B,1] b [A,2]")
    assert str(rule) == "[X] ||| [A,1] a [B,2] ||| [B,2] b [A,1]"


def test_brackets_that_are_words_stay_words():
    rule = Rule.parse("[,] ||| [ [x] ||| [1,x]")
    assert rule.source == ("[", "[x]")
    assert rule.lhs == ","
    comma = Rule.parse("[NP\\,] ||| a [,,1] ||| [,,1] b")
    assert comma.source == ("a", Nonterminal(",", 1))


labels = st.text(
    st.characters(codec="utf-8", exclude_characters="[] \t\n\r|\x85\u2028", exclude_categories=["C", "Z"]),
    min_size=1,
    max_size=4,
)
tokens = labels.filter(lambda word: word.strip() == word and word)


@st.composite
def rules(draw):
    names = draw(st.lists(labels, max_size=2))
    sides = []
    for _ in range(2):
        gaps = [Nonterminal(name, number) for number, name in enumerate(names, start=1)]
        symbols = gaps + draw(st.lists(tokens, min_size=0 if gaps else 1, max_size=3))
        sides.append(tuple(draw(st.permutations(symbols))))
    first = [symbol.index for symbol in sides[0] if isinstance(symbol, Nonterminal)]
    if first == [2, 1]:
        sides[0] = tuple(
            symbol if isinstance(symbol, str) else Nonterminal(names[2 - symbol.index], 3 - symbol.index)
            for symbol in sides[0]
        )
        sides[1] = tuple(
            symbol if isinstance(symbol, str) else Nonterminal(names[symbol.index - 1], 3 - symbol.index)
            for symbol in sides[1]
        )
        sides[0] = tuple(
            symbol if isinstance(symbol, str) else Nonterminal(names[2 - symbol.index], symbol.index)
            for symbol in sides[0]
        )
    return Rule(draw(labels), sides[0], sides[1])


@given(st.lists(rules(), min_size=1, max_size=5))
def test_text_comes_back_as_it_was(some):
    assert [Rule.parse(str(rule)) for rule in some] == some


@given(st.lists(rules(), min_size=1, max_size=6))
def test_the_index_holds_the_rules(some):
    index = Grammar.from_rules(some).index
    held = {index.rule(number) for number in range(index.rules)}
    assert held == {(rule.lhs, rule.source_text, rule.target_text) for rule in some}


def test_a_folder_holds_what_the_file_says(tmp_path):
    with gzip.open(tmp_path / "ppdb.gz", "wt", encoding="utf-8") as file:
        file.write(f"{PPDB_1}\n{PPDB_2}\n")
    opened = Grammar.open(tmp_path / "ppdb.gz")
    folder = opened.save(tmp_path / "ppdb.grammar")
    assert list(folder) == list(opened) == list(read_rules(tmp_path / "ppdb.gz"))
    folder.write_text(tmp_path / "again")
    assert list(Grammar.open(tmp_path / "again")) == list(opened)
    assert folder.index.rules == len(folder) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty, expected rules"),
        ("a b c\n", r":1: found 1 field, expected '\[LHS\]"),
        ("[X] ||| a ||| b\n[X] ||| a\n", ":2: found 2 fields"),
        ("[X] ||| a ||| b\n\n", ":2: "),
        ("X ||| a ||| b\n", "'X' is no left-hand side"),
        ("[X] |||  ||| b\n", "empty side"),
        ("[X] ||| a [X,1] ||| b\n", "same nonterminals on both sides"),
        ("[X] ||| a [X,1] ||| [Y,1] b\n", "same nonterminals on both sides"),
        ("[X] ||| [X,1] [X,1] ||| [X,1] b\n", "index 1 twice"),
    ],
)
def test_wrong_lines_are_named(tmp_path, text, message):
    path = tmp_path / "rules"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        list(read_rules(path))


def test_threads_do_not_change_what_is_written(tmp_path):
    rules = [Rule.parse(f"[NN] ||| word{k} ||| other{k} ||| p(e|f)={k}") for k in range(50)]
    folders = []
    for threads in (1, 2, 4):
        folder = tmp_path / str(threads)
        Grammar.from_rules(rules).save(folder, threads=threads)
        folders.append({file.name: file.read_bytes() for file in folder.iterdir() if file.suffix != ".json"})
    assert folders[0] == folders[1] == folders[2]
    assert len(folders[0]) > 3


def test_three_nonterminals_are_read_and_not_parsed_with(tmp_path):
    path = tmp_path / "rules"
    path.write_text("[X] ||| [X,1] [X,2] [X,3] ||| [X,3] [X,2] [X,1]\n")
    assert len(next(iter(read_rules(path))).source) == 3
    with pytest.raises(DataError, match="rule 1 has more than two nonterminals"):
        _ = Grammar.open(path).index


def test_wrong_encoding_and_missing_files(tmp_path):
    (tmp_path / "latin").write_bytes("[X] ||| caf\xe9 ||| coffee\n".encode("latin-1"))
    with pytest.raises(DataError, match="byte 0xe9 at position"):
        list(read_rules(tmp_path / "latin"))
    with pytest.raises(FileError, match="no such file"):
        Grammar.open(tmp_path / "nothing")


def test_a_column_whose_name_is_not_utf_8_is_refused(tmp_path):
    Grammar.from_rules([Rule.parse("[X] ||| a ||| b ||| ")]).save(tmp_path / "g")
    file = tmp_path / "g" / "rules.parquet"
    file.write_bytes(file.read_bytes().replace(b"source", b"\xffource"))
    sign_again(tmp_path / "g")
    with pytest.raises(DataError, match=r"rules\.parquet cannot be read"):
        list(Grammar.open(tmp_path / "g"))


def test_damaged_folders_are_refused_or_answer(tmp_path):
    rng = random.Random(2)
    rules = [Rule.parse(f"[X] ||| w{i} [X,1] v{i % 7} ||| [X,1] u{i % 5} t{i}") for i in range(3000)]
    folder = tmp_path / "g"
    Grammar.from_rules(rules).save(folder)
    for name in sorted(path.name for path in folder.iterdir() if path.name != "manifest.json"):
        path = folder / name
        whole = path.read_bytes()
        for _ in range(3):
            damaged = bytearray(whole)
            for _ in range(200):
                damaged[rng.randrange(min(128, len(whole) - 1), len(whole))] = rng.randrange(256)
            path.write_bytes(bytes(damaged))
            with pytest.raises(DataError, match=f"the digest of {name} does not match"):
                Grammar.open(folder)
            sign_again(folder)
            try:
                grammar = Grammar.open(folder)
                from paragauge.grammar.parse import parse_pairs

                parse_pairs(grammar, ["w1 a v1", "w9 w10 v2 v3"], ["a u1 t1", "x u0 t9"], derivations=True)
                list(grammar)
            except ParagaugeError:
                pass
        path.write_bytes(whole)
        sign_again(folder)
    (folder / "shapes.npy").unlink()
    with pytest.raises(DataError, match=r"the file shapes\.npy is missing"):
        Grammar.open(folder)


@pytest.mark.data
def test_ppdb_subset_is_read(data_folder):
    path = next((data_folder / "ppdb_subset").glob("*.gz"))
    grammar = Grammar.open(path)
    assert len(grammar) == 5878
    assert all("p(e|f)" in rule.features for rule in grammar)
