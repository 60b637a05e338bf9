"""Jobs on worker processes: a few at a time, the others queued, each with a time limit."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from dataclasses import asdict, dataclass, field
from typing import Any

from paragauge.web.problems import Problem
from paragauge.web.protocol import LENGTH, PROBLEM, PROGRESS, Settings

DEFAULT_SECONDS = 60.0
MOST_WAITING = 256

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """A message from a worker: its progress or, finally, the result. The text is JSON."""

    final: bool
    text: bytes


@dataclass
class Workers:
    """Worker processes, started when needed.

    Attributes:
        settings: Settings passed to every worker.
        count: Maximum number of workers running at once.
        seconds: Time limit of a job, from its start.
        most_waiting: Maximum number of queued jobs; more are rejected.
    """

    settings: Settings
    count: int = 2
    seconds: float = DEFAULT_SECONDS
    most_waiting: int = MOST_WAITING
    _idle: list[Process] = field(default_factory=list)
    _waiting: int = 0
    _slots: asyncio.Semaphore | None = None

    async def start(self) -> None:
        """Start the first worker, so that the first job does not wait for it."""
        self._slots = asyncio.Semaphore(self.count)
        self._idle.append(await self._new())

    async def close(self) -> None:
        """Stop all idle workers; busy ones stop when their job ends."""
        while self._idle:
            await _end(self._idle.pop())

    async def run(
        self, task: str, request: dict[str, Any], *, seconds: float | None = None
    ) -> AsyncGenerator[Answer, None]:
        """Yield a worker's messages about a job; closing the iterator stops the job.

        Args:
            task: Name of the task.
            request: Its request.
            seconds: Time limit of this job; by default that of all.

        Raises:
            Problem: The job is invalid or takes too long, or there are too many jobs.
        """
        assert self._slots is not None  # noqa: S101, started with the application
        limit = self.seconds if seconds is None else seconds
        try:
            job = json.dumps({"task": task, "request": request}, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            detail = (
                "a text contains a lone surrogate, which is not valid text; an earlier step split a character in two"
            )
            raise Problem(422, detail) from None
        self.check_room()
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        try:
            process = self._awake() or await self._new()
            try:
                async for answer in _answers(process, job, limit):
                    yield answer
            except TimeoutError:
                detail = (
                    f"this takes longer than {limit:g} seconds, the time limit; send fewer segments per "
                    "request, or start the server with a larger --time-limit"
                )
                raise Problem(413, detail) from None
            except Problem:
                self._idle.append(process)  # it has responded and waits for the next job
                raise
            except (asyncio.IncompleteReadError, ConnectionError):
                logger.warning("a worker ended in the middle of a job (%s)", task)
                raise Problem(503, "the computation ended unexpectedly, perhaps because it ran out of memory") from None
            else:
                self._idle.append(process)
            finally:
                if process not in self._idle:
                    await _end(process)
        finally:
            self._slots.release()

    def check_room(self) -> None:
        """Raise a `Problem` if no more jobs may wait; a response in lines has no other status once it has begun."""
        if self._waiting >= self.most_waiting:
            raise Problem(503, "too many jobs are waiting; try again in a moment", {"retry-after": "2"})

    async def result(self, task: str, request: dict[str, Any]) -> bytes:
        """Return the result of a job, as JSON."""
        text = b""
        async with contextlib.aclosing(self.run(task, request)) as answers:
            async for answer in answers:
                text = answer.text
        return text

    def _awake(self) -> Process | None:
        """Return an idle worker that is still running, if any."""
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        return None

    async def _new(self) -> Process:
        settings = json.dumps(asdict(self.settings))
        # -P: nothing is imported from the current folder by accident.
        command = (sys.executable, "-P", "-m", "paragauge.web.worker", settings)
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
        try:
            await _frame(process)  # it is ready: its imports do not count towards the job's time
        except asyncio.IncompleteReadError:
            await process.wait()
            raise Problem(503, "a worker process did not start; its standard error says why") from None
        except asyncio.CancelledError:
            await _end(process)
            raise
        return process


async def _answers(process: Process, job: bytes, seconds: float) -> AsyncGenerator[Answer, None]:
    assert process.stdin is not None  # noqa: S101, it is a pipe
    deadline = asyncio.get_running_loop().time() + seconds
    async with asyncio.timeout_at(deadline):
        process.stdin.write(len(job).to_bytes(LENGTH) + job)
        await process.stdin.drain()
    while True:
        async with asyncio.timeout_at(deadline):
            kind, text = await _frame(process)
        if kind == PROBLEM:
            raise Problem(**json.loads(text))
        yield Answer(kind != PROGRESS, text)
        if kind != PROGRESS:
            return


async def _frame(process: Process) -> tuple[bytes, bytes]:
    assert process.stdout is not None  # noqa: S101, it is a pipe
    length = int.from_bytes(await process.stdout.readexactly(LENGTH))
    frame = await process.stdout.readexactly(length)
    return frame[:1], frame[1:]


async def _end(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
