"""Synchronous rules extracted from a bitext with word links (Chiang 2007), optionally labelled by trees of one side.

Phrase pairs that are consistent with the links are rules; replacing phrase pairs inside them with nonterminals gives
more rules. Labels are just X (Hiero), or constituents, or constituents and, where there is none, combined categories:
``A+B`` for an A followed by a B, ``A/B`` for an A that lacks a B on its right, ``A\\B`` for one that lacks it on its
left (SAMT), tried in this order; CCG has slashes only. A phrase without a label yields no rule, unless there is a
default label.

As for phrase tables, there are two passes over the text: one to number words and count their links, one to extract. The
engine counts the rules and spills to disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, overload

from paragauge.analysis.tree import Tree, read_trees
from paragauge.errors import DataError, OptionError
from paragauge.grammar import queries
from paragauge.grammar.features import TEXT, with_costs
from paragauge.grammar.grammar import Grammar
from paragauge.grammar.rule import NONTERMINAL
from paragauge.grammar.trees import TreeArrays, TreeEncoder
from paragauge.io import PathLike, digests_of_files, display_name, read_lines
from paragauge.phrases.extract import (
    RANK_LENGTH,
    LinkedBatch,
    Spool,
    check_local,
    encode_batches,
    excluded_options,
    pack_alignments,
)
from paragauge.progress import Counter, Progress
from paragauge.storage.engine import Engine, EngineOptions
from paragauge.storage.links import LinkArrays, LinkPlace, Links, read_link_batches
from paragauge.storage.remote import Job, RemoteEngine, RunSummary, local_options, remote_output
from paragauge.storage.seen import Seen, SentenceWatch
from paragauge.storage.store import arrow_strings, pack_strings
from paragauge.text.vocabulary import Sentence, TextVocabulary

if TYPE_CHECKING:
    import pyarrow as pa

    from paragauge import _core

LabelSet: TypeAlias = Literal["hiero", "constituents", "ccg", "samt"]
DefaultFor: TypeAlias = Literal["phrases", "all"]
Chain: TypeAlias = Literal["bottom", "top", "all"]
Side: TypeAlias = Literal["source", "target"]

LABEL_SETS: tuple[LabelSet, ...] = ("hiero", "constituents", "ccg", "samt")
DEFAULTS_FOR: tuple[DefaultFor, ...] = ("phrases", "all")
CHAINS: tuple[Chain, ...] = ("bottom", "top", "all")
SIDES: tuple[Side, ...] = ("source", "target")

_PAIRS_IN_BATCH = 1 << 12
_ROWS_IN_BATCH = 1 << 17
_NO_LIMIT = 1 << 30
_LABEL = re.compile(r"[^\s\[\]|]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLimits:
    """Limits of the rules to extract: by default those of Hiero as set in Thrax. None means no limit.

    They were inferred from a grammar made by Thrax; docs/reproduction.md compares the counts with the PARADIGM paper's.

    Attributes:
        max_span: Maximum words of an initial phrase on the source side, before anything is replaced.
        max_target_span: The same on the target side.
        max_symbols: Maximum words and nonterminals on the source side of a rule with nonterminals.
        max_target_symbols: The same on the target side.
        max_words: Maximum words on the source side of a rule without nonterminals.
        max_nonterminals: Maximum nonterminals: 0, 1 or 2.
        min_links: Minimum links between words that are not replaced, in rules with nonterminals.
        adjacent: Whether nonterminals may be adjacent on the source side.
        tight: Whether words at the edges of a phrase must have links, so that only the smallest of all phrase pairs
            with the same links counts (Chiang 2007; also in Thrax).
    """

    max_span: int | None = 10
    max_target_span: int | None = 10
    max_symbols: int | None = 5
    max_target_symbols: int | None = 5
    max_words: int | None = 10
    max_nonterminals: int = 2
    min_links: int = 1
    adjacent: bool = False
    tight: bool = True

    def __post_init__(self) -> None:
        for name in ("max_span", "max_target_span", "max_symbols", "max_target_symbols", "max_words"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise OptionError(f"{name} must be at least 1, got {value}")
        if not 0 <= self.max_nonterminals <= 2:
            raise OptionError(f"max_nonterminals must be 0, 1 or 2, got {self.max_nonterminals}")
        if self.min_links < 0:
            raise OptionError(f"min_links must not be negative, got {self.min_links}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """The source of labels.

    Attributes:
        labels: Set of labels: ``hiero``, ``constituents``, ``ccg`` (and ``A/B``, ``A\\B``) or ``samt`` (and ``A+B``).
        trees_side: Side that the trees belong to.
        chain: Which of several nodes over the same words gives the label; ``all`` joins their labels with ``:``.
        default: Label of phrases that have no other, such as ``X``; by default they yield no rules.
        default_for: Where the default label is used: in ``phrases``, rules without nonterminals; or in ``all`` rules,
            on the left-hand side and in nonterminals.
    """

    labels: LabelSet = "hiero"
    trees_side: Side = "source"
    chain: Chain = "bottom"
    default: str | None = None
    default_for: DefaultFor = "phrases"

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("labels", self.labels, LABEL_SETS),
            ("trees_side", self.trees_side, SIDES),
            ("chain", self.chain, CHAINS),
            ("default_for", self.default_for, DEFAULTS_FOR),
        ):
            if value not in choices:
                raise OptionError(f"{name} must be one of {', '.join(choices)}; got {value!r}")
        if self.default is not None and not _LABEL.fullmatch(self.default):
            raise OptionError(f"{self.default!r} cannot be a label; expected a word without brackets, such as X")


def extract_grammar(
    source: Iterable[Sentence],
    target: Iterable[Sentence],
    alignments: Iterable[Links],
    *,
    trees: Iterable[Tree] | None = None,
    labelling: Labelling | None = None,
    limits: RuleLimits | None = None,
    min_count: int = 1,
    lexical: bool = True,
    exclude: Seen | None = None,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar:
    """Return the grammar of a bitext with word links.

    Args:
        source: Sentences, as token sequences or as text with tokens separated by white space.
        target: Their translations or paraphrases.
        alignments: Links of each pair: ``0-0 1-2``, or (source, target) positions from 0.
        trees: Constituency trees of the sentences of one side, for labels other than Hiero's.
        labelling: Labels to use; by default constituents if there are trees, else Hiero's X.
        limits: Limits of the rules to extract.
        min_count: Minimum number of occurrences.
        lexical: Keep lexical weights.
        exclude: Leave out pairs with these sentences, such as those of a gold standard.
        engine: Memory limit, temporary folder and threads.
        output: Grammar folder to write; by default the grammar is kept in memory.
        progress: Called with the number of sentence pairs read, and of those whose rules were extracted.

    Raises:
        DataError: The inputs differ in length or do not match.

    >>> grammar = extract_grammar(["the big house"], ["la grande maison"], ["0-0 1-1 2-2"])
    >>> [f"{rule.source_text} -> {rule.target_text}" for rule in grammar][:3]
    ['[X,1] big -> [X,1] grande', '[X,1] big [X,2] -> [X,1] grande [X,2]', '[X,1] big house -> [X,1] grande maison']
    """
    for name, value in (("source", source), ("target", target), ("alignments", alignments)):
        if isinstance(value, str):
            raise DataError(f"{name} is one string, expected a sequence; for one sentence pass [text]")
    labelling = labelling or Labelling(labels="hiero" if trees is None else "constituents")
    return _extract(
        iter(source), iter(target), pack_alignments(iter(alignments)), ("source", "target", "alignments"),
        trees=None if trees is None else TreeEncoder(trees, "trees"), labelling=labelling,
        limits=limits or RuleLimits(), min_count=min_count, lexical=lexical, engine=engine, output=output,
        progress=progress, exclude=exclude,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractRules(Job[RunSummary]):
    """The work of `extract_grammar_files`, for a remote engine."""

    kind: ClassVar[str] = "grammar"

    source: PathLike
    target: PathLike
    links: PathLike
    output: PathLike
    trees: PathLike | None
    labelling: Labelling
    limits: RuleLimits
    min_count: int = 1
    lexical: bool = True
    one_based: bool = False
    encoding: str = "utf-8"


@overload
def extract_grammar_files(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    *,
    trees: PathLike | None = None,
    labelling: Labelling | None = None,
    limits: RuleLimits | None = None,
    min_count: int = 1,
    lexical: bool = True,
    one_based: bool = False,
    encoding: str = "utf-8",
    exclude: Seen | None = None,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar: ...
@overload
def extract_grammar_files(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    *,
    trees: PathLike | None = None,
    labelling: Labelling | None = None,
    limits: RuleLimits | None = None,
    min_count: int = 1,
    lexical: bool = True,
    one_based: bool = False,
    encoding: str = "utf-8",
    exclude: Seen | None = None,
    engine: RemoteEngine,
    output: PathLike,
) -> RunSummary: ...
def extract_grammar_files(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    *,
    trees: PathLike | None = None,
    labelling: Labelling | None = None,
    limits: RuleLimits | None = None,
    min_count: int = 1,
    lexical: bool = True,
    one_based: bool = False,
    encoding: str = "utf-8",
    exclude: Seen | None = None,
    engine: EngineOptions | RemoteEngine | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar | RunSummary:
    """Return the grammar of two text files, a Pharaoh file of links, and optionally a file of bracketed trees.

    Texts are as for `paragauge.phrases.extract.extract_phrase_files`; *trees* has one bracketed tree per line or,
    on a cluster, optionally a column ``tree``. With a cluster as *engine*, which needs *output*, the same rules are
    written in parts and a summary is returned. See `extract_grammar` for the rest.
    """
    labelling = labelling or Labelling(labels="hiero" if trees is None else "constituents")
    limits = limits or RuleLimits()
    if isinstance(engine, RemoteEngine):
        check_local(exclude)
        return engine.perform(
            ExtractRules(
                source=source, target=target, links=links, output=remote_output(output, progress), trees=trees,
                labelling=labelling, limits=limits, min_count=min_count, lexical=lexical, one_based=one_based,
                encoding=encoding,
            )
        )  # fmt: skip
    names = (display_name(source), display_name(target), display_name(links))
    files = [*names, *([] if trees is None else [display_name(trees)])]
    if files.count("<stdin>") > 1:
        raise OptionError("standard input ('-') can be read only once; give file names")
    return _extract(
        read_lines(source, encoding=encoding), read_lines(target, encoding=encoding),
        read_link_batches(links, _PAIRS_IN_BATCH, one_based=one_based), names,
        trees=None if trees is None else TreeEncoder(read_trees(trees, encoding=encoding), display_name(trees)),
        labelling=labelling, limits=limits, min_count=min_count, lexical=lexical, engine=engine,
        output=output, progress=progress, exclude=exclude,
        inputs=digests_of_files(files),
    )  # fmt: skip


def _extract(
    source: Iterator[Sentence],
    target: Iterator[Sentence],
    links: Iterator[tuple[LinkArrays, LinkPlace]],
    names: tuple[str, str, str],
    *,
    trees: TreeEncoder | None,
    labelling: Labelling,
    limits: RuleLimits,
    min_count: int,
    lexical: bool,
    engine: EngineOptions | None,
    output: PathLike | None,
    progress: Progress | None,
    inputs: Mapping[str, str] | None = None,
    exclude: Seen | None = None,
) -> Grammar:
    from paragauge import _core

    labelled = check_choices(labelling, min_count, trees is not None)
    options = local_options(engine)
    read = Counter(progress, what="sentence pairs read")
    vocabularies = TextVocabulary(), TextVocabulary()
    counts = _core.LexicalCounts()
    tree_batches: list[TreeArrays] = []
    watch = SentenceWatch(exclude)
    with Spool(options) as spool, Engine(options) as running:
        for batch in encode_batches(source, target, links, names, vocabularies, watch):
            counts.add(batch.native)
            spool.write(batch)
            if labelled and trees is not None:
                side = batch.source if labelling.trees_side == "source" else batch.target
                kept = None if batch.kept is None else batch.kept.tolist()
                tree_batches.append(trees.encode(side.lengths.tolist(), kept))
            read.advance(len(batch))
        if labelled and trees is not None:
            trees.finish()
        check_words(vocabularies)
        extractor = RuleExtractor(vocabularies, counts, trees, labelling, limits, lexical, options.thread_count)
        extracted = Counter(progress, read.done, "sentence pairs extracted")
        rows = extractor.rows(spool.read(), tree_batches, extracted)
        running.run_over("extracted", extractor.schema, rows, queries.count_extracted(lexical))
        features = queries.feature_names(labelled, lexical)
        columns = ("lhs", "source", "target", "alignment", "count", *features)
        statement = queries.sorted_rules(labelled, lexical, RANK_LENGTH if lexical else 0, min_count)
        if running.row(queries.any_rule(min_count)) is None:
            raise no_rules(names)
        made = {**rule_options(labelling, limits, min_count, lexical), **excluded_options(watch, exclude)}

        def rules() -> Iterator[pa.RecordBatch]:
            return (with_costs(batch, features) for batch in running.stream(statement))

        if output is None:
            return Grammar.from_batches(rules(), columns, options=made, seen=watch.seen)
        return Grammar(lambda _: rules(), columns, options=made, seen=watch.seen).save(output, inputs=inputs)


def check_choices(labelling: Labelling, min_count: int, trees: bool) -> bool:
    """Return whether rules get labels other than X; raise an error for options that do not go together."""
    if min_count < 1:
        raise OptionError(f"min_count must be at least 1, got {min_count}")
    labelled = labelling.labels != "hiero"
    if labelled and not trees:
        raise OptionError(f"labels {labelling.labels!r} need trees; pass --trees, or use the labels 'hiero'")
    return labelled


def rule_options(labelling: Labelling, limits: RuleLimits, min_count: int, lexical: bool) -> dict[str, Any]:
    """Return the settings of the extraction, for the manifest."""
    return {**asdict(labelling), **asdict(limits), "min_count": min_count, "lexical": lexical}


def no_rules(names: Sequence[str]) -> DataError:
    """Return the error for texts that yield no rules."""
    return DataError(
        f"{names[0]}, {names[1]} and {names[2]} yield no rules; check that there are links, and trees with labels"
    )


def check_words(vocabularies: Iterable[TextVocabulary]) -> None:
    """Raise an error for words that look like the markup of a grammar."""
    words = (word for each in vocabularies for word in arrow_strings(*each.strings()).to_pylist())
    for word in words:
        if "|||" in word or (word.startswith("[") and NONTERMINAL.fullmatch(word)):
            raise DataError(
                f"the word {word!r} would be read as a nonterminal or the end of a field in a grammar; replace it in "
                "the text first"
            )


def extracted_schema(lexical: bool) -> pa.Schema:
    """Return the schema of batches of extracted rules."""
    import pyarrow as pa

    weights = [(name, pa.float64()) for name in ("direct", "inverse")] if lexical else []
    return pa.schema([*((name, pa.large_string()) for name in TEXT), *weights])


def _native_options(labelling: Labelling, limits: RuleLimits, threads: int) -> _core.RuleOptions:
    from paragauge import _core

    def limit(value: int | None) -> int:
        return _NO_LIMIT if value is None else value

    return _core.RuleOptions(
        labels=_core.LabelSet[labelling.labels],
        chain=_core.UnaryChain[labelling.chain],
        trees_of_target=labelling.trees_side == "target",
        default_label=labelling.default or "",
        default_in_gaps=labelling.default is not None and labelling.default_for == "all",
        max_span=limit(limits.max_span),
        max_target_span=limit(limits.max_target_span),
        max_symbols=limit(limits.max_symbols),
        max_target_symbols=limit(limits.max_target_symbols),
        max_words=limit(limits.max_words),
        max_nonterminals=limits.max_nonterminals,
        min_links=limits.min_links,
        adjacent=limits.adjacent,
        tight=limits.tight,
        max_rows=_ROWS_IN_BATCH,
        threads=threads,
    )


class RuleExtractor:
    """Extracts the rules of batches as Arrow rows, one for each occurrence; workers of any engine run this."""

    def __init__(
        self,
        vocabularies: tuple[TextVocabulary, TextVocabulary],
        counts: _core.LexicalCounts,
        trees: TreeEncoder | None,
        labelling: Labelling,
        limits: RuleLimits,
        lexical: bool,
        threads: int,
    ) -> None:
        self._words = [vocabulary.strings() for vocabulary in vocabularies]
        self._labels = pack_strings(trees.labels if trees is not None else ())
        self._counts = counts if lexical else None
        self._options = _native_options(labelling, limits, threads)
        self._lexical = lexical
        self.schema = extracted_schema(lexical)

    def rows(
        self, batches: Iterable[LinkedBatch], trees: list[TreeArrays], extracted: Counter
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rules of all batches."""
        import pyarrow as pa

        from paragauge import _core

        for number, batch in enumerate(batches):
            bitext = batch.native
            tree = _core.SentenceTrees(nodes=trees[number], labels=self._labels) if trees else None
            done = 0
            while done < len(batch):
                after, *texts, direct, inverse = _core.extract_rules(
                    bitext,
                    first=done,
                    source_words=self._words[0],
                    target_words=self._words[1],
                    trees=tree,
                    lexical=self._counts,
                    options=self._options,
                )
                strings = [arrow_strings(text, ends) for text, ends in texts]
                weights = [pa.array(column) for column in (direct, inverse)] if self._lexical else []
                yield pa.RecordBatch.from_arrays([*strings, *weights], schema=self.schema)
                extracted.advance(after - done)
                done = after
