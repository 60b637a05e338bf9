"""Calls of the library that the documentation promises, whose results are recorded as those of commands are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Call = Callable[[], Any]
PYTHON_CASES: dict[str, Call] = {}


def _case(name: str) -> Callable[[Call], Call]:
    def add(function: Call) -> Call:
        PYTHON_CASES[name] = function
        return function

    return add


def _lines(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").split("\n")[:-1]


def _plain(score: Any) -> dict[str, Any]:
    interval = score.interval
    return {
        "value": score.value,
        "components": dict(score.components),
        "signature": str(score.signature),
        "interval": None if interval is None else [interval.low, interval.high],
    }


@_case("python-scores")
def corpus_and_segment_scores() -> Any:
    import paragauge as pg
    from paragauge.metrics import (
        Chrf,
        EditDissimilarity,
        IBleu,
        MaxSim,
        Meteor,
        NgramF1,
        ParaEval,
        Pinc,
        Precis,
        SelfBleuOriginal,
        SelfBleuSet,
        Ter,
    )

    candidates, originals = _lines("alpha.txt"), _lines("originals.txt")
    references = list(zip(_lines("ref1.txt"), _lines("ref3.txt"), strict=True))
    found: dict[str, Any] = {}
    for metric in (pg.Bleu(lowercase=True), Chrf(word_order=2), Ter(), Meteor(), MaxSim(), ParaEval()):
        found[str(metric)] = [
            _plain(metric.corpus_score(candidates, references)),
            [each.value for each in metric.segment_scores(candidates, references)],
        ]
    for metric in (Pinc(), EditDissimilarity(), NgramF1(), SelfBleuOriginal()):
        found[str(metric)] = [
            _plain(metric.corpus_score(candidates, originals=originals)),
            [each.value for each in metric.segment_scores(candidates, originals=originals)],
        ]
    for metric in (IBleu(), Precis()):
        found[str(metric)] = _plain(metric.corpus_score(candidates, references, originals=originals))
    found["self-bleu-set"] = _plain(SelfBleuSet().corpus_score(candidates))
    return found


@_case("python-pairwise")
def pairwise_scores() -> Any:
    import paragauge as pg

    return pg.Bleu().pairwise(_lines("own-candidates.txt"), _lines("own-originals.txt")).tolist()


@_case("python-tests")
def intervals_and_tests() -> Any:
    from paragauge.corpora import Segments
    from paragauge.meta import bootstrap_interval, paired_bootstrap, paired_permutation
    from paragauge.metrics import Pinc

    pinc, originals = Pinc(), _lines("originals.txt")
    one, other = (pinc.statistics(Segments.of(_lines(name), originals=originals)) for name in ("alpha.txt", "beta.txt"))
    interval = bootstrap_interval(pinc, one, resamples=200, seed=12345)
    return {
        "interval": [interval.low, interval.high],
        "bootstrap": paired_bootstrap(pinc, one, other, resamples=200, seed=1).p_value,
        "permutation": paired_permutation(pinc, one, other, permutations=200, seed=1).p_value,
    }


@_case("python-align")
def word_alignment() -> Any:
    import paragauge as pg

    return [links.to_pharaoh() for links in pg.align(_lines("bitext.en"), _lines("bitext.de"))]


@_case("python-lm")
def language_model() -> Any:
    import paragauge as pg

    model = pg.train_lm(_lines("bitext.en"), order=2, smoothing="katz")
    sentences = _lines("own-candidates.txt")
    return [[model.score(each), model.normalised(each)] for each in sentences]


@_case("python-parametric")
def parametric() -> Any:
    from paragauge.align import read_aligned_pairs
    from paragauge.align.alignment import read_pharaoh
    from paragauge.metrics import ParametricAlignment

    gold = read_aligned_pairs("gold.json")
    return _plain(ParametricAlignment().evaluate(list(read_pharaoh("mine.align")), gold))


@_case("python-paradigm")
def paradigm() -> Any:
    import paragauge as pg
    from paragauge.grammar.overlap import grammar_overlap

    gold, rules = pg.Grammar.open("gold.grammar"), pg.Grammar.open("samt.grammar")
    overlap = grammar_overlap(rules, gold, min_counts=[1])
    return {kind.name: [count.found, count.gold, count.grammar] for kind, count in overlap.counts[1].items()}


@_case("python-paradigm-signature")
def paradigm_signature() -> Any:
    """The signature is the command's, with the digests of both grammars."""
    import paragauge as pg
    from paragauge.metrics import ParadigmOverlap

    gold, rules = pg.Grammar.open("gold.grammar"), pg.Grammar.open("samt.grammar")
    return _plain(ParadigmOverlap().evaluate(rules, gold))


@_case("python-pem-own-model")
def pem_own_model() -> Any:
    import paragauge as pg

    pem = pg.PEM.load("small.pem")
    return _plain(pem.score("The man purchases the house.", original="The man buys the house."))


@_case("judges-python")
def judges_default_models() -> Any:
    import paragauge as pg

    candidate, original = "He postponed the meeting.", "He put off the meeting."
    return [_plain(metric.load().score(candidate, original=original)) for metric in (pg.PEM, pg.PEMPlus)]


@_case("python-study")
def study() -> Any:
    from paragauge.corpora import read_judgments
    from paragauge.meta.scores import read_scores
    from paragauge.meta.study import make_study

    made = make_study(read_scores("scores.tsv"), read_judgments("judgments.tsv"), resamples=20)
    return {
        "scores": [[each.name, each.system, each.value, each.rank] for each in made.scores],
        "agreements": [
            [each.correlation.metric, each.correlation.level, each.correlation.method, each.correlation.value]
            for each in made.agreements
        ],
    }
