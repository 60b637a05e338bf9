"""The models that ship, and models trained on a handful of sentences."""

import contextlib
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.analysis import Analysis, Lexicon, Tree, provider, read_conllu, read_trees
from paragauge.analysis.builtin import MODEL_FILE, Builtin
from paragauge.analysis.evaluation import (
    bracket_agreement,
    dependency_agreement,
    is_object,
    is_subject,
    tag_agreement,
)
from paragauge.analysis.model import BLOCKS, Model, write_model
from paragauge.analysis.training import Recipe, Recipes, Training, label_chains
from paragauge.errors import DataError, FileError, OptionError

SENTENCES = {
    "the/DT/2/det cat/NN/3/nsubj ate/VBD/0/root a/DT/5/det mouse/NN/3/obj":
        "(S (NP (DT the) (NN cat)) (VP (VBD ate) (NP (DT a) (NN mouse))))",
    "a/DT/2/det dog/NN/3/nsubj saw/VBD/0/root the/DT/5/det cat/NN/3/obj":
        "(S (NP (DT a) (NN dog)) (VP (VBD saw) (NP (DT the) (NN cat))))",
    "dogs/NNS/2/nsubj ran/VBD/0/root": "(S (NP (NNS dogs)) (VP (VBD ran)))",
    "cats/NNS/2/nsubj ate/VBD/0/root mice/NNS/2/obj": "(S (NP (NNS cats)) (VP (VBD ate) (NP (NNS mice))))",
    "run/VB/0/root": "(S (VP (VB run)))",
}  # fmt: skip
THOROUGH, QUICK = Recipe(20, 4, 1 << 20), Recipe(5, 2, 1 << 20)
TINY = Recipes(THOROUGH, THOROUGH, THOROUGH, QUICK, QUICK, THOROUGH, folds=2)


def treebank():
    sentences, trees = [], {}
    for number, (text, brackets) in enumerate([*SENTENCES.items()] * 6):
        rows = [word.split("/") for word in text.split()]
        words, tags, heads, relations = zip(*rows, strict=True)
        sentences.append(Analysis(words, tags, words, tuple(int(head) - 1 for head in heads), relations))
        if number % 3:  # some sentences have none, as in real treebanks
            trees[number] = Tree.from_penn(brackets)
    return sentences, trees


def write_tiny(path, *, threads=1):
    sentences, trees = treebank()
    names, blocks = Training(sentences, trees, {b"cat": 1, b"mouse": 1}, TINY, threads=threads).run()
    write_model(path, {**names, "notes": {}}, blocks)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "tiny.bin"
    write_tiny(path)
    return path


@pytest.fixture(scope="module")
def shipped():
    return Builtin.load()


def test_a_model_learns_what_it_is_shown(tiny):
    sentences, trees = treebank()
    found = Builtin.load(tiny).analyse([one.words for one in sentences], lemmas=True, dependencies=True, trees=True)
    assert tag_agreement(found, sentences).f == 1.0
    assert dependency_agreement(found, sentences).f == 1.0
    assert bracket_agreement([found[place].tree for place in trees], trees.values()).f == 1.0
    assert found[0].tree.to_penn() == "(ROOT " + next(iter(SENTENCES.values())) + ")"


def test_training_twice_gives_the_same_bytes(tiny, tmp_path):
    write_tiny(tmp_path / "again.bin", threads=2)
    assert (tmp_path / "again.bin").read_bytes() == tiny.read_bytes()


def test_non_projective_sentences_can_be_learned_from(tmp_path):
    # 0 <- 2 crosses 1 <- 3
    crossing = Analysis(("a", "b", "c", "d"), ("X",) * 4, ("a",) * 4, (2, 3, -1, 2), ("r", "r", "root", "r"))
    names, blocks = Training([crossing] * 8, {}, {}, TINY).run()
    assert names == {"tags": ["X"], "relations": ["r"], "labels": []}
    write_model(tmp_path / "model", {**names, "notes": {}}, blocks)
    with pytest.raises(OptionError, match="has no constituency parser"):
        Builtin.load(tmp_path / "model").analyse([["a"]], trees=True)


def test_damaged_and_foreign_files_are_refused(tiny, tmp_path):
    data = tiny.read_bytes()
    for name, content, message in [
        ("empty", b"", "is not a model file"),
        ("text", b"hello" * 100, "is not a model file"),
        ("short", data[:-1], "digest differs"),
        ("flipped", data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], "digest differs"),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError, match=message):
            Builtin.load(tmp_path / name)
    with pytest.raises(FileError, match="no such file"):
        Builtin.load(tmp_path / "absent")


def test_blocks_that_lie_are_refused(tiny, tmp_path):
    model = Model.read(tiny)
    meta = {"tags": model.tags, "relations": model.relations, "labels": model.labels, "notes": {}}
    chance = random.Random(1)
    for name in BLOCKS:
        blocks = {key: block.tobytes() for key, block in model.blocks.items()}
        blocks[name] = blocks[name][:-8]
        write_model(tmp_path / "cut", meta, blocks)
        with pytest.raises(DataError, match="damaged"):
            Builtin.load(tmp_path / "cut").analyse([["a"]], trees=True)
        for _ in range(20):  # a model may be nonsense, but does no harm
            original = model.blocks[name].tobytes()
            place = chance.randrange(len(original))
            blocks[name] = original[:place] + bytes([chance.randrange(256)]) + original[place + 1 :]
            write_model(tmp_path / "changed", meta, blocks)
            with contextlib.suppress(DataError):
                Builtin.load(tmp_path / "changed").analyse([["the", "cat", "ran"]], dependencies=True, trees=True)
    write_model(
        tmp_path / "named", {**meta, "tags": ["X"]}, {key: block.tobytes() for key, block in model.blocks.items()}
    )
    with pytest.raises(DataError, match="classes"):
        Builtin.load(tmp_path / "named").analyse([["a"]])
    write_model(tmp_path / "few", meta, {"words": b""})
    with pytest.raises(DataError, match="no block 'tagger'"):
        Builtin.load(tmp_path / "few")


def test_one_label_for_several_nodes_over_the_same_words():
    tree = Tree.from_penn("(S (VP-1 (VB run)))")
    assert label_chains(tree) == [(0, 1, "S+VP")]


def check(analysis, words):
    """What holds of any analysis: one root, no cycles, every span inside, all from the words."""
    assert analysis.words == tuple(words)
    assert len(analysis.tags) == len(analysis.lemmas) == len(words)
    if words:
        assert analysis.heads.count(-1) == 1
        assert analysis.relations[analysis.heads.index(-1)] == "root"
    for word in range(len(words)):
        steps = 0
        while word != -1:
            word, steps = analysis.heads[word], steps + 1
            assert steps <= len(words)
    assert analysis.tree.words == analysis.words


ALL = {"lemmas": True, "dependencies": True, "trees": True}


@settings(max_examples=60)
@given(st.lists(st.lists(st.text(max_size=8), max_size=12), max_size=4))
def test_no_sequence_of_tokens_is_refused(sentences):
    analyses = provider("builtin").analyse(sentences, **ALL)
    for analysis, words in zip(analyses, sentences, strict=True):
        check(analysis, words)


@pytest.mark.parametrize(
    "words",
    [
        [],
        [""],
        ["."] * 50,
        ["(", ")", "[", "``", "''", "...", "-LRB-", "!", "?!"],
        ["😀", "👩‍👩‍👧", "的", "\ud800", "\x00", "\u2028", "a b"],
        ["x" * 1_000_000],
        ["the"] * 10_000,
        ["and", "that", "who", "is"] * 700,
    ],
    ids=["nothing", "empty word", "full stops", "marks", "emoji", "long word", "10,000 words", "clauses"],
)
def test_hostile_sentences(shipped, words):
    check(shipped.analyse([words], **ALL)[0], words)


def test_a_million_tokens(shipped):
    words = ["the", "cat", "sat", ",", "and"] * 200_000
    assert len(shipped.analyse([words])[0].tags) == len(words)


def test_threads_do_not_matter(shipped):
    chance = random.Random(7)
    vocabulary = "the a cat dog saw ate run runs quickly of in and , . ? big bigger can to It".split()
    sentences = [chance.choices(vocabulary, k=chance.randrange(30)) for _ in range(200)]
    assert shipped.analyse(sentences, **ALL, threads=1) == shipped.analyse(sentences, **ALL, threads=3)


def test_only_what_was_asked_for(shipped):
    analysis = shipped.analyse([["It", "works"]])[0]
    assert analysis == Analysis(("It", "works"), tags=("PRP", "VBZ"))


def test_penn_and_plain_writings_get_the_same_tags(shipped):
    plain, penn = shipped.analyse(
        [['"', "Go", '"', "(", "he", "said", ")"], ["``", "Go", "''", "-LRB-", "he", "said", "-RRB-"]]
    )
    assert plain.tags[3:] == penn.tags[3:] == ("-LRB-", "PRP", "VBD", "-RRB-")
    assert penn.tags[0] == "``"
    assert penn.tags[2] == "''"


def test_providers_by_name(tmp_path):
    assert provider("builtin") is provider("builtin")
    assert provider("builtin").signature == f"builtin-{Model.read(MODEL_FILE).digest}"
    for name, message in [
        ("bultin", "did you mean 'builtin'"),
        ("files:", "needs a file"),
        ("spacy:", "needs a pipeline"),
        ("builtin:x", "no provider named"),
    ]:
        with pytest.raises(OptionError, match=message):
            provider(name)


def test_the_model_ships_with_its_notice():
    folders = MODEL_FILE.parent, MODEL_FILE.parent.parent / "wordnet"
    packed = (len(zlib.compress(file.read_bytes(), 6)) for folder in folders for file in folder.iterdir())
    assert sum(packed) < 15_000_000  # in the wheel
    assert "CC BY-SA 4.0" in (Path(MODEL_FILE).parent / "NOTICE.txt").read_text(encoding="ascii")
    assert len(Lexicon.load()) > 100_000


@pytest.mark.data
def test_quality_on_the_dev_sets(data_folder, shipped):
    folder = data_folder / "english_treebanks"
    gold = {name: list(read_conllu(folder / f"{name}.dev.conllu.gz")) for name in ("ewt", "gum")}
    found = {
        name: shipped.analyse([one.words for one in bank], dependencies=True, trees=name == "gum")
        for name, bank in gold.items()
    }
    both_found, both_gold = found["ewt"] + found["gum"], gold["ewt"] + gold["gum"]
    assert tag_agreement(both_found, both_gold).f > 0.95
    assert dependency_agreement(both_found, both_gold, is_subject).f > 0.88
    assert dependency_agreement(both_found, both_gold, is_object).f > 0.86
    trees = list(read_trees(folder / "gum.dev.ptb.gz"))
    assert bracket_agreement([one.tree for one in found["gum"]], trees).f > 0.80
    lower = shipped.analyse([[word.lower() for word in one.words] for one in both_gold])
    as_is = [Analysis(one.words, tags=other.tags) for one, other in zip(both_gold, lower, strict=True)]
    assert tag_agreement(as_is, both_gold).f > 0.935
