"""How many threads there are by default: cores, and the limits of a container."""

import pytest

from paragauge import threads
from paragauge.errors import OptionError
from paragauge.threads import MOST_THREADS, thread_count


@pytest.fixture
def container(tmp_path, monkeypatch):
    monkeypatch.setattr(threads, "_CGROUP", tmp_path)
    threads._container_cores.cache_clear()
    yield tmp_path
    threads._container_cores.cache_clear()


@pytest.mark.parametrize(
    ("text", "cores"),
    [("150000 100000\n", 2), ("50000 100000\n", 1), ("max 100000\n", MOST_THREADS), ("", MOST_THREADS)],
)
def test_limits_of_version_2(container, text, cores):
    (container / "cpu.max").write_text(text)
    assert threads._container_cores() == cores
    assert 1 <= thread_count(None) <= cores


@pytest.mark.parametrize(("quota", "cores"), [("300000", 3), ("-1", MOST_THREADS)])
def test_limits_of_version_1(container, quota, cores):
    (container / "cpu").mkdir()
    (container / "cpu" / "cpu.cfs_quota_us").write_text(f"{quota}\n")
    (container / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert threads._container_cores() == cores


def test_no_container(container):
    assert threads._container_cores() == MOST_THREADS


def test_a_given_number_is_taken_as_it_is(container):
    (container / "cpu.max").write_text("100000 100000\n")
    assert thread_count(7) == 7
    with pytest.raises(OptionError, match="between 1 and"):
        thread_count(0)
