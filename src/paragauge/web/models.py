"""Requests and answers of the API: validation of requests, and the source of the API's description."""

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

MetricText = Annotated[str, Field(min_length=1, max_length=500, description="Metric name, or name(option=value, ...).")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Model(BaseModel):
    """Base of requests; unknown fields, such as misspelt options, are rejected."""

    model_config = ConfigDict(extra="forbid")


class File(Model):
    """A text file in the request."""

    name: Annotated[str, Field(max_length=200, description="Name used in messages.")] = "file"
    text: Annotated[str, Field(description="Content of the file.")]


class Texts(Model):
    """Texts to score: lists of the same length, one text per segment."""

    candidates: Annotated[
        dict[Name, list[str]], Field(min_length=1, max_length=MOST_SYSTEMS, description="Candidates of each system.")
    ]
    references: Annotated[
        dict[Name, list[str]], Field(max_length=MOST_SYSTEMS, description="Texts of each reference.")
    ] = {}
    originals: list[str] | None = None
    ids: Annotated[list[Name] | None, Field(description="Names of the segments. Default: 1, 2, ...")] = None


class Scored(Model):
    """Base of requests that score texts."""

    texts: Texts | None = None
    testset: Annotated[
        File | None, Field(description="Test set (TSV, CSV, JSON Lines, SGML or WMT XML), instead of texts.")
    ] = None
    seed: int = field_of(ScoreOptions, "seed", high=HIGHEST_SEED)

    @model_validator(mode="after")
    def _one_source(self) -> Scored:
        if self.texts is not None and self.testset is not None:
            raise ValueError("found both texts and a testset; give only one of them")
        return self


class _NeedsTexts(Scored):
    metrics: list[MetricText] = field_of(ScoreOptions, "metrics", most=MOST_METRICS)
    target_lang: str | None = field_of(ScoreOptions, "target_lang")

    @model_validator(mode="after")
    def _some_source(self) -> _NeedsTexts:
        if self.texts is None and self.testset is None:
            raise ValueError("found neither texts nor a testset; give one of them")
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

    segments: Annotated[bool, Field(description="Whether to include the scores of segments.")] = False
    bootstrap: int = field_of(ScoreOptions, "bootstrap", high=MOST_RESAMPLES)


class CompareRequest(_NeedsTexts):
    """Texts of several systems; the first system is the baseline."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"metrics": ["chrf"], "texts": _TWO}]})

    tests: list[Literal["bootstrap", "permutation"]] = field_of(CompareOptions, "tests", most=2)
    trials: int | None = field_of(CompareOptions, "trials", high=MOST_RESAMPLES)
    all_pairs: bool = field_of(CompareOptions, "all_pairs")


class ExplainRequest(Model):
    """One candidate to explain."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"metrics": ["pem"], "original": "He bought the house.", "candidate": "He purchased the house."}
            ]
        }
    )

    metrics: list[MetricText] = field_of(ExplainOptions, "metrics", most=MOST_METRICS)
    target_lang: str | None = field_of(ExplainOptions, "target_lang")
    candidate: str = field_of(ExplainOptions, "candidate")
    original: str | None = field_of(ExplainOptions, "original")
    references: list[str] = field_of(ExplainOptions, "references", most=MOST_SYSTEMS)
    html: Annotated[bool, Field(description="Whether to include an HTML fragment with drawings.")] = False


class DeriveRequest(Model):
    """A pair of sentences, and the grammar to derive one from the other."""

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
    grammar: Annotated[File | None, Field(description="Rules as text. Default: the server's grammar.")] = None
    tokenizer: Literal["penn", "13a", "intl", "none"] = "penn"
    lowercase: bool = True
    html: bool = False


class _Studied(Scored):
    metrics: list[MetricText] = field_of(StudyOptions, "metrics", most=MOST_METRICS)
    scores: Annotated[
        list[File], Field(max_length=20, description="Scores written by 'paragauge score --segments'.")
    ] = []
    pair: Annotated[str, Field(max_length=100)] | None = field_of(StudyOptions, "pair")
    methods: list[Method] = field_of(StudyOptions, "methods", most=3)
    lower_is_better: list[Name] = field_of(StudyOptions, "lower_is_better", most=MOST_METRICS)
    bootstrap: int = field_of(StudyOptions, "bootstrap", high=MOST_RESAMPLES)


class CorrelateRequest(_Studied):
    """Scores, or metrics and texts to score, and human judgments."""

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

    judgments: Annotated[File, Field(description="Judgments (TSV, CSV or JSON Lines) or WMT rankings.")]
    level: Annotated[
        Level | None, Field(description="Whether to correlate candidates (segment) or systems. Default: both.")
    ] = None


class ReportRequest(_Studied):
    """Scores, or metrics and texts to score, with or without human judgments."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"metrics": ["bleu"], "texts": _TWO, "bootstrap": 100}]})

    judgments: Annotated[File | None, Field(description="Judgments (TSV, CSV or JSON Lines) or WMT rankings.")] = None
    disagreements: int = field_of(StudyOptions, "disagreements", high=100)
    title: Annotated[str, Field(max_length=300)] = field_of(StudyOptions, "title")
    segments: Annotated[
        bool,
        Field(
            description="Whether to include the scores of systems and of segments that were computed from texts, and "
            "the differences between systems; the HTML fragment then leaves out the sections that repeat them."
        ),
    ] = False
    tests: list[Literal["bootstrap", "permutation"]] = field_of(CompareOptions, "tests", most=2)
    trials: int | None = field_of(CompareOptions, "trials", high=MOST_RESAMPLES)
    all_pairs: bool = field_of(CompareOptions, "all_pairs")
    html: Annotated[bool, Field(description="Whether to include the report as an HTML fragment.")] = False

    @model_validator(mode="after")
    def _no_idle_options(self) -> ReportRequest:
        idle = sorted(self.model_fields_set & {"tests", "trials", "all_pairs"})
        if idle and not self.segments:
            raise ValueError(f"{idle[0]} applies only to differences between systems; set segments to true")
        return self


class ReadRequest(Model):
    """A file with a test set in any format."""

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
    """Score of a system by a metric; ``null`` is an undefined number."""

    system: str
    metric: str
    score: float | None
    components: dict[str, float | None]
    interval: Interval | None
    signature: str


class SegmentScore(BaseModel):
    """Score of one segment of a system by a metric."""

    system: str
    segment: str
    metric: str
    score: float | None
    components: dict[str, float | None]


Warnings = Annotated[list[str], Field(description="Possible problems with the texts, such as an unsuitable language.")]


class JobStarted(BaseModel):
    """The request takes longer than the time limit and goes on as a job, until nobody asks for it for five minutes."""

    job: str
    address: Annotated[str, Field(description="Where to ask for its progress and its result.")]


class JobState(BaseModel):
    """How far a job is; finally its result, or the problem with it."""

    state: Literal["running", "done", "failed"]
    progress: dict[str, Any] | None
    result: Any = None
    problem: dict[str, Any] | None = None


class ScoreAnswer(BaseModel):
    """Scores of systems and, if requested, of segments."""

    systems: list[SystemScore]
    segments: list[SegmentScore] | None = None
    segment_signatures: dict[str, str] | None = None
    warnings: Warnings = []


class Comparison(BaseModel):
    """Difference between two systems."""

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
    """Differences between systems."""

    comparisons: list[Comparison]
    warnings: Warnings = []


class Detail(BaseModel):
    """Parts of an explanation that pages show folded: the formula with its numbers, n-grams, networks, links."""

    title: str
    parts: list[dict[str, Any]]


class Explanation(BaseModel):
    """A score and what explains it."""

    metric: str
    score: float | None
    components: dict[str, float | None]
    interval: Interval | None
    signature: str
    verdict: Annotated[str, Field(description="One or two sentences: what was kept, what changed, what cost most.")]
    legend: Annotated[dict[str, str], Field(description="Meaning of the marks of words.")]
    parts: Annotated[list[dict[str, Any]], Field(description="Marked texts, and what was counted or checked.")]
    details: list[Detail]
    html: str | None = None


class ExplainAnswer(BaseModel):
    """One explanation per metric."""

    explanations: list[Explanation]


class DeriveAnswer(BaseModel):
    """Whether and how the grammar derives the pair."""

    status: str
    derived: bool
    rules: int
    derivation: dict[str, Any] | None
    html: str | None = None


class Correlation(BaseModel):
    """Agreement of a metric with human judgments by one criterion."""

    criterion: str
    metric: str
    level: str
    method: str
    correlation: float | None
    low: float | None
    high: float | None
    items: int


class CorrelateAnswer(BaseModel):
    """Correlations, and descriptions of data that could not be used."""

    correlations: list[Correlation]
    turned: Annotated[list[str], Field(description="Metrics whose sign was reversed because lower is better.")]
    dropped: list[str]
    bootstrap: int
    seed: int


class ReportAnswer(BaseModel):
    """A report: sections of tables, plots and examples, and the candidates behind them."""

    report: dict[str, Any]
    systems: list[SystemScore] | None = None
    segments: list[SegmentScore] | None = None
    segment_signatures: dict[str, str] | None = None
    comparisons: list[Comparison] | None = None
    warnings: Warnings = []
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
    """Description of a metric."""

    name: str
    kind: Literal["sentences", "resource"]
    summary: str
    citation: str
    scale: str
    better: Literal["higher", "lower"]
    needs: list[str]
    available: bool
    options: list[MetricOption]
