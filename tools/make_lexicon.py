"""Make the lexicon that ships from WordNet's database files: the same files give the same bytes.

    python tools/make_lexicon.py /usr/share/wordnet src/paragauge/data/wordnet

The first argument is where Debian's package wordnet-base puts WordNet 3.0.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np

from paragauge.analysis.lexicon import write_lexicon
from paragauge.io import digest_file

FILES = ("noun", "verb", "adj", "adv")  # in the order of the parts of speech of the lexicon
HEADER_LINES = 29


def synsets(path: Path) -> list[list[str]]:
    """Return the members of each synset of a data file, as the index spells them."""
    found = []
    for line in path.read_text(encoding="ascii").splitlines()[HEADER_LINES:]:
        fields = line.split(" ")
        words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        found.append([re.sub(r"\((?:a|p|ip)\)$", "", word).lower() for word in words])  # markers of adjectives
    return found


def exceptions(path: Path, part: int, known: dict[str, int]) -> list[tuple[str, int, int]]:
    """Return (form, part of speech, lemma) of a list of exceptions.

    A form whose lemmas WordNet does not have leads to -1: WordNet lists ``archer`` so that it is not taken for a
    comparative of ``arch``.
    """
    rows = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    return [
        (form, part, lemma)
        for form, *lemmas in rows
        for lemma in [known[lemma] for lemma in lemmas if lemma in known] or [-1]
    ]


def notice(path: Path) -> str:
    """Return the licence that stands at the top of every data file."""
    lines = path.read_text(encoding="ascii").splitlines()[:HEADER_LINES]
    return "\n".join(re.sub(r"^ +\d+ ", "", line).rstrip() for line in lines) + "\n"


def packed(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the bytes of all texts and the length of each."""
    data = "".join(texts).encode("ascii")
    return np.frombuffer(data, np.uint8), np.array([len(text) for text in texts], np.uint8)


def main() -> None:
    """Read the database, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()

    groups = [synsets(arguments.wordnet / f"data.{name}") for name in FILES]
    members = [words for group in groups for words in group]
    lemmas = sorted({word for words in members for word in words})
    numbers = {lemma: number for number, lemma in enumerate(lemmas)}
    senses: list[set[int]] = [set() for _ in lemmas]
    parts: list[set[int]] = [set() for _ in lemmas]
    part_of_synset = [part for part, group in enumerate(groups) for _ in group]
    for synset, words in enumerate(members):
        for word in words:
            senses[numbers[word]].add(synset)
            parts[numbers[word]].add(part_of_synset[synset])
    rows = []
    for part, name in enumerate(FILES):
        known = {lemma: number for lemma, number in numbers.items() if part in parts[number]}
        rows += exceptions(arguments.wordnet / f"{name}.exc", part, known)
    rows.sort(key=lambda row: row[:2])  # lemmas of one form stay in WordNet's order

    lemma_text, lemma_lengths = packed(lemmas)
    exception_text, exception_lengths = packed([form for form, _, _ in rows])
    columns = {
        "lemma_text": lemma_text,
        "lemma_lengths": lemma_lengths,
        "sense_counts": np.array([len(each) for each in senses], np.uint8),
        "senses": np.array([synset for each in senses for synset in sorted(each)], np.int32),
        "synset_counts": np.array([len(group) for group in groups], np.int32),
        "exception_text": exception_text,
        "exception_lengths": exception_lengths,
        "exception_parts": np.array([part for _, part, _ in rows], np.uint8),
        "exception_lemmas": np.array([lemma for _, _, lemma in rows], np.int32),
    }
    sources = [f"data.{name}" for name in FILES] + [f"{name}.exc" for name in FILES]
    inputs = {name: digest_file(arguments.wordnet / name) for name in sources}
    write_lexicon(arguments.output, columns, inputs, notice(arguments.wordnet / "data.noun"))


if __name__ == "__main__":
    main()
