"""The file of annotations: what stands is what the changes say, whoever writes it, and whatever is killed."""

import math
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.align.alignment import Alignment
from paragauge.align.gold import GoldAlignment
from paragauge.annotation.changes import MAX_CELLS, Change, PairState, parse_cells
from paragauge.annotation.store import AnnotationStore, BusyError, StaleError, check_annotator
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError, FileError, OptionError
from paragauge.meta.agreement import link_agreement

PAIRS = ParaphrasePairs(
    ("he bought a car", "some want to impeach him", ""),
    ("he purchased an automobile", "some people propose impeaching him", "nothing here"),
    ("A", "B", "B"),
)
START = [GoldAlignment.from_pharaoh(line) for line in ("0-0 1-1 2p2", "0-0 4-4", "")]


@pytest.fixture
def store(tmp_path):
    with AnnotationStore.create(tmp_path / "store.sqlite", PAIRS, lambda: START) as made:
        yield made


def links(store, annotator="ann", number=1):
    return store.state(annotator, number).gold().to_pharaoh(short=True)


_TOKENS = iter(range(10**9))


def change(kind, cells="", **more):
    return Change(kind, f"token-{next(_TOKENS):09}", cells, **more)


def test_annotators_begin_with_the_automatic_links_and_change_them(store):
    assert links(store) == "0-0 1-1 2p2"
    state = store.record("ann", 1, change("set", "2-2 1x1 3p3", seconds=2.5))
    assert links(store) == state.gold().to_pharaoh(short=True) == "0-0 2-2 3p3"
    assert links(store, "bob") == "0-0 1-1 2p2"
    assert (state.version, state.done, state.seconds) == (1, False, 2.5)


def test_steps_are_undone_and_redone_also_after_reopening(store):
    store.record("ann", 1, change("set", "2-2"))
    store.record("ann", 1, change("set", "3-3 0x0"))
    store.record("ann", 1, change("undo", base=2))
    with AnnotationStore.open(store.path) as again:
        assert links(again) == "0-0 1-1 2-2"
        again.record("ann", 1, change("undo", base=3))
        assert links(again) == "0-0 1-1 2p2"
        again.record("ann", 1, change("redo", base=4))
        again.record("ann", 1, change("redo", base=5))
        assert links(again) == "1-1 2-2 3-3"
    with pytest.raises(StaleError, match="nothing to redo"):
        store.record("ann", 1, change("redo", base=6))


def test_a_new_step_forgets_what_was_undone_and_one_that_changes_nothing_is_none(store):
    store.record("ann", 1, change("set", "2-2"))
    store.record("ann", 1, change("undo", base=1))
    assert store.record("ann", 1, change("set", "0-0")).redo  # it was so already
    state = store.record("ann", 1, change("set", "3-3"))
    assert not state.redo
    assert [[cell for cell, _, _ in step] for step in state.undo] == [[(3, 3)]]


def test_nobody_undoes_what_he_has_not_seen(store):
    store.record("ann", 1, change("set", "2-2"))
    store.record("ann", 1, change("set", "3-3"))  # in another window
    with pytest.raises(StaleError, match="have changed since"):
        store.record("ann", 1, change("undo", base=1))
    assert links(store) == "0-0 1-1 2-2 3-3"


def test_a_change_that_arrives_twice_counts_once(store):
    sent = change("set", "3-3", seconds=4)
    store.record("ann", 1, sent)
    store.record("ann", 1, change("set", "3x3"))
    state = store.record("ann", 1, sent)
    assert (state.version, state.seconds, links(store)) == (2, 4, "0-0 1-1 2p2")
    with pytest.raises(DataError, match="another pair or annotator"):
        store.record("bob", 1, sent)


def test_progress_counts_finished_pairs_and_their_time(store):
    assert math.isnan(store.progress("ann").seconds_per_pair)
    store.record("ann", 1, change("set", "3-3", seconds=10))
    store.record("ann", 1, change("done", seconds=20))
    store.record("ann", 2, change("time", seconds=5))
    store.record("ann", 3, change("done", seconds=2))
    store.record("ann", 3, change("open", seconds=1))
    progress = store.progress("ann")
    assert (progress.pairs, progress.done, progress.seconds, progress.seconds_per_pair) == (3, 1, 38, 30)
    assert store.finished("ann") == [1]
    assert [state.done for state in store.states("ann")] == [True, False, False]


def test_agreement_is_c_hat_over_pairs_that_both_have_finished(store):
    store.record("ann", 1, change("set", "2-2 3-3"))
    store.record("bob", 1, change("set", "3p3 2x2 2-3"))
    store.record("bob", 2, change("set", "1-1"))
    for annotator in ("ann", "bob"):
        store.record(annotator, 1, change("done"))
    store.record("bob", 2, change("done"))
    (found,) = store.agreement()
    one, other = Alignment.from_pharaoh("0-0 1-1 2-2 3-3"), Alignment.from_pharaoh("0-0 1-1 2-3 3-3")
    assert (found.one, found.other, found.pairs, found.words) == ("ann", "bob", 1, 4)
    assert found.c_hat == pytest.approx(link_agreement([one], [other], [(4, 4)]))
    # pi = 3/4, pi_0 = (1 + 1 + 1 + 1) / 4 / 4
    assert found.c_hat == pytest.approx((3 / 4 - 1 / 4) / (1 - 1 / 4))
    # sure links: word 3 of bob has none; pi = 2/4, pi_0 = 3/4/4
    assert found.c_hat_sure == pytest.approx((2 / 4 - 3 / 16) / (1 - 3 / 16))


def test_agreement_without_common_pairs_is_undefined(store):
    store.record("ann", 1, change("done"))
    store.record("bob", 2, change("done"))
    (found,) = store.agreement()
    assert math.isnan(found.c_hat)
    assert (found.pairs, found.words) == (0, 0)


@pytest.mark.parametrize(
    ("number", "made", "message"),
    [
        (1, lambda: change("set", "4-0"), "link 4-0 points past the source sentence"),
        (1, lambda: change("set", "0-4"), "points past the target"),
        (3, lambda: change("set", "0-0"), "points past the source"),
        (1, lambda: change("set", "0-0 0p0"), "twice in one change"),
        (1, lambda: change("set", "0:0"), "'0:0' is not a cell"),
        (1, lambda: change("set", "0-99999999"), "is not a cell"),
        (1, lambda: change("set", "0-0 " * (MAX_CELLS + 1)), "cells in one change"),
        (1, lambda: change("set"), "expected cells only for 'set'"),
        (1, lambda: change("done", "0-0"), "expected cells only for 'set'"),
        (1, lambda: change("done", seconds=math.nan), "seconds since"),
        (1, lambda: change("done", seconds=-1), "seconds since"),
        (1, lambda: Change("done", "short"), "token"),
        (1, lambda: Change("drop", "token-of-nothing"), "no kind of change named 'drop'"),
        (4, lambda: change("done"), "no pair 4"),
        (0, lambda: change("done"), "no pair 0"),
    ],
)
def test_changes_that_make_no_sense_are_refused_and_not_saved(store, number, made, message):
    with pytest.raises((DataError, OptionError), match=message):
        store.record("ann", number, made())
    assert store.annotators() == []


@pytest.mark.parametrize("name", ["", " ann", "a/b", "<script>", "a\nb", "é" * 65, "-x", "a?b"])
def test_names_of_annotators_are_harmless(store, name):
    with pytest.raises(OptionError, match="not a valid annotator name"):
        store.record(name, 1, change("done"))


def test_names_may_come_from_any_script():
    for name in ("ann", "Zoë B.", "注釈者1", "ann@example.org"):
        assert check_annotator(name) == name


def test_a_store_keeps_to_its_pairs(store, tmp_path):
    def never():
        raise AssertionError("the links of a store that is there are not asked for again")

    with AnnotationStore.create(store.path, PAIRS, never) as again:
        assert len(again) == 3
        assert again.project == store.project
        assert again.pairs == PAIRS
    shorter = ParaphrasePairs(PAIRS.source[:2], PAIRS.target[:2], ("A", "B"))
    other = ParaphrasePairs(PAIRS.source, ("he", *PAIRS.target[1:]), PAIRS.groups)
    with pytest.raises(DataError, match="holds 3 sentence pairs, but there are 2"):
        AnnotationStore.create(store.path, shorter)
    with pytest.raises(DataError, match="pair 1 differs from"):
        AnnotationStore.create(store.path, other)


def test_first_links_must_fit(tmp_path):
    wrong = [Alignment.from_pharaoh("9-9"), *START[1:]]
    with pytest.raises(DataError, match="automatic links:1: link 9-9 points past the source"):
        AnnotationStore.create(tmp_path / "a", PAIRS, lambda: wrong)
    with pytest.raises(DataError, match="links for 1 sentence pairs, expected 3"):
        AnnotationStore.create(tmp_path / "b", PAIRS, lambda: START[:1])
    with pytest.raises(DataError, match="no sentence pairs"):
        AnnotationStore.create(tmp_path / "c", ParaphrasePairs((), ()))
    assert not list(tmp_path.iterdir())


def test_other_files_are_refused(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        AnnotationStore.open(tmp_path / "absent")
    with pytest.raises(FileError, match="is a directory"):
        AnnotationStore.open(tmp_path)
    text = tmp_path / "text"
    text.write_text("source\ttarget\n" * 100)
    with pytest.raises(DataError, match="not a file of annotations"):
        AnnotationStore.create(text, PAIRS)
    assert text.read_text() == "source\ttarget\n" * 100
    foreign = tmp_path / "foreign"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE pair (number)")
    connection.close()
    with pytest.raises(DataError, match="of another program"):
        AnnotationStore.create(foreign, PAIRS)
    (tmp_path / "empty").touch()
    with pytest.raises(DataError, match="is empty, expected a file of annotations"):
        AnnotationStore.open(tmp_path / "empty")


def test_files_of_newer_versions_are_refused(store):
    path = store.path
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 3")
    connection.close()
    with pytest.raises(DataError, match=r"format 3 of annotations.*update paragauge"):
        AnnotationStore.open(path)


def test_a_store_whose_making_was_cut_short_is_made(tmp_path):
    path = tmp_path / "store.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    with AnnotationStore.create(path, PAIRS) as store:
        assert len(store) == 3


def test_a_file_that_is_locked_for_long_is_said_to_be_busy(store, monkeypatch):
    monkeypatch.setattr("paragauge.annotation.database.BUSY_SECONDS", 0.05)
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with AnnotationStore.open(store.path) as waiting:
        with pytest.raises(BusyError, match="locked"):
            waiting.record("ann", 1, change("set", "3-3"))
        assert links(waiting) == "0-0 1-1 2p2"  # reading needs no lock
        other.execute("ROLLBACK")
        waiting.record("ann", 1, change("set", "3-3"))
    other.close()
    assert links(store) == "0-0 1-1 2p2 3-3"


# Undo and redo against an obvious re-implementation: all states of the past, and where we are among them.

CELL = st.tuples(st.integers(0, 3), st.integers(0, 3))
STEPS = st.lists(
    st.one_of(st.dictionaries(CELL, st.sampled_from("-px"), min_size=1, max_size=4), st.sampled_from(["undo", "redo"])),
    max_size=30,
)


@given(STEPS)
def test_undo_and_redo_walk_through_the_states_of_the_past(steps):
    state, past, now = PairState({(0, 0): "-"}), [{(0, 0): "-"}], 0
    for step in steps:
        if isinstance(step, str):
            now = max(0, now - 1) if step == "undo" else min(len(past) - 1, now + 1)
            state.apply(step, [], 0, "")
        else:
            new = {cell: mark for cell, mark in {**past[now], **step}.items() if mark != "x"}
            if new != past[now]:
                past[now + 1 :] = [new]
                now += 1
            state.apply("set", step.items(), 0, "")
        assert state.links == past[now]
        assert (len(state.undo), len(state.redo)) == (now, len(past) - 1 - now)
    assert state.version == len(steps)


@given(st.dictionaries(CELL, st.sampled_from("-px")))
def test_cells_come_back(cells):
    text = " ".join(f"{i}{mark}{j}" for (i, j), mark in cells.items())
    assert dict(parse_cells(text)) == cells


# Several programs


def _work(path, annotator, count):
    with AnnotationStore.open(path) as store:
        for step in range(count):
            cell = f"{step % 4}-{step // 4 % 4}" if step < 16 else f"{step % 4}x{step // 4 % 4}"
            store.record(annotator, 1, Change("set", f"{annotator}-{os.getpid()}-{step:05}", cell))


def test_programs_that_write_at_once_lose_nothing(store):
    context = multiprocessing.get_context("spawn")
    names = ["ann", "ann", "bob", "eve"]
    workers = [context.Process(target=_work, args=(store.path, name, 24)) for name in names]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert [store.state(name, 1).version for name in ("ann", "bob", "eve")] == [48, 24, 24]
    assert links(store, "bob") == links(store, "eve")


def _make(path):
    AnnotationStore.create(path, PAIRS, lambda: START).close()


def test_programs_that_begin_at_once_make_one_store(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_make, args=(tmp_path / "store.sqlite",)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    with AnnotationStore.open(tmp_path / "store.sqlite") as store:
        assert store.pairs == PAIRS


_WRITER = """
import sys
from paragauge.annotation.changes import Change
from paragauge.annotation.store import AnnotationStore
store = AnnotationStore.open(sys.argv[1])
for step in range(10**6):
    store.record("ann", 2, Change("set", f"token-{step:08}", f"{step % 5}{'-p'[step // 5 % 2]}{step // 5 % 5}"))
    print(step, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
@pytest.mark.parametrize("pause", [0.0, 0.05, 0.2])
def test_what_was_saved_survives_a_killed_program(store, pause):
    program = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(store.path)], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert program.stdout is not None
    program.stdout.readline()
    time.sleep(pause)
    program.send_signal(signal.SIGKILL)
    confirmed = 1 + len(program.stdout.read().splitlines())
    program.wait()
    program.stdout.close()
    expected = {}
    with AnnotationStore.open(store.path) as again:
        state = again.state("ann", 2)
    assert state.version in (confirmed, confirmed + 1)  # the last may have been saved and not yet confirmed
    for i, j in START[1].sure:
        expected[i, j] = "-"
    for step in range(state.version):
        expected[step % 5, step // 5 % 5] = "-p"[step // 5 % 2]
    assert state.links == expected
