"""The base classes of metrics, scores, and the option checks that all metrics share.

A metric is a frozen dataclass whose fields are its options. It turns its input into one row of *statistics* per
segment (or, for a resource, per item of the gold standard), and the sum of any selection of rows into a
*measurement*. Since only the rows are needed, intervals and significance tests work for every metric without matching
anything again.
"""

from __future__ import annotations

import itertools
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeAlias, TypeVar

from paragauge.corpora.segments import Pairs, Segments
from paragauge.errors import DataError, OptionError
from paragauge.metrics.signature import Signature
from paragauge.metrics.suitability import warn_of_pairs, warn_of_segments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.metrics.explanation import Explanation
    from paragauge.text import TextPipeline

Statistics: TypeAlias = "NDArray[np.int64] | NDArray[np.float64]"
Need: TypeAlias = Literal["references", "originals"]

FIRST_BLOCK = 16  # segments before the first update of a progress bar
FIRST_PAIRS = 2000  # pairs, likewise
MOST_WORDS = 2_000_000  # in a text
MOST_LETTERS = 1_000_000  # in a word

Resource = TypeVar("Resource", contravariant=True)
Gold = TypeVar("Gold", contravariant=True)


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of a score."""

    low: float
    high: float
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class Measurement:
    """A value and the components it is computed from."""

    value: float
    components: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Score:
    """A measurement with everything needed to reproduce it.

    Components can be read as attributes: ``score.brevity_penalty`` is ``score.components["brevity_penalty"]``.
    """

    metric: str
    value: float
    signature: Signature
    components: Mapping[str, float] = field(default_factory=dict, hash=False)
    interval: Interval | None = None

    def __getattr__(self, name: str) -> float:
        components: Mapping[str, float] = self.__dict__.get("components", {})
        if name in components:
            return components[name]
        raise AttributeError(f"score of {self.__dict__.get('metric')} has no {name!r}; known: {', '.join(components)}")

    def __str__(self) -> str:
        interval = "" if self.interval is None else f"  [{self.interval.low:.4f}, {self.interval.high:.4f}]"
        return f"{self.metric}  {self.value:.4f}{interval}  {self.signature}"

    def to_dict(self) -> dict[str, Any]:
        """Return the score as plain data, ready for JSON."""
        interval = None
        if self.interval is not None:
            interval = {"low": self.interval.low, "high": self.interval.high, "level": self.interval.level}
        return {
            "metric": self.metric,
            "score": self.value,
            "components": dict(self.components),
            "interval": interval,
            "signature": str(self.signature),
        }


@lru_cache(maxsize=1)
def package_version() -> str:
    """Return the version used in signatures."""
    from paragauge import __version__

    return __version__


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """What both kinds of metric share: a name, a citation, options, a formula."""

    name: ClassVar[str]
    summary: ClassVar[str]
    citation: ClassVar[str]
    scale: ClassVar[str]
    better: ClassVar[Literal["higher", "lower"]] = "higher"
    resource_keys: ClassVar[tuple[str, ...]] = ()  # signature items that are digests of resources

    @abstractmethod
    def measure(self, totals: Sequence[float]) -> Measurement:
        """Return the measurement for summed statistics: the formula of the metric, defined only here."""

    @abstractmethod
    def signature_items(self) -> Mapping[str, object]:
        """Return the options that can change the score, in the order they are printed."""

    def measure_rows(self, rows: Statistics) -> Measurement:
        """Return the measurement of all *rows* together."""
        return self.measure(sum_rows(rows))

    def __getstate__(self) -> dict[str, Any]:
        # What an instance keeps beside its options (an open model, a pipeline) is made again where it is needed.
        return {option.name: getattr(self, option.name) for option in fields(self)}

    def options(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        values = {option.name: getattr(self, option.name) for option in fields(self)}
        defaults = {option.name: option.default for option in fields(self)}
        return {name: value for name, value in values.items() if value != defaults[name]}

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options().items())
        return f"{self.name}({options})" if options else self.name


def _nothing(count: int) -> None:
    """Receive progress that nobody wants to see."""


def _stacked(blocks: Sequence[Statistics]) -> Statistics:
    """Return all blocks as one; metrics with columns per reference may have fewer columns in some blocks."""
    import numpy as np

    width = max(block.shape[1] for block in blocks)
    padded = [np.pad(block, ((0, 0), (0, width - block.shape[1]))) for block in blocks]
    return np.concatenate(padded)  # type: ignore[return-value]  # NumPy loses the common type of the blocks


def sum_rows(rows: Statistics) -> list[float]:
    """Return the sum of each column, exact to the last digit whatever the order of the rows."""
    if rows.dtype.kind in "iu":
        totals: list[float] = rows.sum(axis=0).tolist()
        return totals
    return [math.fsum(column) for column in rows.T.tolist()]


def exact_terms(values: Iterable[float]) -> Iterator[float]:
    """Yield a few numbers whose sum is exactly that of *values*.

    >>> list(exact_terms([1e16, 1.0, 1.0, -1e16]))
    [2.0]
    >>> list(exact_terms([1e16, 1.0]))
    [1e+16, 1.0]
    """
    rest = list(values)
    while (total := math.fsum(rest)) != 0:
        yield total
        if not math.isfinite(total):
            return
        rest.append(-total)


class ExactSums:
    """Sums of the columns of rows that come in blocks, exact to the last digit whatever the blocks."""

    def __init__(self) -> None:
        self._terms: list[list[float]] = []

    def add_rows(self, rows: Statistics) -> None:
        """Add *rows*; a block may have fewer columns than others."""
        if rows.dtype.kind in "iu":
            self.add(sum_rows(rows))
        else:
            self._add(rows.T.tolist())

    def add(self, totals: Sequence[float]) -> None:
        """Add one sum for each column."""
        self._add([[total] for total in totals])

    def _add(self, columns: Sequence[Sequence[float]]) -> None:
        pairs = itertools.zip_longest(self._terms, columns, fillvalue=())
        self._terms = [_few_terms([*known, *new]) for known, new in pairs]

    def totals(self) -> list[float]:
        """Return the sum of each column."""
        return [terms[0] if len(terms) == 1 else math.fsum(terms) for terms in self._terms]


def _few_terms(values: list[float]) -> list[float]:
    if all(isinstance(value, int) for value in values):
        return [sum(values)]
    return list(exact_terms(values)) or [0.0]


@dataclass(frozen=True, kw_only=True)
class SentenceMetric(Metric):
    """A metric that scores candidates, such as PEM, MAXSIM, ParaEval or BLEU.

    Subclasses define ``needs``, `statistics`, `measure` and `signature_items`.
    """

    needs: ClassVar[frozenset[Need]]
    segmentwise: ClassVar[bool] = True  # a row depends on its own segment only
    in_python: ClassVar[bool] = False  # most of the work is done in Python, so that processes help (`helpers`)
    adds_up: ClassVar[bool] = False  # `totals` needs no rows, and gives whole numbers
    language: ClassVar[str | None] = None  # the only supported language, such as "English"
    empty_score: ClassVar[float | None] = None  # score of an empty candidate, if a warning should count them
    trained_by: ClassVar[str | None] = None  # the command that trains a model for another language

    @property
    def available(self) -> bool:
        """Return whether everything the metric needs is installed: models, other packages."""
        return True

    @property
    def expected_language(self) -> str | None:
        """The only language supported with these options and models; ``None`` for any language."""
        return self.language

    @property
    def words_of(self) -> TextPipeline | None:
        """The pipeline that splits texts into words, if the metric compares words."""
        return getattr(self, "pipeline", None)

    @abstractmethod
    def statistics(self, segments: Segments) -> Statistics:
        """Return one row of statistics for each segment."""

    def row(self, segments: Segments) -> Sequence[float]:
        """Return the row of the one segment in *segments*; metrics with a shorter way to it have their own."""
        row: list[float] = self.statistics(segments)[0].tolist()
        return row

    def totals(self, segments: Segments) -> Sequence[float]:
        """Return the sum of each column of `statistics`: all that the score of all segments together needs."""
        return sum_rows(self.statistics(segments))

    def statistics_in_blocks(self, segments: Segments, advance: Callable[[int], object]) -> Statistics:
        """Return `statistics`, calling ``advance(n)`` after each *n* segments, for progress bars."""

        from paragauge.metrics.helpers import is_worthwhile, rows_of_blocks

        if is_worthwhile(self, segments):
            self.check(segments)
            return _stacked(list(rows_of_blocks(self, segments, advance)))
        return _stacked([self.statistics(part) for part in self._parts(segments, advance)])

    def statistics_of_many(self, segments: Segments) -> Statistics:
        """Return `statistics`, computed on all cores."""
        from paragauge.metrics.helpers import is_worthwhile

        return (
            self.statistics_in_blocks(segments, _nothing)
            if is_worthwhile(self, segments)
            else self.statistics(segments)
        )

    def totals_in_blocks(self, segments: Segments, advance: Callable[[int], object]) -> Sequence[float]:
        """Return `totals`, which must be whole numbers, calling ``advance(n)`` after each *n* segments."""
        sums = [self.totals(part) for part in self._parts(segments, advance)]
        return [sum(column) for column in zip(*sums, strict=True)]

    def _parts(self, segments: Segments, advance: Callable[[int], object]) -> Iterator[Segments]:
        """Yield blocks of segments, and report each after it was worked on."""
        self.check(segments)
        start, size = 0, FIRST_BLOCK if self.segmentwise else len(segments)
        while start < len(segments):
            begun = time.perf_counter()
            part = segments.part(start, start + size)
            yield part
            advance(len(part))
            start += size
            if time.perf_counter() - begun < 0.1:  # blocks grow until the bar is updated a few times per second
                size *= 2

    def for_segments(self) -> Self:
        """Return the variant for scoring single segments, where it differs (BLEU's effective order)."""
        return self

    @property
    def segments_share_rows(self) -> bool:
        """Whether `for_segments` has the same rows, and only measures them in another way."""
        return True

    def explain(self, segments: Segments) -> Explanation:
        """Return an explanation of the score of the one segment in *segments*."""
        from paragauge.metrics.explanation import components_only

        score = self.score_segments(segments)[0]
        return components_only(segments, score)

    def check(self, segments: Segments) -> None:
        """Raise a `DataError` unless *segments* have everything this metric needs."""
        for need in self._sorted_needs:
            if getattr(segments, need) is None:
                raise DataError(f"{self.name} needs {need}, but none were given")
        check_sizes(segments)

    @cached_property
    def _sorted_needs(self) -> list[Need]:
        return sorted(self.needs)

    def check_order(self, references: object, originals: object) -> None:
        """Raise a `DataError` if a text stands where references do, and the metric knows originals only.

        It may be the candidate, after its original: a score of swapped texts looks like any other.
        """
        if references is not None and originals is None and self.needs == {"originals"}:
            raise DataError(
                f"{self.name} needs originals, but none were given; it takes no references, and the candidate comes "
                "first; pass the original by name: score(candidate, original=...)"
            )

    def signature(self, segments: Segments) -> Signature:
        """Return the signature of this metric's score for *segments*."""
        references = segments.reference_count() if "references" in self.needs else None
        if references not in self._signatures:
            items: dict[str, object] = {} if references is None else {"nrefs": references}
            items.update(self.signature_items())
            items["version"] = package_version()
            self._signatures[references] = Signature.of(self.name, items)
        return self._signatures[references]

    @cached_property
    def _signatures(self) -> dict[str | None, Signature]:
        """Signatures by the number of references: nothing else changes from call to call."""
        return {}

    @cached_property
    def _for_segments(self) -> Self:
        return self.for_segments()

    def score_corpus(self, segments: Segments, rows: Statistics | None = None) -> Score:
        """Return the score of all *segments* together; *rows* are their statistics if already computed."""
        self.check(segments)
        if rows is None:
            warn_of_segments(self, segments)
            totals = self.totals(segments) if self.adds_up else sum_rows(self.statistics_of_many(segments))
        else:
            totals = sum_rows(rows)
        return self.score_totals(segments, totals)

    def score_totals(self, segments: Segments, totals: Sequence[float]) -> Score:
        """Return the score of *segments*, whose rows of statistics add up to *totals*."""
        measurement = self.measure(totals)
        return Score(self.name, measurement.value, self.signature(segments), measurement.components)

    def score_segments(self, segments: Segments, rows: Statistics | None = None) -> list[Score]:
        """Return the score of each segment; *rows* are their statistics if already computed."""
        self.check(segments)
        if rows is None:
            warn_of_segments(self, segments)
        variant = self._for_segments
        signature = variant.signature(segments)
        if rows is None and len(segments) == 1:
            measurements = map(variant.measure, [variant.row(segments)])
        else:
            rows = variant.statistics_of_many(segments) if rows is None else rows
            measurements = map(variant.measure, rows.tolist())
        return [Score(self.name, each.value, signature, each.components) for each in measurements]

    def corpus_score(
        self,
        candidates: Iterable[str],
        references: Iterable[str | Iterable[str]] | None = None,
        *,
        originals: Iterable[str] | None = None,
    ) -> Score:
        """Return the score of a system: ``references[i]`` and ``originals[i]`` belong to ``candidates[i]``."""
        self.check_order(references, originals)
        return self.score_corpus(Segments.of(candidates, references, originals))

    def segment_scores(
        self,
        candidates: Iterable[str],
        references: Iterable[str | Iterable[str]] | None = None,
        *,
        originals: Iterable[str] | None = None,
    ) -> list[Score]:
        """Return the score of each candidate by itself."""
        self.check_order(references, originals)
        return self.score_segments(Segments.of(candidates, references, originals))

    def pairwise(
        self, candidates: Iterable[str], others: Iterable[str], advance: Callable[[int], object] = _nothing
    ) -> NDArray[np.float64]:
        """Return the score of every candidate against each of *others*, for reranking and MBR.

        *Others* are references for translation metrics and originals for paraphrase metrics. ``advance(n)`` is called
        after each *n* candidates, for progress bars.

        Returns:
            An array of shape (candidates, others).
        """
        import numpy as np

        if len(self.needs) != 1:
            raise DataError(f"{self.name} does not compare a candidate with a single text; it has no pairwise scores")
        pairs = Pairs.of(candidates, others)
        warn_of_pairs(self, pairs)
        variant = self.for_segments()
        values: list[float] = []
        start, size = 0, max(1, FIRST_PAIRS // len(pairs.others))
        while start < len(pairs.candidates):
            begun = time.perf_counter()
            part = Pairs(pairs.candidates[start : start + size], pairs.others)
            values += [variant.measure(row).value for row in variant.pairwise_statistics(part).tolist()]
            advance(len(part.candidates))
            start += size
            if time.perf_counter() - begun < 0.2:
                size *= 4  # each block reads the other texts again, so there should be few
        return np.array(values).reshape(len(pairs.candidates), len(pairs.others))

    def signature_of_pairs(self) -> Signature:
        """Return the signature of `pairwise` scores: each candidate is compared with one text at a time."""
        return self.signature(Segments(("",), (("",),), ("",)))

    def pairwise_statistics(self, pairs: Pairs) -> Statistics:
        """Return rows of statistics for each candidate and, within a candidate, for each of the others."""
        candidates = tuple(candidate for candidate in pairs.candidates for _ in pairs.others)
        others = pairs.others * len(pairs.candidates)
        if "originals" in self.needs:
            return self.statistics(Segments(candidates, None, others))
        return self.statistics(Segments(candidates, tuple((text,) for text in others)))

    def score(
        self, candidate: str, references: str | Iterable[str] | None = None, *, original: str | None = None
    ) -> Score:
        """Return the score of one candidate.

        Raises:
            DataError: Something the metric needs was not given.
        """
        self.check_order(references, original)
        return self.score_segments(Segments.single(candidate, references, original))[0]


@dataclass(frozen=True, kw_only=True)
class ResourceMetric(Metric, Generic[Resource, Gold]):
    """A metric that scores a paraphrase resource (table or grammar) against a gold standard: ParaMetric, PARADIGM."""

    @abstractmethod
    def statistics(self, resource: Resource, gold: Gold) -> Statistics:
        """Return one row of statistics for each item of *gold* (a sentence pair, a group of sentences)."""

    def digests(self, resource: Resource, gold: Gold) -> Mapping[str, str | None]:
        """Return the digests of what is compared, as signatures carry them; ``None`` where one is unknown."""
        return {}

    def signature(self, digests: Mapping[str, str | None]) -> Signature:
        """Return the signature of a score of resources with these *digests*."""
        known = {name: digest for name, digest in digests.items() if digest is not None}
        return Signature.of(self.name, {**self.signature_items(), **known, "version": package_version()})

    def evaluate(self, resource: Resource, gold: Gold) -> Score:
        """Return the score of *resource* against all of *gold*."""
        return self.score_rows(self.statistics(resource, gold), self.digests(resource, gold))

    def score_rows(self, rows: Statistics, digests: Mapping[str, str | None]) -> Score:
        """Return the score of statistics that were counted before, of resources with these *digests*."""
        measurement = self.measure_rows(rows)
        return Score(self.name, measurement.value, self.signature(digests), measurement.components)


def check_choice(metric: str, option: str, value: object, choices: Sequence[object]) -> None:
    """Raise an `OptionError` unless *value* is one of *choices*."""
    if not any(value == choice and type(value) is type(choice) for choice in choices):
        listed = ", ".join(repr(choice) for choice in choices)
        raise OptionError(f"the option {option!r} of {metric} must be one of {listed}; got {value!r}")


def check_number(
    metric: str, option: str, value: object, *, low: float, high: float = math.inf, whole: bool = False
) -> None:
    """Raise an `OptionError` unless *value* is a number from *low* to *high*."""
    kind = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
        what = "a whole number" if whole else "a number"
        limit = f"of at least {low:g}" if math.isinf(high) else f"from {low:g} to {high:g}"
        raise OptionError(f"the option {option!r} of {metric} must be {what} {limit}; got {value!r}")


def check_sizes(segments: Segments) -> None:
    """Raise a `DataError` for a text that is out of all proportion, before anything tries to split it into words."""
    texts = itertools.chain(segments.candidates, *(segments.references or ()), segments.originals or ())
    for text in texts:
        if len(text) <= MOST_LETTERS:
            continue
        words = text.split()
        longest = max(map(len, words), default=0)
        if len(words) > MOST_WORDS or longest > MOST_LETTERS:
            found = f"{len(words):,} words" if len(words) > MOST_WORDS else f"a word of {longest:,} characters"
            raise DataError(
                f"a segment has {found}, which is no segment of text; the limits are {MOST_WORDS:,} words and "
                f"{MOST_LETTERS:,} characters in a word: check the line ends and the encoding of the file"
            )


def check_lengths(metric: str, segments: Segments, units: Callable[[str], int], unit: str, limit: int) -> None:
    """Raise a `DataError` for a text of more than *limit* units, for metrics that take quadratic time."""
    references = segments.references or ((),) * len(segments)
    originals = [(text,) for text in segments.originals] if segments.originals is not None else [()] * len(segments)
    rows = zip(segments.candidates, references, originals, strict=True)
    for number, (candidate, group, original) in enumerate(rows, start=1):
        for text in (candidate, *group, *original):
            # Tokenising adds at most a space next to every character, so short texts need not be split.
            if 2 * len(text) <= limit:
                continue
            # White space is counted first: a text of millions of words is refused at once.
            count = len(text.split())
            if count <= 2 * limit:
                count = units(text)
            if count > limit:
                raise DataError(
                    f"segment {number} has a text of {count:,} {unit}; the running time of {metric} grows with "
                    f"the square of that, and the limit is {limit:,}; split the segment or use {metric}(max_length=...)"
                )
