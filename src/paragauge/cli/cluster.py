"""Options that select a cluster, and the engine for it."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.output import progress_bar
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.spark.engine import SparkEngine
    from paragauge.storage.remote import RunSummary

F = TypeVar("F", bound=Callable[..., Any])

temp_option = click.option(
    "--temp",
    metavar="DIR",
    type=click.Path(),
    help="Folder for temporary data; with Spark, one that every machine can access.  [default: the system's temporary "
    "folder]",
)


@dataclass(frozen=True, slots=True)
class Cluster:
    """The cluster to use."""

    master: str
    settings: dict[str, str]


def cluster_options(command: F) -> F:
    """Add the options that choose the engine; the command gets the cluster, or None, as ``cluster``."""

    @functools.wraps(command)
    def with_cluster(engine_name: str, master: str | None, conf: tuple[str, ...], **arguments: Any) -> Any:
        if engine_name != "spark":
            if master is not None or conf:
                raise click.UsageError("--master and --conf need --engine spark")
            return command(cluster=None, **arguments)
        settings = dict(item.partition("=")[::2] for item in conf)
        if not all(settings.values()):
            raise click.UsageError("--conf takes Spark settings such as spark.executor.memory=4g")
        return command(cluster=Cluster(master or "local[*]", settings), **arguments)

    for option in (
        click.option("--conf", multiple=True, metavar="KEY=VALUE", help="Spark setting. May be repeated."),
        click.option(
            "--master",
            metavar="URL",
            help="Spark master: local[N], spark://HOST:PORT, yarn, k8s://...  [default: local[*]]",
        ),
        click.option(
            "--engine",
            "engine_name",
            type=click.Choice(["duckdb", "spark"]),
            default="duckdb",
            show_default=True,
            help="Where to run: this machine (duckdb) or a Spark cluster; results are the same.",
        ),
    ):
        with_cluster = option(with_cluster)
    return with_cluster  # type: ignore[return-value]  # the arguments are other ones, by intention


def refuse(cluster: Cluster, options: dict[str, object], why: str = "does not go with --engine spark") -> None:
    """Raise a usage error for the first of *options* that was given, by its name."""
    for name, value in options.items():
        if value:
            raise click.UsageError(f"{name} {why}")


def refuse_streams(*paths: str | None) -> None:
    """Raise a usage error if a path is standard input or output, which workers do not have."""
    if STANDARD_STREAM in paths:
        raise click.UsageError("cluster workers cannot read '-'; give a path that Spark can read")


@contextlib.contextmanager
def spark_engine(cluster: Cluster, temp: str | None, *, quiet: bool) -> Iterator[SparkEngine]:
    """Yield the engine, with a progress bar over its tasks."""
    from paragauge.spark.engine import SparkEngine
    from paragauge.spark.session import SparkOptions

    with progress_bar("tasks", quiet=quiet) as show:
        options = SparkOptions(master=cluster.master, temp=temp, settings=cluster.settings, progress=show)
        with SparkEngine(options) as engine:
            yield engine


def say(summary: RunSummary, output: str, *, quiet: bool) -> None:
    """Print the summary of a run."""
    if not quiet:
        click.echo(f"paragauge: {output}: {summary}", err=True)
