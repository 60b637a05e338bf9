from __future__ import annotations

import csv
import gzip
import io
import subprocess
import sys
import time

import pytest

from paragauge.corpora import TestSet, merge_testsets, read_plain_testset, read_testset, write_testset
from paragauge.corpora.plain import system_names
from paragauge.errors import DataError, FileError, OptionError


@pytest.fixture
def put(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# The value itself


def test_segments_leave_out_the_references_that_a_segment_lacks():
    testset = TestSet(ids=["1", "2"], references={"A": ["a", ""], "B": ["b", "c"]}, candidates={"s": ["x", "y"]})
    assert testset.segments("s").references == (("a", "b"), ("c",))
    assert testset.systems == ("s",)
    assert len(testset) == 2


def test_unknown_system_lists_the_known_ones():
    testset = TestSet(ids=["1"], candidates={"moses": ["x"]})
    with pytest.raises(OptionError, match="no system named 'mose'; did you mean 'moses'"):
        testset.segments("mose")


def test_testset_without_candidates_cannot_be_scored():
    with pytest.raises(DataError, match="no candidates to score"):
        TestSet(ids=["1"], originals=["x"]).segments("s")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"ids": []}, "the test set is empty"),
        ({"ids": "12", "originals": ["a", "b"]}, "ids is one string"),
        ({"ids": ["1", "1"], "originals": ["a", "b"]}, "segments 1 and 2 have the same id '1'"),
        ({"ids": [""], "originals": ["a"]}, "ids: item 1 is ''"),
        ({"ids": ["1"]}, "has no texts"),
        ({"ids": ["1"], "originals": [3]}, "originals: segment 1 is int"),
        ({"ids": ["1"], "originals": ["a"], "documents": [""]}, "documents: item 1 is ''"),
        ({"ids": ["1"], "originals": ["a"], "name": ""}, "name: item 1 is ''"),
        ({"ids": ["1"], "candidates": {"": ["a"]}}, "candidate names: item 1 is ''"),
        ({"ids": ["1"], "candidates": {"s": "a"}}, "candidate 's' is one string"),
        ({"ids": ["1"], "candidates": {"s": ["a", "b"]}}, "ids has 1, candidate 's' has 2 segments"),
        ({"ids": ["1"], "references": [["a"]]}, "references is list, expected a mapping"),
    ],
)
def test_testset_says_what_is_wrong(fields, message):
    with pytest.raises(DataError, match=message):
        TestSet(**fields)


def test_merging_puts_parts_together_in_the_order_of_the_first():
    source = TestSet(ids=["1", "2"], originals=["a", "b"], name="n")
    system = TestSet(ids=["2", "1"], candidates={"s": ["y", "x"]}, target_language="en")
    assert merge_testsets([source, system]) == TestSet(
        ids=["1", "2"], originals=["a", "b"], candidates={"s": ["x", "y"]}, name="n", target_language="en"
    )


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (TestSet(ids=["1"], candidates={"t": ["x"]}), "part 2 .* lacks the segment '2'"),
        (
            TestSet(ids=["1", "2", "3"], candidates={"t": ["x"] * 3}),
            "has the segment '3', which part 1 lacks",
        ),
        (TestSet(ids=["1", "2"], candidates={"s": ["x", "y"]}), "candidates named 's'"),
        (TestSet(ids=["1", "2"], originals=["x", "y"], name="m"), "differ in name: 'n' and 'm'"),
    ],
)
def test_merging_parts_that_do_not_fit_is_refused(other, message):
    first = TestSet(ids=["1", "2"], candidates={"s": ["x", "y"]}, name="n")
    with pytest.raises(DataError, match=message):
        merge_testsets([first, other])


# Plain files


def test_plain_files_make_a_testset_numbered_by_line(put):
    testset = read_plain_testset(
        [put("moses.txt", "x\ny\n"), put("nmt.gz", gzip.compress(b"v\nw\n"))],
        references=[put("ref.a", "r\n\n"), put("ref.b", "s\nt\n")],
        originals=put("orig", "o\np\n"),
    )
    assert testset == TestSet(
        ids=["1", "2"],
        candidates={"moses": ["x", "y"], "nmt": ["v", "w"]},
        references={"1": ["r", ""], "2": ["s", "t"]},
        originals=["o", "p"],
    )
    assert testset.segments("nmt").references == (("r", "s"), ("t",))


def test_empty_line_in_every_reference_leaves_nothing_to_match(put):
    testset = read_plain_testset([put("c", "x\ny\n")], references=[put("r", "r\n\n")])
    assert testset.segments("c").references == (("r",), ("",))


def test_system_names_fall_back_to_paths_where_they_coincide():
    assert system_names(["a/x.txt.gz", "y.txt", "b/x"]) == ["a/x.txt.gz", "y", "b/x"]
    assert system_names(["-", ".txt"]) == ["stdin", ".txt"]
    # The path of the first is the short name of the last.
    assert system_names(["x.txt", "x.gz", "x.txt.txt"]) == ["x.txt", "x.gz", "x.txt.txt"]


def test_the_same_candidate_file_twice_is_refused(put):
    path = put("c", "x\n")
    with pytest.raises(OptionError, match="is given 2 times as a candidate"):
        read_plain_testset([path, path])


def test_unequal_plain_files_name_both(put):
    with pytest.raises(DataError, match=r"c\.txt has 3, .*ref has 2 segments; the first .* partner is 3"):
        read_plain_testset([put("c.txt", "x\ny\nz\n")], references=[put("ref", "x\ny\n")])


def test_references_in_tab_separated_columns_look_transposed(put):
    with pytest.raises(
        DataError, match=r"ref: references look transposed: each line has 3 tab-separated fields.*cut -f1"
    ):
        read_plain_testset([put("c", "x\ny\n")], references=[put("ref", "a\tb\tc\nd\te\tf\n")])


def test_one_reference_file_for_each_segment_looks_transposed(put):
    files = [put(f"ref.{i}", "a\nb\n") for i in range(3)]
    with pytest.raises(DataError, match=r"look transposed: found 3 files .* of 2 lines for 3 segments"):
        read_plain_testset([put("c", "x\ny\nz\n")], references=files)


def test_references_stacked_in_one_file_are_recognised(put):
    with pytest.raises(DataError, match=r"c has 2, .*ref has 6 .*exactly 3 lines per segment: .*holds 3"):
        read_plain_testset([put("c", "x\ny\n")], references=[put("ref", "a\n" * 6)])


def test_sgml_given_as_plain_text_is_recognised(put):
    with pytest.raises(DataError, match=r"c:1: looks like SGML or XML \(it begins with <tstset\)"):
        read_plain_testset([put("c", '<tstset setid="x">\n')])


def test_empty_plain_file_is_refused(put):
    with pytest.raises(DataError, match="ref: the file is empty, expected one segment on each line"):
        read_plain_testset([put("c", "x\n")], references=[put("ref", "")])


def test_one_path_instead_of_a_sequence_is_refused(put):
    with pytest.raises(OptionError, match="candidates is one path"):
        read_plain_testset(put("c", "x\n"))
    with pytest.raises(OptionError, match="no candidate files"):
        read_plain_testset([])


def test_million_token_line_in_every_format(put, tmp_path):
    line = "word " * 999_999 + "word"
    testset = TestSet(ids=["1"], references={"1": [line]}, candidates={"s": [line]})
    for format in ("tsv", "csv", "jsonl", "sgml", "xml"):
        write_testset(testset, tmp_path / "long", format)
        assert read_testset(tmp_path / "long") == testset
    assert read_plain_testset([put("s", line)], [put("r", line)]) == testset


# Tables


def test_tsv_columns_are_read(put):
    path = put("t.tsv", 'document\toriginal\treference\treference.B\tcandidate.s\nd\to\tr\t\t"x"\nd\tp\tq\tu\ty\n')
    assert read_testset(path) == TestSet(
        ids=["1", "2"],
        documents=["d", "d"],
        originals=["o", "p"],
        references={"1": ["r", "q"], "B": ["", "u"]},
        candidates={"s": ['"x"', "y"]},
    )


def test_csv_fields_may_be_quoted_and_span_lines(put):
    path = put("t", '"id","candidate"\r\n7,"say ""yes"",\r\nplease"\r\n')
    assert read_testset(path) == TestSet(ids=["7"], candidates={"candidate": ['say "yes",\r\nplease']})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id\tcandidate.s\n1\tx\ty\n", ":2: found 3 tab-separated fields, expected 2 as in the header"),
        ("id\tcandidate.s\n1\tx\n\n", ":3: the line is empty"),
        ("id\tcandidate.s\n1\tx\n1\ty\n", ":3: the id '1' was already used on line 2"),
        ("id\tcandidate.s\n\tx\n", ":2: the column 'id' is empty here"),
        ("id\tcandidate.s\tOnline-A\n1\tx\ty\n", ":1: unknown column 'Online-A'; known: id, document"),
        ("id\tcandidate.s\tcandidate.s\n1\tx\ty\n", "2 columns named 'candidate.s'"),
        ("id\tcandidate.s\t\n1\tx\ty\n", "column 3 of the header has no name"),
        ("id\tcandidate\tcandidate.candidate\n1\tx\ty\n", "mean the same; expected only one"),
        ("id\tcandidate.s\n", "found only a header"),
        ("testset\tcandidate.s\na\tx\nb\ty\n", ":3: the column 'testset' has 'b' here and 'a' on line 2"),
        ('id,candidate.s\n1,"x"y\n', ":2: not valid CSV"),
        ('id,candidate.s\n1,"x\ny\n', ":2: not valid CSV"),
        ('id,candidate.s\n1,"x\ny"\n2\n', ":4: found 1 comma-separated fields, expected 2"),
        ("id,candidate.s\n1,\xff\n".encode("latin-1"), ":2: byte 0xff at position 3 is not UTF-8"),
        ("id\n1\n", "has no texts"),
        ("hello world\n", ":1: the file begins with 'hello world', which is not a test set format"),
        ("[1]\n", "jq -c"),
        ("id;candidate.s\n1;x\n", "separates columns with semicolons"),
        ("", "the file is empty, expected a test set"),
        (b"\xef\xbb\xbf \n", "the file is empty, expected a test set"),
        (b"\xff\xfei\x00d\x00", "looks like UTF-16 text"),
    ],
)
def test_table_mistakes_are_named_with_their_line(put, content, message):
    with pytest.raises(DataError, match="t:?.*" + message.replace("[", r"\[")):
        read_testset(put("t", content))


def test_csv_field_size_limit_is_left_as_it_was(put):
    before = csv.field_size_limit()
    read_testset(put("t", "id,candidate.s\n1," + "x" * 200_000 + "\n"))
    assert csv.field_size_limit() == before


# JSON Lines


def test_jsonl_objects_are_read(put):
    path = put(
        "t",
        '{"id": 7, "original": "o", "references": ["r"], "candidates": {"s": "x"}, "document": null}\n'
        '{"id": "8", "original": "p", "references": ["q", "u"], "candidates": {"s": ""}}\n',
    )
    assert read_testset(path) == TestSet(
        ids=["7", "8"],
        originals=["o", "p"],
        references={"1": ["r", "q"], "2": ["", "u"]},
        candidates={"s": ["x", ""]},
    )


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"candidates": {"s": 3}}', ":1: 'candidates' of 's' is a number, expected a string"),
        ('{"candidates": {"s": null}}', "'candidates' of 's' is null"),
        ('{"candidates": ["x"]}', "'candidates' is an array, expected an object"),
        ('{"references": "x"}', "'references' is a string, expected an array"),
        ('{"references": [true]}', "item 1 of 'references' is a Boolean"),
        ('{"id": 1.5, "original": "x"}', "'id' is a number, expected a string"),
        ('{"id": "", "original": "x"}', "'id' is an empty string"),
        ('{"original": NaN}', "NaN is not JSON"),
        ('{"original": "x", "original": "y"}', "'original' occurs twice"),
        ('{"original": "\\ud800"}', "half of a surrogate pair"),
        ('{"source": "x"}', "unknown key 'source'; known: id, document"),
        ('{"original": "x"', "not a JSON object on one line"),
        ("{}", "has no texts"),
        ('{"original": "x"}\n\n', ":2: the line is empty"),
        ('{"original": "x"}\n3', ":2: found a number, expected a JSON object"),
        ('{"original": "x"}\n{"references": ["y"]}', ":2: 'original' is missing here but present on line 1"),
        ('{"id": 1, "original": "x"}\n{"id": 1, "original": "x"}', ":2: the id '1' was already used on line 1"),
        ('{"candidates": {"s": "x"}}\n{"candidates": {}}', ":2: the candidate of system 's' is missing here"),
        (
            '{"candidates": {}}\n{"candidates": {"s": "x"}}',
            ":2: the candidate of system 's' is missing on line 1",
        ),
        ('{"references": ["x"]}\n{"references": []}', ":2: there is no reference here"),
        ('{"testset": "a", "original": "x"}\n{"testset": "b", "original": "x"}', ":2: 'testset' is 'b' here"),
        ('{"original": ' + "[" * 100_000 + "}", "nested too deeply|not a JSON object"),
        ('{"id": ' + "1" * 5000 + "}", "the JSON object cannot be used"),
    ],
)
def test_jsonl_mistakes_are_named_with_their_line(put, lines, message):
    with pytest.raises(DataError, match=message):
        read_testset(put("t", lines))


# NIST SGML

SGML = """<?xml version="1.0"?>
<!DOCTYPE mteval SYSTEM "mteval-xml-v1.0.dtd">
<!-- a comment -->
<SRCSET setid="demo" srclang="cs">
<DOC docid=news.1 genre='nw'><url>http://example.org/?a=1&b=2</url>
<description>about <i>this</i> and that</description>
<hl>
<SEG ID=1> Titulek </SEG>
</hl>
<p>
<seg id="2">A &lt; B &amp; C &#233;
  druhý řádek</seg>
</DOC>
</SRCSET>
<refset setid="demo" srclang="any" trglang="en">
<doc docid="news.1" sysid="ref-a"><seg id=1>Headline</seg><seg id=2>A < B & C</seg></doc>
<doc docid="news.1" sysid="ref-b"><seg id=1>Title</seg></doc>
</refset>
<tstset setid="demo" trglang="en" sysid="moses">
<doc docid="news.1"><seg id="2">AT&T <b>x</b></seg><seg id="1"/></doc>
</tstset>
"""


def test_sgml_is_read_as_mteval_files_are_in_the_wild(put):
    assert read_testset(put("t", SGML)) == TestSet(
        ids=["1", "2"],
        documents=["news.1", "news.1"],
        originals=["Titulek", "A < B & C é druhý řádek"],
        references={"ref-a": ["Headline", "A < B & C"], "ref-b": ["Title", ""]},
        candidates={"moses": ["", "AT&T <b>x</b>"]},
        name="demo",
        source_language="cs",
        target_language="en",
    )


def test_sgml_segments_that_start_anew_in_each_document_get_its_name(put):
    documents = "".join(f'<doc docid="{name}"><seg id="1">{name}</seg></doc>' for name in "ab")
    testset = read_testset(put("t", f"<srcset>{documents}</srcset>"))
    assert testset.ids == ("a:1", "b:1")
    assert testset.originals == ("a", "b")


def test_sgml_references_without_names_are_counted(put):
    one = '<refset><doc docid="d"><seg id="1">x</seg></doc></refset>'
    assert read_testset(put("t", one + one)).references == {"1": ("x",), "2": ("x",)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "<srcset>\n<doc docid=d>\n<seg id=1>x\n<seg id=2>",
            ":3: the segment is not closed: <seg> follows on line 4",
        ),
        ("<srcset>\n<doc docid=d>\n<seg id=1>x\n", ":3: the segment is not closed: the file ends"),
        ("<srcset>\n<doc docid=d>\n<seg id=1>x</seg>\n", ":3: the file ends inside the <doc> of line 2"),
        ("<srcset>\n<doc docid=d></doc>", ":2: the file ends inside the <srcset> of line 1"),
        ("<srcset></srcset>", "found no segments"),
        ("<srcset>\n<seg id=1>x</seg>", ":2: found <seg> outside a document"),
        ("<mteval>\n<doc docid=d>", ":2: found <doc> outside a set"),
        ("<srcset><doc docid=d>\n<doc docid=e>", ":2: <doc> begins inside the <doc> of line 1"),
        ("<srcset>\n<refset>", ":2: <refset> begins inside the <srcset> of line 1"),
        ("<srcset></tstset>", "found </tstset> inside the <srcset> of line 1"),
        ("<srcset><doc docid=d></srcset>", "</srcset> is inside the <doc> of line 1"),
        ("<srcset></doc>", "found </doc> without <doc>"),
        ("<mteval></srcset>", "found </srcset> without <srcset>"),
        ("<srcset></seg>", "found </seg> without <seg>"),
        ("<srcset><doc docid=d>\nlost text\n", ":2: found text outside a segment: 'lost text'"),
        ("<srcset><doc docid=d><seg>x</seg>", "the segment has no id"),
        ("<srcset><doc docid=d><seg id=1>&#xD800;</seg>", "&#xD800; is not a character"),
        ("<srcset><doc docid='d>", "cannot read the attributes of <doc>"),
        ("<srcset><doc docid=d docid=e>", "has the attribute docid twice"),
        ("<srcset><doc docid=d", "the tag <doc> is not closed"),
        ("<srcset><!-- ", "the comment is not closed"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><srcset>", "a DTD with an internal subset"),
        ("<tstset><doc docid=d><seg id=1>x</seg></doc></tstset>", "the system has no name, expected sysid="),
        (
            "<srcset setid=a></srcset>\n<refset setid=b></refset>",
            ":2: <refset> has setid 'b', but line 1 has 'a'",
        ),
        (
            "<srcset><doc docid=d><seg id=1>x</seg>\n<seg id=1>y</seg></doc></srcset>",
            ":2: segment '1' of document 'd' has its original both here and on line 1",
        ),
        (
            "<srcset><doc docid=d><seg id=1>x</seg></doc></srcset>\n"
            "<tstset sysid=s><doc docid=d><seg id=2>x</seg></doc></tstset>",
            ":1: segment '1' of document 'd' has its original here, but its candidate 's' is missing",
        ),
        (
            "<srcset><doc docid=d><seg id=1>x</seg><seg id=2>x</seg></doc></srcset>\n"
            "<refset><doc docid=d><seg id=2>x</seg></doc></refset>",
            ":1: segment '1' of document 'd' has no reference",
        ),
        (
            "<srcset><doc><seg id=1>x</seg></doc><doc docid=d><seg id=2>x</seg></doc></srcset>",
            "has no name, but",
        ),
        ("<html><body>", "markup with the root element 'html'"),
    ],
)
def test_sgml_mistakes_are_named_with_their_line(put, content, message):
    with pytest.raises(DataError, match=message.replace("(", r"\(")):
        read_testset(put("t", content))


@pytest.mark.parametrize(
    "content",
    [
        "<srcset>" + "<doc docid=d><url>" * 100_000,
        "<srcset><doc docid=d>" + "<x>" * 200_000,
        "<srcset><doc docid=d><seg id=1>" + "<" * 500_000,
        "<srcset><doc docid=d><seg id=1>" + "</se" * 200_000,
        "<srcset><doc " + " ".join(f"a{i}=1" for i in range(100_000)) + ">",
        "<srcset><doc " + "a" * 500_000 + " " * 500_000 + ">",
        "<srcset><doc docid=d><seg id=1>" + " " * 500_000 + "&" * 500_000 + "&#1" * 200_000,
        "<srcset>" + "<!-- --" * 100_000,
        "<!-- -->" * 100_000 + "<!--",
        "<?" * 300_000,
    ],
)
def test_sgml_is_scanned_in_linear_time(put, content):
    path = put("t", content)
    start = time.process_time()
    with pytest.raises(DataError):
        read_testset(path)
    assert time.process_time() - start < 5  # quadratic time would be minutes


# WMT XML

XML = """<?xml version="1.0" encoding="utf-8"?>
<dataset id="newstest">
<collection id="general">
<doc origlang="cs" id="d1">
<src lang="cs"><p><seg id="1">Ahoj &amp; nazdar</seg><seg id="2"> Ano </seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">Hello</seg></p><p><seg id="2">Yes</seg></p></ref>
<ref lang="en" translator="B"><seg id="1">Hi</seg></ref>
<hyp language="en" system="Online-A"><p><seg id="1">Hey</seg><seg id="2"></seg></p></hyp>
</doc>
</collection>
<doc origlang="cs" id="d2" testsuite="names"><src lang="cs"><p><seg id="1">x</seg></p></src></doc>
</dataset>
"""


def test_wmt_xml_is_read_and_test_suites_are_left_out_aloud(put, caplog):
    assert read_testset(put("t", XML)) == TestSet(
        ids=["1", "2"],
        documents=["d1", "d1"],
        originals=["Ahoj & nazdar", " Ano "],
        references={"A": ["Hello", "Yes"], "B": ["Hi", ""]},
        candidates={"Online-A": ["Hey", ""]},
        name="newstest",
        source_language="cs",
        target_language="en",
    )
    assert "skipped 1 test suite document" in caplog.text


def test_wmt_xml_says_its_own_encoding(put):
    xml = '<?xml version="1.0" encoding="iso-8859-1"?>'
    xml += '<dataset><doc><src><seg id="1">été</seg></src></doc></dataset>'
    assert read_testset(put("t", xml.encode("latin-1"))).originals == ("été",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<dataset>\n<doc>", ":2: not well-formed XML"),
        ("<dataset>\n<doc>&x;</doc></dataset>", "not well-formed XML"),
        ("<!DOCTYPE dataset [<!ENTITY x 'y'>]><dataset/>", "found a document type definition"),
        ("<!DOCTYPE dataset SYSTEM 'file:///etc/passwd'><dataset/>", "found a document type definition"),
        ("<dataset/>", "found no segments"),
        ("<dataset>\n<seg/></dataset>", ":2: found <seg> in <dataset>, expected <collection>, <doc>"),
        ("<dataset>lost</dataset>", "found text outside a segment, in <dataset>: 'lost'"),
        (
            "<dataset><doc><src><seg id='1'>a <b>c</b></seg></src></doc></dataset>",
            "found <b> inside a segment",
        ),
        ("<dataset><doc><src><seg>a</seg></src></doc></dataset>", "the segment has no id"),
        ("<dataset><doc><hyp><seg id='1'>a</seg></hyp></doc></dataset>", "the system has no name"),
        ("<dataset><doc><src lang='a'/><src lang='b'/></doc></dataset>", "<src> is in 'b', but on line 1"),
        ("<dataset xmlns='x'/>", "the root element is '{x}dataset'"),
    ],
)
def test_wmt_xml_mistakes_are_named(put, content, message):
    with pytest.raises(DataError, match=message):
        read_testset(put("t", content))


def test_entity_bombs_are_refused(put):
    levels = "".join(f"<!ENTITY e{i} '{f'&e{i - 1};' * 10 if i else 'lol'}'>" for i in range(10))
    bomb = f"<!DOCTYPE dataset [{levels}]><dataset><doc><src><seg id='1'>&e9;</seg></src></doc></dataset>"
    with pytest.raises(DataError, match=r"definition|not well-formed"):
        read_testset(put("t", bomb))


# Choosing a format


def test_format_to_write_comes_from_the_name(tmp_path):
    testset = TestSet(ids=["1"], originals=["x"])
    write_testset(testset, tmp_path / "t.jsonl.gz")
    assert gzip.decompress((tmp_path / "t.jsonl.gz").read_bytes()) == b'{"id": "1", "original": "x"}\n'
    with pytest.raises(OptionError, match="the file name does not imply a format"):
        write_testset(testset, tmp_path / "t.txt")
    with pytest.raises(OptionError, match="no format named 'tvs'; did you mean 'tsv'"):
        write_testset(testset, tmp_path / "t.txt", "tvs")
    with pytest.raises(OptionError, match="no format named 'tvs'"):
        read_testset(tmp_path / "t.jsonl.gz", format="tvs")


def test_refused_writing_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_bytes(b"old")
    with pytest.raises(DataError, match=r"t\.tsv:2: the field 'a\\tb' contains a tab, .* write JSONL"):
        write_testset(TestSet(ids=["1"], originals=["a\tb"]), path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_format_can_be_forced(put):
    assert read_testset(put("t", "candidate.a,b\nx\n"), format="tsv").candidates == {"a,b": ("x",)}


def test_standard_input_is_read_and_unpacked(monkeypatch):
    class Stream:
        buffer = io.BufferedReader(io.BytesIO(gzip.compress(b"id\toriginal\n1\tx\n")))

    monkeypatch.setattr("sys.stdin", Stream)
    testset = read_testset("-")
    assert testset.originals == ("x",)


def test_standard_output_gets_the_testset(capsysbinary):
    write_testset(TestSet(ids=["1"], originals=["é"]), "-", "tsv")
    assert capsysbinary.readouterr().out == "id\toriginal\n1\té\n".encode()


def test_missing_file_and_directory_are_file_errors(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        read_testset(tmp_path / "absent")
    with pytest.raises(FileError, match="is a directory"):
        read_testset(tmp_path)


def test_importing_corpora_imports_nothing_heavy():
    code = "import sys, paragauge.corpora; print(sorted({'numpy', 'lxml', 'sacrebleu'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.data
def test_wmt21_makes_one_testset_with_two_references(tmp_path, data_folder):
    folder = data_folder / "wmt21_toen"
    testset = read_plain_testset(
        sorted((folder / "system-outputs").rglob("*.gz")),
        references=sorted((folder / "references").rglob("*.gz")),
        originals=next((folder / "sources").rglob("*.gz")),
    )
    assert len(testset.references) == 2
    for format in ("tsv", "csv", "jsonl", "sgml", "xml"):
        write_testset(testset, tmp_path / "t.gz", format)
        assert read_testset(tmp_path / "t.gz") == testset
