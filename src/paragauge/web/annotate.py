"""Pages and requests for annotators: a grid of two sentences whose changes are saved immediately."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from paragauge.align.annotated import write_aligned_pairs
from paragauge.align.gold import write_gold
from paragauge.annotation.changes import MAX_CELLS, MAX_SECONDS, TOKEN, Change, Kind, Mark
from paragauge.annotation.store import AnnotationStore, BusyError, StaleError, check_annotator
from paragauge.temporary import scratch_folder
from paragauge.web.area import Area
from paragauge.web.pages import page
from paragauge.web.problems import Problem, problem_answers

_PROBLEMS = problem_answers(
    {
        400: "The request is not valid JSON.",
        403: "The request comes from a page of another site.",
        404: "There is no such annotator or pair.",
        409: "The links have changed in the meantime, so nothing was undone or redone.",
        412: "The page belongs to another project.",
        413: "The request is too large.",
        421: "The request uses a host name that the server does not accept.",
        422: "The request is invalid, or invalid for this pair.",
        503: "The file cannot be written at the moment; send the same change again.",
    }
)

_TOKENS = 200  # number of recent changes by which the page sees what has arrived

Annotator = Annotated[str, InPath(max_length=64)]
Number = Annotated[int, InPath(ge=1, lt=2**31)]


class SentChange(BaseModel):
    """A change as sent by the page."""

    model_config = ConfigDict(extra="forbid", strict=True)

    project: str = Field(max_length=64, description="The project that the page belongs to.")
    kind: Kind
    token: str = Field(
        pattern=TOKEN.pattern, description="Unique name of the change; the same change sent again has the same token."
    )
    cells: str = Field(
        "", max_length=16 * MAX_CELLS, description="Cells of 'set': 0-1 sure, 0p1 possible, 0x1 no link."
    )
    base: int | None = Field(None, ge=0, description="For 'undo' and 'redo': the version that the annotator saw.")
    seconds: float = Field(0.0, ge=0, le=MAX_SECONDS, allow_inf_nan=False)


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
    for name in annotators:
        check_annotator(name)
    pages = [(f"Annotate as {name}" if len(annotators) > 1 else "Annotate", _address(name)) for name in annotators]
    areas = [Area(title, address, APIRouter()) for title, address in pages]
    return [*areas, Area("Progress", "/annotate", _router(store, tuple(annotators)))]


def _address(annotator: str) -> str:
    return f"/annotate/{quote(annotator)}"


def _router(store: AnnotationStore, annotators: tuple[str, ...]) -> APIRouter:
    router = APIRouter(responses=_PROBLEMS)
    groups = store.pairs.group_names()

    def check(annotator: str, number: int = 1) -> None:
        if annotator not in annotators:
            raise Problem(404, f"there is no annotator {annotator!r}; start the server with --annotator {annotator!r}")
        if number > len(store):
            raise Problem(404, f"there is no pair {number}; pairs are numbered from 1 to {len(store)}")

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
    def grid_page(request: Request, annotator: Annotator) -> HTMLResponse:
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
    def progress(annotator: Annotator) -> dict[str, Any]:
        """The progress of the annotator."""
        check(annotator)
        with _store_errors():
            found = store.progress(annotator)
            finished = store.finished(annotator)
        each = found.seconds_per_pair if found.done else None
        return {"pairs": found.pairs, "finished": finished, "seconds": found.seconds, "seconds_per_pair": each}

    @router.get("/api/annotate/{annotator}/export", tags=["annotate"], response_class=PlainTextResponse)
    def export(annotator: Annotator, to: Literal["pharaoh", "parametric"] = "pharaoh") -> PlainTextResponse:
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
    def pair(annotator: Annotator, number: Number) -> dict[str, Any]:
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
    def change(annotator: Annotator, number: Number, sent: SentChange) -> Saved:
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
        yield
    except StaleError as error:
        raise Problem(409, str(error)) from error
    except BusyError as error:
        raise Problem(503, str(error)) from error
