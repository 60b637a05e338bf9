"""Saved aligners: the same links again, and nothing believed that was not checked."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from support.resources import sign_again

from paragauge.align import Aligner, AlignerOptions
from paragauge.errors import DataError, FileError, ParagaugeError

SOURCE = ["the house", "the book", "a book", "the house is small", "Übung 3 macht\u2028den Meister"]
TARGET = ["la maison", "le livre", "un livre", "la maison est petite", "exercice 3 fait le maître"]
NEW = (["a small house in Rome", "unknown"], ["une petite maison à Rome", "inconnu"])


@pytest.fixture(scope="module", params=[True, False], ids=["agreement", "apart"])
def trained(request):
    options = AlignerOptions(agreement=request.param)
    return Aligner.train_and_align(SOURCE, TARGET, options=options)


@pytest.fixture
def saved(trained, tmp_path):
    folder = tmp_path / "en fr.aligner"
    trained[0].save(folder)
    return folder


def test_a_loaded_aligner_gives_the_same_links(trained, saved):
    aligner, aligned = trained
    loaded = Aligner.load(saved)
    assert loaded.options == aligner.options
    assert loaded.align(SOURCE, TARGET) == list(aligned) == aligner.align(SOURCE, TARGET)
    assert loaded.align(*NEW) == aligner.align(*NEW)
    scored, before = loaded.align_scored(*NEW), aligner.align_scored(*NEW)
    assert np.array_equal(scored.scores, before.scores)
    assert np.array_equal(scored.logp, before.logp)


def test_unknown_words_that_look_alike_are_linked(trained):
    assert (4, 4) in trained[0].align(*NEW)[0]  # Rome


def test_saving_twice_replaces_and_leaves_nothing_behind(trained, saved):
    trained[0].save(saved)
    Aligner.load(saved)
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_the_same_training_writes_the_same_bytes(trained, saved, tmp_path):
    again = Aligner.train(SOURCE, TARGET, options=trained[0].options, threads=2)
    again.save(tmp_path / "again")
    for file in saved.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), file.name


def test_other_folders_are_not_replaced(trained, tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.tex").write_text("x")
    with pytest.raises(FileError, match=r"exists already \(something else, expected aligner\)"):
        trained[0].save(tmp_path / "precious")
    assert (tmp_path / "precious" / "thesis.tex").exists()


def test_a_failed_save_leaves_the_old_aligner(trained, saved, monkeypatch):
    monkeypatch.setattr(np, "save", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(FileError, match="the disk is full"):
        trained[0].save(saved)
    Aligner.load(saved)
    assert len(list(saved.parent.iterdir())) == 1


def change_array(folder, name, change):
    """Change an array of a saved aligner, and its manifest with it."""
    path = folder / f"{name}.npy"
    np.save(path, change(np.load(path)), allow_pickle=True)
    sign_again(folder)


def with_value(position, value):
    def change(array):
        array = array.copy()
        array[position] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("columns", lambda a: a.astype(object), "is not an array of this resource"),
        ("columns", lambda a: a.astype(np.int64), "holds <i8 in 1 dimension.s., expected int32"),
        ("columns", with_value(0, 10_000), "out of range"),
        ("columns", with_value(0, -1), "out of range"),
        ("columns", lambda a: a[::-1].copy(), "not sorted"),
        ("rows", with_value(1, 10_000), "rows: must"),
        ("rows", lambda a: a[:-1], "damaged"),
        ("counts_forward", with_value(0, np.nan), "finite numbers"),
        ("counts_forward", lambda a: a[:-1], "wrong length"),
        ("totals_forward", lambda a: a[:-1], "entries for"),
        ("totals_backward", lambda a: np.append(a, a), "entries for"),
        ("null_forward", with_value(0, -1), "not negative"),
        ("jumps_backward", with_value(0, 0), "must be positive"),
        ("jumps_forward", lambda a: a.reshape(1, -1), "in 2 dimension"),
    ],
)
def test_damaged_arrays_are_refused(saved, name, change, message):
    change_array(saved, name, change)
    with pytest.raises(DataError, match=message):
        Aligner.load(saved)


def test_damaged_folders_are_refused(saved, tmp_path):
    def broken(name):
        return shutil.copytree(saved, tmp_path / name)

    with pytest.raises(FileError, match="no such folder"):
        Aligner.load(tmp_path / "absent")
    folder = broken("changed")
    size = (folder / "source.words").stat().st_size
    (folder / "source.words").write_bytes(b"x" * (size - 1) + b"\n")
    with pytest.raises(DataError, match=r"source\.words does not match; the file is damaged"):
        Aligner.load(folder)
    folder = broken("missing")
    (folder / "rows.npy").unlink()
    with pytest.raises(ParagaugeError, match=r"rows\.npy"):
        Aligner.load(folder)
    for changes, message in (
        ({"kind": "grammar"}, "is a resource of kind grammar, expected aligner"),
        ({"format": 99}, "has format 99, .* update paragauge"),
        ({"options": {"alpha": "x"}}, "the options are invalid"),
        ({"options": {"evil": 1}}, "the options are invalid"),
        ({"options": None}, "damaged"),
        ({"files": {}}, "does not list the files"),
    ):
        folder = broken(f"manifest-{message[:6]}-{len(str(changes))}")
        sign_again(folder, **changes)
        with pytest.raises(DataError, match=message):
            Aligner.load(folder)


def test_words_with_line_ends_cannot_be_saved_in_silence(tmp_path):
    aligner = Aligner.train([["a\nb"]], [["c"]])
    with pytest.raises(DataError, match="contains a line end"):
        aligner.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()
