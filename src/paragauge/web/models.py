"""Requests and answers of the API: what is checked before a worker sees it, and what the description promises."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from paragauge.evaluate.compare import CompareRequest as CompareOptions
from paragauge.evaluate.explain import ExplainRequest as ExplainOptions
from paragauge.evaluate.score import ScoreRequest as ScoreOptions
from paragauge.evaluate.study import StudyRequest as StudyOptions
from paragauge.meta.choices import Level, Method
from paragauge.web.fields import field_of

MOST_METRICS = 20
MOST_SYSTEMS = 100
MOST_RESAMPLES = 20_000
HIGHEST_SEED = (1 << 32) - 1

MetricText = Annotated[str, Field(min_length=1, max_length=500, description="A name, or name(option=value, ...).")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Model(BaseModel):
    """Refuses what it does not know: a misspelt option is no option."""

    model_config = ConfigDict(extra="forbid")


class File(Model):
    """A text file, sent along."""

    name: Annotated[str, Field(max_length=200, description="What messages call it.")] = "file"
    text: Annotated[str, Field(description="Its whole content.")]


class Texts(Model):
    """What to score: lists of the same length, one text for each segment."""

    candidates: Annotated[dict[Name, list[str]], Field(min_length=1, max_length=MOST_SYSTEMS, description="By system.")]
    references: Annotated[dict[Name, list[str]], Field(max_length=MOST_SYSTEMS, description="By reference.")] = {}
    originals: list[str] | None = None
    ids: Annotated[list[Name] | None, Field(description="Names of the segments; 1, 2, ... if there are none.")] = None


class Scored(Model):
    """What the requests have in common that score texts."""

    texts: Texts | None = None
    testset: Annotated[File | None, Field(description="TSV, CSV, JSON Lines, SGML or WMT XML, instead of texts.")] = (
        None
    )
    seed: int = field_of(ScoreOptions, "seed", high=HIGHEST_SEED)

    @model_validator(mode="after")
    def _one_source(self) -> Scored:
        if self.texts is not None and self.testset is not None:
            raise ValueError("give texts or a testset, not both")
        return self


class _NeedsTexts(Scored):
    metrics: list[MetricText] = field_of(ScoreOptions, "metrics", most=MOST_METRICS)

    @model_validator(mode="after")
    def _some_source(self) -> _NeedsTexts:
        if self.texts is None and self.testset is None:
            raise ValueError("give texts, or a testset")
        return self


_PAIR: JsonValue = {
    "candidates": {"a": ["he purchased the house"]},
    "references": {"1": ["he bought the house"]},
    "originals": ["he bought the house"],
}
_TWO: JsonValue = {
    "candidates": {"a": ["the cat is on the mat", "a dog"], "b": ["cat mat", "the dog"]},
    "references": {"1": ["the cat sat on the mat", "the dog"]},
}


class ScoreRequest(_NeedsTexts):
    """Texts and metrics."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"metrics": ["bleu", "pem"], "texts": _PAIR, "segments": True}]}
    )

    segments: Annotated[bool, Field(description="Scores of segments beside those of systems.")] = False
    bootstrap: int = field_of(ScoreOptions, "bootstrap", high=MOST_RESAMPLES)


class CompareRequest(_NeedsTexts):
    """Texts of several systems, of which the first is the baseline."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"metrics": ["chrf"], "texts": _TWO}]})

    tests: list[Literal["bootstrap", "permutation"]] = field_of(CompareOptions, "tests", most=2)
    trials: int | None = field_of(CompareOptions, "trials", high=MOST_RESAMPLES)
    all_pairs: bool = field_of(CompareOptions, "all_pairs")


class ExplainRequest(Model):
    """One candidate."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"metrics": ["pem"], "original": "He bought the house.", "candidate": "He purchased the house."}
            ]
        }
    )

    metrics: list[MetricText] = field_of(ExplainOptions, "metrics", most=MOST_METRICS)
    candidate: str = field_of(ExplainOptions, "candidate")
    original: str | None = field_of(ExplainOptions, "original")
    references: list[str] = field_of(ExplainOptions, "references", most=MOST_SYSTEMS)
    html: Annotated[bool, Field(description="Drawings as a piece of a page, too.")] = False


class DeriveRequest(Model):
    """A pair of sentences, and the grammar that may derive one from the other."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "source": "he bought the house",
                    "target": "he purchased the house",
                    "grammar": {
                        "name": "tiny",
                        "text": "[X] ||| bought ||| purchased\n[X] ||| the house ||| the house\n",
                    },
                }
            ]
        }
    )

    source: str
    target: str
    grammar: Annotated[File | None, Field(description="Rules as text; the server's own grammar if there is none.")] = (
        None
    )
    tokenizer: Literal["penn", "13a", "intl", "none"] = "penn"
    lowercase: bool = True
    html: bool = False


class _Studied(Scored):
    metrics: list[MetricText] = field_of(StudyOptions, "metrics", most=MOST_METRICS)
    scores: Annotated[list[File], Field(max_length=20, description="As 'paragauge score --segments' writes them.")] = []
    pair: Annotated[str, Field(max_length=100)] | None = field_of(StudyOptions, "pair")
    methods: list[Method] = field_of(StudyOptions, "methods", most=3)
    lower_is_better: list[Name] = field_of(StudyOptions, "lower_is_better", most=MOST_METRICS)
    bootstrap: int = field_of(StudyOptions, "bootstrap", high=MOST_RESAMPLES)


class CorrelateRequest(_Studied):
    """Scores, or metrics and texts to score, beside what people said."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "scores": [
                        {
                            "name": "scores.tsv",
                            "text": "metric\tsystem\tsegment\tscore\nbleu\ta\t1\t30\nbleu\ta\t2\t20\nbleu\tb\t1\t10\n",
                        }
                    ],
                    "judgments": {
                        "name": "judgments.tsv",
                        "text": "system\tsegment\tscore\na\t1\t5\na\t2\t4\nb\t1\t3\n",
                    },
                    "level": "segment",
                    "bootstrap": 0,
                }
            ]
        }
    )

    judgments: Annotated[File, Field(description="TSV, CSV, JSON Lines, or WMT rankings.")]
    level: Annotated[Level | None, Field(description="Correlate candidates or systems. Default: both.")] = None


class ReportRequest(_Studied):
    """The same, with or without people."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"metrics": ["bleu"], "texts": _TWO, "bootstrap": 100}]})

    judgments: Annotated[File | None, Field(description="TSV, CSV, JSON Lines, or WMT rankings.")] = None
    disagreements: int = field_of(StudyOptions, "disagreements", high=100)
    title: Annotated[str, Field(max_length=300)] = field_of(StudyOptions, "title")
    html: Annotated[bool, Field(description="The report as a piece of a page, too.")] = False


class ReadRequest(Model):
    """A file that holds a test set, of any format."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"file": {"name": "set.tsv", "text": "id\treference\tcandidate.a\n1\ta cat\tthe cat\n"}}]
        }
    )

    file: File


class Interval(BaseModel):
    """A confidence interval."""

    low: float | None
    high: float | None
    level: float


class SystemScore(BaseModel):
    """What a metric gives a system; ``null`` is a number that is not defined."""

    system: str
    metric: str
    score: float | None
    components: dict[str, float | None]
    interval: Interval | None
    signature: str


class SegmentScore(BaseModel):
    """What a metric gives one segment of a system."""

    system: str
    segment: str
    metric: str
    score: float | None
    components: dict[str, float | None]


Warnings = Annotated[
    list[str], Field(description="What a metric cannot know about these texts, such as their language.")
]


class ScoreAnswer(BaseModel):
    """Scores."""

    systems: list[SystemScore]
    segments: list[SegmentScore] | None = None
    segment_signatures: dict[str, str] | None = None
    warnings: Warnings = []


class Comparison(BaseModel):
    """The difference of two systems."""

    metric: str
    test: str
    baseline: str
    system: str
    baseline_score: float | None
    score: float | None
    difference: float | None
    low: float | None
    high: float | None
    wins: float | None
    p_value: float | None
    signature: str


class CompareAnswer(BaseModel):
    """Differences."""

    comparisons: list[Comparison]
    warnings: Warnings = []


class Explanation(BaseModel):
    """A score and the parts that explain it: texts, grids, networks, links."""

    metric: str
    score: float | None
    components: dict[str, float | None]
    interval: Interval | None
    signature: str
    parts: list[dict[str, Any]]
    html: str | None = None


class ExplainAnswer(BaseModel):
    """One explanation for each metric."""

    explanations: list[Explanation]


class DeriveAnswer(BaseModel):
    """Whether the grammar derives the pair, and how."""

    status: str
    derived: bool
    rules: int
    derivation: dict[str, Any] | None
    html: str | None = None


class Correlation(BaseModel):
    """How far a metric agrees with people by one criterion."""

    criterion: str
    metric: str
    level: str
    method: str
    correlation: float | None
    low: float | None
    high: float | None
    items: int


class CorrelateAnswer(BaseModel):
    """Correlations, and what could not be used."""

    correlations: list[Correlation]
    turned: Annotated[
        list[str], Field(description="Metrics whose sign was turned, since lower is better and people ranked.")
    ]
    dropped: list[str]
    bootstrap: int
    seed: int


class ReportAnswer(BaseModel):
    """A report: sections of tables, plots and examples, and the candidates behind them."""

    report: dict[str, Any]
    html: str | None = None


class TestSetAnswer(BaseModel):
    """A test set, ready to be sent back as texts."""

    ids: list[str]
    originals: list[str] | None
    references: dict[str, list[str]]
    candidates: dict[str, list[str]]


class MetricOption(BaseModel):
    """An option of a metric."""

    name: str
    default: str
    type: str


class MetricDescription(BaseModel):
    """What there is to know of a metric."""

    name: str
    kind: Literal["sentences", "resource"]
    summary: str
    citation: str
    scale: str
    better: Literal["higher", "lower"]
    needs: list[str]
    available: bool
    options: list[MetricOption]
