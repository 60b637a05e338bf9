"""Decoding: the rewritings of a sentence that a grammar, a language model and weights prefer.

A derivation scores the weighted sum of its features: those of its rules (stored ones, and those that follow from their
text), the natural logarithm of the probability of its words (``LanguageModel``), the number of words that the language
model does not know (``UnknownWords``), of words copied (``PassThrough``) and of joints between pieces (``Glue``).
The search (native/src/decode) is cube pruning; with a beam that holds everything, it is exact.
"""

from __future__ import annotations

import heapq
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, OptionError, unknown_name
from paragauge.grammar.parse import PASS_THROUGH as PASS_THROUGH_CHOICES
from paragauge.grammar.parse import Derivation, DerivationNode, PassThrough, Sentence, tree_of_rows
from paragauge.grammar.weights import GLUE, LANGUAGE_MODEL, OWN_FEATURES, PASS_THROUGH, UNKNOWN_WORDS, Weights
from paragauge.progress import Progress
from paragauge.storage.store import pack_strings, unpack_strings
from paragauge.text.vocabulary import Vocabulary
from paragauge.threads import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge import _core
    from paragauge.grammar.grammar import Grammar
    from paragauge.lm.model import LanguageModel

_FIRST_BLOCK = 16
_MOST_IN_BLOCK = 512
_NODE_SIZE = 7
_KINDS = {LANGUAGE_MODEL: 2, UNKNOWN_WORDS: 3, PASS_THROUGH: 4, GLUE: 5}  # FeatureKind of the native core
_STORED, _SURFACE = 0, 1
_NOT_DECODED = ("UnalignedSource", "UnalignedTarget")  # they need alignments, which the index does not have
_MEMORY_LIMIT = 3
# A window ends after one of these, if there is one in its second half.
_BREAKS = frozenset(".;:!?,")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeOptions:
    """Options of the search.

    Attributes:
        kbest: Number of candidates per sentence.
        distinct: Whether candidates must differ in their words, and not only in their derivation.
        beam: Number of combinations tried for each span and label.
        max_span: Maximum number of source words that a rule may cover; None means no limit.
        max_rules: Maximum number of rules for one source side, the best by their own score; None means all.
        pass_through: Words that may be copied: ``none``, those ``unknown`` to the grammar, or ``all``.
        glue: Whether pieces may be joined in order.
        max_words: Sentences with more words are decoded in windows.
        megabytes: Memory limit per sentence in MB.
        derivations: Whether to return derivations.
        threads: Number of threads; all cores by default.
    """

    kbest: int = 1
    distinct: bool = True
    beam: int = 100
    max_span: int | None = 10
    max_rules: int | None = 50
    pass_through: PassThrough = "all"  # noqa: S105 - not a password
    glue: bool = True
    max_words: int = 250
    megabytes: int = 1024
    derivations: bool = False
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.pass_through not in PASS_THROUGH_CHOICES:
            raise OptionError(
                f"pass_through must be one of {', '.join(PASS_THROUGH_CHOICES)}; got {self.pass_through!r}"
            )
        for name in ("kbest", "beam", "max_span", "max_rules", "max_words", "megabytes"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise OptionError(f"{name} must be at least 1, got {value}")
        thread_count(self.threads)

    def signature_items(self) -> dict[str, object]:
        """Return the options that can change the result."""
        return {
            "k": self.kbest, "distinct": "yes" if self.distinct else "no", "beam": self.beam,
            "span": self.max_span or "any", "rules": self.max_rules or "all", "pass": self.pass_through,
            "glue": "yes" if self.glue else "no", "window": self.max_words,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rewriting of a sentence.

    Attributes:
        words: Words of the rewriting.
        score: Weighted sum of its features.
        features: Values of the features that have weights, in the order of the weights.
        derivation: How it was made, if requested.
    """

    words: tuple[str, ...]
    score: float
    features: tuple[float, ...]
    derivation: Derivation | None = None

    @property
    def text(self) -> str:
        """The words, separated by spaces."""
        return " ".join(self.words)


class Decoder:
    """A grammar, a language model and weights, ready to rewrite sentences.

    Args:
        grammar: Grammar whose rules are applied.
        weights: Weights of features by name.
        model: Language model; None if derivations are scored by their rules alone.

    Raises:
        DataError: A weight names a feature that neither the grammar nor the decoder has.
        OptionError: The language model is of a kind that cannot be used.

    >>> from paragauge.grammar import Grammar, Rule
    >>> rules = ["[X] ||| big ||| large ||| p(e|f)=0.5", "[X] ||| very [X,1] ||| [X,1] indeed ||| p(e|f)=0.1"]
    >>> decoder = Decoder(Grammar.from_rules(map(Rule.parse, rules)), {"p(e|f)": -1.0, "PassThrough": -2.0})
    >>> decoder.decode(["a very big house"])[0][0].text
    'a large indeed house'
    """

    def __init__(self, grammar: Grammar, weights: Mapping[str, float], model: LanguageModel | None = None) -> None:
        self.grammar = grammar
        self.weights = weights if isinstance(weights, Weights) else Weights(weights)
        self.model = model
        self._lower = _prepares_lower_case(model)
        features = grammar.rule_features
        if features.too_many:
            raise DataError(
                f"the rules have {features.too_many:,} or more different features; at most 256 can be decoded with",
                path=grammar.name,
            )
        kinds, indices = self._find_features(features.names)
        self._native = self._make(kinds, indices)

    def _find_features(self, stored: Sequence[str]) -> tuple[list[int], list[int]]:
        from paragauge import _core

        surface = {name: place for place, name in enumerate(_core.SURFACE_FEATURES) if name not in _NOT_DECODED}
        kinds, indices = [], []
        for name in self.weights:
            if name in (LANGUAGE_MODEL, UNKNOWN_WORDS) and self.model is None:
                if self.weights[name]:
                    raise OptionError(f"the feature {name} has a weight, but there is no language model; give one")
                kinds.append(_KINDS[name])
                indices.append(0)
            elif name in _KINDS:
                kinds.append(_KINDS[name])
                indices.append(0)
            elif name in stored:
                kinds.append(_STORED)
                indices.append(list(stored).index(name))
            elif name in surface:
                kinds.append(_SURFACE)
                indices.append(surface[name])
            else:
                known = (*OWN_FEATURES, *stored, *(each for each in surface if each not in stored))
                raise DataError(
                    f"{unknown_name('feature', name, known)}; the weights must name features of the grammar",
                    path=self.grammar.name,
                )
        return kinds, indices

    def _make(self, kinds: Sequence[int], indices: Sequence[int]) -> _core.Decoder:
        import numpy as np

        from paragauge import _core

        features, index = self.grammar.rule_features, self.grammar.index
        try:
            lm_words = self._lm_words(self.grammar.words)
            return _core.Decoder(
                index,
                None if self.model is None else self.model.queries,
                columns=_core.FeatureColumns(
                    rule_row=features.rows,
                    values=features.values,
                    kinds=np.array(kinds, np.int32),
                    indices=np.array(indices, np.int32),
                    weights=np.array(list(self.weights.values()), np.float64),
                ),
                lm_words=lm_words,
            )
        except DataError:
            raise
        except ValueError as error:
            raise DataError(
                f"the index is damaged: {error}; create the grammar again", path=self.grammar.name
            ) from error

    def _strings(self, packed: tuple[NDArray[np.uint8], NDArray[np.int64]]) -> list[str]:
        try:
            return unpack_strings(*packed)
        except UnicodeDecodeError as error:
            raise DataError(
                f"the index is damaged: a word is not UTF-8 ({error}); create the grammar again", path=self.grammar.name
            ) from error

    def _lm_words(self, words: tuple[NDArray[np.uint8], NDArray[np.int64]]) -> NDArray[np.int32]:
        import numpy as np

        if self.model is None:
            return np.zeros(0, np.int32)
        if self._lower:
            words = pack_strings(word.lower() for word in self._strings(words))
        return self.model.queries.find_all(words)

    def decode(
        self, sentences: Iterable[Sentence], options: DecodeOptions | None = None, *, progress: Progress | None = None
    ) -> list[tuple[Candidate, ...]]:
        """Return the best candidates for each sentence, best first; none if the grammar does not cover it.

        Args:
            sentences: Token sequences, or text with tokens separated by white space.
            options: Options of the search.
            progress: Called with the number of sentences done.

        Raises:
            DataError: A sentence needs more memory than the options allow.
        """
        chosen = options or DecodeOptions()
        tokens = [tuple(one.split()) if isinstance(one, str) else tuple(one) for one in sentences]
        results: list[tuple[Candidate, ...]] = []
        long = 0
        while len(results) < len(tokens):
            # Blocks keep a progress bar moving and memory small.
            first = len(results)
            block = tokens[first : first + min(max(_FIRST_BLOCK, first), _MOST_IN_BLOCK)]
            windows = [_windows(sentence, chosen.max_words) for sentence in block]
            long += sum(len(each) > 1 for each in windows)
            found = iter(self._decode_block([each for all_of in windows for each in all_of], chosen, first, windows))
            for sentence, all_of in zip(block, windows, strict=True):
                parts = [next(found) for _ in all_of]
                results.append(parts[0] if len(parts) == 1 else _joined(sentence, parts, chosen.kbest))
            if progress is not None:
                progress(len(results), len(tokens), "sentences")
        if long:
            _log.warning(
                "%s with more than %s words %s decoded in windows: the language model does not see across their "
                "borders; --max-words sets the limit",
                f"{long:,} sentence{'s' * (long != 1)}", f"{chosen.max_words:,}", "were" if long != 1 else "was",
            )  # fmt: skip
        return results

    def _decode_block(
        self,
        sentences: list[tuple[str, ...]],
        options: DecodeOptions,
        first: int,
        windows: Sequence[Sequence[object]],
    ) -> list[tuple[Candidate, ...]]:
        import numpy as np

        from paragauge import _core

        vocabulary = Vocabulary()
        encoded = vocabulary.encode(sentences)
        packed = pack_strings(vocabulary)
        try:
            status, starts, scores, features, texts, node_starts, nodes = self._native.decode(
                packed,
                token_words=self._lm_words(packed),
                sentences=encoded.arrays,
                options=_core.DecodeOptions(
                    pass_through=_core.PassThrough[options.pass_through],
                    glue=options.glue,
                    max_span=options.max_span or 0,
                    max_rules=options.max_rules or 0,
                    beam=options.beam,
                    kbest=options.kbest,
                    distinct=options.distinct,
                    derivations=options.derivations,
                    bytes=options.megabytes << 20,
                    threads=thread_count(options.threads),
                ),
            )
        except ValueError as error:
            raise DataError(f"{error}; create the grammar again", path=self.grammar.name) from error
        if (status == _MEMORY_LIMIT).any():
            place = int(np.argmax(status == _MEMORY_LIMIT))
            number = next(k for k, _ in enumerate(windows) if place < sum(len(each) for each in windows[: k + 1]))
            raise DataError(
                f"sentence {first + number + 1:,} needs more than {options.megabytes:,} MB; raise --megabytes, or "
                "lower --beam, --max-span or --max-words"
            )
        rows = features.reshape(len(scores), len(self.weights)).tolist()
        lines = self._strings(texts)
        weights = list(self.weights.values())
        results = []
        for place, sentence in enumerate(sentences):
            candidates = []
            for at in range(int(starts[place]), int(starts[place + 1])):
                words = tuple(lines[at].split(" ")) if lines[at] else ()
                derivation = None
                if options.derivations:
                    block = nodes[_NODE_SIZE * node_starts[at] : _NODE_SIZE * node_starts[at + 1]]
                    pieces = tree_of_rows(self.grammar.index, block.reshape(-1, _NODE_SIZE).tolist(), self.grammar.name)
                    derivation = Derivation(sentence, words, pieces)
                score = sum(weight * value for weight, value in zip(weights, rows[at], strict=True))
                candidates.append(Candidate(words, score, tuple(rows[at]), derivation))
            results.append(tuple(candidates))
        return results


def _prepares_lower_case(model: LanguageModel | None) -> bool:
    """Return whether words must be converted to lower case for *model*; one of stems cannot be used."""
    if model is None:
        return False
    if model.pipeline.stem:
        raise OptionError("the language model is one of stems, which cannot score words; train one without stemming")
    return model.pipeline.lowercase


def _windows(sentence: tuple[str, ...], limit: int) -> list[tuple[str, ...]]:
    """Return a sentence in pieces of at most *limit* words, which end after punctuation where possible."""
    pieces = []
    while len(sentence) > limit:
        cuts = [place for place in range(limit, limit // 2, -1) if sentence[place - 1] in _BREAKS]
        cut = cuts[0] if cuts else limit
        pieces.append(sentence[:cut])
        sentence = sentence[cut:]
    return [*pieces, sentence]


def _joined(sentence: tuple[str, ...], parts: Sequence[tuple[Candidate, ...]], kbest: int) -> tuple[Candidate, ...]:
    """Return the best combinations of candidates for the windows of a sentence."""
    if not all(parts):
        return ()
    start = (0,) * len(parts)
    heap = [(-sum(part[0].score for part in parts), start)]
    seen = {start}
    joined: list[Candidate] = []
    while heap and len(joined) < kbest:
        _, ranks = heapq.heappop(heap)
        joined.append(_concatenated(sentence, [part[rank] for part, rank in zip(parts, ranks, strict=True)]))
        for place, rank in enumerate(ranks):
            after = (*ranks[:place], rank + 1, *ranks[place + 1 :])
            if rank + 1 < len(parts[place]) and after not in seen:
                seen.add(after)
                score = sum(part[each].score for part, each in zip(parts, after, strict=True))
                heapq.heappush(heap, (-score, after))
    return tuple(joined)


def _concatenated(sentence: tuple[str, ...], chosen: Sequence[Candidate]) -> Candidate:
    words: tuple[str, ...] = ()
    pieces: list[DerivationNode] = []
    derivations = [each.derivation for each in chosen]
    source = 0
    for each in chosen:
        if each.derivation is not None:
            pieces += [_moved(piece, source, len(words)) for piece in each.derivation.pieces]
            source += len(each.derivation.source)
        words += each.words
    features = tuple(sum(values) for values in zip(*(each.features for each in chosen), strict=True))
    whole = Derivation(sentence, words, tuple(pieces)) if all(each is not None for each in derivations) else None
    return Candidate(words, sum(each.score for each in chosen), features, whole)


def _moved(node: DerivationNode, source: int, target: int) -> DerivationNode:
    return replace(
        node,
        source=(node.source[0] + source, node.source[1] + source),
        target=(node.target[0] + target, node.target[1] + target),
        children=tuple(_moved(child, source, target) for child in node.children),
    )


def feature_names(grammar: Grammar, model: Any = None) -> tuple[str, ...]:
    """Return all features that weights can name for *grammar*."""
    from paragauge import _core

    own = [name for name in OWN_FEATURES if model is not None or name not in (LANGUAGE_MODEL, UNKNOWN_WORDS)]
    surface = [name for name in _core.SURFACE_FEATURES if name not in _NOT_DECODED]
    return tuple(dict.fromkeys([*own, *grammar.rule_features.names, *surface]))
