"""Whole files to files of links."""

import pyarrow.parquet as pq
import pytest

from paragauge.align import Aligner, read_pharaoh
from paragauge.align.texts import align_files
from paragauge.errors import DataError, OptionError
from paragauge.storage.engine import EngineOptions

ENGLISH = ["the house", "the book", "a book", "the house is small"] * 5
FRENCH = ["la maison", "le livre", "un livre", "la maison est petite"] * 5


@pytest.fixture
def texts(tmp_path):
    for name, lines in (("en", ENGLISH), ("fr", FRENCH)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path / "en", tmp_path / "fr"


def test_links_are_those_of_the_aligner(texts, tmp_path):
    expected = list(Aligner.train_and_align(ENGLISH, FRENCH)[1])
    summary = align_files(*texts, tmp_path / "links", save_model=tmp_path / "model", engine=EngineOptions(threads=1))
    assert (summary.rows_in, summary.rows_out) == (20, 20)
    assert list(read_pharaoh(tmp_path / "links")) == expected
    align_files(*texts, tmp_path / "again", model=tmp_path / "model", one_based=True)
    assert list(read_pharaoh(tmp_path / "again", one_based=True)) == expected


def test_a_sample_is_evenly_picked(texts, tmp_path):
    align_files(*texts, tmp_path / "links.parquet", sample=8)
    small = Aligner.train(ENGLISH[::3], FRENCH[::3])
    written = pq.read_table(tmp_path / "links.parquet").to_pydict()
    assert written["source"] == ENGLISH
    assert written["target"] == FRENCH
    assert written["links"] == [each.to_pharaoh() for each in small.align(ENGLISH, FRENCH)]


def test_what_makes_no_sense_is_refused(texts, tmp_path):
    with pytest.raises(OptionError, match="sample must be at least 1, got 0"):
        align_files(*texts, tmp_path / "links", sample=0)
    texts[1].write_text("la maison\n")
    with pytest.raises(DataError, match="20"):
        align_files(*texts, tmp_path / "links")
    assert not (tmp_path / "links").exists()
