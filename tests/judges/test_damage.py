"""Damaged sentences: what each kind does, and what none of them may do."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.analysis import Lexicon, provider
from paragauge.errors import OptionError
from paragauge.judges.damage import DAMAGES, Damager
from paragauge.judges.marked import mark, split_sentences

POOL = [
    "The old farmer sold a brown horse to his neighbour.",
    "Mary was a doctor in Paris.",
    "Our teacher quickly opened the green window.",
    "He is from London.",
    "John Smith and Peter Brown wrote three long letters.",
    "The children sang happy songs.",
    "She never eats cheese.",
    "They have to leave on Monday or Friday.",
    "Anna speaks French and German.",
    "The soldiers walked through the dark forest.",
    "I want to buy a small boat.",
    "We like to swim, and they love to dance.",
]


@pytest.fixture(scope="module")
def damager():
    return Damager(POOL, threads=1)


def words_of(text):
    return Counter(re.findall(r"[\w$%'’-]+", text.lower()))


def one(damager, kind, sentence):
    return damager.damage(kind, [sentence])[0]


def test_kinds_are_described():
    assert list(DAMAGES)[:2] == ["shuffled", "function-words-dropped"]
    assert len(DAMAGES) == 16
    for name, damage in DAMAGES.items():
        assert damage.name == name
        assert damage.summary.endswith(".")
        assert damage.spoils in ("meaning", "fluency", "both", "nothing")


def test_unknown_kind_is_refused_with_the_list(damager):
    with pytest.raises(OptionError, match=r"'negate'; did you mean 'negated'\? known: .*words-repeated"):
        damager.damage("negate", ["Tom sleeps."])


@pytest.mark.parametrize("kind", DAMAGES)
def test_results_do_not_depend_on_the_other_sentences(damager, kind):
    expected = dict(zip(POOL, damager.damage(kind, POOL), strict=True))
    assert damager.damage(kind, POOL[::-1]) == [expected[sentence] for sentence in POOL[::-1]]
    assert Damager(POOL, threads=1).damage(kind, POOL[3:5]) == [expected[sentence] for sentence in POOL[3:5]]


def test_seed_matters(damager):
    assert Damager(POOL, seed=2).damage("shuffled", POOL) != damager.damage("shuffled", POOL)


@pytest.mark.parametrize("kind", DAMAGES)
def test_nothing_to_damage(damager, kind):
    assert damager.damage(kind, ["", " ", "...", "?!"]) == [None] * 4


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("shuffled", "Stop!"),
        ("shuffled", "No no no."),
        ("function-words-dropped", "Tom snores."),
        ("function-words-dropped", "He snores loudly."),
        ("negated", "Hello, Tom!"),
        ("numbers-changed", "One cat sleeps."),
        ("roles-swapped", "The cat sleeps."),
        ("roles-swapped", "Tom and Mary sleep."),
        ("roles-swapped", "Tom is my brother."),
        ("names-exchanged", "The cat sleeps."),
        ("one-word-exchanged", "He is her."),
        ("three-words-exchanged", "The cat sleeps."),
        ("quantifier-changed", "The cat sleeps."),
        ("half-dropped", "The cat sleeps on the red mat."),
        ("clause-added", "Does the cat sleep?"),
        ("words-repeated", "Stop!"),
        ("neighbours-swapped", "The cat sleeps."),
        ("inflection-broken", "Hello!"),
        ("punctuation-dropped", "The cat sleeps"),
        ("lower-cased", "the cat sleeps."),
    ],
)
def test_none_where_the_sentence_lacks_it(damager, kind, sentence):
    assert one(damager, kind, sentence) is None


SENTENCES = [
    "The dog chased the cat across the yard, and I don't know why.",
    "“Tom's brother can't come,” she said, “because he is ill.”",
    "On 12 May 1998 , the company sold $5.3 million of shares in New York .",
    "I told him that it cost 20% more. He didn't believe me.",
]


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("kind", ["shuffled", "neighbours-swapped", "roles-swapped"])
def test_exchanges_keep_the_words(damager, kind, sentence):
    result = one(damager, kind, sentence)
    if kind != "roles-swapped" or result is not None:
        assert words_of(result) == words_of(sentence)
        assert re.sub(r"[\w$%'’.-]+", "", result) == re.sub(r"[\w$%'’.-]+", "", sentence)  # spaces and punctuation
        assert result[-1] == sentence[-1]


def test_shuffled_moves_the_capital(damager):
    results = {Damager(POOL, seed=seed).damage("shuffled", ["The cat sleeps."])[0] for seed in range(12)}
    assert results <= {
        "The sleeps cat.",
        "Cat the sleeps.",
        "Cat sleeps the.",
        "Sleeps the cat.",
        "Sleeps cat the.",
    }
    assert len(results) > 1


@pytest.mark.parametrize(
    ("sentence", "result"),
    [
        ("The cat is sleeping on the mat.", "Cat sleeping mat."),
        ("I don't want to go to the cinema.", "Not want go cinema."),
        ("He's seen all the films.", "Seen all films."),
        ("She gave him a book (the red one).", "Gave book (red one)."),
    ],
)
def test_function_words_dropped(damager, sentence, result):
    assert one(damager, "function-words-dropped", sentence) == result


@pytest.mark.parametrize(
    ("sentence", "result"),
    [
        ("Tom likes fish.", "Tom does not like fish."),
        ("They went home.", "They did not go home."),
        ("We live in Boston.", "We do not live in Boston."),
        ("He is happy.", "He is not happy."),
        ("She can swim.", "She cannot swim."),
        ("The house was sold yesterday.", "The house was not sold yesterday."),
        ("I'm tired.", "I'm not tired."),
        ("I'll come tomorrow.", "I won't come tomorrow."),
        ("They've seen it.", "They haven't seen it."),
        ("Is he happy?", "Isn't he happy?"),
        ("Open the window.", "Do not open the window."),
        ("Please open the window.", "Please do not open the window."),
        ("Let's go.", "Let's not go."),
        ("He always comes late.", "He does not always come late."),
        ("He had to leave.", "He did not have to leave."),
        ("Tom doesn't like fish.", "Tom does like fish."),
        ("I can't swim.", "I can swim."),
        ("You cannot swim here.", "You can swim here."),
        ("She won't come.", "She will come."),
        ("Don't open the window.", "Open the window."),
        ("He is not happy.", "He is happy."),
        ("I didn't see anybody.", "I did see somebody."),
        ("He never eats meat.", "He eats meat."),
        ("There is no milk.", "There is some milk."),
        ("Nobody came.", "Somebody came."),
        ("No one came.", "Someone came."),
        ("He no longer lives here.", "He still lives here."),
    ],
)
def test_negated(damager, sentence, result):
    assert one(damager, "negated", sentence) == result


@pytest.mark.parametrize(
    ("sentence", "form"),
    [
        ("He paid 12 dollars.", r"He paid (?!12)[1-9]\d dollars\."),
        ("It was in 1998.", r"It was in 19(?!98)\d\d\."),
        ("It was in 2004.", r"It was in 200[0-35-9]\."),
        ("The 1990s were good.", r"The 19[0-8]0s were good\."),
        ("At 10:30 we left.", r"At 10:[0-24-5]0 we left\."),
        ("It cost $1,250.75.", r"It cost \$(?!1,250\.75)[1-9],\d{3}\.\d\d\."),
        ("Three men came.", r"(?!Three)[A-Z][a-z]+ men came\."),
        ("He came on May 21st.", r"He came on May 2(2nd|3rd|0th|[4-9]th)\."),
        ("I have 3 cats and 3 dogs.", r"I have ([12456789]) cats and \1 dogs\."),
        ("He ate twenty-one eggs.", r"He ate (?!twenty)\w+ty-one eggs\."),
    ],
)
def test_numbers_changed(sentence, form):
    for seed in range(10):
        result = Damager([], seed=seed).damage("numbers-changed", [sentence])[0]
        assert re.fullmatch(form, result)


def test_article_follows_the_number():
    results = {
        Damager([], seed=seed).damage("numbers-changed", ["It is an eight-hour drive."])[0] for seed in range(20)
    }
    for result in results:
        assert ("an eleven" in result) == (" an " in result)


@pytest.mark.parametrize(
    ("sentence", "result"),
    [
        ("The dog chased Mary.", "Mary chased the dog."),
        ("Tom loves Mary.", "Mary loves Tom."),
        ("Yesterday the old woman saw a black bird.", "Yesterday a black bird saw the old woman."),
    ],
)
def test_roles_swapped(damager, sentence, result):
    assert one(damager, "roles-swapped", sentence) == result


def test_names_exchanged(damager):
    result = one(damager, "names-exchanged", "Yesterday Susan slept, and Susan snored.")
    name = re.fullmatch(r"Yesterday (\w+) slept, and \1 snored\.", result)[1]
    assert name in " ".join(POOL)
    assert name != "Susan"
    assert one(damager, "names-exchanged", "I come on Tuesday.") in ("I come on Monday.", "I come on Friday.")
    assert one(damager, "names-exchanged", "He met David Jones.") in ("He met John Smith.", "He met Peter Brown.")
    assert one(damager, "names-exchanged", "I live in Rome.") in ("I live in Paris.", "I live in London.")
    assert Damager([]).damage("names-exchanged", ["I live in Rome."]) == [None]


@pytest.mark.parametrize(("kind", "count"), [("one-word-exchanged", 1), ("three-words-exchanged", 3)])
def test_words_exchanged(damager, kind, count):
    sentence = "The young king bought a large castle near the river."
    result = one(damager, kind, sentence)
    before, after = mark([sentence, result], provider("builtin"))
    changed = [
        position
        for position in range(len(before))
        if before.lowered[position] != after.lowered[position] and before.tags[position] != "DT"
    ]
    assert len(changed) == count
    lexicon = Lexicon.load()
    pool = " ".join(POOL).lower()
    for position in changed:
        assert after.lowered[position] in pool
        assert not lexicon.share_synonym(before.lemmas[position], after.lemmas[position])


def test_exchanged_word_keeps_case_and_article():
    damager = Damager(["He ate an old egg.", "They sat on eggs."])
    assert damager.damage("one-word-exchanged", ["It is a house."]) == ["It is an egg."]
    assert damager.damage("one-word-exchanged", ["Houses of it."]) == ["Eggs of it."]
    assert damager.damage("one-word-exchanged", ["It is an egg."]) == [None]


@pytest.mark.parametrize(
    ("sentence", "results"),
    [
        ("All birds sing.", {"Some birds sing.", "No birds sing."}),
        ("All the birds sing.", {"Some of the birds sing.", "None of the birds sing."}),
        ("Some of them sing.", {"None of them sing.", "All of them sing."}),
        ("I bought some bread.", {"I bought no bread."}),
        ("Every child sings.", {"No child sings."}),
        ("I sing every day.", {"I sing every other day."}),
        ("Many people sing.", {"Few people sing.", "No people sing."}),
        ("Most people sing.", {"Few people sing.", "All people sing."}),
        ("He always sings.", {"He never sings.", "He sometimes sings."}),
        ("You must go.", {"You may go.", "You need not go."}),
        ("He can sing.", {"He cannot sing."}),
        ("He cannot sing.", {"He can sing."}),
        ("He can't sing.", {"He can sing."}),
        ("Everybody sings.", {"Nobody sings.", "Somebody sings."}),
        ("At least ten men sang.", {"At most ten men sang."}),
        ("How many people sing?", {None}),
    ],
)
def test_quantifier_changed(sentence, results):
    found = {Damager([], seed=seed).damage("quantifier-changed", [sentence])[0] for seed in range(12)}
    assert found == results


@pytest.mark.parametrize(
    ("sentence", "result"),
    [
        ("We saw the big red house near the river yesterday.", "We saw the big red."),
        ("We saw the big red house near the river !", "We saw the big red !"),
        ('He said: "We saw the big red house near it."', 'He said: "We saw the."'),
        ('He said we saw the "big red house near it."', "He said we saw the."),
    ],
)
def test_half_dropped(damager, sentence, result):
    assert one(damager, "half-dropped", sentence) == result


def test_clause_added():
    damager = Damager(["The sky was very blue.", "Is the sky blue today?", "Rain."])
    assert damager.damage("clause-added", ["Tom sleeps.", "Tom sleeps !", "Tom sleeps", "The sky was very blue."]) == [
        "Tom sleeps, and the sky was very blue.",
        "Tom sleeps , and the sky was very blue !",
        "Tom sleeps, and the sky was very blue",
        None,
    ]
    assert Damager(["I saw my old friend."]).damage("clause-added", ["Go!"]) == ["Go, and I saw my old friend!"]
    assert Damager([]).damage("clause-added", ["Go!"]) == [None]


def test_words_repeated(damager):
    sentence = "The dog didn't bark, though."
    result = one(damager, "words-repeated", sentence)
    assert sum((words_of(result) - words_of(sentence)).values()) == 2
    assert one(damager, "words-repeated", "Cats sleep.") == "Cats cats sleep sleep."


def test_neighbours_swapped(damager):
    assert one(damager, "neighbours-swapped", "The dog barks loudly.") == "Dog the loudly barks."


@pytest.mark.parametrize(
    ("sentence", "result"),
    [
        ("He sleeps.", "He sleep."),
        ("They sleep.", "They sleeps."),
        ("She went home.", "She go home."),
        ("They went home.", "They goes home."),
        ("It was cold.", "It were cold."),
        ("He doesn't care.", "He don't care."),
        ("It's a dog.", "It's a dogs."),
        ("Two dogs!", "Two dog!"),
    ],
)
def test_inflection_broken(damager, sentence, result):
    assert one(damager, "inflection-broken", sentence) == result


@pytest.mark.parametrize(
    ("sentence", "result"),
    [
        ("Well, Mr. Smith isn't here.", "Well Mr Smith isn't here"),
        ('"Come here," he said (twice).', "Come here he said twice"),
        ("It rose 1.5% -- to $3,000--today.", "It rose 1.5% to $3,000 today"),
        ("The dogs' tails .", "The dogs' tails"),
        ("It works. He left.", "It works He left"),
    ],
)
def test_punctuation_dropped(damager, sentence, result):
    assert one(damager, "punctuation-dropped", sentence) == result


def test_lower_cased(damager):
    assert one(damager, "lower-cased", "NATO met in Rome.") == "nato met in rome."


def test_sentences_end_at_no_abbreviation():
    text = "Mr. Smith left the U.S. Embassy. He slept."
    assert [text[begin:end] for begin, end in split_sentences(text)] == [
        "Mr. Smith left the U.S. Embassy. ",
        "He slept.",
    ]


LIKE_ENGLISH = st.lists(
    st.sampled_from(
        "The a dog dogs Tom saw sees can't cannot not n't never no one all some every \" '' `` “ ” ' , . ? ! ( ) -- … "
        "12 1998 10:30 three 2nd an apple I I'm let's had better don't do and , is are was $ 5 % wo gonna 'tis".split()
    ),
    max_size=12,
).flatmap(lambda tokens: st.sampled_from([" ".join(tokens), "".join(tokens), "  ".join(tokens) + " "]))


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=40), LIKE_ENGLISH))
def test_any_text_is_damaged_or_left(damager, text):
    (marked,) = mark([text], provider("builtin"))
    gaps = [text[end:start] for end, start in zip((0, *marked.ends), (*marked.starts, len(text)), strict=True)]
    assert not "".join(gaps).strip()
    for kind in DAMAGES:
        result = one(damager, kind, text)
        assert result != text
        assert result is None or result.strip()
