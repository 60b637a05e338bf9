"""Pages and requests for judges: a sentence and its rewritings, two scales for each, saved immediately."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from paragauge.annotation.changes import MAX_SECONDS, TOKEN
from paragauge.annotation.database import BusyError, check_annotator
from paragauge.annotation.judging import HIGHEST, LOWEST, Criterion, JudgingStore, Rating
from paragauge.corpora.judgments import write_judgments
from paragauge.temporary import scratch_folder
from paragauge.web.area import Area
from paragauge.web.pages import page
from paragauge.web.problems import Problem, problem_answers

_PROBLEMS = problem_answers(
    {
        400: "The request is not valid JSON.",
        403: "The request comes from a page of another site.",
        404: "There is no such judge or sentence.",
        412: "The page belongs to another project.",
        413: "The request is too large.",
        421: "The request uses a host name that the server does not accept.",
        422: "The request is invalid, or invalid for this sentence.",
        503: "The file cannot be written at the moment; send the same rating again.",
    }
)

# What the ends of the scales mean.
SCALES: dict[Criterion, tuple[str, str]] = {
    "meaning": ("none of the meaning is kept", "all of the meaning is kept"),
    "grammar": ("not English", "flawless English"),
}

Judge = Annotated[str, InPath(max_length=64)]
Number = Annotated[int, InPath(ge=1, lt=2**31)]


class SentRating(BaseModel):
    """A rating as sent by the page."""

    model_config = ConfigDict(extra="forbid", strict=True)

    project: str = Field(max_length=64, description="The project that the page belongs to.")
    place: int = Field(ge=0, lt=2**31, description="Which of the sentence's texts.")
    criterion: Criterion
    score: int = Field(ge=LOWEST, le=HIGHEST)
    token: str = Field(
        pattern=TOKEN.pattern, description="Unique name of the rating; the same rating sent again has the same token."
    )
    seconds: float = Field(0.0, ge=0, le=MAX_SECONDS, allow_inf_nan=False)


class SavedRating(BaseModel):
    """What the judge has finished after a rating."""

    finished: list[int]


def judging_areas(store: JudgingStore, judges: Sequence[str]) -> list[Area]:
    """Return the areas of a server on which *judges* work on the rewritings of *store*."""
    for name in judges:
        check_annotator(name)
    pages = [(f"Judge as {name}" if len(judges) > 1 else "Judge", _address(name)) for name in judges]
    areas = [Area(title, address, APIRouter()) for title, address in pages]
    return [*areas, Area("Progress", "/judge", _router(store, tuple(judges)))]


def _address(judge: str) -> str:
    return f"/judge/{quote(judge)}"


def _router(store: JudgingStore, judges: tuple[str, ...]) -> APIRouter:
    router = APIRouter(responses=_PROBLEMS)

    def check(judge: str, number: int = 1) -> None:
        if judge not in judges:
            raise Problem(404, f"there is no judge {judge!r}; start the server with --annotator {judge!r}")
        if number > len(store):
            raise Problem(404, f"there is no sentence {number}; sentences are numbered from 1 to {len(store)}")

    @router.get("/judge", response_class=HTMLResponse, include_in_schema=False)
    def progress_page(request: Request) -> HTMLResponse:
        with _store_errors():
            known = store.judges()
            names = list(dict.fromkeys([*judges, *known]))
            rows = [(store.progress(name), _address(name) if name in judges else None) for name in names]
            return page(request, "judge_progress.html", judges=rows, begun=bool(known), file=store.path.name)

    @router.get("/judge/{judge}", response_class=HTMLResponse, include_in_schema=False)
    def judging_page(request: Request, judge: Judge) -> HTMLResponse:
        check(judge)
        return page(
            request, "judge.html", judge=judge, api=f"/api{_address(judge)}", project=store.project, items=len(store),
            scales=SCALES, scores=range(LOWEST, HIGHEST + 1),
        )  # fmt: skip

    @router.get("/api/judgments", tags=["judge"], response_class=PlainTextResponse)
    def export() -> PlainTextResponse:
        """All judgments as TSV: system, segment, judge, criterion, score."""
        with _store_errors():
            judgments = store.judgments()
        with scratch_folder() as folder:
            path = Path(folder) / "judgments.tsv"
            write_judgments(judgments, path)
            return PlainTextResponse(
                path.read_bytes(), headers={"content-disposition": "attachment; filename=judgments.tsv"}
            )

    @router.get("/api/judge/{judge}/progress", tags=["judge"])
    def progress(judge: Judge) -> dict[str, Any]:
        """The numbers of the sentences that the judge has finished."""
        check(judge)
        with _store_errors():
            return {"items": len(store), "finished": store.finished(judge)}

    @router.get("/api/judge/{judge}/items/{number}", tags=["judge"])
    def item(judge: Judge, number: Number) -> dict[str, Any]:
        """A sentence, its rewritings in the judge's order without the names of systems, and the scores so far."""
        check(judge, number)
        found = store.item(number)
        with _store_errors():
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
    def rate(judge: Judge, number: Number, sent: SentRating) -> SavedRating:
        """Save a rating; it is on disk when the response arrives."""
        if sent.project != store.project:
            raise Problem(412, "this server has other sentences than the page; restart it with the same file")
        check(judge, number)
        with _store_errors():
            rating = Rating(sent.place, sent.criterion, sent.score, sent.token, sent.seconds)
            store.record(judge, number, rating)
            return SavedRating(finished=store.finished(judge))

    return router


@contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except BusyError as error:
        raise Problem(503, str(error)) from error
