"""Example requests and responses of the API, made by sending the requests to a running workbench."""

from __future__ import annotations

import math
from typing import Any

import httpx

from paragauge.web import models, rewriting

REQUESTS = {
    "score": models.ScoreRequest,
    "explain": models.ExplainRequest,
    "compare": models.CompareRequest,
    "correlate": models.CorrelateRequest,
    "report": models.ReportRequest,
    "derive": models.DeriveRequest,
    "generate": rewriting.GenerateRequest,
    "read": models.ReadRequest,
}
MOST_METRICS = 2  # shown of the list of metrics


def make_examples(client: httpx.Client) -> dict[str, Any]:
    """Return the response to the example of each operation, and what requests answer that are long or wrong."""
    examples: dict[str, Any] = {}
    for name, model in REQUESTS.items():
        request = model.model_json_schema()["examples"][0]
        answer = client.post(f"/api/{name}", json=request)
        assert answer.status_code == 200, (name, answer.text)
        examples[name] = answer.json()
    score = REQUESTS["score"].model_json_schema()["examples"][0]
    examples["metrics"] = client.get("/api/metrics").json()[:MOST_METRICS]
    examples["example"] = client.get("/api/example").json()
    wrong = {**score, "metrics": ["maxsin"]}
    examples["problem"] = client.post("/api/score", json=wrong).json()
    return examples


def differences(one: Any, other: Any, place: str = "") -> list[str]:
    """Return where two values differ; numbers may differ in their last digits."""
    if isinstance(one, dict) and isinstance(other, dict):
        if list(one) != list(other):
            return [f"{place}: fields {list(one)} and {list(other)}"]
        return [line for key in one for line in differences(one[key], other[key], f"{place}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for number, pair in pairs for line in differences(*pair, f"{place}[{number}]")]
    if isinstance(one, float) and isinstance(other, int | float):
        return [] if math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) else [f"{place}: {one} and {other}"]
    return [] if one == other else [f"{place}: {one!r} and {other!r}"]


def without_nulls(value: Any) -> Any:
    """Return a value without fields that are null, which FastAPI leaves out of descriptions."""
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value
