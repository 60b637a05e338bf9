"""The areas of ``paragauge serve``: score and explain, compare and meta-evaluate, and the API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse

from paragauge.errors import FileError
from paragauge.metrics.registry import parse_sentence_metrics
from paragauge.temporary import scratch_folder
from paragauge.web.api import api_routes, catalogue
from paragauge.web.api_page import api_page_routes
from paragauge.web.area import Area
from paragauge.web.background import Jobs
from paragauge.web.jobs import DEFAULT_SECONDS, Workers
from paragauge.web.pages import page
from paragauge.web.protocol import Settings
from paragauge.web.rewriting import MOST_CANDIDATES


def workbench_areas(
    *,
    work: str | None = None,
    metrics: Sequence[str] = (),
    grammar: str | None = None,
    lm: str | None = None,
    weights: str | None = None,
    workers: int = 2,
    seconds: float = DEFAULT_SECONDS,
    memory: int | None = None,
) -> list[Area]:
    """Return the areas of the workbench.

    Args:
        work: Folder for temporary files of requests, in a subfolder that is removed at the end; ``None`` for the
            system's temporary folder.
        metrics: Metrics to offer in addition to those of the registry; their options may name files.
        grammar: Grammar for derivations and rewritings; by default, rewritings use the one that ships.
        lm: Language model for rewritings.
        weights: Weights for rewritings.
        workers: Maximum number of jobs running at once.
        seconds: Time limit of a job.
        memory: Memory limit of a job in bytes.

    Raises:
        OptionError: A metric is invalid.
        FileError: There is no such folder, or no such grammar.
    """
    parse_sentence_metrics(metrics)  # invalid metrics are rejected now, not at the first click
    for path in (work, grammar, lm, weights):
        if path is not None and not Path(path).exists():
            raise FileError(f"{path}: no such file or directory")
    with scratch_folder(work):
        pass  # so that a folder that cannot be written is reported before the server starts
    settings = Settings("", tuple(metrics), grammar, memory, lm, weights)

    @asynccontextmanager
    async def with_workers(app: FastAPI) -> AsyncIterator[None]:
        with scratch_folder(work) as folder:
            app.state.workers = Workers(replace(settings, work=folder), workers, seconds)
            app.state.jobs = Jobs()
            await app.state.workers.start()
            try:
                yield
            finally:
                await app.state.jobs.close()
                await app.state.workers.close()

    first = APIRouter(include_in_schema=False)
    second = APIRouter(include_in_schema=False)

    @first.get("/")
    async def score_page(request: Request) -> HTMLResponse:
        context = await _metric_choices(request, settings)
        return page(request, "score.html", grammar=grammar is not None, **context)

    @second.get("/compare")
    async def compare_page(request: Request) -> HTMLResponse:
        return page(request, "compare.html", **await _metric_choices(request, settings))

    rewriting = APIRouter(include_in_schema=False)

    @rewriting.get("/rewrite")
    async def rewrite_page(request: Request) -> HTMLResponse:
        return page(request, "rewrite.html", grammar=grammar is not None, most=MOST_CANDIDATES)

    third = APIRouter()
    third.include_router(api_routes())
    third.include_router(api_page_routes())
    return [
        Area("Score and explain", "/", first, with_workers),
        Area("Compare and meta-evaluate", "/compare", second),
        Area("Rewrite", "/rewrite", rewriting),
        Area("API", "/api", third),
    ]


async def _metric_choices(request: Request, settings: Settings) -> dict[str, object]:
    """Return the sentence metrics, grouped by what they need."""
    groups: dict[str, list[dict[str, object]]] = {}
    for each in await catalogue(request):
        if each["kind"] == "sentences" and each["available"]:
            groups.setdefault(" and ".join(each["needs"]) or "candidates only", []).append(each)
    return {"metric_groups": groups, "own_metrics": settings.metrics}
