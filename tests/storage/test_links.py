"""Links in flat arrays: what the reader makes of any text."""

from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import DataError
from paragauge.storage.links import read_link_batches


@given(st.text(alphabet="0123-p?P:\t \n\r\u00e9", max_size=40), st.booleans())
def test_the_reader_of_links_gives_links_or_says_why_not(tmp_path_factory, text, one_based):
    path = tmp_path_factory.mktemp("fuzz") / "links"
    path.write_text(text, encoding="utf-8", newline="")
    try:
        batches = list(read_link_batches(path, 2, one_based=one_based))
    except DataError as error:
        assert error.line is not None  # noqa: PT017 - either outcome is right
        return
    found = [
        [tuple(pair) for pair in arrays.positions.reshape(-1, 2)[begin:end].tolist()]
        for arrays, _ in batches
        for begin, end in zip(arrays.offsets, arrays.offsets[1:], strict=False)
    ]
    lines = text.split("\n")[: -1 if text.endswith("\n") or not text else None]
    assert len(found) == len(lines)
    for links, line in zip(found, lines, strict=True):
        assert len(links) == len(line.split())
