"""Overlap of grammars against sets in Python, and PARADIGM's formulas."""

import random
from collections import defaultdict
from itertools import accumulate, pairwise
from math import isnan

import pyarrow as pa
import pytest
from pytest import approx

from paragauge import Grammar
from paragauge.corpora.pairs import ParaphrasePairs, read_paraphrase_pairs
from paragauge.errors import DataError, OptionError
from paragauge.grammar import Nonterminal, Rule, RuleClass, extract_grammar
from paragauge.grammar.overlap import MATCHES, found_among_best, grammar_overlap, grammar_overlaps
from paragauge.metrics import ParadigmCoverage, ParadigmOverlap
from paragauge.storage.engine import EngineOptions


def random_rules(rng, count):
    found = []
    for _ in range(count):
        label = rng.choice(["NP", "VP", "X"])
        gap = rng.random() < 0.4
        left, right = (rng.choices("abc", k=rng.randint(0 if gap else 1, 2)) for _ in range(2))
        if gap:
            name = f"[{rng.choice(['NP', 'X'])},1]"
            left, right = [name, *left], [*right, name]
        found.append(f"[{label}] ||| {' '.join(left)} ||| {' '.join(right)} ||| p(e|f)={rng.randint(0, 5)}")
    return [Rule.parse(line) for line in dict.fromkeys(found)]


def key(rule, strict):
    if strict:
        return rule.lhs, rule.source, rule.target
    return tuple(
        tuple(symbol if isinstance(symbol, str) else Nonterminal("X", symbol.index) for symbol in side)
        for side in (rule.source, rule.target)
    )


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("match", ["strict", "non-strict"])
@pytest.mark.parametrize("identities", ["in", "out"])
def test_counts_are_those_of_sets(seed, match, identities):
    rng = random.Random(seed)
    gold, grammar = random_rules(rng, 60), random_rules(rng, 80)
    sets = [defaultdict(set), defaultdict(set)]
    for rules, by_class in ((gold, sets[0]), (grammar, sets[1])):
        for rule in rules:
            if identities == "in" or not rule.is_identity:
                by_class[rule.rule_class].add(key(rule, match == "strict"))
    overlap = grammar_overlap(
        Grammar.from_rules(grammar), Grammar.from_rules(gold), match=match, min_counts=[1], feature="p(e|f)",
        identities=identities, engine=EngineOptions(memory_limit="200MB", threads=2),
    )  # fmt: skip
    for kind in RuleClass:
        count = overlap.counts[1][kind]
        assert (count.found, count.gold, count.grammar) == (
            len(sets[0][kind] & sets[1][kind]), len(sets[0][kind]), len(sets[1][kind]),
        )  # fmt: skip
    whole = set().union(*sets[0].values()), set().union(*sets[1].values())
    costs: dict = {}
    for rule in grammar:
        if identities == "in" or not rule.is_identity:
            place = key(rule, match == "strict")
            costs[place] = min(costs.get(place, 99), rule.features["p(e|f)"])
    assert overlap.curve[-1] == (len(whole[1]), len(whole[0] & whole[1]))
    for size, found in overlap.curve:
        worst = sorted(costs.values())[size - 1]
        sure = {one for one in costs if costs[one] < worst}
        assert len(sure & whole[0]) <= found <= len({one for one in costs if costs[one] <= worst} & whole[0])


@pytest.mark.parametrize("sizes", [[], [0], [10], [10, 0, 10], [3, 7, 1], [20, 30], [1] * 23, [500, 500, 1]])
def test_the_curve_does_not_depend_on_batches(sizes):
    rng = random.Random(3)
    flags = [rng.random() < 0.4 for _ in range(sum(sizes))]
    ends = list(accumulate(sizes, initial=0))

    batches = (pa.record_batch({"hit": flags[begin:end]}) for begin, end in pairwise(ends))
    steps = [size for size in (10, 20, 50, 100, 200, 500, 1000) if size < len(flags)]
    assert list(found_among_best(batches)) == [(size, sum(flags[:size])) for size in [*steps, len(flags)]]


def test_frequent_gold_rules_are_chosen_before_labels_are_dropped():
    # Two labels of one pair, each seen once: no rule is seen twice, whatever the match (table 4 of the paper).
    from paragauge.analysis.tree import Tree

    trees = [Tree.from_penn(f"(S ({tag} a))") for tag in ("N", "V", "V")]
    gold = extract_grammar(["a", "a", "a"], ["x", "x", "y"], ["0-0"] * 3, trees=trees)
    overlap = grammar_overlap(gold, gold, match="non-strict", min_counts=[1, 2])
    assert overlap.counts[1][RuleClass.LEXICAL].found == 2
    assert overlap.counts[2][RuleClass.LEXICAL].gold == 0
    with pytest.raises(OptionError, match="has no counts"):
        grammar_overlap(gold, Grammar.from_rules([Rule.parse("[X] ||| a ||| b")]), min_counts=[2])


def test_the_gold_grammar_is_read_once_for_all_grammars_and_matches(monkeypatch):
    rng = random.Random(4)
    gold, *grammars = (Grammar.from_rules(random_rules(rng, 50)) for _ in range(4))
    reads = []
    batches = gold.batches
    monkeypatch.setattr(gold, "batches", lambda columns=None: reads.append(columns) or batches(columns))
    named = dict(zip("abc", grammars, strict=True))
    told = []
    found = grammar_overlaps(named, gold, min_counts=[1], feature="p(e|f)", progress=lambda *step: told.append(step))
    assert len(reads) == 1
    assert [(one.overlap.match, one.system) for one in found] == [(m, s) for m in MATCHES for s in "abc"]
    read = 2 * (len(gold) + sum(map(len, grammars)))
    assert told[-1] == (read, read, "rules")
    assert len(told) > 6
    for one in found:
        alone = grammar_overlap(named[one.system], gold, match=one.overlap.match, min_counts=[1], feature="p(e|f)")
        assert one.overlap == alone


def test_the_paper_s_example_of_strict_and_non_strict():
    syntactic = Grammar.from_rules([Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]")])
    hiero = Grammar.from_rules([Rule.parse("[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1]")])
    assert ParadigmOverlap().evaluate(hiero, syntactic).value == 0
    assert ParadigmOverlap(match="non-strict").evaluate(hiero, syntactic).value == 1


def test_formulas_by_hand():
    measured = ParadigmOverlap().measure([3, 12, 30])
    assert measured.value == measured.components["recall"] == 0.25
    assert measured.components["precision"] == 0.1
    assert measured.components["f1"] == approx(2 * 0.25 * 0.1 / 0.35)
    assert ParadigmOverlap().measure([0, 0, 0]).value == 0
    covered = ParadigmCoverage().measure([2, 8, 1, 4, 44, 1])
    assert covered.value == 0.25
    assert covered.components["any_of_group"] == 0.25
    assert covered.components["mean_length"] == 11
    assert covered.components["at_limit"] == 1
    assert isnan(ParadigmCoverage().measure([0, 8, 0, 4, 0, 1]).components["mean_length"])


def test_coverage_by_group():
    grammar = Grammar.from_rules([Rule.parse("[X] ||| a ||| b"), Rule.parse("[X] ||| b ||| a")])
    pairs = ParaphrasePairs(("a", "a b", "a"), ("b", "a a", "a"), ("one", "one", "two"))
    rows = ParadigmCoverage().statistics(grammar, pairs)
    assert rows.tolist() == [[1, 2, 1, 1, 2, 0], [0, 1, 0, 1, 0, 0]]
    score = ParadigmCoverage().evaluate(grammar, pairs)
    assert (score.value, score.any_of_group) == (approx(1 / 3), 0.5)
    assert str(score.signature).startswith("paradigm-coverage|glue:yes|pass:unknown|span:any")


def test_pairs_are_read_from_every_layout(tmp_path):
    (tmp_path / "table").write_text("group\tsource\ttarget\n1\ta b\tc\n1\ta\tb\n")
    assert read_paraphrase_pairs(tmp_path / "table") == ParaphrasePairs(("a b", "a"), ("c", "b"), ("1", "1"))
    (tmp_path / "plain").write_text("a b\tc\r\na\tb\r\n")
    assert read_paraphrase_pairs(tmp_path / "plain") == ParaphrasePairs(("a b", "a"), ("c", "b"))
    (tmp_path / "bars").write_text("a b ||| c\n")
    assert read_paraphrase_pairs(tmp_path / "bars") == ParaphrasePairs(("a b",), ("c",))
    header = "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    (tmp_path / "msrp").write_text(f'{header}1\t7\t8\tHe said "no.\tNo, he said.\n0\t9\t10\tYes.\tMaybe.\n')
    assert read_paraphrase_pairs(tmp_path / "msrp") == ParaphrasePairs(('He said "no.',), ("No, he said.",))
    (tmp_path / "odd").write_text(f"{header}1\t7\t8\tHe said no.\n")
    with pytest.raises(DataError, match=r"odd:2: expected 5 columns"):
        read_paraphrase_pairs(tmp_path / "odd")
    (tmp_path / "empty").write_text("")
    with pytest.raises(DataError, match="is empty"):
        read_paraphrase_pairs(tmp_path / "empty")
    (tmp_path / "header").write_text("source\ttarget\n")
    with pytest.raises(DataError, match="expected"):
        read_paraphrase_pairs(tmp_path / "header")


def test_an_unknown_feature_is_named():
    grammar = Grammar.from_rules([Rule.parse("[X] ||| a ||| b ||| p(e|f)=1")])
    with pytest.raises(DataError, match=r"no feature named 'q'.* known: p"):
        grammar_overlap(grammar, grammar, min_counts=[1], feature="q")


def test_a_feature_that_is_no_number_is_named():
    import pyarrow as pa

    batch = pa.RecordBatch.from_pydict({"lhs": ["X"], "source": ["a"], "target": ["b"], "features": ["p(e|f)=much"]})
    grammar = Grammar.from_batches([batch], batch.schema.names)
    with pytest.raises(DataError, match=r"rule 1: the feature p\(e\|f\) is 'much', expected a number"):
        list(grammar.scored_batches("p(e|f)"))
