"""Judged texts to learn from: formats, standard scores, errors."""

import json

import numpy as np
import pytest

from paragauge.corpora.judged_texts import JudgedText, JudgedTexts, read_judged_texts
from paragauge.errors import DataError

TSV = "translation\tscore\treference\treference_2\tsource\tjudge\n" + (
    "a b\t1\ta\t\tx\tj\nc\t\td\te\ty\tj\nf\t3\tg\th\tz\tk\n"
)


def test_tables_and_json_lines_are_the_same(tmp_path):
    tsv, jsonl = tmp_path / "judged.tsv", tmp_path / "judged.jsonl"
    tsv.write_text(TSV, encoding="utf-8")
    records = [
        {"candidate": "a b", "score": 1, "references": ["a"], "source": "x", "judge": "j"},
        {"candidate": "c", "score": None, "references": ["d", "e"], "source": "y", "judge": "j"},
        {"candidate": "f", "score": 3, "reference": "g", "reference_2": "h", "source": "z", "judge": "k"},
    ]
    jsonl.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert read_judged_texts(tsv) == read_judged_texts(jsonl)
    assert read_judged_texts(tsv).rows[2] == JudgedText("f", 3.0, ("g", "h"), None, "z", judge="k")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "judged texts"),
        ("x\ty\n1\t2\n", "expected a TSV or CSV header with the columns candidate, score"),
        ("candidate\tscore\tbogus\na\t1\tb\n", "unknown column 'bogus'"),
        ("candidate\ttranslation\tscore\na\tb\t1\n", "'candidate' and 'translation' mean the same"),
        ("candidate\treference\na\tb\n", "expected one of candidate, translation, paraphrase, and score"),
        ("candidate\tscore\na\tnan\n", "nan"),
        ('{"candidate": "a", "score": 1, "references": "b"}\n', "not a list"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, message):
    (tmp_path / "judged").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_judged_texts(tmp_path / "judged")


def rows(scores, **columns):
    return [
        JudgedText(f"candidate {k}", float(score), (f"reference {k}",), **columns) for k, score in enumerate(scores)
    ]


def test_scales_of_sets_and_judges_do_not_matter():
    lenient = rows([80, 90, 100, 95, 85], set="one", judge="lenient")
    strict = rows([0, 10, 20, 15, 5], set="one", judge="strict")
    other = rows([1, 2, 3], set="two")
    items = JudgedTexts((*lenient, *strict, *other)).items()
    assert len(items) == 8
    one, two = items.targets[:5], items.targets[5:]
    assert one == pytest.approx((np.array([80, 90, 100, 95, 85]) - 90) / np.std([80, 90, 100, 95, 85]))
    assert two == pytest.approx([-np.sqrt(1.5), 0, np.sqrt(1.5)])
    assert items.scales["two"] == pytest.approx((2.0, np.sqrt(2 / 3)))
    assert items.groups[0] == items.groups[5] == "reference 0"  # one source sentence in both sets
    few = JudgedTexts((*lenient, JudgedText("new", 90.0, ("r",), set="one", judge="seldom"))).items()
    assert few.targets[-1] == pytest.approx(0, abs=0.1)  # judged by the scale of the set


def test_there_must_be_something_to_learn_from():
    with pytest.raises(DataError, match=r"all scores are the same \(2\)"):
        JudgedTexts(tuple(rows([2, 2, 2, 2]))).items()
    with pytest.raises(DataError, match="no score to learn from"):
        JudgedTexts((JudgedText("a", None, ("b",)),)).items()
    mixed = (*rows([1, 2, 3]), JudgedText("x", 4.0, (), original="y"))
    with pytest.raises(DataError, match="'x' has no reference, but other judged texts have one"):
        JudgedTexts(mixed).items()
    both = (*rows([1, 2, 3], criterion="adequacy"), *rows([3, 2, 1], criterion="fluency"))
    with pytest.raises(DataError, match="several criteria: adequacy, fluency; choose one with --criterion"):
        JudgedTexts(both).items()
    assert JudgedTexts(both).items("fluency").targets[0] > 0
    with pytest.raises(DataError, match="no criterion 'overall'; they have adequacy, fluency"):
        JudgedTexts(both).items("overall")
