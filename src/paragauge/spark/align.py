"""Word alignment on a cluster: trained by the driver on a sample or on all pairs, applied in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragauge.align.aligner import Aligner
from paragauge.align.texts import AlignFiles
from paragauge.errors import FileError
from paragauge.io import STANDARD_STREAM, write_lines
from paragauge.spark.engine import SparkEngine
from paragauge.spark.lines import ParallelTexts, Part, Text
from paragauge.spark.models import received_folder, send_folder
from paragauge.spark.paths import has_scheme, qualified
from paragauge.storage.remote import RunSummary
from paragauge.temporary import scratch_folder

if TYPE_CHECKING:
    import pyarrow as pa


def run(engine: SparkEngine, job: AlignFiles) -> RunSummary:
    """Write the word alignment of two texts."""
    names, encoding, model = (str(job.source), str(job.target)), job.encoding, job.model
    texts = ParallelTexts(engine, [Text(names[0], "source", encoding), Text(names[1], "target", encoding)])
    with scratch_folder() as folder:
        scratch = Path(folder)
        if model is None:
            aligner = _train(engine, texts, job)
            if job.save_model is not None:
                aligner.save(job.save_model)
            model = scratch / "aligner"
            aligner.save(model)
        else:
            Aligner.load(model)  # reports a damaged one now
        apply = ApplyAligner(send_folder(engine, model), job.method, job.threshold, job.one_based)
        engine.step("align")
        engine.name("aligned", texts.mapped(apply, _schema()))
        return _write(engine, texts, str(job.output))


def _train(engine: SparkEngine, texts: ParallelTexts, job: AlignFiles) -> Aligner:
    engine.step("fetch pairs to train on")
    with engine.explained():
        found = texts.mapped(PickPairs(job.training_step(texts.length)), _schema()).toArrow().sort_by("line")
    return Aligner.train(found.column("source").to_pylist(), found.column("target").to_pylist(), options=job.options)


def _write(engine: SparkEngine, texts: ParallelTexts, output: str) -> RunSummary:
    parquet = output.rstrip("/").endswith(".parquet")
    if parquet or has_scheme(output):
        place = qualified(output)
        if engine.files.exists(place):
            raise FileError(f"{output}: exists already; choose another name or remove it")
        with engine.explained():
            ordered = engine.session.table("aligned")  # partitions are in line order, and so are the files
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
    """Samples pairs at regular intervals, on a worker."""

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
