"""The API: what it answers, what it refuses, and that it never leaves anything behind."""

import json
import time

import httpx
import pytest

from paragauge import Bleu, parse_metric
from paragauge.corpora.demo import demo_testset
from paragauge.meta.study import make_study
from paragauge.web.app import create_app
from paragauge.web.workbench import workbench_areas

PAIR = {"candidates": {"a": ["the cat is on the mat"]}, "references": {"1": ["the cat sat on the mat"]}}
SCORES = "metric\tsystem\tsegment\tscore\n" + "".join(
    f"m\t{system}\t{segment}\t{value + segment % 3}\n" for system, value in (("a", 3), ("b", 1)) for segment in range(9)
)
JUDGMENTS = "system\tsegment\tjudge\tcriterion\tscore\n" + "".join(
    f"{system}\t{segment}\tann\tadequacy\t{value + segment % 2}\n"
    for system, value in (("a", 4), ("b", 2))
    for segment in range(9)
)


@pytest.fixture(scope="module")
def client(workbench):
    with httpx.Client(base_url=workbench, timeout=120) as client:
        yield client


def _lines(client, path, body):
    answer = client.post(path, params={"stream": "true"}, json=body)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/jsonl"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_scores_are_those_of_the_library(client):
    testset = demo_testset()
    texts = {"ids": testset.ids, "originals": testset.originals, "references": testset.references}
    body = {"metrics": ["bleu", "chrf(word_order=2)", "pinc"], "texts": {**texts, "candidates": testset.candidates}}
    answer = client.post("/api/score", json={**body, "segments": True, "bootstrap": 50}).json()
    assert len(answer["systems"]) == 9
    for found in answer["systems"]:
        metric = parse_metric(found["metric"])
        score = metric.score_corpus(testset.segments(found["system"]))
        assert found["score"] == score.value
        assert found["components"] == dict(score.components)
        assert found["interval"]["low"] <= found["score"] <= found["interval"]["high"]
        assert "|bs:50|" in found["signature"]
    assert len(answer["segments"]) == 9 * len(testset)
    assert answer["segments"][0]["score"] == Bleu().score_segments(testset.segments("paraphrase"))[0].value
    assert set(answer["segment_signatures"]) == set(body["metrics"])


def test_a_file_is_as_good_as_its_texts(client):
    file = {"name": "set.tsv", "text": "id\treference\tcandidate.a\n7\tthe cat sat on the mat\tthe cat is on the mat\n"}
    by_file = client.post("/api/score", json={"metrics": ["bleu"], "testset": file, "segments": True}).json()
    by_text = client.post("/api/score", json={"metrics": ["bleu"], "texts": PAIR}).json()
    assert by_file["systems"] == by_text["systems"]
    assert by_file["segments"][0]["segment"] == "7"
    read = client.post("/api/read", json={"file": file}).json()
    assert read == {**PAIR, "ids": ["7"], "originals": None}


def test_long_work_tells_how_far_it_is(client):
    body = {"metrics": ["ter"], "texts": {name: {"x": texts * 2000} for name, [texts] in
            (("candidates", [["a b c d e f g"]]), ("references", [["a c b d f e g h"]]))}}  # fmt: skip
    *steps, last = _lines(client, "/api/score", body)
    assert steps
    assert all(step["event"] == "progress" for step in steps)
    done = [step["progress"]["done"] for step in steps]
    assert done == sorted(done)
    assert steps[0]["progress"]["total"] == 2000
    assert steps[0]["progress"]["what"] == "ter x"
    assert last["event"] == "result"
    assert last["result"]["systems"][0]["metric"] == "ter"


def test_problems_end_a_stream(client):
    [line] = _lines(client, "/api/score", {"metrics": ["pem"], "texts": PAIR})
    assert line["event"] == "problem"
    assert line["problem"]["status"] == 422
    assert line["problem"]["detail"] == "pem needs originals, but none were given"


def test_comparisons_are_those_of_the_command(client):
    testset = demo_testset()
    texts = {"references": testset.references, "candidates": testset.candidates}
    body = {"metrics": ["bleu"], "texts": texts, "tests": ["bootstrap", "permutation"], "trials": 100}
    found = client.post("/api/compare", json=body).json()["comparisons"]
    assert [(row["test"], row["baseline"], row["system"]) for row in found] == [
        (test, "paraphrase", system) for test in ("bootstrap", "permutation") for system in ("copy", "drift")
    ]
    assert found[0]["difference"] == pytest.approx(found[0]["score"] - found[0]["baseline_score"])
    assert len(client.post("/api/compare", json={**body, "all_pairs": True}).json()["comparisons"]) == 6
    one = client.post("/api/compare", json={"metrics": ["bleu"], "texts": PAIR})
    assert one.status_code == 422
    assert "at least two systems" in one.json()["detail"]


def test_explanations_come_as_data_and_as_drawings(client):
    body = {
        "metrics": ["pem", "meteor", "maxsim", "paraeval"],
        "original": "He bought the house.",
        "references": ["He bought the house."],
        "candidate": "He purchased the house.",
    }
    plain = client.post("/api/explain", json=body).json()["explanations"]
    assert [each["metric"] for each in plain] == body["metrics"]
    assert all("html" not in each for each in plain)
    assert {part["kind"] for each in plain for part in each["parts"]} == {"text", "grid"}
    folded = {part["kind"] for each in plain for detail in each["details"] for part in detail["parts"]}
    assert folded >= {"formula", "network", "links", "grid"}
    assert all(each["verdict"] for each in plain)
    drawn = client.post("/api/explain", json={**body, "html": True}).json()["explanations"]
    assert 'class="network"' in drawn[0]["html"]
    assert 'class="links"' in drawn[1]["html"]
    assert all("style=" not in each["html"] and "<script" not in each["html"] for each in drawn)


def test_derivations(client):
    pair = {"source": "Ann bought the house.", "target": "Ann purchased the house."}
    own = client.post("/api/derive", json={**pair, "html": True}).json()
    assert own["derived"]
    assert any(node["rule"] == "[X] ||| bought ||| purchased" for node in own["derivation"]["nodes"])
    assert "<svg" in own["html"]
    assert "<style" not in own["html"]
    other = {"name": "mine", "text": "[X] ||| sold ||| purchased\n"}
    sent = client.post("/api/derive", json={**pair, "grammar": other, "html": True}).json()
    assert not sent["derived"]
    assert sent["derivation"] is None
    wrong = client.post("/api/derive", json={**pair, "grammar": {"name": "mine", "text": "no rule"}})
    assert wrong.status_code == 422
    assert wrong.json()["detail"].startswith("mine:1: ")


def test_correlations_and_reports_are_those_of_a_study(client, tmp_path):
    from paragauge.corpora import read_judgments
    from paragauge.meta.scores import read_scores

    (tmp_path / "s").write_text(SCORES)
    (tmp_path / "j").write_text(JUDGMENTS)
    study = make_study(read_scores(tmp_path / "s"), read_judgments(tmp_path / "j"), resamples=20)
    body = {"scores": [{"text": SCORES}], "judgments": {"text": JUDGMENTS}, "bootstrap": 20}
    found = client.post("/api/correlate", json=body).json()
    assert [row["correlation"] for row in found["correlations"]] == [
        each.correlation.value for each in study.agreements
    ]
    systems = client.post("/api/correlate", json={**body, "level": "system"}).json()["correlations"]
    assert {row["level"] for row in systems} == {"system"}
    answer = client.post("/api/report", json={**body, "html": True, "title": "A <b>title</b>"}).json()
    assert answer["report"]["title"] == "A <b>title</b>"
    assert [section["key"] for section in answer["report"]["sections"]] == [
        "agreement", "systems", "plots", "disagreements",
    ]  # fmt: skip
    assert 'class="scatter' in answer["html"]
    assert "<script" not in answer["html"]


def test_a_report_scores_texts_itself(client):
    testset = demo_testset()
    texts = {"references": testset.references, "candidates": testset.candidates}
    judged = "system\tsegment\tscore\n" + "".join(
        f"{system}\t{segment}\t{len(system)}\n" for system in testset.systems for segment in testset.ids
    )
    body = {"metrics": ["bleu", "ter"], "texts": texts, "judgments": {"text": judged}, "bootstrap": 10}
    report = client.post("/api/report", json=body).json()["report"]
    assert any(dict(item["texts"]).get("paraphrase") for item in report["items"])
    nothing = client.post("/api/report", json={"metrics": ["bleu"]})
    assert nothing.status_code == 422
    assert "without texts" in nothing.json()["detail"]


def test_metrics_are_those_of_the_registry(client):
    from paragauge import METRICS

    found = client.get("/api/metrics").json()
    assert [each["name"] for each in found] == list(METRICS)
    bleu = next(each for each in found if each["name"] == "bleu")
    assert bleu["needs"] == ["references"]
    assert {"name": "max_order", "default": "4", "type": "int"} in bleu["options"]
    assert {each["name"] for each in found if each["kind"] == "resource"} >= {"paradigm", "paradigm-coverage"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"metrics": ["blue"], "texts": PAIR}, "did you mean 'bleu'"),
        ({"metrics": ["paradigm"], "texts": PAIR}, "scores a resource"),
        ({"metrics": ["bleu(max_order=0)"], "texts": PAIR}, "max_order"),
        ({"metrics": ["bleu", "bleu"], "texts": PAIR}, "given twice"),
        ({"metrics": ["bleu"]}, "found neither texts nor a testset"),
        ({"metrics": ["bleu"], "texts": PAIR, "testset": {"text": ""}}, "give only one of them"),
        ({"metrics": ["bleu"], "texts": {**PAIR, "references": {"1": ["a", "b"]}}}, "differ"),
        ({"metrics": ["bleu"], "testset": {"name": "x\n.tsv", "text": ""}}, "x .tsv: the file is empty"),
        ({"metrics": ["bleu"], "testset": {"name": "../x", "text": "\x00\x01"}}, "../x"),
        ({"metrics": ["bleu"], "texts": PAIR, "bootstrop": 3}, "bootstrop"),
        ({"metrics": [], "texts": PAIR}, "metrics"),
    ],
)
def test_nonsense_is_refused_with_a_reason(client, body, message):
    answer = client.post("/api/score", json=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert message in answer.json()["detail"]


@pytest.mark.parametrize(
    "metric",
    [
        "pem(model=/etc)",
        "pem(model=../x)",
        "pem(model=tiny.grammar)",
        "maxsim(analysis='files:/etc/passwd')",
        "pem(model='a\\\\b')",
    ],
)
def test_requests_may_not_name_files(client, metric):
    body = {"metrics": [metric], "original": "a", "references": ["a"], "candidate": "a"}
    answer = client.post("/api/explain", json=body)
    assert answer.status_code == 422
    assert "names a file" in answer.json()["detail"]


def test_strange_texts_are_scored_like_others(client):
    strange = [
        "",
        " ",
        "\u202eright to left",
        "👩‍👩‍👧‍👦 family",
        "a\x00b",
        "<script>alert(1)</script>",
        "x " * 5000,
        "\ufffd",
        "a\nb",
    ]
    texts = {"candidates": {"<b>s</b>": strange}, "references": {"1": strange[::-1]}, "originals": strange}
    body = {"metrics": ["bleu", "chrf", "pinc", "pem", "ngram-f1"], "texts": texts, "segments": True, "bootstrap": 10}
    answer = client.post("/api/score", json=body)
    assert answer.status_code == 200
    assert len(answer.json()["segments"]) == 5 * len(strange)
    half = client.post("/api/explain", content=b'{"metrics": ["bleu"], "references": ["a"], "candidate": "\\ud800"}',
                       headers={"content-type": "application/json"})  # fmt: skip
    assert half.status_code == 422


def test_nothing_is_left_in_the_work_folder(client, tmp_path):
    from starlette.testclient import TestClient

    app = create_app(workbench_areas(work=str(tmp_path), workers=1))
    with TestClient(app, base_url="http://127.0.0.1") as own:
        [folder] = tmp_path.iterdir()
        file = {"name": "../../out.tsv", "text": "id\treference\tcandidate.a\n1\ta\tb\n"}
        assert own.post("/api/read", json={"file": file}).status_code == 200
        assert list(folder.iterdir()) == []
    assert list(tmp_path.iterdir()) == []


def test_work_beyond_its_time_limit_goes_on_as_a_job(tmp_path):
    from starlette.testclient import TestClient

    text = " ".join(str(number % 997) for number in range(400_000))
    other = " ".join(str(number * 7 % 991) for number in range(400_000))
    texts = {"candidates": {"a": [text]}, "originals": [other]}
    slow = {"metrics": ["edit-dissimilarity(max_length=1000000)"], "texts": texts}
    areas = workbench_areas(workers=1, seconds=3.0, metrics=slow["metrics"])
    with TestClient(create_app(areas), base_url="http://127.0.0.1") as own:
        own.post("/api/score", json={"metrics": ["bleu"], "texts": PAIR})  # the worker is awake
        begun = time.monotonic()
        answer = own.post("/api/score", json=slow)
        assert time.monotonic() - begun < 30
        assert answer.status_code == 202
        address = answer.json()["address"]
        assert answer.headers["location"] == address
        assert own.get(address).json()["state"] == "running"
        assert own.delete(address).status_code == 204
        assert own.get(address).status_code == 404
        again = [own.post("/api/score", json={"metrics": ["bleu"], "texts": PAIR}) for _ in range(3)]
        assert again[-1].status_code == 200


def test_a_job_has_progress_and_then_a_result_or_a_problem():
    import asyncio

    from paragauge.web.background import Job
    from paragauge.web.jobs import Answer
    from paragauge.web.problems import Problem

    async def follow() -> None:
        go_on = asyncio.Event()

        async def answers(problem):
            yield Answer(False, b'{"done": 1}')
            await go_on.wait()
            if problem:
                raise Problem(422, "no")
            yield Answer(True, b'{"score": 1}')

        good, bad = Job.follow(answers(False)), Job.follow(answers(True))
        while good.progress == b"null":
            await asyncio.sleep(0)
        assert not good.is_done
        go_on.set()
        await asyncio.gather(good.task, bad.task)
        assert (good.is_done, good.result, good.problem) == (True, b'{"score": 1}', None)
        assert bad.is_done
        assert bad.problem.detail == "no"

    asyncio.run(follow())


def test_too_many_jobs_are_refused():
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from paragauge.web.jobs import Workers
    from paragauge.web.problems import Problem
    from paragauge.web.protocol import Settings

    async def ask():
        workers = Workers(Settings("."), count=1, most_waiting=0)
        await workers.start()
        try:
            await workers.result("example", {})
        finally:
            await workers.close()

    # In a thread of its own: Playwright may have a loop running in this one.
    with ThreadPoolExecutor(1) as thread, pytest.raises(Problem) as refused:
        thread.submit(lambda: asyncio.run(ask())).result()
    assert refused.value.status_code == 503


def test_examples_in_the_description_are_current(client):
    from support.api_examples import differences, make_examples, without_nulls

    description = client.get("/api/openapi.json").json()
    shown = {}
    for methods in description["paths"].values():
        for operation in methods.values():
            if "200" in operation["responses"]:
                shown[operation["operationId"]] = operation["responses"]["200"]["content"]["application/json"][
                    "example"
                ]
    made = make_examples(client)
    assert set(shown) == set(made) - {"problem"} | {"job"}  # tools/make_api_examples.py makes them
    for name, example in shown.items():
        if name != "job":
            assert differences(without_nulls(made[name]), example) == []  # descriptions have no nulls
    wrong = description["paths"]["/api/score"]["post"]["responses"]["422"]["content"]["application/problem+json"]
    assert wrong["example"] == made["problem"]


def test_a_report_has_the_scores_behind_it(client):
    testset = demo_testset()
    texts = {"references": testset.references, "candidates": testset.candidates}
    body = {"metrics": ["bleu", "ter"], "texts": texts, "bootstrap": 20, "html": True}
    whole = client.post("/api/report", json=body).json()
    assert "systems" not in whole
    assert 'id="changes"' in whole["html"]
    full = client.post("/api/report", json={**body, "segments": True, "tests": ["permutation"], "trials": 50}).json()
    scored = {"metrics": body["metrics"], "texts": texts, "bootstrap": 20, "segments": True}
    alone = client.post("/api/score", json=scored).json()
    for key in ("systems", "segments", "segment_signatures"):
        assert full[key] == alone[key]
    compared = {"metrics": body["metrics"], "texts": texts, "tests": ["permutation"], "trials": 50}
    assert full["comparisons"] == client.post("/api/compare", json=compared).json()["comparisons"]
    assert full["report"] == whole["report"]
    assert 'id="changes"' not in full["html"]  # the scores of segments say it
    idle = client.post("/api/report", json={**body, "tests": ["permutation"]})
    assert idle.status_code == 422
    assert "tests applies only to differences between systems" in idle.json()["detail"]
