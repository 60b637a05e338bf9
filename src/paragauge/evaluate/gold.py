"""Gold data prepared for a measurement: tokenised, lower-cased, and left out of what is measured."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from paragauge.errors import DataError
from paragauge.evaluate.option import Request, option

if TYPE_CHECKING:
    from paragauge.align.alignment import Alignment
    from paragauge.corpora.pairs import ParaphrasePairs
    from paragauge.grammar.grammar import Grammar
    from paragauge.io import PathLike
    from paragauge.storage.seen import Seen

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Preparing(Request):
    """Options to tokenise sentence pairs."""

    tokenizer: str = option(
        "none",
        flags=("-t", "--tokenizer"),
        metavar="NAME",
        help="Tokeniser for the sentence pairs, such as penn; none if they are tokenised already.",
    )
    lowercase: bool = option(False, help="Lower-case the sentence pairs.")


def read_pairs(path: PathLike, request: Preparing, *, encoding: str = "utf-8") -> ParaphrasePairs:
    """Return the sentence pairs of a file, with or without links, tokenised and in lower case if requested."""
    from paragauge.align.annotated import read_sentence_pairs
    from paragauge.align.retokenize import prepared_pairs

    pairs = read_sentence_pairs(path, encoding=encoding)
    return prepared_pairs(pairs, tokenizer=request.tokenizer, lowercase=request.lowercase)


def align_words(pairs: ParaphrasePairs, threads: int | None = None) -> list[Alignment]:
    """Return the links of tokenised English pairs, by the aligner that ships."""
    from paragauge.monolingual import WordAligner

    return WordAligner.load().align(pairs.source, pairs.target, threads=threads)


@dataclass(frozen=True, kw_only=True)
class PairsRequest(Preparing):
    """Options to make pairs of groups."""

    pairing: Literal["all", "first"] = option(
        "all", help="Pair all sentences of a group with each other, or the first with each of the others."
    )


def make_pairs(path: PathLike, request: PairsRequest, *, encoding: str = "utf-8") -> ParaphrasePairs:
    """Return the sentence pairs of a file of groups; a file of pairs that is no file of groups is taken as it is."""
    from paragauge.align.annotated import parse_aligned_pairs
    from paragauge.align.retokenize import prepared_pairs
    from paragauge.corpora.groups import pairs_of_groups, parse_groups
    from paragauge.corpora.pairs import has_pair_columns, parse_paraphrase_pairs
    from paragauge.io import read_bytes

    data = read_bytes(path)  # once: standard input cannot be read again
    try:
        pairs = parse_aligned_pairs(data, path, encoding).pairs
    except DataError:
        if has_pair_columns(data, path, encoding):
            pairs = parse_paraphrase_pairs(data, path, encoding)
        else:
            pairs = pairs_of_groups(parse_groups(data, path, encoding), first=request.pairing == "first")
    return prepared_pairs(pairs, tokenizer=request.tokenizer, lowercase=request.lowercase)


def excluded(paths: Sequence[PathLike], *, encoding: str = "utf-8") -> Seen | None:
    """Return the sentences of gold files, to be left out elsewhere; ``None`` without files.

    A file holds sentence pairs in any format, groups of tab-separated sentences, or one sentence per line.
    """
    from paragauge.storage.seen import Seen

    sentences = [text for path in paths for text in _sentences(path, encoding)]
    return Seen.of(sentences, sample=1) if paths else None


def _sentences(path: PathLike, encoding: str) -> Iterable[str]:
    from paragauge.align.annotated import read_sentence_pairs
    from paragauge.io import read_lines

    try:
        pairs = read_sentence_pairs(path, encoding=encoding)
    except DataError:
        lines = list(read_lines(path, encoding=encoding))
        if not lines or lines[0].lstrip().startswith(("{", "[")):
            raise
        return [text for line in lines for text in line.split("\t")]
    return [*pairs.source, *pairs.target]


def refuse_seen(
    resources: Sequence[PathLike | Grammar],
    gold: Sequence[PathLike],
    *,
    kind: Literal["phrases", "grammar"] = "phrases",
    encoding: str = "utf-8",
) -> None:
    """Raise an error if a resource was made from sentences of gold files, or does not say what it was made from.

    Args:
        resources: Phrase tables or grammars.
        gold: Files with the sentences to exclude.
        kind: The command that makes such resources.
        encoding: Encoding of the gold files.

    Raises:
        DataError: It was, or it has no digests of its sentences.
    """
    from paragauge.grammar.grammar import Grammar
    from paragauge.phrases.formats import read_phrase_table

    sentences = [text for path in gold for text in _sentences(path, encoding)]
    for resource in resources:
        if isinstance(resource, Grammar):
            path, seen = resource.name, resource.seen
        else:
            path, seen = str(resource), (Grammar.open if kind == "grammar" else read_phrase_table)(resource).seen
        if seen is None:
            raise DataError(
                f"does not say which sentences it was made from; extract it with 'paragauge {kind} --exclude GOLD'",
                path=path,
            )
        found = seen.count(sentences)
        if found:
            raise DataError(
                f"was made from {found:,} of the {len(sentences):,} sentences to exclude; extract it again with "
                f"'paragauge {kind} --exclude GOLD'",
                path=path,
            )


def warn_of_seen(name: str, seen: Seen | None, sentences: Sequence[str]) -> None:
    """Warn if a resource was made from some of the gold's *sentences*."""
    distinct = list(dict.fromkeys(sentences))
    found = 0 if seen is None else seen.count(distinct)
    if found:
        logger.warning(
            "%s was made from text that contains %s of the %s gold sentences (or ten words of them in a row), so its "
            "score is too high; make it again with --exclude GOLD", name, f"{found:,}", f"{len(distinct):,}",
        )  # fmt: skip


def warn_of_shared(name: str, seen: Seen | None, gold: Seen | None) -> None:
    """Warn if a resource was made from sentences that a gold resource was also made from."""
    found = 0 if seen is None or gold is None else seen.shared(gold)
    if found:
        logger.warning(
            "%s and the gold grammar were both made from the same sentences (%s digests are the same), so its score is "
            "too high; make it again with --exclude GOLD", name, f"{found:,}",
        )  # fmt: skip
