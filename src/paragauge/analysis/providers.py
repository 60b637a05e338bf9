"""Who analyses: the built-in models, a pipeline of spaCy, or files that somebody else's tools made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol

from paragauge.analysis.sentence import Analysis
from paragauge.errors import OptionError, unknown_name

PROVIDERS = ("builtin", "spacy:NAME", "files:PATH")


class Provider(Protocol):
    """Something that analyses tokenised English sentences."""

    @property
    def signature(self) -> str:
        """What goes into the signature of a score: the provider's name and what distinguishes its models."""

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
        """Return an analysis of each sentence with at least what was asked for.

        No sequence of tokens is refused, an empty one included.
        """


@lru_cache(maxsize=8)
def provider(name: str = "builtin") -> Provider:
    """Return the provider called *name*: ``builtin``, ``spacy:NAME`` (a pipeline that is installed) or ``files:PATH``.

    ``files:`` takes a CoNLL-U file, a file of trees in brackets, or both with a comma between them, and finds
    sentences in them by their words.

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
                f"provider {name!r} lacks its {'pipeline' if kind == 'spacy' else 'file'}; known: "
                + ", ".join(PROVIDERS)
            )
        if kind == "spacy":
            from paragauge.analysis.spacy import SpacyPipeline

            return SpacyPipeline.load(argument)
        from paragauge.analysis.files import AnalysedFiles

        return AnalysedFiles.read(*argument.split(","))
    raise unknown_name("provider", name, PROVIDERS)
