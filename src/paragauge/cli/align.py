"""``paragauge align``: align the words of two parallel texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.cluster import Cluster, cluster_options, temp_option
from paragauge.cli.options import encoding_option, output_option, quiet_option, threads_option
from paragauge.cli.output import closed_pipe_ends_quietly, progress_bar
from paragauge.cli.requests import refuse_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paragauge.align import AlignedText, Aligner, AlignerOptions

METHODS = ("agreement", "intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")


@click.command()
@click.argument("source", metavar="SRC", type=click.Path(allow_dash=True))
@click.argument("target", metavar="TGT", type=click.Path(allow_dash=True))
@output_option
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="agreement trains both directions jointly; the others train them separately and combine their alignments. "
    "[default: agreement, or what the model was trained for]",
)
@click.option(
    "--threshold",
    metavar="P",
    type=float,
    help="Lowest score of a link: with agreement the product of both posteriors, with --monolingual a probability.  "
    "[default: 0.25; 0.5 with --monolingual]",
)
@click.option(
    "--monolingual",
    is_flag=True,
    help="Both texts are in the same language: link words by what is known of them, without training.",
)
@click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="CODE",
    help="With --monolingual: the language. All that is known is used for English, letters and numbers for others.",
)
@click.option(
    "--by",
    type=click.Choice(("words", "corpus", "both")),
    help="With --monolingual: link by knowledge of words, by a statistical aligner trained on SRC and TGT (identical "
    "words attract each other), or by both.  [default: words; corpus if options of the training are given]",
)
@click.option(
    "--stems",
    is_flag=True,
    help="English only: words with the same Porter stem attract each other. Implies --monolingual.",
)
@click.option("--lowercase/--no-lowercase", default=True, show_default=True, help="Lower-case words before aligning.")
@click.option(
    "--model1", "model1_iterations", type=click.IntRange(0, 100), help="Number of Model 1 iterations.  [default: 3]"
)
@click.option("--hmm", "hmm_iterations", type=click.IntRange(0, 100), help="Number of HMM iterations.  [default: 5]")
@click.option(
    "--max-length",
    type=click.IntRange(1, 2000),
    help="Align longer sentences in windows of this many tokens.  [default: 200]",
)
@click.option(
    "--model", metavar="DIR", type=click.Path(file_okay=False), help="Apply a saved aligner instead of training one."
)
@click.option("--save-model", metavar="DIR", type=click.Path(file_okay=False), help="Save the trained aligner.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="With Spark: train on N evenly spaced pairs.")
@click.option(
    "--scores",
    is_flag=True,
    help="Print tab-separated links with scores (i-j:score) and, from a statistical aligner, the log-probabilities of "
    "both directions.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="With --monolingual: print a table instead, with the probability and the reasons of each link.",
)
@click.option(
    "--gold",
    metavar="GOLD",
    type=click.Path(dir_okay=False),
    help="Print precision, recall, F1 and AER against these gold links.",
)
@click.option("--one-based", is_flag=True, help="Count positions from 1 instead of 0, in the gold and in the output.")
@encoding_option
@cluster_options
@temp_option
@threads_option
@quiet_option
def align(source: str, target: str, output: str, cluster: Cluster | None, **choices: Any) -> None:
    """Align the words of two parallel texts, line by line.

    SRC and TGT hold one tokenised sentence per line, gzipped or not. The output has one Pharaoh line
    per pair, such as "0-0 1-2 2-1": source and target positions, counted from 0. GOLD marks possible links as 1-2-P,
    1p2 or 1?2, and may cover only the first lines. With --engine spark, the driver trains on all pairs or on a sample,
    and the workers align; if the output's name ends in .parquet, it holds the texts and the links.

    \b
    Example:
      paragauge align europarl.en europarl.fr -o links.align --save-model en-fr.aligner
      paragauge align new.en new.fr --model en-fr.aligner > new.align
      paragauge align originals.txt paraphrases.txt --monolingual --explain
      paragauge align s3a://b/en s3a://b/fr -o s3a://b/links.parquet --engine spark --master yarn --sample 500000
    """
    import time

    start = time.monotonic()
    if source == "-" and target == "-":
        raise click.UsageError("SRC and TGT cannot both be standard input")
    choices["by"] = _way(choices, cluster, (source, target))
    _refuse_contradictions(choices)
    temp = choices.pop("temp")
    if cluster is not None:
        return _on_spark(cluster, source, target, output, temp, choices)
    refuse_given("only --engine spark writes temporary files", "temp")
    if choices["sample"]:
        raise click.UsageError("--sample needs --engine spark; without it, all pairs are used for training")
    if choices["explain"]:
        return _explain(source, target, output, choices)
    if choices["by"] == "words":
        aligned, method = _align_words(source, target, choices, None), "words"
    else:
        aligner, aligned, method = _align(source, target, choices)
        if choices["save_model"]:
            aligner.save(choices["save_model"])
        if choices["by"] == "both":
            aligned, method = _align_words(source, target, choices, aligner), "words and corpus"
    _write(output, aligned, scores=choices["scores"], one_based=choices["one_based"])
    rate = len(aligned) / max(time.monotonic() - start, 1e-9)
    windows = f", {aligned.cut} in windows" if aligned.cut else ""
    if not choices["quiet"]:
        click.echo(
            f"{len(aligned):,} sentence pairs, {len(aligned.links):,} links, {method}, "
            f"{time.monotonic() - start:.1f} s ({rate:,.0f} pairs/s){windows}",
            err=True,
        )
    if choices["gold"]:
        # Standard output is for the links, if they go there.
        _print_quality(source, target, aligned, choices, to_stderr=output == "-")
    return None


def _on_spark(
    cluster: Cluster, source: str, target: str, output: str, temp: str | None, choices: dict[str, Any]
) -> None:
    from paragauge.align.options import DEFAULT_THRESHOLD
    from paragauge.align.texts import align_files
    from paragauge.cli.cluster import refuse, refuse_streams, say, spark_engine

    refuse_streams(source, target)
    refuse(cluster, {"--scores": choices["scores"], "--gold": choices["gold"], "--threads": choices["threads"]})
    model = choices["model"]
    method = choices["method"]
    with spark_engine(cluster, temp, quiet=choices["quiet"]) as engine, closed_pipe_ends_quietly():
        summary = align_files(
            source,
            target,
            output,
            model=model,
            sample=choices["sample"],
            save_model=choices["save_model"],
            options=None if model else _options(method or "agreement", choices),
            method=method,
            threshold=DEFAULT_THRESHOLD if choices["threshold"] is None else choices["threshold"],
            one_based=choices["one_based"],
            encoding=choices["encoding"],
            engine=engine,
        )
    say(summary, output, quiet=choices["quiet"])


# Options of the statistical aligner. Given with --monolingual, they say that it is wanted.
_TRAINING = ("method", "stems", "model1_iterations", "hmm_iterations", "max_length", "model", "save_model", "sample")


def _way(choices: dict[str, Any], cluster: Cluster | None, streams: tuple[str, str]) -> str:
    """Return how to link: by ``words``, by ``corpus`` (the statistical aligner), or by ``both``."""
    if not choices["monolingual"]:
        refuse_given("it needs --monolingual", "by", "explain", "language")
        return "corpus"
    statistical = cluster is not None or not choices["lowercase"] or any(choices[name] for name in _TRAINING)
    by = str(choices["by"] or ("corpus" if statistical else "words"))
    if by == "words":
        refuse_given("--by words trains nothing", *_TRAINING, "lowercase")
    if by == "both" and "-" in streams:
        raise click.UsageError("--by both reads the texts twice; give files, not standard input")
    if by != "corpus" and cluster is not None:
        raise click.UsageError(f"--by {by} does not run on a cluster; use --by corpus")
    if by == "corpus":
        refuse_given("only --by words and --by both know words", "explain", "language")
    return by


def _refuse_contradictions(choices: dict[str, Any]) -> None:
    if choices["model"]:
        refuse_given(
            "it is a training option, but --model applies a trained aligner",
            *("save_model", "sample", "stems", "lowercase"),
            *(() if choices["by"] == "both" else ("monolingual",)),
            *("model1_iterations", "hmm_iterations", "max_length"),
        )
    if choices["method"] not in (None, "agreement"):
        refuse_given("only --method agreement has posteriors to compare with it", "threshold")


def _align_words(source: str, target: str, choices: dict[str, Any], statistical: Aligner | None) -> AlignedText:
    from paragauge.io import read_lines
    from paragauge.monolingual.aligner import LINK_THRESHOLD, WordAligner

    texts = [read_lines(path, encoding=choices["encoding"]) for path in (source, target)]
    with progress_bar("pairs", quiet=choices["quiet"]) as show:
        return WordAligner.load(choices["language"]).align_scored(
            *texts,
            threshold=LINK_THRESHOLD if choices["threshold"] is None else choices["threshold"],
            statistical=statistical,
            threads=choices["threads"],
            progress=show,
        )


def _explain(source: str, target: str, output: str, choices: dict[str, Any]) -> None:
    """Write a table of links with their reasons."""
    from paragauge.cli.output import closed_pipe_ends_quietly
    from paragauge.corpora.bitext import read_parallel
    from paragauge.io import write_lines
    from paragauge.monolingual.aligner import LINK_THRESHOLD, WordAligner

    refuse_given("--explain prints its own table", "scores", "gold")
    bitext = read_parallel(source, target, encoding=choices["encoding"])
    statistical = _align(source, target, choices)[0] if choices["by"] == "both" else None
    aligner = WordAligner.load(choices["language"])
    threshold = LINK_THRESHOLD if choices["threshold"] is None else choices["threshold"]
    base = int(choices["one_based"])

    def lines() -> Iterator[str]:
        yield "pair\tlink\tsource\ttarget\tprobability\tfirst\treasons"
        for number, pair in enumerate(zip(bitext.source, bitext.target, strict=True), start=1):
            for link in aligner.explain(*pair, threshold=threshold, statistical=statistical):
                places = f"{link.source + base}-{link.target + base}"
                numbers = f"{link.probability:.3f}\t{link.by_words:.3f}"
                yield f"{number}\t{places}\t{link.words[0]}\t{link.words[1]}\t{numbers}\t{'; '.join(link.reasons)}"

    with closed_pipe_ends_quietly():
        write_lines(output, lines())


def _align(source: str, target: str, choices: dict[str, Any]) -> tuple[Aligner, AlignedText, str]:
    from paragauge.align.aligner import Aligner
    from paragauge.align.options import DEFAULT_THRESHOLD
    from paragauge.io import read_lines

    texts = [read_lines(path, encoding=choices["encoding"]) for path in (source, target)]
    # With --by both, the threshold is one of probabilities.
    given = None if choices["by"] == "both" else choices["threshold"]
    threshold = DEFAULT_THRESHOLD if given is None else given
    if choices["model"]:
        aligner = Aligner.load(choices["model"])
        method = choices["method"] or ("agreement" if aligner.options.agreement else "grow-diag-final-and")
        aligned = aligner.align_scored(*texts, method=method, threshold=threshold, threads=choices["threads"])
        return aligner, aligned, method
    method = choices["method"] or "agreement"
    with progress_bar("iterations", quiet=choices["quiet"]) as show:
        aligner, aligned = Aligner.train_and_align(
            *texts,
            method=method,
            threshold=threshold,
            options=_options(method, choices),
            threads=choices["threads"],
            progress=show,
        )
    return aligner, aligned, method


def _options(method: str, choices: dict[str, Any]) -> AlignerOptions:
    from paragauge.align.options import AlignerOptions

    names = ("model1_iterations", "hmm_iterations", "max_length")
    given = {name: choices[name] for name in names if choices[name] is not None}
    return AlignerOptions(
        agreement=method == "agreement",
        monolingual=choices["monolingual"] or choices["stems"],
        stems=choices["stems"],
        lowercase=choices["lowercase"],
        **given,
    )


def _write(output: str, aligned: AlignedText, *, scores: bool, one_based: bool) -> None:
    from paragauge.io import write_lines

    base = int(one_based)

    def lines() -> Iterator[str]:
        for i, alignment in enumerate(aligned):
            if not scores:
                yield alignment.to_pharaoh(one_based=one_based)
                continue
            linked = sorted(aligned.link_scores(i).items())
            links = " ".join(f"{s + base}-{t + base}:{score:.4f}" for (s, t), score in linked)
            if not len(aligned.logp):
                yield links
                continue
            yield f"{links}\t{aligned.logp[i, 0]:.4f}\t{aligned.logp[i, 1]:.4f}"

    with closed_pipe_ends_quietly():
        write_lines(output, lines())


def _print_quality(source: str, target: str, aligned: AlignedText, choices: dict[str, Any], *, to_stderr: bool) -> None:
    from paragauge.align.gold import read_gold
    from paragauge.align.quality import alignment_quality
    from paragauge.io import read_lines

    lengths = None
    if "-" not in (source, target):
        texts = (read_lines(path, encoding=choices["encoding"]) for path in (source, target))
        lengths = [(len(s.split()), len(t.split())) for s, t in zip(*texts, strict=True)]
    gold = list(read_gold(choices["gold"], one_based=choices["one_based"], lengths=lengths))
    quality = alignment_quality(aligned[: len(gold)], gold)
    click.echo(
        f"precision {quality.precision:.4f}  recall {quality.recall:.4f}  F1 {quality.f1:.4f}  "
        f"AER {quality.aer:.4f}  ({len(gold):,} gold sentence pairs)",
        err=to_stderr,
    )
