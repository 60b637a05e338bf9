"""Links in flat arrays: what the reader makes of any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.align import Alignment, GoldAlignment
from paragauge.align.annotated import read_aligned_pairs
from paragauge.errors import DataError
from paragauge.phrases import extract_phrases, read_moses, read_phrase_tsv
from paragauge.storage.links import LinkPlace, link_text, parse_line, parse_links, read_link_batches


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


@given(
    st.lists(st.sampled_from(["0-0", "1-2", "3p4", "3?4", "2-1-P", "2-1-s"]), max_size=6),
    st.sampled_from(" \t\u2003\n"),
)
def test_one_line_equals_a_batch_and_knows_sure_links(words, space):
    parsed = parse_line(space.join(words))
    assert [position for link, _ in parsed for position in link] == parse_links(
        [" ".join(words)], LinkPlace()
    ).positions.tolist()
    assert [sure for _, sure in parsed] == [word in ("0-0", "1-2", "2-1-s") for word in words]
    assert link_text(space.join(words)) == " ".join(f"{i}-{j}" for (i, j), _ in parsed)


def test_every_reader_of_links_says_the_same(tmp_path):
    def file(text):
        (tmp_path / "file").write_text(text)
        return tmp_path / "file"

    readers = [
        lambda: Alignment.from_pharaoh("0-0 1:2"),
        lambda: GoldAlignment.from_pharaoh("0-0 1:2"),
        lambda: extract_phrases(["a"], ["x"], ["0-0 1:2"]),
        lambda: list(read_link_batches(file("0-0 1:2\n"), 5)),
        lambda: read_aligned_pairs(file("source\ttarget\tlinks\na\tx\t0-0 1:2\n")),
        lambda: read_moses(file("a ||| x ||| 1 1 1 1 ||| 0-0 1:2 ||| 1 1 1\n")),
        lambda: read_phrase_tsv(file("source\ttarget\tcount\talignment\na\tx\t1\t0-0 1:2\n")),
    ]
    for read in readers:
        with pytest.raises(DataError, match="'1:2' is not an alignment link; expected 'i-j' with 0-based integers"):
            read()
