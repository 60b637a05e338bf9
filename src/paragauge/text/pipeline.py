"""From strings to tokens: the text processing shared by all metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from paragauge.errors import OptionError
from paragauge.text.normalize import NORMAL_FORMS, PORTER, NormalForm, Stemmer, get_stemmer, normalize
from paragauge.text.tokenize import NATIVE, get_tokenizer, native_tokenizer, token_spans
from paragauge.text.vocabulary import EncodedSentences, Sentence, Vocabulary

if TYPE_CHECKING:
    from paragauge import _core

_SENTENCES_A_BATCH = 1 << 10


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
        """Return the tokens of *text*.

        Native tokenisers are faster than a cache. Recent results of others are cached, since references recur for every
        system.
        """
        if self.native:
            return tuple(self.native_tokenizer.tokens(self._prepared(text)))
        return _tokens(self, text)

    def as_written(self, text: str) -> tuple[str, ...]:
        """Return for each token of *text* what it stands for, as it is written there: before lower-casing and stemming.

        Text that is normalised, and tokenisers of other packages, do not say where tokens come from: these tokens are
        returned as they are.

        >>> TextPipeline(tokenizer="penn", lowercase=True, stem=True).as_written('The "Dogs" barked.')
        ('The', '"', 'Dogs', '"', 'barked', '.')
        """
        spans = self.spans(text)
        return self(text) if spans is None else tuple(text[begin:end] for begin, end in spans)

    def spans(self, text: str) -> list[tuple[int, int]] | None:
        """Return where each token of *text* begins and ends in it; None if the tokeniser does not say.

        >>> TextPipeline(tokenizer="penn", lowercase=True).spans("Don't!")
        [(0, 2), (2, 5), (5, 6)]
        """
        if self.normalize is not None:
            return None
        spans = token_spans(self.tokenizer, self._prepared(text))
        if spans is None:
            return None
        starts: Sequence[int] = range(len(text) + 1)
        if self.lowercase and len(text.lower()) != len(text):  # the capital İ becomes two characters
            starts = [0]
            for place, character in enumerate(text):
                starts += [place] * (len(character.lower()) - 1) + [place + 1]
        return [(starts[begin], starts[end]) for _, begin, end in spans]

    def lines(self, texts: Iterable[str]) -> list[str]:
        """Return each text with a space between its tokens.

        >>> TextPipeline(tokenizer="penn", lowercase=True).lines(["Don't!", "Go."])
        ["do n't !", 'go .']
        """
        if self.native:
            return self.native_tokenizer.lines(self.prepared_texts(texts))
        return [" ".join(self(text)) for text in texts]

    def prepared(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Yield sentences for those who split text at white space: text is tokenised, sequences of words stay."""
        remaining = iter(sentences)
        while batch := list(islice(remaining, _SENTENCES_A_BATCH)):
            texts = [sentence for sentence in batch if isinstance(sentence, str)]
            if self.native and len(texts) == len(batch):
                yield from self.lines(texts)
            else:
                yield from (self(sentence) if isinstance(sentence, str) else sentence for sentence in batch)

    def encode(self, *groups: Sequence[str]) -> list[EncodedSentences]:
        """Return the tokens of all groups of texts as numbers: equal tokens have equal numbers in all groups.

        >>> [group.ids.tolist() for group in TextPipeline().encode(["A dog."], ["A cat.", "A dog!"])]
        [[0, 1, 2], [0, 3, 2, 0, 1, 4]]
        """
        if self.native:
            prepared = [self.prepared_texts(texts) for texts in groups]
            return [EncodedSentences(*arrays) for arrays in self.native_tokenizer.encode(prepared)]
        vocabulary = Vocabulary()
        return [vocabulary.encode(map(self, texts)) for texts in groups]

    def prepared_texts(self, texts: Iterable[str]) -> list[str]:
        """Return *texts* as the tokeniser gets them: normalised and in lower case, if these steps are on."""
        return [self._prepared(text) for text in texts]

    @property
    def native_tokenizer(self) -> _core.Tokenizer:
        """The tokeniser of the native core, if the pipeline is `native`."""
        return native_tokenizer(self.tokenizer)

    def _prepared(self, text: str) -> str:
        if self.normalize is not None:
            text = normalize(text, self.normalize)
        return text.lower() if self.lowercase else text

    @property
    def native(self) -> bool:
        """Whether the native core makes the tokens, which is fast, and in which no token contains white space."""
        return self.stem is False and self.tokenizer in NATIVE

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
    tokens = get_tokenizer(pipeline.tokenizer)(pipeline._prepared(text))
    stemmer = pipeline.stemmer
    return tuple(tokens) if stemmer is None else tuple(map(stemmer, tokens))
