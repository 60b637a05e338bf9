"""Alignment values, Pharaoh text, gold links, quality, symmetrisation."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.align import (
    SYMMETRIZATIONS,
    Alignment,
    AlignmentQuality,
    GoldAlignment,
    alignment_error_rate,
    alignment_quality,
    read_gold,
    read_pharaoh,
    symmetrize,
    symmetrize_all,
    write_pharaoh,
)
from paragauge.errors import DataError, FileError, OptionError

links = st.frozensets(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40)
alignments = links.map(Alignment)


@given(alignments, st.booleans())
def test_pharaoh_text_comes_back_as_it_was(alignment, one_based):
    text = alignment.to_pharaoh(one_based=one_based)
    assert Alignment.from_pharaoh(text, one_based=one_based) == alignment


@given(links, links, st.booleans())
def test_gold_text_comes_back_as_it_was(sure, possible, one_based):
    gold = GoldAlignment.of(Alignment(sure), Alignment(possible))
    assert GoldAlignment.from_pharaoh(gold.to_pharaoh(one_based=one_based), one_based=one_based) == gold


@given(st.lists(alignments, max_size=5), st.booleans())
def test_pharaoh_files_come_back_as_they_were(tmp_path_factory, items, packed):
    path = tmp_path_factory.mktemp("pharaoh") / ("a.align.gz" if packed else "a.align")
    assert write_pharaoh(path, items) == len(items)
    assert list(read_pharaoh(path)) == items


@given(alignments, alignments, alignments)
def test_composition_through_a_pivot_is_associative_and_inverts(one, two, three):
    assert one.compose(two).compose(three) == one.compose(two.compose(three))
    assert one.compose(two).inverted() == two.inverted().compose(one.inverted())
    assert one.inverted().inverted() == one


def test_composition_by_hand():
    to_pivot = Alignment.from_pharaoh("0-0 1-1 1-2")
    from_pivot = Alignment.from_pharaoh("0-5 2-3 2-4 7-7")
    assert to_pivot.compose(from_pivot).to_pharaoh() == "0-5 1-3 1-4"


@pytest.mark.parametrize(
    ("text", "sure"),
    [("3-4", True), ("3-4-S", True), ("3-4-P", False), ("3-4-p", False), ("3p4", False), ("3?4", False)],
)
def test_marks_of_possible_links(text, sure):
    gold = GoldAlignment.from_pharaoh(text)
    assert ((3, 4) in gold.sure) == sure
    assert (3, 4) in gold.possible


@pytest.mark.parametrize("word", ["1:2", "1-", "-1-2", "a-b", "1-2-3", "1-2-X", "١-٢"])
def test_words_that_are_no_links_are_refused(word):
    with pytest.raises(DataError, match=r"is not an alignment link; expected 'i-j' with 0-based integers, as in"):
        Alignment.from_pharaoh(f"0-0 {word}")


def test_errors_name_file_and_line(tmp_path):
    path = tmp_path / "dev.align"
    path.write_text("0-0\n1:2\n")
    with pytest.raises(DataError, match=r"dev\.align:2: '1:2' is not an alignment link"):
        list(read_pharaoh(path))
    path.write_text("0-0\n1-1\n5-7\n")
    lengths = [(6, 7)] * 3
    message = r"dev\.align:3: link 5-7 points past the target sentence \(7 tokens\); if your links"
    with pytest.raises(DataError, match=message):
        list(read_pharaoh(path, lengths=lengths))
    with pytest.raises(DataError, match=r"dev\.align:3: link 5-7 points past the source sentence \(5 tokens\)"):
        list(read_gold(path, lengths=[(5, 9)] * 3))
    with pytest.raises(DataError, match=r"dev\.align:1: link 0-0 counts from 0"):
        list(read_pharaoh(path, one_based=True))
    with pytest.raises(DataError, match=r"has 3 lines, expected 4"):
        list(read_pharaoh(path, lengths=[(9, 9)] * 4))
    with pytest.raises(DataError, match=r"has more than 2 lines, expected 2"):
        list(read_pharaoh(path, lengths=[(9, 9)] * 2))
    with pytest.raises(DataError, match=r"dev\.align:3: has more lines than there are sentence pairs"):
        list(read_gold(path, lengths=[(9, 9)] * 2))
    with pytest.raises(FileError, match="no such file"):
        list(read_gold(tmp_path / "absent"))


def test_gold_may_be_shorter_than_the_text_and_packed(tmp_path):
    path = tmp_path / "gold"
    path.write_bytes(gzip.compress(b"1-1 2-1-P\n\n"))
    gold = list(read_gold(path, one_based=True, lengths=[(2, 2)] * 5))
    assert [g.to_pharaoh() for g in gold] == ["0-0 1-0-P", ""]


def test_sure_links_must_be_possible():
    with pytest.raises(DataError, match="sure link 0-0 is not among the possible"):
        GoldAlignment(Alignment.from_pharaoh("0-0"), Alignment())


def test_quality_by_hand():
    gold = GoldAlignment.from_pharaoh("0-0 1-1 2-1-P")
    quality = alignment_quality(Alignment.from_pharaoh("0-0 2-1 3-3"), gold)
    assert quality == AlignmentQuality(predicted=3, sure=2, predicted_sure=1, predicted_possible=2)
    assert quality.precision == pytest.approx(2 / 3)
    assert quality.recall == pytest.approx(1 / 2)
    assert quality.f1 == pytest.approx(2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2))
    assert quality.aer == pytest.approx(1 - (1 + 2) / (3 + 2))


def test_corpus_quality_sums_counts_and_does_not_average():
    gold = [GoldAlignment.from_pharaoh("0-0"), GoldAlignment.from_pharaoh("0-0 1-1 2-2")]
    predicted = [Alignment.from_pharaoh("0-1"), Alignment.from_pharaoh("0-0 1-1 2-2")]
    assert alignment_error_rate(predicted, gold) == pytest.approx(1 - (3 + 3) / (4 + 4))
    with pytest.raises(DataError, match="alignments has 1, gold has 2"):
        alignment_quality(predicted[:1], gold)


def test_quality_of_nothing():
    nothing = alignment_quality(Alignment(), GoldAlignment.from_pharaoh(""))
    assert (nothing.precision, nothing.recall, nothing.aer) == (1.0, 1.0, 0.0)
    missed = alignment_quality(Alignment(), GoldAlignment.from_pharaoh("0-0"))
    assert (missed.precision, missed.recall, missed.f1, missed.aer) == (1.0, 0.0, 0.0, 1.0)


def grown(forward, backward, final):
    """Grow-diag, slow and obvious: visit kept links in the order in which they were kept."""
    union = forward | backward
    kept = sorted(forward & backward)
    steps = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]

    def free(i, j):
        return all(a != i for a, _ in kept), all(b != j for _, b in kept)

    for i, j in kept:  # grows while we walk
        for di, dj in steps:
            new = (i + di, j + dj)
            if new in union and new not in kept and any(free(*new)):
                kept.append(new)
    for directed in (forward, backward):
        for link in sorted(directed):
            if final is not None and link not in kept and final(free(*link)):
                kept.append(link)
    return frozenset(kept)


@given(
    st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 6))),
    st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 6))),
)
def test_symmetrisation_equals_the_obvious_one(forward, backward):
    found = {m: symmetrize(Alignment(forward), Alignment(backward), m).links for m in SYMMETRIZATIONS}
    assert found["intersection"] == forward & backward
    assert found["union"] == forward | backward
    assert found["grow-diag"] == grown(forward, backward, None)
    assert found["grow-diag-final"] == grown(forward, backward, any)
    assert found["grow-diag-final-and"] == grown(forward, backward, all)
    assert found["intersection"] <= found["grow-diag"] <= found["grow-diag-final-and"]
    assert found["grow-diag"] <= found["grow-diag-final"] <= found["union"]


def test_symmetrisation_checks_what_it_gets():
    one = Alignment.from_pharaoh("0-0")
    with pytest.raises(OptionError, match="no symmetrisation named 'grow'"):
        symmetrize(one, one, "grow")
    with pytest.raises(DataError, match="forward has 1, backward has 2"):
        symmetrize_all([one], [one, one])
    with pytest.raises(DataError, match="points past the source sentence"):
        symmetrize_all([one], [one], lengths=[(0, 3)])
