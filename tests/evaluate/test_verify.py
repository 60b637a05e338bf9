"""``verify``: every damaged file is named."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.errors import DataError, FileError
from paragauge.lm.arpa import write_arpa
from paragauge.resource import SHIPPED

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))
from kinds import KINDS


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


def test_every_kind_is_known_and_its_damage_is_seen(tmp_path):
    from paragauge.opening import CLASSES

    kinds = set()
    for name, kind in KINDS.items():
        if name == "static-model":  # other programs write them
            continue
        path = tmp_path / name
        kind.make(path)
        found = pg.verify(path)
        assert found.whole, (name, found)
        kinds.add(found.kind)
        files = [each for each in path.rglob("*") if each.is_file()]
        file = max(files, key=lambda each: each.stat().st_size, default=path)
        if kind.notices == "every byte":
            flip(file, file.stat().st_size // 2)
        else:
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2] + b"\nno number\n")
        (damage,) = pg.verify(path).damage
        assert damage.file == (file.relative_to(path).as_posix() if path.is_dir() else file.name)
    assert kinds >= {*CLASSES, "annotations", "arpa", "english-model", "role-model", "tuning-checkpoint", "weights"}


def test_packed_files_are_looked_into(tmp_path):
    model = pg.train_lm(["a b c", "a b"], order=2, smoothing="katz")
    write_arpa(model, tmp_path / "m.arpa.gz")
    assert (pg.verify(tmp_path / "m.arpa.gz").kind, pg.verify(tmp_path / "m.arpa.gz").whole) == ("arpa", True)
    data = (tmp_path / "m.arpa.gz").read_bytes()
    (tmp_path / "m.arpa.gz").write_bytes(data[: len(data) // 2])
    assert not pg.verify(tmp_path / "m.arpa.gz").whole
    (tmp_path / "m.arpa.gz").write_bytes(data[:12])
    assert not pg.verify(tmp_path / "m.arpa.gz").whole


def test_reports_are_compared_with_their_manifests(tmp_path):
    (tmp_path / "a").write_text("the cat sat\n")
    text, report = str(tmp_path / "a"), str(tmp_path / "r")
    assert main(["report", text, "--ref", text, "-m", "bleu", "-o", report, "-q"]) == 0
    assert pg.verify(tmp_path / "r").whole
    flip(tmp_path / "r" / "index.html")
    assert [each.file for each in pg.verify(tmp_path / "r").damage] == ["index.html"]


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
