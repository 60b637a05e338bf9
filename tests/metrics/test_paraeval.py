"""ParaEval: the paper's example, the plain definition as an oracle, invariants, hostile input."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.cover import covered, greedy, matched_words, most_covered
from pytest import approx

from paragauge import Bleu, ParaphraseTable, PhraseTable, parse_metric
from paragauge.corpora import Segments
from paragauge.errors import DataError, FileError, OptionError
from paragauge.matching.cover import PhraseCoverer, SetOptions
from paragauge.metrics import ParaEval
from paragauge.phrases import ParaphraseSets
from paragauge.report.explain import explanation_html, explanation_text

# Figure 4: three phrases with one Chinese translation.
FIGURE_4 = {("blown up", "爆炸"): 1, ("bombing", "爆炸"): 2, ("explosion", "爆炸"): 3}
CANDIDATE = "hall was blown up bombing"
REFERENCES = ["the bombing was an explosion", "an explosion happened"]


def metric(table, **options):
    return ParaEval(
        table=table, **{"stem": False, "min_prob": 0, "min_inverse_prob": 0, "tokenizer": "none", **options}
    )


@pytest.fixture(scope="module")
def figure_4():
    return PhraseTable.from_counts(FIGURE_4)


def test_the_papers_example_gives_four_fifths(figure_4):
    score = metric(figure_4, value="precision").score(CANDIDATE, REFERENCES)
    assert score.value == 4 / 5
    assert score.paraphrased == 3 / 5
    assert Bleu(max_order=1, brevity_penalty=False).score(CANDIDATE, REFERENCES).value == approx(100 * 2 / 5)


def test_recall_is_the_mean_over_single_references(figure_4):
    score = metric(figure_4).score(CANDIDATE, REFERENCES)
    assert score.recall == approx((3 / 5 + 1 / 3) / 2)
    assert score.value == score.f1 == approx(2 * 0.8 * score.recall / (0.8 + score.recall))


def test_corpus_recall_sums_over_segments_before_it_is_averaged_over_references(figure_4):
    score = metric(figure_4, value="recall").corpus_score(
        [CANDIDATE, "bombing"], [REFERENCES, ["an explosion", "an explosion in the big hall"]]
    )
    assert score.value == approx(((3 + 1) / (5 + 2) + (1 + 1) / (3 + 6)) / 2)


def test_linked_phrases_are_clipped_by_the_best_single_reference(figure_4):
    each_one = metric(figure_4, value="precision").score("bombing blown up", ["explosion a", "explosion b"])
    assert each_one.value == 2 / 3  # one of the two counts: the longer
    both = metric(figure_4, value="precision").score("bombing blown up", ["explosion a", "explosion bombing"])
    assert both.value == 1


def test_the_longest_match_wins_then_the_leftmost():
    table = PhraseTable.from_counts({("a b", "F"): 1, ("x y z", "F"): 1, ("a", "G"): 1, ("x", "G"): 1, ("b", "H"): 1})
    coverer = PhraseCoverer([table], SetOptions())
    cover = coverer.cover("a b a".split(), ["x x y z".split()])
    assert [(m.candidate, m.other) for m in cover.matches] == [((0, 2), (1, 4)), ((2, 3), (0, 1))]


def test_exact_matching_can_cover_more():
    # Greedy takes the four words of `b c` and `q q`, which leaves nothing to `a b` and `c d`.
    table = PhraseTable.from_counts(
        {("b c", "1"): 1, ("q r", "1"): 1, ("a b", "2"): 1, ("q", "2"): 1, ("c d", "3"): 1, ("r", "3"): 1}
    )
    coarse = metric(table, value="precision").score("a b c d", ["q r"])
    exact = metric(table, value="precision", matching="exact").score("a b c d", ["q r"])
    assert (coarse.value, exact.value, exact.unproven) == (0.5, 1.0, 0)


WORDS = "a b c d e".split()
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
tables = st.dictionaries(st.tuples(phrases, st.sampled_from("FGHIJ")), st.integers(1, 4), min_size=1, max_size=14)
sentences = st.lists(st.sampled_from([*WORDS, "x"]), max_size=9)
groups = st.lists(sentences, min_size=1, max_size=3)


def sets_of(table, options):
    sets = ParaphraseSets(table, options.min_prob, options.min_inverse_prob, options.min_length)
    cache = {}

    def look(tokens):
        text = " ".join(tokens)
        if text not in cache:
            cache[text] = sets.sets(text)
        return cache[text]

    return look


_KNOWN = {}


def table_of(counts):
    """Making a table starts an engine; the same one again should not."""
    key = tuple(sorted(counts.items()))
    if key not in _KNOWN:
        _KNOWN[key] = PhraseTable.from_counts(counts)
    return _KNOWN[key]


def random_cases(seed, tables_made, sentences_each, longest=9):
    rng = random.Random(seed)
    for _ in range(tables_made):
        counts = {}
        for _ in range(rng.randint(1, 16)):
            phrase = " ".join(rng.choices(WORDS, k=rng.choice([1, 1, 2, 2, 3])))
            counts[phrase, rng.choice("FGHIJ")] = rng.randint(1, 4)
        table = PhraseTable.from_counts(counts)
        for _ in range(sentences_each):
            candidate = rng.choices([*WORDS, "x"], k=rng.randint(0, longest))
            references = [rng.choices([*WORDS, "x"], k=rng.randint(0, longest)) for _ in range(rng.randint(1, 3))]
            yield rng, table, candidate, references


def test_matching_is_its_plain_definition():
    for rng, table, candidate, references in random_cases(1, 40, 60):
        options = SetOptions(rng.choice([0, 0, 0.3]), rng.choice([0, 0, 0.3]), rng.choice([1, 1, 2]))
        coverer = PhraseCoverer([table], options)
        look = sets_of(table, options)
        cover = coverer.cover(candidate, references)
        found = {(m.reference, m.candidate, m.other) for m in cover.matches}
        assert found == set(greedy(candidate, references, look, options.min_length))
        matched, words, *_ = coverer.rows([candidate], [references])[0].tolist()
        assert (matched, words) == (matched_words(candidate, references, look, options.min_length)[0], len(candidate))
        assert matched == sum(mark > 0 for mark in cover.candidate)
        for r, reference in enumerate(references):
            expected = matched_words(candidate, [reference], look, options.min_length)[1]
            assert coverer.rows([candidate], [references])[0, 4 + 2 * r] == expected
            assert sum(mark > 0 for mark in cover.references[r]) == expected


def test_exact_matching_covers_the_most():
    better = 0
    for _, table, candidate, references in random_cases(2, 30, 20, longest=5):
        if len(references) * len(candidate) > 8:
            continue
        look = sets_of(table, SetOptions())
        coverer = PhraseCoverer([table], SetOptions(exact_steps=100_000))
        matches = [(m.reference, m.candidate, m.other) for m in coverer.cover(candidate, references).matches]
        every = greedy(candidate, references, look)
        if len(every) > 5:
            continue
        best = most_covered(candidate, references, look)
        assert covered(matches) == best
        better += best > covered(every)
    assert better > 0


def test_a_search_that_is_broken_off_is_no_worse_than_greedy_and_says_so():
    table = PhraseTable.from_counts({(word, "F"): 1 for word in "abcdefghij"})
    words = list("abcdefghij") * 3
    exact = PhraseCoverer([table], SetOptions(exact_steps=50))
    row = exact.rows([words], [[words[::-1], words]])[0]
    assert row[0] == 30
    lines = [list("aXbXcX") * 5, list("jXXiXh") * 5]
    plain = PhraseCoverer([table], SetOptions()).rows([lines[0]], [[lines[1]]])[0]
    assert exact.rows([lines[0]], [[lines[1]]])[0][0] >= plain[0]


@settings(max_examples=60)
@given(tables, sentences, groups)
def test_invariants(counts, candidate, references):
    table = table_of(counts)
    scorer = metric(table)
    texts = [" ".join(tokens) for tokens in references]
    score = scorer.score(" ".join(candidate), texts)
    assert 0 <= score.precision <= 1
    assert 0 <= score.recall <= 1
    assert 0 <= score.paraphrased <= score.precision
    # Without any paraphrase it is unigram precision, and paraphrases never lose a word that one reference confirms.
    unknown = metric(table, min_length=50)
    plain = unknown.score(" ".join(candidate), texts)
    if candidate and any(references):
        own = Bleu(tokenizer="none", max_order=1, brevity_penalty=False, smooth="none")
        assert plain.precision == approx(own.score(" ".join(candidate), texts).precision_1 / 100)
    # A copy matches wholly.
    if candidate:
        same = scorer.score(" ".join(candidate), " ".join(candidate))
        assert same.value == same.precision == same.recall == 1
    # One reference: precision and recall change places with the texts.
    there = unknown.score(" ".join(candidate), texts[0])
    back = unknown.score(texts[0], " ".join(candidate))
    if candidate and references[0]:
        assert (there.precision, there.recall) == (back.recall, back.precision)


def test_rows_do_not_depend_on_threads_or_company(monkeypatch):
    cases = list(random_cases(3, 1, 200))
    table = cases[0][1]
    coverer = PhraseCoverer([table], SetOptions())
    candidates, references = [case[2] for case in cases], [case[3] for case in cases]
    together = coverer.rows(candidates, references)
    monkeypatch.setattr("paragauge.matching.cover.thread_count", lambda threads: 1)
    assert (coverer.rows(candidates, references) == together).all()
    for k in range(0, 200, 17):
        alone = coverer.rows(candidates[k : k + 1], references[k : k + 1])[0]
        assert (together[k, : len(alone)] == alone).all()
        assert not together[k, len(alone) :].any()


def test_paraphrase_tables_and_folders_of_tables_serve_as_well(tmp_path, figure_4):
    pairs = ParaphraseTable.from_rows([("blown up", "explosion", 0.5), ("bombing", "explosion", 0.2)])
    scorer = metric(pairs, value="precision")
    assert scorer.score(CANDIDATE, REFERENCES).value == 4 / 5
    assert replace(scorer, min_prob=0.6).score(CANDIDATE, REFERENCES).value == 2 / 5
    assert scorer.score("blown up", "bombing").value == 0  # no pair of them, though both know the third
    with pytest.raises(OptionError, match=r"has no p\(e\|f\)"):
        replace(scorer, min_inverse_prob=0.1).score(CANDIDATE, REFERENCES)
    (tmp_path / "model").mkdir()
    figure_4.save(tmp_path / "model" / "zh")
    PhraseTable.from_counts({("hall", "salle"): 1, ("room", "salle"): 1}).save(tmp_path / "model" / "fr")
    for path, expected in [("model/zh", 4 / 5), ("model/fr", 2 / 5), ("model", 4 / 5)]:
        assert metric(str(tmp_path / path), value="precision").score(CANDIDATE, REFERENCES).value == expected
    both = metric(str(tmp_path / "model"), value="precision")
    assert both.score(CANDIDATE, [*REFERENCES, "a room"]).value == 1
    assert both.signature_items()["table"] != metric(str(tmp_path / "model" / "zh")).signature_items()["table"]
    pairs.save(tmp_path / "pairs")
    assert metric(str(tmp_path / "pairs"), value="precision").score(CANDIDATE, REFERENCES).value == 4 / 5


def test_a_table_that_was_saved_has_the_signature_of_its_folder(tmp_path, figure_4):
    figure_4.save(tmp_path / "one")
    figure_4.save(tmp_path / "two")
    one, two = (metric(str(tmp_path / name)).signature_items() for name in ("one", "two"))
    assert one == two
    assert one["table"] != metric(PhraseTable.from_counts({("a", "b"): 1})).signature_items()["table"]


def test_thresholds_and_length_narrow_the_sets():
    table = PhraseTable.from_counts({("big", "gross"): 9, ("large", "gross"): 1, ("large", "weit"): 9})
    assert metric(table).score("big", "large").value == 1
    assert metric(table, min_prob=0.5).score("big", "large").value == 0  # p(gross|large) = 1/10
    assert metric(table, min_inverse_prob=0.5).score("big", "large").value == 0  # p(large|gross) = 1/10
    assert metric(table, min_length=2).score("big", "large").value == 0
    assert metric(table, min_length=2).score("big", "big").value == 1


def test_stems_match_a_table_of_stems():
    table = PhraseTable.from_counts({("bomb", "F"): 1, ("explos", "F"): 1})
    score = ParaEval(table=table, min_prob=0, min_inverse_prob=0).score("The Bombings.", "an explosion .")
    assert score.precision == 2 / 3
    assert score.signature.get("stem") == "porter"


def test_segments_may_have_different_numbers_of_references(figure_4):
    scorer = metric(figure_4)
    segments = Segments.of([CANDIDATE] * 40, [REFERENCES if k % 20 else REFERENCES[:1] for k in range(40)])
    rows = scorer.statistics_in_blocks(segments, lambda n: None)
    assert (rows == scorer.statistics(segments)).all()
    one_first = Segments.of([CANDIDATE] * 40, [REFERENCES[:1]] * 20 + [REFERENCES] * 20)
    blocks = scorer.statistics_in_blocks(one_first, lambda n: None)
    assert (blocks == scorer.statistics(one_first)).all()


@pytest.mark.parametrize("candidate", ["", " ", "word " * 50, "\u3000", "a\tb", "'", "😀 <script>"])
def test_odd_text_scores(figure_4, candidate):
    score = metric(figure_4, tokenizer="penn").score(candidate, ["", "an explosion"])
    assert 0 <= score.value <= 1


def test_a_million_tokens():
    rng = np.random.default_rng(5)
    vocabulary = [f"w{k}" for k in range(300)]
    table = PhraseTable.from_counts(
        {(f"w{k} w{(7 * k) % 300}" if k % 3 else f"w{k}", f"f{k % 40}"): 1 for k in range(300)}
    )
    texts = [" ".join(np.array(vocabulary)[rng.integers(300, size=1_000_000)]) for _ in "12"]
    score = metric(table).score(texts[0], texts[1])
    assert score.precision > 0.9
    repeated = metric(table).score("w0 " * 1_000_000, "w3 " * 900_000)
    assert repeated.precision <= 0.9


def test_explanation_shows_what_matched_through_which_foreign_phrase(figure_4):
    table = PhraseTable.from_counts({**FIGURE_4, ("<b>", "<i>"): 1, ("bold", "<i>"): 1})
    explanation = metric(table).explain(Segments.of([CANDIDATE + " <b>"], [[*REFERENCES, "bold"]]))
    text = explanation_text([explanation])
    assert "hall (was) [blown] [up] [bombing] [<b>]" in text
    assert next(line.split() for line in text.splitlines()[2:] if "爆炸" in line)[:2] == ["blown", "up"]
    page = explanation_html([explanation])
    assert "爆炸" in page
    assert "<i>" not in page
    assert "&lt;i&gt;" in page


def test_phrases_that_match_in_different_references_are_clipped_if_they_are_linked():
    counts = {("a", "1"): 1, ("x", "1"): 1, ("b c", "2"): 1, ("y", "2"): 1}
    apart = metric(PhraseTable.from_counts(counts), value="precision")
    assert apart.score("a b c", ["x", "y"]).value == 1
    linked = metric(PhraseTable.from_counts({**counts, ("a", "3"): 1, ("b c", "3"): 1}), value="precision")
    assert linked.score("a b c", ["x", "y"]).value == 2 / 3
    text = explanation_text([linked.explain(Segments.of(["a b c"], [["x", "y"]]))])
    assert "a [b] [c]" in text
    assert "no (clipped)" in text


def test_options_and_missing_tables_are_refused(tmp_path):
    for option in ({"value": "f2"}, {"matching": "best"}, {"min_prob": 2}, {"min_length": 0}, {"table": 3}):
        with pytest.raises(OptionError, match="paraeval"):
            ParaEval(**option)
    with pytest.raises(FileError, match="no such folder, expected the folder of a table"):
        ParaEval(table=str(tmp_path / "absent")).score("a", "a")
    with pytest.raises(DataError, match="there is no phrase table or paraphrase table in this folder"):
        ParaEval(table=str(tmp_path)).score("a", "a")
    (tmp_path / "file").write_text("a ||| b")
    with pytest.raises(FileError, match="is a file"):
        ParaEval(table=str(tmp_path / "file")).score("a", "a")
    assert parse_metric("paraeval(value=recall, min_length=3)") == ParaEval(value="recall", min_length=3)
    assert parse_metric("paraeval(table=../some/table-1)").table == "../some/table-1"


@pytest.mark.data
def test_the_table_that_comes_along_brings_segments_closer_to_people(data_folder):
    """newstest2015, 500 segments of each of four language pairs: well above BLEU, and on a level with words alone."""
    folder = data_folder / "mt_daseg" / "newstest2015"
    means = {}
    for name, scorer in (("f1", ParaEval()), ("words", ParaEval(min_length=100)), ("bleu", Bleu())):
        found = []
        for pair in ("cs-en", "de-en", "fi-en", "ru-en"):
            candidates, references, human = (
                (folder / f"DAseg.newstest2015.{kind}.{pair}").read_text(encoding="utf-8").splitlines()
                for kind in ("mt-system", "reference", "human")
            )
            scores = [score.value for score in scorer.segment_scores(candidates, references)]
            found.append(np.corrcoef(scores, list(map(float, human)))[0, 1])
        means[name] = np.mean(found)
    assert means["f1"] > means["bleu"] + 0.03
    assert means["f1"] > means["words"] - 0.002


def test_scores_work_after_install():
    score = ParaEval().score("We must leave immediately.", "We have to leave at once.")
    plain = ParaEval(min_length=100).score("We must leave immediately.", "We have to leave at once.")
    assert score.paraphrased > 0
    assert score.value > plain.value
