"""Rewriting sentences with a grammar, a language model and weights: paraphrases, compressions."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.asking import request_of
from paragauge.evaluate.gold import Preparing
from paragauge.evaluate.option import option
from paragauge.evaluate.result import Result
from paragauge.evaluate.vetoes import allowed, find_names
from paragauge.evaluate.written import WrittenLine
from paragauge.grammar.decode import Candidate, DecodeOptions, Decoder, feature_names
from paragauge.grammar.weights import GLUE, LANGUAGE_MODEL, PASS_THROUGH, UNKNOWN_WORDS, Weights
from paragauge.progress import Counter

if TYPE_CHECKING:
    from paragauge.grammar.grammar import Grammar
    from paragauge.grammar.parse import Derivation
    from paragauge.io import PathLike
    from paragauge.lm.model import LanguageModel
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

_DEFAULTS = DecodeOptions()  # where the defaults are defined
_WORDS = "TargetWords"
# Weight taken from every word of the output until it is short enough.
_PENALTIES = (0.5, 1.0, 2.0, 4.0, 8.0)

_AT_A_TIME = 8  # candidates checked together
_CHECKED = 50  # candidates among which one that passes the checks is sought
_SHIPPED_MARGIN = 0.5
_COPY = 1e6  # weight of a copied word that makes the copy of a sentence its best candidate

# Weights to start with: probable rules and fluent words, and a price for every rule, copy and joint.
STARTING_WEIGHTS = {
    LANGUAGE_MODEL: 0.5, UNKNOWN_WORDS: -1.0, "p(e|f)": -0.3, "p(f|e)": -0.1, "Lex(e|f)": -0.1, "Lex(f|e)": -0.1,
    "PPDB2.0Score": 0.5, "RarityPenalty": -0.3, "Usage": -0.1, PASS_THROUGH: -1.0, GLUE: -0.1,
    "Identity": 0.0, "PhrasePenalty": 0.0, _WORDS: 1.0, "WordCountDiff": 0.0, "CharCountDiff": 0.0, "Lexical": 0.0,
    "Monotonic": 0.0, "Deletion": -1.0,
}  # fmt: skip

_DATA = Path(__file__).parent.parent / "data"
SHIPPED_GRAMMAR = _DATA / "rewriting" / "default"
SHIPPED_MODEL = _DATA / "pem" / "default" / "language-model"
SHIPPED_WEIGHTS = _DATA / "rewriting" / "default.weights"
TUNED_WEIGHTS = {name: _DATA / "rewriting" / f"{name}.weights" for name in ("pem", "pem+")}  # for the shipped grammar

WeightsLike: TypeAlias = "Mapping[str, float] | PathLike | None"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Searching(Preparing):
    """Options of the search."""

    beam: int = option(_DEFAULTS.beam, low=1, metavar="N", help="Number of combinations tried for each span and label.")
    max_span: int | None = option(
        _DEFAULTS.max_span, low=1, metavar="N", help="Maximum number of source words that a rule may cover."
    )
    max_rules: int | None = option(
        _DEFAULTS.max_rules, low=1, metavar="N", help="Maximum number of rules for one source side, the best first."
    )
    pass_through: Literal["none", "unknown", "all"] = option(
        _DEFAULTS.pass_through, help="Words that may be copied: none, those unknown to the grammar, or all."
    )
    glue: bool = option(_DEFAULTS.glue, flags=("--glue/--no-glue",), help="Allow pieces to be joined in order.")
    max_words: int = option(
        _DEFAULTS.max_words, low=2, metavar="N", help="Decode sentences with more words in windows, with a warning."
    )
    megabytes: int = option(_DEFAULTS.megabytes, low=1, metavar="MB", help="Memory limit per sentence, in megabytes.")

    def for_shipped_grammar(self) -> dict[str, Any]:
        """Return what changes with the shipped grammar."""
        return {"tokenizer": "penn", "lowercase": True} if self.tokenizer == "none" else {}

    def decode_options(self, **changed: Any) -> DecodeOptions:
        """Return the options for the decoder."""
        names = ("beam", "max_span", "max_rules", "pass_through", "glue", "max_words", "megabytes")
        return DecodeOptions(**{name: getattr(self, name) for name in names}, **changed)


_Asked = TypeVar("_Asked", bound=Searching)


@dataclass(frozen=True, kw_only=True)
class GenerateRequest(Searching):
    """What to generate.

    Attributes:
        derivations: Whether to keep the derivation of each candidate.
    """

    kbest: int = option(1, low=1, high=10_000, metavar="N", help="Number of candidates per sentence.")
    max_ratio: float | None = option(
        None,
        low=0,
        high=100,
        metavar="RATIO",
        help="Maximum length of the output in words, as a share of the input's: 0.8 removes a fifth or more.",
    )
    optimise: str | None = option(
        None,
        metavar="METRIC",
        help="Choose among the best candidates by a metric that compares them with the input, such as pem or pem+.",
    )
    pool: int = option(
        100, low=1, high=10_000, metavar="N", help="Number of candidates that --optimise and --max-ratio choose from."
    )
    margin: float | None = option(
        None,
        low=0,
        metavar="SCORE",
        help="With --optimise, choose only among candidates whose score is at most this far below the best.",
        default_help=f"{_SHIPPED_MARGIN:g} with the default grammar",
    )
    checks: Literal["auto", "yes", "no"] = option(
        "auto",
        help="Refuse candidates that change a number, a negation, a name or who does what, that give a rewritten "
        "phrase another part of speech, or that are not fluent: for English; auto means with the default grammar.",
    )
    tokens: bool = option(
        False, help="Write tokens, separated by spaces, in place of text with the input's capitals and spaces."
    )
    derivations: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin is not None and self.optimise is None:
            raise OptionError("--margin needs --optimise: without a metric, the best candidate is chosen anyway")
        if self.max_ratio is not None and not self.max_ratio > 0:
            raise OptionError(f"the option 'max_ratio' must be greater than 0; got {self.max_ratio!r}")

    def for_shipped_grammar(self) -> dict[str, Any]:
        changed = super().for_shipped_grammar()
        if self.checks == "auto":
            changed["checks"] = "yes"
        if self.optimise is not None and self.margin is None:
            changed["margin"] = _SHIPPED_MARGIN
        return changed

    @property
    def writes_text(self) -> bool:
        """Whether candidates are written as text, and not as tokens."""
        return not self.tokens and self.tokenizer != "none"

    def load_metric(self) -> SentenceMetric | None:
        """Return the metric that chooses, if there is one."""
        from paragauge.metrics.registry import parse_metric

        if self.optimise is None:
            return None
        metric: SentenceMetric = parse_metric(self.optimise)
        if metric.needs != frozenset({"originals"}):
            raise OptionError(
                f"{metric.name} does not compare a candidate with the sentence that it rewrites; choose one that does, "
                "such as pem or pem+"
            )
        return metric


@dataclass(frozen=True)
class Rewritten:
    """The rewritings of one sentence.

    Attributes:
        original: Sentence as it was given, or its tokens, separated by spaces.
        words: Number of its tokens.
        candidates: Candidates, best first.
        texts: Candidates as text, or their tokens, separated by spaces.
        values: Value of the metric that chose them, for each candidate; empty without a metric.
        short_enough: Whether the candidates are as short as requested.
    """

    original: str
    words: int
    candidates: tuple[Candidate, ...]
    texts: tuple[str, ...]
    values: tuple[float, ...] = ()
    short_enough: bool = True


@dataclass(frozen=True)
class GenerateResult(Result):
    """Rewritten sentences.

    Attributes:
        sentences: One per input sentence.
        weights: Weights that were used.
        signature: Everything that can change the result.
        metric: Name of the metric that chose candidates, if any.
    """

    sentences: tuple[Rewritten, ...]
    weights: Weights
    signature: Signature
    metric: str | None = None

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per candidate."""
        rows: list[dict[str, Cell]] = []
        for number, sentence in enumerate(self.sentences, start=1):
            words = sentence.words
            for rank, (one, text) in enumerate(zip(sentence.candidates, sentence.texts, strict=True), start=1):
                row: dict[str, Cell] = {"segment": number, "rank": rank, "score": one.score}
                if self.metric is not None:
                    row[self.metric] = sentence.values[rank - 1]
                row |= {"ratio": len(one.words) / words if words else 1.0, "short_enough": sentence.short_enough}
                rows.append({**row, "original": sentence.original, "text": text})
        return rows

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = [{**row, "signature": str(self.signature)} for row in self.rows()]
        chosen = [] if self.metric is None else [self.metric]
        columns = ["segment", "rank", "score", *chosen, "ratio", "text"]
        notes = [str(self.signature)]
        variety = self.variety()
        if variety is not None:
            notes.insert(0, f"self-BLEU of the candidates of a sentence: {variety:.1f} (100: all alike)")
        machine = [*columns[:-1], "short_enough", "original", "text", "signature"]
        return ResultTable(columns, rows, notes=notes, machine_columns=machine)

    def text(self) -> str:
        """Return the best candidate of each sentence, one per line."""
        return "".join(f"{sentence.texts[0]}\n" for sentence in self.sentences)

    def variety(self) -> float | None:
        """Return the mean BLEU of each candidate against the others of its sentence; None if there are no others.

        100 means that all candidates are alike.
        """
        from paragauge.metrics.bleu import Bleu

        texts, others = [], []
        for sentence in self.sentences:
            lines = [one.text for one in sentence.candidates]  # tokens, which BLEU counts
            if len(lines) > 1:
                texts += lines
                others += [[*lines[:place], *lines[place + 1 :]] for place in range(len(lines))]
        if not texts:
            return None
        scores = Bleu(tokenizer="none").for_segments().segment_scores(texts, others)
        return sum(score.value for score in scores) / len(scores)

    def derivations(self) -> Iterator[tuple[str, int, Derivation]]:
        """Yield the derivation of each sentence's best candidate, if it was kept, with the number of the sentence."""
        for number, sentence in enumerate(self.sentences, start=1):
            if sentence.candidates and sentence.candidates[0].derivation is not None:
                yield "generated", number, sentence.candidates[0].derivation


class Generator:
    """A grammar, a language model and weights that rewrite sentences.

    Args:
        grammar: Grammar, or its path; by default, the one that ships, for English in lower case.
        lm: Language model, or its path; None to do without, or with the shipped grammar to use the model that ships.
        weights: Weights by feature, or the file that holds them; by default `starting_weights` or, with the shipped
            grammar, those that ship. With that grammar, ``pem`` and ``pem+`` name weights tuned to these metrics.
        threads: Number of threads; all cores by default.

    Raises:
        DataError: A weight names a feature that the grammar does not have.

    >>> from paragauge.grammar import Grammar, Rule
    >>> rules = ["[X] ||| big ||| large ||| p(e|f)=0.1", "[X] ||| large ||| big ||| p(e|f)=0.1"]
    >>> generator = Generator(Grammar.from_rules(map(Rule.parse, rules)))
    >>> print(generator("a big house").text())
    a large house
    <BLANKLINE>
    """

    def __init__(
        self,
        grammar: Grammar | PathLike | None = None,
        lm: LanguageModel | PathLike | None = None,
        weights: WeightsLike = None,
        *,
        threads: int | None = None,
    ) -> None:
        from paragauge.grammar.grammar import Grammar
        from paragauge.lm.model import LanguageModel

        self.is_shipped = grammar is None
        if grammar is None:
            grammar = SHIPPED_GRAMMAR
            lm = SHIPPED_MODEL if lm is None else lm
            weights = SHIPPED_WEIGHTS if weights is None else weights
            if isinstance(weights, str):
                weights = TUNED_WEIGHTS.get(weights, weights)
        self.grammar = grammar if isinstance(grammar, Grammar) else Grammar.open(grammar)
        self.model = lm if lm is None or isinstance(lm, LanguageModel) else LanguageModel.load(lm)
        if weights is None:
            self.weights = starting_weights(self.grammar, self.model)
        elif isinstance(weights, Mapping):
            self.weights = weights if isinstance(weights, Weights) else Weights(weights)
        else:
            self.weights = Weights.read(weights)
        self._threads = threads
        self.decoder = Decoder(self.grammar, self.weights, self.model)

    def with_weights(self, weights: Mapping[str, float]) -> Generator:
        """Return a generator with other weights."""
        return Generator(self.grammar, self.model, weights, threads=self._threads)

    def prepared(self, request: _Asked) -> _Asked:
        """Return the request with what the shipped grammar needs, if that is used and nothing else is asked for."""
        return request.changed(**request.for_shipped_grammar()) if self.is_shipped else request

    def __call__(
        self,
        sentences: str | Iterable[str],
        request: GenerateRequest | None = None,
        *,
        progress: Progress | None = None,
        **options: Any,
    ) -> GenerateResult:
        """Rewrite sentences.

        Args:
            sentences: A sentence, or several.
            request: All options; alternatively, pass the fields of `GenerateRequest` as keywords.
            progress: Called with the number of sentences done.

        Raises:
            DataError: A sentence has no derivation or needs too much memory.
        """
        asked = self.prepared(request_of(GenerateRequest, request, options))
        metric = asked.load_metric()
        lines = [sentences] if isinstance(sentences, str) else list(sentences)
        tokens, written = self.read(lines, asked)
        pool = asked.pool if metric is not None or asked.max_ratio is not None else 1
        searching = asked.decode_options(
            kbest=max(asked.kbest, pool, _CHECKED if asked.checks == "yes" else 1),
            derivations=asked.derivations or asked.checks == "yes" or asked.writes_text,
            threads=self._threads,
        )
        found = self.decoder.decode(tokens, searching, progress=progress)
        for number, candidates in enumerate(found, start=1):
            if not candidates:
                raise DataError(
                    f"sentence {number:,} has no derivation: {' '.join(tokens[number - 1])[:60]!r}; allow --glue and "
                    "--pass-through all, or use a grammar that covers it"
                )
        short = [True] * len(found)
        if asked.max_ratio is not None:
            found, short = self._shortened(tokens, found, searching, asked.max_ratio)
        counter = Counter(progress, len(found), "sentences" if metric is None else metric.name)
        rewritten: list[Rewritten] = []
        for line, sentence, candidates, enough in zip(written, tokens, found, short, strict=True):
            try:
                passing = list(_chosen_from(_passing(line, candidates, asked), asked))
            except DataError as error:  # too long for the judges
                raise DataError(f"sentence {len(rewritten) + 1:,}: {error}, or do without --checks") from error
            if not passing:
                passing, enough = [self._copy(sentence, searching)], asked.max_ratio is None
            rewritten.append(_best_of(passing, line, sentence, asked, metric, short_enough=enough))
            counter.advance()
        return GenerateResult(
            tuple(rewritten),
            self.weights,
            self._signature(asked, searching, metric),
            None if metric is None else metric.name,
        )

    def read(self, lines: Iterable[str], request: Searching) -> tuple[list[tuple[str, ...]], list[WrittenLine]]:
        """Return the tokens of each line, and where they stand in it.

        The shipped grammar is in lower case. Names keep their capitals, and so none of its rules applies to them.
        """
        from paragauge.text.pipeline import TextPipeline

        pipeline = TextPipeline(tokenizer=request.tokenizer, lowercase=request.lowercase)
        texts = list(lines)
        tokens, written = [pipeline(line) for line in texts], [WrittenLine.of(line, pipeline) for line in texts]
        if self.is_shipped and request.lowercase:
            tokens = [
                tuple(line.word(place) if names[place] else word for place, word in enumerate(each))
                for line, each, names in zip(written, tokens, find_names(written), strict=True)
            ]
        return tokens, written

    def _copy(self, tokens: tuple[str, ...], searching: DecodeOptions) -> Candidate:
        """Return a sentence as its own candidate."""
        weights = self.weights.changed({PASS_THROUGH: _COPY})
        found = Decoder(self.grammar, weights, self.model).decode([tokens], replace(searching, kbest=1))
        return self._rescored(found[0][0], weights)

    def _shortened(
        self,
        tokens: Sequence[tuple[str, ...]],
        found: list[tuple[Candidate, ...]],
        searching: DecodeOptions,
        ratio: float,
    ) -> tuple[list[tuple[Candidate, ...]], list[bool]]:
        """Keep candidates that are short enough, searching again with a price for words where there are none."""
        limits = [int(ratio * len(sentence) + 1e-9) for sentence in tokens]
        kept = [
            tuple(one for one in candidates if len(one.words) <= limit)
            for candidates, limit in zip(found, limits, strict=True)
        ]
        shortest = [min(candidates, key=lambda one: len(one.words)) for candidates in found]
        for penalty in _PENALTIES:
            missing = [place for place, candidates in enumerate(kept) if not candidates]
            if not missing:
                break
            price = self.weights.get(_WORDS, 0.0) - penalty
            decoder = Decoder(self.grammar, self.weights.changed({_WORDS: price}), self.model)
            again = decoder.decode([tokens[place] for place in missing], searching)
            for place, candidates in zip(missing, again, strict=True):
                rescored = [self._rescored(one, decoder.weights) for one in candidates]
                rescored.sort(key=lambda one: -one.score)
                kept[place] = tuple(one for one in rescored if len(one.words) <= limits[place])
                shortest[place] = min((shortest[place], *rescored), key=lambda one: len(one.words))
        enough = [bool(candidates) for candidates in kept]
        if not all(enough):
            count = enough.count(False)
            logger.warning(
                "%s could not be made as short as %g of the input; the shortest candidate is given, and marked in "
                "tables (short_enough)",
                f"{count:,} sentence{'s' * (count != 1)}", ratio,
            )  # fmt: skip
        return [candidates or (last,) for candidates, last in zip(kept, shortest, strict=True)], enough

    def _rescored(self, one: Candidate, weights: Weights) -> Candidate:
        """Return a candidate with the score and the features that it has by the generator's own weights."""
        by_name = dict(zip(weights, one.features, strict=True))
        features = tuple(by_name[name] for name in self.weights)
        score = sum(weight * value for weight, value in zip(self.weights.values(), features, strict=True))
        return replace(one, score=score, features=features)

    def _signature(self, asked: GenerateRequest, searching: DecodeOptions, metric: SentenceMetric | None) -> Signature:
        from paragauge.metrics.base import package_version
        from paragauge.metrics.signature import Signature

        manifest = None if self.model is None else self.model.manifest
        items: dict[str, object] = {
            "tok": asked.tokenizer, "case": "lc" if asked.lowercase else "mixed", **searching.signature_items(),
        }  # fmt: skip
        if asked.max_ratio is not None:
            items["ratio"] = f"{asked.max_ratio:g}"
        if metric is not None:
            items["optimise"] = str(metric)
        if asked.margin is not None:
            items["margin"] = f"{asked.margin:g}"
        if asked.checks == "yes":
            items["checks"] = "yes"
        items["out"] = "text" if asked.writes_text else "tokens"
        items |= {
            "grammar": self.grammar.digest or "memory", "weights": self.weights.digest(),
            "lm": "none" if self.model is None else "memory" if manifest is None else manifest.digest(),
            "version": package_version(),
        }  # fmt: skip
        return Signature.of("generate", items)


def starting_weights(grammar: Grammar, model: LanguageModel | None) -> Weights:
    """Return weights to start with, for the features that *grammar* has."""
    known = feature_names(grammar, model)
    return Weights({name: value for name, value in STARTING_WEIGHTS.items() if name in known})


def _passing(line: WrittenLine, candidates: Sequence[Candidate], asked: GenerateRequest) -> Iterator[Candidate]:
    """Yield the candidates that pass the checks, if these are asked for; they are checked a few at a time."""
    if asked.checks != "yes":
        yield from candidates
        return
    for first in range(0, len(candidates), _AT_A_TIME):
        some = [(one, line.rendered(one)) for one in candidates[first : first + _AT_A_TIME]]
        for (one, _), passes in zip(some, allowed(line.text, some), strict=True):
            if passes:
                yield one


def _chosen_from(candidates: Iterator[Candidate], asked: GenerateRequest) -> Iterator[Candidate]:
    """Return the candidates from which a metric chooses, or the best ones if there is none."""
    if asked.optimise is None:
        return islice(candidates, asked.kbest)
    if asked.margin is None:
        return candidates
    best = next(candidates, None)
    if best is None:
        return iter(())
    least = best.score - asked.margin
    return chain([best], takewhile(lambda one: one.score >= least, candidates))


def _best_of(
    candidates: Sequence[Candidate],
    line: WrittenLine,
    tokens: tuple[str, ...],
    asked: GenerateRequest,
    metric: SentenceMetric | None,
    *,
    short_enough: bool,
) -> Rewritten:
    """Return the best candidates by the metric, if there is one; those with the same value keep their order."""
    if asked.writes_text:
        original, texts = line.text, [line.rendered(one) for one in candidates]
    else:
        original, texts = " ".join(tokens), [one.text for one in candidates]
        if asked.lowercase:  # of a name
            original, texts = original.lower(), [text.lower() for text in texts]
    order = list(range(len(candidates)))
    values: list[float] = []
    if metric is not None:
        values = [score.value for score in metric.segment_scores(texts, originals=[original] * len(texts))]
        sign = -1.0 if metric.better == "higher" else 1.0
        order.sort(key=lambda place: sign * values[place])
    order = order[: asked.kbest]
    return Rewritten(
        original, len(tokens), tuple(candidates[place] for place in order), tuple(texts[place] for place in order),
        tuple(values[place] for place in order if values), short_enough,
    )  # fmt: skip
