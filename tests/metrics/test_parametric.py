"""ParaMetric: the paper's arithmetic and example, an oracle for PP and para_REF, invariants, real gold."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.phrases import consistent_boxes
from pytest import approx

from paragauge import Alignment, ParaphraseTable
from paragauge.align import AlignedPairs, GoldAlignment, align, read_aligned_pairs
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError, OptionError
from paragauge.meta.significance import bootstrap_interval
from paragauge.metrics import Parametric, ParametricAlignment, Signature
from paragauge.phrases.opening import table_digest

# Figure 1 and table 1 of the paper, as far as its text gives them; words that table 1 does not list are equal.
FIRST = "some want to impeach him and others expect him to step down"
FIGURE = [
    ("some people propose to impeach him while some want him to resign",
     "0-0 0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-11 11-11"),
    ("some are proposing an indictment against him while others want him to leave office voluntarily",
     "0-0 1-1 1-2 2-3 2-4 2-5 3-3 3-4 3-5 4-6 5-7 6-8 7-9 8-10 9-11 10-12 10-13 10-14 11-12 11-13 11-14"),
    ("there are those who propose impeaching him and those who expect him to tender his resignation",
     "0-0 0-1 0-2 0-3 1-4 2-5 3-5 4-6 5-7 6-8 6-9 7-10 8-11 9-12 10-13 10-14 10-15 11-13 11-14 11-15"),
]  # fmt: skip


def aligned(*rows, groups=None):
    """Hand-aligned pairs of (source, target, links)."""
    source, target, links = zip(*rows, strict=True)
    return AlignedPairs(ParaphrasePairs(source, target, groups), tuple(map(GoldAlignment.from_pharaoh, links)))


@pytest.mark.parametrize(
    ("found", "posited", "precision", "recall"),
    [(399, 1213, 0.33, 0.03), (156, 230, 0.68, 0.01), (998, 6914, 0.14, 0.07)],
)
def test_arithmetic_of_the_paper(found, posited, precision, recall):
    # Section 7.3: 14,078 reference paraphrases; syntactic alignment, monolingual SMT, parallel corpora.
    measured = Parametric().measure([found, posited, 14078]).components
    assert (round(measured["precision"], 2), round(measured["recall"], 2)) == (precision, recall)
    assert measured["precision"] == found / posited
    assert measured["recall"] == found / 14078


def test_phrases_of_the_papers_figure():
    gold = aligned(*((FIRST, *row) for row in FIGURE), groups=("1",) * 3)
    (sentences,) = Parametric().reference(gold)
    reference = sentences[FIRST]
    assert reference["some want to impeach him"] == {
        "some people propose to impeach him",
        "some are proposing an indictment against him",
        "there are those who propose impeaching him",
    }
    # Table 1. The maximum is the number of sentence pairs.
    assert reference["some"] == {"some people", "there are those who"}
    assert reference["want"] == {"propose", "are proposing"}
    assert reference["to impeach"] == {"an indictment against", "impeaching"}
    assert reference["and"] == {"while"}
    assert reference["others"] == {"some", "those who"}
    assert reference["expect"] == {"want"}
    assert reference["step down"] == {"resign", "leave office voluntarily", "tender his resignation"}
    assert "him" not in reference


def test_paraphrases_of_a_group_are_counted_once():
    gold = aligned(("a b", "x b", "0-0 1-1"), ("a b", "x c", "0-0 1-1"), groups=("1", "1"))
    # a: x; b: c; a b: x b and x c. The table lists x for a, and x b, z for a b.
    table = ParaphraseTable.from_rows([("a", "x", 0.5), ("a b", "x b", 0.1), ("a b", "z", 0.01), ("q", "r", 1.0)])
    score = Parametric().evaluate(table, gold)
    assert (score.found, score.posited, score.gold) == (2, 3, 4)
    assert score.f1 == score.value == approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))
    assert Parametric(min_score=0.05).evaluate(table, gold).precision == 1
    assert Parametric(max_length=1).evaluate(table, gold).gold == 2
    # Pairs that are groups of their own do not share references, and both ask the table.
    alone = Parametric().evaluate(table, AlignedPairs(replace(gold.pairs, groups=None), gold.links))
    assert (alone.found, alone.posited, alone.gold) == (1 + 2, 3 + 3, 2 + 3)


def test_method_may_look_at_the_sentence():
    gold = aligned(("a b", "x b", "0-0 1-1"), ("a c", "y c", "0-0 1-1"))

    def paraphrases(phrase, sentence):
        return {"a": ["x" if sentence == "a b" else "y", "a"]}.get(phrase, [])

    score = Parametric(max_length=1).evaluate(paraphrases, gold)
    assert (score.found, score.posited, score.gold) == (2, 2, 2)


def test_sure_and_possible_links():
    gold = aligned(("a b", "x y z", "0-0 1-1 1-2-P"))
    sure, possible = (ParametricAlignment(links=kind) for kind in ("sure", "possible"))
    links = [Alignment.from_pharaoh("0-0 1-1 1-2")]
    # Sure links leave z free: a/x, b/y, b/y z, a b/x y, a b/x y z. With the possible one: a/x, b/y z, a b/x y z.
    assert sure.evaluate(links, gold).components == {
        "precision": 1.0, "recall": 3 / 5, "f1": approx(3 / 4), "found": 3, "posited": 3, "gold": 5,
    }  # fmt: skip
    assert possible.evaluate(links, gold).value == 1


words = st.sampled_from("a b c d".split())
sentences = st.lists(words, min_size=1, max_size=5)


@st.composite
def groups_of_pairs(draw):
    rows, groups = [], []
    for group in range(draw(st.integers(1, 3))):
        first = draw(sentences)
        for _ in range(draw(st.integers(1, 3))):
            other = draw(sentences)
            cells = st.tuples(st.integers(0, len(first) - 1), st.integers(0, len(other) - 1))
            links = [draw(st.sets(cells, max_size=6)) for _ in "12"]
            rows.append((first, other, *links))
            groups.append(str(group))
    return rows, tuple(groups)


def oracle_pairs(source, target, links, most=99):
    """PP by its definition."""
    found = set()
    for i1, i2, j1, j2 in consistent_boxes(len(source), len(target), links, most):
        one, other = " ".join(source[i1 : i2 + 1]), " ".join(target[j1 : j2 + 1])
        if one != other:
            found.add((one, other))
    return found


def gold_of(rows, groups):
    pairs = ParaphrasePairs(tuple(" ".join(row[0]) for row in rows), tuple(" ".join(row[1]) for row in rows), groups)
    return AlignedPairs(pairs, tuple(GoldAlignment.of(Alignment.of(row[2])) for row in rows))


@given(groups_of_pairs(), st.sampled_from([None, 1, 2]))
def test_alignment_scores_equal_the_oracle(data, most):
    rows, groups = data
    metric = ParametricAlignment(max_length=most)
    found = posited = gold = 0
    for source, target, people, method in rows:
        true, ours = (oracle_pairs(source, target, links, most or 99) for links in (people, method))
        found, posited, gold = found + len(true & ours), posited + len(ours), gold + len(true)
    score = metric.evaluate([Alignment.of(row[3]) for row in rows], gold_of(rows, groups))
    assert (score.found, score.posited, score.gold) == (found, posited, gold)


@given(groups_of_pairs(), st.dictionaries(st.tuples(words, words).map(" ".join) | words, st.sets(words, max_size=3)))
def test_paraphrase_scores_equal_the_oracle(data, listed):
    rows, groups = data
    found = posited = gold = 0
    for group, sentence in {(group, tuple(row[0])) for group, row in zip(groups, rows, strict=True)}:
        reference = set()
        for other_group, (source, target, people, _) in zip(groups, rows, strict=True):
            if other_group == group:
                reference |= oracle_pairs(source, target, people)
        spans = {
            " ".join(sentence[i:j]) for i in range(len(sentence)) for j in range(i + 1, min(len(sentence), i + 2) + 1)
        }
        for phrase in spans:
            true = {other for one, other in reference if one == phrase}
            ours = listed.get(phrase, set()) - {phrase}
            found, posited, gold = found + len(true & ours), posited + len(ours), gold + len(true)
    score = Parametric(max_length=2).evaluate(lambda phrase, _: listed.get(phrase, ()), gold_of(rows, groups))
    assert (score.found, score.posited, score.gold) == (found, posited, gold)


@given(groups_of_pairs())
def test_people_agree_with_themselves_and_lengths_add_up(data):
    gold = gold_of(*data)
    metric = ParametricAlignment()
    rows = metric.statistics(gold.alignments(), gold)
    assert len(rows) == len(set(data[1]))
    measured = metric.measure_rows(rows)
    assert measured.value in (0, 1)  # 0 if there is nothing to find
    by_length = metric.by_length(rows)
    assert list(by_length)[-1] == "10+"
    for count in ("found", "posited", "gold"):
        assert sum(each.components[count] for each in by_length.values()) == measured.components[count]


def test_lengths_beyond_the_last_are_counted_together():
    words = [f"w{k}" for k in range(14)]
    gold = aligned((" ".join(words), " ".join(["x", *words[1:]]), " ".join(f"{k}-{k}" for k in range(14))))
    metric = ParametricAlignment()
    by_length = metric.by_length(metric.statistics(gold.alignments(), gold))
    assert [each.components["gold"] for each in by_length.values()] == [1] * 9 + [5]
    assert ParametricAlignment(max_length=12).lengths()[-1] == "10+"
    assert Parametric(max_length=10).lengths()[-1] == "10"


def test_lower_case_and_intervals():
    gold = aligned(("The dog", "A dog", "0-0 1-1"), ("big cat", "large cat", "0-0 1-1"))
    table = ParaphraseTable.from_rows([("the", "a", 1.0)])
    assert Parametric().evaluate(table, gold).found == 0
    metric = Parametric(lowercase=True, value="recall")
    rows = metric.statistics(table, gold)
    assert metric.measure_rows(rows).value == 1 / 4
    interval = bootstrap_interval(metric, rows, resamples=200)
    assert (interval.low, interval.high) == (0, 1 / 2)


def test_signature_says_what_moves_the_number():
    gold = aligned(("a", "b", "0-0"))
    score = ParametricAlignment(links="possible", max_length=3).evaluate([Alignment()], gold)
    assert str(score.signature).startswith(
        f"parametric-alignment|value:f1|links:possible|len:3|case:mixed|gold:{gold.digest}|align:"
    )
    assert Signature.parse(str(score.signature)) == score.signature
    assert score.value == 0
    assert "min:0.01" in str(Parametric(min_score=0.01).evaluate(lambda *_: [], gold).signature)
    table = ParaphraseTable.from_rows([("a", "b", 0.5)])
    assert Parametric().evaluate(table, gold).signature.get("table") == table_digest(table)


@pytest.mark.parametrize("options", [{"links": "all"}, {"max_length": 0}, {"value": "accuracy"}, {"lowercase": 1}])
def test_options_are_checked(options):
    for metric in (Parametric, ParametricAlignment):
        with pytest.raises(OptionError, match="the option"):
            metric(**options)


def test_wrong_data_is_explained():
    gold = aligned(("a", "b", "0-0"))
    with pytest.raises(DataError, match="source has 1, alignments has 2"):
        ParametricAlignment().evaluate([Alignment()] * 2, gold)
    with pytest.raises(DataError, match="points past the target sentence"):
        ParametricAlignment().evaluate([Alignment.from_pharaoh("0-1")], gold)
    with pytest.raises(DataError, match="no pairs"):
        Parametric().evaluate(lambda *_: [], AlignedPairs(ParaphrasePairs((), ()), ()))


def test_million_words_do_not_stop_the_run():
    text = "w " * 1_000_000
    gold = aligned((text, text + "x", "0-0"))
    assert ParametricAlignment(max_length=2).evaluate([Alignment.from_pharaoh("0-0")], gold).recall == 1
    with pytest.raises(DataError, match="pair 1 is so long that it has millions of phrases"):
        ParametricAlignment().evaluate([Alignment.from_pharaoh("0-0")], gold)


@pytest.mark.data
def test_edinburgh_corpus(data_folder):
    folder = data_folder / "edinburgh_pp"
    gold = read_aligned_pairs(folder / "gold.train.sure.json", possible=folder / "gold.train.sure+poss.json")
    some = AlignedPairs(ParaphrasePairs(gold.pairs.source[:8], gold.pairs.target[:8]), gold.links[:8])
    links = align(some.pairs.source, some.pairs.target, monolingual=True)
    for kind in ("sure", "possible"):
        score = ParametricAlignment(links=kind, max_length=4).evaluate(links, some)
        counts = [0, 0, 0]
        rows = zip(some.pairs.source, some.pairs.target, links, some.alignments(kind), strict=True)
        for source, target, ours, people in rows:
            posited, true = (oracle_pairs(source.split(), target.split(), each.links, 4) for each in (ours, people))
            for place, pairs in enumerate((posited & true, posited, true)):
                counts[place] += len(pairs)
        assert [score.found, score.posited, score.gold] == counts
