"""Texts as people have them: strings, lists, mappings, frames."""

from __future__ import annotations

import pytest

from paragauge.corpora import Segments, TestSet
from paragauge.errors import DataError, OptionError
from paragauge.evaluate.texts import make_testset

CANDIDATES = ["the cat", "a dog"]
REFERENCES = [["the cat", "a cat"], "the dog"]


class PolarsLikeColumn:
    """A column that has a name and can be iterated, and no more."""

    def __init__(self, name, values):
        self.name, self._values = name, values

    def __iter__(self):
        return iter(self._values)


class PolarsLikeFrame:
    """A frame as polars has them: names of columns as a list, columns by name."""

    def __init__(self, **columns):
        self._columns = columns

    @property
    def columns(self):
        return list(self._columns)

    def __getitem__(self, name):
        return PolarsLikeColumn(name, self._columns[name])


def test_one_text_is_one_segment():
    testset = make_testset("the cat", ["a cat", "the cat"], "le chat")
    assert testset.systems == ("system",)
    assert testset.segments("system") == Segments(("the cat",), (("a cat", "the cat"),), ("le chat",))
    assert make_testset("the cat", "a cat").segments("system").references == (("a cat",),)


def test_lists_are_those_of_a_metric():
    testset = make_testset(CANDIDATES, REFERENCES)
    assert testset.ids == ("1", "2")
    assert testset.segments("system") == Segments.of(CANDIDATES, REFERENCES)
    assert testset.segments("system").references == (("the cat", "a cat"), ("the dog",))


def test_mappings_hold_systems_and_references():
    testset = make_testset(
        {"a": CANDIDATES, "b": ("x", "y")}, {"r": ["the cat", None], "s": ["a cat", "b"]}, ids=[7, "8"]
    )
    assert testset.systems == ("a", "b")
    assert testset.ids == ("7", "8")
    assert testset.segments("b") == Segments(("x", "y"), (("the cat", "a cat"), ("b",)))


def test_columns_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"moses": CANDIDATES, "r": ["the cat", "the dog"], "o": ["chat", "chien"]})
    testset = make_testset(frame["moses"], frame["r"], frame["o"])
    assert testset.segments("moses") == Segments.of(CANDIDATES, ["the cat", "the dog"], ["chat", "chien"])
    several = make_testset(frame[["moses", "o"]], frame[["r", "o"]])
    assert several.systems == ("moses", "o")
    assert several.segments("o").references == (("the cat", "chat"), ("the dog", "chien"))
    holes = pandas.DataFrame({"c": ["a", "b"], "r1": ["a", float("nan")], "r2": ["b", "c"]})
    assert make_testset(holes["c"], holes[["r1", "r2"]]).segments("c").references == (("a", "b"), ("c",))
    with pytest.raises(DataError, match=r"segment 2 is missing \(nan\); fill in or drop such rows"):
        make_testset(holes["r1"])


def test_columns_of_polars_and_arrow():
    import pyarrow as pa

    columns = {"a": CANDIDATES, "b": ["x", "y"]}
    for frame in (PolarsLikeFrame(**columns), pa.table(columns)):
        assert make_testset(frame).candidates == {"a": tuple(CANDIDATES), "b": ("x", "y")}
        assert make_testset(CANDIDATES, frame).segments("system").references == (("the cat", "x"), ("a dog", "y"))
    assert make_testset(PolarsLikeFrame(**columns)["a"]).systems == ("a",)
    assert make_testset(pa.chunked_array([CANDIDATES])).candidates == {"system": tuple(CANDIDATES)}


def test_a_test_set_is_taken_as_it_is():
    testset = TestSet(ids=["1"], candidates={"a": ["x"]}, originals=["y"])
    assert make_testset(testset) is testset
    with pytest.raises(OptionError, match="already includes references"):
        make_testset(testset, ["z"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2],), "segment 1 is int, expected a string"),
        (([],), "no candidates"),
        (({},), "no candidates"),
        ((5,), "found int, expected one text or several"),
        ((CANDIDATES, ["a"]), "differ in length"),
        ((["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]]), "references look transposed"),
        ((CANDIDATES, ["a", []]), "segment 2 has no reference"),
        (({"a": ["x"], "b": ["x", "y"]},), "differ in length"),
        ((CANDIDATES, None, ["x"]), "differ in length"),
        ((CANDIDATES, None, None, ["1", "1"]), "the same id"),
    ],
)
def test_nonsense_is_refused(arguments, message):
    with pytest.raises(DataError, match=message):
        make_testset(*arguments)
