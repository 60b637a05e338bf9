"""Word alignment: quality on gold data, speed compared with eflomal, memory and scaling.

    python benchmarks/bench_align.py quality [--rival]     AER on every gold set, optionally also eflomal's
    python benchmarks/bench_align.py ablation [THREADS]    AER of settings other than the defaults, on the small sets
    python benchmarks/bench_align.py speed                 alternating runs, ratio of the medians
    python benchmarks/bench_align.py words                 pairs per second within English, without training
    python benchmarks/bench_align.py scaling               10,000 to 140,000 Tatoeba pairs
    python benchmarks/bench_align.py memory [PAIRS] [apart|agreement] [ITERATIONS]
                                                           synthetic pairs of 25 words, peak memory

Data: $PARAGAUGE_DATA, or shared/data next to the repository. `eflomal` (GPL) is used only for comparison; install it
with pip. Peak memory is measured in a separate process.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import replace
from pathlib import Path

DATA = Path(os.environ.get("PARAGAUGE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
TOKENS = re.compile(r"\w+'|\w+|[^\w\s]")


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def tokenised(texts):
    return [" ".join(TOKENS.findall(text)) for text in texts]


def tatoeba(count=None):
    with zipfile.ZipFile(DATA / "tatoeba_fra_eng" / "fra-eng.zip") as archive:
        rows = [row.split("\t")[:2] for row in archive.read("fra.txt").decode().strip().split("\n")]
    step = 1 if count is None else len(rows) / count
    rows = [rows[int(i * step)] for i in range(count or len(rows))]  # evenly, since lengths rise down the file
    return tokenised(french for _, french in rows), tokenised(english for english, _ in rows)


def multi30k(language):
    return tokenised(lines(DATA / "multi30k" / "task1" / f"train.{language}.gz"))


def hansards():
    """Return French and English texts with the gold sentences first, and their gold links."""
    from paragauge.align import read_gold

    folder = DATA / "hansards_gold"
    sides = []
    for side in "fe":
        gold = [re.sub(r"</?s[^>]*>", "", line) for line in lines(folder / "dev" / f"trial.{side}")]
        parts = sorted((folder / "train").glob(f"*.{side}"))
        sides.append(gold + [line for part in parts for line in lines(part)])
    return (*sides, list(read_gold(folder / "dev" / "trial.align")))


def bilingual(name):
    from paragauge.align import Alignment, GoldAlignment

    folder = DATA / "bilingual_gold"
    source, target = zip(*(line.split("|||") for line in lines(folder / f"{name}.src-tgt")), strict=True)
    gold = []
    for text, s, t in zip(lines(folder / f"{name}.gold"), source, target, strict=True):
        found = GoldAlignment.from_pharaoh(text, one_based=True)
        inside = [  # six links of ja-en are out of range
            Alignment.of((i, j) for i, j in links if i < len(s.split()) and j < len(t.split()))
            for links in (found.sure, found.possible)
        ]
        gold.append(GoldAlignment(*inside))
    return list(source), list(target), gold


def edinburgh():
    from paragauge.align import Alignment, GoldAlignment

    sure, possible = (
        json.loads((DATA / "edinburgh_pp" / f"gold.train.{kind}.json").read_text(encoding="utf-8"))
        for kind in ("sure", "sure+poss")
    )
    gold = [
        GoldAlignment.of(*(Alignment.from_pharaoh(item["sureAlign"]) for item in items))
        for items in zip(sure, possible, strict=True)
    ]
    return [item["source"] for item in sure], [item["target"] for item in sure], gold


def multimwa(part):
    from paragauge.align import GoldAlignment

    rows = [line.split("\t") for line in lines(DATA / "multimwa" / f"wiki-{part}.tsv.gz")]
    return (
        [row[1] for row in rows],
        [row[3] for row in rows],
        [GoldAlignment.from_pharaoh(row[7]) for row in rows],
    )


def gold_sets():
    """Yield name, source, target, gold of the first sentences, and whether both sides are in the same language."""
    french, english, gold = hansards()
    yield "Hansards dev, own 2,383 pairs", french, english, gold, False
    captions = multi30k("fr"), multi30k("en")
    some = tatoeba(10_200)
    mixed = [side + more + rest for side, more, rest in zip((french, english), captions, some, strict=True)]
    yield "Hansards dev, 41,620 mixed pairs", *mixed, gold, False
    everything = tatoeba()
    yield "Hansards dev, with Tatoeba", french + everything[0], english + everything[1], gold, False
    for name in ("roen", "jaen", "zhen"):
        yield name, *bilingual(name), False
    pp, dev, train = edinburgh(), multimwa("dev"), multimwa("train")
    yield "edinburgh_pp", pp[0] + dev[0] + train[0], pp[1] + dev[1] + train[1], pp[2], True
    yield "multimwa dev", dev[0] + pp[0] + train[0], dev[1] + pp[1] + train[1], dev[2], True


def eflomal_directions(source, target):
    from eflomal import Aligner as Eflomal

    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{name}" for name in ("forward", "backward")]
        texts = [[f"{line.lower().strip()}\n" for line in side] for side in (source, target)]
        Eflomal().align(*texts, links_filename_fwd=paths[0], links_filename_rev=paths[1])
        return [lines(Path(path)) for path in paths]


def quality(*flags):
    from paragauge.align import Alignment, align, alignment_quality, symmetrize_all

    for name, source, target, gold, monolingual in gold_sets():
        count = len(gold)
        settings = [
            ("agreement", {}),
            ("agreement, threshold 0.5", {"threshold": 0.5}),
            ("intersection", {"method": "intersection"}),
            ("grow-diag-final-and", {"method": "grow-diag-final-and"}),
        ]
        for label, choices in settings:
            start = time.perf_counter()
            found = align(source, target, monolingual=monolingual, **choices)[:count]
            report(name, f"ours {label}", alignment_quality(found, gold), time.perf_counter() - start)
        if "--rival" in flags:
            start = time.perf_counter()
            directions = eflomal_directions(source, target)
            seconds = time.perf_counter() - start
            forward, backward = ([Alignment.from_pharaoh(x) for x in side[:count]] for side in directions)
            for method in ("intersection", "grow-diag", "grow-diag-final-and"):
                found = symmetrize_all(forward, backward, method)
                report(name, f"eflomal {method}", alignment_quality(found, gold), seconds)


PLAIN = {
    "prefix_length": 0, "identical": 0.0, "leave_one_out": False, "model1_iterations": 5, "alpha": 0.0,
    "null_alpha": 0.0, "jump_smoothing": 0.0,
}  # fmt: skip
SETTINGS = [  # name, options, how to decode
    ("default", {}, {}),
    ("plain agreement as in Liang et al., p0 0.2", {**PLAIN, "null_probability": 0.2}, {}),
    ("the same, p0 0.1", PLAIN, {}),
    ("the same, p0 0.2, threshold 0.5", {**PLAIN, "null_probability": 0.2}, {"threshold": 0.5}),
    ("without leaving one out", {"leave_one_out": False}, {}),
    ("without prefixes", {"prefix_length": 0}, {}),
    ("without words written alike", {"identical": 0.0}, {}),
    ("prefixes of 3 letters", {"prefix_length": 3}, {}),
    ("prefixes lend 3 counts, not 1", {"prefix_strength": 3.0}, {}),
    ("5 iterations of Model 1, not 3", {"model1_iterations": 5}, {}),
    ("2 iterations of Model 1", {"model1_iterations": 2}, {}),
    ("4 iterations of the HMM, not 5", {"hmm_iterations": 4}, {}),
    ("8 iterations of the HMM", {"hmm_iterations": 8}, {}),
    ("α 0.0003, not 0.001", {"alpha": 0.0003}, {}),
    ("α 0.003", {"alpha": 0.003}, {}),
    ("p0 0.05, not 0.1", {"null_probability": 0.05}, {}),
    ("p0 0.15", {"null_probability": 0.15}, {}),
    ("diagonal prior in Model 1, tension 1", {"tension": 1.0}, {}),
    ("threshold 0.5, not 0.25", {}, {"threshold": 0.5}),
    ("threshold 0.15", {}, {"threshold": 0.15}),
    ("trained apart, intersection, p0 0.1", {"null_probability": 0.1}, {"method": "intersection"}),
    ("trained apart, intersection, p0 0.4", {"null_probability": 0.4}, {"method": "intersection"}),
    ("trained apart, grow-diag-final-and, p0 0.1", {"null_probability": 0.1}, {"method": "grow-diag-final-and"}),
    ("trained apart, grow-diag-final-and, p0 0.4", {"null_probability": 0.4}, {"method": "grow-diag-final-and"}),
]


def ablation(threads="2"):
    from paragauge.align import AlignerOptions, align, alignment_quality

    small = ("own 2,383", "roen", "jaen", "zhen", "edinburgh", "multimwa")
    chosen = [one for one in gold_sets() if any(name in one[0] for name in small)]
    for label, options, decoding in SETTINGS:
        cells = []
        for _, source, target, gold, monolingual in chosen:
            found = align(
                source,
                target,
                options=AlignerOptions(**options),
                monolingual=monolingual,
                threads=int(threads),
                **decoding,
            )
            cells.append(f"{alignment_quality(found[: len(gold)], gold).aer:.3f}".removeprefix("0"))
        print(f"| {label} | {' | '.join(cells)} |", flush=True)


def report(name, label, q, seconds):
    figures = f"{q.precision:.3f} | {q.recall:.3f} | {q.f1:.3f} | **{q.aer:.3f}** | {seconds:.1f} s"
    print(f"| {name} | {label} | {figures} |", flush=True)


def in_process(*arguments):
    """Return seconds and peak megabytes of this script, called with *arguments* in a separate process."""
    start = time.perf_counter()
    result = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    inner, megabytes = result.stdout.split()[-2:]
    return float(inner), float(megabytes), seconds


def peak_megabytes():
    usage = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return usage / 1024


def once(tool, corpus, count, threads):
    """Run both directions of one tool on one text; print seconds (from text to links) and peak megabytes."""
    count = int(count)
    source, target = tatoeba(count) if corpus == "tatoeba" else (multi30k("fr")[:count], multi30k("en")[:count])
    start = time.perf_counter()
    if tool == "ours":
        from paragauge.align import align

        align(source, target, threads=int(threads))
    else:
        eflomal_directions(source, target)
    print(time.perf_counter() - start, peak_megabytes())


def speed():
    """Compare speeds; eflomal runs its samplers and directions in OpenMP threads, so both get the same number."""
    threads = os.environ.setdefault("OMP_NUM_THREADS", "2")
    runs = {"ours": [], "eflomal": []}
    for _ in range(3):
        for tool, figures in runs.items():
            figures.append(in_process("once", tool, "multi30k", "29000", threads))
    medians = {tool: statistics.median(f[0] for f in figures) for tool, figures in runs.items()}
    for tool, figures in runs.items():
        peak = max(f[1] for f in figures)
        each = ", ".join(f"{seconds:.1f}" for seconds, *_ in figures)
        print(f"| {tool} | {medians[tool]:.1f} s | {peak:.0f} MB | {each} |")
    print(f"ratio ours / eflomal: {medians['ours'] / medians['eflomal']:.3f} ({threads} threads)")


def words():
    """Measure the aligner that knows English on each set: pairs per processor second of one thread, and per second of
    two threads; the best of five runs."""
    from paragauge.align.annotated import read_aligned_pairs
    from paragauge.monolingual import WordAligner

    aligner = WordAligner.load()
    aligner.align(["a"], ["a"])
    for name in ("edinburgh_pp/gold.train.sure.json", "multimwa/wiki-train.tsv.gz"):
        pairs = read_aligned_pairs(DATA / name).pairs
        lengths = [len(text.split()) for side in (pairs.source, pairs.target) for text in side]
        runs = []
        for clock, threads in ((time.process_time, 1), (time.perf_counter, 2)):
            rates = []
            for _ in range(5):
                start = clock()
                aligner.align_scored(pairs.source, pairs.target, threads=threads)
                rates.append(len(pairs) / (clock() - start))
            runs.append(rates)
        best = " | ".join(f"{max(rates):,.0f}" for rates in runs)
        each = ", ".join(f"{rate:,.0f}" for rate in runs[0])
        print(f"| {name.split('/')[0]} | {len(pairs):,} | {statistics.mean(lengths):.1f} | {best} | {each} |")


def scaling():
    for count in (10_000, 20_000, 40_000, 80_000, 140_000):
        seconds, megabytes, _ = in_process("once", "ours", "tatoeba", str(count), "2")
        rate = count / seconds
        print(f"| {count:,} | {seconds:.2f} s | {1e6 / rate:.0f} µs | {megabytes:.0f} MB |", flush=True)


def memory(pairs="100000", mode="agreement", iterations=None):
    """Measure memory on Zipfian words, 25 per sentence, 200,000 types; half of the target words are translations.

    One iteration of each stage uses as much memory as any number of iterations.
    """
    import numpy as np

    from paragauge.align import AlignerOptions
    from paragauge.align.encode import EncodedText
    from paragauge.align.training import Training

    count, words = int(pairs), 200_000
    rng = np.random.default_rng(1)
    weights = 1 / np.arange(1, words + 1) ** 1.05
    source = rng.choice(words, size=count * 25, p=weights / weights.sum()).astype(np.int32)
    noise = rng.choice(words, size=count * 25, p=weights / weights.sum()).astype(np.int32)
    target = np.where(rng.random(len(source)) < 0.5, source, noise).astype(np.int32)
    offsets = np.arange(0, count * 25 + 1, 25, dtype=np.int64)
    names = [f"{n:x}"[::-1] for n in range(words)]
    texts = [EncodedText(ids, offsets, names) for ids in (source, target)]
    del noise
    start = time.perf_counter()
    joint = mode != "apart"
    options = AlignerOptions(agreement=joint)
    if iterations:
        options = replace(options, model1_iterations=int(iterations), hmm_iterations=int(iterations))
    trainer, _ = Training(*texts, options, 2).run()
    pairs_in_table = trainer.pairs
    trainer.links("agreement" if joint else "grow-diag-final-and", 0.25)
    seconds = time.perf_counter() - start
    print(f"| {count:,} | {mode} | {pairs_in_table:,} word pairs | {seconds:.0f} s | {peak_megabytes():,.0f} MB |")


COMMANDS = {f.__name__: f for f in (quality, ablation, speed, words, scaling, memory, once)}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](*sys.argv[2:])
