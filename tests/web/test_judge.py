"""The page of judges: what it asks the server, and how it is used in a real browser."""

import threading

import pytest
import uvicorn
from starlette.testclient import TestClient
from support.axe import axe_violations
from support.contrast import CONTRAST

from paragauge.annotation.judging import JudgingStore
from paragauge.corpora import TestSet
from paragauge.web.app import create_app
from paragauge.web.judge import judging_areas

HOSTILE = "<img src=x onerror=\"document.title='broken'\"> & more"
TESTSET = TestSet(
    ids=["1", "2"],
    originals=["the old man went home", HOSTILE],
    candidates={"secret-name": ["the man went home", HOSTILE], "other-name": ["old man", ""]},
)


@pytest.fixture
def store(tmp_path):
    with JudgingStore.create(tmp_path / "store.sqlite", TESTSET) as made:
        yield made


@pytest.fixture
def client(store):
    return TestClient(create_app(judging_areas(store, ["ann"])), base_url="http://127.0.0.1:8017")


def test_ratings_are_saved_and_systems_stay_unnamed(store, client):
    item = client.get("/api/judge/ann/items/1")
    assert "secret-name" not in item.text + client.get("/judge/ann").text
    texts = {each["text"]: each["place"] for each in item.json()["texts"]}
    body = {"project": store.project, "place": texts["old man"], "criterion": "grammar", "score": 2, "token": "t" * 10}
    assert client.post("/api/judge/ann/items/1/ratings", json=body).json() == {"finished": []}
    (row,) = store.judgments()
    assert (row.system, row.criterion, row.score) == ("other-name", "grammar", 2.0)
    again = client.get("/api/judge/ann/items/1").json()["texts"]
    assert {each["text"]: each["scores"]["grammar"] for each in again}["old man"] == 2
    assert client.get("/api/judgments").text.splitlines()[1] == "other-name\t1\tann\tgrammar\t2"
    assert "ann" in client.get("/judge").text


@pytest.mark.parametrize(
    ("changed", "status"),
    [({"project": "other"}, 412), ({"score": 6}, 422), ({"criterion": "style"}, 422), ({"place": 7}, 422),
     ({"token": "/"}, 422), ({"more": 1}, 422)],
)  # fmt: skip
def test_invalid_ratings_are_refused(store, client, changed, status):
    body = {"project": store.project, "place": 0, "criterion": "grammar", "score": 2, "token": "t" * 10, **changed}
    answer = client.post("/api/judge/ann/items/1/ratings", json=body)
    assert answer.status_code == status
    assert answer.json()["detail"]
    assert store.judges() == []


def test_strangers_and_other_sites_are_refused(client):
    assert client.get("/api/judge/eve/items/1").status_code == 404
    assert client.get("/judge/eve").status_code == 404
    assert client.get("/api/judge/ann/items/3").status_code == 404
    assert client.get("/judge/ann", headers={"host": "evil.example"}).status_code == 421
    answer = client.post("/api/judge/ann/items/1/ratings", json={}, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403


@pytest.fixture
def address(store):
    config = uvicorn.Config(create_app(judging_areas(store, ["ann"])), port=0, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        threading.Event().wait(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_a_judge_rates_by_mouse_and_keyboard(browser, address, store, width, scheme):
    page = browser.new_context(
        viewport={"width": width, "height": 900}, base_url=address, bypass_csp=True, color_scheme=scheme
    ).new_page()
    page.set_default_timeout(60_000)
    troubles = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto("/judge/ann")
    page.get_by_text("All ratings are saved.").wait_for()
    for group in page.get_by_role("group").all():
        group.get_by_label("4").check()
    page.get_by_text("1 of 2 finished").wait_for()
    page.get_by_role("group").first.get_by_label("4").press("ArrowRight")  # 5
    page.get_by_role("button", name="Next unfinished").click()
    page.get_by_text(HOSTILE).first.wait_for()
    assert page.locator("#number").inner_text() == "2"
    assert page.title() == "Judge · paragauge"
    page.reload()
    page.get_by_role("button", name="Previous").click()
    page.locator("#number", has_text="1").wait_for()
    page.wait_for_function("document.querySelectorAll('#texts input:checked').length === 4")
    assert sorted(store.ratings("ann").values()) == [4, 4, 4, 5]
    assert axe_violations(page) == []
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.goto("/judge")
    assert axe_violations(page) == []
    assert troubles == []
