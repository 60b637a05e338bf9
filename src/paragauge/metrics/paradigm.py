"""PARADIGM (Weese, Ganitkevitch and Callison-Burch 2014), an evaluation of paraphrase grammars.

Overlap. With G the paraphrase rules (seen at least k times) of a gold grammar from hand-aligned sentences, and R those
of the grammar under evaluation,

    relative recall       = |R and G| / |G|
    precision lower bound = |R and G| / |R|

Both are bounds, since neither grammar contains all paraphrases. Rules with identical sides (identities) are excluded
from both by default; the paper does not say whether it counts them, and its numbers fit neither choice throughout.
Rules match if they are identical (strict), or identical after replacing every label by X (non-strict).

Coverage. For pairs of sentences that paraphrase each other, in groups of sentences with the same meaning,

    all         = pairs that the grammar derives / pairs
    any         = groups with a pair that it derives / groups
    mean length = words of derived pairs / (2 * derived pairs)

Pairs whose parse hit a limit are counted separately: their share shows by how much `all` may be too low.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError
from paragauge.grammar.grammar import SIDES, Grammar
from paragauge.grammar.opening import KnownGrammar
from paragauge.grammar.overlap import IDENTITIES, MATCHES, Identities, Match, Overlap, grammar_overlap
from paragauge.grammar.parse import PASS_THROUGH, ParseOptions, ParseResult, PassThrough, parse_pairs
from paragauge.grammar.rule import RuleClass
from paragauge.io import digest
from paragauge.metrics.base import Measurement, ResourceMetric, check_choice, check_number
from paragauge.progress import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PARSING = ParseOptions()  # the defaults of coverage
_CITATION = "Weese, Ganitkevitch & Callison-Burch (2014)"


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def grammar_digest(grammar: KnownGrammar) -> str | None:
    """Return the digest of a grammar's file or folder or, if it was never saved, of its rules and their counts.

    Return ``None`` for a file that only a cluster can read.
    """
    if grammar.digest is not None or not isinstance(grammar, Grammar):
        return grammar.digest
    columns = [*SIDES, *(["count"] if "count" in grammar.columns else [])]
    rules = (
        "\t".join(map(str, rule))
        for batch in grammar.batches(columns)
        for rule in zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
    )
    return digest("\n".join(rules).encode("utf-8", errors="surrogatepass"))


@dataclass(frozen=True, kw_only=True)
class ParadigmOverlap(ResourceMetric[Grammar, Grammar]):
    """Share of gold rules that a grammar contains; one row of statistics per class of rules.

    >>> from paragauge.grammar import Rule
    >>> gold = Grammar.from_rules(map(Rule.parse, ["[NN] ||| answer ||| reply", "[VB] ||| get [NP,1] ||| take [NP,1]"]))
    >>> grammar = Grammar.from_rules(map(Rule.parse, ["[NN] ||| answer ||| reply", "[NN] ||| end ||| close"]))
    >>> score = ParadigmOverlap().evaluate(grammar, gold)
    >>> score.value, score.precision
    (0.5, 0.5)
    """

    match: str = "strict"  # how rules match, section 4.2
    min_count: int = 1  # minimum count of a gold rule: 1 and 2 in tables 3 and 4
    identities: str = "out"  # whether rules with identical sides count; the paper does not say

    name: ClassVar[str] = "paradigm"
    summary: ClassVar[str] = "share of gold paraphrase rules that a grammar contains"
    needs: ClassVar[frozenset[str]] = frozenset({"grammar", "gold grammar"})
    citation: ClassVar[str] = _CITATION
    scale: ClassVar[str] = "0 to 1"

    def __post_init__(self) -> None:
        check_choice(self.name, "match", self.match, MATCHES)
        check_number(self.name, "min_count", self.min_count, low=1, whole=True)
        check_choice(self.name, "identities", self.identities, IDENTITIES)

    def statistics(self, resource: Grammar, gold: Grammar) -> NDArray[np.int64]:
        """Return the numbers of rules found, in the gold and in the grammar, by class of rules."""
        match, identities = cast("Match", self.match), cast("Identities", self.identities)
        found = grammar_overlap(resource, gold, match=match, min_counts=[self.min_count], identities=identities)
        return self.rows_of(found)

    def digests(self, resource: Grammar, gold: Grammar) -> dict[str, str | None]:
        """Return digests of both grammars."""
        return {"gold": grammar_digest(gold), "rules": grammar_digest(resource)}

    def rows_of(self, overlap: Overlap) -> NDArray[np.int64]:
        """Return the statistics of an overlap counted before."""
        import numpy as np

        classes = overlap.counts[self.min_count]
        return np.array([[classes[kind].found, classes[kind].gold, classes[kind].grammar] for kind in RuleClass])

    def measure(self, totals: Sequence[float]) -> Measurement:
        """Return relative recall, with the lower bound of precision and the counts as components."""
        found, gold, grammar = totals
        recall, precision = _share(found, gold), _share(found, grammar)
        components = {
            "recall": recall,
            "precision": precision,
            "f1": _share(2 * recall * precision, recall + precision),
            "found": found,
            "gold": gold,
            "rules": grammar,
        }
        return Measurement(recall, components)

    def signature_items(self) -> Mapping[str, object]:
        return {"match": self.match, "freq": self.min_count, "identities": self.identities}


@dataclass(frozen=True, kw_only=True)
class ParadigmCoverage(ResourceMetric[Grammar, ParaphrasePairs]):
    """Share of paraphrase pairs that a grammar derives; one row of statistics per group.

    >>> from paragauge.grammar import Rule
    >>> grammar = Grammar.from_rules(map(Rule.parse, ["[X] ||| want ||| propose", "[X] ||| to ||| to"]))
    >>> pairs = ParaphrasePairs(("want to", "to want"), ("propose to", "propose to"))
    >>> score = ParadigmCoverage().evaluate(grammar, pairs)
    >>> score.value, score.any_of_group, score.mean_length
    (0.5, 0.5, 2.0)
    """

    pass_through: str = _PARSING.pass_through  # words unknown to the grammar are copied, section 5.2
    glue: bool = _PARSING.glue
    max_span: int | None = _PARSING.max_span  # maximum number of source words that a rule may cover
    max_target_span: int | None = _PARSING.max_target_span
    seconds: float = _PARSING.seconds  # per pair
    megabytes: int = _PARSING.megabytes  # per pair

    name: ClassVar[str] = "paradigm-coverage"
    summary: ClassVar[str] = "share of sentential paraphrases that a grammar derives"
    needs: ClassVar[frozenset[str]] = frozenset({"grammar", "paraphrase pairs"})
    citation: ClassVar[str] = _CITATION
    scale: ClassVar[str] = "0 to 1"

    def __post_init__(self) -> None:
        check_choice(self.name, "pass_through", self.pass_through, PASS_THROUGH)
        self.parse_options()

    def parse_options(self, threads: int | None = None) -> ParseOptions:
        """Return the options of the parser."""
        return ParseOptions(
            pass_through=cast("PassThrough", self.pass_through), glue=self.glue, max_span=self.max_span,
            max_target_span=self.max_target_span, seconds=self.seconds, megabytes=self.megabytes, threads=threads,
        )  # fmt: skip

    def statistics(self, resource: Grammar, gold: ParaphrasePairs) -> NDArray[np.int64]:
        """Return for each group: derived pairs, pairs, whether any is derived, 1, words of derived pairs, limits."""
        results = parse_pairs(resource, gold.source, gold.target, options=self.parse_options())
        return self.rows_of(results, gold)

    def digests(self, resource: Grammar, gold: ParaphrasePairs) -> dict[str, str | None]:
        """Return digests of the grammar and of the pairs."""
        return {"rules": grammar_digest(resource), "pairs": gold.digest}

    def parse(
        self,
        resource: Grammar,
        gold: ParaphrasePairs,
        *,
        derivations: bool = False,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> list[ParseResult]:
        """Return the parse result of each pair."""
        return parse_pairs(
            resource, gold.source, gold.target, options=self.parse_options(threads), derivations=derivations,
            progress=progress,
        )  # fmt: skip

    def rows_of(self, results: Iterable[ParseResult], gold: ParaphrasePairs) -> NDArray[np.int64]:
        """Return the statistics of pairs parsed before."""
        import numpy as np

        rows: dict[str, list[int]] = {}
        for result, group, *texts in zip(results, gold.group_names(), gold.source, gold.target, strict=True):
            row = rows.setdefault(group, [0, 0, 0, 1, 0, 0])
            row[1] += 1
            row[5] += result.status.at_limit
            if result.derived:
                row[0] += 1
                row[2] = 1
                row[4] += sum(len(text.split()) for text in texts)
        if not rows:
            raise DataError("there are no pairs, expected at least one")
        return np.array(list(rows.values()), dtype=np.int64)

    def measure(self, totals: Sequence[float]) -> Measurement:
        """Return the share of all pairs, with the share of groups, the mean length and the counts as components.

        The mean length is that of the derived sentences; without any, it is NaN.
        """
        derived, pairs, any_derived, groups, words, limits = totals
        components = {
            "all_pairs": _share(derived, pairs),
            "any_of_group": _share(any_derived, groups),
            "mean_length": words / (2 * derived) if derived else math.nan,  # of nothing, there is no mean
            "derived": derived,
            "pairs": pairs,
            "groups": groups,
            "at_limit": limits,
        }
        return Measurement(_share(derived, pairs), components)

    def signature_items(self) -> Mapping[str, object]:
        return self.parse_options().signature_items()
