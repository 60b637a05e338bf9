"""Cost of each stage by corpus size, with and without Spark: seconds, memory and bytes shuffled.

Evenly spaced pairs of Tatoeba (French-English), or of another bitext, go through all stages in one Spark session on
this machine. CPU seconds are those of this process and its descendants (Java and the Python workers); memory is that of
the largest Python worker, sampled; bytes are those that Spark reports for its stages. Every size runs on the same
number of cores, so the growth is that of the work. The same stage is then run on the same files without Spark, and the
results are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import platform
import shutil
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from bitexts import NAMES, prepare
from measure import ROOT, descendants, write_section

import paragauge as pg
from paragauge.align.texts import align_files
from paragauge.grammar.extract import extract_grammar_files
from paragauge.grammar.grammar import RULES_FILE
from paragauge.grammar.overlap import Overlap, grammar_overlap
from paragauge.phrases.build import Pruning
from paragauge.phrases.extract import extract_phrase_files
from paragauge.spark import Candidates, SparkEngine, SparkOptions, score_segments
from paragauge.storage.parts import FOLDER

SIZES = (20_000, 40_000, 80_000, 140_000)
STARTING = 1_000  # pairs, so few that what they take is what a stage takes to start
PLANNED = (10**6, 10**7, 10**8)
USUAL = "tatoeba.fr"
TITLE = "Spark: cost against corpus size"
SECONDS_BETWEEN_SAMPLES = 0.2


@dataclass(frozen=True)
class Cost:
    """Cost of a stage."""

    stage: str
    pairs: int
    rows: int
    wall: float
    cpu: float
    shuffled: int
    worker: float  # MB
    here: float  # wall seconds without Spark


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="bitexts and links, made if they are missing; tables are written here"
    )
    parser.add_argument("--bitext", choices=NAMES, default=USUAL)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="3g", help="of the Java machine")
    parser.add_argument("--write", action="store_true", help="put the figures into RESULTS.md and docs/scaling.md")
    arguments = parser.parse_args()
    prepare(arguments.folder, [arguments.bitext])
    settings = {
        "spark.ui.enabled": "true", "spark.ui.port": "0", "spark.driver.memory": arguments.memory,
        # Small tables would go to all tasks instead of being shuffled: another plan than that of large ones.
        "spark.sql.autoBroadcastJoinThreshold": "-1",
    }  # fmt: skip
    options = SparkOptions(master=arguments.master, settings=settings, temp=str(arguments.folder))
    costs: list[Cost] = []
    with SparkEngine(options):  # the session lives as long as this one
        run = Run(options, arguments.folder, arguments.bitext)
        run.measure(STARTING)  # loads and compiles what is used for the first time
        for size in (STARTING, *arguments.sizes):
            costs += run.measure(size)
    text = report(costs, arguments.bitext, arguments.master, arguments.memory)
    print(text)
    print(plan(costs))
    if arguments.write:
        write_section(TITLE if arguments.bitext == USUAL else f"{TITLE}, {arguments.bitext}", text)
        if arguments.bitext == USUAL:
            write_plan(plan(costs))


class Run:
    """All stages, for each size in turn."""

    def __init__(self, options: SparkOptions, folder: Path, bitext: str) -> None:
        self.options = options
        self.bitext = folder / bitext
        self.folder = folder / f"spark-{bitext}"
        self.folder.mkdir(exist_ok=True)

    def measure(self, size: int) -> list[Cost]:
        """Measure the cost of each stage; each stage reads the output of the previous one."""
        texts = self.pick(size)
        source, target = texts[:2]
        shifted = self.folder / f"{size}.shifted"
        first, _, rest = target.read_text(encoding="utf-8").partition("\n")
        shifted.write_text(f"{rest}{first}\n", encoding="utf-8")
        place = {name: self.out(name, size) for name in ("links", "grammar", "scores.parquet")}
        model = self.folder / "aligner"
        if not model.exists():
            lines = [path.read_text(encoding="utf-8").splitlines()[:10_000] for path in (source, target)]
            pg.Aligner.train(*lines).save(model)

        def align_here() -> list[str]:
            lines = [path.read_text(encoding="utf-8").splitlines() for path in (source, target)]
            return [each.to_pharaoh() for each in pg.Aligner.load(model).align(*lines)]

        def score_here() -> list[float]:
            lines = [path.read_text(encoding="utf-8").splitlines() for path in (target, shifted)]
            return [score.value for score in pg.Bleu().segment_scores(lines[0], [[line] for line in lines[1]])]

        found: list[Overlap] = []

        def overlap_there(engine: SparkEngine) -> int:
            found.append(grammar_overlap(place["grammar"], gold, engine=engine))
            return sum(counts.found for counts in found[0].counts[1].values())

        grammar_here = self.out("grammar-here", size)
        gold = self.folder / f"{STARTING}-grammar-here"
        return [
            self.stage(
                "align (saved model)", size,
                lambda engine: align_files(source, target, place["links"], model=model, engine=engine).rows_out,
                align_here, lambda here: here == place["links"].read_text(encoding="utf-8").splitlines(),
            ),
            *self.tables(size, texts, Pruning(), "phrases", "pivot"),
            *self.tables(size, texts, Pruning(min_count=2), "phrases seen twice", "pivot over those"),
            self.stage(
                "grammar", size,
                lambda engine: extract_grammar_files(*texts, engine=engine, output=place["grammar"]).rows_out,
                lambda: extract_grammar_files(*texts, output=grammar_here),
                lambda _: same_rules(place["grammar"], grammar_here),
            ),
            self.stage(
                "overlap", size,
                overlap_there,
                lambda: grammar_overlap(pg.Grammar.open(grammar_here), pg.Grammar.open(gold)),
                lambda here: here == found[0],
            ),
            self.stage(
                "score (BLEU, segments)", size,
                lambda engine: score_segments(
                    engine, [pg.Bleu()], {"a": Candidates(target, (shifted,))}, place["scores.parquet"]
                ).rows_out,
                score_here,
                lambda here: here == pq.read_table(place["scores.parquet"]).column("score").to_pylist(),
            ),
        ]  # fmt: skip

    def tables(self, size: int, texts: list[Path], pruning: Pruning, phrases: str, pivot: str) -> list[Cost]:
        """Return the costs of a phrase table and of its paraphrases, under these names."""
        there, here, paraphrases = (self.out(f"{phrases}-{name}", size) for name in ("there", "here", "paraphrases"))
        return [
            self.stage(
                phrases, size,
                lambda engine: extract_phrase_files(*texts, pruning=pruning, engine=engine, output=there).rows_out,
                lambda: extract_phrase_files(*texts, pruning=pruning, output=here),
                lambda made: made == pg.PhraseTable.open(there),
            ),
            self.stage(
                pivot, size,
                lambda engine: pg.pivot_paraphrases([there], engine=engine, output=paraphrases).rows_out,
                lambda: pg.pivot_paraphrases(pg.PhraseTable.open(here)),
                lambda made: made == pg.ParaphraseTable.open(paraphrases),
            ),
        ]  # fmt: skip

    def pick(self, size: int) -> list[Path]:
        """Return files with evenly spaced pairs."""
        paths = []
        for kind in ("src", "tgt", "links"):
            lines = Path(f"{self.bitext}.{kind}").read_text(encoding="utf-8").splitlines(keepends=True)
            places = [number * len(lines) // size for number in range(size)]
            paths.append(self.folder / f"{size}.{kind}")
            paths[-1].write_text("".join(lines[place] for place in places), encoding="utf-8")
        return paths

    def out(self, name: str, size: int) -> Path:
        """Return an unused path."""
        path = self.folder / f"{size}-{name}"
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        return path

    def stage(
        self,
        name: str,
        size: int,
        there: Callable[[SparkEngine], int],
        here: Callable[[], Any],
        same: Callable[[Any], bool],
    ) -> Cost:
        with SparkEngine(self.options) as engine, largest_worker() as worker:
            before = processor_seconds(), shuffled_bytes(engine)
            begun = time.perf_counter()
            rows = there(engine)
            wall = time.perf_counter() - begun
            cpu, shuffled = processor_seconds() - before[0], shuffled_bytes(engine) - before[1]
        begun = time.perf_counter()
        made = here()
        cost = Cost(name, size, rows, wall, cpu, shuffled, max(worker), time.perf_counter() - begun)
        print(cost, flush=True)
        if not same(made):
            raise SystemExit(f"{name} of {size} pairs differs from the result without Spark")
        return cost


def same_rules(there: Path, here: Path) -> bool:
    """Return whether two grammars, one of them in parts, have the same rows in the same order."""
    rules = pq.read_table(here / RULES_FILE)
    rows = (pq.read_table(part).cast(rules.schema) for part in sorted((there / FOLDER).iterdir()))
    return bool(pa.concat_tables(rows).equals(rules))


def shuffled_bytes(engine: SparkEngine) -> int:
    """Return the bytes that all stages of the session have shuffled so far."""
    context = engine.session.sparkContext
    context._jsc.sc().listenerBus().waitUntilEmpty()  # reports come late otherwise
    with urlopen(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages") as reply:  # noqa: S310
        return sum(stage["shuffleWriteBytes"] for stage in json.load(reply))


def processor_seconds() -> float:
    return sum(process.seconds for process in descendants())


@contextlib.contextmanager
def largest_worker() -> Iterator[list[float]]:
    """Yield the memory of the largest Python worker, sampled while the block runs."""
    samples = [0.0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(SECONDS_BETWEEN_SAMPLES):
            workers = (each.memory for each in descendants() if "python" in each.name and each.number != os.getpid())
            samples.append(max(workers, default=0.0))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        done.set()
        thread.join()


def report(costs: list[Cost], bitext: str, master: str, memory: str) -> str:
    heads = ("stage", "pairs", "rows out", "wall, s", "without Spark, wall, s", "processor, s", "shuffled, MB")
    heads += ("largest Python worker, MB", "processor s per million pairs", "shuffled MB per million pairs")
    lines = [
        f"\n`python benchmarks/bench_spark.py FOLDER --bitext {bitext} --write`, evenly spaced pairs, phrases up to",
        f"4 words, Hiero rules, overlap with the rules of {STARTING:,} pairs; {master}, a Java heap of {memory},",
        f"Spark {pyspark.__version__}, Python {platform.python_version()}, paragauge {pg.__version__}. Processor",
        "seconds are those of Java and all Python workers. Joins shuffle both sides, as those of large tables do.",
        "The output is compared with that of runs without Spark, and is equal.\n",
        f"| {' | '.join(heads)} |",
        "|---" * len(heads) + "|",
    ]
    for stage in dict.fromkeys(cost.stage for cost in costs):
        for cost in (each for each in costs if each.stage == stage):
            megabytes = cost.shuffled / 1e6
            scale = 1e6 / cost.pairs
            per_million = ("", "")  # of a text so short, it would be the start that is multiplied
            if cost.pairs > STARTING:
                per_million = (f"{cost.cpu * scale:,.0f}", f"{megabytes * scale:,.0f}")
            lines.append(
                f"| {stage} | {cost.pairs:,} | {cost.rows:,} | {cost.wall:.1f} | {cost.here:.1f} | {cost.cpu:.1f} | "
                f"{megabytes:.1f} | {cost.worker:,.0f} | {' | '.join(per_million)} |"
            )
    return "\n".join(lines)


def plan(costs: list[Cost]) -> str:
    """Return the estimated cost for larger corpora, for a table in docs/scaling.md.

    From the largest size on, a cost grows with the power of the size that fits all sizes, but at least in proportion: a
    power below one is what starting costs, and what a warm machine saves, and neither goes on for ever. Nor do
    processor seconds grow slower than the bytes that they are spent on.
    """
    heads = ("stage", "growth", *(f"{size // 10**6} million: core hours, GB shuffled" for size in PLANNED))
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for stage in dict.fromkeys(cost.stage for cost in costs):
        rows = [cost for cost in costs if cost.stage == stage and cost.pairs > STARTING]
        of_seconds = power([(row.pairs, row.cpu) for row in rows])
        of_bytes = power([(row.pairs, row.shuffled) for row in rows])
        cells = []
        for size in PLANNED:
            times = size / rows[-1].pairs
            hours = rows[-1].cpu / 3600 * times ** max(1.0, of_seconds, of_bytes)
            gigabytes = rows[-1].shuffled / 1e9 * times ** max(1.0, of_bytes)
            cells.append(f"{hours:,.1f}, {gigabytes:,.1f}")
        lines.append(f"| {stage} | {of_seconds:.2f}, {of_bytes:.2f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def power(points: list[tuple[int, float]]) -> float:
    """Return the power of the size that fits best on a logarithmic scale; 1 for a single point."""
    if len(points) < 2:
        return 1.0
    sizes, costs = zip(*points, strict=True)
    return statistics.linear_regression(list(map(math.log, sizes)), list(map(math.log, costs))).slope


def write_plan(text: str) -> None:
    """Write the plan between its markers in docs/scaling.md."""
    path = ROOT / "docs" / "scaling.md"
    begin, end = "<!-- plan: benchmarks/bench_spark.py -->\n", "<!-- end of plan -->"
    head, _, rest = path.read_text(encoding="utf-8").partition(begin)
    tail = rest.partition(end)[2]
    path.write_text(f"{head}{begin}{text}\n{end}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
