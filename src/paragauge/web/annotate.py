"""Pages and requests for annotators: a grid of two sentences whose changes are saved immediately."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel, Field

from paragauge.align.annotated import write_aligned_pairs
from paragauge.align.gold import write_gold
from paragauge.annotation.changes import MAX_CELLS, Change, Kind, Mark
from paragauge.annotation.store import AnnotationStore, StaleError
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

_PROBLEMS = work_problems(
    "annotator",
    "pair",
    "change",
    {409: "The links have changed in the meantime, so nothing was undone or redone."},
)

_TOKENS = 200  # number of recent changes by which the page sees what has arrived


class SentChange(Sent):
    """A change as sent by the page."""

    kind: Kind
    cells: str = Field(
        "", max_length=16 * MAX_CELLS, description="Cells of 'set': 0-1 sure, 0p1 possible, 0x1 no link."
    )
    base: int | None = Field(None, ge=0, description="For 'undo' and 'redo': the version that the annotator saw.")


class Saved(BaseModel):
    """The state of a pair after a change."""

    links: str
    version: int
    done: bool
    seconds: float
    undo: int
    redo: int


def annotation_areas(store: AnnotationStore, annotators: Sequence[str]) -> list[Area]:
    """Return the areas of a server on which *annotators* work on the pairs of *store*."""
    return person_areas("annotate", "Annotate", annotators, _router(store, tuple(annotators)))


def _address(annotator: str) -> str:
    return person_address("annotate", annotator)


def _router(store: AnnotationStore, annotators: tuple[str, ...]) -> APIRouter:
    router = APIRouter(responses=_PROBLEMS)
    groups = store.pairs.group_names()

    def check(annotator: str, number: int = 1) -> None:
        check_work(annotator, annotators, "annotator", number, len(store), "pair")

    @router.get("/annotate", response_class=HTMLResponse, include_in_schema=False)
    def progress_page(request: Request) -> HTMLResponse:
        with _store_errors():
            known = store.annotators()
            names = list(dict.fromkeys([*annotators, *known]))
            return page(
                request,
                "annotate_progress.html",
                annotators=[
                    (store.progress(name), _address(name) if name in annotators else None, name in known)
                    for name in names
                ],
                agreement=store.agreement(),
                file=store.path.name,
            )

    @router.get("/annotate/{annotator}", response_class=HTMLResponse, include_in_schema=False)
    def grid_page(request: Request, annotator: Person) -> HTMLResponse:
        check(annotator)
        return page(
            request,
            "annotate.html",
            annotator=annotator,
            api=f"/api{_address(annotator)}",
            project=store.project,
            pairs=len(store),
            max_cells=MAX_CELLS,
        )

    @router.get("/api/annotate/{annotator}/progress", tags=["annotate"])
    def progress(annotator: Person) -> dict[str, Any]:
        """The progress of the annotator."""
        check(annotator)
        with _store_errors():
            found = store.progress(annotator)
            finished = store.finished(annotator)
        each = found.seconds_per_pair if found.done else None
        return {"pairs": found.pairs, "finished": finished, "seconds": found.seconds, "seconds_per_pair": each}

    @router.get("/api/annotate/{annotator}/export", tags=["annotate"], response_class=PlainTextResponse)
    def export(annotator: Person, to: Literal["pharaoh", "parametric"] = "pharaoh") -> PlainTextResponse:
        """The current links of the annotator: lines of links, or a table that ParaMetric reads as gold standard."""
        check(annotator)
        with _store_errors():
            gold, _ = store.gold(annotator)
        name = quote(f"{annotator}.align" if to == "pharaoh" else f"{annotator}.gold.tsv")
        with scratch_folder() as folder:
            path = Path(folder) / "export"
            if to == "pharaoh":
                write_gold(path, gold.links)
            else:
                write_aligned_pairs(path, gold)
            return PlainTextResponse(
                path.read_bytes(), headers={"content-disposition": f"attachment; filename*=UTF-8''{name}"}
            )

    @router.get("/api/annotate/{annotator}/pairs/{number}", tags=["annotate"])
    def pair(annotator: Person, number: Number) -> dict[str, Any]:
        """A pair, its links, and the steps that can be undone and redone."""
        check(annotator, number)
        with _store_errors():
            state = store.state(annotator, number)
        source, target = store.tokens(number)
        return {
            "number": number,
            "group": groups[number - 1] if len(set(groups)) < len(groups) else None,
            "source": source,
            "target": target,
            "start": store.start(number).to_pharaoh(short=True),
            "links": state.gold().to_pharaoh(short=True),
            "version": state.version,
            "done": state.done,
            "seconds": state.seconds,
            "undo": [_step(step) for step in state.undo],
            "redo": [_step(step) for step in state.redo],
            "tokens": state.tokens[-_TOKENS:],
        }

    @router.post("/api/annotate/{annotator}/pairs/{number}/changes", tags=["annotate"])
    def change(annotator: Person, number: Number, sent: SentChange) -> Saved:
        """Save a change; it is on disk when the response arrives."""
        if sent.project != store.project:
            raise Problem(412, "this server has other pairs than the page; restart it with the same file of pairs")
        check(annotator, number)
        with _store_errors():
            state = store.record(annotator, number, Change(sent.kind, sent.token, sent.cells, sent.base, sent.seconds))
        return Saved(
            links=state.gold().to_pharaoh(short=True),
            version=state.version,
            done=state.done,
            seconds=state.seconds,
            undo=len(state.undo),
            redo=len(state.redo),
        )

    return router


def _step(step: Sequence[tuple[tuple[int, int], Mark, Mark]]) -> list[list[int | str]]:
    return [[i, j, old, new] for (i, j), old, new in step]


@contextmanager
def _store_errors() -> Iterator[None]:
    try:
        with store_errors():
            yield
    except StaleError as error:
        raise Problem(409, str(error)) from error
