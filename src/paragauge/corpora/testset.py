"""A test set: segments, the output of systems for them, and the texts to compare it with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from paragauge.corpora.lines import shown
from paragauge.corpora.segments import Segments, unequal_lengths
from paragauge.errors import DataError, unknown_name

Texts: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSet:
    """Segments with their originals, references and candidates; every column has one text per segment.

    Columns are stored as tuples, whatever sequence type they were given as.

    Attributes:
        ids: Unique names of the segments.
        candidates: Texts of each system, by name.
        references: Texts of each reference, by name (a translator, or ``"1"``, ``"2"``, …). An empty
            text means that the segment lacks this reference, so segments can have different numbers of references.
        originals: Sentences that were translated or paraphrased.
        documents: Document of each segment.
        name: Name of the test set.
        source_language: Language of the originals.
        target_language: Language of references and candidates.

    >>> testset = TestSet(ids=["1"], references={"1": ["a house"]}, candidates={"moses": ["the house"]})
    >>> testset.segments("moses")
    Segments(candidates=('the house',), references=(('a house',),), originals=None)
    """

    __test__: ClassVar[bool] = False  # pytest would take it for a class of tests

    ids: Sequence[str]
    candidates: Mapping[str, Sequence[str]] = field(default_factory=dict)
    references: Mapping[str, Sequence[str]] = field(default_factory=dict)
    originals: Sequence[str] | None = None
    documents: Sequence[str] | None = None
    name: str | None = None
    source_language: str | None = None
    target_language: str | None = None

    def __post_init__(self) -> None:
        for what in ("name", "source_language", "target_language"):
            value = getattr(self, what)
            if value is not None:
                _check_filled(what, [value])
        self._store("ids", _checked_ids(self.ids))
        if self.documents is not None:
            self._store("documents", self._column("documents", self.documents))
            _check_filled("documents", self.documents)
        if self.originals is not None:
            self._store("originals", self._column("originals", self.originals))
        self._store("references", self._columns("reference", self.references))
        self._store("candidates", self._columns("candidate", self.candidates))
        if self.originals is None and not self.references and not self.candidates:
            raise DataError("the test set has no texts; expected originals, references or candidates")

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def systems(self) -> Texts:
        """The names of the systems, in their order."""
        return tuple(self.candidates)

    def segments(self, system: str) -> Segments:
        """Return what a metric needs to score *system*.

        Raises:
            DataError: The test set has no candidates at all.
            OptionError: It has no such system; the message lists the systems.
        """
        if not self.candidates:
            raise DataError("the test set has no candidates to score; add the output of a system")
        if system not in self.candidates:
            raise unknown_name("system", system, self.candidates)
        references = list(zip(*self.references.values(), strict=True)) if self.references else None
        return Segments.of(self.candidates[system], references, self.originals)

    def _store(self, attribute: str, value: object) -> None:
        object.__setattr__(self, attribute, value)

    def _column(self, what: str, texts: Sequence[str]) -> Texts:
        checked = _checked_texts(what, texts)
        if len(checked) != len(self.ids):
            raise unequal_lengths("ids", len(self.ids), what, len(checked))
        return checked

    def _columns(self, kind: str, columns: Mapping[str, Sequence[str]]) -> dict[str, Texts]:
        if not isinstance(columns, Mapping):
            raise DataError(
                f"{kind}s is {type(columns).__name__}, expected a mapping from names to texts, "
                "as in {'name': ['text of segment 1', …]}"
            )
        _check_filled(f"{kind} names", columns)
        _check_one_line(f"{kind} names", columns)
        return {name: self._column(f"{kind} {shown(name)}", texts) for name, texts in columns.items()}


def _check_one_line(what: str, names: Iterable[str]) -> None:
    """Raise a `DataError` for a name that tables could not hold as it is."""
    for name in names:
        if "\t" in name or len(name.splitlines()) > 1 or name != name.rstrip("\r\n"):
            raise DataError(f"{what}: {name!r} contains a tab or a line end, which tables cannot hold; rename it")


def _checked_texts(what: str, texts: Sequence[object]) -> Texts:
    if isinstance(texts, str):
        raise DataError(f"{what} is one string, expected a sequence of strings; for one segment pass [text]")
    checked = []
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise DataError(f"{what}: segment {number} is {type(text).__name__}, expected a string")
        checked.append(text)
    return tuple(checked)


def _checked_ids(ids: Sequence[str]) -> Texts:
    checked = _checked_texts("ids", ids)
    if not checked:
        raise DataError("the test set is empty; expected at least one segment")
    _check_filled("ids", checked)
    seen: dict[str, int] = {}
    for number, name in enumerate(checked, start=1):
        if name in seen:
            raise DataError(f"segments {seen[name]} and {number} have the same id {shown(name)}, expected each id once")
        seen[name] = number
    return checked


def _check_filled(what: str, names: Iterable[object]) -> None:
    for number, name in enumerate(names, start=1):
        if not isinstance(name, str) or not name:
            raise DataError(f"{what}: item {number} is {name!r}, expected a string that is not empty")


def line_ids(count: int) -> Texts:
    """Return ids for segments that have none: ``"1"``, ``"2"``, …"""
    return tuple(str(number) for number in range(1, count + 1))


def merge_testsets(parts: Sequence[TestSet]) -> TestSet:
    """Return one test set merged from parts, such as the separate NIST SGML files of source, references and systems.

    The parts must have the same segment ids, in any order; the first part determines the order.

    Raises:
        DataError: Ids differ, or two parts contradict each other or have a column of the same name.
    """
    if not parts:
        raise DataError("there are no test sets to merge, expected at least one")
    first = parts[0]
    rows = [_row_order(first, part, number) for number, part in enumerate(parts, start=1)]
    merged: dict[str, object] = {"ids": first.ids}
    for what in ("name", "source_language", "target_language"):
        merged[what] = _agreed(what, [getattr(part, what) for part in parts])
    for what in ("documents", "originals"):
        columns = [getattr(part, what) for part in parts]
        merged[what] = _agreed(what, [_picked(column, order) for column, order in zip(columns, rows, strict=True)])
    for what in ("references", "candidates"):
        merged[what] = _united(what, [getattr(part, what) for part in parts], rows)
    return TestSet(**merged)  # type: ignore[arg-type]


def _row_order(first: TestSet, part: TestSet, number: int) -> list[int]:
    rows = {name: row for row, name in enumerate(part.ids)}
    for name in first.ids:
        if name not in rows:
            raise DataError(f"part {number} of the test set lacks the segment {shown(name)}, which part 1 has")
    if len(rows) > len(first):
        known = set(first.ids)
        extra = next(name for name in part.ids if name not in known)
        raise DataError(f"part {number} of the test set has the segment {shown(extra)}, which part 1 lacks")
    return [rows[name] for name in first.ids]


def _picked(column: Sequence[str] | None, order: Sequence[int]) -> Texts | None:
    return None if column is None else tuple(column[row] for row in order)


def _agreed(what: str, values: Sequence[str | Texts | None]) -> str | Texts | None:
    known = [value for value in values if value is not None]
    for value in known[1:]:
        if value != known[0]:
            found = f": {known[0]!r} and {value!r}" if isinstance(value, str) else ""
            raise DataError(f"parts of the test set differ in {what}{found}; check that they belong to one test set")
    return known[0] if known else None


def _united(what: str, columns: Sequence[Mapping[str, Sequence[str]]], rows: Sequence[Sequence[int]]) -> object:
    united: dict[str, Texts | None] = {}
    for part, order in zip(columns, rows, strict=True):
        for name, texts in part.items():
            if name in united:
                raise DataError(f"two parts of the test set have {what} named {shown(name)}; rename one")
            united[name] = _picked(texts, order)
    return united
