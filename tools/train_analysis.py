"""Train the English analysis models that ship with paragauge.

    python tools/train_analysis.py TREEBANKS -o src/paragauge/data/analysis
    python tools/train_analysis.py TREEBANKS --roles ROLES -o src/paragauge/data/analysis

TREEBANKS is a folder with CoNLL-U files (``*.train.conllu.gz``) and, for some of them, bracketed trees of the
same sentences (``*.train.ptb.gz``). The same files give the same bytes. Takes about twenty minutes on two cores.

With --roles, only the role labeller is trained (about seven minutes): on the sentences of ROLES (``ewt.train.srl.gz``),
parsed by the models in the output folder, and again by models that have not seen them, and with classes of words made
from the judges' word vectors. If ROLES and TREEBANKS have a
development part, the tool prints how well the labeller does there, with the syntax of the models and with that of the
treebank.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from paragauge.analysis import Analysis, Lexicon, read_conllu, read_trees
from paragauge.analysis.builtin import Builtin
from paragauge.analysis.model import write_model
from paragauge.analysis.role_training import LabelledSentence, read_roles, score_roles, train_labeller
from paragauge.analysis.roles import RoleLabeller, RoleModel, write_role_model
from paragauge.analysis.training import Training, dictionary_kinds
from paragauge.analysis.tree import Tree
from paragauge.analysis.word_classes import word_classes
from paragauge.errors import DataError
from paragauge.judges.vectors import WordVectors
from paragauge.resource import SHIPPED
from paragauge.text.normalize import porter_stem

NOTES = {
    "treebanks": "Universal Dependencies English-EWT (Silveira et al., 2014) and GUM (Zeldes, 2017), training parts",
    "licence": "CC BY-SA 4.0; see NOTICE.txt",
    "dictionary": "WordNet 3.0",
}

GREEDY = (3, 1, 1)  # beams; errors of the parser are rarer in sentences that it has seen, and a narrow beam adds some
ROLE_NOTES = {
    "roles": "PropBank on Universal Dependencies English-EWT, training part",
    "licence": "CC BY-SA 4.0; see NOTICE.txt",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder for english.bin")
    parser.add_argument("--threads", type=int, default=2, help="number of folds trained at once")
    parser.add_argument("--roles", type=Path, help="folder of sentences with roles: train the role labeller")
    arguments = parser.parse_args()

    began = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {text}", file=sys.stderr, flush=True)

    if arguments.roles:
        train_roles(arguments, report)
        return
    sentences: list[Analysis] = []
    trees: dict[int, Tree] = {}
    for path in sorted(arguments.treebanks.glob("*.train.conllu.gz")):
        own_trees = path.with_name(path.name.replace(".conllu", ".ptb"))
        own = list(read_conllu(path))
        if own_trees.exists():
            for number, tree in enumerate(read_trees(own_trees)):
                # Words and tags may be spelt differently in the brackets; only their number must match.
                if len(tree.words) != len(own[number].words):
                    raise DataError(f"tree {number + 1} has more or fewer words than its sentence", path=str(own_trees))
                trees[len(sentences) + number] = tree
        sentences += own
    report(f"{len(sentences):,} sentences, {len(trees):,} of them with trees")
    training = Training(
        sentences, trees, dictionary_kinds(Lexicon.load(), sentences), report=report, threads=arguments.threads
    )
    names, blocks = training.run()
    arguments.output.mkdir(parents=True, exist_ok=True)
    write_model(arguments.output / "english.bin", {**names, "notes": NOTES}, blocks)
    report(", ".join(f"{name} {len(block):,} bytes" for name, block in blocks.items()))


def train_roles(arguments: argparse.Namespace, report: Callable[[str], None]) -> None:
    """Train the role labeller, write it, and report how well it does."""
    sentences = list(read_roles(arguments.roles / "ewt.train.srl.gz"))
    parser = Builtin(Builtin.load(arguments.output / "english.bin").model, GREEDY)
    seen = parser.analyse([each.words for each in sentences], lemmas=True, dependencies=True)
    unseen = _unseen(sentences, arguments, report)
    report(f"{len(sentences):,} sentences are parsed, by the models and by others that have not seen them")
    classes = _classes([*unseen, *seen])
    report(f"{len(classes):,} lemmas have classes")
    meta, blocks, reached = train_labeller([*sentences, *sentences], [*unseen, *seen], classes=classes)
    sizes = ", ".join(f"{name} {len(block):,} bytes" for name, block in blocks.items())
    report(f"{sizes}; {reached:.1%} of the arguments can be found")
    write_role_model(arguments.output / "roles.bin", {**meta, "notes": ROLE_NOTES}, blocks)
    _report_development(arguments, RoleLabeller(RoleModel.read(arguments.output / "roles.bin")), report)


def _unseen(
    sentences: Sequence[LabelledSentence], arguments: argparse.Namespace, report: Callable[[str], None]
) -> list[Analysis]:
    """Return the sentences with the errors that parsers make in new text."""
    treebank = [
        sentence for path in sorted(arguments.treebanks.glob("*.train.conllu.gz")) for sentence in read_conllu(path)
    ]
    kinds = dictionary_kinds(Lexicon.load(), treebank)
    training = Training(treebank, {}, kinds, report=report, threads=arguments.threads)
    return _matching(sentences, training.unseen(), "the treebanks")


def _classes(analyses: Iterable[Analysis]) -> dict[str, list[int]]:
    """Return the classes of the lexicon's and the sentences' lemmas: those of their stems, by the judges' vectors."""
    vectors = WordVectors.open(SHIPPED / "judges" / "default" / "vectors")
    found = word_classes(vectors.codes * vectors.scales[:, None], vectors.counts)
    lexicon = Lexicon.load()
    known = (lexicon.native.lemma(number).decode("ascii") for number in range(len(lexicon)))
    lemmas = {lemma for lemma in known if "_" not in lemma}
    lemmas.update(lemma for analysis in analyses for lemma in analysis.lemmas or ())
    rows = ((lemma, vectors.look_up(porter_stem(lemma))[0]) for lemma in sorted(lemmas))
    return {lemma: found[row].tolist() for lemma, row in rows if row >= 0}


def _report_development(arguments: argparse.Namespace, labeller: RoleLabeller, report: Callable[[str], None]) -> None:
    path = arguments.roles / "ewt.dev.srl.gz"
    if not path.exists():
        return
    sentences = list(read_roles(path))
    trees = arguments.treebanks / "ewt.dev.conllu.gz"
    predicted = Builtin.load().analyse([each.words for each in sentences], lemmas=True, dependencies=True)
    for name, analyses in (
        ("predicted syntax", predicted),
        ("gold syntax", _matching(sentences, read_conllu(trees), trees)),
    ):
        scores = score_roles(labeller.label(analyses), sentences)
        for what, found in scores.items():
            report("{}, {}: precision {:.3f}, recall {:.3f}, F1 {:.3f}".format(name, what, *found.f1()))
        roles = scores["arguments"].gold
        for role in sorted(roles, key=lambda role: (-roles[role], role))[:20]:
            report("{}, {} ({:,}): {:.3f} {:.3f} {:.3f}".format(name, role, roles[role], *scores["arguments"].f1(role)))


def _matching(sentences: Sequence[LabelledSentence], analyses: Iterable[Analysis], where: object) -> list[Analysis]:
    """Return the analyses of the sentences with roles, found by their words."""
    by_words = {analysis.words: analysis for analysis in analyses}
    missing = [each.words for each in sentences if each.words not in by_words]
    if missing:
        raise DataError(f"has no sentence {' '.join(missing[0])!r}, which has roles", path=str(where))
    return [by_words[each.words] for each in sentences]


if __name__ == "__main__":
    main()
