"""CoNLL-U and the analyses that it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.analysis import Analysis, read_conllu, write_conllu
from paragauge.errors import DataError

TEXT = """\
# sent_id = 1
1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\t_
1\tcan\tcan\tAUX\tMD\t_\t3\taux\t3:aux\t_
2\tnot\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_

1\t_\t_\t_\t_\t_\t_\t_\t_\t_
"""
FIELD = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\t\n\r"), min_size=1, max_size=5)


def test_words_tags_lemmas_and_dependencies(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(TEXT, encoding="utf-8")
    first, second = read_conllu(path)
    assert first == Analysis(
        ("can", "not", "go"), ("MD", "RB", "VB"), ("can", "not", "go"), (2, 2, -1), ("aux", "advmod", "root")
    )
    assert second == Analysis(("_",), lemmas=("_",))


@given(st.data())
def test_what_is_written_reads_back(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("conllu") / "a.gz"
    sentences = []
    for count in data.draw(st.lists(st.integers(1, 4), max_size=3)):
        names = st.lists(FIELD.filter(lambda text: text != "_"), min_size=count, max_size=count).map(tuple)
        heads = tuple(data.draw(st.integers(-1, count - 1).filter(lambda h, i=i: h != i)) for i in range(count))
        bare = data.draw(st.booleans())
        sentences.append(
            Analysis(data.draw(names), data.draw(names), data.draw(names))
            if bare
            else Analysis(data.draw(names), data.draw(names), data.draw(names), heads, data.draw(names))
        )
    assert write_conllu(path, sentences) == len(sentences)
    assert list(read_conllu(path)) == sentences


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tword\n", r"a:1: found 2 columns, expected 10"),
        (TEXT.replace("3\tgo", "4\tgo"), r"a:6: the word has number '4', expected 3"),
        (TEXT.replace("\t0\troot", "\tx\troot"), r"a:3: .*'x' is not a word number"),
        (TEXT.replace("\t0\troot", "\t9\troot"), r"a:3: .*word 2 has head 8"),
        (TEXT.replace("\t0\troot", "\t3\troot"), r"a:3: .*word 2 has head 2"),
        (TEXT.replace("\t0\troot", "\t²\troot"), r"a:3: .*'²' is not"),
    ],
)
def test_bad_lines_say_what_is_wrong(tmp_path, text, message):
    (tmp_path / "a").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        list(read_conllu(tmp_path / "a"))


def test_what_the_format_cannot_hold_is_refused(tmp_path):
    for words, message in (((), "has no words"), (("a\tb",), "contains a tab"), (("",), "is empty")):
        with pytest.raises(DataError, match=message):
            write_conllu(tmp_path / "a", [Analysis(words)])
        assert not (tmp_path / "a").exists()


def test_an_analysis_is_consistent():
    with pytest.raises(DataError, match="2 words has 1 tags"):
        Analysis(("a", "b"), tags=("X",))
    with pytest.raises(DataError, match="heads and relations, or neither"):
        Analysis(("a",), heads=(-1,))
