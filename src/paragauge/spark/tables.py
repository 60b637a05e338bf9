"""Phrase tables and grammars in any format, as frames."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paragauge.errors import DataError, FileError, OptionError
from paragauge.io import PathLike, digest_file
from paragauge.resource import MANIFEST, parse_manifest, read_manifest
from paragauge.spark.engine import SparkEngine
from paragauge.spark.paths import has_scheme, literal, qualified
from paragauge.storage import parts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from paragauge.grammar.opening import KnownGrammar, OpenGrammar
    from paragauge.phrases.table import PhraseTable
    from paragauge.resource import Manifest

_ROWS_IN_FILE = 1 << 20


def manifest_of(engine: SparkEngine, path: PathLike, kind: str) -> Manifest:
    """Return the manifest of a resource on any file system."""
    if not has_scheme(path):
        return read_manifest(path, kind, newest_format=parts.FORMAT, verify=False)
    place = f"{path}/{MANIFEST}"
    if not engine.files.exists(place):
        raise FileError(f"{path}: there is no {MANIFEST}, expected a paragauge folder ({kind})")
    manifest = parse_manifest(engine.files.read(place), str(path))
    if manifest.kind != kind or manifest.format > parts.FORMAT:
        found = f"{manifest.kind}, format {manifest.format}"
        raise DataError(
            f"the folder has the kind {found}, expected {kind}, format up to {parts.FORMAT}", path=str(path)
        )
    return manifest


def parts_of(engine: SparkEngine, path: PathLike, manifest: Manifest) -> DataFrame | None:
    """Return the rows of a resource in parts, or None."""
    if not parts.part_files(manifest):
        return None
    return engine.session.read.parquet(literal(f"{qualified(path)}/{parts.FOLDER}"))


_PAIR_COLUMNS = ("source", "target", "count", "source_total", "target_total")


def phrase_pairs(engine: SparkEngine, table: PhraseTable | PathLike) -> tuple[DataFrame, str | None]:
    """Return the pairs of a phrase table with counts and totals, and its digest."""
    from paragauge.phrases.table import KIND, PhraseTable

    if isinstance(table, PhraseTable):
        return uploaded(engine, table.pair_batches()).select(*_PAIR_COLUMNS), table.digest
    path = table
    manifest = manifest_of(engine, path, KIND)
    frame = parts_of(engine, path, manifest)
    if frame is None:
        if has_scheme(path):
            raise DataError(
                "the table is not in parts; only tables in parts can be read from this file system", path=str(path)
            )
        frame = uploaded(engine, PhraseTable.open(path).pair_batches())
    return frame.select(*_PAIR_COLUMNS), manifest.digest()


def uploaded(engine: SparkEngine, batches: Iterable[pa.RecordBatch]) -> DataFrame:
    """Return local rows as a frame: through files, so that memory holds only a million of them at a time."""
    folder = f"{engine.folder}/uploaded-{os.urandom(4).hex()}"
    for number, table in enumerate(_blocks(batches)):
        engine.session.createDataFrame(table).write.parquet(f"{folder}/{number:05}")
    return engine.session.read.parquet(f"{folder}/*")


def _blocks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    import pyarrow as pa

    block: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        block.append(batch)
        rows += batch.num_rows
        if rows >= _ROWS_IN_FILE:
            yield pa.Table.from_batches(block)
            block, rows = [], 0
    if block:
        yield pa.Table.from_batches(block)


@dataclass(frozen=True, slots=True)
class GrammarFrame:
    """A grammar on the cluster.

    Attributes:
        name: Path of the grammar.
        frame: Rules with all columns.
        columns: Names of the columns.
        digest: Digest for signatures.
    """

    name: str
    frame: DataFrame
    columns: Sequence[str]
    digest: str | None


def run(engine: SparkEngine, job: OpenGrammar) -> GrammarFrame:
    """Return a grammar folder, or a file of rules in Joshua's text format, on any file system."""
    return grammar_frame(engine, job.path)


def grammar_frame(engine: SparkEngine, grammar: KnownGrammar | PathLike) -> GrammarFrame:
    """Return a grammar as a frame, from a frame, a local grammar, or a path on any file system."""
    from paragauge.grammar.grammar import Grammar

    if isinstance(grammar, GrammarFrame):
        return grammar
    if isinstance(grammar, Grammar):
        return GrammarFrame(grammar.name, uploaded(engine, grammar.batches()), grammar.columns, grammar.digest)
    if not isinstance(grammar, str | os.PathLike):
        raise OptionError(f"{grammar.name} was opened with another engine; open it with this one")
    return _open_grammar(engine, grammar)


def _open_grammar(engine: SparkEngine, path: PathLike) -> GrammarFrame:
    from paragauge.grammar.files import TEXT_COLUMNS
    from paragauge.grammar.grammar import KIND, RULES_FILE

    name = str(path)
    is_folder = engine.files.exists(f"{name}/{MANIFEST}") if has_scheme(path) else Path(path).is_dir()
    if is_folder:
        manifest = manifest_of(engine, path, KIND)
        frame = parts_of(engine, path, manifest)
        if frame is None:
            frame = engine.session.read.parquet(literal(f"{qualified(path)}/{RULES_FILE}"))
        return GrammarFrame(name, frame, tuple(frame.columns), manifest.digest())
    import pyarrow as pa

    lines = engine.session.read.option("lineSep", "\n").text(literal(qualified(path)))
    schema = pa.schema([(column, pa.large_string()) for column in TEXT_COLUMNS])
    frame = engine.mapped(lines.select(lines["value"].cast("binary")), ParseRules(name), schema)
    return GrammarFrame(name, frame, TEXT_COLUMNS, None if has_scheme(path) else digest_file(path))


@dataclass(frozen=True, slots=True)
class ParseRules:
    """Reads lines of rules, on a worker, without their line numbers."""

    name: str

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from paragauge.grammar.files import parse_rule_lines
        from paragauge.io import decode

        for batch in batches:
            lines = [decode(line.removesuffix(b"\r"), self.name, 0) for line in batch.column(0).to_pylist()]
            try:
                yield parse_rule_lines(lines)
            except DataError as error:
                raise DataError(str(error), path=self.name) from None
