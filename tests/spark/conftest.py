"""A Spark session for all tests of this folder; a cluster of separate processes where it is asked for."""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

import pytest

# Short-lived machines: what is compiled well would not be run often enough to pay for it.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SMALL = {
    "spark.driver.memory": "1g",
    "spark.executor.memory": "900m",
    "spark.sql.shuffle.partitions": "4",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
}
# Tiny tables: making code, and planning again after each step, would take longer than the work. The cluster does both.
QUICK = {
    **SMALL,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of this folder in one process: each would start a Java machine of its own."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("spark"))


def _require_spark() -> None:
    missing = None
    if importlib.util.find_spec("pyspark") is None:
        missing = "PySpark (the extra 'spark')"
    elif shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        missing = "Java 17 or newer"
    if missing is None:
        return
    if os.environ.get("PARAGAUGE_REQUIRE_SPARK"):
        pytest.fail(f"no Spark: install {missing}")
    pytest.skip(f"no Spark: install {missing}")


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What lies behind ``viewfs://elsewhere/disk``: a file system that Python cannot read by that name."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="session")
def spark_session(elsewhere: Path) -> Iterator[object]:
    """A session with two threads, which engines of the master ``local[2]`` find and use."""
    _require_spark()
    from paragauge.spark.session import SparkOptions, open_session

    mount = {"spark.hadoop.fs.viewfs.mounttable.elsewhere.link./disk": elsewhere.as_uri()}
    session, ours = open_session(SparkOptions(master="local[2]", settings={**QUICK, **mount}))
    yield session
    if ours:
        session.stop()


@pytest.fixture
def engine(spark_session: object, tmp_path: Path) -> Iterator[object]:
    """An engine that cuts texts into small parts."""
    from paragauge.spark import SparkEngine, SparkOptions

    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with SparkEngine(SparkOptions(master="local[2]", pairs_in_part=90, temp=str(scratch))) as running:
        yield running
    assert not any(path.is_file() for path in scratch.rglob("*")), "the engine left something behind"


@dataclass
class Bitext:
    """A small bitext in files, and in memory."""

    folder: Path
    source: list[str]
    target: list[str]
    links: list[str]
    paths: list[Path] = field(default_factory=list)

    def write(self) -> Bitext:
        """Put it into files."""
        for name, lines in (("source", self.source), ("target", self.target), ("links", self.links)):
            path = self.folder / name
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            self.paths.append(path)
        return self


def _bitext(folder: Path, pairs: int, seed: int = 1, words: int = 40) -> Bitext:
    """Return sentences of invented words, frequent and rare ones, with links that cross and some that are missing."""
    chance = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(words)]
    weights = [1 / (rank + 1) for rank in range(words)]
    source, target, links = [], [], []
    for _ in range(pairs):
        sentence = chance.choices(vocabulary, weights, k=chance.randint(1, 9))
        order = list(range(len(sentence)))
        if len(order) > 2 and chance.random() < 0.5:
            place = chance.randrange(len(order) - 1)
            order[place], order[place + 1] = order[place + 1], order[place]
        translated = [f"{sentence[place]}{chance.choice('äé')}" for place in order]
        kept = [(there, here) for here, there in enumerate(order) if chance.random() < 0.85]
        source.append(" ".join(sentence))
        target.append(" ".join(translated))
        links.append(" ".join(f"{i}-{j}" for i, j in sorted(kept)))
    return Bitext(folder, source, target, links).write()


@pytest.fixture
def make_bitext(tmp_path: Path) -> Callable[..., Bitext]:
    """Makes bitexts: how many pairs, of what chance, of how many words."""

    def make(pairs: int, **options: int) -> Bitext:
        folder = tmp_path / f"bitext-{pairs}"
        folder.mkdir()
        return _bitext(folder, pairs, **options)

    return make


@pytest.fixture
def bitext(tmp_path: Path) -> Bitext:
    """Four hundred sentence pairs."""
    return _bitext(tmp_path, 400)


@dataclass
class StandaloneCluster:
    """A master and two workers, each a process group of its own."""

    url: str
    settings: dict[str, str]
    workers: list[subprocess.Popen[bytes]]

    def kill_worker(self) -> None:
        """Kill a worker and all that it has started, at once."""
        os.killpg(self.workers[0].pid, signal.SIGKILL)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[StandaloneCluster]:
    """A standalone cluster on loopback."""
    if not os.environ.get("PARAGAUGE_SPARK_CLUSTER"):
        pytest.skip("set PARAGAUGE_SPARK_CLUSTER=1 to start a cluster of separate processes")
    _require_spark()
    import pyspark
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:  # of other tests, which are done with it
        active.stop()
    home = Path(pyspark.__file__).parent
    port, web = 17077, 18080
    environment = {
        **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
        "SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": JAVA,
    }  # fmt: skip
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        log = (tmp_path / f"daemon-{len(started)}.log").open("wb")
        process = subprocess.Popen(
            [str(home / "bin" / "spark-class"), *arguments],
            env=environment,
            start_new_session=True,
            stdout=log,
            stderr=log,
        )
        started.append(process)
        return process

    address = ["--host", "127.0.0.1"]
    start("org.apache.spark.deploy.master.Master", *address, "--port", str(port), "--webui-port", str(web))
    url = f"spark://127.0.0.1:{port}"
    workers = [
        start(
            "org.apache.spark.deploy.worker.Worker", *address, "--cores", "1", "--memory", "1200m", "--webui-port", "0",
            "--work-dir", str(tmp_path / f"work-{number}"), url,
        )
        for number in range(2)
    ]  # fmt: skip
    try:
        _wait_for_workers(f"http://127.0.0.1:{web}/json/", 2)
        yield StandaloneCluster(url, SMALL, workers)
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_for_workers(page: str, number: int) -> None:
    import json

    for _ in range(240):
        try:
            with urlopen(page, timeout=2) as reply:  # noqa: S310 - loopback
                if json.load(reply)["aliveworkers"] >= number:
                    return
        except OSError:
            pass
        time.sleep(0.25)
    pytest.fail("the cluster did not come up in a minute")
