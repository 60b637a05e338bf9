"""From strings to tokens: the text processing shared by all metrics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from paragauge.errors import OptionError
from paragauge.text.normalize import NORMAL_FORMS, PORTER, NormalForm, Stemmer, get_stemmer, normalize
from paragauge.text.tokenize import get_tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPipeline:
    """The steps applied to a string before its tokens are compared: normalise, lower-case, tokenise, stem.

    >>> TextPipeline(tokenizer="penn", lowercase=True, stem=True)("The dogs barked.")
    ('the', 'dog', 'bark', '.')

    Attributes:
        tokenizer: Name of the tokeniser.
        lowercase: Whether to convert text to lower case.
        stem: Whether to replace words by their Porter stems, or the name of another Snowball stemmer (``french``).
        normalize: Unicode normal form, ``None`` for no normalisation.
    """

    tokenizer: str = "13a"
    lowercase: bool = False
    stem: bool | str = False
    normalize: NormalForm | None = None

    def __post_init__(self) -> None:
        # An unknown name is rejected here, not at the first sentence.
        if not isinstance(self.tokenizer, str):
            raise OptionError(f"a tokeniser is given by its name, such as '13a' (in quotes), got {self.tokenizer!r}")
        get_tokenizer(self.tokenizer)
        if isinstance(self.stem, str):
            get_stemmer(self.stem)
            if self.stem == PORTER:
                object.__setattr__(self, "stem", True)  # one spelling, so that equivalent pipelines compare equal
        elif not isinstance(self.stem, bool):
            raise OptionError(f"stem must be True, False or the name of a stemmer, got {self.stem!r}")
        if self.normalize is not None and self.normalize not in NORMAL_FORMS:
            raise OptionError(f"normalize must be one of {', '.join(NORMAL_FORMS)} or None, got {self.normalize!r}")

    def __call__(self, text: str) -> tuple[str, ...]:
        """Return the tokens of *text*; recent results are cached, since references recur for every system."""
        return _tokens(self, text)

    @property
    def stemmer_name(self) -> str | None:
        """The name of the stemmer, ``None`` if words are not stemmed."""
        if isinstance(self.stem, str):
            return self.stem
        return PORTER if self.stem else None

    @property
    def stemmer(self) -> Stemmer | None:
        """The function that stems a word, ``None`` if words are not stemmed."""
        return None if self.stemmer_name is None else get_stemmer(self.stemmer_name)

    def signature_items(self) -> dict[str, str]:
        """Return this pipeline's part of a signature; steps that are off, except case, are omitted."""
        items = {"case": "lc" if self.lowercase else "mixed", "tok": self.tokenizer}
        if self.stemmer_name is not None:
            items["stem"] = self.stemmer_name
        if self.normalize is not None:
            items["norm"] = self.normalize.lower()
        return items


@lru_cache(maxsize=1 << 16)
def _tokens(pipeline: TextPipeline, text: str) -> tuple[str, ...]:
    if pipeline.normalize is not None:
        text = normalize(text, pipeline.normalize)
    if pipeline.lowercase:
        text = text.lower()
    tokens = get_tokenizer(pipeline.tokenizer)(text)
    stemmer = pipeline.stemmer
    return tuple(tokens) if stemmer is None else tuple(map(stemmer, tokens))
