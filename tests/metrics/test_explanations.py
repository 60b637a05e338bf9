"""Every metric says in words why a score is what it is, and shows numbers from which the score can be worked out."""

from __future__ import annotations

import ast
import math
import operator

import pytest

from paragauge.corpora import Segments
from paragauge.metrics.explanation import MarkedText, MarkedWord
from paragauge.metrics.registry import available_metrics, parse_metric
from paragauge.report.explain import explanation_html, explanation_text

ORIGINAL = "They put off the meeting because of heavy rain."
GOOD = "They postponed the meeting because of heavy rain."
REFERENCES = ("The meeting was put off due to heavy rains.", "They delayed the meeting because it rained heavily.")
PAIRS = {
    "paraphrase": Segments.of([GOOD], [REFERENCES], [ORIGINAL]),
    "one reference": Segments.of(["Rain put the meeting off, they said."], [REFERENCES[:1]], [ORIGINAL]),
    "copy": Segments.of([ORIGINAL], [[ORIGINAL]], [ORIGINAL]),
    "nothing shared": Segments.of(["a big cat"], [["x y z q"]], ["no way at all"]),
    "empty": Segments.of([""], [["a cat"]], ["a cat"]),
    "hostile": Segments.of(["<b>İstanbul</b> 👩‍👩‍👧 & co"], [["<i>İstanbul</i> and co"]], ["İstanbul & Co."]),
}
NAMES = [metric.name for metric in available_metrics() if metric.name != "self-bleu-set"]  # has no single sentences
VARIANTS = [
    "bleu(smooth=floor)", "bleu(smooth=add-k)", "bleu(smooth=none)", "bleu(brevity_penalty=False)",
    "chrf(word_order=2)", "chrf(lowercase=True, whitespace=True)", "ter(normalized=True)", "meteor(preset='2005')",
    "meteor(punctuation=False)",
    "maxsim(dependencies=True)", "maxsim(similarity=words)", "paraeval(value=recall)", "edit-dissimilarity(unit=char)",
]  # fmt: skip
_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}  # fmt: skip


def _by_hand(text: str) -> float:
    """Work out a calculation as a reader would."""

    def value(node: ast.expr) -> float:
        match node:
            case ast.Constant():
                return float(node.value)
            case ast.UnaryOp(op=ast.USub()):
                return -value(node.operand)
            case ast.BinOp():
                return _OPERATORS[type(node.op)](value(node.left), value(node.right))
            case ast.Call(func=ast.Name(id="exp" | "min" | "max" as name)):
                function = {"exp": math.exp, "min": min, "max": max}[name]
                return function(*map(value, node.args))
        raise AssertionError(f"no arithmetic: {ast.unparse(node)}")

    return value(ast.parse(text.replace("×", "*").replace("^", "**"), mode="eval").body)


@pytest.mark.parametrize("name", [*NAMES, *VARIANTS])
@pytest.mark.parametrize("pair", PAIRS)
def test_the_score_can_be_worked_out_from_the_numbers_shown(name, pair):
    explanation = parse_metric(name).explain(PAIRS[pair])
    steps = explanation.formula.steps
    for step in steps:
        assert _by_hand(step.numbers) == pytest.approx(step.value, rel=1e-4, abs=1e-5), step
    assert steps[-1].value == pytest.approx(explanation.score.value, abs=1e-9)


def test_a_wrong_number_would_be_noticed():
    step = parse_metric("bleu").explain(PAIRS["paraphrase"]).formula.steps[0]
    assert step.numbers == "6 / 9"
    assert _by_hand("7 / 9") != pytest.approx(step.value, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("pair", PAIRS)
def test_the_verdict_comes_first_in_whole_sentences(name, pair):
    explanation = parse_metric(name).explain(PAIRS[pair])
    assert explanation.verdict[0].isupper() or explanation.verdict[0] in "0123456789'"
    assert explanation.verdict.endswith(".")
    text = explanation_text([explanation])
    assert text.splitlines()[1] == explanation.verdict
    page = explanation_html([explanation])
    assert page.index('class="verdict"') < page.index("<dl")
    assert "<b>" not in page
    assert page.count("<details>") == len(explanation.details) >= 1


@pytest.mark.parametrize("name", NAMES)
def test_words_stand_as_they_are_written(name):
    explanation = parse_metric(name).explain(PAIRS["paraphrase"])
    candidate = next(part for part in explanation.parts if isinstance(part, MarkedText) and part.label == "candidate")
    assert "".join(word.text for word in candidate.tokens).replace(" ", "").rstrip(".") == GOOD.replace(" ", "").rstrip(
        "."
    )


def test_words_that_belong_together_have_the_same_number():
    explanation = parse_metric("pem+").explain(PAIRS["paraphrase"])
    original, candidate = (part for part in explanation.parts if isinstance(part, MarkedText))
    assert [word for word in original.tokens if word.pair] == [
        MarkedWord("put", "partial", 1),
        MarkedWord("off", "partial", 1),
    ]
    assert [word for word in candidate.tokens if word.pair] == [MarkedWord("postponed", "partial", 1)]
    assert "(put)¹ (off)¹" in explanation_text([explanation])
    assert "'put off' = 'postponed'" in explanation.verdict
    assert "through 'remettre'" in parse_metric("paraeval").explain(PAIRS["paraphrase"]).verdict


def test_translations_are_words_and_not_stems():
    explanation = parse_metric("pem").explain(PAIRS["paraphrase"])
    assert "through French report" in explanation.verdict
    shown = explanation_text([explanation], details=True)
    assert "remettre" in shown
    assert "réunion" in shown
    assert "becaus " not in shown
