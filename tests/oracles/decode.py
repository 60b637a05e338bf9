"""All derivations of a sentence, enumerated one by one: the definition that the decoder must agree with."""

import itertools
import math

from paragauge.grammar.rule import Nonterminal


def fits(side, words, first, last):
    """Yield the spans of the nonterminals of *side*, in order, for each way to lay it over words[first:last]."""
    if not side:
        if first == last:
            yield ()
        return
    if isinstance(side[0], Nonterminal):
        for end in range(first + 1, last + 1):
            for rest in fits(side[1:], words, end, last):
                yield ((first, end), *rest)
    elif first < last and words[first] == side[0]:
        yield from fits(side[1:], words, first + 1, last)


def derivations(rules, words, *, copies, max_span):
    """Return for each (first, last, label): all derivations as (words, list of rule numbers; -1 - place for a copy)."""
    known = {word for rule in rules for word in rule.source if isinstance(word, str)}
    chart = {}
    for size in range(1, len(words) + 1):
        if max_span and size > max_span:
            break
        for first in range(len(words) - size + 1):
            last = first + size
            made, over_one = {}, {}
            for number, rule in enumerate(rules):
                if len(rule.source) == 1 and isinstance(rule.source[0], Nonterminal):
                    continue
                for spans in fits(rule.source, words, first, last):
                    gaps = [symbol for symbol in rule.source if isinstance(symbol, Nonterminal)]
                    parts = [chart.get((*span, gap.label), []) for span, gap in zip(spans, gaps, strict=True)]
                    for chosen in itertools.product(*parts):
                        made.setdefault(rule.lhs, []).append(_applied(rule, number, gaps, chosen))
            if size == 1 and (copies == "all" or (copies == "unknown" and words[first] not in known)):
                made.setdefault("X", []).append(((words[first],), [-1 - first]))
            # Rules over a single nonterminal apply to the results of other rules only.
            for number, rule in enumerate(rules):
                if len(rule.source) == 1 and isinstance(rule.source[0], Nonterminal):
                    for one in made.get(rule.source[0].label, []):
                        over_one.setdefault(rule.lhs, []).append(_applied(rule, number, [rule.source[0]], [one]))
            for label in {*made, *over_one}:
                chart[first, last, label] = made.get(label, []) + over_one.get(label, [])
    return chart


def _applied(rule, number, gaps, chosen):
    filled = {gap.index: part for gap, part in zip(gaps, chosen, strict=True)}
    target = []
    for symbol in rule.target:
        target.extend(filled[symbol.index][0] if isinstance(symbol, Nonterminal) else [symbol])
    return tuple(target), [number, *(rule for _, used in chosen for rule in used)]


def whole(rules, words, *, copies, max_span, glue):
    """Return all derivations of the sentence as (words, rules, joints)."""
    chart = derivations(rules, words, copies=copies, max_span=max_span)
    if not words:
        return [((), [], 0)]
    if not glue:
        return [
            (*one, 0) for (first, last, _), many in chart.items() if (first, last) == (0, len(words)) for one in many
        ]
    prefixes = [[((), [], -1)], *([] for _ in words)]
    for last in range(1, len(words) + 1):
        for (first, end, _), many in chart.items():
            if end == last:
                prefixes[last] += [
                    (before + after, used + more, joints + 1)
                    for before, used, joints in prefixes[first]
                    for after, more in many
                ]
    return prefixes[-1]


def scored(rules, words, weights, model, *, copies="all", max_span=None, glue=True):
    """Return (score, words) of all derivations, best first."""
    found = []
    for target, used, joints in whole(rules, words, copies=copies, max_span=max_span, glue=glue):
        features = dict.fromkeys(weights, 0.0)

        def add(name, value, features=features):
            if name in features:
                features[name] += value

        add("Glue", max(joints, 0))
        for number in used:
            if number < 0:
                add("PassThrough", 1)
                add("TargetWords", 1)
                add("Identity", 1)
                continue
            rule = rules[number]
            add("TargetWords", sum(isinstance(symbol, str) for symbol in rule.target))
            add("WordCountDiff", sum(isinstance(symbol, str) for symbol in rule.target)
                - sum(isinstance(symbol, str) for symbol in rule.source))  # fmt: skip
            add("Identity", float(rule.source == rule.target))
            for name, value in rule.features.items():
                add(name, value)
        if model is not None:
            add("LanguageModel", math.log(10) * model.score(list(target)))
            add("UnknownWords", sum(word not in model for word in target))
        found.append((sum(weights[name] * value for name, value in features.items()), target))
    return sorted(found, key=lambda one: -one[0])
