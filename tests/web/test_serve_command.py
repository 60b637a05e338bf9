"""The command: how it starts, what it prints, how it ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from support.servers import serving

from paragauge.cli.main import main


def test_a_killed_server_leaves_no_workers():
    with serving("--workers", "1") as (address, process):
        assert httpx.get(f"{address}api/metrics", timeout=120).status_code == 200
        workers = _children(process.pid)
        assert len(workers) == 1
        process.kill()
        process.wait()
        for worker in workers:
            assert _gone(worker)


def test_a_killed_worker_is_replaced():
    with serving("--workers", "1") as (address, process):
        assert httpx.get(f"{address}api/example", timeout=120).status_code == 200
        [worker] = _children(process.pid)
        os.kill(worker, signal.SIGKILL)
        assert _gone(worker)
        httpx.get(f"{address}api/openapi.json", timeout=120)  # the server takes note of the end meanwhile
        assert httpx.get(f"{address}api/example", timeout=120).status_code == 200
        assert _children(process.pid) != [worker]


def _children(parent):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False)
    return [int(pid) for pid in found.stdout.split()]


def _gone(pid):
    import time

    for _ in range(100):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.1)
    return False


def test_elsewhere_than_loopback_a_token_is_needed():
    with serving("--host", "0.0.0.0", "--allow-host", "workbench.example") as (address, _):  # noqa: S104
        port = int(re.search(r":(\d+)/", address)[1])
        token = re.search(r"token=(\S+)", address)[1]
        own = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{own}/api/openapi.json").status_code == 401
        with httpx.Client(base_url=own, timeout=60, follow_redirects=True) as client:
            page = client.get(f"/?token={token}")
            assert page.status_code == 200
            assert "token" not in str(page.url)
            assert client.get("/api/metrics").status_code == 200
        allowed = {"authorization": f"Bearer {token}", "host": "workbench.example"}
        assert httpx.get(f"{own}/api/openapi.json", headers=allowed).status_code == 200
        assert httpx.get(f"{own}/api/openapi.json", headers={**allowed, "host": "evil.example"}).status_code == 421


def test_metrics_of_the_owner_may_name_files(tmp_path):
    from paragauge.metrics.pem.model import open_pem_model

    (tmp_path / "mine").symlink_to(open_pem_model.folder("default"))
    with serving("-m", "pem(model=mine)", folder=tmp_path) as (address, _), httpx.Client(timeout=120) as client:
        assert "pem(model=mine)" in client.get(address).text
        body = {"original": "a b", "candidate": "a c", "metrics": ["pem(model=mine)"]}
        assert client.post(f"{address}api/explain", json=body).status_code == 200
        assert client.post(f"{address}api/explain", json={**body, "metrics": ["pem( model=mine)"]}).status_code == 422


PLUGIN = """
from dataclasses import dataclass
from paragauge.metrics.base import Measurement, SentenceMetric
import numpy as np

@dataclass(frozen=True, kw_only=True)
class Words(SentenceMetric):
    name = "words"
    summary = "how many words"
    citation = "nobody"
    scale = "0 and more"
    needs = frozenset()
    def statistics(self, segments):
        print("a plug-in that talks must not disturb anybody")
        if "crash" in segments.candidates[0]:
            raise ZeroDivisionError
        return np.array([[len(text.split()), 1] for text in segments.candidates])
    def measure(self, totals):
        return Measurement(totals[0] / totals[1])
    def signature_items(self):
        return {}
"""


def test_metrics_of_other_packages_appear_by_themselves(tmp_path, capfd):
    (tmp_path / "words_plugin.py").write_text(PLUGIN)
    info = tmp_path / "words_plugin-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: words-plugin\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[paragauge.metrics]\nwords = words_plugin:Words\n")
    with serving(path=tmp_path) as (address, _), httpx.Client(base_url=address, timeout=120) as client:
        assert 'value="words"' in client.get("/").text
        body = {"metrics": ["words"], "texts": {"candidates": {"a": ["one two three"]}}}
        assert client.post("/api/score", json=body).json()["systems"][0]["score"] == 3
        broken = {"metrics": ["words"], "texts": {"candidates": {"a": ["crash"]}}}
        assert client.post("/api/score", json=broken).status_code == 500  # theirs, and the server goes on
        assert client.post("/api/score", json=body).status_code == 200


def test_requests_are_as_large_as_the_command_says():
    with serving("--max-size", "1") as (address, _), httpx.Client(timeout=120) as client:
        body = {"metrics": ["bleu"], "references": ["a"], "candidate": "a" * (1 << 20)}
        answer = client.post(f"{address}api/explain", json=body)
        assert answer.status_code == 413
        assert "--max-size" in answer.json()["detail"]


def test_a_port_in_use_is_said_so(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 1
    assert "is in use; choose another with --port" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "no.such.host.invalid"], "is not a valid address"),
        (["-m", "pem("], "is not a metric"),
        (["-m", "paradigm"], "scores a resource"),
        (["-m", "pem(modle=x)"], "did you mean 'model'"),
        (["--workers", "0"], "--workers"),
        (["--time-limit", "0"], "--time-limit"),
    ],
)
def test_wrong_options_are_refused_at_once(options, message, capsys):
    assert main(["serve", "--port", "0", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--grammar", "--work"])
def test_missing_files_are_named_at_once(option, capsys):
    assert main(["serve", "--port", "0", option, "no/such"]) == 1
    assert "no/such: no such file or directory" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install():
    code = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "import importlib.util as util; found = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'uvicorn' else found(name, *rest)\n"
        "from paragauge.cli.main import main; sys.exit(main(['serve']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'paragauge[web]'" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_end_it_too(number):
    before = signal.signal(number, signal.SIG_DFL)  # whoever runs the tests may ignore it (nohup)
    try:
        with serving() as (address, process):
            assert httpx.get(f"{address}api/example", timeout=60).status_code == 200
            process.send_signal(number)
            _, errors = process.communicate(timeout=20)
            assert process.returncode == 128 + number
            assert errors == ""
    finally:
        signal.signal(number, before)


def test_the_example_of_the_manual_is_true(root, workbench):
    manual = (root / "docs" / "workbench.md").read_text(encoding="utf-8")
    body = re.search(r"/api/score -d '(.*?)'", manual, re.DOTALL)[1]
    expected = re.search(r"```json\n(.*?)\n```", manual, re.DOTALL)[1]
    answer = httpx.post(
        f"{workbench}/api/score", content=body, headers={"content-type": "application/json"}, timeout=60
    )
    assert answer.json() == json.loads(expected)
