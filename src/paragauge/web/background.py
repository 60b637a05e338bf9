"""Requests that take longer than their time limit go on as jobs, which can be asked for progress and result."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from paragauge.web.jobs import Answer
from paragauge.web.problems import Problem

MOST_KEPT = 32  # jobs, finished or not; the oldest finished ones are forgotten
UNASKED_SECONDS = 300.0  # after which a running job is taken for abandoned


@dataclass
class Job:
    """Work that goes on by itself: its latest progress and, at the end, its result (both JSON) or a problem."""

    task: asyncio.Task[None] | None = None
    progress: bytes = b"null"
    result: bytes | None = None
    problem: Problem | None = None
    asked: float = 0.0
    """When somebody last asked for it, in seconds of the loop's clock."""
    watch: asyncio.Task[None] | None = None

    @classmethod
    def follow(cls, answers: AsyncGenerator[Answer, None]) -> Job:
        """Start to receive the answers of a worker."""
        job = cls()
        job.task = asyncio.create_task(job._receive(answers))
        return job

    async def _receive(self, answers: AsyncGenerator[Answer, None]) -> None:
        try:
            async with contextlib.aclosing(answers):
                async for answer in answers:
                    if answer.final:
                        self.result = answer.text
                    else:
                        self.progress = answer.text
        except Problem as problem:
            self.problem = problem

    @property
    def is_done(self) -> bool:
        """Whether there is a result or a problem."""
        return self.result is not None or self.problem is not None

    async def stop(self) -> None:
        """End the work, and its worker."""
        if self.watch is not None and self.watch is not asyncio.current_task():
            self.watch.cancel()
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)


@dataclass
class Jobs:
    """Jobs by their secret names."""

    _jobs: dict[str, Job] = field(default_factory=dict)

    def keep(self, job: Job) -> str:
        """Return a name for *job*, under which it can be asked for.

        Raises:
            Problem: Too many jobs are running.
        """
        for name, each in list(self._jobs.items()):
            if len(self._jobs) >= MOST_KEPT and each.is_done:
                del self._jobs[name]
        if len(self._jobs) >= MOST_KEPT:
            raise Problem(503, "too many jobs are running; try again in a moment", {"retry-after": "10"})
        name = secrets.token_urlsafe(12)
        self._jobs[name] = job
        job.asked = asyncio.get_running_loop().time()
        job.watch = asyncio.create_task(self._end_if_abandoned(name, job))
        return name

    async def _end_if_abandoned(self, name: str, job: Job) -> None:
        """Stop a job that nobody has asked for in a long time."""
        now = asyncio.get_running_loop().time
        while not job.is_done:
            left = job.asked + UNASKED_SECONDS - now()
            if left <= 0:
                await self.remove(name)
                return
            await asyncio.sleep(left)

    def find(self, name: str) -> Job:
        """Return a job.

        Raises:
            Problem: There is none of that name.
        """
        if name not in self._jobs:
            detail = (
                "there is no such job; it was stopped, nobody asked for it for minutes, or many others came after it"
            )
            raise Problem(404, detail)
        job = self._jobs[name]
        job.asked = asyncio.get_running_loop().time()
        return job

    async def remove(self, name: str) -> None:
        """Stop a job and forget it."""
        job = self.find(name)
        del self._jobs[name]
        await job.stop()

    async def close(self) -> None:
        """Stop all jobs."""
        for name in list(self._jobs):
            await self.remove(name)
