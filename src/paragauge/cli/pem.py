"""``paragauge pem``: train a PEM model, or compare one with people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.judges import judges
from paragauge.cli.lm import parse_counts
from paragauge.cli.options import (
    encoding_option,
    engine_options,
    output_options,
    output_to,
    pruning_options,
    quiet_option,
    quieten,
    seed_option,
)
from paragauge.cli.output import emit, iteration_bar
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.corpora.bitext import Bitext
    from paragauge.corpora.judged_pairs import JudgedPairs
    from paragauge.meta.correlation import Method
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.pem.training import Report, TrainingOptions
    from paragauge.phrases.table import PhraseTable
    from paragauge.report.table import Format

scale_option = click.option(
    "--scale",
    nargs=2,
    type=float,
    default=(1.0, 5.0),
    show_default=True,
    metavar="LOW HIGH",
    help="The lowest and highest score that judges could give; mapped to 1 to 5.",
)


@click.group()
def pem() -> None:
    """Train a PEM model from parallel text and judgments, or compare one with people.

    To score with a model, say: paragauge score -m 'pem(model=FOLDER)' --original ORIG CANDIDATES...

    \b
    Example:
      paragauge pem train --bitext text.en text.fr --judgments judged.tsv --controls -o my.pem
      paragauge pem evaluate my.pem other-judgments.tsv
    """


pem.add_command(judges)


@pem.command(short_help="Make a model.")
@click.option(
    "--bitext",
    "bitexts",
    nargs=2,
    multiple=True,
    metavar="TEXT PIVOT",
    type=click.Path(dir_okay=False),
    help="The language to score and another, one sentence a line, not tokenised; once for each pivot.",
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="A ready-made phrase table of stems instead; may be repeated. Needs --lm.",
)
@click.option(
    "--pivot",
    "names",
    multiple=True,
    metavar="NAME",
    help="What to call a pivot; once for each bitext, then each table.  [default: the end of its file's name]",
)
@click.option(
    "--lm",
    "language_model",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="A ready-made language model of the scored language.  [default: one of the TEXT sides]",
)
@click.option(
    "--judgments",
    required=True,
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Judged paraphrases: columns original, candidate, score; system, judge and criterion if there are any. "
    "Without overall scores, adequacy and fluency make them.",
)
@scale_option
@click.option("--controls", is_flag=True, help="Add a copy, a random sentence and a word salad for each original.")
@click.option(
    "--control-text",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Sentences of another kind of text, one a line, for which such controls and damaged versions are added, too.",
)
@click.option(
    "--preset",
    type=click.Choice(["default", "paper"]),
    default="default",
    show_default=True,
    help="Settings of features: those that follow people best, or the paper's.",
)
@click.option("-t", "--tokenizer", default="penn", show_default=True, metavar="NAME", help="Of the scored language.")
@click.option(
    "--stemmer",
    default="porter",
    show_default=True,
    metavar="NAME",
    help="Of the scored language: porter for English, french, german, spanish, ...",
)
@click.option(
    "--max-phrase",
    type=click.IntRange(1, 4),
    metavar="N",
    help="The most words of a phrase of the scored language.  [default: 1; paper: 4]",
)
@click.option("--pivot-tokenizer", default="13a", show_default=True, metavar="NAME", help="Of the other languages.")
@pruning_options
@click.option(
    "--min-phrase-count",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="The least N(e) of phrases of several words.",
)
@click.option(
    "--lean/--no-lean", default=True, show_default=True, help="Leave out what scoring never reads; changes no score."
)
@click.option(
    "--smoothing",
    type=click.Choice(["kneser-ney", "katz"]),
    default="katz",
    show_default=True,
    help="Of the language model.",
)
@click.option(
    "--lm-min-counts",
    metavar="N,N,...",
    callback=parse_counts,
    help="Leave out n-grams of order 1, 2, ... that occur less often.  [default: 1,1,2 for katz, else 1]",
)
@click.option("--lm-stems", is_flag=True, help="Train the language model on stems.")
@click.option("--folds", default=5, show_default=True, type=click.IntRange(min=2), help="Of the cross-validation.")
@click.option("--c", "c", type=click.FloatRange(min=0, min_open=True), help="Fix C, gamma and epsilon: all three.")
@click.option("--gamma", type=click.FloatRange(min=0, min_open=True), help="See --c.")
@click.option("--epsilon", type=click.FloatRange(min=0), help="See --c.")
@click.option("--licence", metavar="TEXT", help="Under which terms the model may be passed on, for its card.")
@seed_option
@encoding_option
@engine_options
@output_to("MODEL", "The model folder to write.", required=True)
@quiet_option
def train(**choices: Any) -> None:
    """Train PEM: tokenise, stem, align, extract phrases, train a language model, learn from judgments.

    The model folder has a card, card.md, with the data, the options, the cross-validated correlation and the answers of
    the regressor: adequacy and fluency must push the score up, wording shared with the original down. A warning says
    where they do not. The same input and seed make the same model, byte for byte. Needs scikit-learn: pip install
    'paragauge[train]'.

    \b
    Example:
      paragauge pem train --bitext text.en text.fr --judgments judged.tsv --controls -o my.pem
      paragauge pem train --bitext text.fr text.en -t intl --stemmer french --judgments j.tsv -o french.pem
      paragauge pem train --table en-fr.table --lm english.lm --judgments j.tsv --scale 0 100 -o my.pem
    """
    from paragauge.lm.model import LanguageModel
    from paragauge.metrics.pem.card import model_card
    from paragauge.metrics.pem.model import KIND
    from paragauge.metrics.pem.training import build_resources, train_pem
    from paragauge.phrases.engine import EngineOptions
    from paragauge.resource import check_replaceable

    quieten(choices["quiet"])
    names = _pivot_names(choices)
    check_replaceable(choices["output"], KIND)
    options = _options(choices)
    judgments = _judgments(choices["judgments"], choices["scale"], choices["encoding"])
    control_text = _lines(choices["control_text"], choices["encoding"])
    engine = EngineOptions(
        memory_limit=choices["memory_limit"], temp=choices["temp"], threads=choices["threads"]
    )  # fmt: skip
    with _reports(quiet=choices["quiet"]) as report:
        pivots = dict(zip(names, _pivots(choices), strict=True))
        lm = None if choices["language_model"] is None else LanguageModel.load(choices["language_model"])
        resources = build_resources(pivots, lm, options, threads=choices["threads"], engine=engine, report=report)
        model, found = train_pem(
            resources, judgments, options, control_text=control_text, threads=choices["threads"], report=report
        )
    data = _data(choices, names)
    card = model_card(
        resources, found, options, data=data, control_sentences=len(control_text), licence=choices["licence"]
    )
    inputs = {what: digest for what, _, digest in data}
    model.with_card(card).save(
        choices["output"], options=options.to_plain(), inputs=inputs, licence=choices["licence"]
    )  # fmt: skip
    if not choices["quiet"]:
        click.echo(
            f"paragauge: {choices['output']}: "
            f"Pearson {found.pearson:.4f}, Spearman {found.spearman:.4f} on unseen originals, "
            f"{found.pearson_with_controls:.4f} with controls; {found.vectors:,} support vectors",
            err=True,
        )


def _pivot_names(choices: dict[str, Any]) -> list[str]:
    """Return the names of pivots, given or made of file names."""
    sources = [other for _, other in choices["bitexts"]] + list(choices["tables"])
    if not sources:
        raise click.UsageError(
            "PEM needs a pivot language; give a bitext with --bitext TEXT PIVOT, or a table with --table"
        )
    if choices["tables"] and not choices["bitexts"] and choices["language_model"] is None:
        raise click.UsageError("--table needs a language model beside it; name one with --lm")
    names = list(choices["names"])
    if names and len(names) != len(sources):
        raise click.UsageError(f"--pivot names each bitext and table; found {len(names)} for {len(sources)}")
    for source in sources if not names else ():
        name = Path(source).name.removesuffix(".gz").removesuffix(".table").rpartition(".")[2].rpartition("-")[2]
        names.append("".join(letter for letter in name if letter.isalnum()) or "pivot")
    if len(set(names)) < len(names):
        raise click.UsageError(f"pivots need different names, found {', '.join(names)}; name them with --pivot")
    for name in names:
        if not name.replace("-", "").replace("_", "").isalnum():
            raise click.UsageError(f"a pivot cannot be called {name!r}; use letters, digits, - and _")
    return names


def _options(choices: dict[str, Any]) -> TrainingOptions:
    from paragauge.learn.svr import SvrOptions
    from paragauge.metrics.pem.training import TrainingOptions
    from paragauge.phrases.build import Pruning

    fixed = [choices[name] for name in ("c", "gamma", "epsilon")]
    if None in fixed and fixed != [None] * 3:
        raise click.UsageError("--c, --gamma and --epsilon go together; give all three or none")
    c, gamma, epsilon = fixed
    settings: dict[str, Any] = {} if choices["max_phrase"] is None else {"max_phrase": choices["max_phrase"]}
    return (TrainingOptions.paper if choices["preset"] == "paper" else TrainingOptions)(
        **settings,
        tokenizer=choices["tokenizer"],
        stemmer=choices["stemmer"],
        pivot_tokenizer=choices["pivot_tokenizer"],
        min_phrase_count=choices["min_phrase_count"],
        lean=choices["lean"],
        pruning=Pruning(min_count=choices["min_count"], min_prob=choices["min_prob"], top=choices["top"]),
        smoothing=choices["smoothing"],
        lm_min_counts=choices["lm_min_counts"],
        lm_stems=choices["lm_stems"],
        controls=choices["controls"],
        folds=choices["folds"],
        svr=None if c is None else SvrOptions(c=c, gamma=gamma, epsilon=epsilon),
        seed=choices["seed"],
    )


def _judgments(path: str, scale: tuple[float, float], encoding: str) -> JudgedPairs:
    from paragauge.corpora.judged_pairs import read_judged_pairs

    return read_judged_pairs(path, encoding=encoding).rescaled(*scale)


def _lines(path: str | None, encoding: str) -> list[str]:
    from paragauge.corpora.lines import read_filled_lines

    return [] if path is None else read_filled_lines(path, "one sentence on each line", encoding)


def _pivots(choices: dict[str, Any]) -> Iterator[Bitext | PhraseTable]:
    from paragauge.corpora.bitext import read_parallel
    from paragauge.phrases.table import PhraseTable

    for scored, other in choices["bitexts"]:
        yield read_parallel(scored, other, encoding=choices["encoding"])
    yield from map(PhraseTable.open, choices["tables"])


def _data(choices: dict[str, Any], names: list[str]) -> list[tuple[str, str, str]]:
    """Return what a model is made from: what, the name of the file or folder, its digest."""
    from paragauge.io import digest_file
    from paragauge.resource import MANIFEST

    data = []
    for name, (scored, other) in zip(names, choices["bitexts"], strict=False):
        data += [(f"{name}, scored side", scored), (f"{name}, pivot side", other)]
    tables = zip(names[len(choices["bitexts"]) :], choices["tables"], strict=True)
    data += [(f"{name}, phrase table", str(Path(table) / MANIFEST)) for name, table in tables]
    if choices["language_model"] is not None:
        data.append(("language model", str(Path(choices["language_model"]) / MANIFEST)))
    data.append(("judgments", choices["judgments"]))
    if choices["control_text"] is not None:
        data.append(("control text", choices["control_text"]))
    return [
        (what, Path(path).name if path != STANDARD_STREAM else "standard input",
         "" if path == STANDARD_STREAM else digest_file(path))
        for what, path in data
    ]  # fmt: skip


@contextmanager
def _reports(*, quiet: bool) -> Iterator[Report]:
    """Show what training is doing."""
    with iteration_bar(quiet=quiet) as show:

        def report(step: str, done: int, total: int) -> None:
            if show is not None:
                show(done, total, step)

        yield report


@pem.command(short_help="Compare a model with people.")
@click.argument("model", metavar="MODEL")
@click.argument("judgments", metavar="JUDGMENTS", type=click.Path(allow_dash=True))
@scale_option
@click.option("--save-scores", metavar="FILE", type=click.Path(), help="Write the scores of all candidates, as TSV.")
@click.option("--save-judgments", metavar="FILE", type=click.Path(), help="Write the judgments of the same, as TSV.")
@click.option("--method", type=click.Choice(["pearson", "spearman", "kendall"]), default="pearson", show_default=True)
@seed_option
@encoding_option
@output_options
def evaluate(
    model: str,
    judgments: str,
    scale: tuple[float, float],
    method: Method,
    seed: int,
    encoding: str,
    save_scores: str | None,
    save_judgments: str | None,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Print tables 1 to 3 of the PEM paper for any JUDGMENTS.

    MODEL is a folder of PEM or of pem+'s judges; 'default' stands for both models that ship.

    Table 1: judges with one another. Table 2: criteria with the overall score. Table 3: the model with people. At
    sentence and at system level, without and with control candidates (a copy, a random sentence, a word salad).
    --save-scores and --save-judgments write what was compared, controls among it, for 'paragauge correlate' and others.

    \b
    Example:
      paragauge pem evaluate default judged.tsv
      paragauge pem evaluate my.pem judged.tsv --scale 0 100 --format tsv -o tables.tsv
    """
    from paragauge.meta.pem_tables import pem_tables
    from paragauge.report.table import ResultTable

    quieten(quiet)
    metrics: list[SentenceMetric] = _metrics_of(model)
    judged = _judgments(judgments, scale, encoding)
    rows = pem_tables(metrics, judged, method=method, seed=seed)
    _save_items(metrics, judged, seed, save_scores, save_judgments)
    columns = ["table", "what", "other", "level", "controls", "correlation", "items"]
    cells: list[dict[str, Any]] = [
        {
            "table": row.table,
            "what": row.what,
            "other": row.other,
            "level": row.level,
            "controls": "with" if row.controls else "without",
            "correlation": row.correlation,
            "items": row.items,
        }
        for row in rows
    ]
    signatures = [str(metric.signature_of_pairs()) for metric in metrics]
    emit(ResultTable(columns, cells, notes=[f"{method}, controls: seed {seed}", *signatures]).render(form), output)


def _metrics_of(model: str) -> list[SentenceMetric]:
    """Return the metrics that a model is for: both for 'default', else the one whose folder it is."""
    from paragauge.judges.model import KIND
    from paragauge.metrics.pem.metric import PEM
    from paragauge.metrics.pem_plus import PEMPlus
    from paragauge.resource import DEFAULT, kind_of

    if model == DEFAULT:
        return [PEM.load(), PEMPlus.load()]
    return [PEMPlus.load(model) if kind_of(model) == KIND else PEM.load(model)]


def _save_items(
    metrics: list[SentenceMetric], judged: JudgedPairs, seed: int, scores: str | None, judgments: str | None
) -> None:
    """Write scores and judgments of all candidates, controls among them, under the same systems and segments."""
    from paragauge.corpora.judgments import Judgments, write_judgments
    from paragauge.meta.pem_tables import segment_names, with_controls
    from paragauge.report.table import ResultTable

    everything = with_controls(judged, seed)
    names = segment_names(everything)
    if judgments is not None:
        write_judgments(
            Judgments.from_rows(
                (row.system, names[row.system, row.original, row.candidate], row.judge, row.criterion, row.score)
                for row in everything
            ),
            judgments,
            "tsv",
        )
    if scores is not None:
        rows: list[dict[str, Any]] = []
        columns = dict.fromkeys(["metric", "system", "segment", "score"])
        for metric in metrics:
            found = metric.segment_scores([key[2] for key in names], originals=[key[1] for key in names])
            for (key, segment), score in zip(names.items(), found, strict=True):
                place = {"metric": metric.name, "system": key[0], "segment": segment, "score": score.value}
                rows.append({**place, **score.components})
                columns.update(dict.fromkeys(score.components))
        emit(ResultTable(list(columns), rows).to_tsv(), scores)
