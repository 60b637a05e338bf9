"""ARPA files: round trips, what KenLM accepts and refuses, and thousands of damaged files."""

import gzip
import logging
import random

import pytest

from paragauge import ParagaugeError, train_lm
from paragauge.lm.arpa import read_arpa, write_arpa

SMALL = """\
\\data\\
ngram 1=5
ngram 2=3
ngram 3=2

\\1-grams:
-1.5\t<unk>\t0
0\t<s>\t-0.25
-0.75\t</s>\t0
-0.5\ta\t-0.125
-1\tbé\t-0.5

\\2-grams:
-0.25\t<s> a\t-0.0625
-0.5\ta bé\t0
-0.375\tbé </s>\t0

\\3-grams:
-0.125\t<s> a bé
-0.1\ta bé </s>

\\end\\
"""


@pytest.fixture
def arpa(tmp_path):
    def write(text, name="m.arpa"):
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def test_numbers_by_hand(arpa):
    model = read_arpa(arpa(SMALL))
    assert (model.order, model.sizes) == (3, (5, 3, 2))
    # p(a|<s>) = -0.25; p(bé|<s> a) = -0.125; p(</s>|a bé) = -0.1
    assert model.score("a bé") == pytest.approx(-0.25 - 0.125 - 0.1)
    # p(bé|<s>) = backoff(<s>) + p(bé) = -0.25 - 1; p(a|<s> bé) = backoff(bé) + p(a) = -0.5 - 0.5
    assert [word.log10_p for word in model.words("bé a")] == pytest.approx([-1.25, -1.0, -0.125 - 0.75])
    # after the unknown word nothing is left to back off from
    assert [word.log10_p for word in model.words("a x")] == pytest.approx([-0.25, -0.0625 - 0.125 - 1.5, -0.75])


def test_reading_and_writing_give_the_same_bytes(arpa, tmp_path):
    write_arpa(read_arpa(arpa(SMALL)), tmp_path / "out.arpa")
    assert (tmp_path / "out.arpa").read_text() == SMALL


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz"])
@pytest.mark.parametrize("smoothing", ["kneser-ney", "katz"])
def test_round_trip_keeps_every_bit(tmp_path, name, smoothing):
    rng = random.Random(3)
    text = [[f"w{int(rng.paretovariate(0.8))}" for _ in range(rng.randrange(12))] for _ in range(400)]
    model = train_lm(text, order=4, smoothing=smoothing, discount_fallback=True)
    write_arpa(model, tmp_path / name)
    again = read_arpa(tmp_path / name)
    assert again.sizes == model.sizes
    write_arpa(again, tmp_path / f"again-{name}")
    assert (tmp_path / f"again-{name}").read_bytes() == (tmp_path / name).read_bytes()
    assert (again.scores(text).log10_p == model.scores(text).log10_p).all()
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\n\n" + text,
        lambda text: text + "\n \n",
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n\n\\", "\n\\"),
        lambda text: text.replace("\t", " ").replace(" 0\n", "\n"),
        lambda text: text.replace("<unk>", "<UNK>"),
        lambda text: text.replace("ngram 1=5", "ngram 1 = 5 "),
        lambda text: gzip.compress(text.encode()),
    ],
)
def test_harmless_variants_are_read_alike(arpa, change):
    assert read_arpa(arpa(change(SMALL))).words("a bé a x") == read_arpa(arpa(SMALL)).words("a bé a x")


def test_a_missing_unknown_word_is_added_as_kenlm_does(arpa, caplog):
    text = SMALL.replace("-1.5\t<unk>\t0\n", "").replace("ngram 1=5", "ngram 1=4")
    with caplog.at_level(logging.WARNING):
        model = read_arpa(arpa(text))
    assert model.words("x")[0].log10_p == pytest.approx(-0.25 - 100)
    assert "has no <unk>; unknown words get log10 p = -100" in caplog.text


def test_missing_ngrams_are_filled_in_by_backing_off(arpa, caplog):
    # "a bé </s>" is there, but not "bé </s>".
    text = SMALL.replace("-0.375\tbé </s>\t0\n", "").replace("ngram 2=3", "ngram 2=2")
    with caplog.at_level(logging.WARNING):
        model = read_arpa(arpa(text))
    assert "1 n-gram(s) were missing although longer ones end with them; filled in" in caplog.text
    # p(</s>|bé) = backoff(bé) + p(</s>), as without the entry
    assert model.words("x bé")[2].log10_p == pytest.approx(-0.5 - 0.75)
    assert model.words("a bé")[2].log10_p == pytest.approx(-0.1)


def test_threads_do_not_change_the_file(tmp_path):
    rng = random.Random(2)
    text = [" ".join(f"w{int(rng.paretovariate(0.4)) % 5000}" for _ in range(12)) for _ in range(1500)]
    model = train_lm(text, order=3, tokenizer="none")
    for threads in (1, 3):
        write_arpa(model, tmp_path / f"{threads}.arpa", threads=threads)
    assert (tmp_path / "1.arpa").read_bytes() == (tmp_path / "3.arpa").read_bytes()
    assert read_arpa(tmp_path / "3.arpa").sizes == model.sizes


def test_unigram_models(arpa, tmp_path):
    text = "\\data\\\nngram 1=4\n\n\\1-grams:\n-1\t<unk>\n0\t<s>\n-0.5\t</s>\n-0.25\ta\n\n\\end\\\n"
    model = read_arpa(arpa(text))
    assert model.score("a a") == pytest.approx(-0.25 * 2 - 0.5)
    write_arpa(model, tmp_path / "out")
    assert (tmp_path / "out").read_text() == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "", "m.arpa: the file has no content|m.arpa:0: the file has no content"),
        (lambda text: "iARPA\n" + text, "m.arpa:1: looks like IRSTLM's iARPA format, .* compile-lm --text=yes"),
        (lambda text: b"mmap lm http://kheafield.com/code format version 5\n\0\0", "found a KenLM binary file"),
        (lambda text: b"\x7fELF\0\0\0", "found a binary file, expected ARPA, which is text"),
        (lambda text: "hello\n" + text, r"m.arpa:1: found 'hello', expected '\\data\\'"),
        (lambda text: text.replace("ngram 1=5\n", ""), "m.arpa:2: found the count of 2-grams, expected that of 1-gr"),
        (lambda text: text.replace("ngram 1=5", "ngram one=5"), "m.arpa:2: found 'ngram one=5', expected a line"),
        (lambda text: text.replace("ngram 1=5", "ngram 1=4"), "m.arpa:11: found more 1-grams than the 4 that the head"),
        (lambda text: text.replace("ngram 1=5", "ngram 1=6"), "m.arpa:12: found 5 1-grams, the head promises 6"),
        (lambda text: text.replace("-0.5\ta\t", "0.5\ta\t"), "m.arpa:10: log10 probability '0.5' is above 0"),
        (lambda text: text.replace("-0.5\ta\t", "-0,5\ta\t"), "m.arpa:10: '-0,5' is not a finite log10 probability"),
        (lambda text: text.replace("-0.5\ta\t", "nan\ta\t"), "m.arpa:10: 'nan' is not a finite log10 probability"),
        (lambda text: text.replace("-0.5\ta\t", "-1e99\ta\t"), "write -99 for the logarithm of zero"),
        (lambda text: text.replace("a\t-0.125", "a\tx"), "m.arpa:10: 'x' is not a finite back-off weight"),
        (lambda text: text.replace("a bé </s>", "a bé </s>\t-1"), "m.arpa:20: found the back-off weight '-1' in the"),
        (lambda text: text.replace("-0.5\ta bé\t0", "-0.5\ta"), "m.arpa:15: found 2 fields in '-0.5\ta', expected a"),
        (lambda text: text.replace("-0.5\ta bé\t0", "-0.5\ta ce\t0"), "m.arpa:15: the word 'ce' is not among"),
        (lambda text: text.replace("-0.5\ta bé\t0", "-0.5\t<s> a\t0"), "m.arpa:15: the 2-gram '<s> a' is there twice"),
        (lambda text: text.replace("bé\t-0.5", "a\t-0.5"), "m.arpa:11: the 1-gram 'a' is there twice"),
        (lambda text: text.replace("-0.5\ta bé\t0\n", "").replace("2=3", "2=2"),
         "m.arpa:19: the 3-gram 'a bé </s>' has the context 'a bé', which is not among the 2-grams"),
        (lambda text: text.replace("\\2-grams:", "\\3-grams:"), r"m.arpa:13: found '\\3-grams:', expected '\\2"),
        (lambda text: text.replace("\\end\\\n", ""), r"m.arpa:2\d: the file ends without '\\end\\'"),
        (lambda text: text + "more\n", r"m.arpa:23: found 'more' after '\\end\\', expected nothing more"),
        (lambda text: text.replace("0\t<s>\t-0.25", "0\tS\t0"), "m.arpa:12: there is no 1-gram <s>"),
        (lambda text: text.encode().replace("é".encode(), b"\xe9"), "m.arpa:11: found bytes that are not UTF-8"),
        (lambda text: gzip.compress(text.encode())[:-20], "m.arpa: gzip data ends early"),
        (lambda text: text.replace("ngram 3=2", "ngram 3=2\n" + "".join(f"ngram {n}=0\n" for n in range(4, 70))),
         "orders above 64 are not supported"),
    ],
)  # fmt: skip
def test_mistakes_are_reported_with_their_line(arpa, change, message):
    with pytest.raises(ParagaugeError, match=message):
        read_arpa(arpa(change(SMALL)))


def test_words_that_arpa_cannot_hold_are_refused(tmp_path):
    for word in ("new york", "", "a\nb"):
        model = train_lm([[word, "x"]], order=2, smoothing="katz")
        with pytest.raises(ParagaugeError, match="is empty, or contains white space or a null character"):
            write_arpa(model, tmp_path / "m.arpa")
    assert not list(tmp_path.iterdir())


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(ParagaugeError, match="no such file"):
        read_arpa(tmp_path / "none.arpa")
    with pytest.raises(ParagaugeError, match="is a directory"):
        read_arpa(tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_are_read_or_refused(arpa, seed):
    rng = random.Random(seed)
    pieces = [
        b"\\",
        b"\n",
        b"\t",
        b" ",
        b"0",
        b"-",
        b"9" * 30,
        b"ngram 4=9\n",
        b"\\end\\",
        b"\xff",
        b"\0",
        b"<s>",
        b"1e400",
    ]
    read = 0
    for _ in range(1500):
        data = bytearray(SMALL.encode())
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(data))
            kind = rng.randrange(4)
            if kind == 0:
                data[place] = rng.randrange(256)
            elif kind == 1:
                del data[place : place + rng.randrange(1, 20)]
            elif kind == 2:
                data[place:place] = rng.choice(pieces)
            else:
                data[place:place] = data[rng.randrange(len(data)) :][: rng.randrange(40)]
        try:
            model = read_arpa(arpa(bytes(data)))
        except ParagaugeError:
            continue
        read += 1
        assert len(model.words("a bé x a")) == 5
    assert 0 < read < 1500
