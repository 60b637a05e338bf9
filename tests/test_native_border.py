"""The border of the native core: what crosses it has a name, options are frozen, the stub tells the truth."""

import ast
from pathlib import Path

import numpy as np
import pytest

import paragauge
from paragauge import _core

MOST_POSITIONAL = 5
STUB = ast.parse((Path(paragauge.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))


def stub_functions():
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, ast.FunctionDef))


def test_functions_take_few_arguments_by_position():
    many = {name for name, function in stub_functions() if len(function.args.args) > MOST_POSITIONAL + ("." in name)}
    assert not many


def test_stub_names_what_the_module_has():
    stubbed = {node.name for node in STUB.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    stubbed |= {node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign) and not node.value}
    assert stubbed == {name for name in dir(_core) if not name.startswith("_")}


@pytest.mark.parametrize("name", [name for name, _ in stub_functions() if "." in name and "__" not in name])
def test_methods_of_the_stub_exist(name):
    owner, method = name.split(".")
    assert hasattr(getattr(_core, owner), method)


def test_structs_are_built_by_keyword_and_frozen():
    limits = _core.SearchLimits(options=1, steps=2)
    with pytest.raises(TypeError):
        _core.SearchLimits(1, 2)
    with pytest.raises(TypeError):
        _core.SearchLimits(options=1)
    with pytest.raises(AttributeError):
        limits.options = 5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: _core.SearchLimits(options=0, steps=1), "limits must be at least 1"),
        (
            lambda: _core.ItemOptions(max_order=0, triples=False, distance=0.0, tags_alone=True),
            "max_order must lie between",
        ),
        (
            lambda: _core.ItemOptions(max_order=1, triples=False, distance=float("nan"), tags_alone=True),
            "distance must lie between",
        ),
        (
            lambda: _core.BagOptions(unseen=0.0, unknown=1.0, min_edge=0.1, min_weight=0.0, max_order=4),
            "unseen must be above 0",
        ),
        (
            lambda: _core.Schedule(epochs=0, runs=1, width=1, variant_share=0.0, seed=1, least_notes=1, report=print),
            "epochs, runs and width",
        ),
    ],
)
def test_structs_refuse_what_makes_no_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_damaged_offsets_are_refused_by_name():
    good = np.array([0, 1], np.int32), np.array([0, 2], np.int64)
    for offsets in ([1, 2], [0, 1], [0, 3], [0, 3, 2], []):
        with pytest.raises(ValueError, match="references: "):
            _core.pairwise_overlap(good, (good[0], np.array(offsets, np.int64)), 2)
