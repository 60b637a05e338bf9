"""Hand-aligned pairs in every form, basic phrase pairs, links through a foreign sentence."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.phrases import consistent_boxes

from paragauge.align import AlignedPairs, Alignment, GoldAlignment, basic_phrase_pairs, read_aligned_pairs
from paragauge.align.annotated import read_sentence_pairs, read_two_annotators
from paragauge.align.through import align_through
from paragauge.corpora.groups import read_groups
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError, OptionError

PAIR = {"source": "he left us", "target": "he went away", "sureAlign": "0-0 1-1", "possibleAlign": "1-2", "id": "x:1"}
FORMS = {
    "array": json.dumps([PAIR], indent=4),
    "lines": json.dumps(PAIR) + "\n",
    "table": "source\ttarget\tlinks\nhe left us\the went away\t0-0 1-1 1p2\n",
    "two columns": "target\tpossible\tlinks\tsource\nhe went away\t1-2\t0-0 1-1\the left us\n",
    "multimwa": "0:0\the left us\tN/A\the went away\tN/A\t1\t1\t0-0 1-1 1-2-P\t\t\n",
    "msr": "\ufeff\ufeff# sentence pair 1\r\n\ufeffhe left us \r\n"
    "NULL ({ 3 / / }) \ufeffhe ({ 1 / / }) went ({ 2 / / }) away ({ p2 / / }\r\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("packing", ["plain", "gzip", "crlf"])
def test_every_form_is_read(tmp_path, form, packing):
    data = FORMS[form].encode()
    if packing == "crlf":
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    path = tmp_path / "gold"
    path.write_bytes(gzip.compress(data) if packing == "gzip" else data)
    gold = read_aligned_pairs(path)
    assert gold.pairs == ParaphrasePairs(("he left us",), ("he went away",))
    assert gold.links == (GoldAlignment.from_pharaoh("0-0 1-1 1-2-P"),)
    assert (gold.has_possible, gold.lengths(), len(gold)) == (True, [(3, 3)], 1)


def test_links_and_possible_links_may_stand_apart(tmp_path):
    (tmp_path / "pairs").write_text("source\ttarget\tgroup\na b\tx y\tg\na b\tz\tg\n")
    (tmp_path / "links").write_text("1-1 2-2-P\n1-1\n")
    gold = read_aligned_pairs(tmp_path / "pairs", links=tmp_path / "links", one_based=True)
    assert gold.pairs.groups == ("g", "g")
    assert [each.to_pharaoh() for each in gold.links] == ["0-0 1-1-P", "0-0"]
    for name, links in (("sure", "0-0"), ("all", "0-0 1-1")):
        (tmp_path / name).write_text(json.dumps([{**PAIR, "sureAlign": links, "possibleAlign": ""}]))
    joined = read_aligned_pairs(tmp_path / "sure", possible=tmp_path / "all")
    assert joined.links[0].to_pharaoh() == "0-0 1-1-P"
    assert joined.digest != read_aligned_pairs(tmp_path / "sure").digest


def test_groups_of_json_and_pairs_without_one(tmp_path):
    (tmp_path / "gold").write_text(json.dumps([{**PAIR, "group": 7}, {**PAIR, "group": 7}, PAIR]))
    assert read_aligned_pairs(tmp_path / "gold").pairs.group_names() == ("7", "7", "pair 3")


WRONG = {
    b"": "the file is empty, expected hand-aligned sentence pairs",
    b" \n": "the file is empty",
    b"[{]": "1: not valid JSON",
    b"[1]": "pair 1 is a number",
    b"[]": "there are no pairs",
    b'[{"source": "a", "target": "b"}]': "pair 1: 'sureAlign' is missing",
    b'[{"source": "a", "target": ["b"], "sureAlign": ""}]': "pair 1: 'target' is an array",
    b'[{"source": "a", "target": "b", "sureAlign": "0-1"}]': "pair 1: link 0-1 points past the target",
    b'[{"source": "a", "target": "b", "sureAlign": "0:1"}]': "'0:1' is not an alignment link",
    b"[" * 100_000: "the JSON cannot be used",
    b"source\ttarget\na\tb\n": "there is no column 'links'",
    b"source\ttarget\tlinks\na\tb\t0-7\n": "2: link 0-7 points past",
    b"source\ttarget\tlinks\n": "found only a header",
    b"0-0 1-1\n": "links without their sentences",
    b"a\tb\n": "pass it with --links",
    b"# sentence pair 1\na b\n": "1: the file ends within a pair",
    b"# sentence pair 1\na b\nx y\n": "3: found 'x y'",
    b"# sentence pair 1\na b\nNULL ({ / / }) x ({ q / / })\n": "3: 'q' is not a position",
    b"# sentence pair 1\na b\nNULL ({ / / }) x ({ 0 / / })\n": "3: '0' is not a position",
    b"# sentence pair 1\na b\nNULL ({ / / }) x ({ 3 / / })\n": "3: link 2-0 points past the source",
    b"# sentence pair 1\na\nNULL ({ / / })\nb\n": "4: found 'b', expected '# sentence pair N'",
    "source\ttarget\tlinks\ncaf\xe9\tb\t\n".encode("latin-1"): "2: ",
}


@pytest.mark.parametrize("data", WRONG, ids=lambda data: repr(data[:20]))
def test_wrong_files_are_explained(tmp_path, data):
    (tmp_path / "gold").write_bytes(data)
    with pytest.raises(DataError, match=WRONG[data].replace("(", r"\(").replace("[", r"\[")):
        read_aligned_pairs(tmp_path / "gold")


def test_other_encodings_and_other_pairs(tmp_path):
    (tmp_path / "gold").write_bytes("source\ttarget\tlinks\ncafé\tbar\t0-0\n".encode("latin-1"))
    gold = read_aligned_pairs(tmp_path / "gold", encoding="latin-1")
    assert gold.pairs.source == ("café",)
    with pytest.raises(DataError, match="pair 1 has different sentences"):
        gold.with_possible(AlignedPairs(ParaphrasePairs(("a",), ("b",)), (GoldAlignment.from_pharaoh(""),)))
    with pytest.raises(DataError, match="have 1 and 2 pairs"):
        gold.with_possible(AlignedPairs(ParaphrasePairs(("café",) * 2, ("bar",) * 2), gold.links * 2))
    with pytest.raises(DataError, match="pair 1: link 1-0 points past"):
        AlignedPairs(gold.pairs, (GoldAlignment.from_pharaoh("1-0"),))
    with pytest.raises(DataError, match="expected 1, one for each pair"):
        AlignedPairs(gold.pairs, ())
    (tmp_path / "links").write_text("")
    (tmp_path / "pairs").write_text("a\tb\n")
    with pytest.raises(DataError, match="has 0 lines, expected 1"):
        read_aligned_pairs(tmp_path / "pairs", links=tmp_path / "links")


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=7))
def test_basic_phrase_pairs_are_the_smallest_around_each_link(links):
    boxes = list(consistent_boxes(5, 5, links, 5))
    expected = {}
    for i, j in links:
        around = [box for box in boxes if box[0] <= i <= box[1] and box[2] <= j <= box[3]]
        smallest = min(around, key=lambda box: (box[1] - box[0] + 1) * (box[3] - box[2] + 1))
        assert all(box[0] <= smallest[0] and smallest[1] <= box[1] for box in around)
        expected.setdefault(smallest, set()).add((i, j))
    assert basic_phrase_pairs(Alignment.of(links)) == expected


def test_links_through_foreign_sentences():
    # e1 "a big dog", e2 "a large dog"; f "un gros chien", g "ein Hund" which lacks the adjective.
    through_f = [Alignment.from_pharaoh("0-0 1-1 2-2")]
    through_g = [Alignment.from_pharaoh("0-0 2-1")]
    ways = [(through_f, through_f), (through_g, through_g)]
    assert align_through(ways)[0].to_pharaoh() == "0-0 1-1 2-2"
    assert align_through(ways, votes=2)[0].to_pharaoh() == "0-0 2-2"
    with pytest.raises(OptionError, match="votes must be between 1 and the number of languages, 2"):
        align_through(ways, votes=3)
    with pytest.raises(DataError, match="the second links of language 1 has 2"):
        align_through([(through_f, through_f * 2)])
    with pytest.raises(DataError, match="no foreign language"):
        align_through([])


def test_groups_of_sentences(tmp_path):
    (tmp_path / "groups").write_bytes(b"a b\tc\t\td\r\ne\n\n")
    assert read_groups(tmp_path / "groups") == [("a b", "c", "d"), ("e",), ()]
    (tmp_path / "groups").write_text("a b\n")
    with pytest.raises(DataError, match="no line has two sentences"):
        read_groups(tmp_path / "groups")


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "pairs", "links"),
    [
        ("edinburgh_pp/gold.train.sure.json", 714, None),
        ("multimwa/wiki-dev.tsv.gz", 533, None),
        ("multimwa/wiki-train.tsv.gz", 2514, None),
        (
            "msr_rte06_align/RTE2_dev_A.align.txt.gz",
            800,
            "0-0-P 0-1-P 1-0-P 1-1-P 3-0 4-1 13-4 14-5 15-6 16-7 17-8 37-9",
        ),
        ("msr_rte06_align/RTE2_dev_B.align.txt.gz", 800, None),
        ("msr_rte06_align/RTE2_dev_C.align.txt.gz", 800, None),
        ("msr_rte06_align/RTE2_dev_M.align.json.gz", 800, "3-0 4-1 13-4 14-5 15-6 16-7 17-8 37-9"),
    ],
)
def test_published_gold_is_read(data_folder, name, pairs, links):
    gold = read_aligned_pairs(data_folder / name)
    assert len(gold) == pairs
    assert links is None or gold.links[0].to_pharaoh() == links
    assert sum(len(each.sure) for each in gold.links) > 5 * pairs


def test_sentence_pairs_need_no_links(tmp_path):
    path = tmp_path / "pairs"
    path.write_text("a b\tx y\n")
    assert read_sentence_pairs(path).target == ("x y",)
    path.write_text("source\ttarget\tlinks\na b\tx y\t0-0\n")
    assert read_sentence_pairs(path).source == ("a b",)
    path.write_text("a b\n")
    with pytest.raises(DataError, match="expected hand-aligned sentence pairs"):
        read_sentence_pairs(path)


def test_files_that_differ_in_quotation_marks_are_told_apart(tmp_path):
    rows = {"gold.tsv": "he said `` no '' to -LRB- all -RRB- of us", "mine.tsv": "he said '' no '' to ( all ) of us"}
    for name, source in rows.items():
        (tmp_path / name).write_text(f"source\ttarget\tlinks\nyes\tno\t0-0\n{source}\tno\t2-0\nyes\tso\t0-0\n")
    gold, mine = (read_aligned_pairs(tmp_path / name) for name in rows)
    expected = (
        'mine.tsv: pair 2 has different sentences in the two files, such as "he said `` no \'\' to" and "he said '
        "'' no '' to\"; 1 of 3 pairs differ, 1 of them only in how quotation marks and brackets are written"
    )
    with pytest.raises(DataError) as caught:
        gold.same_pairs(mine, path=tmp_path / "mine.tsv")
    assert expected in str(caught.value)
    for name, source in rows.items():
        (tmp_path / name).write_text(f"source\ttarget\tlinks\n{source}{' too' * (name == 'gold.tsv')}\tno\t2-0\n")
    with pytest.raises(DataError, match="1 of 1 pairs differ; expected the same words in both"):
        read_aligned_pairs(tmp_path / "gold.tsv", possible=tmp_path / "mine.tsv")


def test_two_annotators(tmp_path):
    for name, text in {
        "en": "a b\n", "fr": "x y\n", "one": "0-0\n", "marked": "1p1\n",
        "one.tsv": "source\ttarget\tlinks\na b\tx y\t0-0\n", "two.tsv": "source\ttarget\tlinks\na b\tx z\t1p1\n",
        "longer.tsv": "source\ttarget\tlinks\na b c\tx y\t0-0\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    texts = tmp_path / "en", tmp_path / "fr"
    beside = read_two_annotators(tmp_path / "one", tmp_path / "marked", texts=texts)
    assert beside == read_two_annotators(tmp_path / "one.tsv", tmp_path / "two.tsv")
    assert beside.lengths == [(2, 2)]
    assert [each[0].to_pharaoh() for each in (beside.one, beside.other)] == ["0-0", "1-1"]
    with pytest.raises(
        DataError, match=r"longer\.tsv: pair 1 has different sentences in the two files, such as 'a b' and 'a b"
    ):
        read_two_annotators(tmp_path / "one.tsv", tmp_path / "longer.tsv")
