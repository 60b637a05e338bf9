"""An area of the workbench: its routes, and its entry in the navigation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI


@dataclass(frozen=True, slots=True)
class Area:
    """What the application factory mounts.

    Attributes:
        title: Its entry in the navigation.
        path: Its first page, as in ``/compare``.
        router: Its pages and its part of the API.
        lifespan: What to open before the first request and to close after the last, if anything.
    """

    title: str
    path: str
    router: APIRouter
    lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]] | None = None
