"""All that the description of the API allows, and much that it does not: no server error, no broken promise."""

import httpx
import schemathesis
import schemathesis.specs.openapi.schemas  # now: compiling while other threads do fails in Python 3.11
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from paragauge import METRICS, SentenceMetric

QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}
NAMES = [name for name in METRICS if issubclass(METRICS[name], SentenceMetric)]


def test_the_api_keeps_its_description(workbench):
    schema = schemathesis.openapi.from_url(f"{workbench}/api/openapi.json")
    operations = [each.ok() for each in schema.get_all_operations()]
    assert len(operations) == 12
    for operation in operations:
        for mode in GenerationMode if operation.body else [GenerationMode.POSITIVE]:
            _try(operation, mode)


def _try(operation, mode):
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=10, **QUIET)
    def attempt(case):
        # Not every body that fits the schema makes sense: texts may differ in length, a metric may not exist.
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    attempt()


texts = st.text(st.characters(codec="utf-8"), max_size=30) | st.lists(st.sampled_from("a the . <b> 你 ñ".split())).map(
    " ".join
)


@given(
    metrics=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True),
    rows=st.lists(st.tuples(texts, texts, texts, texts), min_size=1, max_size=4),
    name=st.text(st.characters(codec="utf-8"), min_size=1, max_size=5),
)
@settings(max_examples=40, **QUIET)
def test_any_texts_are_scored_explained_and_compared_or_refused(workbench, metrics, rows, name):
    one, two, reference, original = (list(column) for column in zip(*rows, strict=True))
    given = {"candidates": {name: one, "b": two}, "references": {name: reference}, "originals": original}
    body = {"metrics": metrics, "texts": given}
    single = {
        "metrics": metrics,
        "candidate": one[0],
        "references": reference[:1],
        "original": original[0],
        "html": True,
    }
    with httpx.Client(base_url=f"{workbench}/api", timeout=120) as client:
        answers = [
            client.post("/score", json={**body, "segments": True, "bootstrap": 10}),
            client.post("/compare", json={**body, "trials": 10}),
            client.post("/report", json={**body, "bootstrap": 10, "html": True}),
            client.post("/explain", json=single),
        ]
    for answer in answers:
        assert answer.status_code in (200, 422), answer.text


@given(
    text=st.text(st.characters(codec="utf-8"), max_size=60)
    | st.lists(
        st.sampled_from(
            ["id", "system", "segment", "score", "reference", "candidate.a", "1", "\t", ",", "\n", "{", "<", '"']
        )
    ).map("".join)
)
@settings(max_examples=40, **QUIET)
def test_any_file_is_read_or_refused(workbench, text):
    file = {"name": "any", "text": text}
    with httpx.Client(base_url=f"{workbench}/api", timeout=120) as client:
        answers = [
            client.post("/read", json={"file": file}),
            client.post("/derive", json={"source": "a", "target": "a", "grammar": file}),
            client.post("/correlate", json={"scores": [file], "judgments": file}),
        ]
    for answer in answers:
        assert answer.status_code in (200, 422), answer.text
