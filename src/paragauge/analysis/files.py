"""Analyses from files written by other tools: CoNLL-U for tags, lemmas and dependencies, brackets for trees.

Sentences are found by their words, so the files may contain more sentences, in any order, and one file can serve both
candidates and references. Of two analyses of the same words, the first is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from paragauge.analysis.conllu import read_conllu
from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.sentence import Analysis
from paragauge.analysis.tree import read_trees
from paragauge.errors import DataError
from paragauge.io import PathLike, digest, digest_file, display_name, read_lines


@dataclass(frozen=True)
class AnalysedFiles:
    """Analysed sentences by their words."""

    signature: str
    analyses: Mapping[tuple[str, ...], Analysis]

    @classmethod
    def read(cls, *paths: PathLike) -> AnalysedFiles:
        """Read the analyses in the files; the first character distinguishes brackets from CoNLL-U.

        Raises:
            DataError: A file is in neither format.
        """
        found: dict[tuple[str, ...], Analysis] = {}
        for path in paths:
            if _first_character(path) == "(":
                new = [Analysis(tree.words, tags=tree.tags, tree=tree) for tree in read_trees(path)]
            else:
                new = list(read_conllu(path))
            if not new:
                raise DataError("contains no sentence; expected CoNLL-U or bracketed trees", path=display_name(path))
            for analysis in new:
                known = found.get(analysis.words)
                found[analysis.words] = analysis if known is None else _joined(known, analysis)
        return cls(f"files-{digest(' '.join(digest_file(path) for path in paths).encode())}", found)

    def analyse(
        self,
        sentences: Iterable[Sequence[str]],
        *,
        tags: bool = True,
        lemmas: bool = False,
        dependencies: bool = False,
        trees: bool = False,
        threads: int | None = None,
    ) -> list[Analysis]:
        """Return the analyses of sentences from the files.

        Raises:
            DataError: A sentence is missing, or its analysis lacks something that was requested.
        """
        wanted = {"tags": tags, "heads": dependencies, "tree": trees}
        analyses = []
        for number, sentence in enumerate(sentences, 1):
            words = tuple(sentence)
            analysis = self.analyses.get(words) if words else _nothing
            if analysis is None:
                raise DataError(
                    f"sentence {number} is not in the files: {' '.join(words)[:100]!r}; "
                    "the files must contain the words of the text after tokenisation"
                )
            if lemmas and analysis.lemmas is None and analysis.tags is not None:
                analysis = replace(analysis, lemmas=Lexicon.load().lemmas(words, analysis.tags))
            for name, asked in {**wanted, "lemmas": lemmas}.items():
                if asked and words and getattr(analysis, name) is None:
                    raise DataError(f"sentence {number} has no {name} in the files: {' '.join(words)[:100]!r}")
            analyses.append(analysis)
        return analyses


_nothing = Analysis((), (), (), (), ())


def _joined(known: Analysis, other: Analysis) -> Analysis:
    return Analysis(
        known.words,
        tags=known.tags or other.tags,
        lemmas=known.lemmas or other.lemmas,
        heads=known.heads or other.heads,
        relations=known.relations or other.relations,
        tree=known.tree or other.tree,
    )


def _first_character(path: PathLike) -> str:
    for line in read_lines(path):
        if line.strip():
            return line.strip()[0]
    return ""
