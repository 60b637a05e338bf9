"""Errors of the API as problem details (RFC 9457), with a status below 500 if the request is at fault.

Raise a `Problem`, or let an error of paragauge propagate: invalid data and options give status 422.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException as StarletteHTTPException

from paragauge.errors import ParagaugeError

MEDIA_TYPE = "application/problem+json"


class ProblemAnswer(BaseModel):
    """Problem details (RFC 9457)."""

    title: str
    status: int
    detail: str
    errors: list[dict[str, Any]] | None = None


def problem_answers(texts: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """Return the descriptions of the problems that a route may respond with: *texts* by status."""
    content = {MEDIA_TYPE: {"schema": ProblemAnswer.model_json_schema()}}
    return {status: {"description": text, "content": content} for status, text in texts.items()}


class Problem(HTTPException):
    """A failed request: a status, and what to do about it."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, detail, headers)


def problem_dict(status: int, detail: str, **more: Any) -> dict[str, Any]:
    """Return the body of a problem."""
    return {"title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}


def problem_response(status: int, detail: str, headers: dict[str, str] | None = None, **more: Any) -> Response:
    """Return a problem as a response."""
    return JSONResponse(problem_dict(status, detail, **more), status, headers, MEDIA_TYPE)


def add_problem_handlers(app: FastAPI) -> None:
    """Turn every error of *app* into a problem."""
    app.add_exception_handler(StarletteHTTPException, _http)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(ParagaugeError, _paragauge)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)  # noqa: S101, so it was registered
    return problem_response(error.status_code, error.detail, dict(error.headers or {}) or None)


async def _validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101, so it was registered
    # The invalid input is left out: it may be megabytes, or not JSON at all.
    errors = [{"place": [str(each) for each in one["loc"]], "message": one["msg"]} for one in error.errors()[:20]]
    first = errors[0] if errors else {"place": [], "message": "the request is invalid"}
    return problem_response(422, f"{'.'.join(first['place'])}: {first['message']}", errors=errors)


async def _paragauge(request: Request, error: Exception) -> Response:
    return problem_response(422, str(error))
