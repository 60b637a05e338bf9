"""What annotators and judges share: their pages and addresses, their requests, and how these fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field

from paragauge.annotation.changes import MAX_SECONDS, TOKEN
from paragauge.annotation.database import BusyError, check_annotator
from paragauge.web.area import Area
from paragauge.web.problems import Problem, problem_answers

Person = Annotated[str, InPath(max_length=64)]
Number = Annotated[int, InPath(ge=1, lt=2**31)]


class Sent(BaseModel):
    """What every change of a person's work says."""

    model_config = ConfigDict(extra="forbid", strict=True)

    project: str = Field(max_length=64, description="The project that the page belongs to.")
    token: str = Field(
        pattern=TOKEN.pattern, description="Unique name of the change; the same change sent again has the same token."
    )
    seconds: float = Field(0.0, ge=0, le=MAX_SECONDS, allow_inf_nan=False)


def person_address(root: str, name: str) -> str:
    """Return the address of a person's page."""
    return f"/{root}/{quote(name)}"


def person_areas(root: str, verb: str, names: Sequence[str], router: APIRouter) -> list[Area]:
    """Return the areas of a server on which people work: a page for each, and one on the progress of all.

    Raises:
        OptionError: A name cannot be one.
    """
    for name in names:
        check_annotator(name)
    pages = [(f"{verb} as {name}" if len(names) > 1 else verb, person_address(root, name)) for name in names]
    return [*(Area(title, address, APIRouter()) for title, address in pages), Area("Progress", f"/{root}", router)]


def check_work(person: str, names: Sequence[str], role: str, number: int, count: int, noun: str) -> None:
    """Check that *person* is one of *names*, and that there is a *noun* of that *number*.

    Raises:
        Problem: There is no such person or item.
    """
    if person not in names:
        raise Problem(404, f"there is no {role} {person!r}; start the server with --annotator {person!r}")
    if number > count:
        raise Problem(404, f"there is no {noun} {number}; {noun}s are numbered from 1 to {count}")


def work_problems(
    role: str, noun: str, change: str, more: dict[int, str] | None = None
) -> dict[int | str, dict[str, Any]]:
    """Return how requests about people's work fail, for the description of the API."""
    return problem_answers(
        {
            400: "The request is not valid JSON.",
            403: "The request comes from a page of another site.",
            404: f"There is no such {role} or {noun}.",
            412: "The page belongs to another project.",
            413: "The request is too large.",
            421: "The request uses a host name that the server does not accept.",
            422: f"The request is invalid, or invalid for this {noun}.",
            503: f"The file cannot be written at the moment; send the same {change} again.",
            **(more or {}),
        }
    )


@contextmanager
def store_errors() -> Iterator[None]:
    """Answer that the file is busy instead of failing."""
    try:
        yield
    except BusyError as error:
        raise Problem(503, str(error)) from error
