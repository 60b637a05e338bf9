"""A small hand-made meta-evaluation, with texts that would break a careless page."""

from __future__ import annotations

import random

from paragauge.corpora.judgments import Judgments
from paragauge.corpora.testset import TestSet
from paragauge.meta.scores import ScoreRow, ScoreTable

SYSTEMS = ("alpha", "<b>beta</b>", "gamma & co")
HOSTILE = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"
SEGMENTS = tuple(str(number) for number in range(1, 13))


def scores(shuffle: int | None = None) -> ScoreTable:
    rng = random.Random(4)
    rows = [
        ScoreRow(metric, system, segment, quality * sign + rng.random())
        for metric, sign in (("bleu", 1), ("ter", -1), ("my <i>metric</i>", 1))
        for system, quality in zip(SYSTEMS, (3, 2, 1), strict=True)
        for segment in SEGMENTS
    ]
    if shuffle is not None:
        random.Random(shuffle).shuffle(rows)
    return ScoreTable(tuple(rows))


def judgments(shuffle: int | None = None) -> Judgments:
    rng = random.Random(5)
    rows = [
        (system, segment, judge, criterion, float(quality + rng.randint(0, 2)))
        for system, quality in zip(SYSTEMS, (3, 2, 1), strict=True)
        for segment in SEGMENTS
        for judge in ("ann", "bob")
        for criterion in ("adequacy", "fluency")
    ]
    if shuffle is not None:
        random.Random(shuffle).shuffle(rows)
    return Judgments.from_rows(rows)


def sentences() -> TestSet:
    return TestSet(
        ids=SEGMENTS,
        references={"1": [f"reference {segment}" for segment in SEGMENTS]},
        candidates={system: [f"{system} says {segment} {HOSTILE}" for segment in SEGMENTS] for system in SYSTEMS},
    )
