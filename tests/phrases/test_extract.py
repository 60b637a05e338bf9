"""Extraction: by hand, against the definition on random alignments, and Moses' list."""

import gzip
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import phrases as phrase_oracles

import paragauge as pg
from paragauge.errors import DataError, OptionError
from paragauge.phrases.extract import extract_phrase_files
from paragauge.storage.engine import EngineOptions


def counts_of(table):
    return {(pair.source, pair.target): pair.count for pair in table}


@st.composite
def bitexts(draw):
    bitext = []
    for _ in range(draw(st.integers(1, 4))):
        source = draw(st.lists(st.sampled_from("ab"), max_size=5))
        target = draw(st.lists(st.sampled_from("xy"), max_size=5))
        links = st.tuples(st.integers(0, max(len(source) - 1, 0)), st.integers(0, max(len(target) - 1, 0)))
        bitext.append((source, target, draw(st.sets(links, max_size=6)) if source and target else set()))
    return bitext


@given(bitexts(), st.integers(1, 6))
@settings(max_examples=60)
def test_extraction_equals_the_definition(bitext, max_length):
    source, target, links = zip(*bitext, strict=True)
    table = pg.extract_phrases(source, target, links, max_length=max_length, engine=EngineOptions(threads=1))
    expected = phrase_oracles.extract(bitext, max_length)
    assert counts_of(table) == expected
    weights = phrase_oracles.direct_lexical_weights(bitext, max_length)
    inverse = phrase_oracles.direct_lexical_weights(
        [(target, source, {(j, i) for i, j in links}) for source, target, links in bitext], max_length
    )
    for pair in table:
        assert pair.source_count == sum(n for (e, _), n in expected.items() if e == pair.source)
        assert pair.target_count == sum(n for (_, f), n in expected.items() if f == pair.target)
        assert pair.probability == pair.count / pair.source_count
        assert pair.direct_lexical == pytest.approx(float(weights[pair.source, pair.target]))
        assert pair.inverse_lexical == pytest.approx(float(inverse[pair.target, pair.source]))


def test_unlinked_words_at_the_edges_widen_phrases():
    # "not" and "pas" are linked, "ne" is not: it may go with either neighbour, with both, or be left out.
    table = pg.extract_phrases(["do not go"], ["ne va pas"], ["1-2 2-1"], max_length=3)
    assert counts_of(table) == {
        ("not", "pas"): 1, ("do not", "pas"): 1, ("go", "va"): 1, ("go", "ne va"): 1,
        ("not go", "va pas"): 1, ("not go", "ne va pas"): 1,
        ("do not go", "va pas"): 1, ("do not go", "ne va pas"): 1,
    }  # fmt: skip


def test_lexical_weight_by_hand():
    # Koehn et al. (2003): a word with two links gets the average, one without w(f|NULL).
    source = ["a b", "a", "b"]
    target = ["x y", "x", "z"]
    table = pg.extract_phrases(source, target, ["0-0 1-0", "0-0", "0-0"])
    # w(x|a) = 2/2; w(x|b) = 1/2; w(y|NULL) = 1/1
    pair = table["a b"]["x y"]
    assert pair.direct_lexical == pytest.approx((1 + 1 / 2) / 2 * 1)
    # w(a|x) = 2/3, w(b|x) = 1/3
    assert pair.inverse_lexical == pytest.approx(2 / 3 * 1 / 3)
    assert pair.alignment == "0-0 1-0"


def test_the_alignment_with_the_highest_weight_is_kept():
    table = pg.extract_phrases(["a b", "a b", "a", "a"], ["x y", "x y", "x", "x"], ["0-0 1-1", "0-1 1-0", "0-0", "0-0"])
    assert table["a b"]["x y"].alignment == "0-0 1-1"


@given(bitexts(), st.integers(1, 6))
@settings(max_examples=60)
def test_moses_rule_equals_its_definition(bitext, max_length):
    source, target, links = zip(*bitext, strict=True)
    options = {"max_length": max_length, "engine": EngineOptions(threads=1)}
    table = pg.extract_phrases(source, target, links, lexical_rule="moses", **options)
    assert counts_of(table) == phrase_oracles.extract(bitext, max_length)
    direct = phrase_oracles.moses_direct_weights(bitext, max_length)
    turned = [(target, source, {(j, i) for i, j in links}) for source, target, links in bitext]
    inverse = phrase_oracles.moses_direct_weights(turned, max_length)
    for pair in table:
        alignment, weight = direct[pair.source, pair.target]
        kept = {tuple(map(int, link.split("-"))) for link in pair.alignment.split()}
        assert kept == {(i, j) for j, linked in enumerate(alignment) for i in linked}
        assert pair.direct_lexical == pytest.approx(float(weight))
        assert pair.inverse_lexical == pytest.approx(float(inverse[pair.target, pair.source][1]))


def test_moses_rule_by_hand():
    # "a b" has two alignments to "x y"; the one that occurs twice is kept, although the other has higher weights.
    source, target = ["a b", "a b", "a b", "a", "b", "b"], ["x y", "x y", "x y", "x", "y", "z"]
    links = ["0-1 1-0", "0-1 1-0", "0-0 1-1", "0-0", "", "0-0"]
    pair = pg.extract_phrases(source, target, links, lexical_rule="moses")["a b"]["x y"]
    assert pair.alignment == "0-1 1-0"
    # a: y y x x; b: x x y z and once no word. x: b b a a; y: a a b and once no word.
    assert pair.direct_lexical == pytest.approx(2 / 5 * 2 / 4)
    assert pair.inverse_lexical == pytest.approx(2 / 4 * 2 / 4)
    usual = pg.extract_phrases(source, target, links)["a b"]["x y"]
    assert (usual.direct_lexical, usual.inverse_lexical) == pytest.approx((2 / 4 * 2 / 4, 2 / 3 * 2 / 4))


def test_a_table_says_by_which_rule_it_was_made(tmp_path):
    texts = ["a b"], ["x y"], ["0-0 1-1"]
    table = pg.extract_phrases(*texts, lexical_rule="moses", output=tmp_path / "moses")
    assert table.options["lexical_rule"] == "moses"
    assert "lexical_rule" not in pg.extract_phrases(*texts).options
    with pytest.raises(OptionError, match="has no effect without lexical weights"):
        pg.extract_phrases(*texts, lexical=False, lexical_rule="moses")
    with pytest.raises(OptionError, match="lexical_rule must be one of koehn, moses, got 'giza'"):
        pg.extract_phrases(*texts, lexical_rule="giza")


def test_the_number_of_threads_changes_nothing():
    source = [f"w{i % 7} w{i % 5} w{i % 3}" for i in range(3000)]
    target = [f"v{i % 3} v{i % 5} v{i % 7} v" for i in range(3000)]
    links = [f"0-2 1-1 {i % 3}-0" for i in range(3000)]
    for rule in ("koehn", "moses"):
        one, three = (
            pg.extract_phrases(source, target, links, lexical_rule=rule, engine=EngineOptions(threads=n))
            for n in (1, 3)
        )
        assert one == three


def test_any_length():
    words = " ".join(f"w{i}" for i in range(30))
    table = pg.extract_phrases([words], [words], [[(i, i) for i in range(30)]], max_length=None)
    assert len(table) == 30 * 31 // 2
    assert words in table


def test_a_sentence_with_millions_of_phrases_is_refused():
    words = " ".join(f"w{i}" for i in range(20_000))
    links = [(i, i) for i in range(20_000)]
    with pytest.raises(DataError, match="sentence pair 2 is so long that it has millions of phrases; limit their len"):
        pg.extract_phrases(["a", words], ["x", words], [[(0, 0)], links], max_length=None)
    assert len(pg.extract_phrases([words], [words], [links], max_length=2)) == 20_000 + 19_999


@pytest.mark.parametrize("place", [0, 500_000, 999_999])
def test_a_single_link_among_a_million_words_is_refused_or_found_at_once(place):
    words = " ".join(["w"] * 1_000_000)
    with pytest.raises(DataError, match="sentence pair 1 is so long that it has millions of phrases"):
        pg.extract_phrases([words], [words], [[(place, place)]], max_length=None)
    assert len(pg.extract_phrases([words], [words], [[(place, place)]], max_length=1)) == 1


def test_a_small_memory_limit_gives_the_same_table(tmp_path):
    source = [" ".join(f"w{(i * k) % 9973}" for k in range(1, 13)) for i in range(4000)]
    links = [" ".join(f"{k}-{k}" for k in range(12))] * 4000
    free = pg.extract_phrases(source, source, links, max_length=7, output=tmp_path / "free")
    engine = EngineOptions(memory_limit="60MB", temp=tmp_path, threads=2)
    tight = pg.extract_phrases(source, source, links, max_length=7, engine=engine, output=tmp_path / "tight")
    assert len(free) > 100_000
    assert tight == free
    assert tight.digest == free.digest
    assert sorted(path.name for path in tmp_path.iterdir()) == ["free", "tight"]  # nothing stays behind


def test_several_runs_and_one_give_the_same_table(monkeypatch):
    # Ranks of alignments, lexical weights and totals must come together from all runs.
    rng = random.Random(3)
    source = [" ".join(rng.choices("abc", k=rng.randrange(1, 7))) for _ in range(300)]
    target = [" ".join(rng.choices("xyz", k=rng.randrange(1, 7))) for _ in range(300)]
    links = [
        {(rng.randrange(len(s.split())), rng.randrange(len(t.split()))) for _ in range(4)}
        for s, t in zip(source, target, strict=True)
    ]
    for pruning in (
        {}, {"min_count": 2}, {"min_prob": 0.05}, {"top": 3}, {"min_count": 2, "min_prob": 0.05, "top": 2},
        {"lexical_rule": "moses"}, {"lexical_rule": "moses", "min_count": 2, "top": 2},
    ):  # fmt: skip
        one = pg.extract_phrases(source, target, links, **pruning)
        with monkeypatch.context() as patched:
            patched.setattr("paragauge.phrases.extract._PAIRS_IN_BATCH", 20)
            patched.setattr("paragauge.phrases.extract._MOST_BYTES_IN_RUN", 1)
            many = pg.extract_phrases(source, target, links, **pruning)
        assert len(one) > 20
        assert many == one
        assert many.options == one.options


def test_words_stand_between_white_space_of_any_script():
    spaces = "\u00a0\u3000\u2003\x1f\t "
    text = spaces.join(["", "a", "b\x01c", "d\u200be", ""])
    table = pg.extract_phrases([text], [text], ["0-0 1-1 2-2"])
    assert [pair.source for pair in table if " " not in pair.source] == sorted(text.split())


def test_half_a_character_is_no_text():
    with pytest.raises(DataError, match="target: sentence 2 has half a character"):
        pg.extract_phrases(["a", "b"], ["x", "y\ud800"], ["0-0", "0-0"])


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (["0-0", "1:2"], r"alignment 2: '1:2' is not an alignment link; expected 'i-j' with 0-based integers"),
        (
            ["0-0", "0-7"],
            r"alignment 2: link 0-7 points past the target sentence \(1 tokens\); if your links count from 1",
        ),
        (["2-0", "0-0"], r"alignment 1: link 2-0 points past the source sentence \(2 tokens\)"),
        ([[(0, -1)], []], r"alignment 1: \(0, -1\) is not a link"),
        ([[(0, 0, 0)], []], r"is not a link; expected \(source, target\) positions"),
        ([[5], []], r"5 is not a link"),
        (["0-0"], r"source has 2, alignments has 1"),
        (["0-0", "", ""], r"source has 2, alignments has 3"),
    ],
)
def test_wrong_links_are_named(links, message):
    with pytest.raises(DataError, match=message):
        pg.extract_phrases(["a b", "c"], ["x", "y"], links)


def test_wrong_arguments_are_named():
    with pytest.raises(DataError, match="source is one string, expected a sequence"):
        pg.extract_phrases("a b", ["x"], ["0-0"])
    with pytest.raises(DataError, match="source has 1, target has 2"):
        pg.extract_phrases(["a"], ["x", "y"], ["0-0"])
    with pytest.raises(DataError, match="alignments is empty"):
        pg.extract_phrases([], [], [])
    with pytest.raises(DataError, match="'b c' is empty, contains white space or is not a string"):
        pg.extract_phrases([["a", "b c"]], ["x"], ["0-0"])
    for options, message in (
        ({"max_length": 0}, "max_length must be at least 1"),
        ({"min_count": 0}, "min_count must be at least 1"),
        ({"min_prob": 2}, "min_prob must be between 0 and 1"),
        ({"top": 0}, "top must be at least 1"),
    ):
        with pytest.raises(OptionError, match=message):
            pg.extract_phrases(["a"], ["x"], ["0-0"], **options)


def test_sentences_without_words_or_links_give_no_phrases():
    table = pg.extract_phrases(["", "a"], ["x", "y"], ["", ""])
    assert len(table) == 0
    assert table.lookup("a") == []


@pytest.mark.data
@pytest.mark.parametrize(("max_length", "total"), [(4, 86_669), (7, 135_022)])
def test_extraction_equals_moses(data_folder, max_length, total):
    folder = data_folder / "rivals" / "extract"
    files = [folder / name for name in ("pairs.en.gz", "pairs.fr.gz", "links.en-fr.gz")]
    table = extract_phrase_files(*files, max_length=max_length)
    assert table.total == total
    if max_length == 4:
        with gzip.open(folder / "moses.max4.gz", "rt", encoding="utf-8", newline="\n") as file:
            rows = [line.rstrip("\n").split(" ||| ") for line in file]
        assert counts_of(table) == {(source, target): int(count) for source, target, count in rows}
    best = max(table, key=lambda pair: pair.count)
    assert math.isclose(best.probability, best.count / best.source_count)
