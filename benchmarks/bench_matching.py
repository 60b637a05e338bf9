"""Segments per second of MAXSIM and METEOR, compared with the METEOR 1.5 program, nltk's METEOR and sacreBLEU.

    python benchmarks/bench_matching.py [--rounds 5] [--jar meteor-1.5.jar] [--wordnet /usr/share/wordnet] [--write]

All score the same 5,000 pairs of news sentences (newstest2012, Czech to English, from the development data) in turn,
from strings to scores. Our metrics run with empty caches and on all cores; "analysed" excludes tagging and parsing of
the references, which a second system with the same references does not need. --write puts the table into RESULTS.md.
"""

from __future__ import annotations

import argparse
import gzip
import logging
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from measure import DATA, ROOT, alternate, median_ratio, write_section
from meteor_vs_others import jar_scores

import paragauge.metrics.maxsim as maxsim_module
from paragauge.corpora import Segments
from paragauge.metrics import MaxSim, Meteor
from paragauge.text import pipeline

sys.path.insert(0, str(ROOT / "tools"))

PAIRS = 5000


def lines(path: Path) -> list[str]:
    """Return the lines of a gzipped file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def cold(run: Callable[[], object]) -> Callable[[], object]:
    """Return *run* preceded by clearing all caches."""

    def forgetful() -> object:
        pipeline._tokens.cache_clear()
        maxsim_module._ANALYSED.clear()
        return run()

    return forgetful


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jar", type=Path)
    parser.add_argument("--wordnet", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    logging.getLogger("paragauge").setLevel(logging.ERROR)
    source = DATA / "wmt12_toen"
    reference = lines(source / "references" / "newstest2012-ref.en.gz")
    outputs = sorted((source / "system-outputs" / "cs-en").iterdir())[:2]
    candidates = [text for file in outputs for text in lines(file)][:PAIRS]
    references = (reference * 2)[:PAIRS]
    segments = Segments.of(candidates, references)

    def sacrebleu_scores() -> object:
        from sacrebleu.metrics.bleu import BLEU

        bleu = BLEU(effective_order=True)
        pairs = zip(candidates, references, strict=True)
        return [bleu.sentence_score(candidate, [text]).score for candidate, text in pairs]

    rivals: dict[str, Callable[[], object]] = {
        "MAXSIM-n": cold(lambda: MaxSim().score_segments(segments)),
        "MAXSIM-n, analysed": lambda: MaxSim().score_segments(segments),
        "MAXSIM-n+d": cold(lambda: MaxSim(dependencies=True).score_segments(segments)),
        "METEOR 1.5": cold(lambda: Meteor().score_segments(segments)),
        "METEOR 2005": cold(lambda: Meteor(preset="2005").score_segments(segments)),
        "sacreBLEU, sentence BLEU": sacrebleu_scores,
    }
    # The rivals get tokens, so that their tokenisers are not what is measured.
    tokens = [[" ".join(Meteor().tokens(text)) for text in side] for side in (candidates, references)]
    if arguments.jar is not None:
        rivals["METEOR 1.5's program, no paraphrases"] = lambda: jar_scores(arguments.jar, *tokens, [])
    with tempfile.TemporaryDirectory() as folder:
        if arguments.wordnet is not None:
            from check_lexicon import nltk_reader
            from nltk.translate.meteor_score import single_meteor_score

            reader = nltk_reader(arguments.wordnet, Path(folder))
            split = [[text.split() for text in side] for side in tokens]
            rivals["nltk's METEOR"] = lambda: [
                single_meteor_score(other, own, wordnet=reader) for own, other in zip(*split, strict=True)
            ]
        MaxSim().score_segments(segments.part(0, 2))  # models are loaded before the clock runs
        seconds = alternate(rivals, arguments.rounds)
    rows = ["| metric | segments/s | time, MAXSIM-n = 1 |", "|---|---|---|"]
    for name, times in seconds.items():
        rate = PAIRS / statistics.median(times)
        rows.append(f"| {name} | {rate:,.0f} | {median_ratio(times, seconds['MAXSIM-n']):.2f} |")
    print("\n".join(rows))
    if arguments.write:
        missing = {"METEOR 1.5's program": arguments.jar, "nltk's METEOR": arguments.wordnet}
        left_out = [name for name, given in missing.items() if given is None]
        note = f" Not run: {', '.join(left_out)} (`--jar`, `--wordnet`)." if left_out else ""
        intro = f"`python benchmarks/bench_matching.py --write`, {PAIRS:,} pairs, all cores, wall time.{note}\n\n"
        write_section("MAXSIM and METEOR", intro + "\n".join(rows))


if __name__ == "__main__":
    main()
