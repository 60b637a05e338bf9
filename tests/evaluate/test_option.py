"""Requests: options said once, checked once, and the same on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import click
import pytest
from click.testing import CliRunner

from paragauge.cli.requests import request_options
from paragauge.errors import OptionError
from paragauge.evaluate.option import Request, option, options_of


@dataclass(frozen=True, kw_only=True)
class Sample(Request):
    metrics: tuple[str, ...] = option(flags=("-m", "--metric"), help="A metric.")
    level: Literal["segment", "system"] = option("segment", help="What to score.")
    trials: int | None = option(None, low=1, help="Resamples.", default_help="1000")
    share: float = option(0.5, low=0, high=1, help="A share.")
    exact: bool = option(False, help="Be exact.")


def test_options_say_what_the_fields_are():
    metrics, level, trials, share, exact = options_of(Sample)
    assert (metrics.required, metrics.many, metrics.flags) == (True, True, ("-m", "--metric"))
    assert level.choices == ("segment", "system")
    assert (trials.kind, trials.required, trials.default) == (int, False, None)
    assert (share.kind, share.low, share.high) == (float, 0, 1)
    assert (exact.kind, exact.flags) == (bool, ("--exact",))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"metrics": "bleu"}, "takes a tuple"),
        ({"metrics": (1,)}, "must be text"),
        ({"level": "word"}, "must be one of segment, system"),
        ({"trials": 0}, "at least 1"),
        ({"trials": 1.5}, "whole number"),
        ({"trials": True}, "whole number"),
        ({"share": 1.5}, "at most 1"),
        ({"share": float("nan")}, "at least 0"),
        ({"exact": 1}, "True or False"),
    ],
)
def test_wrong_values_are_refused(wrong, message):
    with pytest.raises(OptionError, match=message):
        Sample(**{"metrics": ("bleu",), **wrong})


def test_the_command_line_makes_the_same_request():
    made = []

    @click.command()
    @request_options(Sample)
    def command(request):
        made.append(request)

    runner = CliRunner()
    assert runner.invoke(command, ["-m", "bleu", "-m", "ter"]).exit_code == 0
    assert made == [Sample(metrics=("bleu", "ter"))]
    line = ["-m", "ter", "--level", "system", "--trials", "5", "--share", "1", "--exact"]
    assert runner.invoke(command, line).exit_code == 0
    assert made[1] == Sample(metrics=("ter",), level="system", trials=5, share=1.0, exact=True)
    assert runner.invoke(command, ["-m", "ter", "--share", "2"]).exit_code == 2
    assert runner.invoke(command, []).exit_code == 2
    text = runner.invoke(command, ["--help"]).output
    assert "[default: segment]" in text
    assert "[default: 1000]" in text


def test_a_command_may_take_some_fields_in_another_way():
    @click.command()
    @request_options(Sample, without={"metrics"})
    def command(request):
        click.echo(str(request(metrics=("bleu",)).trials))

    assert CliRunner().invoke(command, ["--trials", "7"]).output == "7\n"
