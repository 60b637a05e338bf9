"""``paragauge convert``: test sets and judgments from one format to another."""

from __future__ import annotations

import click

from paragauge.cli.options import encoding_option, output_option
from paragauge.io import STANDARD_STREAM

FORMATS = ("tsv", "csv", "jsonl", "sgml", "xml")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILES...", type=click.Path(allow_dash=True))
@click.option(
    "--ref",
    "references",
    multiple=True,
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Join plain files: references, one per line; FILES are then systems, one per file. May be repeated.",
)
@click.option(
    "--original",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Join plain files: original sentences, one per line; FILES are then systems.",
)
@click.option("--judgments", is_flag=True, help="Convert human judgments instead of a test set.")
@click.option(
    "--from", "source", type=click.Choice(FORMATS), help="Format of FILES.  [default: detected from the content]"
)
@click.option(
    "--to",
    "target",
    type=click.Choice((*FORMATS, "plain")),
    help="Output format; plain is a folder with one text file per column.  [default: chosen by the output's name]",
)
@encoding_option
@output_option
def convert(
    files: tuple[str, ...],
    references: tuple[str, ...],
    original: str | None,
    judgments: bool,
    source: str | None,
    target: str | None,
    encoding: str,
    output: str,
) -> None:
    """Convert a test set to another format; several FILES with the same segments become one.

    With --ref or --original, FILES are plain text with one segment per line, and become one test set. --to plain does
    the opposite.

    \b
    Example:
      paragauge convert --original original.txt --ref ref.txt system-a.txt system-b.txt -o testset.tsv
      paragauge convert testset.tsv --to plain -o folder
      paragauge convert newstest-src.sgm newstest-ref.sgm system-a.sgm -o newstest.jsonl
      paragauge convert --judgments judgments.csv --to tsv
    """
    from paragauge.cli.output import closed_pipe_ends_quietly
    from paragauge.corpora import (
        merge_testsets,
        read_judgments,
        read_plain_testset,
        read_testset,
        write_judgments,
        write_testset,
    )
    from paragauge.corpora.formats import format_of_name
    from paragauge.corpora.plain import write_plain_testset

    if output == STANDARD_STREAM and target is None:
        raise click.UsageError("the format of standard output is unknown; give it with --to")
    plain = bool(references) or original is not None
    if plain and (judgments or source):
        raise click.UsageError("--ref and --original join plain files; drop --judgments and --from")
    if target == "plain" and (judgments or output == STANDARD_STREAM):
        raise click.UsageError("--to plain writes a test set to a folder; give it with -o")
    target = target or format_of_name(output, FORMATS)  # before anything is read
    with closed_pipe_ends_quietly():
        if judgments:
            if len(files) > 1:
                raise click.UsageError(f"judgments are converted one file at a time; got {len(files)}")
            write_judgments(read_judgments(files[0], format=source, encoding=encoding), output, target)
            return
        if plain:
            testset = read_plain_testset(files, references, original, encoding=encoding)
        else:
            parts = [read_testset(file, format=source, encoding=encoding) for file in files]
            testset = parts[0] if len(parts) == 1 else merge_testsets(parts)
        if target == "plain":
            write_plain_testset(testset, output)
        else:
            write_testset(testset, output, target)
