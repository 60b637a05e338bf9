"""Analyses by a spaCy pipeline that the user has installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from paragauge.analysis.sentence import ROOT, Analysis
from paragauge.errors import MissingExtraError, OptionError

# Relations that spaCy's English models name differently from Universal Dependencies.
_RELATIONS = {
    "ROOT": "root",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "dobj": "obj",
    "dative": "iobj",
    "auxpass": "aux:pass",
}


@dataclass(frozen=True)
class SpacyPipeline:
    """A loaded pipeline."""

    pipeline: Any
    signature: str

    @classmethod
    def load(cls, name: str) -> SpacyPipeline:
        """Return the pipeline *name*, a package or a folder.

        Raises:
            MissingExtraError: spaCy is not installed.
            OptionError: The pipeline is not installed.
        """
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("the provider 'spacy'", "spacy", "spacy") from error
        try:
            pipeline = spacy.load(name)
        except OSError as error:
            raise OptionError(
                f"spaCy has no pipeline {name!r}; install it, or give the path of a pipeline folder: {error}"
            ) from error
        meta = pipeline.meta
        return cls(pipeline, f"spacy-{meta['lang']}_{meta['name']}-{meta['version']}")

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
        """Return the pipeline's analysis of each sentence.

        Raises:
            OptionError: Trees were requested, which spaCy does not provide.
        """
        if trees:
            raise OptionError("spaCy does not provide constituency trees; use the provider builtin or files:PATH")
        from spacy.tokens import Doc

        texts = [tuple(sentence) for sentence in sentences]
        # spaCy does not accept empty documents or empty tokens.
        documents = (Doc(self.pipeline.vocab, words=[word or "_" for word in words]) for words in texts if words)
        disabled = [] if dependencies else [name for name in ("parser", "ner") if name in self.pipeline.pipe_names]
        parsed = self.pipeline.pipe(documents, disable=disabled)
        return [_analysis(words, next(parsed), dependencies) if words else _nothing for words in texts]


_nothing = Analysis((), (), (), (), ())


def _analysis(words: tuple[str, ...], document: Any, dependencies: bool) -> Analysis:
    return Analysis(
        words,
        tags=tuple(token.tag_ for token in document),
        lemmas=tuple(token.lemma_.lower() for token in document),
        heads=tuple(ROOT if token.head.i == token.i else token.head.i for token in document) if dependencies else None,
        relations=tuple(_RELATIONS.get(token.dep_, token.dep_) for token in document) if dependencies else None,
    )
