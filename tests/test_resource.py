import hashlib
import json

import pytest
from support.resources import sign_again

from paragauge.errors import DataError, FileError
from paragauge.resource import MANIFEST, read_manifest, write_resource


def make(path, text="data", kind="table"):
    with write_resource(path, kind, format=1, options={"order": 4}, inputs={"corpus": "abc"}, licence="CC0") as folder:
        (folder / "rows.txt").write_text(text)
    return path


def test_resource_comes_back(tmp_path):
    manifest = read_manifest(make(tmp_path / "t"), "table", newest_format=1, verify=True)
    assert (manifest.kind, manifest.format, manifest.licence) == ("table", 1, "CC0")
    assert manifest.options == {"order": 4}
    assert manifest.inputs == {"corpus": "abc"}
    assert manifest.files["rows.txt"].bytes == 4


def test_digest_depends_on_contents_alone(tmp_path):
    digests = [read_manifest(make(tmp_path / name, text), "table", newest_format=1).digest() for name, text in
               (("a", "data"), ("b", "data"), ("c", "other"))]  # fmt: skip
    assert digests[0] == digests[1] != digests[2]


def test_failed_write_leaves_the_old_resource_and_nothing_else(tmp_path):
    make(tmp_path / "t", "old")
    with pytest.raises(RuntimeError), write_resource(tmp_path / "t", "table", format=1) as folder:  # noqa: PT012
        (folder / "rows.txt").write_text("new")
        raise RuntimeError
    assert (tmp_path / "t" / "rows.txt").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["t"]


def test_resource_replaces_its_kind_only(tmp_path):
    make(tmp_path / "t", "old")
    make(tmp_path / "t", "new")
    assert (tmp_path / "t" / "rows.txt").read_text() == "new"
    with pytest.raises(FileError, match=r"exists already \(table, expected grammar\); choose another name"):
        make(tmp_path / "t", kind="grammar")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("precious")
    with pytest.raises(FileError, match=r"exists already \(something else, expected table\)"):
        make(tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.tex").exists()
    with pytest.raises(FileError, match="is not a folder"):
        make(tmp_path / "no" / "t")


def test_what_is_no_resource_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"no such folder, expected a folder made by paragauge \(table\)"):
        read_manifest(tmp_path / "t", "table", newest_format=1)
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileError, match="is a file"):
        read_manifest(tmp_path / "file", "table", newest_format=1)
    with pytest.raises(DataError, match=r"has no readable manifest\.json"):
        read_manifest(tmp_path, "table", newest_format=1)
    make(tmp_path / "t")
    with pytest.raises(DataError, match="is a resource of kind table, expected grammar"):
        read_manifest(tmp_path / "t", "grammar", newest_format=1)
    with pytest.raises(DataError, match=r"has format 1, .* reads formats up to 0: update paragauge"):
        read_manifest(tmp_path / "t", "table", newest_format=0)


def test_incomplete_and_changed_files_are_noticed(tmp_path):
    rows = make(tmp_path / "t") / "rows.txt"
    rows.write_text("atad")
    read_manifest(tmp_path / "t", "table", newest_format=1, verify=False)
    with pytest.raises(DataError, match=r"rows\.txt does not match; the file is damaged"):
        read_manifest(tmp_path / "t", "table", newest_format=1)
    rows.write_text("dat")
    with pytest.raises(DataError, match=r"rows\.txt has 3 bytes, expected 4; the copy may be incomplete"):
        read_manifest(tmp_path / "t", "table", newest_format=1)
    rows.unlink()
    with pytest.raises(DataError, match=r"the file rows\.txt is missing"):
        read_manifest(tmp_path / "t", "table", newest_format=1)


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "..", "a/../../b", "a//b", "./a", "a\\b", "c:b", "manifest.json", "", "a\nb"]
)
def test_manifest_cannot_point_outside_of_its_folder(tmp_path, name):
    sign_again(make(tmp_path / "t"), files={name: {"bytes": 1, "sha256": ""}})
    with pytest.raises(DataError, match="names a file outside the folder"):
        read_manifest(tmp_path / "t", "table", newest_format=1)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": 1}', "[" * 100000, '{"files": 3}', "\udcff"])
def test_damaged_manifest_is_a_data_error(tmp_path, text):
    (make(tmp_path / "t") / MANIFEST).write_bytes(text.encode("utf-8", errors="surrogateescape"))
    with pytest.raises(DataError):
        read_manifest(tmp_path / "t", "table", newest_format=1)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(format=float("inf")),
        lambda data: data.update(format=-1),
        lambda data: data.update(format=10**40),
        lambda data: data.update(kind=["table"]),
        lambda data: data.update(made_by="\ud800"),
        lambda data: data["files"]["rows.txt"].update(bytes=float("inf")),
        lambda data: data["files"]["rows.txt"].update(bytes="5"),
        lambda data: data["files"].update({"\ud800": {"bytes": 1, "sha256": ""}}),
    ],
)
@pytest.mark.parametrize("checksum", [True, False])
def test_absurd_entries_of_a_manifest_are_a_data_error(tmp_path, change, checksum):
    folder = make(tmp_path / "t")
    data = json.loads((folder / MANIFEST).read_text())
    change(data)
    if checksum:
        data["checksum"] = hashlib.sha256(
            json.dumps({name: value for name, value in data.items() if name != "checksum"}, sort_keys=True).encode()
        ).hexdigest()
    else:  # as the first versions wrote them
        del data["checksum"]
    (folder / MANIFEST).write_text(json.dumps(data))
    with pytest.raises(DataError, match="is damaged") as caught:
        read_manifest(folder, "table", newest_format=1)
    str(caught.value).encode()
