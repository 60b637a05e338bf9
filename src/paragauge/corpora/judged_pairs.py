"""Paraphrases with human judgments (original, candidate and score on each row), and PEM's control systems.

Columns: ``original``, ``candidate`` (or ``paraphrase``) and ``score``; ``system``, ``judge`` and ``criterion`` are
optional. TSV, CSV or JSON Lines, gzipped or not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from paragauge.corpora.formats import first_line
from paragauge.corpora.jsonlines import parse_jsonl
from paragauge.corpora.judgments import NO_JUDGE, OVERALL, parse_score, score_of_record
from paragauge.corpora.lines import empty_file, shown
from paragauge.corpora.tables import Table, parse_csv, parse_tsv, recognise_table, table_hint
from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike, display_name, read_bytes

if TYPE_CHECKING:
    import numpy as np

COLUMNS = ("original", "candidate", "paraphrase", "score", "system", "judge", "criterion")
NO_SYSTEM = "candidate"  # also the name of the only system in a test set
LOWEST, HIGHEST = 1.0, 5.0  # the scale of PEM

ADEQUACY, FLUENCY, DISSIMILARITY = "adequacy", "fluency", "dissimilarity"

# Control systems and the scores that they get by definition (Liu, Dahlmeier and Ng 2010, section 5.1).
CONTROLS = {
    "control-copy": {ADEQUACY: 5.0, FLUENCY: 5.0, DISSIMILARITY: 1.0, OVERALL: 2.0},
    "control-random": {ADEQUACY: 1.0, FLUENCY: 5.0, DISSIMILARITY: 5.0, OVERALL: 1.0},
    "control-salad": {ADEQUACY: 1.0, FLUENCY: 1.0, DISSIMILARITY: 5.0, OVERALL: 1.0},
}


class JudgedPair(NamedTuple):
    """One score that one judge gave to one candidate, ``None`` if it is missing."""

    original: str
    candidate: str
    score: float | None
    system: str = NO_SYSTEM
    judge: str = NO_JUDGE
    criterion: str = OVERALL


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """Rows of judged paraphrases."""

    rows: tuple[JudgedPair, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[JudgedPair]:
        return iter(self.rows)

    @property
    def originals(self) -> tuple[str, ...]:
        """The different originals, in order of appearance."""
        return tuple(dict.fromkeys(row.original for row in self.rows))

    @property
    def judges(self) -> tuple[str, ...]:
        """The different judges, in order of appearance."""
        return tuple(dict.fromkeys(row.judge for row in self.rows))

    def rescaled(self, low: float, high: float) -> JudgedPairs:
        """Return the same judgments with scores from *low* to *high* mapped to 1 to 5, linearly.

        Raises:
            DataError: A score is outside this range.
        """
        if not low < high:
            raise OptionError(f"a scale must go from a lower to a higher number; got {low:g} to {high:g}")

        def mapped(row: JudgedPair) -> JudgedPair:
            if row.score is None:
                return row
            if not low <= row.score <= high:
                raise DataError(
                    f"the score {row.score:g} of {shown(row.candidate)} is outside the scale {low:g} to {high:g}; "
                    "give the scale of the judgments"
                )
            return row._replace(score=LOWEST + (row.score - low) * (HIGHEST - LOWEST) / (high - low))

        return JudgedPairs(tuple(map(mapped, self.rows)))

    def mean_over_judges(self, criterion: str = OVERALL) -> JudgedPairs:
        """Return one row for each system, original and candidate: the mean of the scores present.

        Candidates without any score are left out.
        """
        groups: dict[tuple[str, str, str], list[float]] = {}
        for row in self.rows:
            if row.criterion == criterion and row.score is not None:
                groups.setdefault((row.original, row.candidate, row.system), []).append(row.score)
        return JudgedPairs(
            tuple(
                JudgedPair(original, candidate, math.fsum(scores) / len(scores), system, NO_JUDGE, criterion)
                for (original, candidate, system), scores in groups.items()
            )
        )


def read_judged_pairs(path: PathLike, *, encoding: str = "utf-8") -> JudgedPairs:
    """Return the judged paraphrases in *path*; ``-`` is standard input.

    Raises:
        FileError: The file cannot be read.
        DataError: The file is not a table of judged paraphrases; the message names the line.
    """
    data = read_bytes(path)
    if not data.strip():
        raise empty_file(path, "a table of judged paraphrases")
    line = first_line(data.removeprefix(b"\xef\xbb\xbf"))
    if line.lstrip().startswith("{"):
        return JudgedPairs(tuple(_rows_of_records(data, path, encoding)))
    kind = recognise_table(line, COLUMNS.__contains__)
    if kind is None:
        raise DataError(
            f"the file begins with {shown(line)}, expected a TSV or CSV header with the columns original, candidate "
            "and score (and optionally system, judge and criterion), or JSON Lines with these keys"
            + table_hint(line, COLUMNS.__contains__),
            path=display_name(path),
            line=1,
        )
    table = parse_csv(data, path, encoding) if kind == "csv" else parse_tsv(data, path, encoding)
    return JudgedPairs(tuple(_rows_of_table(table)))


def _rows_of_table(table: Table) -> Iterator[JudgedPair]:
    for name in table.header:
        if name not in COLUMNS:
            raise DataError(
                f"unknown column {shown(name)}; known: {', '.join(COLUMNS)}; rename or remove it",
                path=table.path,
                line=1,
            )
    if "candidate" in table.header and "paraphrase" in table.header:
        raise DataError("the columns 'candidate' and 'paraphrase' mean the same; keep one", path=table.path, line=1)
    texts = [_required(table, ("original",)), _required(table, ("candidate", "paraphrase"))]
    scores = [
        parse_score(item, table.path, line)
        for item, line in zip(_required(table, ("score",)), table.lines, strict=True)
    ]
    count = len(table.rows)
    systems = table.filled_column("system") or (NO_SYSTEM,) * count
    judges = table.column("judge") or (NO_JUDGE,) * count
    criteria = table.filled_column("criterion") or (OVERALL,) * count
    rows = zip(*texts, scores, systems, judges, criteria, strict=True)
    return (JudgedPair(*row) for row in rows)


def _required(table: Table, names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        fields = table.column(name)
        if fields is not None:
            return fields
    raise DataError(
        f"there is no column {names[0]!r}; expected original, candidate (or paraphrase) and score",
        path=table.path,
        line=1,
    )


def _rows_of_records(data: bytes, path: PathLike, encoding: str) -> Iterator[JudgedPair]:
    for record in parse_jsonl(data, path, encoding):
        record.check_keys(COLUMNS)
        key = "paraphrase" if "paraphrase" in record.values else "candidate"
        original, candidate = record.text("original"), record.text(key)
        if original is None or candidate is None or "score" not in record.values:
            raise record.error("a key is missing; expected 'original', 'candidate' (or 'paraphrase') and 'score'")
        judge = record.values.get("judge")
        yield JudgedPair(
            original,
            candidate,
            score_of_record(record),
            record.name("system") or NO_SYSTEM,
            NO_JUDGE if judge in (None, "") else record.name("judge") or NO_JUDGE,
            record.text("criterion", filled=True) or OVERALL,
        )


def control_pairs(originals: Iterable[str], rng: np.random.Generator) -> JudgedPairs:
    """Return three control candidates for each original, with all four scores.

    The candidates are the original itself; another original at random; and random words, as many as a random original
    has, drawn from the words of all originals by frequency.

    Raises:
        DataError: There are no two different originals, or they have no words.
    """
    texts = tuple(dict.fromkeys(originals))
    words = Counter(word for text in texts for word in text.split())
    if len(texts) < 2 or not words:
        raise DataError("control systems need at least two different originals with words in them")
    import numpy as np

    vocabulary = list(words)
    ends = np.cumsum([words[word] for word in vocabulary])
    rows: list[JudgedPair] = []
    for number, text in enumerate(texts):
        other = texts[(number + int(rng.integers(1, len(texts)))) % len(texts)]
        length = len(texts[int(rng.integers(len(texts)))].split())
        drawn = np.searchsorted(ends, rng.integers(ends[-1], size=length), side="right")
        salad = " ".join(vocabulary[place] for place in drawn.tolist())
        for (system, scores), candidate in zip(CONTROLS.items(), (text, other, salad), strict=True):
            rows += [JudgedPair(text, candidate, score, system, NO_JUDGE, name) for name, score in scores.items()]
    return JudgedPairs(tuple(rows))
