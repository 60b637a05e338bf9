"""The server under attack: files of the machine, memory, abandoned work, slow and malformed connections."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from support.servers import serving

import paragauge as pg
from paragauge.errors import OptionError
from paragauge.web.jobs import MOST_WAITING
from paragauge.web.protocol import Settings

PLUGIN = """
import os, time
from dataclasses import dataclass
from paragauge.metrics.base import Measurement, SentenceMetric

@dataclass(frozen=True, kw_only=True)
class Slow(SentenceMetric):
    name, summary, citation, scale, better, needs = "slow", "waits", "nobody", "0 to 1", "higher", frozenset()
    path: str = "nothing"
    def statistics(self, segments):
        import numpy as np
        for _ in range(600):
            open(os.environ["SIGN_OF_LIFE"], "a").write("x")
            time.sleep(0.1)
        return np.ones((len(segments.candidates), 2))
    def measure(self, totals):
        return Measurement(1.0)
    def signature_items(self):
        return {}

@dataclass(frozen=True, kw_only=True)
class Greedy(Slow):
    name = "greedy"
    def statistics(self, segments):
        held = [bytearray(50_000_000) for _ in range(100)]
        return len(held)
"""
TEXTS = {"candidates": {"a": ["one text"]}}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "slow_plugin.py").write_text(PLUGIN)
    info = folder / "slow_plugin-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-plugin\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[paragauge.metrics]\nslow = slow_plugin:Slow\ngreedy = slow_plugin:Greedy\n"
    )
    return folder


@pytest.fixture
def sign(tmp_path, monkeypatch):
    file = tmp_path / "alive"
    monkeypatch.setenv("SIGN_OF_LIFE", str(file))
    return file


@pytest.mark.parametrize(
    "text",
    [
        "paraeval(table=~)",
        "paraeval(table=mine)",
        "pem(model=mine)",
        "pem(model='/etc')",
        "pem+(model=mine)",
        "meteor(paraphrases=mine)",
        "maxsim(provider='spacy:mine')",
        "maxsim(provider='files:mine')",
        "bleu(tokenizer='moses-../../etc')",
        "bleu(tokenizer=['a'])",
        "pem(model=['mine'])",
        "ter(max_length=1000000)",
        "meteor(max_length=1e300)",
        "maxsim(max_length=100000)",
        "edit-dissimilarity(max_length=250001)",
        "bleu(max_order=1001)",
        "paraeval(min_prob=1e999)",
    ],
)
def test_requests_name_nothing_on_disk_and_lift_no_limit(text):
    from paragauge.web.allowed import allowed_metrics

    with pytest.raises(OptionError, match="requests may not do so: start the server with -m"):
        allowed_metrics([text], Settings(""))
    assert allowed_metrics([text], Settings("", (text,))) == (text,)


@pytest.mark.parametrize("value", ["'/etc/passwd'", "~", "['/etc']", "b'/etc'", "1e308", "13", "None", "'\\x00'"])
def test_no_value_of_any_option_reaches_a_file_or_ends_in_a_traceback(value):
    from dataclasses import fields

    from paragauge.web.allowed import allowed_metrics

    for name, metric in pg.METRICS.items():
        for option in fields(metric):
            with contextlib.suppress(pg.ParagaugeError):
                text = f"{name}({option.name}={value})"
                assert allowed_metrics([text], Settings("")) == (text,)
                pg.parse_metric(text)
                assert value in ("13", "None"), text


@pytest.mark.parametrize(
    "text",
    [
        "bleu(tokenizer=intl, max_order=2, smooth=floor)",
        "bleu(tokenizer=moses-fr)",
        "meteor(preset=adequacy, max_length=100)",
        "pem(model=default)",
        "paraeval(table=default, value=recall, min_prob=0.1)",
        "ter(max_length=1000)",
    ],
)
def test_requests_may_set_what_reads_nothing(text):
    from paragauge.web.allowed import allowed_metrics

    assert allowed_metrics([text], Settings("")) == (text,)


def test_options_of_unknown_metrics_are_refused_by_their_type(plugin):
    with serving("--workers", "1", path=plugin) as (address, _):
        for option in ("'/etc/passwd'", "relative"):
            body = {"metrics": [f"slow(path={option})"], "texts": TEXTS}
            answer = httpx.post(f"{address}api/score", json=body, timeout=60)
            assert answer.status_code == 422
            assert "names a file or a resource" in answer.json()["detail"]


def test_a_table_in_the_home_folder_stays_there(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    pg.PhraseTable.from_counts({("secret", "geheim"): 1}).save(tmp_path / "table")
    with serving("--workers", "1", folder=tmp_path) as (address, _):
        for name in ("~", "table", "'~/table'"):
            body = {"metrics": [f"paraeval(table={name})"], "references": ["secret"], "candidate": "secret"}
            answer = httpx.post(f"{address}api/explain", json=body, timeout=60)
            assert answer.status_code == 422
            assert "geheim" not in answer.text


def _ends(sign):
    """Wait until a slow job gives no more signs of life."""
    for _ in range(60):
        before = sign.stat().st_size
        time.sleep(0.5)
        if sign.stat().st_size == before:
            return
    raise AssertionError("the job goes on")


@pytest.mark.parametrize("stream", [False, True])
def test_an_abandoned_request_ends_its_job(plugin, sign, stream):
    with serving("--workers", "1", path=plugin) as (address, process):
        body = json.dumps({"metrics": ["slow"], "texts": TEXTS}).encode()
        head = f"POST /api/score{'?stream=true' if stream else ''} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", int(re.search(r":(\d+)/", address)[1]))) as connection:
            connection.sendall(head.encode() + body)
            for _ in range(600):
                if sign.exists():
                    break
                time.sleep(0.1)
            assert sign.exists()
        _ends(sign)
        assert httpx.get(f"{address}api/example", timeout=60).status_code == 200
        assert process.poll() is None


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux limits the memory of a process")
def test_a_job_that_takes_too_much_memory_ends_and_the_server_does_not(plugin):
    with serving("--workers", "1", path=plugin) as (address, process):  # 4 GB for a job unless told otherwise
        answer = httpx.post(f"{address}api/score", json={"metrics": ["greedy"], "texts": TEXTS}, timeout=60)
        assert answer.status_code == 413
        assert "needs more memory" in answer.json()["detail"]
        assert httpx.get(f"{address}api/example", timeout=60).status_code == 200
        assert process.poll() is None


def _post(address: str, path: str, body: bytes, length: int | None = None) -> socket.socket:
    """Return a connection that has sent a request, or the beginning of one, and not read the answer."""
    connection = socket.create_connection(("127.0.0.1", int(re.search(r":(\d+)/", address)[1])), timeout=20)
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body)
    return connection


def _until(connection: socket.socket, text: bytes) -> bytes:
    """Return what is received, up to *text*."""
    received = b""
    while text not in received:
        received += connection.recv(65536) or pytest.fail(f"got {received!r}")
    return received


def test_a_full_queue_says_so_and_empties_when_its_clients_leave(plugin, sign):
    slow = json.dumps({"metrics": ["slow"], "texts": TEXTS}).encode()
    with serving("--workers", "1", path=plugin) as (address, process), contextlib.ExitStack() as stack:
        asked = [stack.enter_context(_post(address, "/api/score", slow)) for _ in range(2 + MOST_WAITING)]
        refused = select.select(asked, [], [], 60)[0]  # whichever came last
        assert len(refused) == 1
        assert _until(refused[0], b"too many jobs are waiting").startswith(b"HTTP/1.1 503")
        for query in ("", "?stream=true"):
            answer = httpx.post(f"{address}api/score{query}", json=json.loads(slow), timeout=20)
            assert answer.status_code == 503
            assert answer.json()["detail"] == "too many jobs are waiting; try again in a moment"
            assert answer.headers["retry-after"]
        stack.close()
        assert httpx.get(f"{address}api/example", timeout=60).status_code == 200
        assert process.poll() is None


def test_large_requests_at_once_are_bounded_together():
    with serving("--workers", "1", "--max-size", "1") as (address, _), contextlib.ExitStack() as stack:
        held = b" " * 1_000_000
        waiting = [stack.enter_context(_post(address, "/api/score", held, len(held) + 1)) for _ in range(18)]
        readable, _, _ = select.select(waiting, [], [], 20)
        assert readable
        assert _until(readable[0], b"too many large requests at once").startswith(b"HTTP/1.1 503")


LIFTED = [
    "ter(max_length=1000000)", "meteor(max_length=100000)", "maxsim(max_length=100000)", "bleu(max_order=1001)",
    "edit-dissimilarity(max_length=250001)",
]  # fmt: skip


def test_requests_lift_no_limit(server):
    texts = {"candidates": {"a": ["one"]}, "references": {"r": ["one"]}, "originals": ["two"]}
    for text in LIFTED:
        answer = httpx.post(f"{server}api/score", json={"metrics": [text], "texts": texts}, timeout=60)
        assert answer.status_code == 422, text
        assert "is above" in answer.json()["detail"]


def test_a_job_that_nobody_asks_for_ends(plugin, sign):
    code = (
        "import sys, paragauge.web.background as b\nb.UNASKED_SECONDS = 2.0\nfrom paragauge.cli.main import run\n"
        "sys.argv = ['paragauge', 'serve', '--port', '0', '--workers', '1', '--time-limit', '1']\nrun()"
    )
    with _started(code, plugin) as address:
        answer = httpx.post(f"{address}api/score", json={"metrics": ["slow"], "texts": TEXTS}, timeout=60)
        assert answer.status_code == 202
        for _ in range(8):  # whoever asks keeps it
            assert httpx.get(address + answer.json()["address"][1:], timeout=60).json()["state"] == "running"
            time.sleep(0.5)
        _ends(sign)
        assert httpx.get(address + answer.json()["address"][1:], timeout=60).status_code == 404


def _raw(address: str, *pieces: bytes, pause: float = 0.0, wait: float = 10.0) -> bytes:
    port = int(re.search(r":(\d+)/", address)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        received = b""
        try:
            while block := connection.recv(65536):
                received += block
        except (TimeoutError, ConnectionResetError):
            received += b"(still open)"
        return received


HEADERS = (b"content-security-policy", b"x-content-type-options", b"x-frame-options", b"referrer-policy")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (b"Host: 127.0.0.1\r\nOrigin: http://[::1\r\n", b"400"),
        (b"Host: 127.0.0.1\r\nOrigin: http://]\r\n", b"400"),
        (b"Host: 127.0.0.1\r\nOrigin: nonsense\r\n", b"400"),
        (b"Host: 127.0.0.1\r\nOrigin: http://127.0.0.1:port\r\n", b"400"),
        (b"Host: [::1\r\n", b"400"),
        (b"Host: 127.0.0.1:x\r\n", b"400"),
        (b"Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n", b"400"),
        (b"", b"400"),
        (b"Host: evil.example\r\n", b"421"),
        (b"Host: 127.0.0.1\r\nOrigin: https://127.0.0.1\r\n", b"403"),
        (b"Host: 127.0.0.1\r\nOrigin: ftp://127.0.0.1\r\n", b"403"),
        (b"Host: 127.0.0.1\r\n\x00\r\n", b"400"),
    ],
)
def test_malformed_headers_are_refused_with_all_of_ours(server, headers, status):
    request = b"POST /api/score HTTP/1.1\r\n" + headers + b"Content-Length: 0\r\nConnection: close\r\n\r\n"
    answer = _raw(server, request)
    assert answer.split()[1] == status, answer
    assert all(name in answer.lower() for name in HEADERS)


@pytest.fixture(scope="module")
def server():
    with serving("--workers", "1") as (address, _):
        yield address


def test_slow_connections_are_closed():
    import paragauge.web.connection as connection
    import paragauge.web.security as security

    assert connection.HEADER_SECONDS <= 30
    assert security.PAUSE_SECONDS <= 30
    code = (
        "import sys, paragauge.web.connection as c, paragauge.web.security as s\n"
        "c.HEADER_SECONDS = s.PAUSE_SECONDS = 1.0\n"
        "from paragauge.cli.main import run\nsys.argv = ['paragauge', 'serve', '--port', '0', '--workers', '1']\nrun()"
    )
    with _started(code) as address:
        for _ in range(2):
            begun = time.monotonic()
            assert _raw(address, b"GET / HTTP/1.1\r\nHost: 127") == b""
            assert time.monotonic() - begun < 8
        head = b"POST /api/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n"
        answer = _raw(address, head, b"{")
        assert answer.split()[1] == b"408"
        whole = b"GET /api/example HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        answer = _raw(address, whole, b"GET / HTTP/1.1\r\nHost: 12", pause=0.5)
        assert answer.startswith(b"HTTP/1.1 200")
        assert not answer.endswith(b"(still open)")


@contextlib.contextmanager
def _started(code: str, path: Path | None = None):
    """Run *code*, which starts a server, and yield its address."""
    environment = {**os.environ, **({} if path is None else {"PYTHONPATH": str(path)})}
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, env=environment)
    try:
        yield re.search(r"http://\S+", process.stderr.readline())[0]
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
