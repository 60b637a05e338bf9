import contextlib
from dataclasses import dataclass, fields
from importlib.metadata import EntryPoint
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import METRICS, parse_metric
from paragauge.errors import OptionError, ParagaugeError
from paragauge.metrics import Measurement, SentenceMetric, registry


def test_every_metric_describes_itself():
    for name, cls in METRICS.items():
        assert cls.name == name
        assert cls.summary
        assert len(cls.summary) <= 60
        assert cls.citation[-1] == ")"
        assert cls.scale
        assert cls.__doc__


def test_metric_text_parses_back_to_the_metric():
    for text in METRICS:
        assert str(parse_metric(text)) == text
    metric = parse_metric("bleu( max_order=2, tokenizer=moses-fr , lowercase=yes,smooth='add-k', smooth_value=0.5)")
    assert str(metric) == "bleu(tokenizer='moses-fr', lowercase=True, max_order=2, smooth='add-k', smooth_value=0.5)"
    assert parse_metric(str(metric)) == metric
    assert hash(parse_metric(str(metric))) == hash(metric)


def test_defaults_are_recorded_for_every_option():
    for cls in METRICS.values():
        assert all(option.kw_only for option in fields(cls))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blue", "no metric named 'blue'; did you mean 'bleu'\\? known: .*bleu, chrf"),
        ("self-bleu", "is ambiguous: use self-bleu-original .* or self-bleu-set"),
        ("bleu(max_ordr=2)", "no option of bleu named 'max_ordr'; did you mean 'max_order'\\?"),
        ("bleu(2)", "'2' in bleu\\(...\\) is not of the form option=value"),
        ("bleu(max_order=2,max_order=3)", "given twice"),
        ("bleu(max_order=0)", "'max_order' of bleu must be a whole number from 1 to 100; got 0"),
        ("bleu(max_order=true)", "must be a whole number"),
        ("bleu(max_order=2.5)", "must be a whole number"),
        ("bleu(lowercase=1)", "'lowercase' of bleu must be one of True, False; got 1"),
        ("bleu(smooth=magic)", "must be one of 'exp', 'floor', 'add-k', 'none'; got 'magic'"),
        ("bleu(smooth_value=1)", "smooth='exp' of bleu takes no smooth_value"),
        ("bleu(tokenizer=14a)", "no tokeniser named '14a'"),
        ("bleu(tokenizer=__import__('os'))", "is not a valid value for option"),
        ("ibleu(alpha=1.5)", "must be a number from 0 to 1; got 1.5"),
        ("precis(weight=-1)", "must be a number of at least 0; got -1"),
        ("edit-dissimilarity(unit=byte)", "must be one of 'word', 'char'"),
        ("chrf(beta=0)", "'beta' of chrf"),
        ("(", "is not a metric; expected a name"),
    ],
)
def test_bad_metric_text_says_what_is_wrong(text, message):
    with pytest.raises(OptionError, match=message):
        parse_metric(text)


@given(st.text(max_size=30) | st.text(max_size=30).map("bleu({})".format))
def test_any_text_is_a_metric_or_a_wrong_option(text):
    try:
        metric = parse_metric(text)
    except OptionError:
        return
    assert parse_metric(str(metric)) == metric


@dataclass(frozen=True, kw_only=True)
class Length(SentenceMetric):
    """A metric as another package would write it: the mean number of words."""

    factor: float = 1.0

    name: ClassVar[str] = "length"
    summary: ClassVar[str] = "words"
    citation: ClassVar[str] = "Nobody (2020)"
    scale: ClassVar[str] = "0 and more"
    needs: ClassVar[frozenset[str]] = frozenset()

    def statistics(self, segments):
        return np.array([[len(text.split()), 1] for text in segments.candidates])

    def measure(self, totals):
        return Measurement(self.factor * totals[0] / totals[1])

    def signature_items(self):
        return {"factor": self.factor}


def test_other_peoples_metrics_come_in_by_entry_point(monkeypatch):
    class Point:
        name, value = "length", "elsewhere:Length"
        load = staticmethod(lambda: Length)

    monkeypatch.setattr(registry, "_plugins", lambda: {"length": Point})
    assert "length" in METRICS
    assert "length" in list(METRICS)
    score = parse_metric("length(factor=2)").corpus_score(["one two", "three"])
    assert score.value == 2 * (2 + 1) / 2
    assert str(score.signature).startswith("length|factor:2|version:")


def test_broken_plugin_is_named(monkeypatch):
    broken = EntryPoint("broken", "no_such_module:Metric", registry.ENTRY_POINT_GROUP)
    wrong = EntryPoint("wrong", "collections:Counter", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "_plugins", lambda: {"broken": broken, "wrong": wrong})
    with pytest.raises(OptionError, match=r"metric 'broken' of another package .* cannot be loaded"):
        parse_metric("broken")
    with pytest.raises(OptionError, match="not a subclass of paragauge's Metric"):
        parse_metric("wrong")


WRONG = (
    "13", "-1", "1e400", "NaN", "None", "''", "x", "[1]", "{}", "{'a': 1}", "(1, 2)", "10**3", "99999999999999999999",
    "'\\x00'", "'\\ud800'", "1j", "b'x'", "...", "lambda",
)  # fmt: skip


@pytest.mark.parametrize("name", METRICS)
def test_no_value_of_an_option_ends_in_a_traceback(name):
    for option in fields(METRICS[name]):
        for value in WRONG:
            with contextlib.suppress(ParagaugeError):
                metric = parse_metric(f"{name}({option.name}={value})")
                if isinstance(metric, SentenceMetric):
                    metric.corpus_score(["a cat sat"], references=[["the cat sat"]], originals=["a cat slept"])
