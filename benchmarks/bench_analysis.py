"""Tagging and parsing compared with spaCy's small English model, in turn, on one core, on the dev sets of EWT and GUM.

spaCy's models are not on a package registry under their own names; any installed pipeline can be named with --pipeline.
It gets the same tokens. Its tagger and parser share a layer that takes most of the time, so it is timed with and
without the parser; entity recognition is off. Tagging is compared with tagging; parsing includes tags, lemmas and
dependencies on both sides.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics

from measure import DATA, alternate, median_ratio, write_section

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core for both

import spacy
from spacy.tokens import Doc

import paragauge
from paragauge.analysis import provider, read_conllu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pipeline", default="en_core_web_sm")
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()

    sentences = [
        list(sentence.words)
        for name in ("ewt", "gum")
        for sentence in read_conllu(DATA / "english_treebanks" / f"{name}.dev.conllu.gz")
    ]
    ours = provider("builtin")
    theirs = spacy.load(arguments.pipeline, exclude=["ner"])

    def spacy_run(*disabled: str) -> None:
        documents = (Doc(theirs.vocab, words=words) for words in sentences)
        for _ in theirs.pipe(documents, disable=list(disabled)):
            pass

    tagging = alternate(
        {
            "ours": lambda: ours.analyse(sentences, threads=1),
            "spaCy": lambda: spacy_run("parser", "lemmatizer", "attribute_ruler"),
        },
        arguments.rounds,
    )
    parsing = alternate(
        {
            "ours": lambda: ours.analyse(sentences, lemmas=True, dependencies=True, threads=1),
            "spaCy": spacy_run,
        },
        arguments.rounds,
    )
    trees = alternate({"ours": lambda: ours.analyse(sentences, trees=True, threads=1)}, arguments.rounds)

    lines = [
        f"{len(sentences):,} sentences, {sum(map(len, sentences)):,} tokens, one core; spaCy {spacy.__version__}, "
        f"{theirs.meta['name']} {theirs.meta['version']}; median of {arguments.rounds} rounds in turns. "
        f"paragauge {paragauge.__version__}, Python {platform.python_version()}.",
        "",
        "| work | who | sentences/s |",
        "|---|---|---|",
    ]
    for work, seconds in (
        ("tags", tagging),
        ("tags, lemmas, dependencies", parsing),
        ("tags, dependencies, trees", trees),
    ):
        lines += [
            f"| {work} | {who} | {len(sentences) / statistics.median(each):,.0f} |" for who, each in seconds.items()
        ]
    lines += [
        "",
        f"ratio of times ours / spaCy: tagging {median_ratio(tagging['ours'], tagging['spaCy']):.3f}, "
        f"parsing {median_ratio(parsing['ours'], parsing['spaCy']):.3f}",
    ]
    text = "\n".join(lines)
    print(text)
    if not arguments.no_write:
        write_section("English analysis", text)


if __name__ == "__main__":
    main()
