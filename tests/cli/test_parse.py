"""``paragauge parse``."""

import pytest

from paragauge.analysis import Analysis, read_conllu, read_trees, write_conllu
from paragauge.cli.main import main


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfThe cat can't sit (here).\r\n\r\n:) \xf0\x9f\x98\x80\r\n")
    return path


def test_conllu(text, tmp_path):
    assert main(["parse", str(text), "-o", str(tmp_path / "out.gz")]) == 0
    first, last = read_conllu(tmp_path / "out.gz")
    assert first.words == ("The", "cat", "ca", "n't", "sit", "(", "here", ")", ".")
    assert first.lemmas[2:4] == ("can", "not")
    assert last.words == (":", ")", "😀")


def test_penn(text, tmp_path):
    assert main(["parse", str(text), "--format", "penn", "--threads", "2", "-o", str(tmp_path / "out")]) == 0
    trees = list(read_trees(tmp_path / "out"))
    assert [len(tree.words) for tree in trees] == [9, 0, 3]
    assert trees[0].words[5] == "("


def test_tags_of_tokenised_text(tmp_path, capfdbinary):
    (tmp_path / "text").write_text("I ca n't .\n\n")
    assert main(["parse", "--tokenized", "--format", "tags", str(tmp_path / "text")]) == 0
    assert capfdbinary.readouterr().out == b"I/PRP ca/MD n't/RB ./.\n\n"


def test_analyses_from_files(tmp_path, capfdbinary):
    write_conllu(tmp_path / "a.conllu", [Analysis(("x", "y"), ("XX", "YY"))])
    (tmp_path / "text").write_text("x y\n")
    name = f"files:{tmp_path / 'a.conllu'}"
    assert main(["parse", "--provider", name, "--format", "tags", str(tmp_path / "text")]) == 0
    assert capfdbinary.readouterr().out == b"x/XX y/YY\n"
    assert main(["parse", "--provider", name, str(tmp_path / "text"), "-o", str(tmp_path / "out")]) == 1
    assert b"has no heads" in capfdbinary.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        (b"caf\xe9\n", [], 1, b"is not UTF-8"),
        (b"a\n", ["--provider", "nobody"], 2, b"no provider named 'nobody'"),
        (b"a\n", ["--format", "xml"], 2, b"xml"),
    ],
)
def test_mistakes(tmp_path, capfdbinary, content, arguments, code, message):
    (tmp_path / "text").write_bytes(content)
    assert main(["parse", str(tmp_path / "text"), *arguments]) == code
    assert message in capfdbinary.readouterr().err
