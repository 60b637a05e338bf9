"""MAXSIM: every stage and formula by hand, a slow oracle, invariants, tuning."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx

from paragauge.align.alignment import Alignment
from paragauge.analysis import Analysis, Lexicon, Triple, write_conllu
from paragauge.corpora import Judgments, Segments
from paragauge.corpora.testset import TestSet as Texts
from paragauge.errors import DataError, OptionError
from paragauge.matching.items import Items, match_items
from paragauge.meta.tuning import tune
from paragauge.metrics import MaxSim
from paragauge.monolingual import WordAligner
from paragauge.phrases.opening import open_paraphrases

LEXICON = Lexicon.load()


def items(text, triples=()):
    """Items from ``lemma/TAG`` words."""
    pairs = [word.rsplit("/", 1) for word in text.split()]
    return Items(tuple(a for a, _ in pairs), tuple(b for _, b in pairs), tuple(Triple(*each) for each in triples))


def sums(one, other, **options):
    settings = {"max_order": 3, "triples": False, **options}
    return match_items([one], [other], LEXICON, **settings).sums[0].tolist()


def test_the_three_stages_by_hand():
    own = items("the/DT car/NN stop/VB quick/RB")
    other = items("the/DT automobile/NN stop/NN banana/NN")
    found = match_items([own], [other], LEXICON, max_order=3, triples=False)
    begin, end = found.starts[0, :2]
    rows = list(zip(found.rows[begin:end].tolist(), found.weights[begin:end].tolist(), strict=True))
    assert rows == [
        ([0, 0, 0], 1.0),  # lemma and tag
        ([2, 2, 1], 1.0),  # lemma alone
        ([1, 1, 2], 1.0),  # the rest: same tag and synonyms; "quick" and "banana" have nothing in common
    ]
    # Bigrams: the car - the automobile 1; car stop - automobile stop (1 + 1/2) / 2; stop quick - stop banana is
    # nothing, since quick and banana are. Trigrams: (1 + 1 + 1/2) / 3.
    assert found.sums[0].tolist() == approx([3, 1.75, 2.5 / 3])


def test_two_different_nouns_weigh_a_half():
    assert sums(items("dog/NN"), items("banana/NN"))[0] == 0.5
    assert sums(items("dog/NN"), items("banana/JJ"))[0] == 0


def test_the_first_free_reference_ngram_wins_in_the_first_stages():
    found = match_items([items("a/X a/Y")], [items("a/Z a/X a/Y")], LEXICON, max_order=1, triples=False)
    assert found.rows.tolist() == [[0, 1, 0], [1, 2, 0]]
    found = match_items([items("a/P a/Q")], [items("a/X a/Y")], LEXICON, max_order=1, triples=False)
    assert found.rows.tolist() == [[0, 0, 1], [1, 1, 1]]


def test_the_matching_is_the_best_not_the_first():
    # car is a synonym of both; greedily it would take the first and leave "auto" with nothing but its tag.
    own, other = items("machine/NN auto/NNS"), items("auto/NN simple_machine/NNS")
    assert sums(own, other, max_order=1) == sums(other, own, max_order=1)


def slow(one, other, order):
    """The paper's rules, word for word; the best matching by trying all."""
    left = [list(zip(one.lemmas, one.tags, strict=True))[i : i + order] for i in range(len(one.lemmas) - order + 1)]
    right = [
        list(zip(other.lemmas, other.tags, strict=True))[i : i + order] for i in range(len(other.lemmas) - order + 1)
    ]
    total = 0.0
    for equal in (
        lambda a, b: a == b,
        lambda a, b: [lemma for lemma, _ in a] == [lemma for lemma, _ in b],
    ):
        for a in list(left):
            for k, b in enumerate(right):
                if equal(a, b):
                    left.remove(a)
                    del right[k]
                    total += 1
                    break

    def weight(a, b):
        parts = [((p == q) + LEXICON.share_synonym(m, n)) / 2 for (m, p), (n, q) in zip(a, b, strict=True)]
        return sum(parts) / order if order == 1 or all(parts) else 0.0

    if len(left) > len(right):
        left, right = right, left
    return total + max(sum(map(weight, left, choice)) for choice in permutations(right, len(left)))


tagged = st.lists(
    st.tuples(st.sampled_from("car auto machine run go cat".split()), st.sampled_from(["NN", "VB"])), max_size=5
).map(lambda pairs: Items(tuple(a for a, _ in pairs), tuple(b for _, b in pairs)))


@given(tagged, tagged)
@settings(max_examples=200)
def test_matches_are_those_of_the_slow_oracle(one, other):
    assert sums(one, other) == approx([slow(one, other, order) for order in (1, 2, 3)])


@given(tagged, tagged)
def test_matches_are_symmetric(one, other):
    # Whoever comes first: of too many equal n-grams it is the last ones that stay over.
    assert sums(one, other) == approx(sums(other, one))


@given(tagged)
def test_a_sentence_matches_itself(one):
    count = len(one.lemmas)
    assert sums(one, one) == [max(0, count - order + 1) for order in (1, 2, 3)]


def test_triples_by_hand():
    own = items("x/NN", [("dog", "subj", "buy"), ("it", "obj", "buy")])
    other = items("x/NN", [("dog", "subj", "purchase"), ("house", "subj", "go"), ("ball", "obj", "purchase")])
    # dog-subj-buy and dog-subj-purchase: (1 + 1 + 1) / 3; it-obj-buy and ball-obj-purchase: (0 + 1 + 1) / 3.
    assert sums(own, other, triples=True)[3] == approx(1 + 2 / 3)
    assert sums(items("x/NN", [("dog", "subj", "buy")]), items("x/NN", [("dog", "obj", "buy")]), triples=True)[3] == 0


def test_distance_takes_from_far_matches():
    own, other = items("dog/NN a/A b/B c/C"), items("w/W x/X y/Y cat/NN")
    assert sums(own, other, max_order=1) == [0.5]
    assert sums(own, other, max_order=1, distance=1.0) == [0.5 * (1 - 3 / 4)]


ANALYSES = [
    Analysis(("Dogs", "chased", "the", "cat", "."), ("NNS", "VBD", "DT", "NN", "."),
             ("dog", "chase", "the", "cat", "."), (1, -1, 3, 1, 1), ("nsubj", "root", "det", "obj", "punct")),
    Analysis(("A", "dog", "chases", "cats", "."), ("DT", "NN", "VBZ", "NNS", "."), ("a", "dog", "chase", "cat", "."),
             (1, 2, -1, 2, 2), ("det", "nsubj", "root", "obj", "punct")),
    Analysis(("Rain", "."), ("NN", "."), ("rain", "."), (-1, 0), ("root", "punct")),
    Analysis((".",), (".",), (".",), (-1,), ("root",)),
]  # fmt: skip
TEXTS = [" ".join(analysis.words) for analysis in ANALYSES]


@pytest.fixture
def provider(tmp_path):
    write_conllu(tmp_path / "analyses.conllu", ANALYSES)
    return f"files:{tmp_path / 'analyses.conllu'}"


def test_scores_by_hand(provider):
    score = MaxSim(provider=provider).score(TEXTS[0], TEXTS[1])
    # Unigrams dog chase the cat / a dog chase cat: three lemmas match, the and a have their tag in common: 3.5 of 4.
    # Bigrams: dog chase is there; the cat and a dog share both tags: (1/2 + 1/2) / 2; chase the has no partner.
    # Trigrams: none with something in common at every place.
    assert score.f_1 == approx(3.5 / 4)
    assert score.f_2 == approx(1.5 / 3)
    assert score.f_3 == 0
    assert score.value == approx((3.5 / 4 + 1.5 / 3 + 0) / 3)
    with_relations = MaxSim(provider=provider, dependencies=True).score(TEXTS[0], TEXTS[1])
    assert with_relations.f_d == 1
    assert with_relations.value == approx((3.5 / 4 + 1.5 / 3 + 0 + 1) / 4)
    assert with_relations.signature.get("items") == "n+d"


def test_signatures_tell_variants_apart():
    beyond = {
        "similarity": "words",
        "table": open_paraphrases("default").digest,
        "distance": "0.5",
        "aligner": WordAligner.load().signature,
    }
    options = {"similarity": "words", "paraphrases": "default", "distance": 0.5, "aligner": True}
    for dependencies, items in ((False, "n"), (True, "n+d")):
        paper = MaxSim(dependencies=dependencies).signature_items()
        assert paper["items"] == items
        assert not set(paper) & set(beyond)
        for key, option in zip(beyond, options, strict=True):
            variant = MaxSim(dependencies=dependencies, **{option: options[option]}).signature_items()
            assert variant == {**paper, key: beyond[key]}


def test_words_that_an_aligner_links_count_as_synonyms():
    pairs = [(Items(("red",), ("JJ",), words=("red",)), Items(("crimson-like",), ("JJ",), words=("crimson-like",)))] * 2
    own, other = zip(*pairs, strict=True)

    def aligner(candidates, references):
        return [Alignment.from_pharaoh("0-0"), Alignment.from_pharaoh("")]

    found = match_items(own, other, LEXICON, max_order=2, triples=False, aligner=aligner)
    assert found.sums.tolist() == [[1.0, 0.0], [0.5, 0.0]]  # each pair for itself
    assert found.starts.tolist() == [[0, 1, 1], [1, 2, 2]]
    metric = MaxSim(aligner=True, similarity="words")
    texts = ["He heard it on VOA", "Dogs bark"], ["He heard it on Voice of America", "Dogs bark"]
    segments = Segments.of(*texts)
    rows = metric.statistics(segments)
    assert rows[0, 2] > MaxSim(similarity="words").statistics(segments)[0, 2]
    assert rows[1, 0] == 1
    assert metric.row(Segments.of([texts[0][0]], [texts[1][0]])) == approx(rows[0].tolist())


def test_kinds_that_neither_side_has_are_left_out(provider):
    metric = MaxSim(provider=provider, dependencies=True)
    assert metric.score(TEXTS[2], TEXTS[2]).value == 1  # one word: no bigrams, no relations
    mixed = metric.score(TEXTS[2], TEXTS[0])  # the other side has them: 0
    assert mixed.value == approx(mixed.f_1 / 4)
    assert metric.score(TEXTS[3], TEXTS[3]).value == 0  # nothing at all


def test_identical_sentences_score_1(provider):
    for alpha in (0.0, 0.3, 0.7, 0.9, 1.0):
        for text in TEXTS[:3]:
            assert MaxSim(provider=provider, alpha=alpha, dependencies=True).score(text, text).value == 1


def test_alpha_goes_from_precision_to_recall(provider):
    short, long = TEXTS[2], TEXTS[0]
    values = [MaxSim(provider=provider, alpha=alpha / 10, max_order=1).score(short, long).value for alpha in range(11)]
    assert values[0] == approx(0.5)
    assert values[10] == approx(0.125)
    assert values == sorted(values, reverse=True)


def test_several_references_and_corpora_are_means(provider):
    metric = MaxSim(provider=provider)
    one, two = (metric.score(TEXTS[0], TEXTS[k]).value for k in (0, 1))
    assert metric.score(TEXTS[0], TEXTS[:2]).value == approx((one + two) / 2)
    corpus = metric.corpus_score([TEXTS[0], TEXTS[2]], [TEXTS[1], TEXTS[2]])
    assert corpus.value == approx((two + 1) / 2)
    # Only the first sentence has bigrams: their mean is over that sentence.
    assert corpus.f_2 == approx(1.5 / 3)


def test_explanation_draws_every_kind(provider):
    explanation = MaxSim(provider=provider, dependencies=True).explain(Segments.of([TEXTS[0]], [TEXTS[1]]))
    parts = explanation.details[1].parts
    assert [part.title for part in parts] == ["words", "pairs of words", "runs of three words", "subjects and objects"]
    unigrams = parts[0]
    assert unigrams.left == ("Dogs", "chased", "the", "cat")  # as written
    assert [(link.left[0], link.right[0], link.kind, link.weight) for link in unigrams.links] == [
        (0, 1, "lemma", 1.0),
        (1, 2, "lemma", 1.0),
        (2, 0, "similar", 0.5),
        (3, 3, "lemma", 1.0),
    ]
    assert parts[3].left == ("dog -subj-> chase", "cat -obj-> chase")


def test_unknown_sentences_and_endless_ones_are_refused(provider):
    with pytest.raises(DataError, match="is not in the files"):
        MaxSim(provider=provider).score("Something else", TEXTS[0])
    with pytest.raises(DataError, match="1,000,000 words; the running time of maxsim grows"):
        MaxSim(provider=provider).score("a " * 1_000_000, TEXTS[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 1.5}, "a number from 0 to 1"),
        ({"max_order": 0}, "a whole number from 1 to 100"),
        ({"dependencies": "maybe"}, "must be one of True, False"),
        ({"distance": -1}, "a number from 0 to 1"),
        ({"provider": 3}, "must be a provider"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        MaxSim(**options)


def test_tuning_finds_what_people_like(provider):
    # People who care about recall alone: alpha 1 agrees best with them.
    ids = tuple(str(number) for number in range(1, 9))
    candidates = [TEXTS[k] for k in (0, 1, 2, 2, 0, 1, 2, 0)]
    references = [TEXTS[k] for k in (0, 2, 0, 2, 1, 0, 1, 2)]
    testset = Texts(ids=ids, candidates={"a": tuple(candidates)}, references={"1": references})
    segments = testset.segments("a")
    recalls = [score.value for score in MaxSim(provider=provider, alpha=1.0).score_segments(segments)]
    judgments = Judgments.from_rows(
        [("a", segment, "j", "overall", value) for segment, value in zip(ids, recalls, strict=True)]
    )
    metrics = {f"{alpha:g}": MaxSim(provider=provider, alpha=alpha) for alpha in (0.0, 0.5, 1.0)}
    told: list[tuple[int, int | None, str]] = []
    found = tune(metrics, testset, judgments, folds=2, progress=lambda *state: told.append(state))
    assert found.best == "1"
    assert found.correlations["1"] == approx(1)
    assert told[-1] == (24, 24, "1")
    assert -1 <= found.held_out <= 1
    with pytest.raises(OptionError, match="at least 2"):
        tune(metrics, testset, judgments, folds=1)


def test_threads_change_nothing():
    rng = np.random.default_rng(7)
    words = "car auto machine run go cat".split()
    sides = [
        [
            Items(tuple(rng.choice(words, n).tolist()), tuple(rng.choice(["NN", "VB"], n).tolist()))
            for n in rng.integers(0, 12, 100)
        ]
        for _ in range(2)
    ]
    one, three = (match_items(*sides, LEXICON, max_order=3, triples=True, threads=n) for n in (1, 3))
    assert (one.rows == three.rows).all()
    assert (one.weights == three.weights).all()
