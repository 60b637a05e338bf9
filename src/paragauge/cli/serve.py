"""``paragauge serve``: the workbench in the browser, and its HTTP API."""

from __future__ import annotations

import click

from paragauge.cli.options import server_options

DEFAULT_MEGABYTES = 16
LEAST_JOB_MEMORY = 500_000_000


@click.command()
@server_options
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="Additional metric to offer; its options may name files, which requests may not. May be repeated.",
)
@click.option(
    "--grammar", metavar="GRAMMAR", type=click.Path(), help="Grammar for drawing derivations and rewriting sentences."
)
@click.option("--lm", metavar="LM", type=click.Path(), help="Language model for rewriting sentences.")
@click.option("--weights", metavar="FILE", type=click.Path(), help="Weights for rewriting sentences.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Number of concurrent jobs.  [default: number of cores]",
)
@click.option(
    "--time-limit",
    default=60.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Seconds after which a request goes on as a job, which may take twenty times as long.",
)
@click.option(
    "--job-memory",
    default="4GB",
    show_default=True,
    metavar="SIZE",
    help="Memory limit per job, not counting models, which all jobs share.",
)
@click.option(
    "--max-size",
    default=DEFAULT_MEGABYTES,
    show_default=True,
    type=click.IntRange(1, 1024),
    metavar="MB",
    help="Largest request, including its files, in megabytes.",
)
@click.option(
    "--work",
    metavar="DIR",
    type=click.Path(),
    help="Folder for request files while they are read.  [default: the system's temporary folder]",
)
def serve(
    host: str,
    port: int,
    names: tuple[str, ...],
    open_browser: bool,
    metrics: tuple[str, ...],
    grammar: str | None,
    lm: str | None,
    weights: str | None,
    workers: int | None,
    time_limit: float,
    job_memory: str,
    max_size: int,
    work: str | None,
) -> None:
    """Open the workbench: score, explain, compare and meta-evaluate in the browser, until interrupted (Ctrl-C).

    Only this machine can reach it, unless you pass --host; then a token is required, which is part of the printed
    address. The API page is at /api.

    \b
    Example:
      paragauge serve --open
      paragauge serve --port 0 -m 'pem(model=my-model)' --grammar ppdb.grammar
    """
    import os

    from paragauge.web import check_extra

    check_extra("the workbench")
    from paragauge.memory import parse_size, shown_size
    from paragauge.web.server import run_server
    from paragauge.web.workbench import workbench_areas

    memory = parse_size(job_memory)
    if memory < LEAST_JOB_MEMORY:
        raise click.BadParameter(f"{job_memory} cannot work; the least that can is {shown_size(LEAST_JOB_MEMORY)}")
    areas = workbench_areas(
        work=work,
        metrics=metrics,
        grammar=grammar,
        lm=lm,
        weights=weights,
        workers=workers or os.cpu_count() or 1,
        seconds=time_limit,
        memory=memory,
    )
    run_server(
        areas, _announce, host=host, port=port, names=names, most_bytes=max_size << 20, open_browser=open_browser
    )


def _announce(address: str) -> None:
    click.echo(f"paragauge: the workbench is at {address} (Ctrl-C ends it)", err=True)
