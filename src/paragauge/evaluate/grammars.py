"""Synchronous grammars extracted from texts with links and trees, or read from files of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from paragauge.evaluate.asking import no_effect, refuse_without_effect, request_of
from paragauge.evaluate.option import Request, option, options_of
from paragauge.grammar.extract import Labelling, RuleLimits

if TYPE_CHECKING:
    from paragauge.align.annotated import AlignedPairs
    from paragauge.analysis.tree import Tree
    from paragauge.grammar.grammar import Grammar
    from paragauge.io import PathLike
    from paragauge.progress import Progress
    from paragauge.storage.engine import EngineOptions
    from paragauge.storage.remote import RemoteEngine, RunSummary

_LIMITS, _LABELLING = RuleLimits(), Labelling()  # where the defaults are defined
_SIZES = ("max_span", "max_target_span", "max_symbols", "max_target_symbols", "max_words")
_OF_GAPS = ("max_symbols", "max_target_symbols", "min_links", "adjacent")


def _size(default: int | None, text: str) -> Any:
    return option(default or 0, low=0, metavar="N", help=f"{text}; 0 means no limit.")


@dataclass(frozen=True, kw_only=True)
class GrammarRequest(Request):
    """Options for extracting and labelling rules."""

    trees_side: Literal["source", "target"] = option(_LABELLING.trees_side, help="Side that TREES belong to.")
    labels: Literal["hiero", "constituents", "ccg", "samt"] | None = option(
        None,
        help="Nonterminal labels: X only (hiero); constituents; constituents and, where there are none, A/B and A\\B "
        "(ccg), or A+B, A/B and A\\B (samt).",
        default_help="constituents with trees, else hiero",
    )
    default_label: str | None = option(
        None,
        metavar="LABEL",
        help="Label of phrases that have no other, such as X.",
        default_help="they yield no rules",
    )
    default_for: Literal["phrases", "all"] = option(
        _LABELLING.default_for,
        help="Where the default label is used: in rules without nonterminals (phrases), or everywhere (all).",
    )
    chain: Literal["bottom", "top", "all"] = option(
        _LABELLING.chain, help="Which node provides the label if several span the same words."
    )
    max_span: int = _size(
        _LIMITS.max_span, "Maximum source words in a phrase, including those replaced by nonterminals"
    )
    max_target_span: int = _size(
        _LIMITS.max_target_span, "Maximum target words in a phrase, including those replaced by nonterminals"
    )
    max_symbols: int = _size(
        _LIMITS.max_symbols, "Maximum words and nonterminals on the source side of rules with nonterminals"
    )
    max_target_symbols: int = _size(
        _LIMITS.max_target_symbols, "Maximum words and nonterminals on the target side of rules with nonterminals"
    )
    max_words: int = _size(_LIMITS.max_words, "Maximum words on the source side of rules without nonterminals")
    max_nonterminals: int = option(
        _LIMITS.max_nonterminals, low=0, high=2, metavar="N", help="Maximum nonterminals on each side."
    )
    min_links: int = option(
        _LIMITS.min_links,
        low=0,
        metavar="N",
        help="Minimum links between terminal words, in rules with nonterminals.",
    )
    adjacent: bool = option(_LIMITS.adjacent, help="Allow adjacent nonterminals on the source side.")
    tight: bool = option(
        _LIMITS.tight, flags=("--tight/--loose",), help="Whether the words at the edges of a phrase must have links."
    )
    min_count: int = option(1, low=1, metavar="N", help="Leave out rules that occur fewer than N times.")
    lexical: bool = option(True, flags=("--lexical/--no-lexical",), help="Compute lexical weights.")
    one_based: bool = option(False, help="LINKS count words from 1 instead of 0.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.max_nonterminals:
            refuse_without_effect(
                self, _OF_GAPS, "with --max-nonterminals 0; it applies only to rules with nonterminals"
            )

    @property
    def limits(self) -> RuleLimits:
        """Limits on the rules to extract."""
        sizes = {name: getattr(self, name) or None for name in _SIZES}
        return RuleLimits(
            **sizes, max_nonterminals=self.max_nonterminals, min_links=self.min_links, adjacent=self.adjacent,
            tight=self.tight,
        )  # fmt: skip

    def labelling(self, trees: bool) -> Labelling:
        """Return the source of labels, with or without *trees*.

        Raises:
            OptionError: An option, or the trees, would have no effect.
        """
        labels = self.labels or ("constituents" if trees else "hiero")
        if labels == "hiero":
            if trees:
                raise no_effect("--trees", "with --labels hiero, where every label is X")
            unlabelled = {"trees_side", "chain", "default_label", "default_for"}
            refuse_without_effect(self, unlabelled, "without --trees: every label is X")
        if self.default_label is None:
            refuse_without_effect(self, {"default_for"}, "without --default-label")
        return Labelling(
            labels=labels, trees_side=self.trees_side, chain=self.chain, default=self.default_label,
            default_for=self.default_for,
        )  # fmt: skip


@overload
def extract(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    request: GrammarRequest | None = None,
    *,
    trees: PathLike | None = None,
    exclude: Sequence[PathLike] = (),
    encoding: str = "utf-8",
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Grammar: ...
@overload
def extract(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    request: GrammarRequest | None = None,
    *,
    trees: PathLike | None = None,
    exclude: Sequence[PathLike] = (),
    encoding: str = "utf-8",
    engine: RemoteEngine,
    output: PathLike,
    **options: Any,
) -> RunSummary: ...
def extract(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    request: GrammarRequest | None = None,
    *,
    trees: PathLike | None = None,
    exclude: Sequence[PathLike] = (),
    encoding: str = "utf-8",
    engine: Any = None,
    output: Any = None,
    progress: Progress | None = None,
    **options: Any,
) -> Grammar | RunSummary:
    """Extract a grammar from two text files, a Pharaoh file of links and, optionally, a file of bracketed trees.

    Args:
        source: Tokenised sentences, one per line.
        target: Translations or paraphrases of the source sentences.
        links: Word links between the two.
        request: All options; alternatively, pass the fields of `GrammarRequest` as keywords.
        trees: Trees of the sentences of one side, one per line.
        exclude: Files of sentences, such as a gold standard; pairs that contain them are left out.
        encoding: Encoding of texts and trees.
        engine: Memory limit, temporary folder and threads; or a cluster, which writes parts and returns a summary.
        output: Folder to write the grammar to; by default, it is kept in memory.
        progress: Called with the number of sentence pairs read and extracted; a cluster reports its own progress.
    """
    from paragauge.evaluate.gold import excluded
    from paragauge.grammar.extract import extract_grammar_files

    asked = request_of(GrammarRequest, request, options)
    made: Grammar | RunSummary = extract_grammar_files(
        source, target, links, trees=trees, labelling=asked.labelling(trees is not None), limits=asked.limits,
        min_count=asked.min_count, lexical=asked.lexical, one_based=asked.one_based, encoding=encoding, engine=engine,
        output=output, progress=progress, exclude=excluded(exclude, encoding=encoding),
    )  # fmt: skip
    return made


def extract_gold(
    gold: PathLike | AlignedPairs,
    request: GrammarRequest | None = None,
    *,
    links: PathLike | None = None,
    possible: PathLike | None = None,
    sure_only: bool = False,
    align: bool = False,
    trees: PathLike | None = None,
    parse: bool = False,
    tokenizer: str = "none",
    lowercase: bool = False,
    exclude: Sequence[PathLike] = (),
    encoding: str = "utf-8",
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Grammar:
    """Extract a grammar from hand-aligned sentence pairs, in any format that ParaMetric reads; or align them first.

    Args:
        gold: Hand-aligned sentence pairs, or their file.
        request: All options; alternatively, pass the fields of `GrammarRequest` as keywords.
        links: Pharaoh file with the links of *gold*, if *gold* is a file of pairs without links.
        possible: Second file of the same pairs, whose links all count as possible links.
        sure_only: Whether to use only sure links; by default, possible ones are used as well.
        align: Whether to take links from the English aligner that ships; *gold* then needs none.
        trees: Trees of the sentences of one side, one per line.
        parse: Whether to parse the sentences of one side instead, before they are lower-cased.
        tokenizer: Tokeniser to apply to the sentences; links follow the characters.
        lowercase: Whether to lower-case the sentences.
        exclude: Files of sentences to leave out.
        encoding: Encoding of the files.
        engine: Memory limit, temporary folder and threads.
        output: Folder to write the grammar to; by default, it is kept in memory.
        progress: Called with the number of sentence pairs read and extracted.
    """
    from paragauge.align.annotated import AlignedPairs, read_aligned_pairs, read_sentence_pairs
    from paragauge.align.gold import GoldAlignment
    from paragauge.align.retokenize import prepared_gold, prepared_pairs
    from paragauge.analysis.tree import read_trees
    from paragauge.evaluate.gold import align_words, excluded
    from paragauge.grammar.extract import extract_grammar

    asked = request_of(GrammarRequest, request, options)
    if parse and trees is not None:
        raise no_effect("--parse", "with --trees, which gives the trees")
    labelling = asked.labelling(parse or trees is not None)
    threads = None if engine is None else engine.threads
    people = gold
    if align:
        for flag, value in (("--links", links), ("--possible", possible), ("--sure-only", sure_only or None)):
            if value is not None:
                raise no_effect(flag, "with --align, which makes the links")
        refuse_without_effect(asked, {"one_based"}, "with --align, which makes the links")
        given = people.pairs if isinstance(people, AlignedPairs) else read_sentence_pairs(people, encoding=encoding)
        words = prepared_pairs(given, tokenizer=tokenizer)
        linked = (GoldAlignment.of(each, each) for each in align_words(words, threads))
        cased = AlignedPairs(words, tuple(linked))
    else:
        if not isinstance(people, AlignedPairs):
            people = read_aligned_pairs(
                people, links=links, possible=possible, one_based=asked.one_based, encoding=encoding
            )
        cased = prepared_gold(people, tokenizer=tokenizer)
    known = None
    if trees is not None:
        known = list(read_trees(trees, encoding=encoding))
    elif parse:
        side = cased.pairs.source if asked.trees_side == "source" else cased.pairs.target
        known = parse_trees([text.split() for text in side], threads)
    pairs = prepared_gold(cased, lowercase=lowercase)
    return extract_grammar(
        pairs.pairs.source, pairs.pairs.target, pairs.alignments("sure" if sure_only else "possible"), trees=known,
        labelling=labelling, limits=asked.limits, min_count=asked.min_count, lexical=asked.lexical,
        exclude=excluded(exclude, encoding=encoding), engine=engine, output=output, progress=progress,
    )  # fmt: skip


def parse_trees(sentences: Sequence[Sequence[str]], threads: int | None = None) -> list[Tree]:
    """Return the trees of tokenised sentences, by the parser that ships."""
    from paragauge.analysis.builtin import Builtin
    from paragauge.analysis.tree import Tree

    parsed = Builtin.load().analyse(sentences, trees=True, threads=threads)
    return [each.tree or Tree((), (), ()) for each in parsed]


def convert(
    rules: PathLike,
    request: GrammarRequest | None = None,
    *,
    trees: PathLike | None = None,
    encoding: str = "utf-8",
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar:
    """Return the grammar in a file of rules or a folder, and write it to the folder *output* if given.

    Options that select rules or labels are rejected, since nothing is extracted.
    """
    from paragauge.grammar.grammar import Grammar
    from paragauge.io import digest_file

    why = "with --rules, which extracts nothing"
    if request is not None:
        refuse_without_effect(request, [each.name for each in options_of(GrammarRequest)], why)
    if trees is not None:
        raise no_effect("--trees", why)
    if encoding != "utf-8":
        raise no_effect("--encoding", "with --rules: rules are always UTF-8")
    for name in ("memory_limit", "temp", "threads"):
        if engine is not None and getattr(engine, name) is not None:
            raise no_effect(f"--{name.replace('_', '-')}", why)
    opened = Grammar.open(rules)
    if output is None:
        return opened
    inputs = {} if Path(rules).is_dir() else {str(rules): digest_file(rules)}
    return opened.save(output, inputs=inputs, progress=progress)
