"""Alignment of whole files of sentence pairs, locally or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from paragauge.align.aligned import AlignedText
from paragauge.align.aligner import Aligner
from paragauge.align.alignment import write_pharaoh
from paragauge.align.options import DEFAULT_THRESHOLD, AlignerOptions
from paragauge.corpora.bitext import Bitext, read_parallel
from paragauge.errors import OptionError
from paragauge.io import PathLike
from paragauge.storage.engine import EngineOptions
from paragauge.storage.remote import Job, RemoteEngine, RunSummary, local_options


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignFiles(Job[RunSummary]):
    """The work of `align_files`, for a remote engine."""

    kind: ClassVar[str] = "align"

    source: PathLike
    target: PathLike
    output: PathLike
    model: PathLike | None = None
    sample: int | None = None
    save_model: PathLike | None = None
    options: AlignerOptions | None = None
    method: str | None = None
    threshold: float = DEFAULT_THRESHOLD
    one_based: bool = False
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        if self.sample is not None and self.sample < 1:
            raise OptionError(f"sample must be at least 1, got {self.sample}")

    def training_step(self, pairs: int) -> int:
        """Return the step n of the sample: training uses every n-th of *pairs*."""
        return 1 if self.sample is None else -(-pairs // self.sample)


def align_files(
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
    engine: EngineOptions | RemoteEngine | None = None,
) -> RunSummary:
    """Write the word alignment of two texts.

    Args:
        source: Text with one tokenised sentence per line; on a cluster, also Parquet with a column ``source``.
        target: The same for the target side, with a column ``target``.
        output: Parquet (source, target, links) if the name ends in ``.parquet``; else Pharaoh lines in one file or, on
            another file system, in a folder of files whose names sort in the order of the lines.
        model: A saved aligner; by default one is trained (on a cluster, by the driver).
        sample: Number of evenly spaced pairs to train on; all pairs by default.
        save_model: Folder for the trained aligner.
        options: Options of the training.
        method: See `Aligner.align`.
        threshold: See `Aligner.align`.
        one_based: Whether positions in the output count from 1.
        encoding: Encoding of both texts.
        engine: Local threads, or a cluster.
    """
    job = AlignFiles(
        source=source, target=target, output=output, model=model, sample=sample, save_model=save_model,
        options=options, method=method, threshold=threshold, one_based=one_based, encoding=encoding,
    )  # fmt: skip
    if isinstance(engine, RemoteEngine):
        return engine.perform(job)
    bitext = read_parallel(source, target, encoding=encoding)
    aligner, aligned = _aligned(job, bitext, threads=local_options(engine).threads)
    if save_model is not None and model is None:
        aligner.save(save_model)
    if os.fspath(output).endswith(".parquet"):
        _write_parquet(Path(output), bitext, [each.to_pharaoh(one_based=one_based) for each in aligned])
    else:
        write_pharaoh(output, aligned, one_based=one_based)
    return RunSummary("sentence pairs", len(bitext), "aligned pairs", len(aligned))


def _aligned(job: AlignFiles, bitext: Bitext, *, threads: int | None) -> tuple[Aligner, AlignedText]:
    source, target = bitext.source, bitext.target
    if job.model is None and job.sample is None:
        return Aligner.train_and_align(
            source, target, method=job.method, threshold=job.threshold, options=job.options, threads=threads
        )
    if job.model is not None:
        aligner = Aligner.load(job.model)
    else:
        step = job.training_step(len(source))
        aligner = Aligner.train(source[::step], target[::step], options=job.options, threads=threads)
    return aligner, aligner.align_scored(source, target, method=job.method, threshold=job.threshold, threads=threads)


def _write_parquet(path: Path, bitext: Bitext, links: Sequence[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from paragauge.io import atomic_output

    with atomic_output(path) as file:
        pq.write_table(pa.table({"source": bitext.source, "target": bitext.target, "links": links}), file)
