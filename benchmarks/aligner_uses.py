"""What the aligner of English adds to METEOR and MAXSIM: agreement with people with and without it.

    python benchmarks/aligner_uses.py

Prints Pearson's correlation of segments with human scores, for newstest2015 and newstest2017, by language pair and as
their mean, and how far the mean moves with the aligner, with a 95% interval from 1,000 resamples of the segments of
each pair, the same for both. See docs/reproduction.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from measure import DATA
from numpy.typing import NDArray

from paragauge import parse_metric
from paragauge.corpora import Segments

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from judged_sets import newstest2015, newstest2017

METRICS = {
    "METEOR 1.5": "meteor",
    "METEOR 1.5, paraphrases=no": "meteor(paraphrases=no)",
    "MAXSIM-n": "maxsim",
    "MAXSIM-n, similarity=words, paraphrases=default": "maxsim(similarity='words', paraphrases='default')",
}
RESAMPLES = 1000

Numbers = NDArray[np.float64]


def with_aligner(text: str) -> str:
    """Return a metric with the aligner."""
    return text[:-1] + ", aligner=yes)" if text.endswith(")") else f"{text}(aligner=yes)"


def scores(text: str, candidates: list[str], references: list[str]) -> Numbers:
    """Return the scores of all segments."""
    metric = parse_metric(text)
    found = metric.score_segments(Segments.of(candidates, references))
    return np.array([score.value for score in found])


def pearson(one: Numbers, other: Numbers) -> Numbers:
    """Return the correlations of the rows."""
    one, other = (each - each.mean(axis=-1, keepdims=True) for each in (one, other))
    found: Numbers = (one * other).sum(-1) / np.sqrt((one**2).sum(-1) * (other**2).sum(-1))
    return found


def main() -> None:
    """Print a table for each set."""
    for title, rows in (("newstest2015", newstest2015(DATA)), ("newstest2017", newstest2017(DATA))):
        pairs = sorted({row.system for row in rows})
        human = np.array([row.score for row in rows])
        places = {pair: np.flatnonzero([row.system == pair for row in rows]) for pair in pairs}
        texts = [row.candidate for row in rows], [row.references[0] for row in rows]
        random = np.random.default_rng(1)
        samples = {pair: random.choice(at, (RESAMPLES, len(at))) for pair, at in places.items()}
        print(f"\n{title}, {len(rows):,} segments\n\n| metric | {' | '.join(pairs)} | mean | aligner adds |")
        print("|---|" + "---|" * (len(pairs) + 2))
        for name, text in METRICS.items():
            means: list[float] = []
            resampled: list[Numbers] = []
            for label, variant in ((name, text), (f"{name}, aligner=yes", with_aligner(text))):
                values = scores(variant, *texts)
                cells = [float(pearson(values[at], human[at])) for at in places.values()]
                means.append(float(np.mean(cells)))
                resampled.append(np.mean([pearson(values[at], human[at]) for at in samples.values()], axis=0))
                added = ""
                if len(means) == 2:
                    low, high = np.quantile(resampled[1] - resampled[0], [0.025, 0.975])
                    added = f"{means[1] - means[0]:+.4f} [{low:+.4f}, {high:+.4f}]"
                shown = " | ".join(f"{cell:.3f}" for cell in cells)
                print(f"| {label} | {shown} | {means[-1]:.4f} | {added} |", flush=True)


if __name__ == "__main__":
    main()
