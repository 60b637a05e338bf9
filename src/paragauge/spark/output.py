"""The output of a run: a folder with rows in parts and a manifest, written whole or not at all.

On a local disk the folder appears under its name once it is complete. Elsewhere the manifest is written last, and a
folder without one is not a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from paragauge.errors import FileError
from paragauge.io import PathLike, digests_of_files
from paragauge.resource import MANIFEST, Manifest, ResourceFile, check_replaceable, write_resource
from paragauge.spark.engine import SparkEngine
from paragauge.spark.paths import has_scheme, literal, qualified
from paragauge.storage import parts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from paragauge.spark.engine import ArrowFunction


class Output:
    """A table folder to write.

    Raises:
        FileError: The folder cannot be written; this is checked before the work, not after it.
    """

    def __init__(self, engine: SparkEngine, path: PathLike, kind: str) -> None:
        self._engine = engine
        self._path = str(path)
        self._kind = kind
        if not has_scheme(path):
            check_replaceable(path, kind)
        elif engine.files.exists(self._path):
            raise FileError(f"{self._path}: exists already; choose another name or remove it")

    def write(
        self,
        sql: str,
        *,
        options: Mapping[str, Any],
        inputs: Mapping[str, str] | None = None,
        finish: tuple[ArrowFunction, pa.Schema] | None = None,
    ) -> int:
        """Write the rows of a query in order, and return the number of rows.

        Args:
            sql: Query, which must sort its rows.
            options: How the table was made, for the manifest.
            inputs: Digests of the data that it was made from.
            finish: Function to apply to the rows before writing, and the schema of its result.
        """
        engine = self._engine
        with engine.explained():
            frame = engine.session.sql(sql)
            if finish is not None:
                frame = engine.mapped(frame, *finish)
            if has_scheme(self._path):
                self._write_there(frame, options, inputs)
                folder = f"{self._path}/{parts.FOLDER}"
            else:
                self._write_here(frame, options, inputs)
                folder = qualified(f"{self._path}/{parts.FOLDER}")
            return engine.session.read.parquet(literal(folder)).count()

    def _write_here(self, frame: DataFrame, options: Mapping[str, Any], inputs: Mapping[str, str] | None) -> None:
        with write_resource(self._path, self._kind, format=parts.FORMAT, options=options, inputs=inputs) as folder:
            rows = folder / parts.FOLDER
            self._write_parts(frame, qualified(rows))
            for file in rows.iterdir():  # checksums of Hadoop, and its success marker
                if not file.name.endswith(".parquet") or file.name.startswith("."):
                    file.unlink()

    def _write_there(self, frame: DataFrame, options: Mapping[str, Any], inputs: Mapping[str, str] | None) -> None:
        from paragauge import __version__

        rows = f"{self._path}/{parts.FOLDER}"
        self._write_parts(frame, rows)
        read = self._engine.session.read.format("binaryFile").load(f"{literal(rows)}/*.parquet")
        described = read.selectExpr("path", "length", "sha2(content, 256)").collect()
        known = {
            f"{parts.FOLDER}/{str(path).rpartition('/')[2]}": ResourceFile(int(length), str(sha256))
            for path, length, sha256 in sorted(tuple(row) for row in described)
        }
        manifest = Manifest(
            self._kind, parts.FORMAT, __version__, options=dict(options), inputs=dict(inputs or {}), files=known
        )
        self._engine.files.write(f"{self._path}/{MANIFEST}", manifest.to_json())

    def _write_parts(self, frame: DataFrame, folder: str) -> None:
        frame.write.option("compression", "snappy").parquet(folder)
        written = self._engine.files.parts(folder)
        if not written:
            raise FileError(
                f"{self._path}: the workers wrote to their local disks; give a path that all of them and the driver "
                "can access (hdfs://..., s3a://..., a network disk)"
            )
        for number, file in enumerate(written):
            self._engine.files.move(file, f"{folder}/{parts.part_name(number)}")


def input_digests(paths: Iterable[str]) -> dict[str, str]:
    """Return the digests of inputs that are local files; others would have to be fetched."""
    return digests_of_files(path for path in paths if not has_scheme(path))
