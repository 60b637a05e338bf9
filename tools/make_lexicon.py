"""Make the lexicon that ships with paragauge from WordNet's database files: the same files give the same bytes.

    python tools/make_lexicon.py /usr/share/wordnet src/paragauge/data/wordnet

The first argument is the folder where Debian's package wordnet-base installs WordNet 3.0.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragauge.analysis.lexicon import write_lexicon
from paragauge.io import digest_file

FILES = ("noun", "verb", "adj", "adv")  # in the order of the lexicon's parts of speech
HEADER_LINES = 29
PARTS = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}  # satellites (s) are in the file of the adjectives

Place = tuple[int, int]  # part of speech and offset in its data file, as WordNet's pointers name a synset


@dataclass(frozen=True, slots=True)
class Pointer:
    """A relation of a synset, or of one of its words, to another; words are numbered from 1, 0 is the whole synset."""

    symbol: str
    target: Place
    source_word: int
    target_word: int


@dataclass(frozen=True, slots=True)
class Synset:
    """A line of a data file, its words spelt as in the index."""

    place: Place
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]

    def word(self, number: int) -> str:
        """Return a word of a lexical pointer."""
        if not 1 <= number <= len(self.words):
            raise SystemExit(f"{FILES[self.place[0]]} {self.place[1]:08}: no word has the number {number}")
        return self.words[number - 1]


def synsets(path: Path, part: int) -> list[Synset]:
    """Return the synsets of a data file."""
    found = []
    for line in path.read_text(encoding="ascii").splitlines()[HEADER_LINES:]:
        fields = line.split(" ")
        end = 4 + 2 * int(fields[3], 16)
        words = [re.sub(r"\((?:a|p|ip)\)$", "", word).lower() for word in fields[4:end:2]]  # markers of adjectives
        starts = range(end + 1, end + 1 + 4 * int(fields[end]), 4)
        pointers = [pointer(*fields[start : start + 4]) for start in starts]
        found.append(Synset((part, int(fields[0])), tuple(words), tuple(pointers)))
    return found


def pointer(symbol: str, offset: str, part: str, words: str) -> Pointer:
    """Return the pointer described by four fields of a data file."""
    return Pointer(symbol, (PARTS[part], int(offset)), int(words[:2], 16), int(words[2:], 16))


def sense_orders(path: Path, part: int) -> dict[str, list[Place]]:
    """Return the synsets of each lemma of an index file, the most frequent sense first."""
    rows = [line.split() for line in path.read_text(encoding="ascii").splitlines() if not line.startswith(" ")]
    return {row[0]: [(part, int(offset)) for offset in row[-int(row[2]) :]] for row in rows}


def sense_ranks(
    orders: list[dict[str, list[Place]]], lemmas: list[str], senses: list[set[int]], places: dict[Place, int]
) -> np.ndarray:
    """Return for each sense of each lemma the number of more frequent senses of the same part of speech."""
    ranks = []
    for lemma, expected in zip(lemmas, senses, strict=True):
        found = {places[place]: rank for order in orders for rank, place in enumerate(order.get(lemma, ()))}
        if found.keys() != expected:
            raise SystemExit(f"{lemma}: the index and the data files have different synsets")
        ranks += [found[synset] for synset in sorted(expected)]
    return np.array(ranks, np.uint8)


def relations(all_synsets: list[Synset], places: dict[Place, int], numbers: dict[str, int]) -> dict[str, np.ndarray]:
    """Return the columns of WordNet's relations; pairs are sorted and included in both directions.

    Antonyms in WordNet are words. Opposed adjectives also oppose the synsets that they head: ``opposed``.
    """
    hypernyms: list[list[int]] = []
    antonyms, opposed, similar, derived = (set[tuple[int, int]]() for _ in range(4))
    for number, synset in enumerate(all_synsets):
        part = synset.place[0]
        if part < 2:  # only nouns and verbs have hypernyms
            hypernyms.append(sorted({places[each.target] for each in synset.pointers if each.symbol in {"@", "@i"}}))
        for each in synset.pointers:
            other = places[each.target]
            if each.symbol == "&":
                similar |= {(number, other), (other, number)}
            if each.symbol in {"!", "+", "\\"}:
                one = numbers[synset.word(each.source_word)]
                two = numbers[all_synsets[other].word(each.target_word)]
                if each.symbol == "!":
                    antonyms |= {(one, two), (two, one)}
                elif one != two:  # the noun "run" is derived from the verb "run"
                    derived |= {(one, two), (two, one)}
                if each.symbol == "!" and part == PARTS["a"]:
                    opposed |= {(number, other), (other, number)}
    return {
        "hypernym_counts": np.array([len(each) for each in hypernyms], np.uint8),
        "hypernyms": np.array([synset for each in hypernyms for synset in each], np.int32),
        **pair_columns("antonym_sources", "antonyms", antonyms),
        **pair_columns("opposed_sources", "opposed", opposed),
        **pair_columns("similar_sources", "similar", similar),
        **pair_columns("derivation_sources", "derivations", derived),
    }


def pair_columns(sources: str, targets: str, pairs: Iterable[tuple[int, int]]) -> dict[str, np.ndarray]:
    """Return two columns of sorted pairs."""
    table = np.array(sorted(pairs), np.int32).reshape(-1, 2)
    return {sources: table[:, 0], targets: table[:, 1]}


def exceptions(path: Path, part: int, known: dict[str, int]) -> list[tuple[str, int, int]]:
    """Return (form, part of speech, lemma) of a list of exceptions.

    A form whose lemmas are not in WordNet gets -1: WordNet lists ``archer`` so that it is not taken for the comparative
    of ``arch``.
    """
    rows = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    return [
        (form, part, lemma)
        for form, *lemmas in rows
        for lemma in [known[lemma] for lemma in lemmas if lemma in known] or [-1]
    ]


def notice(path: Path) -> str:
    """Return the licence at the top of every data file."""
    lines = path.read_text(encoding="ascii").splitlines()[:HEADER_LINES]
    return "\n".join(re.sub(r"^ +\d+ ", "", line).rstrip() for line in lines) + "\n"


def packed(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the bytes of all texts and the length of each."""
    data = "".join(texts).encode("ascii")
    return np.frombuffer(data, np.uint8), np.array([len(text) for text in texts], np.uint8)


def main() -> None:
    """Read the database and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()

    groups = [synsets(arguments.wordnet / f"data.{name}", part) for part, name in enumerate(FILES)]
    all_synsets = [synset for group in groups for synset in group]
    places = {synset.place: number for number, synset in enumerate(all_synsets)}
    lemmas = sorted({word for synset in all_synsets for word in synset.words})
    numbers = {lemma: number for number, lemma in enumerate(lemmas)}
    senses: list[set[int]] = [set() for _ in lemmas]
    parts: list[set[int]] = [set() for _ in lemmas]
    for number, synset in enumerate(all_synsets):
        for word in synset.words:
            senses[numbers[word]].add(number)
            parts[numbers[word]].add(synset.place[0])
    rows = []
    for part, name in enumerate(FILES):
        known = {lemma: number for lemma, number in numbers.items() if part in parts[number]}
        rows += exceptions(arguments.wordnet / f"{name}.exc", part, known)
    rows.sort(key=lambda row: row[:2])  # lemmas of one form stay in WordNet's order

    lemma_text, lemma_lengths = packed(lemmas)
    exception_text, exception_lengths = packed([form for form, _, _ in rows])
    orders = [sense_orders(arguments.wordnet / f"index.{name}", part) for part, name in enumerate(FILES)]
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
        "sense_ranks": sense_ranks(orders, lemmas, senses, places),
        **relations(all_synsets, places, numbers),
    }
    sources = [f"{kind}.{name}" for kind in ("data", "index") for name in FILES] + [f"{name}.exc" for name in FILES]
    inputs = {name: digest_file(arguments.wordnet / name) for name in sources}
    write_lexicon(arguments.output, columns, inputs, notice(arguments.wordnet / "data.noun"))


if __name__ == "__main__":
    main()
