"""The input of every sentence metric: candidates, with references, originals, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.errors import DataError


@dataclass(frozen=True, slots=True)
class Segments:
    """Candidates of one system, segment by segment, with what they are judged by.

    Attributes:
        candidates: One text per segment.
        references: The references of each segment, any number of them; ``None`` if there are none at all.
        originals: The sentence that each candidate paraphrases, or ``None``.
    """

    candidates: tuple[str, ...]
    references: tuple[tuple[str, ...], ...] | None = None
    originals: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        candidates: Sequence[str],
        references: Sequence[str | Sequence[str]] | None = None,
        originals: Sequence[str] | None = None,
    ) -> Segments:
        """Return checked segments.

        ``references[i]`` belongs to ``candidates[i]``: one string, or a sequence of strings. Empty references
        beside others are left out, as sacreBLEU does; a segment with none but empty ones keeps one, and
        nothing in it can match.

        Raises:
            DataError: Lengths differ, or the references are transposed.
        """
        if isinstance(candidates, str):
            raise DataError("candidates is one string, expected a sequence of strings; for one sentence pass [text]")
        _check_strings("candidates", candidates)
        if not candidates:
            raise DataError("there are no candidates to score; expected at least one segment")
        checked = None
        if references is not None:
            if isinstance(references, str):
                raise DataError("references is one string, expected one item for each candidate")
            _check_lengths(candidates, references)
            checked = tuple(_references_of(i, item) for i, item in enumerate(references, start=1))
        if originals is not None:
            if isinstance(originals, str):
                raise DataError("originals is one string, expected one for each candidate")
            _check_strings("originals", originals)
            if len(originals) != len(candidates):
                raise unequal_lengths("candidates", len(candidates), "originals", len(originals))
        return cls(tuple(candidates), checked, None if originals is None else tuple(originals))

    def __len__(self) -> int:
        return len(self.candidates)

    def part(self, start: int, stop: int) -> Segments:
        """Return the segments from *start* up to *stop*."""
        return Segments(
            self.candidates[start:stop],
            None if self.references is None else self.references[start:stop],
            None if self.originals is None else self.originals[start:stop],
        )

    def reference_count(self) -> str:
        """Return how many references each segment has, ``var`` if that differs: what signatures call nrefs."""
        counts = {len(refs) for refs in self.references or ()}
        return str(counts.pop()) if len(counts) == 1 else "var" if counts else "0"


def unequal_lengths(one: str, one_length: int, other: str, other_length: int) -> DataError:
    """Return the error for two parallel things of unequal length."""
    return DataError(
        f"parallel texts differ in length: {one} has {one_length:,}, {other} has {other_length:,} segments; "
        f"the first segment without a partner is {min(one_length, other_length) + 1:,}"
    )


def _check_strings(name: str, items: Sequence[object]) -> None:
    for i, item in enumerate(items, start=1):
        if not isinstance(item, str):
            raise DataError(f"{name}: segment {i} is {type(item).__name__}, expected a string")


def _check_lengths(candidates: Sequence[str], references: Sequence[str | Sequence[str]]) -> None:
    if len(references) == len(candidates):
        return
    if all(not isinstance(item, str) and len(item) == len(candidates) for item in references):
        raise DataError(
            f"references look transposed: found {len(references)} lists of {len(candidates)} strings, expected "
            f"one list of references for each of the {len(candidates)} candidates; turn them with "
            "list(zip(*references))"
        )
    raise unequal_lengths("candidates", len(candidates), "references", len(references))


def _references_of(segment: int, item: str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(item, str):
        return (item,)
    if not item:
        raise DataError(f"segment {segment} has no reference; expected at least one")
    _check_strings(f"references of segment {segment}", item)
    filled = tuple(text for text in item if text.strip())
    return filled or ("",)
