"""The embedded engine: its limits, its reports, and what it says when it fails."""

import pytest

import paragauge as pg
from paragauge.errors import FileError, OptionError
from paragauge.storage.engine import Engine, EngineOptions, MemoryLimitError


def test_rows_through_the_engine_are_reported():
    seen = []
    table = pg.extract_phrases(["a b"], ["x y"], ["0-0 1-1"])
    table.prune(min_count=1, engine=EngineOptions(progress=lambda *report: seen.append(report)))
    assert seen[-1][0] >= 2 * len(table)  # in and out
    assert {report[1:] for report in seen} == {(None, "rows")}


def test_memory_sizes():
    sizes = {"1GB": 10**9, "1GiB": 2**30, "1.5 MB": 1_500_000, "512kib": 512 * 1024, "100B": 100}
    assert {text: EngineOptions(memory_limit=text).memory_bytes for text in sizes} == sizes
    assert EngineOptions().memory_bytes is None


def test_a_full_temporary_disk_is_explained(tmp_path):
    with Engine(EngineOptions(memory_limit="30MB", temp=tmp_path, threads=1)) as engine:
        engine.run("SET max_temp_directory_size = '1MB'")
        with pytest.raises(FileError, match=r"disk for temporary files is full; free some space there, or pass --temp"):
            engine.run(
                "CREATE TABLE t AS SELECT range AS i, md5(range::VARCHAR) AS text FROM range(3000000) ORDER BY text"
            )
    with (
        Engine(EngineOptions(memory_limit="1MB", temp=tmp_path, threads=1)) as engine,
        pytest.raises(MemoryLimitError, match=r"does not fit into the memory limit \(1MB\).*raise --memory-limit"),
    ):
        engine.run("CREATE TABLE t AS SELECT md5(range::VARCHAR) AS text FROM range(3000000) ORDER BY text")


def test_wrong_options_are_named():
    with pytest.raises(OptionError, match="'lots' is not a memory size; expected one such as 1GB"):
        EngineOptions(memory_limit="lots")
    with pytest.raises(FileError, match="the folder for temporary files does not exist"):
        EngineOptions(temp="/does/not/exist")
