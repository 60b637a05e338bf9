"""Analyses of others: files and spaCy."""

import sys

import pytest

from paragauge.analysis import Analysis, Tree, provider, write_conllu, write_trees
from paragauge.analysis.files import AnalysedFiles
from paragauge.errors import DataError, MissingExtraError, OptionError

CATS = Analysis(("cats", "ate"), ("NNS", "VBD"), ("cat", "eat"), (1, -1), ("nsubj", "root"))
TREE = Tree.from_penn("(S (NP (NNS cats)) (VP (VBD ate)))")


@pytest.fixture
def conllu(tmp_path):
    write_conllu(tmp_path / "a.conllu.gz", [CATS])
    return tmp_path / "a.conllu.gz"


@pytest.fixture
def brackets(tmp_path):
    write_trees(tmp_path / "a.trees", [TREE, Tree.from_penn("(NP (NNS dogs))")])
    return tmp_path / "a.trees"


def test_files_are_joined_by_words(conllu, brackets):
    both = provider(f"files:{conllu},{brackets}")
    found = both.analyse([["cats", "ate"], []], lemmas=True, dependencies=True, trees=True)
    assert found[0] == Analysis(
        *[getattr(CATS, name) for name in ("words", "tags", "lemmas", "heads", "relations")], TREE
    )
    assert found[1].words == ()
    assert both.signature == AnalysedFiles.read(conllu, brackets).signature
    assert both.signature != AnalysedFiles.read(conllu).signature


def test_lemmas_come_from_the_lexicon_where_files_have_none(brackets):
    assert AnalysedFiles.read(brackets).analyse([["dogs"]], lemmas=True)[0].lemmas == ("dog",)


def test_what_is_not_there_is_said(conllu, brackets, tmp_path):
    with pytest.raises(DataError, match="sentence 1 is not in the files: 'a dog'"):
        AnalysedFiles.read(conllu).analyse([["a", "dog"]])
    with pytest.raises(DataError, match="sentence 1 has no tree in the files"):
        AnalysedFiles.read(conllu).analyse([["cats", "ate"]], trees=True)
    with pytest.raises(DataError, match="sentence 1 has no heads"):
        AnalysedFiles.read(brackets).analyse([["cats", "ate"]], dependencies=True)
    (tmp_path / "empty").write_text("")
    with pytest.raises(DataError, match="contains no sentence"):
        AnalysedFiles.read(tmp_path / "empty")


def test_spacy_is_asked_for_by_name():
    with pytest.raises(OptionError, match="no pipeline 'no_such_pipeline'"):
        provider("spacy:no_such_pipeline")


def test_without_spacy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match="paragauge\\[spacy\\]"):
        provider("spacy:en_core_web_sm")


def test_a_pipeline_of_spacy_analyses(tmp_path):
    import spacy

    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("attribute_ruler")
    for word, tag, relation in (("cats", "NNS", "nsubjpass"), ("ate", "VBD", "ROOT")):
        ruler.add([[{"ORTH": word}]], {"TAG": tag, "LEMMA": word.upper(), "DEP": relation})
    pipeline.to_disk(tmp_path / "pipeline")
    found = provider(f"spacy:{tmp_path / 'pipeline'}").analyse([["cats", "ate"], [], ["", "x"]], dependencies=True)
    assert found[0].tags == ("NNS", "VBD")
    assert found[0].lemmas == ("cats", "ate")
    assert found[0].relations == ("nsubj:pass", "root")
    assert found[1].words == ()
    assert found[2].words == ("", "x")
    with pytest.raises(OptionError, match="does not provide constituency trees"):
        provider(f"spacy:{tmp_path / 'pipeline'}").analyse([["a"]], trees=True)
