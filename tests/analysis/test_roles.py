"""Predicates and arguments: what is found, how it is written, and that a labeller learns what it is shown."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise

import pytest
from click.testing import CliRunner

from paragauge.analysis import Analysis, provider
from paragauge.analysis.role_training import read_roles, score_roles, train_labeller
from paragauge.analysis.roles import Predicate, RoleLabeller, RoleModel, role_columns, role_dict, write_role_model
from paragauge.cli.parse import parse
from paragauge.errors import DataError, OptionError

SENTENCES = [
    "Mary gave him a book yesterday .",
    "The house was sold by the old man .",
    "The man who left early did not want them to know .",
    "",
    "They discussed the destruction of the city .",
    "Why is it so cold ?",
]


@pytest.fixture(scope="module")
def analyses():
    return provider("builtin").analyse([text.split() for text in SENTENCES], lemmas=True, dependencies=True)


@pytest.fixture(scope="module")
def labeller():
    return RoleLabeller.load()


def found(labelled, words):
    return {
        (words[predicate.word], argument.role): " ".join(words[argument.begin : argument.end])
        for predicate in labelled
        for argument in predicate.arguments
    }


def test_who_did_what_to_whom(labeller, analyses):
    labelled = labeller.label(analyses)
    gave = found(labelled[0], analyses[0].words)
    assert gave["gave", "ARG0"] == "Mary"
    assert gave["gave", "ARG1"] == "a book"
    assert gave["gave", "ARG2"] == "him"
    sold = found(labelled[1], analyses[1].words)  # the passive is undone
    assert sold["sold", "ARG1"] == "The house"
    assert sold["sold", "ARG0"] == "by the old man"
    assert labelled[3] == ()


def test_arguments_do_not_overlap_and_numbered_roles_are_single(labeller, analyses):
    for predicates in labeller.label(analyses):
        for predicate in predicates:
            spans = sorted((argument.begin, argument.end) for argument in predicate.arguments)
            assert all(one[1] <= other[0] for one, other in pairwise(spans))
            assert not any(begin <= predicate.word < end for begin, end in spans)
            numbered = [argument.role for argument in predicate.arguments if argument.role[3:4].isdigit()]
            assert len(numbered) == len(set(numbered))


def test_threads_change_nothing(labeller, analyses):
    assert labeller.label(analyses * 20, threads=1) == labeller.label(analyses * 20, threads=3)


def test_known_predicates_get_their_arguments(labeller, analyses):
    [[predicate]] = labeller.label(analyses[:1], predicates=[[1]])
    assert predicate.word == 1
    assert {argument.role for argument in predicate.arguments} >= {"ARG0", "ARG1"}


def test_columns_and_json():
    analysis = Analysis(("He", "left", "the", "room"), tags=("PRP", "VBD", "DT", "NN"))
    gold = [Predicate(1, "leave.01", ()), Predicate(3, "room.01", ())]
    assert list(role_columns(analysis, gold[:1])) == [
        "0\tHe\tPRP\t-\t*", "1\tleft\tVBD\tleave.01\t(V*)", "2\tthe\tDT\t-\t*", "3\troom\tNN\t-\t*", "",
    ]  # fmt: skip
    assert role_dict(analysis, gold)["predicates"][0]["lemma"] == "leave"


def test_the_command_writes_columns_and_json(tmp_path):
    (tmp_path / "text").write_text("Mary gave him a book.\n", encoding="utf-8")
    columns = CliRunner().invoke(parse, [str(tmp_path / "text"), "--format", "roles"])
    assert columns.stdout.splitlines()[:2] == ["0\tMary\tNNP\t-\t(ARG0*)", "1\tgave\tVBD\tgive.01\t(V*)"]
    lines = CliRunner().invoke(parse, [str(tmp_path / "text"), "--format", "roles-json"])
    assert json.loads(lines.stdout)["predicates"][0]["arguments"][0] == ["ARG0", 0, 1]


def test_a_labeller_learns_what_it_is_shown(tmp_path, analyses):
    """Learned from sentences in which the object is the agent, the labeller says so."""
    rows = [
        {
            "words": ["dogs", verb, "cats"],
            "predicates": [{"index": 1, "roleset": f"{verb}.09", "arguments": [["ARG1", 0, 1], ["ARG0", 2, 3]]}],
        }
        for verb in ("chase", "see", "hear")
    ] * 4
    with gzip.open(tmp_path / "gold.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    gold = list(read_roles(tmp_path / "gold.gz"))
    parsed = [
        Analysis(each.words, tags=("NNS", "VBP", "NNS"), heads=(1, -1, 1), relations=("nsubj", "root", "obj"))
        for each in gold
    ]
    classes = {"dogs": (1, 1, 1), "cats": (1, 2, 2)}
    meta, blocks, reached = train_labeller(gold, parsed, classes=classes, epochs=4, least_notes=1)
    assert (meta, blocks, reached) == train_labeller(gold, parsed, classes=classes, epochs=4, least_notes=1)
    assert reached == 1.0
    write_role_model(tmp_path / "roles.bin", {**meta, "notes": {}}, blocks)
    labelled = RoleLabeller(RoleModel.read(tmp_path / "roles.bin")).label(parsed)
    assert score_roles(labelled, gold)["arguments"].f1() == (1.0, 1.0, 1.0)
    assert score_roles(labelled, gold)["rolesets"].f1() == (1.0, 1.0, 1.0)


def test_bad_input_is_explained(tmp_path, labeller):
    with pytest.raises(OptionError, match="sentence 1 has no tags or no dependencies"):
        labeller.label([Analysis(("a",))])
    (tmp_path / "roles.bin").write_bytes(b"PGROLES3" + b"x" * 100)
    with pytest.raises(DataError, match="damaged"):
        RoleModel.read(tmp_path / "roles.bin")
    with gzip.open(tmp_path / "gold.gz", "wt", encoding="utf-8") as file:
        file.write('{"words": 3}\n')
    with pytest.raises(DataError, match="holds no sentence with roles"):
        list(read_roles(tmp_path / "gold.gz"))
