"""Pages and requests for judges: a sentence and its rewritings, two scales for each, saved immediately."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel, Field

from paragauge.annotation.judging import HIGHEST, LOWEST, Criterion, JudgingStore, Rating
from paragauge.corpora.judgments import write_judgments
from paragauge.temporary import scratch_folder
from paragauge.web.area import Area
from paragauge.web.pages import page
from paragauge.web.people import (
    Number,
    Person,
    Sent,
    check_work,
    person_address,
    person_areas,
    store_errors,
    work_problems,
)
from paragauge.web.problems import Problem

_PROBLEMS = work_problems("judge", "sentence", "rating")

# What the ends of the scales mean.
SCALES: dict[Criterion, tuple[str, str]] = {
    "meaning": ("none of the meaning is kept", "all of the meaning is kept"),
    "grammar": ("not English", "flawless English"),
}


class SentRating(Sent):
    """A rating as sent by the page."""

    place: int = Field(ge=0, lt=2**31, description="Which of the sentence's texts.")
    criterion: Criterion
    score: int = Field(ge=LOWEST, le=HIGHEST)


class SavedRating(BaseModel):
    """What the judge has finished after a rating."""

    finished: list[int]


def judging_areas(store: JudgingStore, judges: Sequence[str]) -> list[Area]:
    """Return the areas of a server on which *judges* work on the rewritings of *store*."""
    return person_areas("judge", "Judge", judges, _router(store, tuple(judges)))


def _address(judge: str) -> str:
    return person_address("judge", judge)


def _router(store: JudgingStore, judges: tuple[str, ...]) -> APIRouter:
    router = APIRouter(responses=_PROBLEMS)

    def check(judge: str, number: int = 1) -> None:
        check_work(judge, judges, "judge", number, len(store), "sentence")

    @router.get("/judge", response_class=HTMLResponse, include_in_schema=False)
    def progress_page(request: Request) -> HTMLResponse:
        with store_errors():
            known = store.judges()
            names = list(dict.fromkeys([*judges, *known]))
            rows = [(store.progress(name), _address(name) if name in judges else None) for name in names]
            return page(request, "judge_progress.html", judges=rows, begun=bool(known), file=store.path.name)

    @router.get("/judge/{judge}", response_class=HTMLResponse, include_in_schema=False)
    def judging_page(request: Request, judge: Person) -> HTMLResponse:
        check(judge)
        return page(
            request, "judge.html", judge=judge, api=f"/api{_address(judge)}", project=store.project, items=len(store),
            scales=SCALES, scores=range(LOWEST, HIGHEST + 1),
        )  # fmt: skip

    @router.get("/api/judgments", tags=["judge"], response_class=PlainTextResponse)
    def export() -> PlainTextResponse:
        """All judgments as TSV: system, segment, judge, criterion, score."""
        with store_errors():
            judgments = store.judgments()
        with scratch_folder() as folder:
            path = Path(folder) / "judgments.tsv"
            write_judgments(judgments, path)
            return PlainTextResponse(
                path.read_bytes(), headers={"content-disposition": "attachment; filename=judgments.tsv"}
            )

    @router.get("/api/judge/{judge}/progress", tags=["judge"])
    def progress(judge: Person) -> dict[str, Any]:
        """The numbers of the sentences that the judge has finished."""
        check(judge)
        with store_errors():
            return {"items": len(store), "finished": store.finished(judge)}

    @router.get("/api/judge/{judge}/items/{number}", tags=["judge"])
    def item(judge: Person, number: Number) -> dict[str, Any]:
        """A sentence, its rewritings in the judge's order without the names of systems, and the scores so far."""
        check(judge, number)
        found = store.item(number)
        with store_errors():
            ratings = store.ratings(judge)
        texts = [
            {
                "place": place, "text": found.texts[place],
                "scores": {name: ratings.get((number, place, name)) for name in SCALES},
            }
            for place in store.order(judge, number)
        ]  # fmt: skip
        return {"number": number, "original": found.original, "texts": texts}

    @router.post("/api/judge/{judge}/items/{number}/ratings", tags=["judge"])
    def rate(judge: Person, number: Number, sent: SentRating) -> SavedRating:
        """Save a rating; it is on disk when the response arrives."""
        if sent.project != store.project:
            raise Problem(412, "this server has other sentences than the page; restart it with the same file")
        check(judge, number)
        with store_errors():
            rating = Rating(sent.place, sent.criterion, sent.score, sent.token, sent.seconds)
            store.record(judge, number, rating)
            return SavedRating(finished=store.finished(judge))

    return router
