"""Analysis providers: the built-in models, a spaCy pipeline, or files written by other tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol

from paragauge.analysis.sentence import Analysis
from paragauge.errors import OptionError, unknown_name

PROVIDERS = ("builtin", "spacy:NAME", "files:PATH")


class Provider(Protocol):
    """A provider of analyses for tokenised English sentences."""

    @property
    def signature(self) -> str:
        """The provider's part of a score's signature: its name and what identifies its models."""

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
        """Return an analysis of each sentence with at least the requested parts.

        Every sequence of tokens is accepted, even an empty one.
        """


@lru_cache(maxsize=8)
def provider(name: str = "builtin") -> Provider:
    """Return the provider named *name*: ``builtin``, ``spacy:NAME`` (an installed pipeline) or ``files:PATH``.

    ``files:`` takes a CoNLL-U file, a file of bracketed trees, or both separated by a comma, and finds sentences in
    them by their words.

    >>> provider("builtin").signature.split("-")[0]
    'builtin'

    Raises:
        OptionError: There is no such provider.
        MissingExtraError: It needs a package that is not installed.
    """
    kind, _, argument = name.partition(":")
    if kind == "builtin" and not argument:
        from paragauge.analysis.builtin import Builtin

        return Builtin.load()
    if kind in {"spacy", "files"}:
        if not argument:
            raise OptionError(
                f"provider {name!r} needs a {'pipeline' if kind == 'spacy' else 'file'}; known: " + ", ".join(PROVIDERS)
            )
        if kind == "spacy":
            from paragauge.analysis.spacy import SpacyPipeline

            return SpacyPipeline.load(argument)
        from paragauge.analysis.files import AnalysedFiles

        return AnalysedFiles.read(*argument.split(","))
    raise unknown_name("provider", name, PROVIDERS)
