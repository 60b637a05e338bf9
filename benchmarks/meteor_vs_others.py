"""Differences between our METEOR, the METEOR 1.5 jar and nltk's METEOR on the same tokens, and their causes.

    python benchmarks/meteor_vs_others.py --wordnet /usr/share/wordnet [--jar meteor-1.5.jar]

Reads newstest2015 with human scores from the development data (PARAGAUGE_DATA). The jar is the one in the package
pycocoevalcap. It is run without its paraphrase table, with it, and with our function words and our table. nltk reads
the WordNet files from which our lexicon was built.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from paragauge.corpora import Segments
from paragauge.metrics import Meteor
from paragauge.metrics.meteor import FUNCTION_WORDS
from paragauge.phrases.opening import open_paraphrases

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

PAIRS = ("cs-en", "de-en", "fi-en", "ru-en")


def write_table(path: Path) -> None:
    """Write the table that ships in the format of the jar: probability, phrase and paraphrase on three lines."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for phrase, found in open_paraphrases():
            file.write(f"{found.score}\n{phrase}\n{found.text}\n")


def jar_scores(
    jar: Path, candidates: list[str], references: list[str], extra: list[str], *, paraphrases: bool = False
) -> np.ndarray:
    """Return the jar's segment scores of texts that are already tokenised."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("candidates", "references")]
        for file, lines in zip(files, (candidates, references), strict=True):
            file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        modules = ["-l", "en"] if paraphrases else ["-l", "en", "-m", "exact stem synonym", "-w", "1.0 0.6 0.8"]
        command = ["java", "-Xmx2G", "-jar", str(jar), *map(str, files), *modules, *extra]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return np.array([float(value) for value in re.findall(r"^Segment \d+ score:\s+(\S+)", output, re.MULTILINE)])


def nltk_scores(wordnet: Path, candidates: list[str], references: list[str]) -> np.ndarray:
    """Return nltk's segment scores."""
    from check_lexicon import nltk_reader
    from nltk.translate.meteor_score import single_meteor_score

    with tempfile.TemporaryDirectory() as folder:
        reader = nltk_reader(wordnet, Path(folder))
        return np.array(
            [
                single_meteor_score(reference.split(), candidate.split(), wordnet=reader)
                for candidate, reference in zip(candidates, references, strict=True)
            ]
        )


def report(name: str, ours: np.ndarray, theirs: np.ndarray, human: np.ndarray) -> None:
    """Print one row."""
    gap = np.abs(ours - theirs)
    print(
        f"{name:32} mean |difference| {gap.mean():.4f}  largest {gap.max():.3f}  equal {(gap < 5e-5).mean():.3f}"
        f"  Pearson {np.corrcoef(ours, theirs)[0, 1]:.4f}"
        f"  with people: ours {np.corrcoef(ours, human)[0, 1]:.3f}, theirs {np.corrcoef(theirs, human)[0, 1]:.3f}"
    )


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--jar", type=Path)
    parser.add_argument("--no-nltk", action="store_true", help="leave out nltk, which is slow")
    parser.add_argument("--show", type=int, default=0, help="print this many of the largest differences from the jar")
    arguments = parser.parse_args()
    root = Path(os.environ.get("PARAGAUGE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    folder = root / "mt_daseg" / "newstest2015"
    texts: dict[str, list[str]] = {"mt-system": [], "reference": [], "human": []}
    for pair in PAIRS:
        for kind, lines in texts.items():
            lines += (folder / f"DAseg.newstest2015.{kind}.{pair}").read_text(encoding="utf-8").splitlines()
    human = np.array(list(map(float, texts["human"])))
    candidates, references = (
        [" ".join(Meteor().tokens(text)) for text in texts[kind]] for kind in ("mt-system", "reference")
    )
    segments = Segments.of(candidates, references)

    def scores(metric: Meteor) -> np.ndarray:
        return np.array([score.value for score in metric.score_segments(segments)])

    same_tokens = {"tokenizer": "none"}
    if not arguments.no_nltk:
        report(
            "2005 and nltk",
            scores(Meteor(preset="2005", **same_tokens)),
            nltk_scores(arguments.wordnet, candidates, references),
            human,
        )
    if arguments.jar is None:
        return
    ours = scores(Meteor(paraphrases=False, **same_tokens))
    with_table = scores(Meteor(**same_tokens))
    theirs = jar_scores(arguments.jar, candidates, references, [])
    report("1.5 and the jar", ours, theirs, human)
    report(
        "1.5 and the jar, own tables",
        with_table,
        jar_scores(arguments.jar, candidates, references, [], paraphrases=True),
        human,
    )
    report(
        "1.5 and the jar, raw, all its own",
        np.array([score.value for score in Meteor().segment_scores(texts["mt-system"], texts["reference"])]),
        jar_scores(arguments.jar, texts["mt-system"], texts["reference"], ["-norm"], paraphrases=True),
        human,
    )
    with tempfile.TemporaryDirectory() as temporary:
        words = Path(temporary) / "function.words"
        words.write_text("".join(word + "\n" for word in sorted(FUNCTION_WORDS)), encoding="utf-8")
        with_words = jar_scores(arguments.jar, candidates, references, ["-s", str(words)])
        table = Path(temporary) / "table.gz"
        write_table(table)
        extra = ["-s", str(words), "-a", str(table)]
        with_both = jar_scores(arguments.jar, candidates, references, extra, paraphrases=True)
    report("1.5 and the jar with our words, table", with_table, with_both, human)
    report("1.5 and the jar with our words", ours, with_words, human)
    for place in np.argsort(-np.abs(with_table - with_both))[: arguments.show]:
        print(f"{with_table[place]:.4f} {with_both[place]:.4f}\n  {candidates[place]}\n  {references[place]}")


if __name__ == "__main__":
    main()
