"""Conversion of texts in any form to a test set: strings, lists, dicts of systems, columns of a frame.

Frames are recognised by their methods, so pandas, polars and Arrow need not be installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from paragauge.corpora.segments import Segments
from paragauge.corpora.testset import TestSet, line_ids
from paragauge.errors import DataError, OptionError

ONE_SYSTEM = "system"  # default name of a system

Texts: TypeAlias = "str | Iterable[str]"
Candidates: TypeAlias = "TestSet | Texts | Mapping[str, Texts]"
References: TypeAlias = "str | Iterable[str | Iterable[str]] | Mapping[str, Texts]"


def make_testset(
    candidates: Candidates,
    references: References | None = None,
    originals: Texts | None = None,
    ids: Iterable[str | int] | None = None,
) -> TestSet:
    """Return a test set of the given texts.

    Args:
        candidates: One text, the texts of one system, or a mapping or frame with the texts of each system; or a test
            set, which is returned unchanged.
        references: ``references[i]`` belongs to ``candidates[i]``: one text or several. A mapping or a frame has one
            column per reference; an empty or missing text means that the segment lacks that reference.
        originals: Sentences that the candidates paraphrase or translate.
        ids: Names of the segments; by default, ``1``, ``2`` and so on.

    Raises:
        DataError: A value is not a text, or lengths differ.
        OptionError: Other texts are given along with a test set.
    """
    if isinstance(candidates, TestSet):
        if references is not None or originals is not None or ids is not None:
            raise OptionError("a test set already includes references, originals and ids; do not pass them separately")
        return candidates
    systems = _systems(candidates)
    first = next(iter(systems.values()))
    single = isinstance(candidates, str)
    return TestSet(
        ids=line_ids(len(first)) if ids is None else [str(each) for each in ids],
        candidates=systems,
        references={} if references is None else _references(first, references, single=single),
        originals=None if originals is None else _column("originals", originals),
    )


def _systems(candidates: Any) -> dict[str, tuple[str, ...]]:
    columns = _columns(candidates)
    if columns is None:
        name = getattr(candidates, "name", None)  # columns of a frame have names
        columns = {name if isinstance(name, str) and name else ONE_SYSTEM: candidates}
    if not columns:
        raise DataError("there are no candidates to score; expected the texts of at least one system")
    systems = {str(name): _column(f"candidates of {name}", texts) for name, texts in columns.items()}
    if not next(iter(systems.values())):
        raise DataError("there are no candidates to score; expected at least one segment")
    return systems


def _references(candidates: tuple[str, ...], references: Any, *, single: bool) -> dict[str, tuple[str, ...]]:
    columns = _columns(references)
    if columns is not None:
        return {str(name): _column(f"reference {name}", texts, missing="") for name, texts in columns.items()}
    if isinstance(references, str):
        groups: Any = [references]
    elif single:
        groups = [tuple(references)]  # all references belong to the single candidate
    else:
        groups = [item if isinstance(item, str) else _column("references", item) for item in _values(references)]
    checked = Segments.of(candidates, groups).references or ()  # its messages cover common mistakes
    most = max(map(len, checked))
    padded = [(*group, *[""] * (most - len(group))) for group in checked]
    return {str(number): column for number, column in enumerate(zip(*padded, strict=True), start=1)}


def _columns(texts: Any) -> dict[Any, Any] | None:
    """Return the columns of a mapping or a frame; ``None`` for anything else."""
    if isinstance(texts, Mapping):
        return dict(texts)
    names = getattr(texts, "column_names", None)  # Arrow
    if names is None and hasattr(texts, "__getitem__"):
        names = getattr(texts, "columns", None)  # pandas, polars
    return None if names is None else {name: texts[name] for name in names}


def _column(what: str, texts: Any, missing: str | None = None) -> tuple[str, ...]:
    if isinstance(texts, str):
        return (texts,)
    if not isinstance(texts, Iterable):
        raise DataError(f"{what}: found {type(texts).__name__}, expected one text or several")
    column = []
    for number, text in enumerate(_values(texts), start=1):
        if is_missing(text):
            if missing is None:
                raise DataError(f"{what}: segment {number} is missing ({text!r}); fill in or drop such rows")
            text = missing
        if not isinstance(text, str):
            raise DataError(f"{what}: segment {number} is {type(text).__name__}, expected a string")
        column.append(str(text))
    return tuple(column)


def _values(texts: Any) -> Iterable[Any]:
    values: Iterable[Any] = texts.to_pylist() if hasattr(texts, "to_pylist") else texts  # Arrow has its own value types
    return values


def is_missing(value: Any) -> bool:
    """Return whether *value* is a frame's marker for a missing value."""
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"
