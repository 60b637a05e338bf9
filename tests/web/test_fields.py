"""Fields of requests say what the options say."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from paragauge.evaluate.compare import CompareRequest
from paragauge.evaluate.explain import ExplainRequest
from paragauge.evaluate.option import options_of
from paragauge.evaluate.score import ScoreRequest
from paragauge.web import models


@pytest.mark.parametrize(
    ("model", "request_class"),
    [
        (models.ScoreRequest, ScoreRequest),
        (models.CompareRequest, CompareRequest),
        (models.ExplainRequest, ExplainRequest),
    ],
)
def test_defaults_and_descriptions_are_those_of_the_options(model, request_class):
    for option in options_of(request_class):
        if option.name == "test":
            continue  # chooses the p-values of a printed grid; the API has /compare
        field = model.model_fields[option.name]
        assert field.is_required() == option.required
        if not option.required:
            assert field.default == (list(option.default) if option.many else option.default)
        assert field.description.startswith(option.help)


def test_limits_are_those_of_options_and_servers():
    texts = {"candidates": {"a": ["x"]}}
    for wrong in ({"bootstrap": -1}, {"bootstrap": 20_001}, {"seed": -1}, {"seed": 1 << 32}, {"metrics": []}):
        with pytest.raises(ValidationError):
            models.ScoreRequest.model_validate({"metrics": ["bleu"], "texts": texts, **wrong})
    for wrong in ({"trials": 0}, {"tests": []}, {"tests": ["t"]}):
        with pytest.raises(ValidationError):
            models.CompareRequest.model_validate({"metrics": ["bleu"], "texts": texts, **wrong})
