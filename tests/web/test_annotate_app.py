"""What the page of annotators asks the server, and what it is told."""

import sqlite3

import pytest
from starlette.testclient import TestClient

from paragauge.align.annotated import read_aligned_pairs
from paragauge.align.gold import GoldAlignment
from paragauge.annotation.store import AnnotationStore
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import OptionError
from paragauge.web.annotate import annotation_areas
from paragauge.web.app import create_app
from paragauge.web.security import Guard

HOSTILE = "<script>alert(1)</script>"
PAIRS = ParaphrasePairs(("he left", f"{HOSTILE} &amp;"), ("he went away", "שלום 👩‍🚀 עולם"), (HOSTILE, HOSTILE))
START = [GoldAlignment.from_pharaoh("0-0 1p1"), GoldAlignment.from_pharaoh("")]


@pytest.fixture
def store(tmp_path):
    with AnnotationStore.create(tmp_path / "store.sqlite", PAIRS, lambda: START) as made:
        yield made


@pytest.fixture
def client(store):
    return TestClient(create_app(annotation_areas(store, ["ann", "bob"])), base_url="http://127.0.0.1:8017")


@pytest.fixture
def send(store, client):
    count = iter(range(1000))

    def post(kind, cells="", *, annotator="ann", pair=1, **more):
        body = {"project": store.project, "kind": kind, "cells": cells, "token": f"token-{next(count):04}", **more}
        return client.post(f"/api/annotate/{annotator}/pairs/{pair}/changes", json=body)

    return post


def test_a_pair_comes_with_its_words_links_and_steps(client, send):
    answer = send("set", "1-1 1p2", seconds=2.5)
    assert answer.json() == {
        "links": "0-0 1-1 1p2", "version": 1, "done": False, "seconds": 2.5, "undo": 1, "redo": 0,
    }  # fmt: skip
    assert client.get("/api/annotate/ann/pairs/1").json() == {
        "number": 1,
        "group": HOSTILE,
        "source": ["he", "left"],
        "target": ["he", "went", "away"],
        "start": "0-0 1p1",
        "links": "0-0 1-1 1p2",
        "version": 1,
        "done": False,
        "seconds": 2.5,
        "undo": [[[1, 1, "p", "-"], [1, 2, "x", "p"]]],
        "redo": [],
        "tokens": ["token-0000"],
    }
    assert client.get("/api/annotate/bob/pairs/1").json()["links"] == "0-0 1p1"


def test_progress_is_told(client, send):
    assert client.get("/api/annotate/ann/progress").json() == {
        "pairs": 2, "finished": [], "seconds": 0, "seconds_per_pair": None,
    }  # fmt: skip
    send("done", pair=2, seconds=30)
    assert client.get("/api/annotate/ann/progress").json() == {
        "pairs": 2, "finished": [2], "seconds": 30, "seconds_per_pair": 30,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sent", "status", "detail"),
    [
        ({"kind": "set", "cells": "7-0"}, 422, "points past the source"),
        ({"kind": "set", "cells": "nonsense"}, 422, "is not a cell"),
        ({"kind": "set"}, 422, "expected cells only for 'set'"),
        ({"kind": "drop"}, 422, "kind"),
        ({"kind": "done", "seconds": -1}, 422, "seconds"),
        ({"kind": "done", "seconds": 1e9}, 422, "seconds"),
        ({"kind": "done", "token": "x"}, 422, "token"),
        ({"kind": "done", "token": "with spaces in it"}, 422, "token"),
        ({"kind": "done", "more": 1}, 422, "more"),
        ({"kind": "undo", "base": 0}, 409, "nothing to undo"),
        ({"kind": "undo", "base": 5}, 409, "have changed since"),
        ({"kind": "undo"}, 409, "have changed since"),
        ({"kind": "done", "project": "another"}, 412, "has other pairs than the page"),
        ({"kind": "done", "pair": 3}, 404, "no pair 3"),
        ({"kind": "done", "pair": 0}, 422, "greater than or equal to 1"),
        ({"kind": "done", "annotator": "eve"}, 404, "there is no annotator 'eve'"),
    ],
)
def test_refusals_say_why_and_save_nothing(store, send, sent, status, detail):
    answer = send(**sent)
    assert answer.status_code == status
    assert detail in answer.json()["detail"]
    assert store.annotators() == []


def test_bodies_that_are_no_change_are_refused(client):
    for body in (b"", b"[]", b"{", b'{"kind": NaN}', b"\xff"):
        answer = client.post("/api/annotate/ann/pairs/1/changes", content=body)
        assert answer.status_code == 422


def test_a_busy_file_is_a_reason_to_try_again(store, send):
    same = {"token": "the-same-change"}
    store._connection.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert send("done", **same).status_code == 503
    other.execute("ROLLBACK")
    other.close()
    assert send("done", **same).status_code == 200


def test_pages_of_other_sites_cannot_change_anything(store, client):
    body = {"project": store.project, "kind": "done", "token": "token-from-elsewhere"}
    answer = client.post("/api/annotate/ann/pairs/1/changes", json=body, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert store.annotators() == []


def test_pages_show_no_text_as_markup(client, send):
    send("done", annotator="bob")
    send("done")
    assert client.get("/").url.path == "/annotate/ann"
    for address in ("/annotate/ann", "/annotate"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "alert" not in answer.text
        assert " style=" not in answer.text
        assert "<script>" not in answer.text
    assert "Annotate as bob" in answer.text
    assert client.get("/annotate/eve").status_code == 404
    assert client.get("/annotate/%3Cscript%3E").status_code == 404


def test_the_page_of_progress_has_agreement(client, send):
    assert "once two annotators have started" in client.get("/annotate").text
    for annotator in ("ann", "bob"):
        send("set", "1-1", annotator=annotator)
        send("done", annotator=annotator, seconds=12)
    text = client.get("/annotate").text
    assert '<td class="number">1.0000</td>' in text  # C-hat
    assert '<td class="number">12.0</td>' in text  # seconds
    assert '<a href="/annotate/bob">bob</a>' in text


def test_links_are_downloaded_as_files_that_can_be_read(store, client, send, tmp_path):
    assert "download" not in client.get("/annotate").text
    assert client.get("/api/annotate/ann/export").status_code == 422  # nothing is there yet
    send("set", "1-1 1p2")
    assert '<a href="/api/annotate/ann/export" download>' in client.get("/annotate").text
    answer = client.get("/api/annotate/ann/export")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''ann.align"
    assert answer.content == b"0-0 1-1 1p2\n\n"
    (tmp_path / "gold.tsv").write_bytes(client.get("/api/annotate/ann/export?to=parametric").content)
    assert read_aligned_pairs(tmp_path / "gold.tsv") == store.gold("ann")[0]
    assert client.get("/api/annotate/eve/export").status_code == 404


def test_names_with_spaces_have_addresses(tmp_path):
    with AnnotationStore.create(tmp_path / "store.sqlite", PAIRS) as store:
        client = TestClient(create_app(annotation_areas(store, ["Zoë B."])), base_url="http://127.0.0.1:8017")
        page = client.get("/")
        assert page.status_code == 200
        assert 'data-api="/api/annotate/Zo%C3%AB%20B."' in page.text
        assert client.get("/api/annotate/Zo%C3%AB%20B./pairs/1").status_code == 200
        with pytest.raises(OptionError, match="not a valid annotator name"):
            annotation_areas(store, ["a/b"])


def test_the_requests_keep_their_description(store):
    """Whatever the description allows, and much that it does not: no server error, no broken promise."""
    import schemathesis
    from hypothesis import HealthCheck, given, settings
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    app = create_app(annotation_areas(store, ["ann"]), Guard(frozenset({"testserver"})))
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    operations = [each.ok() for each in schema.get_all_operations()]
    assert len(operations) == 4

    def try_all(operation, mode):
        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
        def attempt(case):
            if mode == schemathesis.GenerationMode.POSITIVE:  # get past the first checks, now and then
                case.path_parameters["annotator"] = "ann"
                if isinstance(case.body, dict) and len(case.body["token"]) % 2:
                    case.path_parameters["number"] = 1
                    case.body["project"] = store.project
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        attempt()

    for operation in operations:
        for mode in schemathesis.GenerationMode:
            try_all(operation, mode)
