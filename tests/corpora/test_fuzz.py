"""Ten thousand random and damaged files to every reader: each ends in data or in one of our errors."""

from __future__ import annotations

import gzip
import random

import pytest

from paragauge import corpora
from paragauge.errors import ParagaugeError

ROUNDS = 20
INPUTS_A_ROUND = 500

# One good file for each reader, by its name in READERS.
EXAMPLES = {
    "tsv": b"id\tdocument\toriginal\treference\tcandidate.s\n1\td\to\tr\tx\n2\td\tp\tq\ty\n",
    "csv": b'id,original,reference.A,candidate.s\r\n1,"o ""q""",r,"x\ny"\r\n2,p,,z\r\n',
    "jsonl": b'{"id": 1, "original": "o", "references": ["r", ""], "candidates": {"s": "x"}}\n'
    b'{"id": "2", "original": "\\u00e9", "references": {"1": "q"}, "candidates": {"s": ""}}\n',
    "sgml": b'<mteval><srcset setid="t" srclang=cs><doc docid="d"><hl><seg id=1>A &amp; &#66;</seg></hl>'
    b'</doc></srcset>\n<refset setid="t" refid="a"><DOC docid="d"><SEG id="1">x < y</SEG></DOC></refset>\n'
    b"<tstset setid='t' sysid='s'><doc docid='d'><seg id=1> z\n w </seg></doc></tstset></mteval>\n",
    "xml": b'<?xml version="1.0" encoding="utf-8"?>\n<dataset id="t"><doc id="d" origlang="cs"><src>'
    b'<p><seg id="1">o &lt;</seg></p></src><ref lang="en" translator="A"><p><seg id="1">r</seg></p></ref>'
    b'<hyp system="s" language="en"><p><seg id="1">x</seg></p></hyp></doc></dataset>\n',
    "judgments tsv": b"system\tsegment\tjudge\tcriterion\tscore\na\t1\tann\toverall\t3.5\nb\t1\tbob\toverall\t\n",
    "judgments csv": b'system,segment,score\na,1,4\n"b",1,\n',
    "judgments jsonl": b'{"system": "a", "segment": 1, "judge": "ann", "score": 4.5}\n'
    b'{"system": "b", "segment": "1", "score": null}\n',
    "bitext bars": b"a house ||| une maison\nyes ||| oui\n",
    "bitext tsv": b"a house\tune maison\nyes\toui\n",
    "plain": "one\r\ndéjà vu\u2028\r\n\r\n".encode(),
}
FILES = list(EXAMPLES.values())

MARKS = rb"""
, " ' < > </ /> & &# &#xD800; &#1114112; &#0; &bad; = <seg> </seg> <doc> </doc> <!-- --> <![CDATA[ ]]>
<? ?> <p> { } [ ] null NaN 1e999 - true \ud800 \u \ : ||| id candidate. reference.1
encoding="utf-7" encoding="utf-16" encoding="x" version="1.1" xmlns='u' xml:id='1'
"""
BYTES = [
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b"\x00",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\xe2\x80\xa8",
]
LONG = [b"[" * 3000, b"9" * 5000, b" " * 50, b" ||| ", b"<!DOCTYPE x [", b"<x y='"]
SPLICES = [*MARKS.split(), *BYTES, *LONG]


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return *data* after one to four accidents."""
    result = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(result) + 1)
        end = min(len(result), place + rng.randint(1, 30))
        match rng.randrange(7):
            case 0 if place < len(result):
                result[place] ^= 1 << rng.randrange(8)
            case 1:
                result[place : len(result) if rng.random() < 0.3 else end] = b""
            case 2:
                result[place:place] = result[place:end]
            case 3:
                other = rng.choice(FILES)
                result[place:place] = other[rng.randrange(len(other)) :]
            case 4:
                result[place:end] = rng.choice(SPLICES)
            case _:
                result[place:place] = rng.choice(SPLICES)
    return bytes(result)


def fuzzed_input(rng: random.Random) -> bytes:
    if rng.random() < 0.05:
        data = rng.randbytes(rng.randrange(60))
    elif rng.random() < 0.05:
        data = b"".join(rng.choices(SPLICES, k=rng.randrange(12)))
    else:
        data = damaged(rng.choice(FILES), rng)
    if rng.random() < 0.03:
        data = gzip.compress(data)
        data = damaged(data, rng) if rng.random() < 0.7 else data
    return data


READERS = {
    "testset": corpora.read_testset,
    "tsv": lambda path: corpora.read_testset(path, format="tsv"),
    "csv": lambda path: corpora.read_testset(path, format="csv"),
    "jsonl": lambda path: corpora.read_testset(path, format="jsonl"),
    "sgml": lambda path: corpora.read_testset(path, format="sgml"),
    "xml": lambda path: corpora.read_testset(path, format="xml"),
    "judgments": corpora.read_judgments,
    "judgments tsv": lambda path: corpora.read_judgments(path, format="tsv"),
    "judgments csv": lambda path: corpora.read_judgments(path, format="csv"),
    "judgments jsonl": lambda path: corpora.read_judgments(path, format="jsonl"),
    "plain": lambda path: corpora.read_plain_testset([path], references=[path], originals=path),
    "parallel": lambda path: corpora.read_parallel(path, path),
    "bitext tsv": corpora.read_bitext_tsv,
    "bitext bars": corpora.read_bitext_bars,
}
KINDS = (corpora.TestSet, corpora.Judgments, corpora.Bitext)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_good_before_they_are_damaged(tmp_path, name):
    path = tmp_path / "input"
    path.write_bytes(EXAMPLES[name])
    assert isinstance(READERS[name](path), KINDS)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_every_reader_ends_in_data_or_our_error(tmp_path, seed):
    rng = random.Random(seed)
    path = tmp_path / "input"
    for _ in range(INPUTS_A_ROUND):
        data = fuzzed_input(rng)
        path.write_bytes(data)
        for name, reader in READERS.items():
            try:
                result = reader(path)
            except ParagaugeError:
                continue
            except Exception as error:
                pytest.fail(f"{name} raised {error!r} for {data!r}")
            assert isinstance(result, KINDS)


@pytest.mark.parametrize("seed", range(4))
def test_what_a_reader_accepts_can_be_written_and_read_again(tmp_path, seed):
    rng = random.Random(1000 + seed)
    path, again = tmp_path / "input", tmp_path / "again.jsonl"
    for _ in range(INPUTS_A_ROUND):
        path.write_bytes(fuzzed_input(rng))
        try:
            testset = corpora.read_testset(path)
        except ParagaugeError:
            continue
        corpora.write_testset(testset, again)
        assert corpora.read_testset(again) == testset
