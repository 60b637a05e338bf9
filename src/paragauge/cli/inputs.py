"""The texts that a command scores: options that name them, and how they are read."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.options import encoding_option
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.metrics.base import SentenceMetric

F = TypeVar("F", bound=Callable[..., Any])

_SACREBLEU_NAMES = {"--paired-bs": ("--test", "bootstrap"), "--paired-ar": ("--test", "permutation")}
_EXPANDED = "paragauge.expanded"  # key in the context: files that follow --ref FILE


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that a command was given to score.

    Attributes:
        sacrebleu_order: Whether references were given as arguments and systems with ``-i``.
    """

    candidates: tuple[str, ...]
    references: tuple[str, ...]
    original: str | None
    testset: str | None
    names: tuple[str, ...]
    encoding: str
    sacrebleu_order: bool = False


class TextsCommand(click.Command):
    """A command that reads texts. It understands sacreBLEU's order and names, and notices expanded patterns."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_EXPANDED] = [
            (args[place + 1], _run(args, place + 2))
            for place, word in enumerate(args)
            if word == "--ref" and place + 1 < len(args)
        ]
        return super().parse_args(ctx, _respelled(args))


def _run(args: Sequence[str], start: int) -> list[str]:
    """Return the arguments from *start* up to the next option."""
    end = start
    while end < len(args) and (args[end] == STANDARD_STREAM or not args[end].startswith("-")):
        end += 1
    return list(args[start:end])


def _respelled(args: Sequence[str]) -> list[str]:
    """Return the arguments with sacreBLEU's options in our words: ``-i A B`` as ``-i A -i B``, names of tests."""
    respelled: list[str] = []
    place = 0
    while place < len(args):
        word = args[place]
        place += 1
        if word == "--":
            return [*respelled, word, *args[place:]]
        if word in ("-i", "--input"):
            systems = _run(args, place)
            place += len(systems)
            respelled += [part for system in systems for part in ("-i", system)] or [word]
        else:
            respelled += _SACREBLEU_NAMES.get(word, (word,))
    return respelled


def input_options(command: F) -> F:
    """Add the options that name the texts to score; the command gets them as ``inputs``."""

    @functools.wraps(command)
    def with_inputs(**arguments: Any) -> Any:
        systems = arguments.pop("systems")
        given = {name: arguments.pop(name) for name in Inputs.__slots__ if name in arguments}
        return command(inputs=_ordered(Inputs(**given), systems), **arguments)

    for option in (
        encoding_option,
        click.option(
            "--name",
            "names",
            multiple=True,
            metavar="SYSTEM",
            help="Name of a system, instead of its file's name. Repeat it for each file of candidates, in order.",
        ),
        click.option(
            "--testset",
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="Test set with candidates, references and originals (JSONL, TSV, CSV, SGML or WMT XML), instead of "
            "separate files; or one that sacreBLEU has downloaded, such as wmt21:cs-en, for the given candidates.",
        ),
        click.option(
            "-i",
            "--input",
            "systems",
            multiple=True,
            metavar="FILE...",
            type=click.Path(allow_dash=True),
            help="Candidates, one file per system; the arguments are then references, as in sacreBLEU: "
            "REFERENCE... -i SYSTEM...",
        ),
        click.option(
            "--original",
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="File of original sentences that the candidates paraphrase, one per line.",
        ),
        click.option(
            "--ref",
            "references",
            multiple=True,
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="References, one per line. Repeat it for each file of references.",
        ),
        click.argument("candidates", nargs=-1, metavar="[CANDIDATES]...", type=click.Path(allow_dash=True)),
    ):
        with_inputs = option(with_inputs)
    return with_inputs  # type: ignore[return-value]  # the arguments are other ones, by intention


def _ordered(inputs: Inputs, systems: tuple[str, ...]) -> Inputs:
    """Return *inputs* with the files of ``-i`` as candidates, and arguments beside them as references."""
    if not systems:
        _refuse_expanded(inputs)
        return inputs
    if not inputs.candidates:
        return replace(inputs, candidates=systems)
    if inputs.references:
        raise click.UsageError(
            f"-i names the systems and --ref the references, so it is unclear what {inputs.candidates[0]} is; give all "
            "references with --ref, or all of them as arguments"
        )
    return replace(inputs, candidates=systems, references=inputs.candidates, sacrebleu_order=True)


def _refuse_expanded(inputs: Inputs) -> None:
    """Raise a usage error if the files after a ``--ref`` look like more references, from a pattern (``--ref ref*``)."""
    from paragauge.cli.patterns import expanded_with

    context = click.get_current_context()
    for reference, following in context.meta.get(_EXPANDED, ()):
        extra = expanded_with(reference, [file for file in following if file in inputs.candidates])
        if extra:
            rest = [file for file in inputs.candidates if file not in extra]
            files = " ".join(f"--ref {file}" for file in (reference, *extra))
            raise click.UsageError(
                f"--ref takes one file, and {', '.join(extra)} beside it would be scored as systems; repeat --ref for "
                f"each file of references ({files} {' '.join(rest) or 'SYSTEM'}), or name the systems with -i",
                context,
            )


def load_metrics(texts: tuple[str, ...]) -> list[SentenceMetric]:
    """Return the sentence metrics that *texts* name."""
    from paragauge.metrics.registry import parse_sentence_metrics

    return parse_sentence_metrics(texts)


def load_testset(inputs: Inputs, metrics: list[SentenceMetric]) -> TestSet:
    """Return the texts to score, checked against what the metrics need."""
    from paragauge.evaluate.measured import check_texts

    testset = read_inputs(inputs, metrics)
    check_texts(testset, metrics)
    return testset


def read_inputs(inputs: Inputs, metrics: list[SentenceMetric]) -> TestSet:
    """Read the texts to score after checking that the command line names everything the metrics need."""
    from paragauge.corpora.plain import read_plain_testset

    inputs = given_inputs(inputs)
    check_needs(metrics, inputs)
    if inputs.testset is not None:
        from paragauge.corpora.formats import read_testset

        testset = read_testset(inputs.testset, encoding=inputs.encoding)
        if not inputs.candidates:
            return testset
        systems = read_plain_testset(inputs.candidates, encoding=inputs.encoding)
        return _named(replace(testset, candidates=systems.candidates), inputs.names)
    testset = read_plain_testset(
        inputs.candidates, references=inputs.references, originals=inputs.original, encoding=inputs.encoding
    )
    return _named(testset, inputs.names)


def given_inputs(inputs: Inputs) -> Inputs:
    """Return *inputs* with standard input as candidates, if no others are given and it is no terminal."""
    if not inputs.candidates and inputs.testset is None and not (sys.stdin and sys.stdin.isatty()):
        return replace(inputs, candidates=(STANDARD_STREAM,))
    return inputs


def _named(testset: TestSet, names: Sequence[str]) -> TestSet:
    """Return *testset* with other names for its systems, if there are any."""
    if not names:
        return testset
    return replace(testset, candidates=dict(zip(names, testset.candidates.values(), strict=True)))


def _is_named(testset: str) -> bool:
    from paragauge.corpora.named import is_named

    return is_named(testset)


def check_needs(metrics: list[SentenceMetric], inputs: Inputs) -> None:
    """Raise a usage error for anything missing on the command line, before any file is read."""
    named = [*inputs.candidates, *inputs.references, inputs.original, inputs.testset]
    if named.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    if inputs.testset is not None:
        if inputs.references or inputs.original is not None:
            raise click.UsageError("--testset contains all texts; drop --ref and --original")
        if not inputs.candidates and inputs.names:
            raise click.UsageError("--name renames files of candidates; --testset has its own names")
        if inputs.candidates and not _is_named(inputs.testset):
            raise click.UsageError("--testset contains all texts; drop the candidates")
        if not inputs.candidates:
            return
    if not inputs.candidates:
        raise click.UsageError("no candidates; give at least one file, pipe them to standard input, or use --testset")
    if inputs.names and (len(inputs.names) != len(inputs.candidates) or len(set(inputs.names)) < len(inputs.names)):
        raise click.UsageError(
            f"expected one distinct --name per candidate file; got {len(inputs.names)} names "
            f"({', '.join(inputs.names)}) for {len(inputs.candidates)} files"
        )
    if inputs.sacrebleu_order and metrics and not any("references" in metric.needs for metric in metrics):
        raise click.UsageError(
            f"with -i, {inputs.references[0]} is a reference, but {metrics[0].name} takes none; give originals with "
            "--original"
        )
    for metric in metrics if inputs.testset is None else ():
        if "references" in metric.needs and not inputs.references:
            raise click.UsageError(
                f"{metric.name} needs references; give their file with --ref (or REFERENCE -i SYSTEM, as in sacreBLEU)"
            )
        if "originals" in metric.needs and inputs.original is None:
            raise click.UsageError(f"{metric.name} needs originals; give their file with --original")
