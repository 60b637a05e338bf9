"""Separate tables that say which document each segment belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.corpora.tables import parse_tsv
from paragauge.errors import DataError
from paragauge.io import PathLike, read_bytes


def read_documents(path: PathLike, segments: Sequence[str], *, encoding: str = "utf-8") -> list[str]:
    """Return the document of each of *segments*, from TSV with the columns ``segment`` and ``document``.

    Raises:
        DataError: A column is missing, or a segment has no document.
    """
    table = parse_tsv(read_bytes(path), path, encoding)
    names, documents = table.filled_column("segment"), table.filled_column("document")
    if names is None or documents is None:
        raise DataError("a column is missing; expected segment and document", path=table.path, line=1)
    document_of = dict(zip(names, documents, strict=True))
    for segment in segments:
        if segment not in document_of:
            raise DataError(f"there is no document for segment {segment!r}; add a row for it", path=table.path)
    return [document_of[segment] for segment in segments]
