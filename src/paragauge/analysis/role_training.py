"""Train the role labeller on sentences with PropBank's roles."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragauge import _core
from paragauge.analysis.roles import Argument, Predicate, parsed_texts, single_roles, tag_uses
from paragauge.analysis.sentence import Analysis
from paragauge.errors import DataError
from paragauge.io import PathLike

# Auxiliaries: PropBank marks them, but they have no arguments.
_AUXILIARIES = frozenset(("be.03", "have.01", "do.01", "get.03"))
_MOST_SENSES = 16
# The least probability of an argument, in thousandths: by every eighth sentence of the training part, learned without
# them. An argument that is right more often than that raises F1.
_LEAST = 350
_NETWORKS, _UNITS, _LEAST_NOTES = 2, 96, 60
_NETWORK_BYTES = 3_500_000


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence with its predicates."""

    words: tuple[str, ...]
    predicates: tuple[Predicate, ...]


def read_roles(path: PathLike) -> Iterator[LabelledSentence]:
    """Yield the sentences of a gzipped file of JSON lines: ``words`` and ``predicates``, without auxiliaries.

    Raises:
        DataError: A line is something else.
    """
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line)
                predicates = tuple(
                    Predicate(
                        int(each["index"]),
                        str(each["roleset"]),
                        tuple(Argument(str(role), int(begin), int(end)) for role, begin, end in each["arguments"]),
                    )
                    for each in row["predicates"]
                    if each["roleset"] not in _AUXILIARIES or each["arguments"]
                )
                yield LabelledSentence(tuple(map(str, row["words"])), predicates)
            except (KeyError, TypeError, ValueError) as error:
                raise DataError(f"holds no sentence with roles ({error})", path=str(path), line=number) from error


def train_labeller(
    sentences: Sequence[LabelledSentence],
    analyses: Sequence[Analysis],
    *,
    rolesets: Mapping[str, Sequence[str]] | None = None,
    classes: Mapping[str, Sequence[int]] | None = None,
    size: int = 4_000_000,
    least_notes: int = _LEAST_NOTES,
    epochs: int = 3,
    folds: int = 2,
    seed: int = 1,
) -> tuple[dict[str, Any], dict[str, bytes], float]:
    """Return names and weights for `write_role_model`, and the share of arguments that the labeller can reach.

    Args:
        sentences: Sentences with roles; a sentence may occur several times, with different analyses.
        analyses: Their analyses.
        rolesets: Rolesets by key, the most frequent first; by default those of *sentences*.
        classes: Three classes of each lemma of like words, from coarse to fine, from 1; see `word_classes`.
        size: Most bytes of all linear weights.
        least_notes: How often the sentences must show a feature for the networks to have it.
        epochs: Passes over the sentences.
        folds: Parts of the sentences; what the first model says of each is learned without it.
        seed: Seed of their order.
    """
    tags = sorted({tag for each in analyses for tag in each.tags or ()})
    relations = sorted({name for each in analyses for name in each.relations or ()})
    roles = ["", *sorted({a.role for each in sentences for p in each.predicates for a in p.arguments})]
    role_numbers = {name: number for number, name in enumerate(roles)}
    parsed, keys = parsed_texts(analyses, tags, relations, {})
    known = {key: list(found)[:_MOST_SENSES] for key, found in (rolesets or _rolesets(sentences, keys)).items()}
    parsed, keys = parsed_texts(analyses, tags, relations, known)
    predicates: list[tuple[int, int, int]] = []
    arguments: list[tuple[int, int, int, int]] = []
    for number, (sentence, own) in enumerate(zip(sentences, keys, strict=True)):
        for predicate in sorted(sentence.predicates, key=lambda each: each.word):
            senses = known.get(own[predicate.word], ())
            sense = senses.index(predicate.roleset) if predicate.roleset in senses else _MOST_SENSES
            for argument in predicate.arguments:
                arguments.append((len(predicates), argument.begin, argument.end, role_numbers[argument.role]))
            predicates.append((number, predicate.word, sense))
    rows = np.array(list((classes or {}).values()), dtype=np.int32).reshape(-1, 3)
    table = np.frombuffer(_core.pack_classes(list(classes or ()), rows), dtype=np.uint8)
    *packed, reached = _core.train_roles(
        parsed,
        predicates=np.array(predicates, dtype=np.int32).reshape(-1, 3),
        arguments=np.array(arguments, dtype=np.int32).reshape(-1, 4),
        single=single_roles(roles),
        tag_uses=tag_uses(tags),
        classes=table,
        training=_core.RoleTraining(
            bytes=size,
            network_bytes=_NETWORK_BYTES,
            networks=_NETWORKS,
            units=_UNITS,
            least_notes=least_notes,
            least=_LEAST,
            epochs=epochs,
            folds=folds,
            seed=seed,
        ),
    )
    meta = {"tags": tags, "relations": relations, "roles": roles, "rolesets": known, "least": _LEAST}
    blocks = dict(zip(("predicates", "senses", "roles", "network", "revision"), packed, strict=True))
    return meta, {**blocks, "classes": table.tobytes()}, reached


def _rolesets(sentences: Sequence[LabelledSentence], keys: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    counts: dict[str, Counter[str]] = {}
    for sentence, own in zip(sentences, keys, strict=True):
        for predicate in sentence.predicates:
            counts.setdefault(own[predicate.word], Counter())[predicate.roleset] += 1
    return {key: [name for name, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))]
            for key, found in sorted(counts.items())}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RoleScores:
    """Counts of arguments: labelled right, found, and in the gold, by role and in all; predicates likewise."""

    right: Mapping[str, int]
    found: Mapping[str, int]
    gold: Mapping[str, int]

    def f1(self, role: str | None = None) -> tuple[float, float, float]:
        """Return precision, recall and F1 of a role, or of all arguments."""
        sums = [each.get(role, 0) if role else sum(each.values()) for each in (self.right, self.found, self.gold)]
        precision, recall = sums[0] / max(1, sums[1]), sums[0] / max(1, sums[2])
        return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def score_roles(found: Sequence[Sequence[Predicate]], gold: Sequence[LabelledSentence]) -> dict[str, RoleScores]:
    """Return the scores of ``predicates`` (position), ``rolesets`` and ``arguments`` (predicate, span and role)."""
    counts = {
        name: [Counter[str](), Counter[str](), Counter[str]()] for name in ("predicates", "rolesets", "arguments")
    }
    for ours, theirs in zip(found, gold, strict=True):
        items = [_items(ours), _items(theirs.predicates)]
        for name, (right, predicted, expected) in counts.items():
            one, other = items[0][name], items[1][name]
            right.update(item[0] for item in one & other)
            predicted.update(item[0] for item in one)
            expected.update(item[0] for item in other)
    return {name: RoleScores(*each) for name, each in counts.items()}


def _items(predicates: Sequence[Predicate]) -> dict[str, set[tuple[Any, ...]]]:
    return {
        "predicates": {("predicate", each.word) for each in predicates},
        "rolesets": {("roleset", each.word, each.roleset) for each in predicates},
        "arguments": {(a.role, each.word, a.begin, a.end) for each in predicates for a in each.arguments},
    }
