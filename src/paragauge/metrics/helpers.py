"""Metrics that work in Python, on all cores: helper processes compute blocks of segments, with the same rows.

The native core runs in threads, but Python does not. A metric with ``in_python`` therefore hands blocks of a long
corpus to processes of its own: ``python -m paragauge.metrics.helpers METRIC`` reads blocks from standard input and
writes rows to standard output, both in frames: eight bytes of length, then that many bytes of JSON. Helpers end with
the program that started them. A helper with another model than this process (its folder has changed), and one that
fails, is not used: its blocks are computed here, where errors belong.

``PARAGAUGE_PROCESSES`` sets the number of processes; 1 means that everything is computed in this one.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any

from paragauge.concern import collected_reports, report_pairs
from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError, ParagaugeError
from paragauge.threads import thread_count

if TYPE_CHECKING:
    from paragauge.metrics.base import SentenceMetric, Statistics

VARIABLE = "PARAGAUGE_PROCESSES"
FEWEST = 4000  # segments that are worth starting processes for: these need a few tenths of a second

_BLOCK = 250
_LENGTH = 8  # bytes

logger = logging.getLogger(__name__)


def process_count() -> int:
    """Return the number of processes for metrics that work in Python: one per core, unless the environment sets it."""
    given = os.environ.get(VARIABLE)
    if given is None:
        return thread_count(None)
    if not given.isdecimal() or int(given) < 1:
        raise OptionError(f"the environment variable {VARIABLE} must be a whole number of at least 1; got {given!r}")
    return int(given)


def is_worthwhile(metric: SentenceMetric, segments: Segments) -> bool:
    """Return whether helpers would finish the *segments* sooner."""
    return metric.in_python and len(segments) >= FEWEST and bool(sys.executable) and process_count() > 1


def rows_of_blocks(
    metric: SentenceMetric, segments: Segments, advance: Callable[[int], object]
) -> Iterator[Statistics]:
    """Yield the statistics of consecutive blocks, each computed by some process, reporting each to *advance*."""
    import numpy as np

    parts = [segments.part(start, start + _BLOCK) for start in range(0, len(segments), _BLOCK)]
    with _Helpers(metric, min(process_count(), len(parts))) as helpers:
        for part, answer in zip(parts, helpers.answers(parts), strict=True):
            if answer is None:
                yield metric.statistics(part)
            else:
                for said, places in answer["reports"]:
                    report_pairs(logger, said, places)
                yield np.array(answer["rows"], dtype=answer["type"])
            advance(len(part))


class _Helpers:
    """Processes with the same metric; a thread waits for each."""

    def __init__(self, metric: SentenceMetric, count: int) -> None:
        self._identity = identity(metric)
        self._idle: SimpleQueue[_Helper | None] = SimpleQueue()
        self._threads = ThreadPoolExecutor(count)
        self._helpers = [_Helper.start(metric) for _ in range(count)]
        for helper in self._helpers:
            self._idle.put(helper)

    def __enter__(self) -> _Helpers:
        return self

    def __exit__(self, *_: object) -> None:
        for helper in self._helpers:
            if helper is not None:
                helper.end()
        self._threads.shutdown(cancel_futures=True)

    def answers(self, parts: Sequence[Segments]) -> Iterator[dict[str, Any] | None]:
        return self._threads.map(self._answer, parts)

    def _answer(self, part: Segments) -> dict[str, Any] | None:
        helper = self._idle.get()
        try:
            return None if helper is None else helper.ask(part, self._identity)
        finally:
            self._idle.put(helper)


@dataclass
class _Helper:
    """One process."""

    process: subprocess.Popen[bytes]
    failed: bool = False

    @classmethod
    def start(cls, metric: SentenceMetric) -> _Helper | None:
        program = [sys.executable, "-m", "paragauge.metrics.helpers", str(metric)]
        environment = {**os.environ, VARIABLE: "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program
                program, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
            )
        except OSError:
            return None
        return cls(process)

    def ask(self, part: Segments, expected: str) -> dict[str, Any] | None:
        """Return the answer for a block; ``None`` if there is none, or none by the *expected* metric."""
        if self.failed:
            return None
        assert self.process.stdin is not None  # noqa: S101 - pipes, see above
        assert self.process.stdout is not None  # noqa: S101
        try:
            _write(self.process.stdin, [part.candidates, part.references, part.originals])
            answer: dict[str, Any] | None = _read(self.process.stdout)
        except (OSError, ValueError):
            answer = None
        self.failed = answer is None or answer["identity"] != expected
        return None if self.failed else answer

    def end(self) -> None:
        self.process.kill()  # it holds nothing
        self.process.communicate()


def _write(stream: IO[bytes], value: object) -> None:
    data = json.dumps(value).encode("ascii")
    stream.write(len(data).to_bytes(_LENGTH) + data)
    stream.flush()


def _read(stream: IO[bytes]) -> Any:
    """Return the next value, ``None`` at the end."""
    header = stream.read(_LENGTH)
    return json.loads(stream.read(int.from_bytes(header))) if header else None


def identity(metric: SentenceMetric) -> str:
    """Return what two processes must agree on: the metric with the digests of what it has opened."""
    return json.dumps({name: str(value) for name, value in metric.signature_items().items()})


def serve(name: str, source: IO[bytes], output: IO[bytes]) -> None:
    """Answer blocks until there are no more."""
    from paragauge.metrics.registry import parse_metric
    from paragauge.threads import limit_threads

    logging.disable()
    limit_threads(1)  # each core has a process already
    metric: SentenceMetric = parse_metric(name)
    while (block := _read(source)) is not None:
        candidates, references, originals = block
        part = Segments(
            tuple(candidates),
            None if references is None else tuple(map(tuple, references)),
            None if originals is None else tuple(originals),
        )
        try:
            with collected_reports() as reports:
                rows = metric.statistics(part)
        except ParagaugeError:
            return  # the program that asked finds the same error, and knows where
        answer = {"rows": rows.tolist(), "type": rows.dtype.str, "reports": reports, "identity": identity(metric)}
        _write(output, answer)


if __name__ == "__main__":
    serve(sys.argv[1], sys.stdin.buffer, sys.stdout.buffer)
