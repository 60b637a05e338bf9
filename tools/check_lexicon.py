"""Compare the lexicon with nltk's reader of the same WordNet files, on every lemma and exception.

    python tools/check_lexicon.py /usr/share/wordnet

Needs nltk. Prints what was compared and every difference it counts; exits with 1 if synonyms differ anywhere.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import tempfile
from pathlib import Path

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from paragauge.analysis.lexicon import PARTS_OF_SPEECH, Lexicon

# nltk wants names of lexicographer files, which wordnet-base does not have; they play no part here.
LEXNAMES = "".join(f"{number:02}\tname{number}\t{1}\n" for number in range(45))


class Reader(WordNetCorpusReader):
    """nltk's reader without its maps to other versions of WordNet, whose files are not there."""

    def map_wn(self, version: str = "wordnet") -> None:
        """Map nothing."""


def nltk_reader(wordnet: Path, folder: Path) -> Reader:
    """Return nltk's reader of the files in *wordnet*, by way of a copy in *folder*."""
    for file in wordnet.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    (folder / "lexnames").write_text(LEXNAMES, encoding="ascii")
    nltk.data.path.append(str(folder))  # nltk reads from folders that it was told of, only
    return Reader(str(folder), None)


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
    return bool(wrong) or len(lexicon) != len(names)


if __name__ == "__main__":
    raise SystemExit(main())
