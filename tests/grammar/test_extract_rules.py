"""Rule extraction: the paper's example, an oracle, features, limits, wrong input."""

import gzip
import math
import random
from collections import Counter

import pytest
from oracles.grammar import extract, span_label
from pytest import approx

from paragauge import Grammar, extract_grammar
from paragauge.analysis.tree import Tree
from paragauge.errors import DataError, OptionError
from paragauge.grammar import Labelling, Rule, RuleLimits
from paragauge.grammar.extract import extract_grammar_files
from paragauge.storage.engine import EngineOptions

# Figure 1 of the PARADIGM paper; the links are our reading of it, chosen among several (docs/reproduction.md).
SOURCE = "some want to impeach him and others expect him to step down ."
TARGET = "some people propose to impeach him , while others want him to resign ."
LINKS = "0-0 0-1 1-2 2-3 3-4 4-5 5-7 6-8 7-9 8-10 9-11 10-12 11-12 12-13"
TREE = (
    "(S (S (NP (DT some)) (VP (VBP want) (S (VP (TO to) (VP (VB impeach) (NP (PRP him))))))) (CC and) (S (NP (NNS"
    " others)) (VP (VBP expect) (S (NP (PRP him)) (VP (TO to) (VP (VB step) (PRT (RP down))))))) (. .))"
)
# Figure 2, with indices.
FIGURE_2 = """
[CC] ||| and ||| while
[VBP] ||| want ||| propose
[VBP] ||| expect ||| want
[DT] ||| some ||| some people
[S] ||| him to step down ||| him to resign
[VP] ||| step down ||| resign
[VP] ||| to step down ||| to resign
[VP] ||| want to impeach him ||| propose to impeach him
[VP] ||| want [VP,1] ||| propose [VP,1]
[VP] ||| want to impeach [PRP,1] ||| propose to impeach [PRP,1]
[VP] ||| [VBP,1] him to step down ||| [VBP,1] him to resign
[S] ||| [PRP,1] to step down ||| [PRP,1] to resign
"""


def keys(grammar):
    return {(rule.lhs, rule.source_text, rule.target_text) for rule in grammar}


def paper_grammar(labels, **limits):
    labelling = Labelling(labels=labels)
    trees = [Tree.from_penn(TREE)]
    return extract_grammar([SOURCE], [TARGET], [LINKS], trees=trees, labelling=labelling, limits=RuleLimits(**limits))


def test_rules_of_figure_2_come_out():
    lines = FIGURE_2.strip().splitlines()
    expected = {tuple(line.removeprefix("[").replace("] |||", " |||", 1).split(" ||| ")) for line in lines}
    assert len(expected) == 12
    for labels in ("constituents", "samt"):
        assert expected <= keys(paper_grammar(labels))


def test_counts_are_those_of_the_paper():
    # "Using constituents only, we are able to extract 45 paraphrase rules from Figure 1. Adding CCG-style slashed
    # constituents yields 66 additional rules": those with a slash on their left-hand side.
    constituents = [rule for rule in paper_grammar("constituents") if not rule.is_identity]
    assert len(constituents) == 45
    samt = [rule for rule in paper_grammar("samt") if not rule.is_identity]
    assert sum("/" in rule.lhs or "\\" in rule.lhs for rule in samt) == 66
    # With A+B, and such categories inside of rules, there are more.
    assert len(samt) - len(constituents) == 217
    # Section 5.1 names "constituent labels or CCG-style slashed categories", without A+B. Spans that would be A+B then
    # get slashes, so that the match with 66 is lost.
    ccg = [rule for rule in paper_grammar("ccg") if not rule.is_identity]
    assert not any("+" in rule.lhs or "+" in rule.source_text for rule in ccg)
    assert keys(constituents) < keys(ccg)
    assert len(ccg) - len(constituents) == 74


def test_phrases_without_a_label_get_the_default():
    def grammar(**default):
        labelling = Labelling(labels="constituents", **default)
        trees = [Tree.from_penn(TREE)]
        return keys(extract_grammar([SOURCE], [TARGET], [LINKS], trees=trees, labelling=labelling))

    without, phrases, everywhere = grammar(), grammar(default="X"), grammar(default="X", default_for="all")
    assert without < phrases < everywhere
    assert ("X", "others expect", "others want") in phrases - without
    assert all(lhs == "X" and "[" not in source for lhs, source, _ in phrases - without)
    assert ("VP", "[X,1] to step down", "[X,1] to resign") in everywhere - phrases
    assert ("X", "[NNS,1] expect", "[NNS,1] want") in everywhere - phrases
    # Every phrase pair has a rule, as with Hiero's labels.
    hiero = {rule[1:] for rule in keys(extract_grammar([SOURCE], [TARGET], [LINKS])) if "[" not in rule[1]}
    assert {rule[1:] for rule in phrases if "[" not in rule[1]} == hiero
    with pytest.raises(OptionError, match=r"'\[X\]' cannot be a label; expected a word without brackets"):
        Labelling(default="[X]")


def test_slashed_categories_come_out():
    found = keys(paper_grammar("samt"))
    # Section 3 of the paper has this rule with its sides turned round.
    assert ("S/VP", "[NNS,1] expect him to", "[NNS,1] want him to") in found
    assert ("VP/VP", "expect him to", "want him to") in found
    assert ("NNS+VBP", "others expect", "others want") in found
    assert not any(lhs == "S/VP" and source == "him" for lhs, source, _ in found)  # a constituent comes first


def random_tree(rng, words):
    def grow(first, last, depth):
        label = rng.choice(["S", "NP", "VP-SBJ"])
        if last - first == 1:
            tag = f"({rng.choice(['NN', 'VB'])} {words[first]})"
            return f"({label} {tag})" if rng.random() < 0.3 else tag
        cuts = sorted(rng.sample(range(first + 1, last), min(last - first - 1, rng.randint(1, 2))))
        parts = [grow(a, b, depth + 1) for a, b in zip([first, *cuts], [*cuts, last], strict=True)]
        return f"({label} {' '.join(parts)})"

    return Tree.from_penn(f"(ROOT {grow(0, len(words), 0)})")


@pytest.mark.parametrize("seed", range(60))
def test_rules_are_those_of_an_oracle(seed):
    rng = random.Random(seed)
    limits = RuleLimits(
        max_span=rng.choice([None, 3, 10]), max_target_span=rng.choice([None, 3, 10]),
        max_symbols=rng.choice([None, 3, 5]), max_target_symbols=rng.choice([None, 3]),
        max_words=rng.choice([None, 2, 6]), max_nonterminals=rng.randint(0, 2), min_links=rng.randint(0, 2),
        adjacent=rng.random() < 0.5, tight=rng.random() < 0.5,
    )  # fmt: skip
    labelling = Labelling(
        labels=rng.choice(["hiero", "constituents", "ccg", "samt"]), trees_side=rng.choice(["source", "target"]),
        default=rng.choice([None, "X"]), default_for=rng.choice(["phrases", "all"]),
    )  # fmt: skip
    expected = Counter()
    sources, targets, alignments, trees = [], [], [], []
    for _ in range(3):
        source = [rng.choice("abcde") for _ in range(rng.randint(1, 6))]
        target = [rng.choice("vwxyz") for _ in range(rng.randint(1, 6))]
        links = [(rng.randrange(len(source)), rng.randrange(len(target))) for _ in range(rng.randint(1, 6))]
        tree = random_tree(rng, source if labelling.trees_side == "source" else target).without_functions()

        def label(i, j, k, l, tree=tree):  # noqa: E741
            if labelling.labels == "hiero":
                return "X"
            span = (i, j) if labelling.trees_side == "source" else (k, l)
            return span_label(tree, *span, labelling.labels)

        default = (labelling.default or "", labelling.default_for)
        expected.update(extract(source, target, sorted(set(links)), limits, label, *default))
        sources.append(source)
        targets.append(target)
        alignments.append(links)
        trees.append(tree)
    if not expected:
        with pytest.raises(DataError, match="yield no rules"):
            extract_grammar(sources, targets, alignments, trees=trees, labelling=labelling, limits=limits)
        return
    grammar = extract_grammar(sources, targets, alignments, trees=trees, labelling=labelling, limits=limits)
    found = {(rule.lhs, rule.source_text, rule.target_text): rule.features["count"] for rule in grammar}
    assert found == dict(expected)


def test_features_by_hand():
    # "a b" - "x y" twice and "a b" - "z y" once, all words linked one to one.
    grammar = extract_grammar(["a b"] * 3, ["x y", "x y", "z y"], ["0-0 1-1"] * 3)
    rules = {(rule.source_text, rule.target_text): rule for rule in grammar}
    whole = rules["a b", "x y"]
    assert whole.features["count"] == 2
    assert whole.features["p(e|f)"] == approx(-math.log(2 / 3))
    assert whole.features["p(f|e)"] == approx(0)
    assert whole.features["Lex(e|f)"] == approx(-math.log(2 / 3))  # w(x|a) w(y|b) = 2/3 * 1
    assert whole.features["RarityPenalty"] == approx(math.exp(-1))
    gap = rules["[X,1] b", "[X,1] y"]
    assert gap.features["count"] == 3
    assert gap.features["Lex(e|f)"] == approx(0)
    assert gap.alignment == "0-0 1-1"


def test_probabilities_with_labels_by_hand():
    trees = [Tree.from_penn(f"(S ({tag} a))") for tag in ("N", "N", "V")]
    grammar = extract_grammar(["a"] * 3, ["x", "y", "x"], ["0-0"] * 3, trees=trees)
    noun = next(rule for rule in grammar if (rule.lhs, rule.target_text) == ("N", "x"))
    assert noun.features["p(e|f)"] == approx(-math.log(2 / 3))  # x given a, whatever the label
    assert noun.features["p(e|f,LHS)"] == approx(-math.log(1 / 2))
    assert noun.features["p(LHS|e)"] == approx(-math.log(1 / 2))
    assert noun.features["p(LHS|f)"] == approx(-math.log(2 / 3))
    assert noun.features["p(e|LHS)"] == approx(-math.log(1 / 2))
    assert noun.features["p(f|LHS)"] == approx(0)


def test_surface_features_in_text(tmp_path):
    grammar = Grammar.from_batches(
        extract_grammar(["want to go"], ["go wish"], ["0-1 2-0"]).batches(), ["lhs", "source", "target", "alignment"]
    )
    grammar.write_text(tmp_path / "rules")
    lines = {line.split(" ||| ")[1]: Rule.parse(line) for line in (tmp_path / "rules").read_text().splitlines()}
    whole = lines["want to go"].features
    assert (whole["WordCountDiff"], whole["CharCountDiff"], whole["Monotonic"], whole["UnalignedSource"]) == (
        -1,
        -3,
        1,
        1,
    )
    assert whole["WordLogCR"] == approx(math.log(2 / 3), rel=1e-4)
    swapped = extract_grammar(["a b c"], ["z y x"], ["0-2 1-1 2-0"], limits=RuleLimits())
    swapped.write_text(tmp_path / "swapped")
    rules = [Rule.parse(line) for line in (tmp_path / "swapped").read_text().splitlines()]
    crossing = next(rule for rule in rules if rule.source_text == "[X,1] b [X,2]")
    assert crossing.target_text == "[X,2] y [X,1]"
    assert crossing.features["Monotonic"] == 0
    assert crossing.alignment == "0-2 1-1 2-0"


def test_threads_and_memory_do_not_change_the_grammar(tmp_path):
    rng = random.Random(5)
    sides = [[" ".join(rng.choices("abcdefgh", k=12)) for _ in range(300)] for _ in range(2)]
    links = [" ".join(f"{i}-{i}" for i in range(12) if rng.random() < 0.8) for _ in range(300)]
    grammars = []
    for threads, limit in ((1, None), (2, "200MB")):
        engine = EngineOptions(threads=threads, memory_limit=limit)
        folder = tmp_path / f"{threads}.grammar"
        grammars.append(extract_grammar(*sides, links, engine=engine, output=folder))
    assert grammars[0].digest == grammars[1].digest


def test_files_gzipped_and_with_windows_line_ends(tmp_path):
    with gzip.open(tmp_path / "a", "wt", newline="") as file:
        file.write(SOURCE + "\r\n")
    (tmp_path / "b").write_text(TARGET + "\n")
    (tmp_path / "l").write_text(LINKS + "\n")
    (tmp_path / "t").write_text(TREE + "\n")
    names = tmp_path / "a", tmp_path / "b", tmp_path / "l"
    grammar = extract_grammar_files(*names, trees=tmp_path / "t", output=tmp_path / "g")
    assert keys(grammar) == keys(paper_grammar("constituents"))
    assert len(Grammar.open(tmp_path / "g", verify=True)) == len(grammar)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([SOURCE], [TARGET, TARGET], [LINKS]), "differ in length"),
        ((["a"], ["b"], ["0-1"]), "points past the target sentence"),
        ((["a [X,1]"], ["b"], ["0-0"]), "would be read as a nonterminal"),
        ((["a ||| b"], ["b"], ["0-0"]), "would be read as a nonterminal"),
        ((["a"], ["b"], [""]), "yield no rules"),
        (([], [], []), "empty"),
        (("a", ["b"], ["0-0"]), "source is one string"),
    ],
)
def test_wrong_input_is_refused(arguments, message):
    with pytest.raises(DataError, match=message):
        extract_grammar(*arguments)


def test_trees_must_fit():
    with pytest.raises(OptionError, match="need trees"):
        extract_grammar(["a"], ["b"], ["0-0"], labelling=Labelling(labels="samt"))
    with pytest.raises(DataError, match="tree 1 has 2 words, its sentence has 1"):
        extract_grammar(["a"], ["b"], ["0-0"], trees=[Tree.from_penn("(S (N a) (V b))")])
    with pytest.raises(DataError, match="found 1 trees, fewer than there are sentences"):
        extract_grammar(["a"] * 2, ["b"] * 2, ["0-0"] * 2, trees=[Tree.from_penn("(S (N a))")])
    with pytest.raises(DataError, match="found 3 trees, expected 2"):
        extract_grammar(["a"] * 2, ["b"] * 2, ["0-0"] * 2, trees=[Tree.from_penn("(S (N a))")] * 3)


def test_a_million_words_on_one_line():
    words = " ".join(["w"] * 1_000_000)
    links = [(i, i) for i in range(0, 1_000_000, 50_000)]
    assert len(extract_grammar([words], [words], [links])) == 1
