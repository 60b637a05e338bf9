"""Make the judge model (`pem+`) that ships with paragauge from the development data.

The result does not depend on the number of threads; its word vectors depend on the version of SciPy (docs/judges.md).

    python tools/make_judges.py [DATA] [-o FOLDER] [--refit] [--threads N]

DATA is the development data folder (PARAGAUGE_DATA by default), FOLDER the model (``src/paragauge/data/judges/default``
by default). ``--refit`` keeps the vectors, translations and fluency of the existing model and learns its weights again.
Needs the extra ``train``. Data:

* word vectors and translations: Europarl (150,000 pairs each of French, Spanish and German), Tatoeba in seven
  languages, PUD, XQuAD; see `BITEXTS`;
* fluency: see `make_fluency_model.py`;
* weights: human judgments of tweets (ParaScore), of the adequacy of ParaBank's systems and of the similarity of
  translations (STS), and contrasts made from Tatoeba's paraphrases and the Edinburgh paraphrase corpus.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from judged_sets import (
    edinburgh_paraphrases,
    parabank_adequacy,
    read_gzipped,
    sts_similarity,
    tatoeba_french,
    tatoeba_paraphrases,
    tweet_votes,
)
from make_fluency_model import make_fluency

from paragauge.corpora.bitext import Bitext
from paragauge.io import digest_file
from paragauge.judges.card import judges_card
from paragauge.judges.fitting import CONTRAST_SHARE
from paragauge.judges.meaning import CHECKS, LOSSES, MeaningWeights
from paragauge.judges.model import JudgeModel
from paragauge.judges.settings import JudgeSettings
from paragauge.judges.training import refit
from paragauge.judges.vector_training import DIMENSIONS, count_translations, make_vectors

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("fr", "es", "de", "pt", "ru", "it", "cs")
SHOWN = ("fr", "es", "de")
EUROPARL_LINES = 150_000
LICENCE = (
    "Statistics of Europarl (free), Tatoeba (CC BY 2.0 FR), UD PUD and XQuAD (CC BY-SA); weights learned from "
    "ParaScore (Apache-2.0), ParaBank's judgments, STS (scores CC BY-SA 4.0) and the Edinburgh paraphrase corpus "
    "(Apache-2.0)"
)


def bitext(data: Path, language: str) -> tuple[Bitext, list[Path]]:
    """Return all parallel text of a *language* and its files."""
    english: list[str] = []
    other: list[str] = []
    files: list[Path] = []
    for source, limit in (("europarl", EUROPARL_LINES), ("tatoeba", None), ("pud", None), ("xquad", None)):
        ours = data / "bitexts" / source / f"en-{language}.en.gz"
        if ours.exists():
            theirs = ours.with_name(f"en-{language}.{language}.gz")
            english += read_gzipped(ours, limit)
            other += read_gzipped(theirs, limit)
            files += [ours, theirs]
    if language == "fr":
        pairs, path = tatoeba_french(data)
        english += pairs.source
        other += pairs.target
        files.append(path)
    return Bitext(tuple(english), tuple(other)), files


def report(done: int, total: int | None, step: str) -> None:
    """Show progress on standard error."""
    end = "\n" if done == total else "\r"
    of = "" if total is None else f" of {total:,}"
    print(f"{step}: {done:,}{of}        ", end=end, file=sys.stderr, flush=True)


def make_parts(data: Path, threads: int | None) -> tuple[JudgeModel, dict[str, str]]:
    """Return a model without weights, and the digests of its input files."""
    counted, inputs = {}, {}
    for language in LANGUAGES:
        text, files = bitext(data, language)
        print(f"{language}: {len(text):,} pairs", file=sys.stderr)
        counted[language] = count_translations(text, threads=threads, progress=report)
        inputs.update({str(path.relative_to(data)): digest_file(path) for path in files})
    fluency, fluency_inputs = make_fluency(data, threads)
    inputs.update(fluency_inputs)
    none = MeaningWeights((0.0,) * len(LOSSES), (0.0,) * len(CHECKS))
    translations = {language: counted[language].table() for language in SHOWN}
    return JudgeModel(make_vectors(counted.values()), translations, fluency, none), inputs


def main() -> None:
    """Make the model."""
    parser = argparse.ArgumentParser(description="Make the judge model that ships with paragauge.")
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("-o", "--output", default=str(ROOT / "src" / "paragauge" / "data" / "judges" / "default"))
    parser.add_argument(
        "--refit",
        action="store_true",
        help="learn only the weights again",
    )
    parser.add_argument("--threads", type=int, help="default: all cores")
    arguments = parser.parse_args()
    data, output = Path(arguments.data), Path(arguments.output)
    if arguments.refit:
        model = replace(JudgeModel.open(output), settings=JudgeSettings())
        inputs = dict(model.manifest.inputs) if model.manifest is not None else {}
    else:
        model, inputs = make_parts(data, arguments.threads)
    judged = [tweet_votes(data), parabank_adequacy(data), sts_similarity(data)]
    contrasts = [tatoeba_paraphrases(data), edinburgh_paraphrases(data)]
    fitted, found = refit(model, judged, contrasts, progress=report)
    card = judges_card(fitted, judged, contrasts, found, languages=LANGUAGES, inputs=inputs, licence=LICENCE)
    options = {"languages": list(LANGUAGES), "europarl_lines": EUROPARL_LINES, "dimensions": DIMENSIONS,
               "contrast_share": CONTRAST_SHARE}  # fmt: skip
    output.parent.mkdir(parents=True, exist_ok=True)
    fitted.with_card(card).save(output, options=options, inputs=inputs, licence=LICENCE)


if __name__ == "__main__":
    main()
