"""An area of the workbench: its routes, and its entry in the navigation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI


@dataclass(frozen=True, slots=True)
class Area:
    """An area for the application factory to mount.

    Attributes:
        title: Entry in the navigation.
        path: First page, such as ``/compare``.
        router: Pages of the area and its part of the API.
        lifespan: Resources to open before the first request and close after the last, if any.
    """

    title: str
    path: str
    router: APIRouter
    lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]] | None = None
