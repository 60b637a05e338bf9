"""The browser workbench and its HTTP API. Needs the extra ``web``."""

from __future__ import annotations

from paragauge.errors import MissingExtraError


def check_extra(purpose: str) -> None:
    """Raise a `MissingExtraError` unless all packages of the extra ``web`` are installed."""
    from importlib.util import find_spec

    for package in ("fastapi", "jinja2", "uvicorn"):
        if find_spec(package) is None:
            raise MissingExtraError(purpose, package, "web")
