"""The example test set that ships with paragauge: eight sentences, two references each, three systems."""

from __future__ import annotations

from importlib.resources import as_file, files

from paragauge.corpora.formats import read_testset
from paragauge.corpora.testset import TestSet


def demo_testset() -> TestSet:
    """Return the built-in example test set.

    >>> demo_testset().systems
    ('paraphrase', 'copy', 'drift')
    """
    with as_file(files("paragauge") / "data" / "demo.jsonl") as path:
        return read_testset(path)
