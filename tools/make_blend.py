"""Make the blend `translation` that ships with paragauge: the same bytes every time.

    python tools/make_blend.py [DATA] [-o FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default), the output ``src/paragauge/data/blend/translation``.
Run it again whenever one of its metrics changes: a blend refuses metrics that are not those it was learned with.

The judgments are direct assessments of segments of newstest2015, translated to English. Those of newstest2017 are for
testing only, as the notes of that data set ask. The metrics were chosen by the figures on newstest2015 and
newstest2017, each by a blend learned from the other, and by the share of pairs in the development half of DEMETR whose
better translation wins; the penalty is the lowest of five with which .93 of DEMETR's errors are noticed and systems are
ranked no worse than by BLEU (benchmarks/blends.py, docs/reproduction.md).
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from judged_sets import newstest2015
from make_judges import report

from paragauge.evaluate.learn import learn

ROOT = Path(__file__).resolve().parent.parent
METRICS = (
    "bleu",
    "chrf",
    "chrf(word_order=2)",
    "chrf(char_order=3, beta=1)",
    "ter",
    "ter(normalized=yes, lowercase=no)",
    "meteor",
    "meteor.recall",
    "meteor.fragmentation",
    "paraeval",
    "maxsim(similarity=words, paraphrases=default, dependencies=yes, distance=1)",
    "meaning",
    "meaning.fluency",
)
PENALTY = 1.0
LICENCE = "Weights learned from WMT's direct assessments (free for research)"


def main() -> None:
    """Make the blend."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "src/paragauge/data/blend/translation")
    arguments = parser.parse_args()
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    data = Path(arguments.data)
    found = learn(
        {"newstest2015": newstest2015(data)},
        metrics=METRICS,
        penalty=PENALTY,
        licence=LICENCE,
        seed=1,
        output=arguments.output,
        progress=report,
    )
    print(found.table().to_text())


if __name__ == "__main__":
    main()
