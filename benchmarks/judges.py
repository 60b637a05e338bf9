"""Quality of the judges of paraphrases, where each set is scored by judges that never saw it, and the stress suite.

    python benchmarks/judges.py [DATA] --choose | --choose-added
    python benchmarks/judges.py [DATA] [--examples N] [--before PROGRAM] [--write]

There are three kinds of tables. *Sets*: for every judged or adversarial set, `meaning` with weights learned and choices
made without that set, compared with pem+, pem, chrF and METEOR. Sets whose licence or note says so are only measured,
never learned from. *Choices*: whatever is chosen rather than learned, by the search of choosing.py. It begins with the
plainest judge, and takes what adds to the mean figure over all sets except the one left out, each measured with weights
learned without it. *Stress*: how often a human paraphrase
scores higher than a damaged original, for news (MSRP), captions (SugarCrepe++) and requests (ParaQuality). Nothing is
chosen by the stress of these three; the stress of the Tatoeba and Edinburgh paraphrases is among the sets of a choice.

``--choose`` makes the choices, on part of each set, and writes them to judge_choices.json, from which the tables are
made; ``--choose-added`` makes only those of `ADDED`, beside everything else as it ships. ``--examples`` limits the
examples of sets that are not learned from. ``--before`` is the `paragauge` program of an earlier version, installed in
an environment of its own; its pem+ and pem are shown beside ours. ``--write`` writes the tables to
benchmarks/RESULTS.md.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from choosing import Step, search  # noqa: E402
from judged_sets import (  # noqa: E402
    edinburgh_paraphrases,
    msrp_labels,
    parabank_adequacy,
    plain,
    read_rows,
    sts_similarity,
    tatoeba_paraphrases,
    tweet_votes,
)

from paragauge.judges.change import Change  # noqa: E402
from paragauge.judges.changes import find_changes  # noqa: E402
from paragauge.judges.damage import DAMAGES, Damager  # noqa: E402
from paragauge.judges.fitting import CONTRAST_SHARE, Examples, fit_meaning  # noqa: E402
from paragauge.judges.fluency import LOSSES as FLUENCY_LOSSES  # noqa: E402
from paragauge.judges.likeness import Likeness  # noqa: E402
from paragauge.judges.linking import Linked, link_readings  # noqa: E402
from paragauge.judges.meaning import (  # noqa: E402
    ADDITIONS_BY,
    BY_CONTENT,
    CHECKS,
    FEATURES,
    LOSSES,
    OMISSIONS_BY,
    STRICT,
    UNCOUNTED,
    UNUSED,
    MeaningWeights,
    count_changes,
    saturated,
    weigh_links,
)
from paragauge.judges.model import JudgeModel, open_judges  # noqa: E402
from paragauge.judges.reading import Reading  # noqa: E402
from paragauge.judges.settings import JudgeSettings  # noqa: E402
from paragauge.judges.training import JudgedSet, Paraphrases, contrast_pairs  # noqa: E402
from paragauge.judges.verdict import difference, verdict  # noqa: E402
from paragauge.metrics.registry import METRICS  # noqa: E402

Scores = NDArray[np.float64]
Figure = Callable[[Scores], float]
LinkedPair = tuple[Linked, tuple[Change, ...]]
Key = TypeVar("Key")
Value = TypeVar("Value")
_TEXTS = 14  # sets of pairs that a workshop has
# What is chosen, in this order; of each, the plainest comes first, and another has to earn its place (choosing.py).
# First, when word vectors link two words. Then what is looked at: losses and checks, and kinds of evidence that two
# words mean the same, with how far WordNet's more general words reach.
LOOKED_AT: dict[str, tuple[float | bool, ...]] = {
    "unrelated": (0.35, 0.45, 0.55),
    "trusted": (5.0, 10.0),
    "least": (0.1, 0.2),
    "loss missing_content": (False, True),
    "loss added_content": (False, True),
    "loss letters": (False, True),
    "check thing": (False, True),
    "check action": (False, True),
    "check perhaps_denial": (False, True),
    "check attachment": (False, True),
    "check order": (False, True),
    "check pieces": (False, True),
    "contained": (0.0, 0.8),
    "related": (0.0, 0.6),
    "noun_steps": (1.0, 3.0),
    "verb_steps": (0.0, 1.0),
    "derived": (0.0, 0.85),
    "phrase": (0.0, 0.8),
}
# How it counts. An addition counts by how much is said alike of what both sentences have in common (as all other
# checks), of the original's content words, or of all its words; an omission likewise. A strict check counts by the
# strict power, and therefore in free paraphrases, too. Changed roles and denials count by how much is said alike of all
# words or of content words.
COUNTS: dict[str, tuple[float | str | bool, ...]] = {
    "enough": (1.0, 0.7, 0.5, 0.35),
    "information_power": (1.0, 0.5),
    "free_additions": (0.0, 1.0, 2.0, 3.0),
    "free_share": (1.0, 2 / 3, 1 / 3),
    "free_omissions": (0.0, 1.0, 2.0),
    "additions by": ("closeness", "content", "words"),
    "omissions by": ("closeness", "content", "words"),
    "power": (16.0, 32.0, 48.0, 64.0),
    "strict_power": (2.0, 4.0, 8.0, 16.0),
    "strict roles": (False, True),
    "strict name": (False, True),
    "strict quantifier": (False, True),
    "sure": (10.0, 50.0, 200.0),
    "in_place": (1.0, 2.0, 4.0),
    "lone_role": (0.0, 1.0),
    "place": (0.0, 1.0),
    "hedge": (0.0, 1.0),
    "name_weight": (1.0, 0.7, 0.5),
    "roles by": ("closeness", "content"),
    "role_power": (48.0, 16.0),
    "denials by": ("closeness", "content"),
}
# Of the other two judges, as far as anything is chosen there, and how much contrasts count: half is plainest.
OTHER: dict[str, tuple[float | bool, ...]] = {
    "fluency wording": (False, True),
    "fluency ending": (False, True),
    "fluency doubling": (False, True),
    "fluency telegram": (False, True),
    "decay": (1.0, 0.7, 0.5, 0.35, 0.2),
    "contrast_share": (0.5, 0.4, 0.3, 0.6, 0.7),
}
TRIED: dict[str, tuple[float | str | bool, ...]] = {**LOOKED_AT, **COUNTS, **OTHER}
# What was added since everything was last chosen: chosen beside what ships.
ADDED = ("place", "hedge", "name_weight", "roles by", "role_power", "denials by")
# What the judge has to look at, whatever it earns: reported only.
REQUIRED: dict[str, float | bool] = {
    "synonym": 0.0,
    "unrelated": 0.99,
    "question": 0.0,
    **{f"check {name}": False for name in
       ("number", "denial", "name", "quantifier", "roles", "addition", "omission")},
}  # fmt: skip
# Fields of JudgeSettings that change no link between words; of these, some change only how changes are counted.
COUNTING = ("sure", "in_place", "lone_role", "place", "hedge", "question", "free_additions", "free_share",
            "free_omissions")  # fmt: skip
WEIGHING = ("enough", "information_power", "name_weight", *COUNTING)
POWERS = ("power", "strict_power", "role_power")
EVERYTHING = JudgeSettings(derived=0.85, phrase=0.8, related=0.6, contained=0.8, noun_steps=3.0, verb_steps=1.0,
                           least=0.1)  # fmt: skip
OTHERS = ("pem", "chrf", "meteor")
STRESS = tuple(name for name, each in DAMAGES.items() if name != "lower-cased")
PAIRS = 300  # of the stress suite
CHOICES = ROOT / "benchmarks" / "judge_choices.json"
CHOSEN_BY_EXAMPLES, CHOSEN_BY_LEARNED = 300, 900  # of sets that are only measured, and of each that is learned from
CHOSEN_BY_PAIRS = 300  # of the paraphrases whose stress is among the sets of a choice
PROMISED = 0.85  # of the paraphrases win against each kind of damage
ENOUGH_DAMAGED = 30  # sentences of a kind, for its share to say something
ROUNDS = 3  # through all steps of the search
COPY = verdict(1.0, 1.0, 0.0)
# Damaged originals of these kinds say something else in the words of the original; an added clause says all of it, and
# something more.
CHANGED = tuple(name for name, each in DAMAGES.items() if each.spoils == "meaning" and name != "clause-added")


@dataclass(frozen=True)
class MeasuredSet:
    """Pairs to score, and how their scores are reduced to one figure."""

    name: str
    what: str
    pairs: Sequence[tuple[str, str]]
    figure: Figure


def pearson(targets: Sequence[float]) -> Figure:
    """Return a figure: the correlation with human scores."""
    return lambda scores: float(np.corrcoef(scores, targets)[0, 1])


def auc(labels: Sequence[bool]) -> Figure:
    """Return the probability that a pair of one kind scores above one of the other; ties count half."""
    from scipy.stats import rankdata

    right = np.array(labels, dtype=bool)

    def figure(scores: Scores) -> float:
        ranks, ones = rankdata(scores), int(right.sum())
        return float((ranks[right].sum() - ones * (ones + 1) / 2) / (ones * (len(right) - ones)))

    return figure


def first_wins(width: int, tests: Sequence[tuple[int, int]]) -> Figure:
    """Return the share of items, of *width* pairs each, in which all *tests* (higher, lower) come out."""
    return lambda scores: float(
        np.mean([all(row[a] > row[b] for a, b in tests) for row in np.reshape(scores, (-1, width))])
    )


def spread(items: Sequence[Value], most: int | None) -> Sequence[Value]:
    """Return at most so many of the items, at equal distances; all for None."""
    return items[:: max(1, -(-len(items) // most))] if most else items


def judged(each: JudgedSet, limit: int | None, *, labels: bool = False) -> MeasuredSet:
    """Return a judged set as a set to measure."""
    rows = spread(list(each.pairs.mean_over_judges()), limit)
    scores = [float(row.score or 0) for row in rows]
    figure = auc([score > 0.5 for score in scores]) if labels else pearson(scores)
    what = "AUC" if labels else "Pearson"
    return MeasuredSet(each.name, what, [(row.original, row.candidate) for row in rows], figure)


def measured_sets(data: Path, limit: int | None) -> list[MeasuredSet]:
    """Return all sets."""
    sets = [
        judged(tweet_votes(data), limit),
        judged(parabank_adequacy(data), limit),
        judged(sts_similarity(data), limit),
        judged(msrp_labels(data), limit, labels=True),
    ]
    rows = list(read_rows(data / "paws_wiki" / "data.tsv.gz"))[:limit]
    pairs = [(row["sentence1"], row["sentence2"]) for row in rows]
    sets.append(MeasuredSet("PAWS", "AUC", pairs, auc([row["label"] == "1" for row in rows])))
    rows = list(read_rows(data / "sugarcrepe_pp" / "data.tsv.gz"))
    rows = rows[:: max(1, len(rows) // limit)] if limit else rows
    pairs = [
        pair
        for row in rows
        for one, other in ((row["caption"], row["paraphrase"]), (row["paraphrase"], row["caption"]))
        for pair in ((one, other), (one, row["negative"]))
    ]
    sets.append(MeasuredSet("SugarCrepe++", "accuracy", pairs, first_wins(4, [(0, 1), (2, 3)])))
    rows = list(read_rows(data / "semantoneg" / "data.tsv.gz"))[:limit]
    pairs = [(row["input"], row[side]) for row in rows for side in ("paraphrase", "negative1", "negative2")]
    sets.append(MeasuredSet("SemAntoNeg", "accuracy", pairs, first_wins(3, [(0, 1), (0, 2)])))
    rows = [row for row in read_rows(data / "breaking_nli" / "data.tsv.gz") if row["label"] != "neutral"]
    rows = rows[:: max(1, len(rows) // limit)] if limit else rows
    pairs = [(row["sentence1"], row["sentence2"]) for row in rows]
    sets.append(MeasuredSet("Breaking NLI", "AUC", pairs, auc([row["label"] == "entailment" for row in rows])))
    rows = list(read_rows(data / "paraquality" / "data.tsv.gz"))
    rows = [row for row in rows if row["labels"] in ("Correct", "Semantic Error")][:limit]
    pairs = [(row["source"], row["paraphrase"]) for row in rows]
    sets.append(MeasuredSet("ParaQuality", "AUC", pairs, auc([row["labels"] == "Correct" for row in rows])))
    rows = list(read_rows(data / "demetr" / "data.tsv.gz"))
    rows = rows[:: max(1, len(rows) // (limit or 4000))]
    pairs = [(row["reference"], row[side]) for row in rows for side in ("translation", "perturbed")]
    sets.append(MeasuredSet("DEMETR", "accuracy", pairs, first_wins(2, [(0, 1)])))
    return sets


def meaning(weights: MeaningWeights, features: Scores) -> Scores:
    """Return the judge of meaning's numbers for rows of features."""
    losses, checks = features[:, : len(LOSSES)], features[:, len(LOSSES) :]
    numbers: Scores = np.maximum(0, 1 - losses @ weights.losses) * np.exp(-(checks @ weights.checks))
    return numbers


@dataclass(frozen=True)
class Choice:
    """Everything that is chosen."""

    contrast_share: float
    settings: JudgeSettings
    additions_by: str
    omissions_by: str
    roles_by: str
    denials_by: str
    without: frozenset[str] = frozenset()  # losses and checks of meaning, and losses of fluency, that are left out
    strict: frozenset[str] = STRICT

    def value(self, name: str) -> float | str | bool:
        """Return what is chosen for a number or form."""
        kind, _, part = name.partition(" ")
        if kind in ("loss", "check", "fluency"):
            return part not in self.without
        if kind == "strict":
            return part in self.strict
        where = self if part or name == "contrast_share" else self.settings
        found: float | str = getattr(where, name.replace(" ", "_"))
        return found

    def changed(self, name: str, value: float | str | bool) -> Choice:
        """Return the choice with one other value."""
        kind, _, part = name.partition(" ")
        if kind in ("loss", "check", "fluency"):
            return replace(self, without=self.without - {part} if value else self.without | {part})
        if kind == "strict":
            return replace(self, strict=self.strict | {part} if value else self.strict - {part})
        if part or name == "contrast_share":
            return replace(self, **{name.replace(" ", "_"): value})  # type: ignore[arg-type]
        return replace(self, settings=replace(self.settings, **{name: value}))  # type: ignore[arg-type]


def plainest_choice(settings: JudgeSettings) -> Choice:
    """Return where the search begins."""
    choice = Choice(0.5, settings, *["closeness"] * 4)
    for name, values in TRIED.items():
        choice = choice.changed(name, values[0])
    return choice


def shipped_choice(settings: JudgeSettings) -> Choice:
    """Return what ships."""
    by = ["content" if check in BY_CONTENT else "closeness" for check in ("roles", "denial")]
    return Choice(CONTRAST_SHARE, settings, ADDITIONS_BY, OMISSIONS_BY, *by, UNUSED)


Figures = dict[tuple[str, Choice, frozenset[str]], float]

# Kinds of evidence that a setting is about; a pair without them has the same links for any of its values.
ABOUT = {"synonym": "synonym", "derived": "derived", "phrase": "phrase", "related": "kind", "noun_steps": "kind",
         "verb_steps": "kind", "contained": "spelling"}  # fmt: skip


class Recent(OrderedDict[Key, Value]):
    """A cache of so many entries, in which the oldest makes way."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __getitem__(self, key: Key) -> Value:
        self.move_to_end(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        if len(self) > self._most:
            self.popitem(last=False)


class Workshop:
    """Data behind the figures of choices, with cached intermediate results."""

    def __init__(self, model: JudgeModel, sets: Sequence[MeasuredSet], learned: Mapping[str, JudgedSet],
                 paraphrases: Sequence[Paraphrases], stressed: Sequence[StressSet]) -> None:  # fmt: skip
        self.sets = {each.name: each for each in sets}
        self.stressed = {each.name: each for each in stressed}
        self.figures: Figures = {}
        self._model = model
        self._readings: dict[str, list[tuple[Reading, Reading]]] = {}
        self._linked: Recent[tuple[str, JudgeSettings], list[LinkedPair]] = Recent(3 * _TEXTS)
        self._kinds: dict[str, list[frozenset[str]]] = {}
        self._features: Recent[tuple[str, Choice], Scores] = Recent(40 * _TEXTS)
        self._weighed: Recent[tuple[str, JudgeSettings], tuple[Scores, Scores, Scores]] = Recent(20 * _TEXTS)
        self._fitted: dict[tuple[Choice, frozenset[str]], MeaningWeights] = {}
        self._targets: dict[str, Scores] = {}
        for each in sets:
            self._read(each.name, each.pairs)
        for name, one in learned.items():
            scores = {(row.original, row.candidate): float(row.score or 0) for row in one.pairs.mean_over_judges()}
            self._targets[name] = np.array([scores[pair] for pair in self.sets[name].pairs])
        self.people = tuple(self._targets)
        self.contrasts = tuple(each.name for each in paraphrases)
        for spoiled in paraphrases:
            pairs, targets = contrast_pairs(spoiled)
            self._read(spoiled.name, pairs)
            self._targets[spoiled.name] = np.array(targets)
        self._fluency_losses: dict[str, Scores] = {}
        for stress_set in stressed:
            pairs = stress_set.all_pairs
            readings = self._read(f"stress {stress_set.name}", pairs)
            self._fluency_losses[stress_set.name] = model.fluency.losses(
                [candidate.tagged for _, candidate in readings], [original.tagged for original, _ in readings]
            )

    def _read(self, name: str, pairs: Sequence[tuple[str, str]]) -> list[tuple[Reading, Reading]]:
        begun = time.perf_counter()
        read = []
        for begin in range(0, len(pairs), 512):
            texts = [text for pair in pairs[begin : begin + 512] for text in pair]
            found = self._model.reader.read(texts)
            read += list(zip(found[::2], found[1::2], strict=True))
        self._readings[name] = read
        print(f"{name}: {len(pairs):,} pairs, {time.perf_counter() - begun:.0f} s", file=sys.stderr)
        return read

    def features(self, name: str, choice: Choice) -> Scores:
        """Return the features of a set."""
        choice = _of_meaning(choice)
        key = (name, choice)
        if key not in self._features:
            # Powers are taken afterwards, so that evidence is weighed once for all of them.
            settings = replace(choice.settings, **dict.fromkeys(POWERS, 0.0))
            losses, amounts, closeness = self._evidence(name, settings)
            near = np.repeat(closeness[:, :1], len(CHECKS), axis=1)
            for check, form in (("roles", choice.roles_by), ("denial", choice.denials_by),
                                ("perhaps_denial", choice.denials_by)):  # fmt: skip
                if form == "content":
                    near[:, CHECKS.index(check)] = closeness[:, 1]
            for check, form, side in (("addition", choice.additions_by, "missing"),
                                      ("omission", choice.omissions_by, "added")):  # fmt: skip
                if form != "closeness":
                    loss = side if form == "words" else f"{side}_content"
                    near[:, CHECKS.index(check)] = 1 - losses[:, LOSSES.index(loss)]
            powers = [
                choice.settings.strict_power if check in choice.strict
                else choice.settings.role_power if check == "roles"
                else choice.settings.power
                for check in CHECKS
            ]  # fmt: skip
            kept = np.array([feature not in choice.without for feature in FEATURES], dtype=np.float64)
            self._features[key] = np.hstack([losses, amounts * near ** np.array(powers)]) * kept
        return self._features[key]

    def _evidence(self, name: str, settings: JudgeSettings) -> tuple[Scores, Scores, Scores]:
        """Return the losses of a set's pairs, the amounts of their checks, and how close the rest is in two ways."""
        if (name, settings) not in self._weighed:
            likeness = Likeness(self._model.likeness.lexicon, self._model.vectors, settings)
            plain = {field: TRIED.get(field, (0.0,))[0] for field in COUNTING}
            uncounted = replace(settings, **plain)  # type: ignore[arg-type]
            if uncounted != settings:
                losses, amounts, closeness = self._evidence(name, uncounted)
                counted = [count_changes(*found, likeness) for found in self._links(name, likeness)]
                amounts = amounts.copy()
                for column, check in enumerate(CHECKS):
                    if check not in UNCOUNTED:
                        amounts[:, column] = [saturated(each[check]) for each in counted]
                self._weighed[name, settings] = losses, amounts, closeness
                return self._weighed[name, settings]
            weighed = [weigh_links(*found, likeness) for found in self._links(name, likeness)]
            features = np.array([[each.features[feature] for feature in FEATURES] for each in weighed])
            closeness = np.array([[each.closeness, each.content_closeness] for each in weighed])
            self._weighed[name, settings] = features[:, : len(LOSSES)], features[:, len(LOSSES) :], closeness
        return self._weighed[name, settings]

    def _links(self, name: str, likeness: Likeness) -> list[LinkedPair]:
        """Return the links and changes of a set's pairs."""
        plain = {field: TRIED.get(field, (0.0,))[0] for field in (*WEIGHING, *POWERS, "decay")}
        now: JudgeSettings = replace(likeness.settings, **plain)  # type: ignore[arg-type]
        if (name, now) not in self._linked:
            known, about = self._nearest_links(name, now)
            readings = self._readings[name]
            if known is None:
                self._linked[name, now] = [_linked_pair(pair, likeness) for pair in readings]
            else:
                self._linked[name, now] = [
                    links if about.isdisjoint(kinds) else _linked_pair(pair, likeness)
                    for pair, links, kinds in zip(readings, known, self._kinds_of(name), strict=True)
                ]
        return self._linked[name, now]

    def _kinds_of(self, name: str) -> list[frozenset[str]]:
        """Return the kinds of evidence that there can be in each pair, for any settings."""
        if name not in self._kinds:
            everything = Likeness(self._model.likeness.lexicon, self._model.vectors, EVERYTHING)
            self._kinds[name] = [everything.link(*pair).kinds for pair in self._readings[name]]
        return self._kinds[name]

    def _nearest_links(self, name: str, now: JudgeSettings) -> tuple[Sequence[LinkedPair] | None, set[str]]:
        """Return links by other settings, if any, and the kinds of evidence without which a pair has the same."""
        for (other_name, other), links in self._linked.items():
            differs = {field.name for field in fields(now) if getattr(now, field.name) != getattr(other, field.name)}
            if other_name == name and differs <= ABOUT.keys():
                # An opposite is one perhaps only because there was other evidence.
                return links, {"opposite", *(ABOUT[field] for field in differs)}
        return None, set()

    def weights(self, choice: Choice, without: frozenset[str]) -> MeaningWeights:
        """Return the weights that are learned without some sets."""
        without &= {*self.people, *self.contrasts}
        key = (replace(_of_meaning(choice), contrast_share=choice.contrast_share), without)
        if key not in self._fitted:
            people, contrasts = (
                [Examples(self.features(name, choice), self._targets[name], name)
                 for name in names if name not in without]
                for names in (self.people, self.contrasts)
            )  # fmt: skip
            self._fitted[key] = fit_meaning(people, contrasts, contrast_share=choice.contrast_share)
        return self._fitted[key]

    def figure(self, name: str, choice: Choice, without: frozenset[str] = frozenset()) -> float:
        """Return the figure of a set by weights learned without it, and without others."""
        key = (name, choice, without & {*self.people, *self.contrasts})
        if key not in self.figures:
            weights = self.weights(choice, without | {name})
            if name in self.sets:
                self.figures[key] = self.sets[name].figure(meaning(weights, self.features(name, choice)))
            else:
                wins = self.stressed[name].wins(self._stress_values(name, choice, weights))
                self.figures[key] = float(np.mean(list(wins.values())))
        return self.figures[key]

    def _stress_values(self, name: str, choice: Choice, weights: MeaningWeights) -> Scores:
        """Return the values of paraphrases and damaged originals."""
        readings = self._readings[f"stress {name}"]
        judge = replace(self._model, settings=choice.settings)
        shared = judge.shared_wording([one for one, _ in readings], [other for _, other in readings])
        said = meaning(weights, self.features(f"stress {name}", choice))
        of_losses = [0.0 if loss in choice.without else self._model.fluency.weights[loss] for loss in FLUENCY_LOSSES]
        fluency: Scores = np.exp(-(self._fluency_losses[name] @ np.array(of_losses)))
        return verdict(said, fluency, difference(shared))

    def below_copy(self, name: str, choice: Choice, without: frozenset[str] = frozenset()) -> float:
        """Return the share of originals with a changed meaning that are worth less than a copy, mean over damages."""
        key = (f"{name}, copies", choice, without & {*self.people, *self.contrasts})
        if key not in self.figures:
            values = self._stress_values(name, choice, self.weights(choice, without | {name}))
            found = self.stressed[name].by_damage(values)
            self.figures[key] = float(np.mean([np.mean(found[kind] < COPY) for kind in CHANGED]))
        return self.figures[key]

    def shipped_values(self, name: str) -> Scores:
        """Return the values of pem+ for the pairs of a set, by the model that ships."""
        readings = self._readings[name]
        originals, candidates = [one for one, _ in readings], [other for _, other in readings]
        said = meaning(self._model.weights, self.features(name, shipped_choice(self._model.settings)))
        fluency = self._model.fluency.fluency([each.tagged for each in candidates], [each.tagged for each in originals])
        return verdict(said, fluency, difference(self._model.shared_wording(originals, candidates)))

    def shortfall(self, name: str, choice: Choice, without: frozenset[str] = frozenset()) -> float:
        """Return by how much kinds of damage lose too rarely against the paraphrases of a set, added up."""
        key = (f"{name}, shortfall", choice, without & {*self.people, *self.contrasts})
        if key not in self.figures:
            stress = self.stressed[name]
            wins = stress.wins(self._stress_values(name, choice, self.weights(choice, without | {name})))
            known = [kind for kind in wins if stress.applies(kind) >= ENOUGH_DAMAGED]
            self.figures[key] = sum(max(0.0, PROMISED - wins[kind]) for kind in known)
        return self.figures[key]

    def mean_figure(self, choice: Choice, left_out: str = "") -> float:
        """Return the mean figure over all sets except the one left out.

        The paraphrases have two figures, against damaged originals and for damaged originals against a copy. A kind of
        damage that loses more rarely than promised costs as much as a set whose figure is lower by the same.
        """
        without = frozenset({left_out})
        names = [name for name in (*self.sets, *self.contrasts) if name != left_out]
        figures = [self.figure(name, choice, without) for name in names]
        figures += [self.below_copy(name, choice, without) for name in self.contrasts]
        short = sum(self.shortfall(name, choice, without) for name in self.contrasts)
        return (sum(figures) - short) / len(figures)

    def steps(self, names: Iterable[str]) -> list[Step[Choice]]:
        """Return what is chosen, in order, several times."""

        def step(name: str, values: Sequence[float | str | bool]) -> Step[Choice]:
            return Step(name, lambda now: [now.changed(name, value) for value in values])

        return [step(name, TRIED[name]) for name in names] * ROUNDS

    def choose(self) -> dict[str, Choice]:
        """Return what is chosen without each set, and with all sets ("")."""
        # Two processes: the searches of one need weights learned without the set that is left out.
        groups = [("", *(name for name in self.sets if name not in self.people)), self.people]
        chosen: dict[str, Choice] = {}
        _SHOPS.append(self)  # which the processes inherit
        with ProcessPoolExecutor(len(groups), mp_context=get_context("fork")) as processes:
            for found, figures in processes.map(_search_for, groups):
                chosen |= found
                self.figures |= figures
        return chosen

    def search(self, left_out: Sequence[str]) -> tuple[dict[str, Choice], Figures]:
        """Return what is chosen without each of these sets, from the plainest judge on, and all figures."""
        return self._search(plainest_choice(self._model.settings), TRIED, left_out), self.figures

    def search_added(self) -> tuple[Choice, dict[str, Choice]]:
        """Return what ships without `ADDED`, and what of that is chosen without each set, and with all sets ("")."""
        begin = shipped_choice(self._model.settings)
        for name in ADDED:
            begin = begin.changed(name, TRIED[name][0])
        return begin, self._search(begin, ADDED, ["", *self.sets])

    def _search(self, begin: Choice, names: Iterable[str], left_out: Sequence[str]) -> dict[str, Choice]:

        def tell(step: str, out: str, choice: Choice) -> None:
            now = f"{self.mean_figure(choice, out):.4f}"
            print(f"without {out or 'nothing'}: {step} {told(choice.value(step))}, {now}", file=sys.stderr, flush=True)

        return search(begin, self.steps(names), self.mean_figure, left_out, tell)


_SHOPS: list[Workshop] = []


def _search_for(left_out: Sequence[str]) -> tuple[dict[str, Choice], Figures]:
    return _SHOPS[-1].search(left_out)


def _of_meaning(choice: Choice) -> Choice:
    """Return the choice without what does not change the features of meaning."""
    return replace(choice, contrast_share=0.0, settings=replace(choice.settings, decay=1.0),
                   without=choice.without & {*FEATURES})  # fmt: skip


def _linked_pair(pair: tuple[Reading, Reading], likeness: Likeness) -> LinkedPair:
    linked = link_readings(*pair, likeness)
    return linked, find_changes(linked, likeness)


def score_pairs(metric: str, pairs: Sequence[tuple[str, str]]) -> Scores:
    """Return the scores of a metric; the original serves as the reference if one is needed."""
    made = METRICS[metric]()
    candidates = [candidate for _, candidate in pairs]
    originals = [original for original, _ in pairs]
    texts = {"originals": originals} if "originals" in made.needs else {"references": originals}
    return np.array([score.value for score in made.segment_scores(candidates, **texts)])


@dataclass(frozen=True)
class Program:
    """A `paragauge` program of another version, asked through its command line."""

    path: str

    def scores(self, metric: str, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Return the scores of a metric."""
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("original.txt", "candidate.txt")]
            for side, file in enumerate(files):
                lines = (" ".join(pair[side].split()) for pair in pairs)
                file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            command = [self.path, "score", "-m", metric, "--original", *map(str, files), "--segments"]
            done = subprocess.run([*command, "--format", "tsv"], check=True, capture_output=True, text=True)
        rows = csv.DictReader(done.stdout.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
        return np.array([float(row["score"]) for row in rows])


def scores_before(program: Program | None, pairs: Sequence[tuple[str, str]]) -> dict[str, Scores]:
    """Return the scores that an earlier version gives, by the head of their column; none without one."""
    return {f"{metric}, before": program.scores(metric, pairs) for metric in ("pem+", "pem")} if program else {}


@dataclass(frozen=True)
class StressSet:
    """Human paraphrases and damaged versions of their originals."""

    name: str
    pairs: Sequence[tuple[str, str]]
    damaged: Mapping[str, Sequence[str | None]]

    @classmethod
    def of(cls, name: str, pairs: Sequence[tuple[str, str]], count: int) -> StressSet:
        """Return at most *count* of the pairs, at equal distances, and their originals damaged in every way."""
        chosen = list(pairs[:: max(1, len(pairs) // count)][:count])
        damager = Damager([text for pair in chosen for text in pair], seed=7)
        originals = [original for original, _ in chosen]
        return cls(name, chosen, {kind: damager.damage(kind, originals) for kind in STRESS})

    def applies(self, kind: str) -> int:
        """Return how many originals could be damaged in this way."""
        return sum(text is not None for text in self.damaged[kind])

    @property
    def all_pairs(self) -> list[tuple[str, str]]:
        """The paraphrases, then the damaged originals of each kind."""
        damaged = [
            (self.pairs[place][0], text)
            for texts in self.damaged.values()
            for place, text in enumerate(texts)
            if text is not None
        ]
        return [*self.pairs, *damaged]

    def wins(self, scores: Scores) -> dict[str, float]:
        """Return the share of paraphrases that score above the damaged original, given scores of `all_pairs`."""
        good = scores[: len(self.pairs)]
        shares = {}
        for kind, found in self.by_damage(scores).items():
            places = [place for place, text in enumerate(self.damaged[kind]) if text is not None]
            shares[kind] = float(np.mean(good[places] > found)) if places else np.nan
        return shares

    def by_damage(self, scores: Scores) -> dict[str, Scores]:
        """Return the scores of damaged originals by their kind, given scores of `all_pairs`."""
        found, begin = {}, len(self.pairs)
        for kind in self.damaged:
            count = self.applies(kind)
            found[kind] = scores[begin : begin + count]
            begin += count
        return found


def stress_sets(data: Path, count: int) -> list[StressSet]:
    """Return the sets that the stress table reports."""
    news = [(row.original, row.candidate) for row in msrp_labels(data).pairs if row.score == 1.0]
    captions = [(row["caption"], row["paraphrase"]) for row in read_rows(data / "sugarcrepe_pp" / "data.tsv.gz")]
    requests = [
        (row["source"], row["paraphrase"])
        for row in read_rows(data / "paraquality" / "data.tsv.gz")
        if row["labels"] == "Correct" and plain(row["source"]) != plain(row["paraphrase"])
    ]
    sets = (("news", news), ("captions", captions), ("requests", requests))
    return [StressSet.of(name, pairs, count) for name, pairs in sets]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table."""
    cells = [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    return "\n".join(
        ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in cells)]
    )


def write(text: str) -> None:
    """Write the tables between their markers in RESULTS.md."""
    path = ROOT / "benchmarks" / "RESULTS.md"
    begin, end = "<!-- judges -->", "<!-- /judges -->"
    old = path.read_text(encoding="utf-8")
    if begin not in old:
        old += f"\n## Judges of paraphrases\n{begin}\n{end}\n"
    before, rest = old.split(begin, 1)
    path.write_text(before + begin + "\n" + text + "\n" + end + rest.split(end, 1)[1], encoding="utf-8")


def make_workshop(model: JudgeModel, data: Path, examples: int | None, *, learned_from: int | None = None) -> Workshop:
    """Return a workshop with all sets.

    *examples* limits those of sets that are only measured, *learned_from* those of sets that weights are learned from.
    """
    learned = {each.name: each for each in (tweet_votes(data), parabank_adequacy(data), sts_similarity(data))}
    paraphrases = [
        replace(each, pairs=tuple(spread(each.pairs, learned_from)))
        for each in (tatoeba_paraphrases(data), edinburgh_paraphrases(data))
    ]
    whole = {each.name: each for each in measured_sets(data, learned_from)}
    limited = measured_sets(data, examples)
    sets = [whole[each.name] if each.name in learned else each for each in limited]
    pairs = min(CHOSEN_BY_PAIRS, learned_from or CHOSEN_BY_PAIRS)
    stressed = [StressSet.of(each.name, each.pairs, pairs) for each in paraphrases]
    return Workshop(model, sets, learned, paraphrases, stressed)


def told(value: float | str | bool) -> str:
    """Return a value as tables show it."""
    if isinstance(value, str):
        return value
    return ("out", "in")[value] if isinstance(value, bool) else f"{value:.3g}"


def choose(shop: Workshop, model: JudgeModel) -> None:
    """Make all choices and write them to `CHOICES`."""
    chosen = shop.choose()
    last, shipped = chosen[""], shipped_choice(model.settings)
    found = {
        "pairs": {name: len(each.pairs) for name, each in shop.sets.items()},
        "left out": {out: {name: choice.value(name) for name in TRIED} for out, choice in chosen.items()},
        "alternatives": {
            name: {told(value): round(shop.mean_figure(last.changed(name, value)), 4) for value in values}
            for name, values in TRIED.items()
        },
        "figures": {
            name: {
                "chosen without it": round(shop.figure(name, chosen.get(name, last)), 4),
                "chosen with all": round(shop.figure(name, last), 4),
                "shipped": round(shop.figure(name, shipped), 4),
            }
            for name in (*shop.sets, *shop.contrasts)
        },
        "judges": {
            name: {
                "mean figure": round(shop.mean_figure(choice), 4),
                "shortfall": round(sum(shop.shortfall(each, choice) for each in shop.contrasts), 4),
                "below a copy": {each: round(shop.below_copy(each, choice), 4) for each in shop.contrasts},
            }
            for name, choice in (("plainest", plainest_choice(model.settings)), ("chosen", last), ("shipped", shipped))
        },
    }
    CHOICES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def choose_added(shop: Workshop, model: JudgeModel) -> None:
    """Choose what was added beside what ships, and write it to `CHOICES`, whose other entries stay."""
    before, chosen = shop.search_added()
    shipped = shipped_choice(model.settings)
    found = json.loads(CHOICES.read_text(encoding="utf-8"))
    found["added"] = {
        "left out": {out: {name: choice.value(name) for name in ADDED} for out, choice in chosen.items()},
        "figures": {
            name: {
                "pairs": len(shop.sets[name].pairs),
                "before": round(shop.figure(name, before), 4),
                "chosen without it": round(shop.figure(name, chosen[name]), 4),
                "shipped": round(shop.figure(name, shipped), 4),
            }
            for name in shop.sets
        },
        "mean figure": {
            "before": round(shop.mean_figure(before), 4),
            "chosen with all": round(shop.mean_figure(chosen[""]), 4),
            "shipped": round(shop.mean_figure(shipped), 4),
        },
    }
    CHOICES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def table_of_added() -> str:
    """Return the table of what was chosen beside what ships."""
    added = json.loads(CHOICES.read_text(encoding="utf-8"))["added"]
    rows = [
        [name, *figures.values(), ", ".join(f"{step} {told(value)}" for step, value in added["left out"][name].items())]
        for name, figures in added["figures"].items()
    ]
    means = ", ".join(f"{name} {mean:.4f}" for name, mean in added["mean figure"].items())
    return (
        "What was added since, chosen beside everything else as it ships (weights learned without the set):\n\n"
        f"{table(['set', 'pairs', 'before', 'chosen without it', 'shipped', 'what was chosen'], rows)}\n\n"
        f"Mean figure: {means}."
    )


def read_choices(model: JudgeModel) -> tuple[dict[str, Any], dict[str, Choice]]:
    """Return what is in `CHOICES`, and the choices by the set that was left out."""
    found = json.loads(CHOICES.read_text(encoding="utf-8"))
    chosen = dict.fromkeys(found["left out"], plainest_choice(model.settings))
    for out, values in found["left out"].items():
        for name, value in values.items():
            chosen[out] = chosen[out].changed(name, value)
    return found, chosen


def measure_sets(shop: Workshop, model: JudgeModel, before: Program | None) -> str:
    """Return the table of sets by what ships, with weights learned without the set."""
    shipped = shipped_choice(model.settings)
    rows = []
    for each in shop.sets.values():
        figures = [shop.figure(each.name, shipped), each.figure(shop.shipped_values(each.name))]
        others = {name: score_pairs(name, each.pairs) for name in OTHERS} | scores_before(before, each.pairs)
        rows.append([each.name, len(each.pairs), each.what, *figures, *map(each.figure, others.values())])
        print(rows[-1], file=sys.stderr, flush=True)
    whole = shop.mean_figure(shipped)
    required = [[name, whole - shop.mean_figure(shipped.changed(name, value))] for name, value in REQUIRED.items()]
    first = table(["set", "pairs", "figure", "meaning", "pem+", *others], rows)
    second = table(["part", "what it adds to the mean figure"], required)
    return f"{first}\n\nParts that stay in any case:\n\n{second}\n\n{table_of_added()}\n\n{tables_of_choices(model)}"


def tables_of_choices(model: JudgeModel) -> str:
    """Return the tables of what was chosen without each set."""
    found, chosen = read_choices(model)
    shipped, last = shipped_choice(model.settings), chosen[""]
    rows = []
    for name, pairs in found["pairs"].items():
        differs = [step for step in found["alternatives"] if chosen[name].value(step) != last.value(step)]
        text = ", ".join(f"{step} {told(chosen[name].value(step))}" for step in differs)
        rows.append([name, pairs, *found["figures"][name].values(), text or "nothing"])
    steps = []
    for name, means in found["alternatives"].items():
        tried = ", ".join(f"{value}: {mean:.4f}" for value, mean in means.items())
        agree = sum(chosen[out].value(name) == last.value(name) for out in found["pairs"])
        steps.append([name, tried, told(last.value(name)), f"{agree} of {len(found['pairs'])}",
                      told(shipped.value(name))])  # fmt: skip
    judges = [
        [name, f"{each['mean figure']:.4f}", each["shortfall"], *each["below a copy"].values()]
        for name, each in found["judges"].items()
    ]
    contrasts = list(found["judges"]["chosen"]["below a copy"])
    heads = ["set", "pairs", "chosen without it", "chosen with all sets", "shipped", "chosen otherwise without it"]
    return (
        f"Choices made without the set (weights learned without it in all columns):\n\n{table(heads, rows)}\n\n"
        "The judges as a whole: mean figure, how far kinds of damage fall short of what is promised, and damaged "
        "originals that are worth less than a copy:\n\n"
        f"{table(['judge', 'mean figure', 'shortfall', *contrasts], judges)}\n\n"
        "What was chosen with all sets, and the mean figure of each alternative beside it:\n\n"
        f"{table(['step', 'mean figure of each', 'chosen', 'also without one set', 'shipped'], steps)}"
    )


def measure_stress(reported: Sequence[StressSet], before: Program | None) -> dict[str, dict[str, dict[str, float]]]:
    """Return the shares of wins by set, metric and damage; the other metrics and what was before for the first set."""
    won = {}
    for place, each in enumerate(reported):
        scores = {name: score_pairs(name, each.all_pairs) for name in ("pem+", *(("pem",) if place else OTHERS))}
        scores |= scores_before(None if place else before, each.all_pairs)
        won[each.name] = {name: each.wins(found) for name, found in scores.items()}
    return won


def stress_table(reported: Sequence[StressSet], won: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Return the table of damages."""
    columns = {f"{name}, {where}": found for where, metrics in won.items() for name, found in metrics.items()}
    rows = [[kind, reported[0].applies(kind), *(found[kind] for found in columns.values())] for kind in STRESS]
    shares = table(["damage", "applies", *columns], rows)
    return f"People's paraphrases above damaged originals, share of pairs:\n\n{shares}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the judges of paraphrases.")
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("--examples", type=int, help="use at most this many of each set not learned from; default: all")
    parser.add_argument("--before", metavar="PROGRAM", help="the paragauge program of an earlier version")
    parser.add_argument("--choose", action="store_true", help="make all choices and stop")
    parser.add_argument("--choose-added", action="store_true", help="choose what was added since, and stop")
    parser.add_argument("--write", action="store_true", help="write the tables into RESULTS.md")
    arguments = parser.parse_args()
    data, model = Path(arguments.data), open_judges()
    before = Program(arguments.before) if arguments.before else None
    if arguments.choose or arguments.choose_added:
        shop = make_workshop(model, data, CHOSEN_BY_EXAMPLES, learned_from=CHOSEN_BY_LEARNED)
        (choose if arguments.choose else choose_added)(shop, model)
        return
    sets = measure_sets(make_workshop(model, data, arguments.examples), model, before)
    reported = stress_sets(data, min(PAIRS, arguments.examples or PAIRS))
    text = f"{sets}\n\n{stress_table(reported, measure_stress(reported, before))}"
    print(text)
    if arguments.write:
        write(text)


if __name__ == "__main__":
    main()
