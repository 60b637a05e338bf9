"""Make the grammar that ships with paragauge for 'paragauge generate': the same bytes every time.

    python tools/make_rewriting.py [DATA] [-o FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default), the output ``src/paragauge/data/rewriting/default``.
The rules are pairs of the shipped paraphrase table (`make_paraphrases.py`) that are probable both ways, agree in what
a paraphrase must not change (numbers, dates, negations, pronouns, quantifiers, modal verbs), lose no content word, are
not opposites or forms of one word, and are used alike: in tagged English text, the first and last word of one phrase
have tags that those of the other have too. Where *a* or *an* depends on the phrase, a second rule has the article.
Features: -ln p both ways, -ln of how much the two distributions of tags overlap (``Usage``), -ln of how alike the words
before and after both phrases are (``Neighbours``), the share of senses in WordNet that both words have (``Senses``),
and 1 (``Edits``). Rules that are rather wrong than right by these features are left out (`ODDS`).
"""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.providers import provider
from paragauge.grammar.grammar import Grammar
from paragauge.grammar.rule import Rule
from paragauge.io import read_lines
from paragauge.judges.closed_words import DATE_WORDS, NEGATIONS, QUANTIFIER_GROUPS, number_value, word_set
from paragauge.metrics.meteor import FUNCTION_WORDS
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.text.normalize import get_stemmer
from paragauge.text.pipeline import TextPipeline
from paragauge.text.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "src" / "paragauge" / "data"
TEXTS = {
    "english_text/tatoeba.en.gz": 300_000,
    "bitexts/europarl/en-fr.en.gz": 40_000,
    "english_text/wiki-split.en.gz": 8_000,
    "english_text/wikitext-2.en.gz": 8_000,
}
NEIGHBOUR_TEXTS = {
    "english_text/tatoeba.en.gz": 400_000,
    "english_text/wiki-split.en.gz": None,
    "english_text/wikitext-2.en.gz": None,
    "english_text/common-voice.en.gz": None,
    "english_text/standard-ebooks.en.gz": None,
    "bitexts/europarl/en-fr.en.gz": None,
    "bitexts/europarl/en-de.en.gz": None,
    "bitexts/europarl/en-es.en.gz": None,
}
LEAST_FORWARD, LEAST_BACKWARD = 0.01, 0.002  # p(e2|e1), p(e1|e2) of phrases
LEAST_FORWARD_OF_WORDS, LEAST_BACKWARD_OF_WORDS = 0.003, 0.001
LEAST_SENSES = 0.3  # that two words share, of those of the one with fewer
LEAST_OF_PHRASES, LEAST_OF_FUNCTION_WORDS = 0.06, 0.1  # p(e2|e1) where WordNet does not help
LEAST_SEEN = 3  # uses of a phrase, below which its tags are not known
LEAST_OVERLAP, LEAST_OVERLAP_OF_WORDS = 0.02, 0.3
LEAST_OF_NEIGHBOUR, LEAST_OF_PAIR = 5, 2  # times a neighbour must be seen at all, and beside a phrase
LEAST_ALIKE = 0.01
LEAST_WITH_ARTICLE = 0.03  # of the uses of a phrase
# ln of the odds that a rule is right in a sentence: logistic regression on 327 rewritings of single phrases in 120
# sentences, judged by one reader, with the change of the language model's score as a feature of its own (0.097).
ODDS = {"p(e|f)": -0.592, "p(f|e)": -0.142, "Usage": -0.367, "Neighbours": -1.387, "Senses": 0.791, "Edits": 5.47}
LEAST_ODDS = 0.0
STEM = get_stemmer("porter")
MOST_RULES = 8  # for one source side
LONGEST = 4
PRONOUNS = word_set(
    "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself we "
    "us our ours ourselves they them their theirs themselves who whom whose which what where when why how this that "
    "these those here there everybody everyone somebody someone anybody anyone nobody if unless because although "
    "though while but or than dozens hundreds thousands millions billions"
)
MODALS = word_set("will would 'll 'd shall should can could ca may might must wo ought")
FAMILIES = frozenset({"quantity", "time", "height", "direction"})  # of closed_words.QUANTIFIER_GROUPS
LICENCE = (
    "Statistics of Europarl (free to reuse with acknowledgement), Tatoeba (CC BY 2.0 FR), UD PUD (CC BY-SA 3.0) and "
    "XQuAD (CC BY-SA 4.0); tags and neighbours in these, Wikipedia (CC BY-SA 4.0), Common Voice (CC0) and "
    "Standard Ebooks (public domain)"
)


def usage(data: Path, phrases: frozenset[str]) -> dict[str, Counter[tuple[str, str]]]:
    """Return for each phrase how often its first and last word have which tags."""
    pipeline = TextPipeline(tokenizer="penn", lowercase=True)
    sentences = [
        tokens
        for name, most in TEXTS.items()
        for tokens in map(pipeline, list(read_lines(data / name))[:most])
        if len(tokens) <= 50
    ]
    found: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for analysis in provider("builtin").analyse(sentences):
        words, tags = analysis.words, analysis.tags or ()
        for first in range(len(words)):
            for last in range(first, min(first + LONGEST, len(words))):
                text = " ".join(words[first : last + 1])
                if text in phrases:
                    found[text][tags[first], tags[last]] += 1
    return found


def overlap(one: Counter[tuple[str, str]], other: Counter[tuple[str, str]]) -> float:
    """Return the share of uses that two phrases have in common, by their tags."""
    totals = one.total(), other.total()
    if min(totals) < LEAST_SEEN:
        return 0.0
    return sum(min(one[tags] / totals[0], other[tags] / totals[1]) for tags in one.keys() & other.keys())


class Neighbours:
    """Which words stand before and after phrases in text.

    Args:
        texts: Sentences as tokens.
        phrases: Phrases of at most `LONGEST` words.
    """

    def __init__(self, texts: Iterable[Sequence[str]], phrases: Iterable[str]) -> None:
        vocabulary = Vocabulary.of([""])
        encoded = vocabulary.encode(("", *tokens) for tokens in texts)
        words = np.append(encoded.ids, 0).astype(np.int64)
        size = len(vocabulary)
        counts = np.bincount(words, minlength=size)
        self._numbers: dict[str, int] = {}
        by_length: dict[int, dict[tuple[int, ...], int]] = defaultdict(dict)
        for phrase in sorted(phrases):
            tokens = tuple(vocabulary.get(word, -1) for word in phrase.split())
            if min(tokens) >= 0:
                self._numbers[phrase] = by_length[len(tokens)].setdefault(tokens, len(self._numbers))
        places, found, lengths = [], [], []
        for length, wanted in by_length.items():
            keys = _rolling(np.array(list(wanted), np.int64).T, size)
            order = np.argsort(keys)
            last = len(words) - length  # a neighbour on both sides
            text = _rolling([words[1 + k : last + k] for k in range(length)], size)
            at = np.minimum(np.searchsorted(keys[order], text), len(keys) - 1)
            hits = np.flatnonzero(keys[order][at] == text)
            places.append(hits + 1)
            found.append(np.array(list(wanted.values()))[order][at[hits]])
            lengths.append(np.full(len(hits), length))
        place, phrase, length = map(np.concatenate, (places, found, lengths))
        self._seen = np.bincount(phrase, minlength=len(self._numbers))
        shares = counts / counts.sum()
        self._sides = [_associations(phrase, words[where], counts, shares) for where in (place - 1, place + length)]
        before = words[place - 1]
        self._articles = {
            article: np.bincount(phrase[before == vocabulary.get(article, -1)], minlength=len(self._numbers))
            for article in ("a", "an")
        }

    def alike(self, one: str, other: str) -> float:
        """Return how alike the neighbours of two phrases are: the mean of the cosines of both sides."""
        numbers = self._numbers.get(one), self._numbers.get(other)
        if numbers[0] is None or numbers[1] is None:
            return 0.0
        return sum(_cosine(side[numbers[0]], side[numbers[1]]) for side in self._sides) / len(self._sides)

    def article(self, phrase: str) -> str:
        """Return the indefinite article that stands before a phrase, or nothing if it rarely has one."""
        number = self._numbers.get(phrase)
        if number is None:
            return ""
        a, an = (int(self._articles[article][number]) for article in ("a", "an"))
        if max(a, an) < max(LEAST_SEEN, LEAST_WITH_ARTICLE * self._seen[number]):
            return ""
        return "a" if a > an else "an"


def _rolling(columns: Sequence[NDArray[np.int64]] | NDArray[np.int64], size: int) -> NDArray[np.uint64]:
    """Return one number for each row of word numbers; the numbers wrap around, which hardly ever confuses two."""
    total = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        total = total * np.uint64(size | 1) + column.astype(np.uint64)
    return total


def _associations(
    phrase: NDArray[np.int64], word: NDArray[np.int64], counts: NDArray[np.int64], shares: NDArray[np.float64]
) -> dict[int, dict[int, float]]:
    """Return for each phrase the words with which it stands more often than by chance, by ln of how much more often."""
    known = counts[word] >= LEAST_OF_NEIGHBOUR
    keys, times = np.unique(phrase[known] * len(counts) + word[known], return_counts=True)
    often = times >= LEAST_OF_PAIR
    one, other, times = keys[often] // len(counts), keys[often] % len(counts), times[often]
    logs = np.log(times / np.bincount(one, times)[one] / shares[other])
    found: dict[int, dict[int, float]] = defaultdict(dict)
    for k in np.flatnonzero(logs > 0).tolist():
        found[int(one[k])][int(other[k])] = float(logs[k])
    return found


def _cosine(one: dict[int, float], other: dict[int, float]) -> float:
    product = sum(value * other[key] for key, value in one.items() if key in other)
    return product / math.hypot(*one.values()) / math.hypot(*other.values()) if product else 0.0


def kept_words(words: Iterable[str]) -> Counter[str]:
    """Return what a paraphrase must not change."""
    found: Counter[str] = Counter()
    for word in words:
        if number_value(word) is not None:
            found[f"number {number_value(word)}"] += 1
        elif word in NEGATIONS:
            found["negation"] += 1
        elif word in PRONOUNS or word in DATE_WORDS or word in MODALS:
            found[{"'ll": "will", "wo": "will", "'d": "would", "ca": "can"}.get(word, word)] += 1
        elif QUANTIFIER_GROUPS.get(word, ("", ""))[0] in FAMILIES:
            found[" ".join(QUANTIFIER_GROUPS[word])] += 1
    return found


def is_likely(one: str, other: str, forward: float, backward: float) -> bool:
    """Return whether a pair is probable both ways."""
    if " " in one or " " in other:
        return forward >= LEAST_FORWARD and backward >= LEAST_BACKWARD
    return forward >= LEAST_FORWARD_OF_WORDS and backward >= LEAST_BACKWARD_OF_WORDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.get("PARAGAUGE_DATA"))
    parser.add_argument("-o", "--output", type=Path, default=SHIPPED / "rewriting" / "default")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give the data folder, or set PARAGAUGE_DATA")
    table = ParaphraseTable.open(SHIPPED / "paraphrases" / "default")
    by_source: dict[str, list[tuple[float, Rule]]] = defaultdict(list)
    for source, target, features in made_rules(table, Path(arguments.data)):
        text = " ".join(f"{name}={value:.4f}" for name, value in features.items())
        by_source[source].append((-odds(features), Rule.parse(f"[X] ||| {source} ||| {target} ||| {text}")))
    kept = [
        rule
        for source in sorted(by_source)
        for _, rule in sorted(by_source[source], key=lambda each: (each[0], each[1].target_text))[:MOST_RULES]
    ]
    arguments.output.parent.mkdir(exist_ok=True)
    Grammar.from_rules(kept, options={"made_from": table.digest}).save(arguments.output, licence=LICENCE)
    print(f"{len(kept):,} rules for {len(by_source):,} phrases")


def made_rules(table: ParaphraseTable, data: Path) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield rules: source, target and features."""
    scores = {(phrase, one.text): one.score for phrase, one in table}
    lexicon = Lexicon.load()
    likely = [
        (one, other)
        for (one, other), score in scores.items()
        if is_likely(one, other, score, scores.get((other, one), 0.0))
        and kept_words(one.split()) == kept_words(other.split())
        and agree(lexicon, one, other, score)
    ]
    print(f"{len(likely):,} likely pairs")
    phrases = frozenset(text for pair in likely for text in (*pair, *(core(*pair) or ())))
    used = usage(data, phrases)
    neighbours = Neighbours(texts(data), phrases)
    for one, other in likely:
        share, changed = overlap(used[one], used[other]), core(one, other)
        if share < LEAST_OVERLAP or (
            changed is not None and overlap(*(used[word] for word in changed)) < LEAST_OVERLAP_OF_WORDS
        ):
            continue
        features = {
            "p(e|f)": -math.log(scores[one, other]),
            "p(f|e)": -math.log(scores[other, one]),
            "Usage": abs(math.log(share)),
            "Neighbours": -math.log(max(LEAST_ALIKE, neighbours.alike(*(changed or (one, other))))),
            "Senses": 0.5 if changed is None else shared_senses(lexicon, *changed),
            "Edits": 1.0,
        }
        if odds(features) < LEAST_ODDS:
            continue
        yield one, other, features
        article, new = neighbours.article(one), neighbours.article(other)
        if article and new and article != new:
            yield f"{article} {one}", f"{new} {other}", features


def odds(features: Mapping[str, float]) -> float:
    """Return ln of the odds that a rule is right, where the language model has no opinion."""
    return sum(weight * features[name] for name, weight in ODDS.items())


def texts(data: Path) -> Iterator[tuple[str, ...]]:
    """Yield English sentences, each once."""
    pipeline = TextPipeline(tokenizer="penn", lowercase=True)
    lines = dict.fromkeys(
        line for name, most in NEIGHBOUR_TEXTS.items() for line in islice(read_lines(data / name), most)
    )
    return map(pipeline, lines)


def core(one: str, other: str) -> tuple[str, str] | None:
    """Return the two words in which phrases differ, if it is only these."""
    ours, theirs = (Counter(text.split()) for text in (one, other))
    mine, yours = list((ours - theirs).elements()), list((theirs - ours).elements())
    return (mine[0], yours[0]) if len(mine) == len(yours) == 1 else None


def shared_senses(lexicon: Lexicon, one: str, other: str) -> float:
    """Return the share of the senses of a word in which another can stand for it."""
    ours, theirs = (lexicon.synset_numbers(lexicon.lemma(word)) for word in (one, other))
    return len(ours & theirs) / max(1, len(ours))


def agree(lexicon: Lexicon, one: str, other: str, score: float) -> bool:
    """Return whether the words in which two phrases differ may stand for each other."""
    ours, theirs = Counter(one.split()), Counter(other.split())
    mine, yours = (
        [word for word in (left - right).elements() if word not in FUNCTION_WORDS]
        for left, right in ((ours, theirs), (theirs, ours))
    )
    if bool(mine) != bool(yours):  # something was lost or added
        return False
    if {STEM(word) for word in mine} & {STEM(word) for word in yours}:  # another form of the same word
        return False
    if len(mine) != 1 or len(yours) != 1:
        return score >= (LEAST_OF_PHRASES if mine and yours else LEAST_OF_FUNCTION_WORDS)
    lemmas = lexicon.lemma(mine[0]), lexicon.lemma(yours[0])
    if lemmas[0] == lemmas[1] or lexicon.are_antonyms(*lemmas, indirect=True):
        return False
    senses = [lexicon.synset_numbers(lemma) for lemma in lemmas]
    if not all(senses):
        return score >= LEAST_OF_PHRASES and (" " in one or " " in other)
    shared = len(senses[0] & senses[1]) / min(map(len, senses))
    return (
        shared >= LEAST_SENSES
        or any(lexicon.is_kind_of(*pair, depth=1, senses=1) for pair in (lemmas, lemmas[::-1]))
        or lexicon.is_kind_of(*lemmas, depth=2, senses=1)
        or (lexicon.similar(*lemmas) and score >= LEAST_FORWARD)
    )


if __name__ == "__main__":
    main()
