"""The input of every sentence metric: candidates, with references, originals, or both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from paragauge.errors import DataError


@dataclass(frozen=True, slots=True)
class Segments:
    """Candidates of one system, segment by segment, with the texts they are compared with.

    Attributes:
        candidates: Text of each segment.
        references: References of each segment, in any number; ``None`` if no segment has references.
        originals: Sentence that each candidate paraphrases, or ``None``.
    """

    candidates: tuple[str, ...]
    references: tuple[tuple[str, ...], ...] | None = None
    originals: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        candidates: Iterable[str],
        references: Iterable[str | Iterable[str]] | None = None,
        originals: Iterable[str] | None = None,
    ) -> Segments:
        """Return checked segments.

        ``references[i]`` belongs to ``candidates[i]``: one string, or a sequence of strings. Empty references
        are left out if the segment has others, as in sacreBLEU; a segment with only empty references keeps one,
        which matches nothing.

        Raises:
            DataError: Lengths differ, or the references are transposed.
        """
        texts = _texts("candidates", candidates)
        if not texts:
            raise DataError("there are no candidates to score; expected at least one segment")
        groups = None
        if references is not None:
            if isinstance(references, str):
                raise DataError("references is one string; expected one item for each candidate")
            given = list(references)
            _check_lengths(texts, given)
            groups = tuple(_references_of(i, item) for i, item in enumerate(given, start=1))
        sources = None
        if originals is not None:
            sources = _texts("originals", originals)
            if len(sources) != len(texts):
                raise unequal_lengths("candidates", len(texts), "originals", len(sources))
        return cls(texts, groups, sources)

    @classmethod
    def single(
        cls, candidate: str, references: str | Iterable[str] | None = None, original: str | None = None
    ) -> Segments:
        """Return one checked segment: `of` for calls in a loop, which give plain strings."""
        if type(candidate) is str and (original is None or type(original) is str):
            originals = None if original is None else (original,)
            if references is None or type(references) is str:
                return cls((candidate,), None if references is None else ((references,),), originals)
            return cls((candidate,), (_references_of(1, references),), originals)
        groups = None if references is None else [references]
        return cls.of([candidate], groups, None if original is None else [original])

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
        """Return the number of references per segment, or ``var`` if it varies (nrefs in signatures)."""
        counts = {len(refs) for refs in self.references or ()}
        return str(counts.pop()) if len(counts) == 1 else "var" if counts else "0"


@dataclass(frozen=True, slots=True)
class Pairs:
    """Candidates and other texts; each candidate is compared with each other text."""

    candidates: tuple[str, ...]
    others: tuple[str, ...]

    @classmethod
    def of(cls, candidates: Iterable[str], others: Iterable[str]) -> Pairs:
        """Return checked texts, at least one on each side."""
        pairs = cls(_texts("candidates", candidates), _texts("others", others))
        if not pairs.candidates or not pairs.others:
            raise DataError("pairwise scores need at least one candidate and one text to compare it with")
        return pairs


def unequal_lengths(one: str, one_length: int, other: str, other_length: int) -> DataError:
    """Return the error for two parallel sequences of unequal length."""
    return DataError(
        f"parallel texts differ in length: {one} has {one_length:,}, {other} has {other_length:,} segments; "
        f"the first segment without a partner is {min(one_length, other_length) + 1:,}"
    )


def _texts(name: str, items: Iterable[str]) -> tuple[str, ...]:
    if isinstance(items, str):
        raise DataError(f"{name} is one string, expected a sequence of strings; for one sentence pass [text]")
    texts = tuple(items)
    for i, item in enumerate(texts, start=1):
        if not isinstance(item, str):
            raise DataError(f"{name}: segment {i} is {type(item).__name__}, expected a string")
    return texts


def _check_lengths(candidates: Sequence[str], references: Sequence[str | Iterable[str]]) -> None:
    if len(references) == len(candidates):
        return
    lengths = [len(item) for item in references if isinstance(item, Collection) and not isinstance(item, str)]
    if lengths == [len(candidates)] * len(references):
        raise DataError(
            f"references look transposed: found {len(references)} lists of {len(candidates)} strings, expected "
            f"one list of references for each of the {len(candidates)} candidates; transpose them "
            "with list(zip(*references))"
        )
    raise unequal_lengths("candidates", len(candidates), "references", len(references))


def _references_of(segment: int, item: str | Iterable[str]) -> tuple[str, ...]:
    if isinstance(item, str):
        return (item,)
    if not isinstance(item, Iterable):
        raise DataError(f"references of segment {segment} are {type(item).__name__}, expected one string or several")
    texts = tuple(item)
    for text in texts:
        if not isinstance(text, str):
            raise DataError(f"a reference of segment {segment} is {type(text).__name__}, expected a string")
    if not texts:
        raise DataError(f"segment {segment} has no reference; expected at least one")
    return tuple(text for text in texts if text.strip()) or ("",)
