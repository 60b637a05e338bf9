"""Latency and throughput of ``paragauge serve`` on loopback with many concurrent clients, none of which may fail.

    python benchmarks/bench_serve.py [--clients 50] [--seconds 60] [--workers N] [--write]

Clients run in this process, which also uses CPU time, and send their next request when the last one is answered. First,
all of them send one sentence at a time, then the eight sentences and three systems of the built-in example.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from urllib.parse import urlsplit

from measure import write_section

from paragauge import __version__
from paragauge.corpora.demo import demo_testset

ONE, EXAMPLE = "one sentence, BLEU and PEM", "3 systems of 8 sentences, BLEU, chrF and PEM, 1,000 resamples"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args()
    command = [sys.executable, "-m", "paragauge", "serve", "--port", "0", "--workers", str(options.workers)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        address = re.search(r"http://\S+", process.stderr.readline())
        assert address is not None, process.stderr.read()
        place = urlsplit(address[0])
        runs = {
            kind: asyncio.run(load(place, body, options.clients, options.seconds)) for kind, body in bodies().items()
        }
        memory = resident(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
    text = report(options, runs, memory)
    print(text)
    if options.write:
        write_section("The workbench under load", text)
    sys.exit(1 if any(run.errors for run in runs.values()) else 0)


def bodies() -> dict[str, bytes]:
    testset = asdict(demo_testset())
    example = {name: testset[name] for name in ("originals", "references", "candidates")}
    one = {
        "originals": example["originals"][:1],
        "references": {"1": example["references"]["1"][:1]},
        "candidates": {"a": example["candidates"]["paraphrase"][:1]},
    }
    requests = {
        ONE: {"metrics": ["bleu", "pem"], "texts": one, "bootstrap": 0, "segments": True},
        EXAMPLE: {"metrics": ["bleu", "chrf", "pem"], "texts": example, "segments": True},
    }
    return {name: json.dumps(request).encode() for name, request in requests.items()}


@dataclass
class Run:
    """Results of one kind of request: the time of each, and the failures."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    seconds: float = 0.0


async def load(address, body: bytes, clients: int, seconds: float) -> Run:
    await client(address, body, Run(), time.perf_counter() + 3)  # workers wake up
    run = Run()
    begun = time.perf_counter()
    await asyncio.gather(*(client(address, body, run, begun + seconds) for _ in range(clients)))
    run.seconds = time.perf_counter() - begun
    return run


async def client(address, body: bytes, run: Run, end: float) -> None:
    """Send requests on one connection until the *end*."""
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    head = f"POST /api/score HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    while time.perf_counter() < end:
        begun = time.perf_counter()
        writer.write(request)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        found = await reader.readexactly(int(re.search(r"content-length: (\d+)", answer)[1]))
        run.times.append(time.perf_counter() - begun)
        if not answer.startswith("HTTP/1.1 200 ") or b'"segments"' not in found:
            run.errors.append(f"{answer.splitlines()[0]} {found[:200]!r}")
    writer.close()
    await writer.wait_closed()


def resident(server: int) -> float:
    """Return the memory of the server and its workers in megabytes, counting shared pages once."""
    total = 0.0
    for pid in [
        str(server),
        *subprocess.run(["pgrep", "-P", str(server)], capture_output=True, text=True).stdout.split(),
    ]:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:  # noqa: PTH123
            total += int(re.search(r"^Pss: +(\d+)", file.read(), re.MULTILINE)[1]) / 1024
    return total


def report(options: argparse.Namespace, runs: dict[str, Run], memory: float) -> str:
    lines = [
        "",
        f"`python benchmarks/bench_serve.py --write`: {options.clients} clients for {options.seconds:.0f} seconds on",
        f"loopback, {options.workers} workers, {os.cpu_count()} cores that the clients share, paragauge {__version__},",
        f"Python {platform.python_version()}; server and workers hold {memory:.0f} MB. Milliseconds from request to",
        "complete answer, including time in the queue:",
        "",
        "| request | answered | errors | per second | median | 90% | 99% | longest |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind, run in runs.items():
        cuts = statistics.quantiles(run.times, n=100, method="inclusive")
        figures = [f"{value * 1000:,.0f}" for value in (cuts[49], cuts[89], cuts[98], max(run.times))]
        rate = f"{len(run.times) / run.seconds:.0f}"
        lines.append(f"| {' | '.join([kind, f'{len(run.times):,}', str(len(run.errors)), rate, *figures])} |")
    return "\n".join([*lines, *(error for run in runs.values() for error in run.errors[:5])]) + "\n"


if __name__ == "__main__":
    main()
