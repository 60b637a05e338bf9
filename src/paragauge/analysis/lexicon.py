"""The English lexicon that ships: WordNet's lemmas, synsets, relations and exceptions in one memory-mapped folder.

``tools/make_lexicon.py`` makes it from WordNet's own files. A lemma is spelt as in WordNet's index: lower case, an
underscore for a space. The *synonyms* of a lemma are the members of all its synsets, of every sense and part of
speech, itself included: what MAXSIM calls WN_syn. Relations (antonyms, hypernyms, derived words) are loaded on first
use.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike
from paragauge.resource import SHIPPED, read_manifest, stamp_of, steadily, unchanged_since, write_resource
from paragauge.storage.store import Columns, open_columns, pack_strings, write_columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge import _core

PartOfSpeech: TypeAlias = Literal["n", "v", "a", "r"]
PARTS_OF_SPEECH: tuple[PartOfSpeech, ...] = ("n", "v", "a", "r")  # noun, verb, adjective, adverb, as in WordNet

KIND = "lexicon"
FORMAT = 2  # 1 had no relations
LICENCE_FILE = "LICENCE.txt"
_TYPES = {
    "lemma_text": "<u1",
    "lemma_lengths": "<u1",
    "sense_counts": "<u1",
    "senses": "<i4",
    "synset_counts": "<i4",
    "exception_text": "<u1",
    "exception_lengths": "<u1",
    "exception_parts": "<u1",
    "exception_lemmas": "<i4",
}
_RELATION_TYPES = {
    "sense_ranks": "<u1",
    "hypernym_counts": "<u1",
    "hypernyms": "<i4",
    "antonym_sources": "<i4",
    "antonyms": "<i4",
    "opposed_sources": "<i4",
    "opposed": "<i4",
    "similar_sources": "<i4",
    "similar": "<i4",
    "derivation_sources": "<i4",
    "derivations": "<i4",
}

# Texts repeat their words, so answers are cached.
_MOST_KNOWN = 1 << 16
_MOST_RELATED = 1 << 14  # sets take more memory than lemmas

# More steps up, or senses of a word, than any lexicon has; larger numbers have no further effect.
_MOST_STEPS = 1 << 20

_NOUN, _VERB, _ADJECTIVE, _ADVERB = range(4)

# Penn tags of inflected forms, with the parts of speech of their lemmas; words with other tags are their own lemmas.
_INFLECTED: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("NNS", "NNPS"), (_NOUN,)),
    **dict.fromkeys(("VBD", "VBG", "VBN", "VBZ"), (_VERB,)),
    **dict.fromkeys(("JJR", "JJS"), (_ADJECTIVE,)),
    # WordNet has no rules for adverbs; those for -er and -est are under adjectives.
    **dict.fromkeys(("RBR", "RBS"), (_ADVERB, _ADJECTIVE)),
}

_NOT_PLURALS = frozenset({"as", "his", "its", "us"})  # WordNet's rules would turn these into "a", "hi", "it", "u"

# Clitics that Penn tokenisation splits off and WordNet lacks. The possessive 's is tagged POS and left unchanged.
_CUT_OFF: dict[tuple[str, str], str] = {
    ("n't", "RB"): "not",
    ("ca", "MD"): "can",
    ("wo", "MD"): "will",
    ("sha", "MD"): "shall",
    ("'ll", "MD"): "will",
    ("'d", "MD"): "would",
    ("'d", "VBD"): "have",
    ("'ve", "VBP"): "have",
    ("'ve", "VB"): "have",
    ("'s", "VBZ"): "be",
    ("'re", "VBP"): "be",
    ("'m", "VBP"): "be",
    ("am", "VBP"): "be",
    ("are", "VBP"): "be",
}


class Lexicon:
    """WordNet's lemmas with their synsets and relations.

    >>> lexicon = Lexicon.load()
    >>> lexicon.lemma("Leaves", "NNS"), lexicon.lemma("leaves", "VBZ")
    ('leaf', 'leave')
    >>> lexicon.share_synonym("car", "automobile"), lexicon.share_synonym("car", "banana")
    (True, False)
    """

    def __init__(
        self, columns: Columns, digest: str | None = None, *, open_relations: Callable[[], Columns] | None = None
    ) -> None:
        from paragauge import _core

        try:
            self.native: _core.NativeLexicon = _core.NativeLexicon(
                _core.LexiconColumns(**{name: columns[name] for name in _TYPES})
            )
        except ValueError as error:
            raise DataError(f"the lexicon is damaged: {error}") from error
        self.digest = digest
        self._open_relations = open_relations
        self._known: dict[tuple[str, str | None], str] = {}
        self._related: dict[tuple[str, str], frozenset[str]] = {}
        self._synsets: dict[str, array[int]] = {}
        self._numbers: dict[str, int] = {}

    @classmethod
    def load(cls) -> Lexicon:
        """Return the lexicon that ships with paragauge, opened once."""
        return _shipped()

    @classmethod
    @steadily
    def open(cls, path: PathLike, *, verify: bool = True) -> Lexicon:
        """Open the lexicon folder *path* memory-mapped; *verify* first compares the digests of all files."""
        manifest = read_manifest(path, KIND, newest_format=FORMAT, verify=verify)
        if manifest.format < FORMAT:
            raise DataError(
                f"the lexicon has format {manifest.format}, expected {FORMAT}; "
                "make it again with tools/make_lexicon.py",
                path=str(path),
            )
        missing = [name for name in (*_TYPES, *_RELATION_TYPES) if f"{name}.npy" not in manifest.files]
        if missing:
            raise DataError(f"the lexicon is damaged: {missing[0]}.npy is missing", path=str(path))
        stamp = stamp_of(path)

        def relations() -> Columns:
            with unchanged_since(path, stamp):
                return open_columns(path, _RELATION_TYPES)

        return cls(open_columns(path, _TYPES), manifest.digest(), open_relations=relations)

    def __len__(self) -> int:
        """Return the number of lemmas."""
        return len(self.native)

    def __contains__(self, lemma: str) -> bool:
        return self._find(lemma) >= 0

    def lemma(self, word: str, tag: str | None = None) -> str:
        """Return the lemma of *word* in lower case: for its Penn *tag*, or the most likely one without a tag.

        With the tag of an inflected form, forms that are lemmas themselves are avoided: ``saw`` as VBD is ``see``. A
        word that is not in WordNet, or not with this part of speech, is its own lemma.
        """
        found = self._known.get((word, tag))
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[word, tag] = self._lemma(word, tag)
        return found

    def _lemma(self, word: str, tag: str | None) -> str:
        word = word.lower().replace("’", "'")
        if not word.isascii():
            return word
        if tag is None:
            return word if word in _NOT_PLURALS else self._uninflected(word, (_VERB, _NOUN, _ADJECTIVE, _ADVERB))
        cut_off = _CUT_OFF.get((word, tag))
        return cut_off if cut_off is not None else self._uninflected(word, _INFLECTED.get(tag, ()))

    def _uninflected(self, word: str, parts: Iterable[int]) -> str:
        for part in parts:
            found = self.native.uninflect(word, part)
            if found >= 0:
                return self._text(found)
        return word

    def lemmas(self, words: Iterable[str], tags: Iterable[str] | None = None) -> tuple[str, ...]:
        """Return the lemma of each word."""
        if tags is None:
            return tuple(map(self.lemma, words))
        pairs = list(zip(words, tags, strict=True))
        found = tuple(map(self._known.get, pairs))
        if None not in found:
            return cast(tuple[str, ...], found)
        return tuple(self.lemma(*pair) if lemma is None else lemma for pair, lemma in zip(pairs, found, strict=True))

    def morphy(self, word: str, part: PartOfSpeech | None = None) -> tuple[str, ...]:
        """Return all lemmas of a word form, as found by WordNet's morphy, the best first.

        >>> Lexicon.load().morphy("axes")
        ('ax', 'axis', 'axe')
        """
        if part is not None and part not in PARTS_OF_SPEECH:
            raise OptionError(f"a part of speech must be one of {', '.join(PARTS_OF_SPEECH)}, got {part!r}")
        word = _key(word)
        if not word.isascii():
            return ()
        parts = range(len(PARTS_OF_SPEECH)) if part is None else [PARTS_OF_SPEECH.index(part)]
        found = dict.fromkeys(lemma for number in parts for lemma in self.native.morphy(word, number))
        return tuple(map(self._text, found))

    def synonyms(self, lemma: str) -> frozenset[str]:
        """Return the members of all synsets of *lemma*, itself included; empty for an unknown lemma.

        >>> sorted(Lexicon.load().synonyms("sofa"))
        ['couch', 'lounge', 'sofa']
        """
        found = self._find(lemma)
        return frozenset(map(self._text, self.native.synonyms(found))) if found >= 0 else frozenset()

    def synset_numbers(self, lemma: str) -> frozenset[int]:
        """Return the numbers of all synsets of *lemma*, of every sense and part of speech; empty if unknown."""
        found = self._find(lemma)
        return frozenset(self.native.synsets(found)) if found >= 0 else frozenset()

    def share_synonym(self, one: str, other: str) -> bool:
        """Return whether two lemmas are equal or their sets of synonyms intersect (MAXSIM's Syn)."""
        one, other = _key(one), _key(other)
        return one == other or (one.isascii() and other.isascii() and self.native.share_synonym(one, other))

    def antonyms(self, lemma: str, *, indirect: bool = False) -> frozenset[str]:
        """Return the antonyms of *lemma* in any of its senses.

        WordNet lists antonyms as pairs of words: ``wet`` and ``dry``. Its adjectives form clusters, each a head with
        satellites of similar meaning. With *indirect*, an adjective of a head is also an antonym of all words of the
        opposite head and of its satellites (``wet`` and ``arid``), and a satellite of all words of the head opposite
        its own (``arid`` and ``wet``). Two satellites are never antonyms.

        >>> lexicon = Lexicon.load()
        >>> sorted(lexicon.antonyms("hot"))
        ['cold']
        >>> "arid" in lexicon.antonyms("wet"), "arid" in lexicon.antonyms("wet", indirect=True)
        (False, True)
        """
        if indirect:
            return self._relatives("indirect", lemma, lambda number: self.relations.antonyms(number, True))
        return self._relatives("direct", lemma, lambda number: self.relations.antonyms(number, False))

    def are_antonyms(self, one: str, other: str, *, indirect: bool = False) -> bool:
        """Return whether two lemmas are antonyms according to :meth:`antonyms`.

        >>> lexicon = Lexicon.load()
        >>> lexicon.are_antonyms("buy", "sell"), lexicon.are_antonyms("buy", "purchase")
        (True, False)
        >>> lexicon.are_antonyms("arid", "wet"), lexicon.are_antonyms("arid", "wet", indirect=True)
        (False, True)
        """
        return self.relations.are_antonyms(_ascii_key(one), _ascii_key(other), indirect)

    def hypernyms(self, lemma: str) -> frozenset[str]:
        """Return the words one step more general than *lemma*, in any of its senses as a noun or verb.

        >>> sorted(Lexicon.load().hypernyms("sofa"))
        ['seat']
        """
        return self._relatives("hypernyms", lemma, self.relations.hypernyms)

    def is_kind_of(self, one: str, other: str, depth: int = 3, *, senses: int = 3) -> bool:
        """Return whether 1 to *depth* steps up lead from *one* to *other*.

        Args:
            one: The more specific lemma.
            other: The more general lemma, in any of its senses.
            depth: Maximum number of steps.
            senses: Number of senses of *one* to start from, the most frequent ones of each part of speech.

        Raises:
            OptionError: *depth* or *senses* is below 1.

        >>> lexicon = Lexicon.load()
        >>> lexicon.is_kind_of("dog", "animal"), lexicon.is_kind_of("animal", "dog")
        (True, False)
        >>> lexicon.is_kind_of("dog", "animal", depth=1)
        False
        """
        depth, senses = _at_least_one("depth", depth), _at_least_one("senses", senses)
        return self.relations.is_kind_of(_ascii_key(one), _ascii_key(other), depth, senses)

    def are_siblings(self, one: str, other: str, *, senses: int = 3) -> bool:
        """Return whether two lemmas share a direct hypernym but no synset: different things of one kind.

        Args:
            one: A lemma.
            other: Another lemma.
            senses: Number of senses of each to consider, the most frequent ones of each part of speech.

        Raises:
            OptionError: *senses* is below 1.

        >>> lexicon = Lexicon.load()
        >>> lexicon.are_siblings("red", "blue"), lexicon.are_siblings("sofa", "couch")
        (True, False)
        """
        return self.relations.are_siblings(_ascii_key(one), _ascii_key(other), _at_least_one("senses", senses))

    def derivations(self, lemma: str) -> frozenset[str]:
        """Return the words that *lemma* is derived from or that are derived from it, in any sense.

        >>> lexicon = Lexicon.load()
        >>> "decision" in lexicon.derivations("decide"), "quick" in lexicon.derivations("quickly")
        (True, True)
        """
        return self._relatives("derivations", lemma, self.relations.derivations)

    def related_numbers(self, number: int) -> tuple[tuple[int, ...], ...]:
        """Return what is related to the lemma *number*, each rising: its synsets, and the numbers of the lemmas derived
        from it or it from them, of its antonyms (indirect ones too), and of the lemmas one step more general.
        """
        relations = self.relations
        return (
            tuple(sorted(self.native.synsets(number))),
            tuple(relations.derivations(number)),
            tuple(relations.antonyms(number, True)),
            tuple(relations.hypernyms(number)),
        )

    def similar(self, one: str, other: str) -> bool:
        """Return whether two adjectives are the head and a satellite of one cluster, in any of their senses.

        >>> lexicon = Lexicon.load()
        >>> lexicon.similar("dry", "arid"), lexicon.similar("dry", "wet")
        (True, False)
        """
        return self.relations.are_similar(_ascii_key(one), _ascii_key(other))

    def _relatives(self, relation: str, lemma: str, look_up: Callable[[int], list[int]]) -> frozenset[str]:
        found = self._related.get((relation, lemma))
        if found is None:
            if len(self._related) >= _MOST_RELATED:
                self._related.clear()
            number = self._find(lemma)
            found = frozenset(map(self._texts.__getitem__, look_up(number))) if number >= 0 else frozenset()
            self._related[relation, lemma] = found
        return found

    @cached_property
    def relations(self) -> _core.NativeWordRelations:
        """The relations between words in the native core."""
        from paragauge import _core

        if self._open_relations is None:
            raise DataError("this lexicon has no relations; open a lexicon folder with Lexicon.open")
        try:
            return _core.NativeWordRelations(self.native, _core.WordRelationColumns(**self._open_relations()))
        except ValueError as error:
            raise DataError(f"the lexicon is damaged: {error}") from error

    def number(self, lemma: str) -> int:
        """Return the number of a lemma; -1 if it is unknown."""
        return self._find(lemma)

    def numbers(self, lemmas: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of each lemma, spelt as in WordNet's index; -1 for an unknown lemma."""
        import numpy as np

        known = self._numbers
        unknown = [lemma for lemma in lemmas if lemma not in known]
        if unknown:
            if len(known) + len(unknown) > _MOST_KNOWN:
                known.clear()
                unknown = list(lemmas)
            known.update(zip(unknown, self.native.find_all(*pack_strings(map(_ascii, unknown))).tolist(), strict=True))
        return np.array([known[lemma] for lemma in lemmas], dtype=np.int32)

    def word_synsets(self, words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the synsets of each lower-case word in any inflection.

        Returns:
            All synset numbers, ascending within a word, and offsets: word i has ``all[offsets[i]:offsets[i+1]]``.
        """
        import numpy as np

        known = self._synsets
        unknown = [word for word in words if word not in known]
        if unknown:
            if len(known) + len(unknown) > _MOST_KNOWN:
                known.clear()
                unknown = list(words)
            found, starts = self.native.word_synsets(*pack_strings(map(_ascii, unknown)))
            for word, begin, end in zip(unknown, starts[:-1].tolist(), starts[1:].tolist(), strict=True):
                known[word] = array("i", found[begin:end].tobytes())
        synsets, offsets = array("i"), array("q", [0])
        for word in words:
            synsets += known[word]
            offsets.append(len(synsets))
        return np.array(synsets, dtype=np.int32), np.array(offsets, dtype=np.int64)

    def _find(self, lemma: str) -> int:
        key = _key(lemma)
        return self.native.find(key) if key.isascii() else -1

    def _text(self, number: int) -> str:
        return self._texts[number]

    @cached_property
    def _texts(self) -> _Texts:
        return _Texts(self.native)

    def __repr__(self) -> str:
        return f"<Lexicon: {len(self):,} lemmas>"


class _Texts(dict[int, str]):
    """Lemmas by number, each created once."""

    def __init__(self, native: _core.NativeLexicon) -> None:
        self._native = native

    def __missing__(self, number: int) -> str:
        text = self[number] = self._native.lemma(number).decode("ascii")
        return text


def _key(lemma: str) -> str:
    return lemma.lower().replace(" ", "_")


def _ascii_key(lemma: str) -> str:
    return _ascii(_key(lemma))


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise OptionError(f"{name} must be at least 1, got {value}")
    return min(value, _MOST_STEPS)


def _ascii(word: str) -> str:
    return word if word.isascii() else ""  # WordNet has no other letters and no empty lemma


@lru_cache(maxsize=1)
def _shipped() -> Lexicon:
    return Lexicon.open(SHIPPED / "wordnet")


def write_lexicon(path: PathLike, columns: dict[str, NDArray[Any]], inputs: dict[str, str], notice: str) -> None:
    """Write a lexicon folder with the licence *notice* alongside the data."""
    licence = "WordNet 3.0 licence, see " + LICENCE_FILE
    with write_resource(path, KIND, format=FORMAT, inputs=inputs, licence=licence) as folder:
        write_columns(folder, columns, {**_TYPES, **_RELATION_TYPES})
        (folder / LICENCE_FILE).write_text(notice, encoding="ascii")
