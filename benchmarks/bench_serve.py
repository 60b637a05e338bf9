"""Many clients scoring at once: latency and throughput of ``paragauge serve`` on loopback, and that nothing fails.

    python benchmarks/bench_serve.py [--clients 50] [--seconds 60] [--workers N] [--write]

Clients run in this process and send their next request when the last is answered: two requests with one sentence, then
one with the eight sentences and three systems of the built-in example. They take their share of the machine, too.
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
from dataclasses import asdict
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
        times, errors, seconds = asyncio.run(load(urlsplit(address[0]), options.clients, options.seconds))
        memory = resident(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
    text = report(options, times, errors, seconds, memory)
    print(text)
    if options.write:
        write_section("The workbench under load", text)
    sys.exit(1 if errors else 0)


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


async def load(address, clients: int, seconds: float) -> tuple[dict[str, list[float]], list[str], float]:
    times: dict[str, list[float]] = {ONE: [], EXAMPLE: []}
    errors: list[str] = []
    kinds = bodies()
    await client(address, kinds, {ONE: [], EXAMPLE: []}, errors, 0, time.perf_counter() + 3)  # workers wake up
    begun = time.perf_counter()
    end = begun + seconds
    await asyncio.gather(*(client(address, kinds, times, errors, number, end) for number in range(clients)))
    return times, errors, time.perf_counter() - begun


async def client(address, kinds, times, errors, number: int, end: float) -> None:
    """Send requests on one connection until the *end*."""
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    while time.perf_counter() < end:
        number += 1
        kind = EXAMPLE if number % 3 == 0 else ONE
        head = f"POST /api/score HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
        begun = time.perf_counter()
        writer.write(f"{head}Content-Length: {len(kinds[kind])}\r\n\r\n".encode() + kinds[kind])
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.search(r"content-length: (\d+)", answer)[1])
        body = await reader.readexactly(length)
        times[kind].append(time.perf_counter() - begun)
        if not answer.startswith("HTTP/1.1 200 ") or b'"segments"' not in body:
            errors.append(f"{answer.splitlines()[0]} {body[:200]!r}")
    writer.close()
    await writer.wait_closed()


def resident(server: int) -> float:
    """Return the megabytes in memory of the server and its workers, pages that they share counted once."""
    total = 0.0
    for pid in [
        str(server),
        *subprocess.run(["pgrep", "-P", str(server)], capture_output=True, text=True).stdout.split(),
    ]:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:  # noqa: PTH123
            total += int(re.search(r"^Pss: +(\d+)", file.read(), re.MULTILINE)[1]) / 1024
    return total


def report(options, times, errors, seconds: float, memory: float) -> str:
    total = sum(map(len, times.values()))
    lines = [
        "",
        f"`python benchmarks/bench_serve.py --write`: {options.clients} clients for {seconds:.0f} seconds on loopback,",
        f"{options.workers} workers, {os.cpu_count()} cores that the clients share, paragauge {__version__}, Python",
        f"{platform.python_version()}. {total:,} requests, {len(errors)} errors, {total / seconds:.0f} a second;",
        f"server and workers hold {memory:.0f} MB. Milliseconds from request to whole answer, time in line included:",
        "",
        "| request | requests | median | 90% | 99% | longest |",
        "|---|---|---|---|---|---|",
    ]
    for kind, found in times.items():
        cuts = statistics.quantiles(found, n=100, method="inclusive")
        figures = [f"{value * 1000:,.0f}" for value in (cuts[49], cuts[89], cuts[98], max(found))]
        lines.append(f"| {kind} | {len(found):,} | {' | '.join(figures)} |")
    return "\n".join([*lines, *errors[:5]]) + "\n"


if __name__ == "__main__":
    main()
