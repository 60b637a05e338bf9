"""Commands that build resources have the defaults of the functions that they call."""

import copy
import dataclasses
import inspect

import pytest

from paragauge.cli.align import align
from paragauge.cli.lm import train
from paragauge.cli.phrases import phrases
from paragauge.cli.pivot import pivot
from paragauge.lm.train import train_lm
from paragauge.phrases.build import Pruning
from paragauge.phrases.extract import extract_phrases
from paragauge.phrases.pivot import pivot_paraphrases


def _defaults(function):
    if dataclasses.is_dataclass(function):
        return {field.name: field.default for field in dataclasses.fields(function)}
    return {name: parameter.default for name, parameter in inspect.signature(function).parameters.items()}


def _given(command):
    # A copy, since click keeps a command's help option from its first context.
    return copy.copy(command).make_context(command.name, [], resilient_parsing=True).params


@pytest.mark.parametrize(
    ("command", "function", "names"),
    [
        (train, train_lm, ["order", "smoothing", "min_counts", "discount_fallback", "tokenizer", "lowercase", "stem"]),
        (phrases, extract_phrases, ["max_length"]),
        (phrases, Pruning, ["min_count", "min_prob", "top"]),
        (pivot, pivot_paraphrases, ["min_prob", "top", "identity"]),
    ],
)
def test_defaults_are_those_of_the_library(command, function, names):
    given = _given(command)
    assert {name: given[name] for name in names} == {name: _defaults(function)[name] for name in names}


def test_align_leaves_its_defaults_to_the_library():
    given = _given(align)
    unset = ("method", "threshold", "model1_iterations", "hmm_iterations", "max_length", "threads")
    assert [given[name] for name in unset] == [None] * len(unset)
