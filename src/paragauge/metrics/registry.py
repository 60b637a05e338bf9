"""Metrics by name: built-in ones, those of other packages (entry points ``paragauge.metrics``), metrics as text.

Classes are loaded on demand, so that listing or completing names costs nothing.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from paragauge.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from paragauge.metrics.base import SentenceMetric

ENTRY_POINT_GROUP = "paragauge.metrics"

BUILT_IN: Mapping[str, str] = {
    "bertscore": "paragauge.metrics.bertscore:BertScore",
    "blend": "paragauge.metrics.blend.metric:Blend",
    "bleu": "paragauge.metrics.bleu:Bleu",
    "chrf": "paragauge.metrics.chrf:Chrf",
    "edit-dissimilarity": "paragauge.metrics.edit:EditDissimilarity",
    "embedding": "paragauge.metrics.embedding:SentenceEmbedding",
    "ibleu": "paragauge.metrics.ibleu:IBleu",
    "maxsim": "paragauge.metrics.maxsim:MaxSim",
    "meaning": "paragauge.metrics.meaning:Meaning",
    "meteor": "paragauge.metrics.meteor:Meteor",
    "ngram-f1": "paragauge.metrics.ngram_f1:NgramF1",
    "paraeval": "paragauge.metrics.paraeval:ParaEval",
    "parascore": "paragauge.metrics.parascore:ParaScore",
    "pem": "paragauge.metrics.pem.metric:PEM",
    "pem+": "paragauge.metrics.pem_plus:PEMPlus",
    "paradigm": "paragauge.metrics.paradigm:ParadigmOverlap",
    "paradigm-coverage": "paragauge.metrics.paradigm:ParadigmCoverage",
    "parametric": "paragauge.metrics.parametric:Parametric",
    "parametric-alignment": "paragauge.metrics.parametric:ParametricAlignment",
    "pinc": "paragauge.metrics.pinc:Pinc",
    "precis": "paragauge.metrics.precis:Precis",
    "roles": "paragauge.metrics.roles:RoleOverlap",
    "self-bleu-original": "paragauge.metrics.self_bleu:SelfBleuOriginal",
    "self-bleu-set": "paragauge.metrics.self_bleu:SelfBleuSet",
    "ter": "paragauge.metrics.ter:Ter",
}

# Ambiguous names get an explanation instead of a guess.
_AMBIGUOUS = {
    "self-bleu": "'self-bleu' is ambiguous: use self-bleu-original (candidates against their originals: copying) "
    "or self-bleu-set (candidates against one another: lack of variety)",
}


class Registry(Mapping[str, type[Any]]):
    """Metric classes by name, each imported on first use."""

    def __getitem__(self, name: str) -> type[Any]:
        if name in BUILT_IN:
            module, _, attribute = BUILT_IN[name].partition(":")
            return cast("type[Any]", getattr(importlib.import_module(module), attribute))
        if name in _plugins():
            return _load_plugin(name)
        if name in _AMBIGUOUS:
            raise OptionError(_AMBIGUOUS[name])
        raise unknown_name("metric", name, self)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*BUILT_IN, *_plugins()}))

    def __len__(self) -> int:
        return len({*BUILT_IN, *_plugins()})

    def __contains__(self, name: object) -> bool:
        return name in BUILT_IN or name in _plugins()


METRICS = Registry()


@lru_cache(maxsize=1)
def _plugins() -> Mapping[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP) if point.name not in BUILT_IN}


def _load_plugin(name: str) -> type[Any]:
    from paragauge.metrics.base import Metric

    point = _plugins()[name]
    try:
        plugin = point.load()
    except Exception as error:
        raise OptionError(f"metric {name!r} of another package ({point.value}) cannot be loaded: {error}") from error
    if not (isinstance(plugin, type) and issubclass(plugin, Metric)):
        raise OptionError(f"metric {name!r} of another package ({point.value}) is not a subclass of paragauge's Metric")
    return plugin


_CALL = re.compile(r"\s*([A-Za-z][\w.+-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)
_BARE_WORD = re.compile(r"[\w.+/~-]+")


def parse_metric(text: str) -> Any:
    """Return the metric named in *text*, with options in brackets; ``str(metric)`` gives such a text.

    >>> str(parse_metric("bleu(max_order=2, tokenizer=intl)"))
    "bleu(tokenizer='intl', max_order=2)"
    """
    name, options = metric_options(text)
    cls = METRICS[name]
    known = [option.name for option in fields(cls)]
    for option in options:
        if option not in known:
            raise unknown_name(f"option of {name}", option, known)
    return cls(**options)


def metric_options(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options in *text*, without creating the metric.

    >>> metric_options("bleu(max_order=2, tokenizer=intl)")
    ('bleu', {'max_order': 2, 'tokenizer': 'intl'})
    """
    match = _CALL.fullmatch(text)
    if match is None:
        raise OptionError(f"{text!r} is not a metric; expected a name or name(option=value, ...)")
    name, arguments = match.groups()
    return name, _parse_options(name, arguments or "")


def parse_sentence_metrics(
    texts: Iterable[str | SentenceMetric], *, language: str | None = None
) -> list[SentenceMetric]:
    """Return the sentence metrics named in *texts*, each at most once; metric objects are kept as they are.

    A text may name several metrics, separated by commas: ``"bleu,chrf(word_order=2)"``. If *language* is known and has
    no spaces between words, metrics whose text names no tokeniser get one that suits it.
    """
    from paragauge.metrics.base import SentenceMetric

    metrics: list[SentenceMetric] = []
    for text in (each for given in texts for each in (split_metrics(given) if isinstance(given, str) else [given])):
        metric = parse_metric(text) if isinstance(text, str) else text
        if isinstance(text, str) and language is not None and "tokenizer" not in metric_options(text)[1]:
            metric = _suited(metric, language)
        if not isinstance(metric, SentenceMetric):
            raise OptionError(f"{metric.name} scores a resource, not sentences")
        if metric in metrics:
            raise OptionError(f"metric {str(text)!r} is given twice")
        metrics.append(metric)
    return metrics


def _suited(metric: Any, language: str) -> Any:
    """Return *metric* with a tokeniser for *language*, if it has a choice and the usual one splits at spaces."""
    from paragauge.text.tokenize import tokenizer_for

    tokenizer = tokenizer_for(language)
    if tokenizer is None or getattr(metric, "tokenizer", None) != "13a":
        return metric
    return replace(metric, tokenizer=tokenizer)


def split_metrics(text: str) -> list[str]:
    """Return the metrics in a list separated by commas; commas inside brackets and quotes belong to one metric.

    >>> split_metrics("pem, bleu(max_order=2, tokenizer=intl)")
    ['pem', 'bleu(max_order=2, tokenizer=intl)']
    """
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote or character in "'\"":
            quote = "" if character == quote else quote or character
        elif character in "()[]":
            depth += 1 if character in "([" else -1
        elif character == "," and depth == 0:
            parts.append("")
            continue
        parts[-1] += character
    return [part.strip() for part in parts]


def available_metrics() -> list[SentenceMetric]:
    """Return all metrics of sentences whose models and packages are installed, with their defaults."""
    from paragauge.metrics.base import SentenceMetric

    made = [cls() for cls in METRICS.values() if issubclass(cls, SentenceMetric)]
    return [metric for metric in made if metric.available]


def lower_is_better(text: str) -> bool:
    """Return whether *text* names a built-in metric for which lower is better; options do not matter.

    >>> lower_is_better("ter(case_sensitive=yes)"), lower_is_better("somebody's")
    (True, False)
    """
    bare = text.partition("(")[0]
    return bare in METRICS and METRICS[bare].better == "lower"


def _parse_options(name: str, arguments: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for argument in _split(arguments):
        key, equals, value = (part.strip() for part in argument.partition("="))
        if not equals or not key.isidentifier():
            raise OptionError(f"{argument.strip()!r} in {name}(...) is not of the form option=value")
        if key in options:
            raise OptionError(f"option {key!r} of {name} is given twice")
        options[key] = _parse_value(name, key, value)
    return options


def _split(arguments: str) -> list[str]:
    """Split at commas outside quotes."""
    parts = re.findall(r"""(?:[^,'"]|'[^']*'|"[^"]*")+""", arguments)
    return [part for part in parts if part.strip()]


def _parse_value(name: str, key: str, value: str) -> Any:
    lowered = value.lower()
    if lowered in ("true", "yes", "false", "no"):
        return lowered in ("true", "yes")
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        if _BARE_WORD.fullmatch(value):
            return value  # quotes are awkward in a shell
        raise OptionError(f"{value!r} is not a valid value for option {key!r} of {name}") from error
