"""Compare the lexicon with nltk's reader of the same WordNet files: every lemma, exception and relation.

    python tools/check_lexicon.py /usr/share/wordnet

Needs nltk. Prints what was compared and every difference; exits with 1 if any synonyms or relations differ. Questions
about two lemmas are checked for a sample, the same in every run.
"""

from __future__ import annotations

import argparse
import logging
import random
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import nltk
from nltk.corpus.reader.wordnet import Synset, WordNetCorpusReader

from paragauge.analysis.lexicon import PARTS_OF_SPEECH, Lexicon

# nltk needs names of lexicographer files, which wordnet-base does not have; they are not used here.
SAMPLE = 20_000  # lemmas for which questions about two lemmas are checked

LEXNAMES = "".join(f"{number:02}\tname{number}\t{1}\n" for number in range(45))


class Reader(WordNetCorpusReader):
    """nltk's reader without its mappings to other versions of WordNet, whose files are missing."""

    def map_wn(self, version: str = "wordnet") -> None:
        """Map nothing."""


def nltk_reader(wordnet: Path, folder: Path) -> Reader:
    """Return nltk's reader of the files in *wordnet*, using a copy in *folder*."""
    for file in wordnet.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    (folder / "lexnames").write_text(LEXNAMES, encoding="ascii")
    nltk.data.path.append(str(folder))  # nltk reads only from registered folders
    return Reader(str(folder), None)


class Oracle:
    """WordNet's relations from nltk; slow."""

    def __init__(self, reader: Reader, names: list[str]) -> None:
        self.synsets = {
            name: [
                [reader.synset_from_pos_and_offset(part, offset) for offset in offsets]
                for part, offsets in reader._lemma_pos_offset_map[name].items()
                if part in PARTS_OF_SPEECH  # nltk also lists satellites as s
            ]
            for name in names
        }
        self.direct = defaultdict[str, set[str]](set)
        self.derived = defaultdict[str, set[str]](set)
        self.opposite = defaultdict[Synset, set[Synset]](set)
        for synset in {synset for name in names for synset in self.senses(name)}:
            for lemma in synset.lemmas():
                for other in lemma.antonyms():
                    self._link(self.direct, lemma.name().lower(), other.name().lower())
                    if synset.pos() in {"a", "s"}:
                        self._link(self.opposite, synset, other.synset())
                for other in [*lemma.derivationally_related_forms(), *lemma.pertainyms()]:
                    if lemma.name().lower() != other.name().lower():
                        self._link(self.derived, lemma.name().lower(), other.name().lower())

    @staticmethod
    def _link(table: defaultdict, one: object, other: object) -> None:
        table[one].add(other)
        table[other].add(one)

    def senses(self, name: str, most: int | None = None) -> list[Synset]:
        """Return the synsets of a lemma: all, or the first of each part of speech."""
        return [synset for group in self.synsets[name] for synset in group[:most]]

    def indirect(self, name: str) -> set[str]:
        """Return direct and indirect antonyms."""
        opposed = set()
        for synset in self.senses(name):
            for opposite in self.opposite.get(synset, ()):
                opposed |= {opposite, *opposite.similar_tos()}
            for head in synset.similar_tos():
                opposed |= self.opposite.get(head, set())
        return self.direct.get(name, set()) | words(opposed)

    def hypernyms(self, synsets: Iterable[Synset]) -> set[Synset]:
        """Return all direct hypernyms."""
        return {upper for synset in synsets for upper in [*synset.hypernyms(), *synset.instance_hypernyms()]}

    def kinds(self, name: str, depth: int, most: int) -> set[str]:
        """Return all lemmas that a lemma is a kind of."""
        level, found = set(self.senses(name, most)), set()
        for _ in range(depth):
            level = self.hypernyms(level)
            found |= level
        return words(found)

    def siblings(self, one: str, other: str, most: int) -> bool:
        """Return whether two lemmas are siblings."""
        shared = self.hypernyms(self.senses(one, most)) & self.hypernyms(self.senses(other, most))
        return bool(shared) and not set(self.senses(one)) & set(self.senses(other))


def words(synsets: Iterable[Synset]) -> set[str]:
    """Return the lemmas of synsets, spelt as in the index."""
    return {name.lower() for synset in synsets for name in synset.lemma_names()}


def compare_relations(lexicon: Lexicon, reader: Reader, names: list[str]) -> int:
    """Report the differences in each relation and return their number."""
    oracle = Oracle(reader, names)
    wrong: dict[str, list[object]] = {
        "antonyms": [name for name in names if lexicon.antonyms(name) != oracle.direct.get(name, set())],
        "indirect antonyms": [name for name in names if lexicon.antonyms(name, indirect=True) != oracle.indirect(name)],
        "hypernyms": [
            name for name in names if lexicon.hypernyms(name) != words(oracle.hypernyms(oracle.senses(name)))
        ],
        "derivations": [name for name in names if lexicon.derivations(name) != oracle.derived.get(name, set())],
    }
    asked = dict.fromkeys(wrong, len(names))
    chance = random.Random(1)  # noqa: S311
    for name in chance.sample(names, min(SAMPLE, len(names))):
        several = chance.sample(names, 5)
        uppers = oracle.hypernyms(oracle.senses(name))
        lowers = {each for upper in uppers for each in [*upper.hyponyms(), *upper.instance_hyponyms()]}
        close = chance.sample(sorted(words(lowers)), min(20, len(words(lowers))))
        opposed = oracle.indirect(name)
        similar = words(other for synset in oracle.senses(name) for other in synset.similar_tos())
        answers: list[tuple[str, object, bool, bool]] = []
        for other in {*several, *close, *oracle.kinds(name, 4, 9), *opposed, *similar}:
            answers += [
                (f"is_kind_of {depth} {senses}", other, lexicon.is_kind_of(name, other, depth, senses=senses),
                 other in oracle.kinds(name, depth, senses))
                for depth, senses in ((3, 3), (1, 1), (2, 2))
            ]  # fmt: skip
            answers += [
                (f"are_siblings {senses}", other, lexicon.are_siblings(name, other, senses=senses),
                 oracle.siblings(name, other, senses))
                for senses in (1, 3)
            ]  # fmt: skip
            direct, both = lexicon.are_antonyms(name, other), lexicon.are_antonyms(name, other, indirect=True)
            answers.append(("are_antonyms", other, direct, other in oracle.direct.get(name, set())))
            answers.append(("are_antonyms, indirect", other, both, other in opposed))
            answers.append(("similar", other, lexicon.similar(name, other), other in similar))
        for question, about, ours, theirs in answers:
            asked[question] = asked.get(question, 0) + 1
            if ours != theirs:
                wrong.setdefault(question, []).append((name, about, ours, theirs))
    for question, count in asked.items():
        logging.info(
            "%s: %d checked, %d differ %s", question, count, len(wrong.get(question, [])), wrong.get(question, [])[:5]
        )
    return sum(map(len, wrong.values()))


def main() -> int:
    """Compare, report, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    lexicon = Lexicon.load()
    with tempfile.TemporaryDirectory() as folder:
        reader = nltk_reader(arguments.wordnet, Path(folder))
        names = sorted(set(reader.all_lemma_names()))
        logging.info("%d lemmas here, %d in nltk", len(lexicon), len(names))
        wrong = [
            name
            for name in names
            if lexicon.synonyms(name)
            != {
                lemma.lower()
                for part in PARTS_OF_SPEECH
                for offset in reader._lemma_pos_offset_map[name].get(part, ())
                for lemma in reader.synset_from_pos_and_offset(part, offset).lemma_names()
            }
        ]
        logging.info("synonyms: %d lemmas differ %s", len(wrong), wrong[:10])
        different = compare_relations(lexicon, reader, names)
        forms = set(names)
        for part in PARTS_OF_SPEECH:
            forms |= set(reader._exception_map[part])
        forms |= {name + ending for name in names for ending in ("s", "es", "ed", "ing", "er", "est")}
        differ = [
            (form, part, ours, theirs)
            for form in sorted(forms)
            for part in PARTS_OF_SPEECH
            if (ours := lexicon.morphy(form, part)) != (theirs := tuple(reader._morphy(form, part)))
        ]
        logging.info("morphy: %d forms as 4 parts of speech, %d differ", len(forms), len(differ))
        for row in differ[:20]:
            logging.info("  %s", row)
    return bool(wrong) or bool(different) or len(lexicon) != len(names)


if __name__ == "__main__":
    raise SystemExit(main())
