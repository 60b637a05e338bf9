"""``verify``: every damaged file is named."""

from __future__ import annotations

import json

import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.errors import DataError, FileError
from paragauge.resource import SHIPPED


@pytest.fixture
def table(tmp_path):
    pg.PhraseTable.from_counts({("house", "maison"): 3, ("home", "maison"): 1}).save(tmp_path / "table")
    return tmp_path / "table"


def flip(file, place=-1):
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)


def test_what_is_whole_is_whole(table):
    found = pg.verify(table)
    assert found.whole
    assert (found.kind, found.digest) == ("phrase-table", pg.PhraseTable.open(table).digest)
    assert pg.verify(SHIPPED / "pem" / "default").whole
    assert pg.verify(SHIPPED / "analysis" / "english.bin").whole


def test_every_damaged_file_is_named(table, capsys):
    flip(table / "pairs.counts.npy")
    flip(table / "source.text.npy")
    (table / "target.rows.npy").unlink()
    (table / "extra").write_text("x")
    with pytest.raises(DataError, match=r"target\.rows\.npy is missing"):
        pg.PhraseTable.open(table)
    assert {each.file for each in pg.verify(table).damage} == {
        "pairs.counts.npy", "source.text.npy", "target.rows.npy", "extra",
    }  # fmt: skip
    assert main(["verify", str(table), "--format", "json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert {row["file"] for row in rows} == {"pairs.counts.npy", "source.text.npy", "target.rows.npy", "extra"}
    assert main(["verify", str(SHIPPED / "phrases" / "default")]) == 0


def test_a_changed_manifest_is_noticed(table):
    manifest = table / "manifest.json"
    text = manifest.read_text()
    manifest.write_text(text.replace('"made_by": "', '"made_by": "9'))
    with pytest.raises(DataError, match="its checksum does not match"):
        pg.PhraseTable.open(table)
    assert pg.verify(table).damage[0].file == "manifest.json"
    manifest.write_text(text.replace('"checksum"', '"checksun"'))
    with pytest.raises(DataError, match="not those of a manifest"):
        pg.PhraseTable.open(table)


def test_a_manifest_without_checksum_is_read_and_remarked_on(table):
    data = json.loads((table / "manifest.json").read_text())
    del data["checksum"]
    (table / "manifest.json").write_text(json.dumps(data))
    found = pg.verify(table)
    assert found.whole
    assert "did not write a checksum" in found.remarks[0]


def test_other_things_are_refused(tmp_path):
    with pytest.raises(FileError, match="no such file or folder"):
        pg.verify(tmp_path / "nothing")
    with pytest.raises(DataError, match=r"has no readable manifest\.json"):
        pg.verify(tmp_path)
    (tmp_path / "text").write_text("x")
    with pytest.raises(DataError, match="is not a file that can be verified"):
        pg.verify(tmp_path / "text")
