"""Rewriting in the workbench: the request, the answer and the task of a worker.

A request names no file: it uses the grammar that ships, the one that the server was started with, or rules of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from paragauge.errors import OptionError
from paragauge.evaluate.generate import GenerateRequest as GenerateOptions
from paragauge.report.derivation import derivation_svg
from paragauge.report.table import finite
from paragauge.web.allowed import allowed_metrics
from paragauge.web.fields import field_of
from paragauge.web.models import File, MetricText, Model, Warnings
from paragauge.web.protocol import Settings

if TYPE_CHECKING:
    from paragauge.evaluate.generate import Generator
    from paragauge.grammar.parse import Derivation
    from paragauge.progress import Progress

MOST_SENTENCES = 10_000
MOST_CANDIDATES = 100


class GenerateRequest(Model):
    """Sentences to rewrite."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "sentences": ["the children were playing football"],
                    "kbest": 2,
                    "grammar": {"name": "tiny", "text": "[X] ||| football ||| soccer\n[X] ||| children ||| kids\n"},
                }
            ]
        }
    )

    sentences: Annotated[
        list[str], Field(min_length=1, max_length=MOST_SENTENCES, description="One text per sentence.")
    ]
    kbest: int = field_of(GenerateOptions, "kbest", high=MOST_CANDIDATES)
    pool: int = field_of(GenerateOptions, "pool", high=1000)
    max_ratio: float | None = field_of(GenerateOptions, "max_ratio")
    optimise: MetricText | None = field_of(GenerateOptions, "optimise")
    margin: float | None = field_of(GenerateOptions, "margin")
    grammar: Annotated[File | None, Field(description="Rules as text. Default: the server's grammar.")] = None
    html: Annotated[bool, Field(description="Whether to include drawings of derivations.")] = False


class Candidate(BaseModel):
    """A rewriting of a sentence."""

    text: str
    score: float
    value: Annotated[float | None, Field(description="Value of the metric that chose it, if any.")]
    ratio: Annotated[float, Field(description="Length in words as a share of the sentence's.")]
    derivation: dict[str, Any]
    html: str | None = None


class Rewriting(BaseModel):
    """The rewritings of one sentence, best first."""

    original: str
    short_enough: bool
    candidates: list[Candidate]


class GenerateAnswer(BaseModel):
    """Rewritten sentences."""

    sentences: list[Rewriting]
    variety: Annotated[float | None, Field(description="Self-BLEU of the candidates; 100 means all alike.")]
    signature: str
    warnings: Warnings = []


def generate(request: Mapping[str, Any], settings: Settings, progress: Progress) -> Any:
    """Return rewritings of sentences with their derivations."""
    optimise = request["optimise"]
    if optimise is not None:
        named = allowed_metrics([optimise], settings)
        if len(named) != 1:
            raise OptionError(f"optimise names {len(named)} metrics, expected one")
        optimise = named[0]
    asked = GenerateOptions(
        kbest=request["kbest"], pool=request["pool"], max_ratio=request["max_ratio"], optimise=optimise,
        margin=request["margin"], tokenizer="penn", lowercase=True, derivations=True,
    )  # fmt: skip
    asked.load_metric()  # report an invalid metric before anything is opened
    result = _generator(request["grammar"], settings)(request["sentences"], asked, progress=progress)
    rows = iter(result.rows())
    sentences = []
    for sentence in result.sentences:
        candidates = []
        for place, (one, text) in enumerate(zip(sentence.candidates, sentence.texts, strict=True)):
            row = next(rows)
            candidates.append(
                {
                    "text": text, "score": one.score, "ratio": row["ratio"],
                    "value": sentence.values[place] if sentence.values else None,
                    "derivation": None if one.derivation is None else one.derivation.to_dict(),
                    "html": _drawing(one.derivation) if request["html"] and one.derivation is not None else None,
                }
            )  # fmt: skip
        sentences.append(
            {"original": sentence.original, "short_enough": sentence.short_enough, "candidates": candidates}
        )
    return finite({"sentences": sentences, "variety": result.variety(), "signature": str(result.signature)})


def _drawing(derivation: Derivation) -> str:
    drawing = derivation_svg(derivation, styled=False)
    name = escape(f"derivation of {' '.join(derivation.target)}")
    return (
        f'<div class="derivation" role="region" aria-label="{name}" tabindex="0">{drawing}</div>'
        f'<pre tabindex="0" aria-label="rules">{escape(derivation.to_text())}</pre>'
    )


def _generator(rules: Mapping[str, str] | None, settings: Settings) -> Generator:
    if rules is None:
        return _own_generator(settings.grammar, settings.lm, settings.weights)
    from paragauge.evaluate.generate import Generator
    from paragauge.grammar.grammar import Grammar
    from paragauge.web.tasks import stored

    with stored(rules, settings) as path:
        grammar = Grammar.open(path)
        grammar.rule_features  # noqa: B018 - read while the file is there
        return Generator(grammar, settings.lm, threads=1)


@lru_cache(maxsize=1)
def _own_generator(grammar: str | None, lm: str | None, weights: str | None) -> Generator:
    from paragauge.evaluate.generate import Generator

    return Generator(grammar, lm, weights, threads=1)
