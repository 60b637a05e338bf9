"""Pivoted grammars: by hand, against a slow oracle, invariants, limits, digests, similarity."""

import math
import random
from collections import defaultdict
from dataclasses import replace

import pytest
from pytest import approx

from paragauge import Grammar, extract_grammar
from paragauge.errors import DataError, OptionError
from paragauge.grammar import Labelling, Nonterminal, Rule
from paragauge.grammar.pivot import PivotLimits, pivot_grammar
from paragauge.grammar.similarity import ContextVectors, with_similarity
from paragauge.storage.engine import EngineOptions

EVERYTHING = PivotLimits(min_prob=0.0, min_step=0.0)


def bitext(seed, pairs=12):
    """Random sentence pairs whose foreign words have two English translations each, in any order."""
    rng = random.Random(seed)
    english, foreign, links = [], [], []
    for _ in range(pairs):
        words = [rng.choice("abcdef") for _ in range(rng.randint(1, 5))]
        order = list(range(len(words)))
        rng.shuffle(order)
        foreign.append(" ".join("uvw"["abcdef".index(words[place]) // 2] for place in order))
        english.append(" ".join(words))
        links.append(" ".join(f"{place}-{number}" for number, place in enumerate(order)))
    return english, foreign, links


def trees(english, seed):
    from paragauge.analysis.tree import Tree

    rng = random.Random(seed)
    return [
        Tree.from_penn("(S " + " ".join(f"({rng.choice(['N', 'V'])} {word})" for word in text.split()) + ")")
        for text in english
    ]


def in_order(first, second):
    """Both sides with nonterminals numbered in the order of the first."""
    numbers = {}
    for symbol in first:
        if isinstance(symbol, Nonterminal):
            numbers[symbol.index] = len(numbers) + 1

    def renumbered(side):
        return tuple(s if isinstance(s, str) else Nonterminal(s.label, numbers[s.index]) for s in side)

    return renumbered(first), renumbered(second)


def oracle(grammar):
    """p(e2|e1), p(e2|e1,LHS), lexical weights and count of every pair, from counts of translation rules."""
    rules = [(rule.lhs, *in_order(rule.target, rule.source), rule) for rule in grammar]
    totals = {name: defaultdict(int) for name in ("g", "lg", "e", "le", "eg")}
    for lhs, foreign, _, rule in rules:
        count = rule.features["count"]
        totals["g"][foreign] += count
        totals["lg"][lhs, foreign] += count
        totals["e"][rule.source] += count
        totals["le"][lhs, rule.source] += count
    for _, foreign, english, rule in rules:
        totals["eg"][english, foreign] += rule.features["count"]
    found = defaultdict(lambda: [0.0, 0.0, [], 0])
    for lhs, foreign, english, one in rules:
        for other_lhs, other_foreign, other_english, two in rules:
            if (lhs, foreign) != (other_lhs, other_foreign) or english == other_english:
                continue
            row = found[(lhs, *in_order(english, other_english))]
            n1, n2 = one.features["count"], two.features["count"]
            to = totals["eg"][english, foreign] / totals["e"][one.source]
            back = totals["eg"][other_english, foreign] / totals["g"][foreign]
            row[0] += to * back
            row[1] += n1 / totals["le"][lhs, one.source] * n2 / totals["lg"][lhs, foreign]
            row[2].append(math.exp(-one.features["Lex(e|f)"] - two.features["Lex(f|e)"]))
            row[3] += min(n1, n2)
    return found


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize(("weights", "together"), [("sum", math.fsum), ("best", max)])
def test_rules_are_those_of_an_oracle(seed, labelled, weights, together):
    english, foreign, links = bitext(seed)
    labelling = Labelling(labels="samt", default="X", default_for="all") if labelled else None
    parsed = trees(english, seed) if labelled else None
    grammar = extract_grammar(english, foreign, links, trees=parsed, labelling=labelling)
    expected = oracle(grammar)
    made = pivot_grammar([grammar], limits=replace(EVERYTHING, weights=weights), engine=EngineOptions(threads=2))
    found = {(rule.lhs, rule.source, rule.target): rule for rule in made}
    assert len(found) == len(made)
    assert set(found) == set(expected)
    for key, (p, given_label, lexical, count) in expected.items():
        features = found[key].features
        assert math.exp(-features["p(e|f)"]) == approx(p, rel=1e-9)
        assert math.exp(-features["Lex(e|f)"]) == approx(together(lexical), rel=1e-9)
        assert features["count"] == count
        assert features["RarityPenalty"] == approx(math.exp(1 - count))
        if labelled:
            assert math.exp(-features["p(e|f,LHS)"]) == approx(given_label, rel=1e-9)
        lhs, source, target = key
        turned = found[(lhs, *in_order(target, source))].features
        assert (features["p(f|e)"], features["Lex(f|e)"]) == (turned["p(e|f)"], turned["Lex(e|f)"])


def test_probabilities_sum_to_one_with_identities():
    english, foreign, links = bitext(5, 30)
    grammar = extract_grammar(english, foreign, links)
    sums = defaultdict(float)
    for rule in pivot_grammar([grammar], limits=PivotLimits(min_prob=0.0, min_step=0.0, identity=True)):
        sums[rule.source] += math.exp(-rule.features["p(e|f)"])
    assert sums
    assert list(sums.values()) == approx([1.0] * len(sums))


def test_nonterminals_cross():
    # "the man 's house" and "the house of the man" through "la maison de l' homme".
    english = ["the man 's house", "the house of the man"]
    grammar = extract_grammar(english, ["la maison de l' homme"] * 2, ["0-3 1-4 2-2 3-1", "0-0 1-1 2-2 3-3 4-4"])
    rules = {str(rule).partition(" ||| count")[0]: rule for rule in pivot_grammar([grammar])}
    crossed = rules["[X] ||| [X,1] 's [X,2] ||| [X,2] of [X,1]"]
    assert crossed.alignment == "0-2 1-1 2-0"
    assert "[X] ||| [X,1] of [X,2] ||| [X,2] 's [X,1]" in rules


@pytest.mark.parametrize("weight", [1e-3, 1e-12, 1e-24])
def test_small_lexical_weights_are_added_up(weight):
    # Two pivots of the same weight: by hand, twice the weight. Thrax does the same.
    rules = [
        f"[X] ||| {english} ||| {foreign} ||| Count=1 p(e|f)={math.log(2)!r} p(f|e)={math.log(2)!r} "
        f"Lex(e|f)={-math.log(weight)!r} Lex(f|e)=0"
        for english in ("a", "b")
        for foreign in ("u", "v")
    ]
    found = {
        weights: next(iter(pivot_grammar([Grammar.from_rules(map(Rule.parse, rules))], limits=limits)))
        for weights in ("sum", "best")
        for limits in [PivotLimits(weights=weights)]
    }
    assert math.exp(-found["sum"].features["Lex(e|f)"]) == approx(2 * weight, rel=1e-4)
    assert math.exp(-found["best"].features["Lex(e|f)"]) == approx(weight, rel=1e-4)


def test_several_bitexts_are_averaged():
    # By hand: p(home|house) is 1/2 * 1/2 + 1/2 * 0 through French, 1 * 1/2 through German, and their mean.
    french = extract_grammar(["house", "house", "home"], ["maison", "chambre", "maison"], ["0-0"] * 3)
    german = extract_grammar(["house", "home"], ["haus", "haus"], ["0-0"] * 2)
    rules = {(r.source_text, r.target_text): math.exp(-r.features["p(e|f)"]) for r in pivot_grammar([french, german])}
    assert rules["house", "home"] == approx((1 / 2 * 1 / 2 + 1 * 1 / 2) / 2)
    assert rules["home", "house"] == approx((1 * 1 / 2 + 1 * 1 / 2) / 2)


def test_limits_and_what_is_left_of_them(tmp_path):
    english, foreign, links = bitext(3, 40)
    grammar = extract_grammar(english, foreign, links)
    whole = list(pivot_grammar([grammar], limits=EVERYTHING))
    probable = pivot_grammar([grammar], limits=PivotLimits(min_prob=0.2, min_step=0.0), output=tmp_path / "g")
    assert {str(rule) for rule in probable} == {str(r) for r in whole if math.exp(-r.features["p(e|f)"]) >= 0.2}
    assert Grammar.open(tmp_path / "g").options["min_prob"] == 0.2
    best = list(pivot_grammar([grammar], limits=PivotLimits(min_prob=0.0, min_step=0.0, top=1)))
    assert len({(rule.lhs, rule.source) for rule in best}) == len(best)
    assert all(rule.features["count"] >= 3 for rule in pivot_grammar([grammar], limits=PivotLimits(min_count=3)))
    with pytest.raises(DataError, match="no two source sides share a foreign side"):
        pivot_grammar([extract_grammar(["a"], ["x"], ["0-0"])])
    with pytest.raises(OptionError, match="min_prob must be between 0 and 1, got 2"):
        PivotLimits(min_prob=2)
    with pytest.raises(OptionError, match="weights must be one of sum, best; got 'most'"):
        PivotLimits(weights="most")
    for rules, message in (
        (["[X] ||| a ||| b"], "its rules have no feature"),
        (["[X] ||| a ||| b ||| p(e|f)=0 p(f|e)=0"], "rules have no Count"),
        (["[X] ||| a ||| b ||| p(e|f)=0 p(f|e)=0 Count=1", "[X] ||| c ||| b ||| p(f|e)=1 Count=1"], "others have: c"),
    ):
        with pytest.raises(DataError, match=message):
            pivot_grammar([Grammar.from_rules(map(Rule.parse, rules))])


def test_rules_do_not_depend_on_threads(tmp_path):
    english, foreign, links = bitext(8, 60)
    grammar = extract_grammar(english, foreign, links)
    texts = []
    for threads in (1, 3):
        pivot_grammar([grammar], limits=EVERYTHING, engine=EngineOptions(threads=threads)).write_text(tmp_path / "t")
        texts.append((tmp_path / "t").read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.parametrize("labelled", [False, True])
def test_text_and_folder_give_the_same_rules(tmp_path, labelled):
    english, foreign, links = bitext(9, 20)
    grammar = extract_grammar(english, foreign, links, trees=trees(english, 9) if labelled else None)
    grammar.write_text(tmp_path / "rules.gz")
    one, other = (
        {(rule.lhs, rule.source, rule.target): rule.features["p(e|f)"] for rule in pivot_grammar([each])}
        for each in (grammar, tmp_path / "rules.gz")
    )
    assert one.keys() == other.keys()
    assert other == approx(one, rel=1e-4, abs=1e-5)


def test_a_pivoted_grammar_knows_what_it_has_seen():
    english, foreign, links = bitext(2)
    made = pivot_grammar([extract_grammar(english, foreign, links)])
    assert made.seen.count([english[0].upper()]) == 1
    assert made.seen.count(["something else"]) == 0


def cosine_by_hand(phrases, text, one, other):
    counts = defaultdict(lambda: defaultdict(int))
    for line in text:
        words = ["</s>", "</s>", *line.split(), "</s>", "</s>"]
        for phrase in phrases:
            parts = phrase.split()
            for start in range(2, len(words) - 1):
                if words[start : start + len(parts)] == parts:
                    for place in (-2, -1, 1, 2):
                        context = words[start + place] if place < 0 else words[start + len(parts) - 1 + place]
                        counts[phrase][context, place] += 1
    total = sum(sum(row.values()) for row in counts.values())
    columns = defaultdict(int)
    for row in counts.values():
        for key, count in row.items():
            columns[key] += count

    def vector(phrase):
        row = counts[phrase]
        n = sum(row.values())
        return {k: v for k, c in row.items() if (v := math.log(c * total / (n * columns[k]))) > 0}

    a, b = vector(one), vector(other)
    norm = math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
    return sum(v * b.get(k, 0.0) for k, v in a.items()) / norm if norm else 0.0


def test_similarity_is_the_cosine_by_hand(tmp_path):
    rng = random.Random(4)
    text = [" ".join(rng.choice("abcde") for _ in range(rng.randint(1, 8))) for _ in range(60)]
    phrases = ["a", "b", "a b", "c d e", "z"]
    vectors = ContextVectors(phrases, text)
    for one in phrases:
        for other in phrases:
            assert vectors.cosine(one, other) == approx(cosine_by_hand(phrases, text, one, other), abs=1e-9)
    (tmp_path / "text").write_text("\n".join(text))
    grammar = Grammar.from_rules(
        map(Rule.parse, ["[X] ||| a ||| a b", "[X] ||| [X,1] a ||| a [X,1]", "[X] ||| z ||| b"])
    )
    rules = list(with_similarity(grammar, tmp_path / "text", output=tmp_path / "g"))
    values = [rule.features["AGigaSim"] for rule in rules]
    assert values == approx([cosine_by_hand(["a", "a b", "z", "b"], text, "a", "a b"), 0.0, 0.0])
