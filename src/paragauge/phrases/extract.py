"""All phrase pairs that are consistent with word links (Koehn, Och and Marcu 2003; Och and Ney 2004), counted.

A source span and a target span form a phrase pair if at least one link is inside their box and no link leaves it
through a row or a column. Unlinked words at the edges may be included, and every such pair counts.

The lexical weight of a target phrase given its source is the product over its words f of the average of w(f|e) over the
words e that f is linked to, or w(f|NULL) if it has no link; w comes from counting links. If a phrase pair occurs with
several alignments, the highest weight is used (Koehn et al., section 3.4), and the alignment with the highest weight in
both directions together is kept. This is the lexical rule ``koehn``. By the rule ``moses``, as Moses' programs do it,
the most frequent alignment is kept, and the weights are its own; of several that are equally frequent, the last one in
the order of their target words (source words for the inverse weight). In w(f|e), the occurrences of e without a link
are then part of the total.

There are two passes over the text: one to number words and count their links, one, over a spool of numbers, to extract.
Phrase pairs are counted in the native core as long as they fit into the memory for one run. A table of one run is
pruned and written directly; several runs go to the engine, which adds them up and spills to disk. Memory holds the
vocabulary, the pairs of linked words and one run.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, overload

from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike, digests_of_files, display_name, read_lines
from paragauge.phrases.build import Pruning, extracted_schema
from paragauge.phrases.queries import ALIGNMENT, LEXICAL, LEXICAL_RULES, ORDERS, LexicalRule
from paragauge.phrases.table import PhraseTable, build_table, table_of_columns
from paragauge.progress import Counter, Progress
from paragauge.storage.engine import EngineOptions
from paragauge.storage.links import LinkArrays, LinkPlace, Links, check_link_arrays, pack_links, read_link_batches
from paragauge.storage.remote import Job, RemoteEngine, RunSummary, local_options, remote_output
from paragauge.storage.seen import Seen, SentenceWatch
from paragauge.storage.store import arrow_strings
from paragauge.temporary import no_temporary_files
from paragauge.text.vocabulary import EncodedSentences, Sentence, TextVocabulary

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from paragauge import _core

_PAIRS_IN_BATCH = 1 << 13
_ROWS_IN_BATCH = 1 << 17
NO_LIMIT = 2**31 - 1
_MOST_BYTES_IN_RUN = 1 << 29
_RUNS_IN_MEMORY_LIMIT = 8  # a run takes one part in this many of the engine's memory limit
RANK_LENGTH = 8  # characters that the native core puts before an alignment, to sort alignments by weight


@dataclass(frozen=True, slots=True)
class LinkedBatch:
    """Some sentence pairs as numbers, with their links.

    Attributes:
        source: Source sentences.
        target: Target sentences.
        links: Their links.
        kept: Which of the pairs that were read these are; ``None`` for all.
    """

    source: EncodedSentences
    target: EncodedSentences
    links: LinkArrays
    kept: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.links)

    @property
    def arrays(
        self,
    ) -> tuple[
        NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]
    ]:
        """All arrays, in the order of the fields."""
        source, target, links = self.source, self.target, self.links
        return source.ids, source.offsets, target.ids, target.offsets, links.positions, links.offsets

    @property
    def native(self) -> _core.LinkedBitext:
        """The batch in the form that the native core takes."""
        from paragauge import _core

        links = self.links.positions, self.links.offsets
        return _core.LinkedBitext(source=self.source.arrays, target=self.target.arrays, links=links)


def extract_phrases(
    source: Iterable[Sentence],
    target: Iterable[Sentence],
    alignments: Iterable[Links],
    *,
    max_length: int | None = 4,
    min_count: int = 1,
    min_prob: float = 0.0,
    top: int | None = None,
    lexical: bool = True,
    lexical_rule: LexicalRule = "koehn",
    exclude: Seen | None = None,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> PhraseTable:
    """Return the phrase table of a bitext with word links.

    Args:
        source: Sentences, as token sequences or as text with tokens separated by white space.
        target: Their translations.
        alignments: Links of each pair: ``0-0 1-2``, or (source, target) positions from 0.
        max_length: Maximum phrase length in words, on both sides; None means no limit.
        min_count: Minimum N(e, f) of the pairs to keep.
        min_prob: Minimum p(f|e) of the pairs to keep.
        top: Maximum number of pairs per source phrase, most frequent first; None means no limit.
        lexical: Keep lexical weights.
        lexical_rule: Which alignment of a pair is kept, and how weights are counted: see the module docstring.
        exclude: Leave out pairs with these sentences, such as those of a gold standard.
        engine: Memory limit, temporary folder and threads.
        output: Table folder to write; by default the table is kept in memory.
        progress: Called with the number of sentence pairs read, and of those whose phrases were extracted.

    Raises:
        DataError: The three differ in length, or a link points past its sentence.

    >>> table = extract_phrases(["the house"], ["la maison"], ["0-0 1-1"])
    >>> [(pair.source, pair.target, pair.count) for pair in table]
    [('house', 'maison', 1), ('the', 'la', 1), ('the house', 'la maison', 1)]
    """
    for name, value in (("source", source), ("target", target), ("alignments", alignments)):
        if isinstance(value, str):
            raise DataError(f"{name} is one string, expected a sequence; for one sentence pass [text]")
    links = pack_alignments(iter(alignments))
    names = ("source", "target", "alignments")
    return _extract(
        iter(source), iter(target), links, names, max_length=max_length, lexical=lexical, lexical_rule=lexical_rule,
        engine=engine, output=output, pruning=Pruning(min_count=min_count, min_prob=min_prob, top=top),
        progress=progress, exclude=exclude,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractPhrases(Job[RunSummary]):
    """The work of `extract_phrase_files`, for a remote engine."""

    kind: ClassVar[str] = "phrases"

    source: PathLike
    target: PathLike
    links: PathLike
    output: PathLike
    max_length: int | None = 4
    pruning: Pruning | None = None
    lexical: bool = True
    lexical_rule: LexicalRule = "koehn"
    one_based: bool = False
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        _check_length(self.max_length)
        check_rule(self.lexical, self.lexical_rule)


@overload
def extract_phrase_files(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    *,
    max_length: int | None = 4,
    pruning: Pruning | None = None,
    lexical: bool = True,
    lexical_rule: LexicalRule = "koehn",
    one_based: bool = False,
    encoding: str = "utf-8",
    exclude: Seen | None = None,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> PhraseTable: ...
@overload
def extract_phrase_files(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    *,
    max_length: int | None = 4,
    pruning: Pruning | None = None,
    lexical: bool = True,
    lexical_rule: LexicalRule = "koehn",
    one_based: bool = False,
    encoding: str = "utf-8",
    exclude: Seen | None = None,
    engine: RemoteEngine,
    output: PathLike,
) -> RunSummary: ...
def extract_phrase_files(
    source: PathLike,
    target: PathLike,
    links: PathLike,
    *,
    max_length: int | None = 4,
    pruning: Pruning | None = None,
    lexical: bool = True,
    lexical_rule: LexicalRule = "koehn",
    one_based: bool = False,
    encoding: str = "utf-8",
    exclude: Seen | None = None,
    engine: EngineOptions | RemoteEngine | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> PhraseTable | RunSummary:
    """Return the phrase table of two text files and a Pharaoh file of links.

    Args:
        source: Text with one tokenised sentence per line; on a cluster, also Parquet with a column ``source``.
        target: The same for the target side, with a column ``target``.
        links: Pharaoh lines; on a cluster, also a column ``links``.
        max_length: Maximum phrase length in words, on both sides; None means no limit.
        pruning: Which pairs to keep.
        lexical: Keep lexical weights.
        lexical_rule: Which alignment of a pair is kept, and how weights are counted: see the module docstring.
        one_based: Whether positions count from 1.
        encoding: Encoding of both texts.
        exclude: Leave out pairs with these sentences, such as those of a gold standard; not on a cluster.
        engine: Memory limit, temporary folder and threads; or a cluster, which writes the same table in parts and
            returns a summary.
        output: Table folder to write; by default the table is kept in memory. A cluster needs it.
        progress: Called with the number of sentence pairs read, and of those whose phrases were extracted.
    """
    if isinstance(engine, RemoteEngine):
        check_local(exclude)
        return engine.perform(
            ExtractPhrases(
                source=source, target=target, links=links, output=remote_output(output, progress),
                max_length=max_length, pruning=pruning, lexical=lexical, lexical_rule=lexical_rule, one_based=one_based,
                encoding=encoding,
            )
        )  # fmt: skip
    names = (display_name(source), display_name(target), display_name(links))
    if names.count("<stdin>") > 1:
        raise OptionError("standard input ('-') can be read only once; give file names")
    inputs = digests_of_files(names)
    return _extract(
        read_lines(source, encoding=encoding), read_lines(target, encoding=encoding),
        read_link_batches(links, _PAIRS_IN_BATCH, one_based=one_based), names, max_length=max_length,
        pruning=pruning, lexical=lexical, lexical_rule=lexical_rule, engine=engine, output=output, progress=progress,
        inputs=inputs, exclude=exclude,
    )  # fmt: skip


def check_local(exclude: Seen | None) -> None:
    """Raise an error if sentences are to be left out on a cluster."""
    if exclude is not None:
        raise OptionError("a cluster cannot leave out the sentences of a gold standard; do so before, or work locally")


def pack_alignments(alignments: Iterator[Links]) -> Iterator[tuple[LinkArrays, LinkPlace]]:
    first = 1
    while block := list(islice(alignments, _PAIRS_IN_BATCH)):
        place = LinkPlace(first=first)
        yield pack_links(block, place), place
        first += len(block)


def _extract(
    source: Iterator[Sentence],
    target: Iterator[Sentence],
    links: Iterator[tuple[LinkArrays, LinkPlace]],
    names: tuple[str, str, str],
    *,
    max_length: int | None,
    lexical: bool,
    lexical_rule: LexicalRule,
    pruning: Pruning | None,
    engine: EngineOptions | None,
    output: PathLike | None,
    progress: Progress | None,
    inputs: Mapping[str, str] | None = None,
    exclude: Seen | None = None,
) -> PhraseTable:
    from paragauge import _core

    _check_length(max_length)
    check_rule(lexical, lexical_rule)
    engine = local_options(engine)
    read = Counter(progress, what="sentence pairs read")
    vocabularies = TextVocabulary(), TextVocabulary()
    links_of_words = _core.LexicalCounts(lexical_rule)
    watch = SentenceWatch(exclude)
    with Spool(engine) as spool:
        for batch in encode_batches(source, target, links, names, vocabularies, watch):
            links_of_words.add(batch.native)
            spool.write(batch)
            read.advance(len(batch))
        extracted = Counter(progress, read.done, "sentence pairs extracted")
        counter = PhraseCounter(
            vocabularies, links_of_words, max_length=max_length, lexical=lexical, rule=lexical_rule, engine=engine
        )
        options = {
            "max_length": max_length, **lexical_options(lexical, lexical_rule), **excluded_options(watch, exclude),
        }  # fmt: skip
        batches = spool.read()
        if counter.fill(batches, extracted):
            return table_of_columns(
                counter.columns(pruning or Pruning()), counter.optional, pruning=pruning, output=output,
                options=options, inputs=inputs, seen=watch.seen,
            )  # fmt: skip

        def rows_of_all_runs() -> Iterator[pa.RecordBatch]:
            yield from counter.rows()
            last = False
            while not last:
                last = counter.fill(batches, extracted)
                yield from counter.rows()

        return build_table(
            lambda builder, kept: builder.count(rows_of_all_runs(), kept, lexical_rule), counter.optional,
            pruning=pruning, engine=engine, output=output, inputs=inputs, options=options, rank_length=RANK_LENGTH,
            seen=watch.seen,
        )  # fmt: skip


def excluded_options(watch: SentenceWatch, exclude: Seen | None) -> dict[str, Any]:
    """Return how many pairs were left out, for the manifest; nothing if none were to be."""
    return {} if exclude is None else {"excluded": watch.excluded}


def check_rule(lexical: bool, rule: str) -> None:
    """Raise an error if there is no such *rule* of lexical weights, or nothing to apply it to."""
    if rule not in LEXICAL_RULES:
        raise OptionError(f"lexical_rule must be one of {', '.join(LEXICAL_RULES)}, got {rule!r}")
    if rule != "koehn" and not lexical:
        raise OptionError(f"the lexical rule {rule!r} has no effect without lexical weights; leave out one of the two")


def lexical_options(lexical: bool, rule: LexicalRule) -> dict[str, Any]:
    """Return what the manifest says about lexical weights; the usual rule is not named."""
    return {"lexical": lexical} if rule == "koehn" else {"lexical": lexical, "lexical_rule": rule}


def _check_length(max_length: int | None) -> None:
    if max_length is not None and max_length < 1:
        raise OptionError(f"max_length must be at least 1, got {max_length}")


def encode_batches(
    source: Iterator[Sentence],
    target: Iterator[Sentence],
    links: Iterator[tuple[LinkArrays, LinkPlace]],
    names: tuple[str, str, str],
    vocabularies: tuple[TextVocabulary, TextVocabulary],
    watch: SentenceWatch | None = None,
) -> Iterator[LinkedBatch]:
    """Yield batches of numbered sentence pairs with checked links; *watch* decides which pairs are kept."""
    done = 0
    for arrays, place in links:
        texts = [list(islice(side, len(arrays))) for side in (source, target)]
        sides = [
            vocabulary.encode(side, name=name, before=done)
            for side, vocabulary, name in zip(texts, vocabularies, names, strict=False)
        ]
        lengths = [len(side) for side in sides]
        if lengths != [len(arrays)] * 2:
            raise _unequal(names, [done + length for length in (*lengths, len(arrays))], source, target, links)
        check_link_arrays(arrays, sides[0].offsets, sides[1].offsets, place)
        batch = LinkedBatch(sides[0], sides[1], arrays)
        kept = None if watch is None else watch.keep(*texts)
        if kept is not None:
            batch = LinkedBatch(sides[0].chosen(kept), sides[1].chosen(kept), arrays.chosen(kept), kept)
        yield batch
        done += len(arrays)
    rest = [sum(1 for _ in side) for side in (source, target)]
    if any(rest):
        raise _unequal(names, [done + rest[0], done + rest[1], done], source, target, links)
    if not done:
        raise DataError(f"{names[2]} is empty, expected the links of a sentence pair on each line")


def _unequal(
    names: tuple[str, str, str],
    found: list[int],
    source: Iterator[Sentence],
    target: Iterator[Sentence],
    links: Iterator[tuple[LinkArrays, LinkPlace]],
) -> DataError:
    from paragauge.corpora.segments import unequal_lengths

    found[0] += sum(1 for _ in source)
    found[1] += sum(1 for _ in target)
    found[2] += sum(len(arrays) for arrays, _ in links)
    other = 1 if found[0] != found[1] else 2
    return unequal_lengths(names[0], found[0], names[other], found[other])


def too_many_phrases(number: int) -> DataError:
    """Return the error for a sentence pair with too many phrases for memory."""
    return DataError(
        f"sentence pair {number:,} is so long that it has millions of phrases; limit their length (--max-length), or "
        "split the pair"
    )


class Spool:
    """Keeps batches on disk, so that they can be read again."""

    def __init__(self, engine: EngineOptions) -> None:
        self._folder = engine.temp
        self._batches = 0

    def __enter__(self) -> Spool:
        try:
            self._file: BinaryIO = tempfile.TemporaryFile(dir=self._folder, prefix="paragauge-")
        except OSError as error:
            raise no_temporary_files(self._folder, error) from error
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):  # what is still in its buffer is not needed any more
            self._file.close()

    def write(self, batch: LinkedBatch) -> None:
        """Add a batch at the end."""
        import numpy as np

        try:
            for array in batch.arrays:
                np.save(self._file, array, allow_pickle=False)
            self._file.flush()
        except OSError as error:
            raise no_temporary_files(self._folder or tempfile.gettempdir(), error) from error
        self._batches += 1

    def read(self) -> Iterator[LinkedBatch]:
        """Yield all batches from the first."""
        import numpy as np

        self._file.seek(0)
        for _ in range(self._batches):
            arrays = [np.load(self._file, allow_pickle=False) for _ in range(6)]
            yield LinkedBatch(EncodedSentences(*arrays[:2]), EncodedSentences(*arrays[2:4]), LinkArrays(*arrays[4:]))


class PhraseCounter:
    """Counts the phrase pairs of linked text in memory, one run at a time; workers of any engine run this."""

    def __init__(
        self,
        vocabularies: tuple[TextVocabulary, TextVocabulary],
        links_of_words: _core.LexicalCounts,
        *,
        max_length: int | None,
        lexical: bool,
        engine: EngineOptions,
        rule: LexicalRule = "koehn",
        done: int = 0,
    ) -> None:
        from paragauge import _core

        self.optional = (*(LEXICAL if lexical else ()), ALIGNMENT)
        self._words = vocabularies[0].strings(), vocabularies[1].strings()
        self._links_of_words = links_of_words
        self._rule: LexicalRule = rule
        self._counts = _core.PhraseCounts(max_length or NO_LIMIT, engine.thread_count, rule)
        self._done = done  # sentence pairs
        self._most_bytes = _MOST_BYTES_IN_RUN
        if engine.memory_bytes is not None:
            self._most_bytes = min(_MOST_BYTES_IN_RUN, engine.memory_bytes // _RUNS_IN_MEMORY_LIMIT)

    def fill(self, batches: Iterator[LinkedBatch], extracted: Counter) -> bool:
        """Count *batches* into an empty run; return whether all were counted (False if the run is full)."""
        self._counts.clear()
        for batch in batches:
            wrong = self._counts.add(
                batch.native,
                source_words=self._words[0],
                target_words=self._words[1],
                lexical=self._links_of_words,
            )
            if wrong >= 0:
                raise too_many_phrases(self._done + wrong + 1)
            self._done += len(batch)
            extracted.advance(len(batch))
            if self._counts.bytes > self._most_bytes:
                return False
        return True

    def columns(self, pruning: Pruning) -> dict[str, NDArray[Any]]:
        """Return the columns of the table of the run after *pruning*; see `table_of_columns`."""
        return self._counts.columns(pruning.min_count, pruning.min_prob, pruning.top)

    def rows(self) -> Iterator[pa.RecordBatch]:
        """Yield the pairs of the run, each once (by Moses' rule, each of their alignments), in `extracted_schema`."""
        import pyarrow as pa

        schema = extracted_schema(self.optional, self._rule)
        for begin in range(0, len(self._counts), _ROWS_IN_BATCH):
            rows = self._counts.rows(begin, begin + _ROWS_IN_BATCH)
            source, target, alignment, counts, direct, inverse, *orders = rows
            columns = {
                "source": arrow_strings(*source), "target": arrow_strings(*target), "count": pa.array(counts),
                "direct_lexical": pa.array(direct), "inverse_lexical": pa.array(inverse),
                "alignment": arrow_strings(*alignment),
                **{name: arrow_strings(*order) for name, order in zip(ORDERS, orders, strict=True)},
            }  # fmt: skip
            yield pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)
