"""paragauge: how good is this paraphrase, this translation, this paraphrase collection?

What most people need is here; everything else is in the folder it belongs to, such as ``paragauge.metrics``,
``paragauge.corpora`` or ``paragauge.align``. Names load on first use, so that ``import paragauge`` is quick.
"""

from __future__ import annotations

import typing as _typing

if _typing.TYPE_CHECKING:
    __version__: str

    from paragauge.align.aligner import Aligner as Aligner
    from paragauge.align.alignment import Alignment as Alignment
    from paragauge.errors import ParagaugeError as ParagaugeError
    from paragauge.evaluate.compare import compare as compare
    from paragauge.evaluate.correlate import correlate as correlate
    from paragauge.evaluate.explain import explain as explain
    from paragauge.evaluate.generate import Generator as Generator
    from paragauge.evaluate.learn import learn as learn
    from paragauge.evaluate.score import score as score
    from paragauge.evaluate.verify import verify as verify
    from paragauge.grammar.extract import extract_grammar as extract_grammar
    from paragauge.grammar.grammar import Grammar as Grammar
    from paragauge.lm.model import LanguageModel as LanguageModel
    from paragauge.lm.train import train_lm as train_lm
    from paragauge.metrics.base import Score as Score
    from paragauge.metrics.base import SentenceMetric as SentenceMetric
    from paragauge.metrics.bleu import Bleu as Bleu
    from paragauge.metrics.pem.metric import PEM as PEM
    from paragauge.metrics.pem_plus import PEMPlus as PEMPlus
    from paragauge.metrics.registry import METRICS as METRICS
    from paragauge.metrics.registry import parse_metric as parse_metric
    from paragauge.monolingual.aligner import WordAligner as WordAligner
    from paragauge.opening import open as open
    from paragauge.phrases.extract import extract_phrases as extract_phrases
    from paragauge.phrases.paraphrases import ParaphraseTable as ParaphraseTable
    from paragauge.phrases.pivot import pivot_paraphrases as pivot_paraphrases
    from paragauge.phrases.table import PhraseTable as PhraseTable

_HOMES = {
    "Aligner": "align.aligner:Aligner",
    "Alignment": "align.alignment:Alignment",
    "Bleu": "metrics.bleu:Bleu",
    "Generator": "evaluate.generate:Generator",
    "Grammar": "grammar.grammar:Grammar",
    "LanguageModel": "lm.model:LanguageModel",
    "METRICS": "metrics.registry:METRICS",
    "PEM": "metrics.pem.metric:PEM",
    "PEMPlus": "metrics.pem_plus:PEMPlus",
    "ParagaugeError": "errors:ParagaugeError",
    "ParaphraseTable": "phrases.paraphrases:ParaphraseTable",
    "PhraseTable": "phrases.table:PhraseTable",
    "Score": "metrics.base:Score",
    "SentenceMetric": "metrics.base:SentenceMetric",
    "WordAligner": "monolingual.aligner:WordAligner",
    "compare": "evaluate.compare:compare",
    "correlate": "evaluate.correlate:correlate",
    "explain": "evaluate.explain:explain",
    "extract_grammar": "grammar.extract:extract_grammar",
    "extract_phrases": "phrases.extract:extract_phrases",
    "open": "opening:open",
    "parse_metric": "metrics.registry:parse_metric",
    "pivot_paraphrases": "phrases.pivot:pivot_paraphrases",
    "score": "evaluate.score:score",
    "train_lm": "lm.train:train_lm",
    "verify": "evaluate.verify:verify",
}

__all__ = ["__version__", "align", "learn", *_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> _typing.Any:
    if name == "__version__":
        from paragauge._core import version

        globals()[name] = version
        return version
    from importlib import import_module

    if name in ("align", "learn"):
        return import_module(f"paragauge.{name}")  # a package that can be called like the function
    if name not in _HOMES:
        raise AttributeError(
            f"module 'paragauge' has no attribute {name!r}; what dir(paragauge) does not list is in its folder, such "
            "as paragauge.metrics or paragauge.corpora"
        )
    home, _, attribute = _HOMES[name].partition(":")
    value = getattr(import_module(f"paragauge.{home}"), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
