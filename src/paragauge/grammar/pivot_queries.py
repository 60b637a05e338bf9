"""The relational steps of pivoted grammars, as plain SQL that DuckDB and Spark both understand.

Relations:

    incoming    corpus, lhs, source, foreign_side, swapped, count, alignment, probabilities, total [, label_total];
                translation rules, which are read more than once, since most of them share their foreign side with no
                other and need not be kept. The foreign side numbers its nonterminals from left to right. Those of the
                source side are also numbered from left to right: `swapped` says that they correspond crosswise. The
                totals are N(foreign) and N(LHS, foreign) of this correspondence alone.
    ways        corpus, lhs, foreign_side, swapped, rules, total [, label_total]; number of rules
    totals      corpus, foreign_side, total; N(foreign) of both correspondences together
    pivots      id, corpus, lhs, foreign_side, total [, label_total]; what at least two source sides share
    loaded      corpus, lhs, source, pivot_id, swapped, count, alignment, probabilities; rules with a pivot
    known       corpus, lhs, source, p(LHS|source), p(source|LHS); source sides of `loaded`, in all bitexts
    english     id, lhs, source, corpora, corpora_lhs, p(LHS|source), p(source|LHS); each left-hand and source side once
    steps       phrase, pivot_id, swapped, count, alignment, and probabilities; `loaded` by number
    pivoted     source, target, crossed, sums over pivots; each pair of phrases in one of its two orders
    directed    the same in both orders

Numbers stand for phrases and pivots on the embedded engine, text on a cluster, where numbers would have to be shared
between workers. `to_` is p(foreign|english), `from_` is p(english|foreign).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from paragauge.phrases.queries import UNITS

# Lexical weights of a paraphrase: the sum over all pivots, as in Thrax, or that of the best one.
Weights: TypeAlias = Literal["sum", "best"]

PLAIN = ("to_p", "from_p")
WITH_LABEL = ("to_q", "from_q")  # given the left-hand side
LEXICAL = ("to_x", "from_x")
OF_LABEL = ("p_label", "p_phrase")  # p(LHS|english), p(english|LHS)
_PIVOTS = 2**64


def numbers(labelled: bool, lexical: bool) -> tuple[str, ...]:
    """Return the probabilities of a translation rule that are needed."""
    return (*PLAIN, *(WITH_LABEL if labelled else ()), *(LEXICAL if lexical else ()), *(OF_LABEL if labelled else ()))


def ways(labelled: bool) -> str:
    """Count the translation rules of each foreign side, over all that come in."""
    label_total = ", max(label_total) AS label_total" if labelled else ""
    return (
        "CREATE TABLE ways AS SELECT corpus, lhs, foreign_side, swapped, count(*) AS rules, "  # noqa: S608
        f"max(total) AS total{label_total} FROM incoming GROUP BY corpus, lhs, foreign_side, swapped"
    )


TOTALS = (
    "CREATE TABLE totals AS SELECT corpus, foreign_side, CAST(sum(total) AS DOUBLE) AS total FROM (SELECT corpus, "
    "foreign_side, swapped, max(total) AS total FROM ways GROUP BY corpus, foreign_side, swapped) AS either "
    "GROUP BY corpus, foreign_side"
)
COUNT_RULES = "SELECT CAST(sum(rules) AS BIGINT) FROM ways"


def pivots(labelled: bool, identity: bool, as_text: bool) -> str:
    """Keep the foreign sides that at least two source sides share (or all, if a rule may be its own paraphrase)."""
    key = (
        "concat(CAST(shared.corpus AS STRING), '\t', shared.lhs, '\t', shared.foreign_side)"
        if as_text
        else "CAST(row_number() OVER (ORDER BY shared.corpus, shared.lhs, shared.foreign_side) - 1 AS BIGINT)"
    )
    label_total = ", CAST(sum(label_total) AS DOUBLE) AS label_total" if labelled else ""
    least = "" if identity else " HAVING sum(rules) > 1"
    return (
        f"CREATE TABLE pivots AS SELECT {key} AS id, shared.*, totals.total FROM (SELECT corpus, lhs, "  # noqa: S608
        f"foreign_side{label_total} FROM ways GROUP BY corpus, lhs, foreign_side{least}) AS shared "
        "JOIN totals ON totals.corpus = shared.corpus AND totals.foreign_side = shared.foreign_side"
    )


def loaded(labelled: bool, lexical: bool) -> str:
    """Keep the translation rules that have a pivot, of all that come in."""
    # p(english|foreign) is to sum to one over both correspondences of nonterminals.
    needed = ["to_p", "from_p * incoming.total / pivots.total AS from_p"]
    if labelled:
        needed += ["to_q", "from_q * incoming.label_total / pivots.label_total AS from_q", *OF_LABEL]
    needed += LEXICAL if lexical else ()
    return (
        "CREATE TABLE loaded AS SELECT incoming.corpus, incoming.lhs, source, pivots.id AS pivot_id, swapped, "  # noqa: S608
        f"count, alignment, {', '.join(needed)} FROM incoming JOIN pivots ON pivots.corpus = incoming.corpus "
        "AND pivots.lhs = incoming.lhs AND pivots.foreign_side = incoming.foreign_side"
    )


def known(labelled: bool) -> str:
    """Find the bitexts that contain each source side, over all rules that come in, with a pivot or not."""
    of_label = "".join(f", max({name}) AS {name}" for name in OF_LABEL) if labelled else ""
    return (
        f"CREATE TABLE known AS SELECT incoming.corpus, incoming.lhs, incoming.source{of_label} FROM incoming "  # noqa: S608
        "JOIN (SELECT DISTINCT source FROM loaded) AS needed ON needed.source = incoming.source "
        "GROUP BY incoming.corpus, incoming.lhs, incoming.source"
    )


def english(labelled: bool, as_text: bool, relation: str) -> str:
    """Number left-hand and source sides: those in `known`, or in `loaded` if there is only one bitext."""
    of_label = "".join(f", max({name}) AS {name}" for name in OF_LABEL) if labelled else ""
    key = (
        _PHRASE
        if as_text
        else "CAST(row_number() OVER (ORDER BY phrases.source, phrases.lhs) - 1 AS BIGINT)"
    )  # fmt: skip
    return (
        f"CREATE TABLE english AS SELECT {key} AS id, phrases.*, sources.corpora FROM (SELECT lhs, source, "  # noqa: S608
        f"count(DISTINCT corpus) AS corpora_lhs{of_label} FROM {relation} GROUP BY lhs, source) AS phrases "
        f"JOIN (SELECT source, count(DISTINCT corpus) AS corpora FROM {relation} GROUP BY source) AS sources "
        "ON sources.source = phrases.source"
    )


_PHRASE = "concat(phrases.source, '\t', phrases.lhs)"


def steps(labelled: bool, lexical: bool, as_text: bool) -> str:
    """Replace source sides by their numbers; text stays as it is."""
    names = [*PLAIN, *(WITH_LABEL if labelled else ()), *(LEXICAL if lexical else ())]
    phrase = _PHRASE if as_text else "english.id"
    join = "" if as_text else " JOIN english ON english.lhs = phrases.lhs AND english.source = phrases.source"
    return (
        f"CREATE TABLE steps AS SELECT {phrase} AS phrase, pivot_id, swapped, count, alignment, "  # noqa: S608
        f"{', '.join(names)} FROM loaded AS phrases{join}"
    )


def _units(product: str) -> str:
    # Sums of whole numbers do not depend on the order of threads. No path counts for nothing.
    return f"greatest(CAST(round({product} * {UNITS}) AS BIGINT), 1)"


# Lexical weights may be tiny: they are added up in units of 2^-96, below the least weight that is written. Such sums
# need more than 64 bits; where there are no larger numbers, there are two sums of 48 bits each.
_HALF = 2**48


def _lexical_weight(product: str, weights: Weights, as_text: bool) -> str:
    best = f"max({product})"
    if weights == "best":
        return best
    if as_text:
        high = f"{product} * {_HALF}"
        low = f"({high} - floor({high})) * {_HALF}"
        halves = [f"sum(CAST(floor({part}) AS BIGINT))" for part in (high, low)]
    else:
        both = f"sum(CAST(floor({product} * {float(_HALF**2)!r}) AS HUGEINT))"
        halves = [f"({both} // {_HALF})", f"({both} % {_HALF})"]
    whole = " + ".join(
        f"CAST({half} AS DOUBLE) / {unit!r}" for half, unit in zip(halves, _UNITS_OF_HALVES, strict=True)
    )
    # What is rounded down in the sum must not make it smaller than one of its parts.
    return f"greatest({best}, {whole})"


_UNITS_OF_HALVES = (float(_HALF), float(_HALF**2))


def pivoted(labelled: bool, weights: Weights | None, identity: bool, as_text: bool) -> str:
    """Sum p(foreign|e1) p(e2|foreign) over pivots, both ways; keep the pivot that contributes the most.

    Lexical weights, if there are any, are added up or those of the best pivot.
    """
    direct = _units("one.to_p * other.from_p")
    parts = [f"sum({direct}) AS direct", f"sum({_units('other.to_p * one.from_p')}) AS inverse"]
    if labelled:
        parts += [
            f"sum({_units('one.to_q * other.from_q')}) AS direct_q",
            f"sum({_units('other.to_q * one.from_q')}) AS inverse_q",
        ]
    if weights is not None:
        parts += [
            f"{_lexical_weight('one.to_x * other.from_x', weights, as_text)} AS direct_x",
            f"{_lexical_weight('other.to_x * one.from_x', weights, as_text)} AS inverse_x",
        ]
    parts.append("sum(least(one.count, other.count)) AS count")
    if as_text:
        parts.append(f"max(struct({direct} AS units, one.pivot_id AS pivot_id, one.swapped AS swapped)) AS best")
    else:
        number = "one.pivot_id * 2 + CAST(one.swapped AS INT)"
        parts.append(f"max(CAST({direct} AS HUGEINT) * {_PIVOTS} + {number}) AS best")
    same = "TRUE" if identity else "one.swapped <> other.swapped"
    return (
        "CREATE TABLE pivoted AS SELECT one.phrase AS source, other.phrase AS target, "  # noqa: S608
        f"one.swapped <> other.swapped AS crossed, {', '.join(parts)} FROM steps AS one "
        "JOIN steps AS other ON one.pivot_id = other.pivot_id "
        f"WHERE one.phrase < other.phrase OR (one.phrase = other.phrase AND {same}) "
        "GROUP BY one.phrase, other.phrase, one.swapped <> other.swapped"
    )


def directed(labelled: bool, lexical: bool, as_text: bool) -> str:
    """Give every pair both orders: what was direct is inverse in the other."""
    made = "TABLE" if as_text else "VIEW"
    swaps = [("direct", "inverse"), *([("direct_q", "inverse_q")] if labelled else [])]
    swaps += [("direct_x", "inverse_x")] if lexical else []
    here = ", ".join(f"{one}, {other}" for one, other in swaps)
    there = ", ".join(f"{other} AS {one}, {one} AS {other}" for one, other in swaps)
    return (
        f"CREATE {made} directed AS SELECT source, target, crossed, {here}, count, best, FALSE AS turned FROM pivoted "  # noqa: S608
        f"UNION ALL SELECT target AS source, source AS target, crossed, {there}, count, best, TRUE AS turned "
        "FROM pivoted WHERE source <> target"
    )


def any_rule(min_prob: float, min_count: int) -> str:
    """Select one row if any rule is kept."""
    return (
        "SELECT 1 FROM directed JOIN english AS one ON one.id = directed.source "  # noqa: S608
        f"WHERE {_share('direct', 'one.corpora')} >= {float(min_prob)!r} AND count >= {int(min_count)} LIMIT 1"
    )


def _share(sum_of_units: str, corpora: str) -> str:
    return f"CAST({sum_of_units} AS DOUBLE) / {UNITS} / {corpora}"


def sorted_rules(labelled: bool, lexical: bool, as_text: bool, min_prob: float, min_count: int, top: int | None) -> str:
    """Select probable rules with the probabilities behind their features, best first for each source side."""
    if as_text:
        pivot, swapped = "best.pivot_id", "best.swapped"
    else:
        code = f"CAST(best % {_PIVOTS} AS BIGINT)"
        pivot, swapped = f"{code} // 2", f"{code} % 2 = 1"
    features = {"p(e|f)": _share("direct", "one.corpora"), "p(f|e)": _share("inverse", "other.corpora")}
    if lexical:
        features = {"Lex(e|f)": "direct_x", "Lex(f|e)": "inverse_x", **features}
    if labelled:
        features |= {
            "p(e|f,LHS)": _share("direct_q", "one.corpora_lhs"),
            "p(f|e,LHS)": _share("inverse_q", "other.corpora_lhs"),
            "p(LHS|e)": "other.p_label",
            "p(LHS|f)": "one.p_label",
            "p(e|LHS)": "other.p_phrase",
            "p(f|LHS)": "one.p_phrase",
        }
    columns = ", ".join(f'{value} AS "{name}"' for name, value in features.items())
    order = "one.source, one.lhs, direct DESC, other.source, other.lhs" if as_text else "one.id, direct DESC, other.id"
    place = best = ""
    if top is not None:
        place = ", row_number() OVER (PARTITION BY one.id ORDER BY direct DESC, other.id, crossed) AS place"
        best = f" WHERE place <= {int(top)}"
    chosen = (
        f"SELECT directed.*, {pivot} AS best_pivot, ({swapped}) <> (turned AND crossed) AS best_swapped{place} "  # noqa: S608
        "FROM directed JOIN english AS one ON one.id = directed.source "
        "JOIN english AS other ON other.id = directed.target "
        f"WHERE {_share('direct', 'one.corpora')} >= {float(min_prob)!r} AND count >= {int(min_count)}"
    )
    if top is not None:
        chosen = f"SELECT * FROM ({chosen}) AS ranked{best}"  # noqa: S608
    return (
        f"SELECT one.lhs, one.source, other.source AS target, crossed, here.alignment, "  # noqa: S608
        f"there.alignment AS other_alignment, CAST(kept.count AS BIGINT) AS count, {columns} FROM ({chosen}) AS kept "
        "JOIN english AS one ON one.id = kept.source JOIN english AS other ON other.id = kept.target "
        "JOIN steps AS here ON here.phrase = kept.source AND here.pivot_id = kept.best_pivot "
        "AND here.swapped = kept.best_swapped "
        "JOIN steps AS there ON there.phrase = kept.target AND there.pivot_id = kept.best_pivot "
        f"AND there.swapped = (kept.best_swapped <> kept.crossed) ORDER BY {order}, crossed"
    )
