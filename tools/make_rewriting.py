"""Make the grammar that ships with paragauge for 'paragauge generate': the same bytes every time.

    python tools/make_rewriting.py [DATA] [-o FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default), the output ``src/paragauge/data/rewriting/default``.
The rules are pairs of the shipped paraphrase table (`make_paraphrases.py`) that are probable both ways, agree in what a
paraphrase must not change (numbers, dates, negations, pronouns, quantifiers, modal verbs), are not opposites, and are
used alike: in tagged English text, the first and last word of one phrase have tags that those of the other have too.
Features: -ln p both ways, and -ln of how much the two distributions of tags overlap (``Usage``).
"""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.providers import provider
from paragauge.grammar.grammar import Grammar
from paragauge.grammar.rule import Rule
from paragauge.io import read_lines
from paragauge.judges.closed_words import DATE_WORDS, NEGATIONS, QUANTIFIER_GROUPS, number_value, word_set
from paragauge.metrics.meteor import FUNCTION_WORDS
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.text.pipeline import TextPipeline

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "src" / "paragauge" / "data"
TEXTS = {
    "english_text/tatoeba.en.gz": 300_000,
    "bitexts/europarl/en-fr.en.gz": 40_000,
    "english_text/wiki-split.en.gz": 8_000,
    "english_text/wikitext-2.en.gz": 8_000,
}
LEAST_FORWARD, LEAST_BACKWARD = 0.01, 0.002  # p(e2|e1), p(e1|e2) of phrases
LEAST_FORWARD_OF_WORDS, LEAST_BACKWARD_OF_WORDS = 0.003, 0.001
LEAST_SENSES = 0.3  # that two words share, of those of the one with fewer
LEAST_OF_PHRASES, LEAST_OF_FUNCTION_WORDS, LEAST_OF_LOSSES = 0.06, 0.1, 0.3  # p(e2|e1) where WordNet does not help
LEAST_SEEN = 3  # uses of a phrase, below which its tags are not known
LEAST_OVERLAP, LEAST_OVERLAP_OF_WORDS = 0.02, 0.3
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
    "XQuAD (CC BY-SA 4.0); tags of Tatoeba and Wikipedia (CC BY-SA 4.0)"
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
    scores = {(phrase, one.text): one.score for phrase, one in table}
    lexicon = Lexicon.load()
    likely = [
        (one, other)
        for (one, other), score in scores.items()
        if is_likely(one, other, score, scores.get((other, one), 0.0))
        and kept_words(one.split()) == kept_words(other.split())
    ]
    print(f"{len(likely):,} likely pairs")
    used = usage(Path(arguments.data), frozenset(text for pair in likely for text in pair))
    by_source: dict[str, list[tuple[float, Rule]]] = defaultdict(list)
    for one, other in likely:
        share = overlap(used[one], used[other])
        words = len(one.split()) == len(other.split()) == 1
        if share < (LEAST_OVERLAP_OF_WORDS if words else LEAST_OVERLAP) or not agree(
            lexicon, one, other, scores[one, other]
        ):
            continue
        costs = [-math.log(value) for value in (scores[one, other], scores[other, one], share)]
        features = " ".join(
            f"{name}={abs(cost):.4f}" for name, cost in zip(("p(e|f)", "p(f|e)", "Usage"), costs, strict=True)
        )
        by_source[one].append((sum(costs), Rule.parse(f"[X] ||| {one} ||| {other} ||| {features}")))
    rules = [
        rule
        for source in sorted(by_source)
        for _, rule in sorted(by_source[source], key=lambda each: (each[0], each[1].target_text))[:MOST_RULES]
    ]
    arguments.output.parent.mkdir(exist_ok=True)
    Grammar.from_rules(rules, options={"made_from": table.digest}).save(arguments.output, licence=LICENCE)
    print(f"{len(rules):,} rules for {len(by_source):,} phrases")


def agree(lexicon: Lexicon, one: str, other: str, score: float) -> bool:
    """Return whether the words in which two phrases differ may stand for each other."""
    ours, theirs = Counter(one.split()), Counter(other.split())
    mine, yours = (
        [word for word in (left - right).elements() if word not in FUNCTION_WORDS]
        for left, right in ((ours, theirs), (theirs, ours))
    )
    if bool(mine) != bool(yours):  # something was lost or added
        return score >= LEAST_OF_LOSSES
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
