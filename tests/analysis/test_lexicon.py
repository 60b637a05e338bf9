"""The lexicon: WordNet's facts, a slow reader of a made-up WordNet, and damaged files."""

import contextlib
import itertools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.resources import sign_again

from paragauge.analysis import Lexicon
from paragauge.analysis.lexicon import PARTS_OF_SPEECH
from paragauge.errors import DataError, FileError, OptionError

LEXICON = Lexicon.load()


def test_synonyms_cover_all_senses_and_parts_of_speech():
    assert LEXICON.synonyms("car") == {
        "car", "auto", "automobile", "machine", "motorcar", "railcar", "railway_car", "railroad_car", "gondola",
        "elevator_car", "cable_car",
    }  # fmt: skip
    assert {"bank", "depository_financial_institution", "rely", "swear"} <= LEXICON.synonyms("bank")  # noun and verb
    assert LEXICON.synonyms("Motor Vehicle") == {"motor_vehicle", "automotive_vehicle"}
    assert LEXICON.synonyms("qwertz") == LEXICON.synonyms("café") == frozenset()
    assert "infinite" in LEXICON
    assert "galore" in LEXICON
    assert len(LEXICON) == 147306


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("car", "automobile", True),  # in one synset
        ("quick", "speedy", True),
        ("railcar", "auto", True),  # no synset in common, but both are called "car"
        ("car", "banana", False),
        ("car", "vehicle", False),  # more general is not the same
        ("qwertz", "qwertz", True),  # equal, known or not
        ("qwertz", "car", False),
        ("naïve", "car", False),
        ("", "car", False),
    ],
)
def test_synonyms_are_shared_both_ways(one, other, expected):
    assert LEXICON.share_synonym(one, other) is expected
    assert LEXICON.share_synonym(other, one) is expected


@given(st.lists(st.sampled_from(sorted({"car", "run", "get", "be", "right", "set", "fast"})), min_size=2, max_size=2))
def test_sharing_is_that_the_sets_intersect(pair):
    one, other = pair
    assert LEXICON.share_synonym(one, other) == bool(LEXICON.synonyms(one) & LEXICON.synonyms(other))


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("dogs", "NNS", "dog"),
        ("churches", "NNS", "church"),
        ("geese", "NNS", "goose"),  # exception
        ("women", "NNS", "woman"),
        ("leaves", "NNS", "leaf"),
        ("leaves", "VBZ", "leave"),
        ("Saw", "VBD", "see"),  # also a verb of its own
        ("saw", "VBP", "saw"),
        ("saw", "NN", "saw"),
        ("flies", "VBZ", "fly"),
        ("hoping", "VBG", "hope"),
        ("were", "VBD", "be"),
        ("are", "VBP", "be"),
        ("n’t", "RB", "not"),
        ("'s", "VBZ", "be"),
        ("'s", "POS", "'s"),
        ("larger", "JJR", "large"),
        ("best", "JJS", "good"),
        ("better", "RBR", "well"),
        ("earlier", "RBR", "early"),
        ("as", "IN", "as"),
        ("skyping", "VBG", "skyping"),  # after WordNet's time
        ("ÉTÉS", "NNS", "étés"),
        ("tagless", "???", "tagless"),
        ("was", None, "be"),
        ("feet", None, "foot"),
        ("his", None, "his"),
        ("running", None, "run"),
        ("\ud800s", "NNS", "\ud800s"),  # half a character: not text, and no reason to fail
        ("", "NN", ""),
    ],
)
def test_lemma(word, tag, lemma):
    assert LEXICON.lemma(word, tag) == lemma
    assert LEXICON.lemmas([word], [tag]) == (lemma,)


def test_morphy_gives_all_lemmas():
    assert LEXICON.morphy("axes", "n") == ("ax", "axis")
    assert LEXICON.morphy("axes") == ("ax", "axis", "axe")
    assert LEXICON.morphy("left", "v") == ("leave",)
    assert LEXICON.morphy("leaves") == ("leaf", "leave")
    assert LEXICON.morphy("archer", "a") == ()  # listed so that no rule makes it a comparative of "arch"
    assert LEXICON.morphy("Ice Creams", "n") == ("ice_cream",)
    assert LEXICON.morphy("qwertz") == LEXICON.morphy("été") == ()
    with pytest.raises(OptionError, match="one of n, v, a, r, got 'x'"):
        LEXICON.morphy("axes", "x")


def test_numbers_and_synsets_of_many_words():
    numbers = LEXICON.numbers(["car", "qwertz", "été", "", "automobile"])
    assert (numbers >= 0).tolist() == [True, False, False, False, True]
    synsets, offsets = LEXICON.word_synsets(["cars", "qwertz", "automobile", "banana"])
    cars, nothing, automobile, banana = (set(synsets[i:j].tolist()) for i, j in itertools.pairwise(offsets))
    assert len(cars) == 5
    assert not nothing
    assert cars & automobile
    assert not cars & banana


HEADER = "".join(f"  {number} licence line {number}  \n" for number in range(1, 30))
SMALL = {
    "data.noun": "00000001 03 n 02 Cat 0 true_cat 0 000 | gloss\n00000002 03 n 02 cat 0 guy 0 000 | gloss\n",
    "data.verb": "00000001 03 v 0a a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 sit 0 000 01 + 02 00 | ten, in base 16\n",
    "data.adj": "00000001 00 s 02 galore(ip) 0 elect(p) 0 000 | gloss\n",
    "data.adv": "",
    "index.noun": "cat n 2 0 2 0 00000002 00000001\nguy n 1 0 1 0 00000002\ntrue_cat n 1 0 1 0 00000001\n",
    "index.verb": "".join(f"{lemma} v 1 0 1 0 00000001\n" for lemma in [*"abcdefghi", "sit"]),
    "index.adj": "elect a 1 0 1 0 00000001\ngalore a 1 0 1 0 00000001\n",
    "index.adv": "",
    "noun.exc": "kine cow\ncatses cat\n",
    "verb.exc": "sat sit\n",
    "adj.exc": "",
    "adv.exc": "",
}


# Words that WordNet relates: offsets are not the numbers of lines, and words of pointers are counted in base 16.
RELATED = {
    "data.noun": (
        "00000010 03 n 02 creature 0 animal 0 000 | gloss\n"
        "00000200 03 n 01 Pet 0 001 @ 00000010 n 0000 | gloss\n"
        "00003000 03 n 01 dog 0 002 @ 00000200 n 0000 + 00000005 v 0101 | gloss\n"
        "00040000 03 n 02 cat 0 puss 0 001 @ 00000200 n 0000 | gloss\n"
        "00500000 03 n 01 rex 0 001 @i 00003000 n 0000 | gloss\n"
        "06000000 03 n 01 dog 0 000 | gloss\n"
    ),
    "data.verb": "00000005 03 v 01 dog_after 0 001 + 00003000 n 0101 01 + 02 00 | gloss\n",
    "data.adj": (
        "00000001 00 a 02 dry(p) 0 rainless 0 002 ! 00000020 a 0102 & 00000300 a 0000 | gloss\n"
        "00000020 00 a 02 damp 0 wet 0 002 ! 00000001 a 0201 & 00004000 a 0000 | gloss\n"
        "00000300 00 s 01 arid 0 001 & 00000001 a 0000 | gloss\n"
        "00004000 00 s 01 moist 0 001 & 00000020 a 0000 | gloss\n"
    ),
    "data.adv": "00000007 02 r 01 dryly 0 001 \\ 00000001 a 0101 | gloss\n",
    "index.noun": (
        "animal n 1 0 1 0 00000010\ncat n 1 0 1 0 00040000\ncreature n 1 0 1 0 00000010\n"
        "dog n 2 2 @ + 2 0 06000000 00003000\npet n 1 0 1 0 00000200\npuss n 1 0 1 0 00040000\n"
        "rex n 1 0 1 0 00500000\n"
    ),
    "index.verb": "dog_after v 1 0 1 0 00000005\n",
    "index.adj": (
        "arid a 1 0 1 0 00000300\ndamp a 1 0 1 0 00000020\ndry a 1 0 1 0 00000001\nmoist a 1 0 1 0 00004000\n"
        "rainless a 1 0 1 0 00000001\nwet a 1 0 1 0 00000020\n"
    ),
    "index.adv": "dryly r 1 0 1 0 00000007\n",
    "noun.exc": "",
    "verb.exc": "",
    "adj.exc": "",
    "adv.exc": "",
}


def write_wordnet(folder, files):
    folder.mkdir()
    for name, text in files.items():
        header = HEADER if name.startswith(("data", "index")) else ""
        (folder / name).write_text(header + text, encoding="ascii")


def make(root, wordnet, output):
    command = [sys.executable, str(root / "tools" / "make_lexicon.py"), str(wordnet), str(output)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.fixture
def small(tmp_path, root):
    write_wordnet(tmp_path / "wordnet", SMALL)
    for output in ("one", "two"):
        assert make(root, tmp_path / "wordnet", tmp_path / output).returncode == 0
    return tmp_path


@pytest.fixture
def related(tmp_path, root):
    write_wordnet(tmp_path / "wordnet", RELATED)
    assert make(root, tmp_path / "wordnet", tmp_path / "related").returncode == 0
    return tmp_path / "related"


def test_the_tool_reads_wordnets_files_and_repeats_itself(small):
    files = sorted(file.name for file in (small / "one").iterdir())
    assert all((small / "one" / name).read_bytes() == (small / "two" / name).read_bytes() for name in files)
    assert (small / "one" / "LICENCE.txt").read_text().splitlines()[28] == "licence line 29"
    lexicon = Lexicon.open(small / "one", verify=True)
    assert len(lexicon) == 15
    assert lexicon.synonyms("cat") == {"cat", "true_cat", "guy"}
    assert lexicon.synonyms("galore") == {"galore", "elect"}
    assert len(lexicon.synonyms("sit")) == 10
    assert lexicon.share_synonym("true_cat", "guy")
    assert lexicon.morphy("kine", "n") == ()  # its lemma is not there
    assert lexicon.morphy("catses") == ("cat",)
    assert lexicon.lemma("sat", "VBD") == "sit"
    assert repr(lexicon) == "<Lexicon: 15 lemmas>"


def test_shipped_lexicon_is_what_its_manifest_says(root):
    folder = root / "src" / "paragauge" / "data" / "wordnet"
    assert Lexicon.open(folder, verify=True).digest == LEXICON.digest
    assert "Princeton University" in (folder / "LICENCE.txt").read_text(encoding="ascii")
    assert sum(file.stat().st_size for file in folder.iterdir()) < 5 << 20


def replace_column(folder, name, column):
    np.save(folder / f"{name}.npy", column)
    sign_again(folder)


@pytest.mark.parametrize("name", ["lemma_lengths", "sense_counts", "senses", "exception_lemmas", "synset_counts"])
@pytest.mark.parametrize("value", [0, 255])
def test_damaged_columns_are_refused_or_harmless(small, name, value):
    folder = small / "one"
    column = np.load(folder / f"{name}.npy")
    column[0] = value if column.dtype == np.uint8 else value * 1_000_000
    replace_column(folder, name, column)
    with contextlib.suppress(DataError):
        lexicon = Lexicon.open(folder)
        assert value == 0
        assert lexicon.morphy("catses") is not None


def test_the_tool_reads_relations(related):
    lexicon = Lexicon.open(related)
    assert lexicon.antonyms("dry") == {"wet"}
    assert lexicon.antonyms("rainless") == lexicon.antonyms("damp") == frozenset()
    assert lexicon.antonyms("dry", indirect=True) == {"wet", "damp", "moist"}
    assert lexicon.antonyms("rainless", indirect=True) == {"wet", "damp", "moist"}
    assert lexicon.antonyms("arid", indirect=True) == {"wet", "damp"}
    assert lexicon.hypernyms("dog") == {"pet"}
    assert lexicon.hypernyms("Rex") == {"dog"}
    assert lexicon.hypernyms("pet") == {"animal", "creature"}
    assert lexicon.hypernyms("animal") == frozenset()
    assert lexicon.derivations("dog") == {"dog_after"}
    assert lexicon.derivations("dry") == {"dryly"}
    assert lexicon.derivations("dryly") == {"dry"}
    assert lexicon.is_kind_of("rex", "animal")
    assert not lexicon.is_kind_of("rex", "animal", 2)
    assert lexicon.is_kind_of("dog", "pet", senses=2)
    assert not lexicon.is_kind_of("dog", "pet", senses=1)  # its first sense stands later in the file
    assert lexicon.are_siblings("dog", "puss", senses=2)
    assert not lexicon.are_siblings("dog", "puss", senses=1)
    assert not lexicon.are_siblings("cat", "puss")
    assert lexicon.similar("arid", "rainless")
    assert not lexicon.similar("arid", "wet")


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("index.adv", "dryly r 1 0 1 0 00000007\n", "", "dryly: the index and the data files have different synsets"),
        ("data.adv", "a 0101", "a 0103", "adj 00000001: no word has the number 3"),
        ("data.adv", "a 0101", "a 0001", "adv 00000007: no word has the number 0"),
    ],
)
def test_the_tool_refuses_files_that_do_not_fit(tmp_path, root, file, old, new, message):
    write_wordnet(tmp_path / "wordnet", {**RELATED, file: RELATED[file].replace(old, new)})
    done = make(root, tmp_path / "wordnet", tmp_path / "related")
    assert done.returncode == 1
    assert message in done.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sense_ranks", "do not fit the lexicon"),
        ("hypernym_counts", "do not fit the lexicon"),
        ("hypernyms", "do not add up"),
        ("antonyms", "do not fit each other"),
    ],
)
def test_relations_that_are_too_short_are_refused_when_asked_for(related, name, message):
    replace_column(related, name, np.load(related / f"{name}.npy")[:-1])
    lexicon = Lexicon.open(related)
    assert lexicon.synonyms("cat") == {"cat", "puss"}
    with pytest.raises(DataError, match=message):
        lexicon.antonyms("dry")


@pytest.mark.parametrize("name", ["hypernyms", "antonyms", "opposed_sources", "similar", "derivations"])
def test_relations_out_of_range_are_refused(related, name):
    column = np.load(related / f"{name}.npy")
    column[-1] = 1_000_000
    replace_column(related, name, column)
    with pytest.raises(DataError, match="out of range"):
        Lexicon.open(related).antonyms("dry")


def test_unsorted_relations_are_refused(related):
    replace_column(related, "antonym_sources", np.load(related / "antonym_sources.npy")[::-1])
    with pytest.raises(DataError, match="antonyms are not sorted"):
        Lexicon.open(related).antonyms("dry")


def test_lexicons_without_relations_say_so(related):
    sign_again(related, format=1)
    with pytest.raises(DataError, match="has format 1, expected 2; make it again"):
        Lexicon.open(related)
    files = ["lemma_text", "lemma_lengths", "sense_counts", "senses", "synset_counts"]
    files += ["exception_text", "exception_lengths", "exception_parts", "exception_lemmas"]
    with pytest.raises(DataError, match="this lexicon has no relations"):
        Lexicon({name: np.load(related / f"{name}.npy") for name in files}).antonyms("dry")


@pytest.mark.parametrize(
    ("one", "other", "direct", "indirect"),
    [
        ("hot", "cold", True, True),
        ("good", "bad", True, True),
        ("buy", "sell", True, True),
        ("increase", "decrease", True, True),
        ("alive", "dead", True, True),
        ("man", "woman", True, True),
        ("quickly", "slowly", True, True),
        ("dry", "wet", True, True),
        ("arid", "wet", False, True),  # arid is similar to dry
        ("large", "little", False, True),  # WordNet opposes large and small, big and little
        ("arid", "moist", False, False),  # two satellites
        ("hot", "warm", False, False),
        ("hot", "hot", False, False),
        ("Hot", "COLD", True, True),
        ("hot", "qwertz", False, False),
        ("naïve", "cold", False, False),
    ],
)
def test_antonyms(one, other, direct, indirect):
    for first, second in ((one, other), (other, one)):
        assert LEXICON.are_antonyms(first, second) is direct
        assert LEXICON.are_antonyms(first, second, indirect=True) is indirect
        assert (second.lower() in LEXICON.antonyms(first)) is direct
        assert (second.lower() in LEXICON.antonyms(first, indirect=True)) is indirect


def test_relations_cover_all_senses():
    assert LEXICON.antonyms("good") == {"bad", "evil"}
    assert LEXICON.antonyms("light") == {"dark", "heavy"}
    assert LEXICON.hypernyms("buy") == {"acquire", "be", "believe", "get", "pay", "purchase"}
    assert LEXICON.hypernyms("Paris") >= {"national_capital", "town"}  # instances count
    assert LEXICON.hypernyms("quickly") == LEXICON.hypernyms("qwertz") == LEXICON.hypernyms("été") == frozenset()
    assert LEXICON.derivations("decide") == {"decision", "deciding", "decisive"}
    assert {"quickly", "quickness"} <= LEXICON.derivations("quick")
    assert "nation" in LEXICON.derivations("national")
    assert LEXICON.derivations("decide") is LEXICON.derivations("decide")  # kept


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [("poodle", "dog", 1), ("buy", "get", 1), ("dog", "animal", 2), ("car", "vehicle", 2), ("paris", "city", 2)],
)
def test_kinds(one, other, steps):
    assert [LEXICON.is_kind_of(one, other, depth) for depth in range(1, 5)] == [depth >= steps for depth in range(1, 5)]
    assert LEXICON.is_kind_of(one, other, 10**30, senses=10**30)
    assert not LEXICON.is_kind_of(other, one)


def test_no_word_is_a_kind_of_what_is_unrelated_or_unknown():
    assert not LEXICON.is_kind_of("dog", "banana", 30, senses=30)
    assert not LEXICON.is_kind_of("dog", "qwertz")
    assert not LEXICON.is_kind_of("été", "animal")
    # WordNet 3.0 has a loop: to restrain is to inhibit and the other way round. The search ends.
    assert not LEXICON.is_kind_of("inhibit", "banana", 10**6, senses=30)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("red", "blue", True),
        ("dog", "wolf", True),
        ("monday", "tuesday", True),
        ("paris", "berlin", True),
        ("sofa", "couch", False),  # synonyms
        ("dog", "dog", False),
        ("dog", "cat", False),  # WordNet puts a canine and a feline between them and the carnivore
        ("dog", "animal", False),
        ("dog", "qwertz", False),
    ],
)
def test_siblings(one, other, expected):
    assert LEXICON.are_siblings(one, other) is expected
    assert LEXICON.are_siblings(other, one) is expected


def test_similar_adjectives():
    assert LEXICON.similar("dry", "arid")
    assert LEXICON.similar("arid", "dry")
    assert not LEXICON.similar("dry", "wet")
    assert not LEXICON.similar("dry", "dry")
    assert not LEXICON.similar("dry", "qwertz")


def test_depth_and_senses_below_one_are_refused():
    with pytest.raises(OptionError, match="depth must be at least 1, got 0"):
        LEXICON.is_kind_of("dog", "animal", 0)
    with pytest.raises(OptionError, match="senses must be at least 1, got -1"):
        LEXICON.is_kind_of("dog", "animal", senses=-1)
    with pytest.raises(OptionError, match="senses must be at least 1, got 0"):
        LEXICON.are_siblings("dog", "animal", senses=0)


def test_relations_are_opened_when_asked_for(related):
    lexicon = Lexicon.open(related)
    (related / "antonyms.npy").unlink()
    assert lexicon.synonyms("cat") == {"cat", "puss"}
    with pytest.raises(DataError, match=r"antonyms\.npy: is not an array"):
        lexicon.antonyms("dry")


def test_absent_and_incomplete_lexicons_say_so(small, tmp_path):
    with pytest.raises(FileError, match="no such folder"):
        Lexicon.open(tmp_path / "nothing")
    (small / "one" / "senses.npy").unlink()
    with pytest.raises(DataError, match=r"the file senses\.npy is missing"):
        Lexicon.open(small / "one")


def test_parts_of_speech_are_wordnets():
    assert PARTS_OF_SPEECH == ("n", "v", "a", "r")
