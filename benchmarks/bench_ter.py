"""TER of newstest2012 outputs: paragauge against sacreBLEU, system by system in turn, and whether they agree."""

from __future__ import annotations

import argparse
import gzip
import statistics
import time
from pathlib import Path

import sacrebleu
from measure import DATA, median_ratio, write_section
from sacrebleu.metrics.ter import TER

import paragauge
from paragauge.corpora import Segments
from paragauge.metrics import Ter

FOLDER = DATA / "wmt12_toen"


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\r\n") for line in file]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the figures into RESULTS.md")
    parser.add_argument("--systems", type=int, help="only the first systems (all by default)")
    arguments = parser.parse_args()

    references = lines(FOLDER / "references" / "newstest2012-ref.en.gz")
    paths = sorted((FOLDER / "system-outputs").rglob("*.gz"))[: arguments.systems]
    ours, theirs, walls = [], [], []
    segments = 0
    for path in paths:
        candidates = lines(path)
        begun, wall = time.process_time(), time.perf_counter()
        rows = Ter().statistics(Segments.of(candidates, references))
        between, wall_between = time.process_time(), time.perf_counter()
        expected = TER()._extract_corpus_statistics(candidates, [references])
        ended, wall_ended = time.process_time(), time.perf_counter()
        assert rows[:, :4].sum(axis=1).tolist() == [edits for edits, _ in expected], path.name
        assert rows[:, 4].tolist() == [length for _, length in expected], path.name
        total = TER()._aggregate_and_compute(expected)
        assert Ter().measure(rows.sum(axis=0).tolist()).value == total.score, path.name
        segments += len(candidates)
        ours.append(between - begun)
        theirs.append(ended - between)
        walls.append(((wall_between - wall), (wall_ended - wall_between)))
        print(f"{path.name}: TER {total.score:.4f}, {ours[-1]:.3f} s and {theirs[-1]:.2f} s", flush=True)
    row = (
        f"| TER of one system, 3,003 segments | {statistics.median(ours):.3f} | {statistics.median(theirs):.2f} | "
        f"{median_ratio(ours, theirs):.4f} | {median_ratio(*map(list, zip(*walls, strict=True))):.4f} |"
    )
    print(row)
    if arguments.write:
        text = TEXT.format(
            row=row,
            segments=segments,
            systems=len(paths),
            paragauge=paragauge.__version__,
            sacrebleu=sacrebleu.__version__,
        )
        write_section("TER compared with sacreBLEU", text)


TEXT = """
`python benchmarks/bench_ter.py --write`, newstest2012 into English, all {systems} systems, paragauge {paragauge},
sacreBLEU {sacrebleu}, in turn in one process. The edits of all {segments:,} segments and the scores of all systems are
equal to the last digit. Processor seconds, medians over systems, and the medians of the ratios of each system (below 1:
paragauge is faster).

| work | paragauge, s | sacreBLEU, s | ratio of processor seconds | ratio of wall time |
|---|---|---|---|---|
{row}
"""

if __name__ == "__main__":
    main()
