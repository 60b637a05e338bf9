"""Pages rendered from templates; every inserted text is escaped."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from paragauge import __version__


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("paragauge.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(request: Request, template: str, **context: Any) -> HTMLResponse:
    """Return the page rendered from *template* with *context*; it extends ``base.html``."""
    text = (
        _environment()
        .get_template(template)
        .render(areas=request.app.state.areas, here=request.url.path, version=__version__, **context)
    )
    return HTMLResponse(text)
