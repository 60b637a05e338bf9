"""The judge of fluency: what it must see, what it must not punish, its folders and its training."""

import shutil
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.resources import sign_again

from paragauge.errors import DataError, FileError, OptionError
from paragauge.judges import fluency
from paragauge.judges.damage import Damager
from paragauge.judges.fluency import LOSSES, FluencyModel
from paragauge.judges.fluency_training import (
    DAMAGE_KINDS,
    Example,
    ExpectationOptions,
    fit_weights,
    make_examples,
    tag_sentences,
    train_expectations,
    train_fluency,
)

PAIRS = [
    ("The committee will decide on the new rules next week.", "New rules will be decided on by the panel next week."),
    ("He lost his keys somewhere in the park.", "Somewhere in the park he mislaid his keys."),
    ("I don't think that she is going to come to the party.", "I doubt that she will come to the party."),
    ("The company sold most of its factories in Europe last year.", "Last year the firm sold most European factories."),
    ("Could you tell me where the nearest bank is?", "Do you know where I can find a bank near here?"),
    ("A man in a red shirt is riding a horse on the beach.", "A man who wears a red shirt rides along the beach."),
    ("They had been waiting for the bus for more than an hour.", "They waited over an hour for the bus to arrive."),
    ("Because it was raining, we stayed at home and played cards.", "We played cards at home because of the rain."),
    ("The police said that nobody was hurt in the accident.", "According to the police, no one was injured."),
    ("It is not easy to learn a foreign language.", "Learning a foreign language is hard."),
    ("My sister, who lives in Spain, teaches music at a school.", "My sister lives in Spain and is a music teacher."),
    ("The price of oil rose by five percent in March.", "In March, oil became five percent more expensive."),
]
ORIGINALS = [original for original, _ in PAIRS]


@pytest.fixture(scope="module")
def model():
    return FluencyModel.open()


def judge(model, candidates, originals):
    return model.fluency(tag_sentences(candidates, 1), tag_sentences(originals, 1))


def one(model, candidate, original):
    return float(judge(model, [candidate], [original])[0])


def test_a_copy_is_perfect(model):
    assert judge(model, ORIGINALS, ORIGINALS).tolist() == [1.0] * len(PAIRS)


def test_paraphrases_are_fluent(model):
    values = judge(model, [paraphrase for _, paraphrase in PAIRS], ORIGINALS)
    assert values.min() > 0.4
    assert values.mean() > 0.8


@pytest.mark.parametrize("kind", ["shuffled", "function-words-dropped", "words-repeated", "neighbours-swapped"])
def test_damage_costs_much(model, kind):
    damaged = Damager(ORIGINALS, seed=3, threads=1).damage(kind, ORIGINALS)
    values = judge(model, [text or "" for text in damaged], ORIGINALS)
    assert None not in damaged
    assert values.max() < 0.9
    assert values.mean() < 0.45


@pytest.mark.parametrize(
    "candidate",
    [
        "He lose his keys somewhere in the park.",
        "He lost his key somewheres the in park.",
        "He lost his keys in in the park.",
        "He lost keys park.",
        "He lost his keys somewhere in the.",
        "Park the in somewhere keys his lost he.",
    ],
)
def test_broken_english_is_less_fluent_than_a_paraphrase(model, candidate):
    original, paraphrase = PAIRS[1]
    assert one(model, candidate, original) < 0.8 < one(model, paraphrase, original)


def test_case_and_final_punctuation_do_not_matter(model):
    assert one(model, ORIGINALS[0].lower(), ORIGINALS[0]) == 1.0
    assert one(model, ORIGINALS[0].rstrip("."), ORIGINALS[0]) == 1.0
    tagged = tag_sentences([PAIRS[1][1], ORIGINALS[1]], 1)
    upper = [(token.upper(), tag) for token, tag in tagged[0]]
    assert model.fluency([upper], tagged[1:]) == model.fluency(tagged[:1], tagged[1:])


def test_unknown_words_and_names_cost_little(model):
    original = "The old man lives in a small village."
    plain = one(model, "The old man has a house in a village.", original)
    strange = one(model, "The old brumpet has a quillop in a village.", original)
    assert strange > plain - 0.15
    assert one(model, "Mr. Zygmunt Xylander lives in Przemkow.", original) > 0.7


@pytest.mark.parametrize(
    ("candidate", "original"),
    [
        ("Two dogs on a beach.", "Two dogs are playing on the beach."),
        ("Where are you going?", "What is your destination?"),
        ("Never have I seen such a thing.", "I have never seen anything like it."),
        ("the weather was nice so we went out", "We went outside since the weather was fine."),
    ],
)
def test_unusual_but_correct_english_is_fluent(model, candidate, original):
    assert one(model, candidate, original) > 0.6


def test_no_word_is_no_english(model):
    assert one(model, "", "Tom sleeps.") == one(model, "...", "Tom sleeps.") == one(model, "", "") == 0.0
    assert one(model, "Tom sleeps.", "") > 0.5
    assert model.fluency([], []).shape == (0,)


def test_numbers_of_sentences_must_agree(model):
    with pytest.raises(OptionError, match="1 candidates and 0 originals"):
        model.fluency([[("tom", "NNP")]], [])


TOKENS = st.lists(
    st.tuples(
        st.sampled_from(["the", "dog", "</s>", "<unk>", "|", ",", "''", "x1", "é"]), st.sampled_from("DT NN , |")
    ),
    max_size=8,
)


@given(st.lists(st.tuples(TOKENS, TOKENS), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_tokens_have_a_value_that_does_not_depend_on_the_others(pairs):
    model = FluencyModel.open()
    candidates, originals = zip(*pairs, strict=True)
    values = model.fluency(candidates, originals)
    assert ((values >= 0) & (values <= 1)).all()
    alone = [model.fluency([candidate], [original])[0] for candidate, original in pairs]
    assert values.tolist() == pytest.approx(alone, abs=1e-12)


def slow_losses(model, candidate, original):
    """Compute the losses of a pair in the words of the module's docstring, one place after another."""
    words, known = ([token for token, _ in each if fluency.is_word(token)] for each in (candidate, original))
    known_pairs = set(zip(["", *known], [*known, ""], strict=True))
    new = [pair not in known_pairs for pair in zip(["", *words], [*words, ""], strict=True)]
    surprises = []
    for expected in (model.grammar, model.wording):
        classes, marked = [], False
        for token, tag in candidate:
            if fluency.is_word(token):
                classes += [fluency.MARK] * (marked and bool(classes)) + [fluency.class_of(token, tag, expected.model)]
                marked = False
            else:
                marked = marked or fluency.is_mark(token)
        numbers, log10_p, _ = expected.model.word_arrays([classes])
        mark = expected.model.queries.find(fluency.MARK)
        surprises.append(
            [
                float(expected.log10_shares[number]) - float(here) if number else 0.0
                for number, here in zip(numbers.tolist(), log10_p.tolist(), strict=True)
                if number != mark
            ]
        )
    *places, end = zip(new, *surprises, strict=True)
    places = [(grammar, wording) for is_new, grammar, wording in places if is_new]
    count = len(places) + 2
    small = [
        sum(
            tag in fluency._SMALL_TAGS or token in fluency._SMALL_WORDS for token, tag in each if fluency.is_word(token)
        )
        / max(1, len(of))
        for each, of in ((candidate, words), (original, known))
    ]
    missing = max(0.0, min(small[1], 0.4) - small[0] - 0.35 / max(1, len(words)) ** 0.5)
    return [
        sum(max(0.0, grammar + min(0.0, wording)) ** 2 for grammar, wording in places) / count,
        sum(max(0.0, wording) ** 2 for _, wording in places) / count,
        max(0.0, (end[1] + end[2]) / 2 - 0.3) if end[0] else 0.0,
        sum(new[k] and words[k] == words[k - 1] for k in range(1, len(words))) / count,
        missing * (0.2 + sum(max(0.0, grammar) for grammar, _ in places) / count),
    ]


@given(st.lists(st.tuples(TOKENS, TOKENS), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_losses_are_those_of_a_slow_computation(pairs):
    model = FluencyModel.open()
    english = tag_sentences(["He lost his keys the in park, somewhere park.", ORIGINALS[1]], 1)
    pairs = [*pairs, tuple([(token.lower(), tag) for token, tag in each] for each in english)]
    found = model.losses(*zip(*pairs, strict=True))
    assert found == pytest.approx(np.array([slow_losses(model, *pair) for pair in pairs]), rel=1e-12, abs=1e-12)


def test_marks_count_once_and_between_words(model):
    tagged = tag_sentences([PAIRS[8][1], ORIGINALS[8]], 1)
    again = [(",", ","), *tagged[0], ("...", ":")]
    comma = [token for token, _ in again].index(",", 1)
    again[comma:comma] = [("--", ":"), ("$", "$")]
    assert model.fluency([again], tagged[1:]) == model.fluency(tagged[:1], tagged[1:])


def test_explanation_names_losses_and_places(model):
    candidate, original = tag_sentences(["He lost his keys the in park, somewhere.", ORIGINALS[1]], 1)
    found = model.explain(candidate, original, most=2)
    assert found.fluency == model.fluency([candidate], [original])[0]
    assert tuple(found.losses) == LOSSES
    assert found.fluency == pytest.approx(np.exp(-sum(found.losses.values())))
    assert len(found.places) == 2
    worst = found.places[0]
    assert (worst.after, worst.token) in {("the", "in"), ("keys", "the"), ("in", "park")}
    assert candidate[worst.position][0] == worst.token
    assert max(worst.grammar, worst.wording) > 0.5
    ending = model.explain(candidate[:-5], original)
    assert ending.places[0].position == len(candidate) - 5
    assert ending.losses["ending"] > 0


def test_the_model_is_small_and_quick(model):
    opened = min(_seconds(FluencyModel.open) for _ in range(3))
    pair = tag_sentences([PAIRS[3][1], ORIGINALS[3]], 1)
    asked = min(_seconds(lambda: model.fluency(pair[:1], pair[1:])) for _ in range(50))
    assert opened < 0.5
    assert asked < 0.005


def _seconds(action):
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


# Training and folders

_SUBJECTS = ["the man", "a woman", "my brother", "the old teacher", "our neighbour", "the boy", "she", "he"]
_VERBS = ["saw", "found", "bought", "wanted", "liked", "sold", "took"]
_OBJECTS = ["a book", "the house", "some bread", "a small dog", "the red car", "his letters"]
_ENDS = ["in the city", "on Monday", "after the long war", "with a friend", "for his sister"]
TEXT = [
    f"{subject} {verb} {thing}{',' if number % 3 else ''} {end}.".capitalize()
    for number, (subject, verb, thing, end) in enumerate(
        (subject, verb, thing, end) for subject in _SUBJECTS for verb in _VERBS for thing in _OBJECTS for end in _ENDS
    )
]
SMALL = ExpectationOptions(words=40, order=3, min_counts=(1, 1, 2))


@pytest.fixture(scope="module")
def small():
    pairs = {"made up": [(TEXT[number], TEXT[number + 6]) for number in range(0, 1200, 40)]}
    singles = {"singles": TEXT[3:1200:60]}
    examples = make_examples(pairs, singles, Damager(TEXT[:50], threads=1))
    assert {example.damage for example in examples} - {""} <= set(DAMAGE_KINDS)
    return examples, train_fluency(TEXT, examples, grammar=SMALL, wording=SMALL, threads=1)


def test_a_small_model_tells_good_from_bad(small):
    examples, model = small
    values = judge(model, [example.candidate for example in examples], [example.original for example in examples])
    good = np.array([not example.damage for example in examples])
    assert values[good].mean() > 0.8
    assert values[~good].mean() < 0.5


def test_training_is_the_same_for_any_number_of_threads(small, tmp_path):
    examples, model = small
    again = train_fluency(TEXT, examples, grammar=SMALL, wording=SMALL, threads=3)
    model.save(tmp_path / "one", licence="CC0")
    again.save(tmp_path / "three", licence="CC0")
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) > 8
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "three" / file).read_bytes(), file


def test_a_saved_model_answers_alike(small, tmp_path):
    examples, model = small
    model.save(tmp_path / "model", inputs={"text": "made up"}, licence="CC0")
    opened = FluencyModel.open(tmp_path / "model", verify=True)
    candidates, originals = [example.candidate for example in examples], [example.original for example in examples]
    assert judge(opened, candidates, originals).tolist() == judge(model, candidates, originals).tolist()
    assert opened.weights == model.weights
    assert opened.manifest.licence == "CC0"


def test_examples_need_both_verdicts():
    examples = [Example("made up", "a", "a"), Example("made up", "b", "b")]
    with pytest.raises(DataError, match="found 2 good examples of 2, expected good and bad ones"):
        fit_weights(np.zeros((2, len(LOSSES))), examples)


def test_weights_follow_what_tells_examples_apart():
    examples = [Example("t", "a", "a")] * 10 + [Example("t", "a", "b", "shuffled")] * 10
    losses = np.zeros((20, len(LOSSES)))
    losses[10:, 0] = 1.0
    losses[:, 1] = 1.0
    weights = fit_weights(losses, examples)
    assert weights["grammar"] > 3
    assert weights["wording"] == 0


def test_text_without_punctuation_is_refused():
    with pytest.raises(DataError, match="found no punctuation between words in 2 sentences"):
        train_expectations(tag_sentences(["Tom sleeps.", "Mary sings."], 1), SMALL)


def test_damaged_folders_are_refused(small, tmp_path):
    _, model = small
    whole = tmp_path / "whole"
    model.save(whole)

    def broken(name, change):
        folder = tmp_path / name
        shutil.copytree(whole, folder)
        change(folder)
        return folder

    with pytest.raises(FileError, match="no such folder"):
        FluencyModel.open(tmp_path / "nothing")
    with pytest.raises(DataError, match="is a resource of kind language-model, expected fluency-model"):
        FluencyModel.open(whole / "grammar")
    with pytest.raises(DataError, match=r"the file grammar/ngrams\.2\.npy is missing"):
        FluencyModel.open(broken("missing", lambda folder: (folder / "grammar" / "ngrams.2.npy").unlink()))
    with pytest.raises(DataError, match="does not match; the file is damaged"):
        FluencyModel.open(broken("changed", _flip_last_byte), verify=True)
    with pytest.raises(DataError, match=r"weights of the losses: found .*expected a number of at least 0 for each of"):
        FluencyModel.open(broken("negative", lambda folder: _rewrite(folder, "weights.json", b'{"grammar": -1.0}')))
    with pytest.raises(DataError, match=r"weights\.json: is damaged .*expected the weights of the losses as JSON"):
        FluencyModel.open(broken("no json", lambda folder: _rewrite(folder, "weights.json", b"{")))
    with pytest.raises(DataError, match=r"grammar\.shares\.npy: is not an array"):
        FluencyModel.open(broken("no array", lambda folder: _rewrite(folder, "grammar.shares.npy", b"no array")))
    with pytest.raises(DataError, match="shares of classes, expected"):
        FluencyModel.open(broken("short", _shorten_shares))


def _flip_last_byte(folder):
    file = folder / "wording.shares.npy"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)


def _shorten_shares(folder):
    file = folder / "grammar.shares.npy"
    np.save(file, np.load(file)[:-1])
    _rewrite(folder, "grammar.shares.npy", file.read_bytes())


def _rewrite(folder, name, content):
    """Write *content* so that the manifest agrees with it."""
    (folder / name).write_bytes(content)
    sign_again(folder)
