"""Agreement of MAXSIM, METEOR, ParaEval, roles, chrF and BLEU with human judgments, for docs/reproduction.md.

    python benchmarks/matching_vs_people.py FOLDER [--provider builtin] [--only newstest2015]

Writes score files and judgments to FOLDER and prints correlations with 95% bootstrap intervals: for newstest2015,
Pearson of segments by language pair and their mean; for newstest2012, Spearman of systems and Kendall's tau of segments
against human rankings. The figures come from ``paragauge correlate``; this script only creates the files it reads.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
from pathlib import Path

from measure import DATA

from paragauge import parse_metric
from paragauge.corpora import Segments
from paragauge.io import write_lines

PAIRS = ("cs-en", "de-en", "fi-en", "ru-en")
WMT12 = {"cs-en": "Czech-English", "fr-en": "French-English"}


def lines(path: Path) -> list[str]:
    """Return the lines of a gzipped file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def metrics(provider: str) -> dict[str, str]:
    """Return the metrics by their names in tables."""
    analysis = f"provider='{provider}'"
    return {
        "BLEU": "bleu",
        "chrF": "chrf",
        "METEOR 2005": "meteor(preset='2005')",
        "METEOR 2007": "meteor(preset='2007')",
        "METEOR 1.5": "meteor",
        "MAXSIM-n": f"maxsim({analysis})",
        "MAXSIM-n+d": f"maxsim({analysis}, dependencies=yes)",
        "MAXSIM-n, alpha 0.5": f"maxsim({analysis}, alpha=0.5)",
        "ParaEval recall": "paraeval(value='recall')",
        "roles": f"roles({analysis})",
    }


def write_scores(path: Path, named: dict[str, str], systems: dict[str, list[str]], references: list[str]) -> None:
    """Write the scores of all systems by all metrics: of segments to *path*, of systems to a file next to it."""
    rows, system_rows = ["metric\tsystem\tsegment\tscore"], ["metric\tsystem\tscore"]
    for name, text in named.items():
        metric = parse_metric(text)
        variant = metric.for_segments()
        for system, candidates in systems.items():
            segments = Segments.of(candidates, references)
            statistics = variant.statistics(segments)
            scores = metric.score_segments(segments, statistics)
            rows += [f"{name}\t{system}\t{k}\t{score.value!r}" for k, score in enumerate(scores, start=1)]
            whole = metric.score_corpus(segments, statistics if variant == metric else None)
            system_rows.append(f"{name}\t{system}\t{whole.value!r}")
    write_lines(path, rows)
    write_lines(system_file(path), system_rows)


def system_file(path: Path) -> Path:
    """Return the path of the scores of whole systems."""
    return path.with_name(f"systems.{path.name}")


def correlate(*arguments: str) -> list[dict[str, object]]:
    """Return the rows of ``paragauge correlate``."""
    command = [sys.executable, "-m", "paragauge", "correlate", *arguments, "--format", "json", "-q"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found["rows"] if isinstance(found, dict) else found


def show(title: str, columns: list[str], rows: dict[str, list[str]]) -> None:
    """Print a table in Markdown."""
    print(f"\n{title}\n\n| metric | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for name, cells in rows.items():
        print(f"| {name} | {' | '.join(cells)} |")


def cell(row: dict[str, object]) -> str:
    """Return one figure with its interval."""
    interval = f" [{row['low']:.3f}, {row['high']:.3f}]" if row.get("low") is not None else ""
    return f"{row['correlation']:.3f}{interval}"


def newstest2015(folder: Path, named: dict[str, str]) -> None:
    """Segments: Pearson with standardised human scores."""
    source = DATA / "mt_daseg" / "newstest2015"
    sets: list[str] = []
    for pair in PAIRS:
        candidates, references, human = (
            (source / f"DAseg.newstest2015.{kind}.{pair}").read_text(encoding="utf-8").splitlines()
            for kind in ("mt-system", "reference", "human")
        )
        scores, judgments = folder / f"scores.{pair}.tsv", folder / f"judgments.{pair}.tsv"
        write_scores(scores, named, {"mixed": candidates}, references)
        rows = [f"mixed\t{k}\t{value}" for k, value in enumerate(human, start=1)]
        write_lines(judgments, ["system\tsegment\tscore", *rows])
        sets += ["--set", pair, str(scores), str(judgments)]
    found = correlate(*sets, "--method", "pearson")
    table: dict[str, list[str]] = {}
    for row in found:
        table.setdefault(str(row["metric"]), []).append(cell(row))
    show("newstest2015, Pearson of 500 segments a language pair", [*PAIRS, "mean"], table)


def newstest2012(folder: Path, named: dict[str, str]) -> None:
    """Systems and segments against five-way rankings."""
    source = DATA / "wmt12_toen"
    references = lines(source / "references" / "newstest2012-ref.en.gz")
    rankings = source / "wmt12.RNK_results.csv.gz"
    columns: list[str] = []
    table: dict[str, list[str]] = {}
    for pair, language in WMT12.items():
        systems = {}
        for file in sorted((source / "system-outputs" / pair).iterdir()):
            name = file.name.removeprefix(f"newstest2012.{pair}.").removesuffix(".gz")
            systems[name] = lines(file)
        scores = folder / f"scores.wmt12.{pair}.tsv"
        write_scores(scores, named, systems, references)
        for level, method, file in (("system", "spearman", system_file(scores)), ("segment", "kendall", scores)):
            found = correlate(str(file), str(rankings), "--pair", language, "--level", level, "--method", method)
            columns.append(f"{pair} {level}s, {method}")
            for row in found:
                table.setdefault(str(row["metric"]), []).append(cell(row))
    show("newstest2012 against people's rankings", columns, table)


def main() -> None:
    """Create the files and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--provider", default="builtin")
    parser.add_argument("--only", choices=["newstest2015", "newstest2012"])
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    named = metrics(arguments.provider)
    if arguments.only != "newstest2012":
        newstest2015(arguments.folder, named)
    if arguments.only != "newstest2015":
        newstest2012(arguments.folder, named)


if __name__ == "__main__":
    main()
