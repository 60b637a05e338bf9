"""Why chrF gives a candidate its score: the runs of characters that it shares with its reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from paragauge.corpora.segments import Segments
from paragauge.metrics.explanation import (
    Detail,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Part,
    Step,
    best_label,
    calculation,
    mean_of,
    number,
    original_of,
    percent,
    quoted,
)

if TYPE_CHECKING:
    from paragauge.metrics.chrf import Chrf

MOST_NGRAMS = 12  # of each kind and order
_SOME = 3  # characters: shorter runs are shared by chance


def explain_chrf(metric: Chrf, segments: Segments) -> Explanation:
    """Return why the one candidate in *segments* scores what it does."""
    score = metric.score_segments(segments)[0]
    candidate, references = segments.candidates[0], (segments.references or ((),))[0]
    each = Segments((candidate,) * len(references), tuple((text,) for text in references))
    rows = metric.statistics(each).tolist()
    values = [metric.measure(row).value for row in rows]
    best = max(range(len(values)), key=values.__getitem__)
    reference, row = references[best], rows[best]
    own, other = (_Characters(text, metric) for text in (candidate, reference))
    label = best_label("reference", best, len(references))
    parts: list[Part] = [
        *original_of(segments),
        other.marked(label, own),
        own.marked("candidate", other),
        _summary(metric, row),
    ]
    legend: dict[Mark, str] = {
        "match": f"in a shared run of {metric.char_order} characters",
        "partial": f"in a shared run of {_SOME} or more",
        "none": "in no such run",
    }
    if metric.char_order <= _SOME:
        legend.pop("partial")
    details = (calculation(_steps(metric, row, score.value)), _ngrams(metric, own, other))
    return Explanation(score, tuple(parts), _verdict(metric, row, own, other), legend, details)


class _Characters:
    """A text as chrF sees it, and where its characters stand in the text as written."""

    def __init__(self, text: str, metric: Chrf) -> None:
        self.text = text
        self.order = metric.char_order
        kept = [place for place, letter in enumerate(text) if metric.whitespace or not letter.isspace()]
        self.places = kept
        self.letters = [text[place].lower() if metric.lowercase else text[place] for place in kept]

    def ngrams(self, order: int) -> list[str]:
        return ["".join(self.letters[i : i + order]) for i in range(len(self.letters) - order + 1)]

    def marked(self, label: str, other: _Characters) -> MarkedText:
        marks: list[Mark] = ["none"] * len(self.text)
        for order in dict.fromkeys((min(_SOME, self.order), self.order)):
            known = set(other.ngrams(order))
            mark: Mark = "match" if order == self.order else "partial"
            for start, ngram in enumerate(self.ngrams(order)):
                if ngram in known:
                    for place in range(self.places[start], self.places[start + order - 1] + 1):
                        marks[place] = mark
        runs = []
        place = 0
        for mark, group in groupby(marks):
            end = place + len(list(group))
            runs.append(MarkedWord(self.text[place:end], mark))
            place = end
        return MarkedText(label, tuple(runs), spaced=False)

    def shared_runs(self, other: _Characters) -> list[str]:
        """Return the runs of characters, as written, that both have, the longest first."""
        text = self.marked("", other)
        runs = {token.text.strip() for token in text.tokens if token.mark != "none"}
        return sorted(runs, key=lambda run: (-len(run), run))


def _orders(metric: Chrf, row: Sequence[int]) -> list[tuple[str, int, int, int]]:
    """Return name, n-grams of the candidate and the reference, and shared ones, of each order."""
    names = [f"{n} character{'s' * (n > 1)}" for n in range(1, metric.char_order + 1)]
    names += [f"{n} word{'s' * (n > 1)}" for n in range(1, metric.word_order + 1)]
    return [(name, *row[3 * k : 3 * k + 3]) for k, name in enumerate(names)]  # type: ignore[misc]


def _summary(metric: Chrf, row: Sequence[int]) -> Grid:
    rows = tuple(
        (name, shared, own, other, shared / own if own else 0.0, shared / other if other else 0.0)
        for name, own, other, shared in _orders(metric, row)
        if own or other
    )
    return Grid("runs of characters", ("length", "shared", "candidate", "reference", "precision", "recall"), rows)


def _steps(metric: Chrf, row: Sequence[int], value: float) -> list[Step]:
    counted = [(own, other, shared) for _, own, other, shared in _orders(metric, row) if own and other]
    if not any(shared for _, _, shared in counted):
        return [Step("chrf", "0, since no character is shared", "0", 0.0)]
    precision, recall = (sum(each[2] / each[k] for each in counted) / len(counted) for k in (0, 1))
    beta = metric.beta
    factor = f"{beta}^2"
    numbers = (
        f"100 × (1 + {factor}) × {number(precision)} × {number(recall)} / "
        f"({factor} × {number(precision)} + {number(recall)})"
    )
    return [
        Step("precision", "mean of shared / candidate", mean_of([f"{s} / {own}" for own, _, s in counted]), precision),
        Step("recall", "mean of shared / reference", mean_of([f"{s} / {other}" for _, other, s in counted]), recall),
        Step("chrf", "100 × (1 + beta^2) × P × R / (beta^2 × P + R)", numbers, value),
    ]


def _verdict(metric: Chrf, row: Sequence[int], own: _Characters, other: _Characters) -> str:
    if not own.letters:
        return "The candidate has no characters."
    if own.letters == other.letters:
        return "The same characters as the reference."
    _, count, _, shared = _orders(metric, row)[0]
    _, long_count, _, long_shared = _orders(metric, row)[metric.char_order - 1]
    said = f"Shares {percent(shared / count if count else 0)} of its characters"
    if long_count and metric.char_order > 1:
        said += f" and {percent(long_shared / long_count)} of its runs of {metric.char_order}"
    runs = own.shared_runs(other)
    told = f" Longest shared: {quoted(runs, 3)}." if runs else ""
    return f"{said} with the reference.{told}"


def _ngrams(metric: Chrf, own: _Characters, other: _Characters) -> Detail:
    grids = []
    for order in range(1, metric.char_order + 1):
        one, two = Counter(own.ngrams(order)), Counter(other.ngrams(order))
        columns = [_listed(one & two), _listed(one - two), _listed(two - one)]
        depth = max(map(len, columns))
        rows = [tuple(column[k] if k < len(column) else "" for column in columns) for k in range(depth)]
        if rows:
            title = f"runs of {order}" if order > 1 else "single characters"
            grids.append(Grid(title, ("shared", "only candidate", "only reference"), tuple(rows)))
    return Detail("Which characters", tuple(grids))


def _listed(counts: Counter[str]) -> list[str]:
    texts = [
        f"{text.replace(' ', '␣')} ({count})" if count > 1 else text.replace(" ", "␣") for text, count in counts.items()
    ]
    rest = len(texts) - MOST_NGRAMS
    return [*texts[:MOST_NGRAMS], f"… {rest} more"] if rest > 0 else texts
