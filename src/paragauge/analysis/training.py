"""Train the models that ship with paragauge from treebanks.

The same treebanks and options give the same bytes. The parsers learn from predicted tags (and dependencies), made by
models that have not seen the sentence: the treebanks are split into folds, and each fold is analysed by models trained
on the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from paragauge import _core
from paragauge.analysis.lexicon import PARTS_OF_SPEECH, Lexicon
from paragauge.analysis.model import BLOCKS
from paragauge.analysis.sentence import Analysis
from paragauge.analysis.tree import Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

Report: TypeAlias = Callable[[str], None]
_PerVariant: TypeAlias = "list[NDArray[Any]]"  # one number for each word, in each variant of the treebanks

_FREQUENT = 5  # from this many occurrences, a word's tags count as known
_CLOSED = 100  # from this many occurrences, a word has only the tags seen
_LEAST_SHARE = 0.02  # minimum share of a tag among the tags of a word
_OTHER, _COMMA, _VERB, _CONJUNCTION = range(4)
_CLOSED_BIT = 1 << 63
_LEMMA_BITS = (1, 2, 4, 8)  # noun, verb, adjective, adverb; the native core names these bits and the others
_COMPLETE = 1 << 15
_WIDTHS = (2, 4, 1)  # beam widths for analysing the folds
_TEACHER_WIDTHS = (1, 1, 8)
_MOST_LABELS = 255


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one model is trained."""

    epochs: int
    width: int
    """Beam width."""
    bytes: int
    """Maximum size of its weights."""
    variant_share: float = 0.25
    """How often an epoch uses a variant of a sentence instead of the treebank's spelling."""
    runs: int = 1
    """Number of runs from scratch; averaging their weights makes the result depend less on the random seed."""
    seed: int = 1
    least_notes: int = 2
    """Minimum number of occurrences of a feature in the treebanks."""


@dataclass(frozen=True, slots=True)
class Recipes:
    """Recipes of all models: those that ship, and the fast ones that analyse the parsers' training data."""

    tagger: Recipe = Recipe(8, 3, 1_700_000, runs=3)
    dependencies: Recipe = Recipe(6, 4, 5_500_000, runs=3, least_notes=6)
    constituents: Recipe = Recipe(6, 6, 2_500_000, runs=3, least_notes=3)
    fold_tagger: Recipe = Recipe(4, 2, 2_000_000)
    fold_dependencies: Recipe = Recipe(3, 4, 4_550_000, least_notes=6)
    teacher: Recipe = Recipe(8, 6, 8_000_000, least_notes=3)
    """Recipe of the parser that provides trees for sentences without one."""
    folds: int = 4


def normalise_quotes(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the words with quotation marks in the style of the Penn tokeniser."""
    return [
        tag if tag in ("``", "''") and word in ('"', "“", "”") else word for word, tag in zip(words, tags, strict=True)
    ]


def variants(treebank: Sequence[Analysis]) -> list[list[list[str]]]:
    """Return variants of the sentences: unchanged, lower case, with Penn quotes, with both, uncapitalised."""
    plain = [list(sentence.words) for sentence in treebank]
    return [
        plain,
        [[word.lower() for word in words] for words in plain],
        [normalise_quotes(sentence.words, sentence.tags or ()) for sentence in treebank],
        [[word.lower() for word in normalise_quotes(sentence.words, sentence.tags or ())] for sentence in treebank],
        [[words[0][:1].lower() + words[0][1:], *words[1:]] for words in plain],
    ]


def tag_kinds(tags: Sequence[str]) -> NDArray[np.uint8]:
    """Return the properties of each tag that the dependency parser needs."""
    kinds = np.zeros(256, np.uint8)
    for number, tag in enumerate(tags):
        if tag in {",", ":", "-LRB-", "-RRB-"}:
            kinds[number] = _COMMA
        elif tag.startswith(("VB", "MD")):
            kinds[number] = _VERB
        elif tag == "CC":
            kinds[number] = _CONJUNCTION
    return kinds


def dictionary_kinds(lexicon: Lexicon, treebank: Sequence[Analysis]) -> dict[bytes, int]:
    """Return the lexicon's information on words as bits: for lemmas of one word, and all forms in the treebank.

    The native core derives regular inflected forms of other words from the lemmas.
    """
    kinds: dict[bytes, int] = {}
    for number in range(len(lexicon)):
        lemma = lexicon.native.lemma(number)
        if b"_" not in lemma:
            text = lemma.decode("ascii")
            kinds[lemma] = sum(
                bit
                for part, bit in zip(PARTS_OF_SPEECH, _LEMMA_BITS, strict=True)
                if text in lexicon.morphy(text, part)
            )
    counts = Counter(form for sentence in treebank for form in _core.normal_forms(sentence.words))
    for form, count in counts.items():
        found = _form_kinds(lexicon, form.decode("utf-8", "replace"))
        if found or count >= _FREQUENT:
            kinds[form] = found | (_COMPLETE if count >= _FREQUENT else 0)
    return kinds


def _form_kinds(lexicon: Lexicon, form: str) -> int:
    kinds = 0
    for part, bit in zip(PARTS_OF_SPEECH, _LEMMA_BITS, strict=True):
        for lemma in lexicon.morphy(form, part):
            if lemma == form:
                kinds |= bit
            elif part == "n":
                kinds |= 16
            elif part == "v":
                kinds |= 32 if form.endswith("s") else 128 if form.endswith("ing") else 64
            elif part == "a":
                kinds |= 512 if form.endswith("st") else 256
    return kinds


def word_table(treebank: Sequence[Analysis], tags: Sequence[str], kinds: Mapping[bytes, int]) -> bytes:
    """Return the word table: the tags of frequent words, and the dictionary's information on all words."""
    numbers = {tag: number for number, tag in enumerate(tags)}
    counts: dict[bytes, Counter[int]] = {}
    for sentence in treebank:
        for form, tag in zip(_core.normal_forms(sentence.words), sentence.tags or (), strict=True):
            counts.setdefault(form, Counter())[numbers[tag]] += 1
    sets: dict[int, int] = {0: 0}
    rows: dict[bytes, int] = {}
    for form, found in counts.items():
        total = found.total()
        if total < _FREQUENT:
            continue
        closed = total >= _CLOSED
        # Sets are also distinguished by their most frequent tag.
        kept = [tag for tag, count in found.most_common() if count >= _LEAST_SHARE * total]
        if closed:  # such a rare tag is most likely an error
            kept = [tag for tag, count in found.items() if count > 1]
        key = sum(1 << tag for tag in kept) | (_CLOSED_BIT if closed else 0)
        rows[form] = sets.setdefault(key, len(sets))
    forms = sorted(rows.keys() | kinds.keys())
    return _core.pack_words(
        forms,
        np.array([rows.get(form, 0) for form in forms], np.uint16),
        np.array([kinds.get(form, 0) for form in forms], np.uint16),
        np.array(list(sets), np.uint64),
    )


def aligned(data: bytes) -> NDArray[np.uint8]:
    """Return the bytes at an address that is a multiple of eight, as the native core requires."""
    array = np.empty(len(data) // 8 + 1, np.uint64).view(np.uint8)[: len(data)]
    array[:] = np.frombuffer(data, np.uint8)
    return array


def label_chains(tree: Tree) -> list[tuple[int, int, str]]:
    """Return the spans of a tree, each once: labels on the same words are joined, as in ``S+VP``."""
    chains: dict[tuple[int, int], str] = {}
    for label, begin, end in tree.without_functions().spans:
        known = chains.get((begin, end))
        chains[begin, end] = label if known is None else f"{known}+{label}"
    return [(begin, end, label) for (begin, end), label in chains.items()]


@dataclass(frozen=True)
class Training:
    """One training run: its data and its results so far."""

    sentences: Sequence[Analysis]
    """Sentences with tags and dependencies."""
    trees: Mapping[int, Tree]
    """Trees of some of the sentences, by sentence number."""
    kinds: Mapping[bytes, int]
    """The dictionary's information on words."""
    recipes: Recipes = field(default_factory=Recipes)
    report: Report = field(default=lambda text: None)
    threads: int = 1

    def run(self) -> tuple[dict[str, list[str]], dict[str, bytes]]:
        """Return the names and the blocks of a model file."""
        everything = range(len(self.sentences))
        words = self._word_table(everything)
        tagger = self._train_tagger(everything, words, self.recipes.tagger, "tagger")
        tags = self._fold_tags()
        arcs, relations = self._train_dependencies(everything, tags, self.recipes.dependencies, "dependencies")
        structure, labels = b"", b""
        if self.trees:
            heads, names_of_heads = self._fold_dependencies(words, tagger, tags)
            structure, labels = self._train_constituents(
                everything,
                self._spans(words, tagger),
                tags,
                heads,
                names_of_heads,
                self.recipes.constituents,
                "constituents",
            )
        names = {"tags": self.tags, "relations": self.relations, "labels": self.labels}
        blocks = (words, tagger, arcs, relations, structure, labels)
        return names, dict(zip(BLOCKS, blocks, strict=True))

    def unseen(self) -> list[Analysis]:
        """Return the sentences as models analyse them that have not seen them: with the errors of new text."""
        everything = range(len(self.sentences))
        words = self._word_table(everything)
        tags = self._fold_tags()
        # The parsers are given the tags of the folds; an analyser only has to have some tagger.
        tagger = self._train_tagger(everything, words, replace(self.recipes.fold_tagger, epochs=1), "tagger")
        heads, relations = self._fold_dependencies(words, tagger, tags)
        names = [*self.relations, *[""] * (255 - len(self.relations)), "root"]
        lexicon = Lexicon.load()
        found, begin = [], 0
        for sentence in self.sentences:
            end = begin + len(sentence.words)
            own = tuple(self.tags[number] for number in tags[0][begin:end])
            found.append(
                Analysis(
                    sentence.words,
                    tags=own,
                    lemmas=lexicon.lemmas(sentence.words, own),
                    heads=tuple(heads[0][begin:end].tolist()),
                    relations=tuple(names[number] for number in relations[0][begin:end]),
                )
            )
            begin = end
        return found

    @cached_property
    def tags(self) -> list[str]:
        """All tags of the treebanks."""
        return sorted({tag for sentence in self.sentences for tag in sentence.tags or ()})

    @cached_property
    def relations(self) -> list[str]:
        """All relations between words."""
        return sorted({name for one in self.sentences for name in one.relations or ()} - {"root"})

    @cached_property
    def labels(self) -> list[str]:
        """No label, and all chains of labels that occur at least twice."""
        counts = Counter(label for tree in self.trees.values() for _, _, label in label_chains(tree))
        frequent = sorted(label for label, count in counts.items() if count > 1)
        return ["", *sorted(frequent, key=lambda label: -counts[label])[:_MOST_LABELS]] if frequent else []

    @cached_property
    def _variants(self) -> list[list[list[str]]]:
        return variants(self.sentences)

    @cached_property
    def _owners(self) -> NDArray[np.int64]:
        """The number of the sentence that each word belongs to."""
        return np.repeat(np.arange(len(self.sentences)), [len(sentence.words) for sentence in self.sentences])

    def _words_of(self, places: Sequence[int]) -> NDArray[np.bool_]:
        return np.isin(self._owners, places)

    def _texts(self, places: Sequence[int]) -> list[list[list[str]]]:
        return [[texts[place] for place in places] for texts in self._variants]

    def _word_table(self, places: Sequence[int]) -> bytes:
        return word_table([self.sentences[place] for place in places], self.tags, self.kinds)

    def _schedule(self, recipe: Recipe, name: str) -> _core.Schedule:
        def tell(epoch: int, mistakes: int) -> None:
            self.report(f"{name}: epoch {epoch} of {recipe.runs * recipe.epochs}, {mistakes:,} sentences with errors")

        return _core.Schedule(
            epochs=recipe.epochs,
            runs=recipe.runs,
            width=recipe.width,
            variant_share=recipe.variant_share,
            seed=recipe.seed,
            least_notes=recipe.least_notes,
            report=tell,
        )

    def _train_tagger(self, places: Sequence[int], words: bytes, recipe: Recipe, name: str) -> bytes:
        return _core.train_tagger(
            self._texts(places),
            tags=self._gold_tags[self._words_of(places)],
            tag_count=len(self.tags),
            words=aligned(words),
            bytes=recipe.bytes,
            schedule=self._schedule(recipe, name),
        )

    def _train_dependencies(
        self, places: Sequence[int], tags: _PerVariant, recipe: Recipe, name: str
    ) -> tuple[bytes, bytes]:
        mask = self._words_of(places)
        return _core.train_dependencies(
            self._texts(places),
            predicted_tags=[each[mask] for each in tags],
            heads=self._gold_heads[mask],
            relations=self._gold_relations[mask],
            relation_count=len(self.relations),
            tag_kinds=tag_kinds(self.tags),
            bytes=recipe.bytes,
            schedule=self._schedule(recipe, name),
        )

    def _train_constituents(
        self,
        places: Sequence[int],
        spans: NDArray[np.int32],
        tags: _PerVariant,
        heads: _PerVariant,
        relations: _PerVariant,
        recipe: Recipe,
        name: str,
    ) -> tuple[bytes, bytes]:
        mask = self._words_of(places)
        return _core.train_constituents(
            self._texts(places),
            predicted_tags=[each[mask] for each in tags],
            predicted_heads=[each[mask] for each in heads],
            predicted_relations=[each[mask] for each in relations],
            spans=spans,
            label_count=len(self.labels),
            bytes=recipe.bytes,
            schedule=self._schedule(recipe, name),
        )

    def _spans(self, words: bytes, tagger: bytes) -> NDArray[np.int32]:
        """Return rows of (sentence, begin, end, label) for all sentences, with and without trees.

        Missing trees come from a parser that uses the gold tags and dependencies, both in training and here, since
        they determine most of a tree.
        """
        numbers = {label: number for number, label in enumerate(self.labels)}
        known = sorted(self.trees)
        rows = np.array(
            [
                (row, begin, end, numbers[label])
                for row, place in enumerate(known)
                for begin, end, label in label_chains(self.trees[place])
                if label in numbers
            ],
            np.int32,
        )
        others = sorted(set(range(len(self.sentences))) - set(known))
        spans = [np.column_stack([np.array(known, np.int32)[rows[:, 0]], rows[:, 1:]])]
        if others:
            variants = len(self._variants)
            tags, heads, relations = self._gold_tags, self._gold_heads, self._gold_relations
            structure, labels = self._train_constituents(
                known,
                rows,
                [tags] * variants,
                [heads] * variants,
                [relations] * variants,
                self.recipes.teacher,
                "teacher",
            )
            teacher = _core.Analyser(
                words=aligned(words),
                tag_kinds=tag_kinds(self.tags),
                tagger=aligned(tagger),
                structure=aligned(structure),
                labels=aligned(labels),
            )
            mask = self._words_of(others)
            texts = self._texts(others)[0]
            taught = teacher.analyse(
                texts,
                dependencies=True,
                trees=True,
                threads=self.threads,
                widths=_TEACHER_WIDTHS,
                given_tags=tags[mask],
                given_heads=heads[mask],
                given_relations=relations[mask],
            )[3]
            spans.append(np.column_stack([np.array(others, np.int32)[taught[:, 0]], taught[:, 1:]]))
        return np.ascontiguousarray(np.concatenate(spans), np.int32)

    @cached_property
    def _gold_tags(self) -> NDArray[np.uint8]:
        numbers = {tag: number for number, tag in enumerate(self.tags)}
        return np.array([numbers[tag] for sentence in self.sentences for tag in sentence.tags or ()], np.uint8)

    @cached_property
    def _gold_heads(self) -> NDArray[np.int32]:
        return np.array([head for sentence in self.sentences for head in sentence.heads or ()], np.int32)

    @cached_property
    def _gold_relations(self) -> NDArray[np.uint8]:
        numbers = {relation: number for number, relation in enumerate([*self.relations, "root"])}
        return np.array([numbers[name] for sentence in self.sentences for name in sentence.relations or ()], np.uint8)

    def _fold_tags(self) -> _PerVariant:
        """Return the tags of every sentence from taggers that have not seen it."""
        folds = self.recipes.folds
        tags: _PerVariant = [np.zeros(len(self._owners), np.uint8) for _ in self._variants]

        def fold(number: int) -> None:
            held = range(number, len(self.sentences), folds)
            rest = sorted(set(range(len(self.sentences))) - set(held))
            words = self._word_table(rest)
            tagger = self._train_tagger(rest, words, self.recipes.fold_tagger, f"tagger without fold {number + 1}")
            analyser = _core.Analyser(words=aligned(words), tag_kinds=tag_kinds(self.tags), tagger=aligned(tagger))
            for variant, texts in zip(tags, self._texts(held), strict=True):
                found = analyser.analyse(texts, dependencies=False, trees=False, threads=1, widths=_WIDTHS)
                variant[self._words_of(held)] = found[0]

        self._run_folds(fold, folds)
        return tags

    def _fold_dependencies(self, words: bytes, tagger: bytes, tags: _PerVariant) -> tuple[_PerVariant, _PerVariant]:
        """Return the heads and relations of every sentence from parsers that have not seen it."""
        folds = self.recipes.folds
        heads: _PerVariant = [np.full(len(self._owners), -1, np.int32) for _ in self._variants]
        relations: _PerVariant = [np.zeros(len(self._owners), np.uint8) for _ in self._variants]

        def fold(number: int) -> None:
            held = range(number, len(self.sentences), folds)
            rest = sorted(set(range(len(self.sentences))) - set(held))
            name = f"dependencies without fold {number + 1}"
            arcs, names = self._train_dependencies(rest, tags, self.recipes.fold_dependencies, name)
            analyser = _core.Analyser(
                words=aligned(words),
                tag_kinds=tag_kinds(self.tags),
                tagger=aligned(tagger),
                arcs=aligned(arcs),
                relations=aligned(names),
            )
            mask = self._words_of(held)
            for variant, texts in enumerate(self._texts(held)):
                found = analyser.analyse(
                    texts, dependencies=True, trees=False, threads=1, widths=_WIDTHS, given_tags=tags[variant][mask]
                )
                heads[variant][mask], relations[variant][mask] = found[1], found[2]

        self._run_folds(fold, folds)
        return heads, relations

    def _run_folds(self, fold: Callable[[int], None], folds: int) -> None:
        with ThreadPoolExecutor(self.threads) as pool:
            for _ in pool.map(fold, range(folds)):
                pass
