"""The HTTP API: thin routes over jobs."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel

from paragauge.web import models, rewriting
from paragauge.web.background import Job, Jobs
from paragauge.web.jobs import Answer, Workers
from paragauge.web.problems import MEDIA_TYPE, Problem, problem_answers, problem_dict

LONGER = 20  # times the time limit of a request: how long a job, or a response in lines, may take
_JSON = "application/json"
_LINES = "application/jsonl"
_STREAM = (
    "Respond with JSON Lines: a few times per second a line with the event 'progress' (done, total, what), finally one "
    "with the event 'result' or 'problem'. Closing the connection stops the job."
)

_JOB = "Zk3PqX0bVw9sTm2a"  # an example; real names are random
_RUNNING = {"done": 16, "total": 2000, "what": "ter a"}
_LINE_EXAMPLES = f'{{"event": "progress", "progress": {json.dumps(_RUNNING)}}}\n{{"event": "result", "result": {{}}}}'

Stream = Annotated[bool, Query(description=_STREAM)]


@lru_cache(maxsize=1)
def _examples() -> dict[str, Any]:
    """Return the responses to the example requests, which tools/make_api_examples.py has got from a workbench."""
    found: dict[str, Any] = json.loads((files("paragauge.web") / "examples.json").read_text("utf-8"))
    return found


def _shown(name: str) -> dict[int | str, dict[str, Any]]:
    """Return the example response of an operation for its description."""
    return {200: {"content": {_JSON: {"example": _examples()[name]}}}}


def _workers(request: Request) -> Workers:
    workers: Workers = request.app.state.workers
    return workers


Running = Annotated[Workers, Depends(_workers)]

_PROBLEMS = problem_answers(
    {
        400: "The request is not valid JSON, or its Host or Origin header is malformed.",
        403: "The request comes from a page of another site.",
        408: "The request arrives too slowly.",
        413: "The request is too large, takes too long, or needs too much memory.",
        421: "The request uses a host name that the server does not accept.",
        422: "The request, or the data in it, is invalid.",
        503: "Too many jobs or large requests are waiting, or the job ended unexpectedly.",
    }
)


def api_routes() -> APIRouter:
    """Return the routes; they expect `Workers` in ``app.state.workers``."""
    router = APIRouter(prefix="/api", responses=_PROBLEMS)
    problem = _PROBLEMS[422]["content"][MEDIA_TYPE]

    def job(
        path: str, task: str, request_model: type[BaseModel], answer: type[BaseModel], summary: str, text: str
    ) -> None:
        """Add a route that posts a job."""

        async def post(body: Any, workers: Running, connection: Request, stream: Stream = False) -> Response:
            workers.check_room()
            answers = workers.run(task, body.model_dump(mode="json"), seconds=LONGER * workers.seconds)
            if stream:
                return StreamingResponse(_lines(_while_connected(connection, answers)), media_type=_LINES)
            return await _answer_or_job(connection, answers, workers.seconds)

        post.__annotations__["body"] = request_model
        router.add_api_route(
            path,
            post,
            methods=["POST"],
            summary=summary,
            description=text,
            operation_id=task,
            response_class=Response,
            responses={
                200: {
                    "model": answer,
                    "description": answer.__doc__ or "",
                    "content": {_JSON: {"example": _examples().get(task)}, _LINES: {"example": _LINE_EXAMPLES}},
                },
                202: {
                    "model": models.JobStarted,
                    "description": models.JobStarted.__doc__ or "",
                    "content": {_JSON: {"example": {"job": _JOB, "address": f"/api/jobs/{_JOB}"}}},
                },
                422: {
                    "description": _PROBLEMS[422]["description"],
                    "content": {MEDIA_TYPE: {**problem, "example": _examples()["problem"]}},
                },
            },
        )

    job(
        "/score", "score", models.ScoreRequest, models.ScoreAnswer, "Score systems and segments",
        "Translation metrics need references, paraphrase metrics need originals; the example has both.",
    )  # fmt: skip
    job(
        "/explain", "explain", models.ExplainRequest, models.ExplainAnswer, "Explain the score of one candidate",
        "The parts of an explanation are marked texts, grids, networks and links.",
    )  # fmt: skip
    job(
        "/compare", "compare", models.CompareRequest, models.CompareAnswer, "Compare systems by paired tests",
        "The first system is the baseline. p-values are two-sided.",
    )  # fmt: skip
    job(
        "/correlate", "correlate", models.CorrelateRequest, models.CorrelateAnswer,
        "Correlate metrics with human judgments",
        "Scores are given in the request, or computed from texts and metrics.",
    )  # fmt: skip
    job(
        "/report", "report", models.ReportRequest, models.ReportAnswer, "Create a meta-evaluation report",
        "Contains rankings, agreement with human judgments if given, plots and disagreements.",
    )  # fmt: skip
    job(
        "/derive", "derive", models.DeriveRequest, models.DeriveAnswer,
        "Derive one sentence from another with a grammar",
        "Rules are lines of '[X] ||| source ||| target'; words that are not in the grammar are copied.",
    )  # fmt: skip
    job(
        "/generate", "generate", rewriting.GenerateRequest, rewriting.GenerateAnswer, "Rewrite sentences",
        "Paraphrases or, with max_ratio, compressions, each with its derivation and the rules used.",
    )  # fmt: skip
    job(
        "/read", "read", models.ReadRequest, models.TestSetAnswer, "Read a test set in any format",
        "TSV, CSV, JSON Lines, NIST SGML or WMT XML, recognised by its content.",
    )  # fmt: skip

    missing = problem_answers({404: "There is no such job."})

    running = {"state": "running", "progress": _RUNNING}
    asked: dict[int | str, dict[str, Any]] = {200: {"content": {_JSON: {"example": running}}}, **missing}

    @router.get("/jobs/{name}", summary="Ask for a job", operation_id="job", responses=asked)
    async def job_state(request: Request, name: str) -> models.JobState:
        """Its progress or, at the end, the result of the request or the problem with it."""
        found = _jobs(request).find(name)
        if found.problem is not None:
            problem = problem_dict(found.problem.status_code, found.problem.detail)
            return models.JobState(state="failed", progress=None, problem=problem)
        if found.result is not None:
            return models.JobState(state="done", progress=None, result=json.loads(found.result))
        return models.JobState(state="running", progress=json.loads(found.progress))

    @router.delete("/jobs/{name}", summary="Stop a job", operation_id="stop", status_code=204, responses=missing)
    async def stop_job(request: Request, name: str) -> None:
        """Its work ends, and its result is forgotten."""
        await _jobs(request).remove(name)

    @router.get("/metrics", summary="List the metrics", operation_id="metrics", responses=_shown("metrics"))
    async def metrics(request: Request) -> list[models.MetricDescription]:
        """All metrics, including those of other packages."""
        return [models.MetricDescription(**each) for each in await catalogue(request)]

    @router.get("/example", summary="Get the example test set", operation_id="example", responses=_shown("example"))
    async def example(workers: Running) -> models.TestSetAnswer:
        """Eight sentences, two references each, and three systems."""
        return models.TestSetAnswer.model_validate_json(await workers.result("example", {}))

    return router


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


async def _answer_or_job(connection: Request, answers: AsyncGenerator[Answer, None], seconds: float) -> Response:
    """Return the result if it comes in time; otherwise the work goes on as a job. If the client leaves, it ends."""
    job = Job.follow(answers)
    assert job.task is not None  # noqa: S101, it was just started
    gone = asyncio.ensure_future(_disconnected(connection))
    try:
        await asyncio.wait({job.task, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if not job.task.done() and not gone.done():
            name = _jobs(connection).keep(job)
            address = f"/api/jobs/{name}"
            body = json.dumps({"job": name, "address": address}).encode()
            return Response(body, 202, {"location": address}, _JSON)
    except BaseException:  # the server stops, or has too many jobs
        await job.stop()
        raise
    finally:
        gone.cancel()
    if not job.task.done():
        await job.stop()
        return Response(b"null", 499, media_type=_JSON)  # nobody receives it
    if job.problem is not None:
        raise job.problem
    await job.task  # anything unexpected is the server's error
    return Response(job.result, media_type=_JSON)


async def catalogue(request: Request) -> list[dict[str, Any]]:
    """Return the descriptions of all metrics, requested from a worker once."""
    state = request.app.state
    if not hasattr(state, "catalogue"):
        state.catalogue = json.loads(await _workers(request).result("catalogue", {}))
    found: list[dict[str, Any]] = state.catalogue
    return found


async def _while_connected(connection: Request, answers: AsyncGenerator[Answer, None]) -> AsyncGenerator[Answer, None]:
    """Yield the answers of a job; if the client leaves, end the job."""
    gone = asyncio.ensure_future(_disconnected(connection))
    try:
        async with contextlib.aclosing(answers):
            while True:
                step = asyncio.ensure_future(anext(answers))
                try:
                    await asyncio.wait({step, gone}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    if not step.done():  # the client has left, or the server stops
                        step.cancel()
                        await asyncio.gather(step, return_exceptions=True)
                if step.cancelled():
                    return
                try:
                    answer = step.result()
                except StopAsyncIteration:
                    return
                yield answer
    finally:
        gone.cancel()


async def _disconnected(connection: Request) -> None:
    while (await connection.receive())["type"] != "http.disconnect":
        pass


async def _lines(answers: AsyncGenerator[Answer, None]) -> AsyncIterator[bytes]:
    final = b"null"
    try:
        async with contextlib.aclosing(answers):
            async for answer in answers:
                if answer.final:
                    final = answer.text
                else:
                    yield b'{"event": "progress", "progress": %s}\n' % answer.text
        # Only now: a client that reads slowly must not keep the worker.
        yield b'{"event": "result", "result": %s}\n' % final
    except Problem as problem:
        body = {"event": "problem", "problem": problem_dict(problem.status_code, problem.detail)}
        yield json.dumps(body, ensure_ascii=False).encode("utf-8") + b"\n"
