"""What the aligner of English adds to METEOR, MAXSIM and pem+'s judge of meaning, on judged sets.

    python benchmarks/aligner_uses.py

For METEOR and MAXSIM, prints Pearson's correlation of segments with human scores, for newstest2015 and newstest2017, by
language pair and as their mean, and how far the mean moves with the aligner, with a 95% interval from 1,000 resamples
of the segments of each pair, the same for both. For the judge of meaning, prints the figures of `judges.py` where a
word counts as said with a share of the probability of its best link. See docs/reproduction.md.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from judges import measured_sets
from measure import DATA
from numpy.typing import NDArray

from paragauge import WordAligner, parse_metric
from paragauge.corpora import Segments
from paragauge.judges.changes import find_changes
from paragauge.judges.linking import link_readings
from paragauge.judges.meaning import weigh_links
from paragauge.judges.model import JudgeModel, open_judges

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from judged_sets import newstest2015, newstest2017

METRICS = {
    "METEOR 1.5": "meteor",
    "METEOR 1.5, paraphrases=no": "meteor(paraphrases=no)",
    "MAXSIM-n": "maxsim",
    "MAXSIM-n, similarity=words, paraphrases=default": "maxsim(similarity='words', paraphrases='default')",
}
RESAMPLES = 1000
SHARES = (0.0, 0.25, 0.5, 1.0)  # of a link's probability that count as said
EXAMPLES = 800

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


def meanings(model: JudgeModel, aligner: WordAligner, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    """Return the meaning of each pair, by share of the links' probabilities; changes are those of pem+'s own links."""
    texts = [text for pair in pairs for text in pair]
    readings = model.reader.read(texts)
    originals, candidates = readings[::2], readings[1::2]
    aligned = aligner.align_scored([each.surface for each in originals], [each.surface for each in candidates])
    found = []
    for number, (original, candidate) in enumerate(zip(originals, candidates, strict=True)):
        linked = link_readings(original, candidate, model.likeness)
        changes = find_changes(linked, model.likeness)
        said, supported = np.zeros(len(original.words)), np.zeros(len(candidate.words))
        for (i, j), probability in aligned.link_scores(number).items():
            said[i], supported[j] = max(said[i], probability), max(supported[j], probability)
        row = []
        for share in SHARES:
            more = replace(
                linked,
                said=tuple(np.maximum(linked.said, share * said).tolist()),
                supported=tuple(np.maximum(linked.supported, share * supported).tolist()),
            )
            row.append(model.weights.meaning(weigh_links(more, changes, model.likeness).features))
        found.append(row)
    return found


def print_meaning() -> None:
    """Print the figures of the judge of meaning."""
    model, aligner = open_judges(), WordAligner.load()
    print(f"\n| set | figure | {' | '.join(f'share {share:g}' for share in SHARES)} |")
    print("|---|---|" + "---|" * len(SHARES))
    for each in measured_sets(DATA, EXAMPLES):
        columns = np.array(meanings(model, aligner, each.pairs)).T
        figures = " | ".join(f"{each.figure(column):.3f}" for column in columns)
        print(f"| {each.name} | {each.what} | {figures} |", flush=True)


def main() -> None:
    """Print a table for each set, and one for the judge of meaning."""
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
    print_meaning()


if __name__ == "__main__":
    main()
