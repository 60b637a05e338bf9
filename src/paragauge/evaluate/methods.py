"""The methods compared in the ParaMetric paper, producing paraphrase tables and links for the gold pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from paragauge.errors import DataError
from paragauge.evaluate.asking import no_effect, refuse_without_effect, request_of
from paragauge.evaluate.option import Request, option
from paragauge.phrases.monolingual import DEFAULT_MAX_LENGTH, DEFAULT_MIN_PROB

if TYPE_CHECKING:
    from paragauge.align.aligner import Aligner
    from paragauge.align.alignment import Alignment
    from paragauge.grammar.lattice import Lattice
    from paragauge.io import PathLike
    from paragauge.phrases.paraphrases import ParaphraseTable
    from paragauge.progress import Progress
    from paragauge.storage.engine import EngineOptions
    from paragauge.storage.seen import SentenceWatch


@dataclass(frozen=True, kw_only=True)
class PhraseLength(Request):
    """Limit on the length of phrases."""

    max_length: int = option(
        DEFAULT_MAX_LENGTH, low=1, metavar="N", help="Maximum phrase length in the table, in words."
    )


@dataclass(frozen=True, kw_only=True)
class Casing(Request):
    """Option to ignore case."""

    lowercase: bool = option(False, help="Lower-case all sentences.")


@dataclass(frozen=True, kw_only=True)
class SmtRequest(PhraseLength, Casing):
    """Monolingual SMT."""

    method: Literal["agreement", "intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and"] = (
        option("agreement", help="Word alignment method; see 'paragauge align --help'.")
    )
    stems: bool = option(False, help="Let English words with the same Porter stem attract each other.")
    min_prob: float = option(
        DEFAULT_MIN_PROB, low=0, high=1, metavar="P", help="Keep paraphrases with p(e2|e1) of at least P."
    )


@dataclass(frozen=True, kw_only=True)
class ThroughRequest(Request):
    """Alignment through foreign sentences."""

    votes: int = option(1, low=1, metavar="N", help="Keep links found through at least N languages.")
    one_based: bool = option(False, help="Links count words from 1 instead of 0, in input and output.")


@dataclass(frozen=True, kw_only=True)
class MatchRequest(Casing):
    """Alignment with a paraphrase table."""

    min_prob: float | None = option(
        None, metavar="P", help="Ignore paraphrases with a score below P.", default_help="keep all"
    )
    feature: str | None = option(
        None, metavar="NAME", help="PPDB feature to use as the score of paraphrases.", default_help="p(e|f)"
    )


@dataclass(frozen=True, kw_only=True)
class LatticeRequest(Request):
    """Options for building lattices."""

    provider: str = option("builtin", metavar="NAME", help="Parser; see 'paragauge parse --help'.")
    keywords: bool = option(
        True,
        flags=("--keywords/--no-keywords",),
        help="Refuse merges that would reorder content words.",
    )
    squeeze: bool = option(
        True, flags=("--squeeze/--no-squeeze",), help="Merge equal words that leave or enter the same state."
    )

    def lattices(
        self, groups: Sequence[Sequence[str]], *, lowercase: bool = False, threads: int | None = None
    ) -> Iterable[Lattice]:
        """Yield the lattice of each group."""
        from paragauge.analysis.providers import provider
        from paragauge.grammar.lattice import build_lattices

        return build_lattices(
            groups, analysis=provider(self.provider), keywords=self.keywords, squeeze=self.squeeze,
            lowercase=lowercase, threads=threads,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SyntacticRequest(LatticeRequest, PhraseLength, Casing):
    """Syntactic alignment."""

    mixed: bool = option(
        True,
        flags=("--mixed/--no-mixed",),
        help="Also extract paths through the lattice that no single sentence takes.",
    )


@dataclass(frozen=True)
class Found:
    """Output of a method.

    Attributes:
        table: Paraphrases, if requested.
        links: Alignment of each gold pair, if requested.
        aligner: Trained aligner, for methods that train one.
    """

    table: ParaphraseTable | None = None
    links: tuple[Alignment, ...] | None = None
    aligner: Aligner | None = None


def smt(
    groups: PathLike | Iterable[Sequence[str]],
    request: SmtRequest | None = None,
    *,
    gold: PathLike | None = None,
    table: bool = True,
    output: PathLike | None = None,
    exclude: Sequence[PathLike] = (),
    encoding: str = "utf-8",
    engine: EngineOptions | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Found:
    """Align all sentence pairs within each group and extract phrase pairs (Quirk, Brockett and Dolan 2004).

    Args:
        groups: Groups of sentences with the same meaning, or a file of groups.
        request: All options; alternatively, pass the fields of `SmtRequest` as keywords.
        gold: File of sentence pairs to align with the trained aligner.
        table: Whether to build a paraphrase table.
        output: Folder to write the table to; by default, it is kept in memory.
        exclude: Files of sentences, such as a gold standard; groups that contain them are left out.
        encoding: Encoding of the files.
        engine: Memory limit, temporary folder and threads.
        progress: Called with the number of training iterations done.
    """
    from paragauge.align.options import AlignerOptions
    from paragauge.phrases.monolingual import monolingual_smt

    asked = request_of(SmtRequest, request, options)
    if not table:
        without = "without a table of paraphrases; write one with -o"
        refuse_without_effect(asked, {"max_length", "min_prob"}, without)
        for flag, value in (("--memory-limit", engine and engine.memory_limit), ("--temp", engine and engine.temp)):
            if value is not None:
                raise no_effect(flag, without)
    threads = None if engine is None else engine.threads
    sides = None if gold is None else _sides(gold, asked.lowercase, encoding)
    kept, watch = _kept(_groups(groups, asked.lowercase, encoding), exclude, encoding)
    learned = monolingual_smt(
        kept, method=asked.method, options=AlignerOptions(stems=asked.stems),
        threads=threads, progress=progress,
    )  # fmt: skip
    links = None if sides is None else tuple(learned.aligner.align(*sides, method=asked.method, threads=threads))
    found = (
        learned.paraphrases(
            max_length=asked.max_length,
            min_prob=asked.min_prob,
            engine=engine,
            output=output,
            options=excluded_options(watch, exclude),
        )
        if table
        else None
    )
    return Found(found, links, learned.aligner)


def through(links: Sequence[tuple[PathLike, PathLike]], request: ThroughRequest | None = None, **options: Any) -> Found:
    """Align sentence pairs through foreign sentences that both sides translate.

    Args:
        links: For each foreign language, two Pharaoh files: links from the first and from the second sentences to it.
        request: All options; alternatively, pass the fields of `ThroughRequest` as keywords.
    """
    from paragauge.align.alignment import read_pharaoh
    from paragauge.align.through import align_through

    asked = request_of(ThroughRequest, request, options)
    ways = [
        (list(read_pharaoh(one, one_based=asked.one_based)), list(read_pharaoh(other, one_based=asked.one_based)))
        for one, other in links
    ]
    return Found(links=tuple(align_through(ways, votes=asked.votes)))


def match(
    gold: PathLike,
    table: PathLike,
    request: MatchRequest | None = None,
    *,
    encoding: str = "utf-8",
    threads: int | None = None,
    **options: Any,
) -> Found:
    """Align sentence pairs with a paraphrase table: equal words first, then phrases that the table pairs."""
    from paragauge.evaluate.paraphrases import has_features, open_paraphrases
    from paragauge.matching.words import LinkRules, link_words

    asked = request_of(MatchRequest, request, options)
    if asked.feature is not None and not has_features(table):
        raise no_effect("--feature", f"on {table}: only PPDB files have features")
    one, other = ([text.split() for text in side] for side in _sides(gold, asked.lowercase, encoding))
    rules = LinkRules(paraphrases=open_paraphrases(table, feature=asked.feature), min_score=asked.min_prob)
    return Found(links=tuple(link_words(one, other, rules, threads=threads).alignments()))


def syntactic(
    groups: PathLike | Iterable[Sequence[str]] | None,
    request: SyntacticRequest | None = None,
    *,
    gold: PathLike | None = None,
    output: PathLike | None = None,
    exclude: Sequence[PathLike] = (),
    encoding: str = "utf-8",
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Found:
    """Merge the trees of each group into a word lattice (Pang, Knight and Marcu 2003).

    Args:
        groups: Groups of sentences with the same meaning, or a file of groups, from which a table is built.
        request: All options; alternatively, pass the fields of `SyntacticRequest` as keywords.
        gold: File of sentence pairs to align in the lattices of their groups.
        output: Folder to write the table to; by default, it is kept in memory.
        exclude: Files of sentences, such as a gold standard; groups that contain them are left out.
        encoding: Encoding of the files.
        threads: Number of threads; all cores by default.
        progress: Called with the number of lattices built.
    """
    from paragauge.align.annotated import read_sentence_pairs
    from paragauge.grammar.lattice import syntactic_alignments, syntactic_paraphrases
    from paragauge.progress import Counter

    asked = request_of(SyntacticRequest, request, options)
    if groups is None:
        refuse_without_effect(
            asked, {"max_length", "mixed"}, "without a table of paraphrases; write one with GROUPS and -o"
        )
        if exclude:
            raise no_effect("--exclude", "without a table of paraphrases; write one with GROUPS and -o")

    def lattices(texts: Sequence[Sequence[str]]) -> Iterable[Lattice]:
        done = Counter(progress, len(texts), "groups")
        for lattice in asked.lattices(texts, lowercase=asked.lowercase, threads=threads):
            done.advance()
            yield lattice

    links = None
    if gold is not None:
        links = tuple(syntactic_alignments(read_sentence_pairs(gold, encoding=encoding), lattices))
    if groups is None:
        return Found(links=links)
    # Sentences are parsed in their original case; the words of lattices are lower-cased afterwards.
    kept, watch = _kept(_groups(groups, False, encoding), exclude, encoding)
    found = syntactic_paraphrases(
        lattices(kept), max_length=asked.max_length, mixed=asked.mixed, output=output, seen=watch.seen,
        options=excluded_options(watch, exclude),
    )  # fmt: skip
    return Found(found, links)


def lattice(
    groups: PathLike,
    number: int = 1,
    request: LatticeRequest | None = None,
    *,
    encoding: str = "utf-8",
    **options: Any,
) -> Lattice:
    """Return the word lattice of the group on line *number* of a file."""
    asked = request_of(LatticeRequest, request, options)
    read = _groups(groups, False, encoding)
    if number > len(read):
        raise DataError(f"has only {len(read):,} groups; there is no group {number:,}", path=str(groups))
    return next(iter(asked.lattices([read[number - 1]])))


def _groups(given: PathLike | Iterable[Sequence[str]], lowercase: bool, encoding: str) -> list[Sequence[str]]:
    import os

    from paragauge.corpora.groups import read_groups

    found: Iterable[Sequence[str]] = (
        given if not isinstance(given, str | os.PathLike) else read_groups(given, encoding=encoding)
    )
    return [tuple(text.lower() for text in group) for group in found] if lowercase else list(found)


def _kept(
    groups: list[Sequence[str]], exclude: Sequence[PathLike], encoding: str
) -> tuple[list[Sequence[str]], SentenceWatch]:
    """Return the groups without sentences of the files to exclude, and the watch that remembers the others."""
    from paragauge.evaluate.gold import excluded
    from paragauge.storage.seen import SentenceWatch

    watch = SentenceWatch(excluded(exclude, encoding=encoding))
    return watch.kept_groups(groups), watch


def excluded_options(watch: SentenceWatch, exclude: Sequence[PathLike]) -> dict[str, Any]:
    """Return how many groups were left out, for the manifest."""
    return {"excluded": watch.excluded} if exclude else {}


def _sides(gold: PathLike, lowercase: bool, encoding: str) -> tuple[list[str], list[str]]:
    """Return both sides of the pairs to align."""
    from paragauge.align.annotated import read_sentence_pairs

    pairs = read_sentence_pairs(gold, encoding=encoding)
    one, other = ([text.lower() if lowercase else text for text in side] for side in (pairs.source, pairs.target))
    return one, other
