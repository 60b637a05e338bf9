"""Documents of segments."""

import pytest

from paragauge.corpora.documents import read_documents
from paragauge.errors import DataError


def test_documents_follow_the_segments(tmp_path):
    path = tmp_path / "documents.tsv"
    path.write_text("segment\tdocument\n1\tnews\n2\tnews\n3\tsport\n")
    assert read_documents(path, ["3", "1"]) == ["sport", "news"]
    with pytest.raises(DataError, match="there is no document for segment '4'"):
        read_documents(path, ["4"])
    path.write_text("segment\tgenre\n1\tnews\n")
    with pytest.raises(DataError, match="expected segment and document"):
        read_documents(path, ["1"])
