"""The lexicon: WordNet's facts, a slow reader of a made-up WordNet, and damaged files."""

import contextlib
import itertools
import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    "noun.exc": "kine cow\ncatses cat\n",
    "verb.exc": "sat sit\n",
    "adj.exc": "",
    "adv.exc": "",
}


@pytest.fixture
def small(tmp_path, root):
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name, text in SMALL.items():
        (folder / name).write_text(HEADER + text if name.startswith("data") else text, encoding="ascii")
    for output in ("one", "two"):
        command = [sys.executable, str(root / "tools" / "make_lexicon.py"), str(folder), str(tmp_path / output)]
        subprocess.run(command, check=True)
    return tmp_path


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
    assert sum(file.stat().st_size for file in folder.iterdir()) < 3 << 20


@pytest.mark.parametrize("name", ["lemma_lengths", "sense_counts", "senses", "exception_lemmas", "synset_counts"])
@pytest.mark.parametrize("value", [0, 255])
def test_damaged_columns_are_refused_or_harmless(small, name, value):
    folder = small / "one"
    column = np.load(folder / f"{name}.npy")
    column[0] = value if column.dtype == np.uint8 else value * 1_000_000
    np.save(folder / f"{name}.npy", column)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][f"{name}.npy"]["bytes"] = (folder / f"{name}.npy").stat().st_size
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with contextlib.suppress(DataError):
        lexicon = Lexicon.open(folder)
        assert value == 0
        assert lexicon.morphy("catses") is not None


def test_absent_and_incomplete_lexicons_say_so(small, tmp_path):
    with pytest.raises(FileError, match="no such folder"):
        Lexicon.open(tmp_path / "nothing")
    (small / "one" / "senses.npy").unlink()
    with pytest.raises(DataError, match=r"lacks its file senses\.npy"):
        Lexicon.open(small / "one")


def test_parts_of_speech_are_wordnets():
    assert PARTS_OF_SPEECH == ("n", "v", "a", "r")
