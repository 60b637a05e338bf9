"""From ordinary text to the judge of fluency.

The n-gram models come from tagged text. The weights of the losses come from pairs of sentences that mean the same: what
people wrote is good, and what a `Damager` makes of either sentence is bad. Sentences without a partner serve as
originals of their damaged forms. None of these sentences may be in the text: what a model has seen is no surprise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.analysis.providers import provider
from paragauge.errors import DataError
from paragauge.judges.damage import Damager
from paragauge.judges.fluency import (
    LOSSES,
    MARK,
    SENTENCE_END,
    Expectations,
    FluencyModel,
    TaggedSentence,
    class_of,
    is_mark,
    is_word,
)
from paragauge.lm.train import train_lm
from paragauge.text import get_tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DAMAGE_KINDS = (
    "shuffled",
    "function-words-dropped",
    "words-repeated",
    "neighbours-swapped",
    "inflection-broken",
    "half-dropped",
)

# Good examples weigh more than bad ones together: an ordinary paraphrase that is called broken does more harm than a
# broken one that passes.
_WEIGHT_OF_GOOD = 3.0
_RIDGE = 1e-4
_SWEEPS = 200
_BATCH = 1 << 14


@dataclass(frozen=True, slots=True)
class ExpectationOptions:
    """How to make `Expectations`.

    Attributes:
        words: How many of the most frequent words stay words.
        order: The length of the longest n-grams.
        min_counts: Rarer n-grams of each order are left out.
    """

    words: int
    order: int
    min_counts: tuple[int, ...]


GRAMMAR = ExpectationOptions(words=300, order=5, min_counts=(1, 2, 3, 4, 5))
WORDING = ExpectationOptions(words=20_000, order=3, min_counts=(1, 2, 3))


@dataclass(frozen=True, slots=True)
class Example:
    """A candidate with a verdict.

    Attributes:
        text: The kind of text.
        original: What it should say again.
        candidate: How it does so.
        damage: The kind of damage, nothing for what people wrote.
    """

    text: str
    original: str
    candidate: str
    damage: str = ""


def tag_sentences(sentences: Sequence[str], threads: int | None = None) -> list[TaggedSentence]:
    """Return the Penn tokens of each sentence in lower case, with the tags of the built-in tagger."""
    tokenize = get_tokenizer("penn")
    found: list[TaggedSentence] = []
    for begin in range(0, len(sentences), _BATCH):
        tokens = [tokenize(sentence) for sentence in sentences[begin : begin + _BATCH]]
        for analysis in provider("builtin").analyse(tokens, threads=threads):
            found.append([(word.lower(), tag) for word, tag in zip(analysis.words, analysis.tags or (), strict=True)])
    return found


def train_expectations(
    text: Sequence[TaggedSentence], options: ExpectationOptions, *, threads: int | None = None
) -> Expectations:
    """Return what may stand where in *text*.

    Every second sentence loses its punctuation, so that the models know text with and without it.

    Raises:
        DataError: There is too little text.
    """
    import numpy as np

    kept = _frequent_words(text, options.words)
    classes = [_classes(sentence, kept, marks=number % 2 == 0) for number, sentence in enumerate(text)]
    counts = Counter(name for sentence in classes for name in sentence)
    if MARK not in counts:
        raise DataError(f"found no punctuation between words in {len(text):,} sentences, expected ordinary text")
    model = train_lm(
        classes, order=options.order, min_counts=options.min_counts, discount_fallback=True, threads=threads
    )
    counts[SENTENCE_END] = len(classes)
    total = sum(counts.values())
    shares = np.array([max(counts[name], 1) / total for name in model.vocabulary])
    return Expectations(model, np.log10(shares).astype(np.float32))


def _frequent_words(text: Sequence[TaggedSentence], most: int) -> frozenset[str]:
    names, others = Counter[str](), Counter[str]()
    for sentence in text:
        for word, tag in sentence:
            if is_word(word):
                (names if tag.startswith("NNP") else others)[word] += 1
    ranked = sorted(others, key=lambda word: (-others[word], word))
    return frozenset(word for word in ranked[:most] if names[word] < others[word])


def _classes(sentence: TaggedSentence, kept: Collection[str], *, marks: bool) -> list[str]:
    classes: list[str] = []
    marked = False
    for word, tag in sentence:
        if is_word(word):
            if marked and classes:  # marks count once, and between words
                classes.append(MARK)
            marked = False
            classes.append(class_of(word, tag, kept))
        elif marks and is_mark(word):
            marked = True
    return classes


def make_examples(
    pairs: Mapping[str, Sequence[tuple[str, str]]],
    singles: Mapping[str, Sequence[str]],
    damager: Damager,
    kinds: Sequence[str] = DAMAGE_KINDS,
) -> list[Example]:
    """Return good and bad candidates.

    Args:
        pairs: Originals with paraphrases by people, by kind of text.
        singles: Originals without, by kind of text.
        damager: What makes bad candidates of originals and paraphrases.
        kinds: The kinds of damage.
    """
    examples = []
    for text, members in pairs.items():
        originals = [original for original, _ in members]
        examples += [Example(text, original, paraphrase) for original, paraphrase in members]
        for side in (originals, [paraphrase for _, paraphrase in members]):
            examples += _damaged(text, originals, side, damager, kinds)
    for text, sentences in singles.items():
        examples += _damaged(text, sentences, sentences, damager, kinds)
    return examples


def _damaged(
    text: str, originals: Sequence[str], sentences: Sequence[str], damager: Damager, kinds: Sequence[str]
) -> list[Example]:
    return [
        Example(text, original, candidate, kind)
        for kind in kinds
        for original, candidate in zip(originals, damager.damage(kind, sentences), strict=True)
        if candidate is not None
    ]


def example_losses(
    model: FluencyModel, examples: Sequence[Example], *, threads: int | None = None
) -> NDArray[np.float64]:
    """Return the losses of each example, a row each."""
    sentences = list(dict.fromkeys(text for example in examples for text in (example.candidate, example.original)))
    tagged = dict(zip(sentences, tag_sentences(sentences, threads), strict=True))
    return model.losses(
        [tagged[example.candidate] for example in examples], [tagged[example.original] for example in examples]
    )


def fit_weights(losses: NDArray[np.float64], examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights, none below zero, under which good examples are fluent and bad ones are not.

    The weights minimise -log fluency of the good examples and -log(1 - fluency) of the bad ones. Each kind of text
    counts alike, and in it each kind of damage.

    Raises:
        DataError: There are only good examples, or only bad ones.
    """
    import numpy as np

    good = np.array([not example.damage for example in examples])
    if good.all() or not good.any():
        raise DataError(f"found {int(good.sum()):,} good examples of {len(good):,}, expected good and bad ones")
    importance = _importance(examples)
    weights = np.ones(len(LOSSES))
    exponents = (losses * weights).sum(axis=1)
    # The function is convex: Newton's steps on one weight at a time find its minimum. Sums, unlike products of
    # matrices, come out the same for any number of threads.
    for _ in range(_SWEEPS):
        for column in range(len(LOSSES)):
            fluency = np.exp(-exponents)
            rest = np.maximum(1 - fluency, 1e-6)
            slope = importance * np.where(good, 1.0, -fluency / rest)
            bend = importance * np.where(good, 0.0, fluency / rest**2)
            own = losses[:, column]
            first = float((slope * own).sum()) + 2 * _RIDGE * weights[column]
            second = float((bend * own * own).sum()) + 2 * _RIDGE
            # Half of the way at most doubles a weight; far from the minimum a full step can overshoot.
            new = min(max(0.0, weights[column] - first / second), 2 * weights[column] + 0.1)
            exponents = np.maximum(0.0, exponents + (new - weights[column]) * own)
            weights[column] = new
    return {name: round(float(weight), 3) for name, weight in zip(LOSSES, weights, strict=True)}


def _importance(examples: Sequence[Example]) -> NDArray[np.float64]:
    import numpy as np

    sizes = Counter((example.text, example.damage) for example in examples)
    good_groups = sum(not damage for _, damage in sizes)
    bad_groups = len(sizes) - good_groups
    return np.array(
        [
            (1 / bad_groups if example.damage else _WEIGHT_OF_GOOD / good_groups) / sizes[example.text, example.damage]
            for example in examples
        ]
    )


def train_fluency(
    text: Sequence[str],
    examples: Sequence[Example],
    *,
    grammar: ExpectationOptions = GRAMMAR,
    wording: ExpectationOptions = WORDING,
    threads: int | None = None,
) -> FluencyModel:
    """Return a judge of fluency that has learned from ordinary *text* and from *examples*.

    Raises:
        DataError: There is too little text, or there are only good examples, or only bad ones.
    """
    judged = {sentence for example in examples for sentence in (example.original, example.candidate)}
    tagged = tag_sentences([sentence for sentence in dict.fromkeys(text) if sentence not in judged], threads)
    unweighted = FluencyModel(
        train_expectations(tagged, grammar, threads=threads),
        train_expectations(tagged, wording, threads=threads),
        dict.fromkeys(LOSSES, 1.0),
    )
    weights = fit_weights(example_losses(unweighted, examples, threads=threads), examples)
    return FluencyModel(unweighted.grammar, unweighted.wording, weights)
