"""Texts to score that stay in files, because they are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.corpora.segments import Segments
from paragauge.io import PathLike


@dataclass(frozen=True, slots=True)
class CandidateFiles:
    """The candidates of a system and what they are compared with, as paths of text; on a cluster, also of Parquet.

    Attributes:
        candidates: Texts to score; in Parquet, the column ``candidate``.
        references: Files of references; in Parquet, the columns ``reference``, ``reference2`` and so on, by position.
        original: Sentences that the candidates paraphrase; in Parquet, the column ``original``.
        encoding: Encoding of the text.
    """

    candidates: PathLike
    references: Sequence[PathLike] = ()
    original: PathLike | None = None
    encoding: str = "utf-8"

    @property
    def shape(self) -> tuple[int, bool]:
        """The number of references, and whether there are originals."""
        return len(self.references), self.original is not None

    @property
    def paths(self) -> list[PathLike]:
        """All paths: candidates, references, originals."""
        return [self.candidates, *self.references, *([] if self.original is None else [self.original])]

    def example(self) -> Segments:
        """Return a segment without text that has as many kinds of text as these files."""
        return Segments(("",), (("",),) if self.references else None, None if self.original is None else ("",))


def parallel_segments(texts: Sequence[Sequence[str]], shape: tuple[int, bool]) -> Segments:
    """Return the segments of *texts*: candidates, references and originals, in this order."""
    references, original = shape
    candidates, *others = texts
    groups = list(zip(*others[:references], strict=True)) if references else None
    return Segments.of(candidates, groups, others[references] if original else None)
