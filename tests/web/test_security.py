"""Who may talk to the server, and what every response carries."""

import pytest
from fastapi import APIRouter, Request
from starlette.testclient import TestClient

from paragauge.errors import DataError
from paragauge.web.app import create_app
from paragauge.web.area import Area
from paragauge.web.pages import page
from paragauge.web.security import Guard, is_loopback

TOKEN = "a-token-for-tests"  # noqa: S105


def _area(title="First", path="/first"):
    router = APIRouter()

    @router.get(path)
    async def show(request: Request):
        return page(request, "base.html")

    @router.post(f"{path}/echo")
    async def echo(request: Request):
        return {"bytes": len(await request.body())}

    @router.post(f"{path}/wrong")
    async def wrong():
        raise DataError("no good", path="x.tsv", line=3)

    @router.post(f"{path}/checked")
    async def checked(body: dict[str, int]):
        return body

    return Area(title, path, router)


def _client(guard=None, host="http://127.0.0.1:8017"):
    return TestClient(create_app([_area(), _area("<Second>", "/second")], guard), base_url=host)


@pytest.fixture
def client():
    return _client()


def test_pages_carry_a_strict_policy_and_the_areas(client):
    answer = client.get("/")
    assert answer.url.path == "/first"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert '<a href="/first" aria-current="page">First</a>' in answer.text
    assert '<a href="/second">&lt;Second&gt;</a>' in answer.text
    assert "<style" not in answer.text
    assert " style=" not in answer.text


@pytest.mark.parametrize("name", ["web.css", "icon.svg", "report/report.css", "report/report.js"])
def test_static_files_come_from_the_package(client, name):
    assert client.get(f"/static/{name}").status_code == 200


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "report/../../app.py", "/etc/passwd"])
def test_nothing_else_can_be_read(client, name):
    assert client.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize("host", ["127.0.0.1:8017", "localhost:8017", "LOCALHOST", "[::1]:8017"])
def test_names_of_loopback_are_known(client, host):
    assert client.get("/first", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8017",
        "127.0.0.1.evil.example",
        "192.168.0.7",
    ],
)
def test_other_names_are_refused(client, host):
    answer = client.get("/first", headers={"host": host})
    assert answer.status_code == 421
    assert answer.headers["content-type"] == "application/problem+json"
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),  # a program
        ({"origin": "http://127.0.0.1:8017"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"origin": "http://127.0.0.1:9000"}, 403),  # another server of this machine
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_only_own_pages_and_programs_may_post(client, headers, status):
    assert client.post("/first/echo", content=b"x", headers=headers).status_code == status


def test_large_requests_are_refused_whether_they_tell_their_length_or_not():
    client = _client(Guard(most_bytes=100))
    assert client.post("/first/echo", content=b"x" * 100).json() == {"bytes": 100}
    told = client.post("/first/echo", content=b"x" * 101)
    untold = client.post("/first/echo", content=(b"x" * 30 for _ in range(4)))
    checked = client.post(
        "/first/checked", content=(b" " * 30 for _ in range(4)), headers={"content-type": "application/json"}
    )
    for answer in (told, untold, checked):
        assert answer.status_code == 413
        assert "100 bytes" in answer.json()["detail"]


def test_a_server_for_others_asks_for_its_token():
    client = _client(Guard(token=TOKEN))
    assert client.get("/first").status_code == 401
    assert client.get("/static/web.css").status_code == 401
    assert client.get("/first?token=wrong").status_code == 401
    assert client.get("/first", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert client.get("/first", headers={"authorization": "Bearer wrong"}).status_code == 401
    opened = client.get(f"/first?token={TOKEN}&x=1", follow_redirects=False)
    assert opened.status_code == 303
    assert opened.headers["location"] == "/first?x=1"
    cookie = opened.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/first").status_code == 200  # the cookie is remembered
    assert client.cookies[Guard(token=TOKEN).cookie] == TOKEN


def test_a_redirect_never_leaves_the_server():
    client = _client(Guard(token=TOKEN))
    answer = client.get(f"http://127.0.0.1:8017//evil.example/?token={TOKEN}", follow_redirects=False)
    assert answer.headers["location"].startswith("/evil.example")


def test_a_guard_knows_what_it_is_bound_to():
    assert Guard.bound_to("127.0.0.1").token is None
    everywhere = Guard.bound_to("0.0.0.0", names=frozenset({"box"}))  # noqa: S104
    assert everywhere.token
    assert everywhere.token not in repr(everywhere)
    assert everywhere.knows_host("192.168.0.7:8017")
    assert everywhere.knows_host("box:8017")
    assert not everywhere.knows_host("evil.example")
    assert not Guard.bound_to("192.168.0.7").knows_host("192.168.0.8")
    assert [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "0.0.0.0", "box")] == [  # noqa: S104
        True, True, True, False, False,
    ]  # fmt: skip


def test_errors_are_problems(client):
    wrong = client.post("/first/wrong")
    assert wrong.status_code == 422
    assert wrong.json() == {"title": wrong.json()["title"], "status": 422, "detail": "x.tsv:3: no good"}
    assert client.get("/nowhere").json()["status"] == 404
    assert client.post("/first").json()["status"] == 405
    unchecked = client.post("/first/checked", json={"a": "<b>"})
    assert unchecked.status_code == 422
    assert unchecked.json()["errors"][0]["place"] == ["body", "a"]
    assert "<b>" not in unchecked.text
    assert client.post(
        "/first/checked", content=b"\xff{", headers={"content-type": "application/json"}
    ).status_code in (400, 422)
