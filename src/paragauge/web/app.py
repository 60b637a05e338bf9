"""The application: areas, static files and security combined."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles

from paragauge import __version__
from paragauge.web.area import Area
from paragauge.web.problems import add_problem_handlers
from paragauge.web.security import Guard, Security

_PACKAGE = Path(__file__).parent
STATIC = {"/static/report": _PACKAGE.parent / "report" / "static", "/static": _PACKAGE / "static"}


def create_app(areas: Sequence[Area], guard: Guard | None = None) -> FastAPI:
    """Return the application that serves *areas*, in the order of the navigation.

    Pages find the areas in ``app.state.areas``. The first page is that of the first area.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for area in areas:
                if area.lifespan is not None:
                    await stack.enter_async_context(area.lifespan(app))
            yield

    app = FastAPI(
        title="paragauge",
        version=__version__,
        summary="Automatic evaluation of paraphrases, translations and paraphrase collections",
        docs_url=None,  # those pages load scripts from other sites; web/api_page.py does not
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.areas = tuple(areas)
    add_problem_handlers(app)
    app.add_middleware(Security, guard=guard or Guard())
    for area in areas:
        app.include_router(area.router)
    for path, folder in STATIC.items():
        app.mount(path, StaticFiles(directory=folder), name=path)
    if all(area.path != "/" for area in areas):

        @app.get("/", include_in_schema=False)
        async def first_page() -> RedirectResponse:
            return RedirectResponse(areas[0].path, 307)

    return app
