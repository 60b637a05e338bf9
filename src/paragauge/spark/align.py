"""Word alignment on a cluster: trained on the driver, on a sample or on everything, applied in parts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragauge.align.aligner import Aligner
from paragauge.align.options import DEFAULT_THRESHOLD, AlignerOptions
from paragauge.errors import FileError, OptionError
from paragauge.io import STANDARD_STREAM, PathLike, write_lines
from paragauge.spark.engine import SparkEngine
from paragauge.spark.lines import ParallelTexts, Part, Text
from paragauge.spark.models import received_folder, send_folder
from paragauge.spark.output import RunSummary
from paragauge.spark.paths import has_scheme, qualified

if TYPE_CHECKING:
    import pyarrow as pa


def align_files(
    engine: SparkEngine,
    source: PathLike,
    target: PathLike,
    output: PathLike,
    *,
    model: PathLike | None = None,
    sample: int | None = None,
    save_model: PathLike | None = None,
    options: AlignerOptions | None = None,
    method: str | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    one_based: bool = False,
    encoding: str = "utf-8",
) -> RunSummary:
    """Write the word alignment of two texts.

    Args:
        engine: Where to run.
        source: Text, one tokenised sentence on each line, or Parquet with a column ``source``; see `Text`.
        target: The same, ``target``.
        output: Parquet (source, target, links) if the name ends in ``.parquet``; a folder of text files, whose names
            sort as their lines do, on another file system; else one file of Pharaoh lines on this machine.
        model: A saved aligner; without it one is trained on the driver.
        sample: Train on so many pairs, evenly picked; on all without it.
        save_model: Where to save what was trained.
        options: How to train.
        method: See `Aligner.align`.
        threshold: See `Aligner.align`.
        one_based: Count from 1 in the output.
        encoding: Of both texts.
    """
    if sample is not None and sample < 1:
        raise OptionError(f"sample must be at least 1, got {sample}")
    names = str(source), str(target)
    texts = ParallelTexts(engine, [Text(names[0], "source", encoding), Text(names[1], "target", encoding)])
    with tempfile.TemporaryDirectory(prefix="paragauge-") as folder:
        scratch = Path(folder)
        if model is None:
            aligner = _train(engine, texts, sample, options)
            if save_model is not None:
                aligner.save(save_model)
            model = scratch / "aligner"
            aligner.save(model)
        else:
            Aligner.load(model)  # a damaged one is said now
        apply = ApplyAligner(send_folder(engine, model), method, threshold, one_based)
        engine.step("align")
        engine.name("aligned", texts.mapped(apply, _schema()))
        return _write(engine, texts, str(output))


def _train(engine: SparkEngine, texts: ParallelTexts, sample: int | None, options: AlignerOptions | None) -> Aligner:
    engine.step("fetch pairs to train on")
    step = 1 if sample is None else -(-texts.length // sample)
    with engine.explained():
        found = texts.mapped(PickPairs(step), _schema()).toArrow().sort_by("line")
    return Aligner.train(found.column("source").to_pylist(), found.column("target").to_pylist(), options=options)


def _write(engine: SparkEngine, texts: ParallelTexts, output: str) -> RunSummary:
    parquet = output.rstrip("/").endswith(".parquet")
    if parquet or has_scheme(output):
        place = qualified(output)
        if engine.files.exists(place):
            raise FileError(f"{output}: exists already; choose another name or remove it")
        with engine.explained():
            ordered = engine.session.table("aligned")  # partitions are in the order of lines, and files in theirs
            if parquet:
                ordered.select("source", "target", "links").write.parquet(place)
            else:
                ordered.select("links").write.option("lineSep", "\n").text(place)
        return RunSummary("sentence pairs", texts.length, "aligned pairs", texts.length)
    batches = engine.stream("SELECT links FROM aligned")
    written = write_lines(
        output or STANDARD_STREAM, (line for batch in batches for line in batch.column(0).to_pylist())
    )
    return RunSummary("sentence pairs", texts.length, "aligned pairs", written)


def _schema() -> pa.Schema:
    import pyarrow as pa

    text = pa.large_string()
    return pa.schema([("line", pa.int64()), ("source", text), ("target", text), ("links", text)])


def _rows(lines: Any, source: list[str], target: list[str], links: list[str]) -> pa.RecordBatch:
    import pyarrow as pa

    schema = _schema()
    columns = [
        pa.array(column, kind) for column, kind in zip((lines, source, target, links), schema.types, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


@dataclass(frozen=True, slots=True)
class PickPairs:
    """Picks every so many-th pair, on a worker."""

    step: int

    def __call__(self, part: Part) -> Iterator[pa.RecordBatch]:
        begin = -part.first % self.step
        source, target = (text[begin :: self.step] for text in part.texts[:2])
        lines = range(part.first + begin, part.first + len(part.texts[0]), self.step)
        yield _rows(list(lines), source, target, [""] * len(source))


@dataclass(frozen=True, slots=True)
class ApplyAligner:
    """Aligns the pairs of a part, on a worker."""

    model: str
    method: str | None
    threshold: float
    one_based: bool

    def __call__(self, part: Part) -> Iterator[pa.RecordBatch]:
        source, target = part.texts[:2]
        aligner = _load(self.model)
        aligned = aligner.align_scored(source, target, method=self.method, threshold=self.threshold, threads=1)
        links = [alignment.to_pharaoh(one_based=self.one_based) for alignment in aligned]
        yield _rows(list(range(part.first, part.first + len(source))), source, target, links)


@lru_cache(maxsize=1)
def _load(name: str) -> Aligner:
    return Aligner.load(received_folder(name))
