"""The judge of meaning: links, changes in words, and what they do to the number."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import DataError
from paragauge.judges.describe import describe_changes, describe_links
from paragauge.judges.likeness import Likeness
from paragauge.judges.meaning import CHECKS, FEATURES, LOSSES, weigh_evidence
from paragauge.judges.model import open_judges

SENTENCES = [
    "The committee postponed the vote until next week.",
    "She could not explain why the engine had stopped.",
    "Three men were arrested in Paris on Monday.",
    "All students must hand in the form before 12 May.",
    "The old man gave his daughter a book about birds.",
]


@pytest.fixture(scope="module")
def model():
    return open_judges()


def evidence(model, original, candidate):
    return model.weigh(*model.reader.read([original, candidate]))


def changes(model, original, candidate):
    found = evidence(model, original, candidate)
    return describe_changes(found.linked, found.changes)


def meaning(model, original, candidate):
    return float(model.judge([candidate], originals=[original]).meaning[0])


@pytest.mark.parametrize(
    ("original", "candidate", "expected"),
    [
        ("He paid 12 dollars for it.", "He paid 21 dollars for it.", "the number 12 became 21"),
        ("Water freezes at 0 degrees.", "Water freezes at 4 degrees.", "the number 0 became 4"),
        ("He has three dogs.", "He has seven dogs.", "the number three became seven"),
        ("It was a 150-year rule.", "It was a 152-year rule.", "the number 150-year became 152-year"),
        ("The train left at 12:30.", "The train left at 12:50.", "the number 12:30 became 12:50"),
        ("We met on Monday.", "We met on Friday.", "the date Monday became Friday"),
        ("He is rich.", "He is not rich.", "'not' was added"),
        ("I do not like it.", "I do like it.", "'not' was dropped"),
        ("It is cold outside.", "It is hot outside.", "'cold' became its opposite, 'hot'"),
        ("Tom lives in Boston.", "Tom lives in London.", "the name Boston became London"),
        ("All birds can fly.", "Some birds can fly.", "'All' became 'Some'"),
        ("You must leave.", "You may leave.", "'must' became 'may'"),
        ("A cat sleeps under the table.", "A cat sleeps on the table.", "'under' became 'on'"),
        ("He lives near the station.", "He lives far from the station.", "'near' became 'far from'"),
        ("Perhaps she will come.", "She will come.", "'Perhaps' was dropped"),
        ("The house is old.", "Is the house old?", "the statement became a question"),
        ("Did she leave early?", "She left early.", "the question became a statement"),
        ("I can't see it.", "I can see it.", "'not' was dropped"),
        (
            "A white dog chased a black cat.",
            "A black dog chased a white cat.",
            "'white' belongs to 'cat' instead of 'dog'",
        ),
        (
            "The boss fired the worker.",
            "The boss was fired by the worker.",
            "subject and object of 'fired' changed places",
        ),
        ("Ann is taller than Bob.", "Ann is shorter than Bob.", "'taller' became its opposite, 'shorter'"),
        ("The law prohibits smoking.", "The law permits smoking.", "'prohibits' became its opposite, 'permits'"),
        ("We meet at 9 a.m. today.", "We meet at 9 p.m. today.", "'a.m.' became its opposite, 'p.m.'"),
        ("She borrowed his car.", "She lent his car.", "'borrowed' became its opposite, 'lent'"),
        ("It rose from ten to five.", "It rose from five to ten.", "the numbers ten and five changed places"),
        ("At least ten people came.", "Fewer than ten people came.", "'At least' became 'Fewer than'"),
        ("Twelve or more came.", "No more than twelve came.", "'or more' became 'No more than'"),
        ("A bus is faster than a train.", "A bus is as fast as a train.", "'faster than' became 'as fast as'"),
        ("He died of a stroke.", "He nearly died of a stroke.", "'nearly' was added"),
        ("Why did he leave?", "When did he leave?", "'Why' became 'When'"),
        ("It rained during the war.", "It rained after the war.", "'during' became 'after'"),
        ("They work except on Sunday.", "They work including Sunday.", "'except' became 'including'"),
        ("He is too young to vote.", "He is young enough to vote.", "'too' became 'enough'"),
        (
            "She accused him of lying.",
            "She was accused of lying by him.",
            "'She' was the subject of 'accused' and is now its object",
        ),
        ("He has no friends and rarely smiles.", "He has friends and often smiles.", "'no' was dropped"),
        ("Wolves attack people.", "People attack wolves.", "subject and object of 'attack' changed places"),
        (
            "The mice were eaten by cats.",
            "The cats were eaten by mice.",
            "subject and object of 'eaten' changed places",
        ),
        ("He sold the red car.", "He sold the red house.", "'car' became 'house'"),
        ("She reads old books slowly.", "She reads books slowly.", "'old' is missing"),
        ("She reads books.", "She reads expensive books.", "'expensive' was added"),
    ],
)
def test_changes_are_named(model, original, candidate, expected):
    assert expected in changes(model, original, candidate)


@pytest.mark.parametrize(
    ("original", "candidate"),
    [
        ("The cats ate the mice.", "The mice were eaten by the cats."),  # the passive undone
        ("He bought twelve apples.", "He bought 12 apples."),
        ("He paid 1,200 euros.", "He paid 1200 euros."),
        ("He paid two hundred euros.", "He paid 200 euros."),
        ("It cost 1.5 million euros.", "It cost 1,500,000 euros."),
        ("She is twenty-one years old.", "She is 21 years old."),
        ("The committee postponed the vote.", "The committee put off the vote."),
        ("They bought the house.", "They purchased the house."),
        ("He does not know.", "He doesn't know."),
        ("Prices rose 5%.", "Prices rose five percent."),
        ("Two dogs are running.", "A couple of dogs are running."),
        ("Bread and butter are on the shelf.", "Butter and bread are on the shelf."),
        ("John married Mary.", "Mary married John."),
        ("Perhaps she will come tomorrow.", "She may come tomorrow."),
        ("Is it raining now?", "Does it rain now?"),
        ("The picture hangs above the sofa.", "The picture hangs over the sofa."),
        ("There are two cups and one plate.", "There are one plate and two cups."),
        ("The vase was broken.", "The vase broke."),
        ("He remembers the day.", "He recalls the day."),
        ("There is no doubt that he won.", "He undoubtedly won."),
        ("I will go whether or not she comes.", "I will go whether she comes or not."),
    ],
)
def test_the_same_in_other_words_has_no_change(model, original, candidate):
    assert changes(model, original, candidate) == []


def test_an_opposite_cancels_a_negation(model):
    assert changes(model, "You are not fat.", "You are thin.") == ["'not fat' is said as 'thin'"]
    assert changes(model, "She could not come.", "She was unable to come.") == ["'not' is said as 'unable'"]
    same = meaning(model, "You are not fat.", "You are thin.")
    assert same > 1.5 * max(
        meaning(model, "You are not fat.", "You are not thin."), meaning(model, "You are not fat.", "You are fat.")
    )


def test_a_negation_before_a_place_cancels_its_contrary(model):
    assert changes(model, "The hotel is near the station.", "The hotel is not far from the station.") == [
        "'near' is said as 'not far from'"
    ]
    assert changes(model, "At least ten people came.", "No fewer than ten people came.") == [
        "'At least' is said as 'No fewer than'"
    ]


def test_a_word_that_denies_balances_a_negation(model):
    original = "The new law did not allow companies to sell the drug."
    assert changes(model, original, "The new law prohibited companies from selling the drug.") == [
        "'not allow' is said as 'prohibited'"
    ]
    assert changes(model, original, "The new law did allow companies to sell the drug.") == ["'not' was dropped"]
    assert changes(model, "Few people came.", "Not many people came.") == ["'Few' is said as 'Not many'"]


@pytest.mark.parametrize(
    ("original", "converse", "word", "other", "changed"),
    [
        ("Ann is taller than Bob.", "Bob is shorter than Ann.", "taller", "shorter", "Bob is taller than Ann."),
        ("He sold me his car.", "I bought his car from him.", "sold", "bought", "I sold him his car."),
        ("The lamp is above the desk.", "The desk is below the lamp.", "above", "below", "The lamp is below the desk."),
        ("He left before the storm.", "The storm came after he left.", "before", "after", "He left after the storm."),
    ],
)  # fmt: skip
def test_a_converse_says_the_same_of_words_that_changed_places(model, original, converse, word, other, changed):
    assert f"'{word}' is said from the other side, as '{other}'" in changes(model, original, converse)
    assert meaning(model, original, converse) > 1.3 * meaning(model, original, changed)


@pytest.mark.parametrize(
    ("original", "candidate"),
    [
        ("Open the window.", "Could you open the window?"),
        ("I want to know if it is raining.", "Is it raining?"),
        ("Is it raining?", "It is raining, isn't it?"),
    ],
)
def test_requests_and_indirect_questions_are_no_change_of_mood(model, original, candidate):
    assert not any("question" in each for each in changes(model, original, candidate))


def test_prepositions_of_one_group_say_the_same(model):
    found = changes(model, "They met in a room next to the kitchen.", "They met in a room beside the kitchen.")
    assert found == ["'next to' is said as 'beside'"]
    # "In" and "on" are often both right.
    street = evidence(model, "They played in the street.", "They played on the street.").changes
    assert [(each.kind, each.certain) for each in street] == [("place", False)]
    assert changes(model, "It was found by police.", "It was found near police.") != []


def test_nobody_but_is_only(model):
    assert changes(model, "Nobody but Ann knew it.", "Only Ann knew it.")[0] == "'Nobody but' is said in another way"


def test_ordinals_are_numbers(model):
    assert changes(model, "They scored in the first half.", "They scored in the second half.") == [
        "the number first became second"
    ]
    assert not any("number" in each for each in changes(model, "It took a second.", "It took an hour."))


@pytest.mark.parametrize(
    ("original", "candidate", "expected"),
    [
        ("My father taught me how to swim.", "I taught my father how to swim.",
         ["'father' was the subject of 'taught' and is now its object"]),
        ("We invited them to the party.", "They invited us to the party.",
         ["subject and object of 'invited' changed places"]),
        ("My father taught me how to swim.", "I was taught to swim by my father.", []),
        ("They elected her president.", "She was elected president.", []),
    ],
)  # fmt: skip
def test_pronouns_have_roles(model, original, candidate, expected):
    assert changes(model, original, candidate) == expected


def test_links_tell_why(model):
    found = evidence(model, "He bought a car.", "He purchased an automobile.")
    reasons = {
        found.linked.original.surface[link.original]: why
        for link, why in describe_links(found.linked, model.translations)
    }
    assert reasons["car"].startswith("synonyms, both ")
    assert "bought" in reasons


@pytest.mark.parametrize("text", SENTENCES)
def test_a_copy_keeps_all_of_the_meaning(model, text):
    for copy in (text, text.lower(), text.rstrip("."), text.upper().lower()):
        assert meaning(model, text, copy) == pytest.approx(1.0, abs=0.12)
    found = evidence(model, text, text)
    assert set(found.features) == set(FEATURES)
    assert all(value == pytest.approx(0, abs=1e-6) for value in found.features.values())
    assert meaning(model, text, text) == 1.0


@pytest.mark.parametrize("text", SENTENCES)
def test_unrelated_sentences_keep_little(model, text):
    others = [other for other in SENTENCES if other != text]
    assert max(meaning(model, text, other) for other in others) < 0.35


def test_no_weight_is_negative(model):
    assert len(model.weights.losses) == len(LOSSES)
    assert len(model.weights.checks) == len(CHECKS)
    assert min(*model.weights.losses, *model.weights.checks) >= 0


@given(
    st.lists(st.floats(0, 1), min_size=len(FEATURES), max_size=len(FEATURES)),
    st.integers(0, len(FEATURES) - 1),
    st.floats(0, 1),
)
def test_more_of_any_loss_or_change_never_raises_the_meaning(values, place, more):
    weights = open_judges().weights
    features = dict(zip(FEATURES, values, strict=True))
    name = FEATURES[place]
    worse = {**features, name: features[name] + more}
    assert 0 <= weights.meaning(worse) <= weights.meaning(features) <= 1


@settings(max_examples=60)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_judged(original, candidate):
    judged = open_judges().judge([candidate], originals=[original])
    for numbers in (judged.meaning, judged.fluency, judged.difference):
        assert 0 <= numbers[0] <= 1
    assert 1 <= judged.values[0] <= 5


def test_a_batch_gives_what_single_calls_give(model):
    candidates = SENTENCES[1:] + SENTENCES[:1]
    together = model.judge(candidates, originals=SENTENCES)
    for place, (original, candidate) in enumerate(zip(SENTENCES, candidates, strict=True)):
        alone = model.judge([candidate], originals=[original])
        assert alone.values[0] == together.values[place]


def test_endless_lines_are_refused_with_their_number(model):
    long = "word " * 3000
    with pytest.raises(DataError, match=r"segment 2: .*3,000 and 3,000 words"):
        model.judge(["a home", long], originals=["a house", long])


@pytest.mark.parametrize(
    ("original", "candidate", "why"),
    [
        ("A poodle sleeps here.", "A dog sleeps here.", "one is a kind of the other"),
        ("The soil is arid.", "The soil is dry.", "similar"),
        ("He watched the nfldraft.", "He watched the draft.", "spelt alike"),
    ],
)
def test_links_through_kinds_similar_adjectives_and_parts_of_words(model, original, candidate, why):
    linked = evidence(model, original, candidate).linked
    assert why in [reason for _, reason in describe_links(linked, model.translations)]


def test_settings_switch_evidence_off(model):
    plain = replace(model, settings=replace(model.settings, related=0.0, contained=0.0))
    for original, candidate in (("A poodle sleeps here.", "A dog sleeps here."), ("The nfldraft.", "The draft.")):
        assert meaning(plain, original, candidate) < meaning(model, original, candidate)


def test_negations_without_apostrophe_are_negations(model):
    assert changes(model, "They did see him.", "They didnt see him.") == ["'didnt' was added"]


def test_one_word_more_weighs_more_in_a_short_sentence(model):
    short = evidence(model, "She sings.", "She sings old songs.")
    long = evidence(model, SENTENCES[4], SENTENCES[4].replace("birds", "rare old birds"))
    assert short.features["addition"] > 0 == long.features["addition"]


def test_every_kind_of_evidence_can_be_left_out(model):
    pair = model.reader.read(["The dog put off the decision.", "The animal decided to postpone it."])
    for field in ("synonym", "derived", "phrase", "related", "contained", "noun_steps", "verb_steps", "lone_role",
                  "place", "hedge", "question", "name_weight"):  # fmt: skip
        without = replace(model.settings, **{field: 0.0})
        found = weigh_evidence(*pair, Likeness(model.likeness.lexicon, model.vectors, without))
        assert 0 <= model.weights.meaning(found.features) <= 1
