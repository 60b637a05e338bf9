"""Views of results."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from paragauge.errors import OptionError
from paragauge.evaluate.result import Result
from paragauge.report.table import ResultTable


@dataclass(frozen=True)
class Sample(Result):
    system: str

    def rows(self):
        return [{"system": self.system, "score": 0.5}, {"system": "b", "score": None}]

    def table(self):
        return ResultTable(["system", "score"], self.rows(), notes=["a <note>"])


def test_views_have_the_same_rows():
    result = Sample("a<b>")
    assert result.to_arrow().to_pylist() == result.rows() == result.to_dict()
    assert "0.5000" in str(result)
    html = result._repr_html_()
    assert "a&lt;b&gt;" in html
    assert "a &lt;note&gt;" in html
    assert '<td style="text-align: right">0.5000</td>' in html


def test_a_frame_needs_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(OptionError, match="needs pandas"):
        Sample("a").to_frame()


def test_a_frame_has_the_rows():
    pandas = pytest.importorskip("pandas")
    frame = Sample("a").to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["system", "score"]
