"""Folders of mt-metrics-eval: human scores and metric scores of one test set.

| path | content |
|---|---|
| ``human-scores/PAIR.NAME.seg.score`` | one line ``SYSTEM<tab>SCORE`` for each segment of each system, in order; ``None`` is missing |
| ``human-scores/PAIR.NAME.sys.score`` | one line for each system |
| ``metric-scores/PAIR/METRIC-REF.seg.score``, ``.sys.score`` | the same for metrics |
| ``documents/PAIR.docs`` | one line ``DOMAIN<tab>DOCUMENT`` for each segment |

Segments are numbered from 1.
"""  # noqa: E501, one row of a table is one line

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from paragauge.corpora.judgments import NO_JUDGE, WHOLE_SYSTEM, Judgments, parse_score
from paragauge.corpora.wmt_judgments import several_pairs
from paragauge.errors import DataError, unknown_name
from paragauge.io import PathLike, read_lines
from paragauge.meta.scores import ScoreRow, ScoreTable

HUMAN, METRICS, DOCUMENTS = "human-scores", "metric-scores", "documents"
_LEVELS = (".seg.score", ".sys.score")


def is_task_folder(path: PathLike) -> bool:
    """Return whether *path* is a folder of mt-metrics-eval."""
    folder = Path(os.fspath(path))
    return folder.is_dir() and any((folder / name).is_dir() for name in (HUMAN, METRICS))


def _pair(folder: Path, pair: str | None) -> str:
    pairs = {file.name.split(".")[0] for file in (folder / HUMAN).glob("*.score")}
    if (folder / METRICS).is_dir():
        pairs |= {each.name for each in (folder / METRICS).iterdir() if each.is_dir()}
    if not pairs:
        raise DataError(
            f"has no scores; expected {HUMAN}/PAIR.NAME.seg.score and {METRICS}/PAIR/METRIC.seg.score",
            path=str(folder),
        )
    if pair is None and len(pairs) > 1:
        raise several_pairs(sorted(pairs), str(folder))
    if pair is not None and pair not in pairs:
        raise unknown_name("language pair", pair, sorted(pairs))
    return pair or next(iter(pairs))


def _scores(file: Path, encoding: str) -> Iterator[tuple[str, str | None, float | None]]:
    """Yield system, segment (``None`` for whole systems) and score."""
    whole = file.name.endswith(_LEVELS[1])
    counts: dict[str, int] = {}
    for line, text in enumerate(read_lines(file, encoding=encoding), start=1):
        fields = text.split("\t") if "\t" in text else text.split()
        if len(fields) != 2 or not fields[0]:
            raise DataError(f"found {text[:60]!r}, expected a system and a score", path=str(file), line=line)
        counts[fields[0]] = counts.get(fields[0], 0) + 1
        score = None if fields[1] in ("None", "") else parse_score(fields[1], str(file), line)
        yield fields[0], None if whole else str(counts[fields[0]]), score
    if not whole and len(set(counts.values())) > 1:
        found = ", ".join(f"{name} {count}" for name, count in list(counts.items())[:4])
        raise DataError(f"the systems have different numbers of segments: {found}", path=str(file))


def read_task_people(path: PathLike, *, pair: str | None = None, encoding: str = "utf-8") -> Judgments:
    """Return the human scores of one language pair in a folder; each kind of them is a criterion.

    Scores of whole systems are used only if a kind has no scores of segments.
    """
    folder = Path(os.fspath(path))
    name = _pair(folder, pair)
    rows: list[tuple[str, str, str, str, float | None]] = []
    known: set[str] = set()
    for level in _LEVELS:
        for file in sorted((folder / HUMAN).glob(f"{name}.*{level}")):
            criterion = file.name.removeprefix(f"{name}.").removesuffix(level)
            if criterion not in known:
                rows += [
                    (system, segment or WHOLE_SYSTEM, NO_JUDGE, criterion, score)
                    for system, segment, score in _scores(file, encoding)
                ]
                known.add(criterion)
    if not rows:
        raise DataError(f"has no human scores for {name}", path=str(folder / HUMAN))
    return Judgments.from_rows(rows)


def read_task_scores(path: PathLike, *, pair: str | None = None, encoding: str = "utf-8") -> ScoreTable:
    """Return the metric scores of one language pair in a folder, of segments and of whole systems."""
    folder = Path(os.fspath(path))
    name = _pair(folder, pair)
    rows: list[ScoreRow] = []
    for level in _LEVELS:
        for file in sorted((folder / METRICS / name).glob(f"*{level}")):
            metric = file.name.removesuffix(level)
            rows += [ScoreRow(metric, system, segment, score) for system, segment, score in _scores(file, encoding)]
    if not rows:
        raise DataError(f"has no metric scores for {name}", path=str(folder / METRICS))
    return ScoreTable(tuple(rows))


def read_task_documents(path: PathLike, *, pair: str | None = None, encoding: str = "utf-8") -> dict[str, str]:
    """Return the document of each segment of one language pair."""
    folder = Path(os.fspath(path))
    file = folder / DOCUMENTS / f"{_pair(folder, pair)}.docs"
    found = {}
    for number, line in enumerate(read_lines(file, encoding=encoding), start=1):
        found[str(number)] = line.split("\t" if "\t" in line else None)[-1]
    return found
