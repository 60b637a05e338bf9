"""`paragauge.open`: every resource folder by its kind."""

from __future__ import annotations

import importlib

import pytest

import paragauge as pg
from paragauge.errors import DataError, FileError
from paragauge.opening import CLASSES
from paragauge.resource import MANIFEST, SHIPPED, kind_of, write_resource


def test_shipped_folders_open_as_what_they_are():
    seen = set()
    for manifest in SHIPPED.rglob(MANIFEST):
        kind = kind_of(manifest.parent)
        if kind in seen:
            continue
        seen.add(kind)
        assert type(pg.open(manifest.parent)).__name__ == CLASSES[kind].partition(":")[2]
    assert seen >= {"pem-model", "judges", "lexicon", "language-model"}


def test_what_was_saved_opens_again(tmp_path):
    table = pg.extract_phrases(["a b"], ["x y"], ["0-0 1-1"])
    table.save(tmp_path / "table")
    assert pg.open(tmp_path / "table") == table
    paraphrases = pg.pivot_paraphrases([table])
    paraphrases.save(tmp_path / "paraphrases")
    assert isinstance(pg.open(tmp_path / "paraphrases"), pg.ParaphraseTable)
    pg.train_lm(["a b c", "a c"], order=2, smoothing="katz").save(tmp_path / "lm")
    assert isinstance(pg.open(str(tmp_path / "lm")), pg.LanguageModel)
    aligner = pg.Aligner.train(["a b", "a"], ["x y", "x"])
    aligner.save(tmp_path / "aligner")
    assert isinstance(pg.open(tmp_path / "aligner"), pg.Aligner)


def test_every_kind_that_is_written_can_be_opened(root):
    import ast

    kinds = set()
    for path in (root / "src" / "paragauge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and any(getattr(name, "id", "") == "KIND" for name in node.targets):
                kinds.add(node.value.value)
    assert kinds - {"report"} == set(CLASSES)  # a report is a page, and is opened in a browser
    for place in CLASSES.values():
        module, _, name = place.partition(":")
        assert callable(getattr(importlib.import_module(module), name).open)


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(FileError, match="no such folder"):
        pg.open(tmp_path / "nothing")
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileError, match="is a file"):
        pg.open(tmp_path / "file")
    with pytest.raises(DataError, match=r"no readable manifest.json, expected a folder of one of the kinds aligner"):
        pg.open(tmp_path)
    with write_resource(tmp_path / "other", "zoo", format=1):
        pass
    with pytest.raises(DataError, match="has the unknown kind zoo"):
        pg.open(tmp_path / "other")
