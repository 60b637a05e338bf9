"""The relational steps of pivoted grammars, as plain SQL that DuckDB and Spark both understand.

Relations:

    loaded      corpus, lhs, source, foreign_side, swapped, count, alignment, probabilities, total [, label_total];
                translation rules. The foreign side numbers its nonterminals from left to right. Those of the source
                side are also numbered from left to right: `swapped` says that they correspond crosswise. The totals
                are N(foreign) and N(LHS, foreign) of this correspondence alone.
    english     id, lhs, source, corpora, corpora_lhs, p(LHS|source), p(source|LHS); each left-hand and source side once
    totals      corpus, foreign_side, total; N(foreign) of both correspondences together
    pivots      id, corpus, lhs, foreign_side, total [, label_total]; what at least two source sides share
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


def _english(columns: str, labelled: bool) -> str:
    of_label = "".join(f", max({name}) AS {name}" for name in OF_LABEL) if labelled else ""
    return (
        f"SELECT {columns}, loaded.lhs, loaded.source, max(known.corpora) AS corpora, "  # noqa: S608
        f"count(DISTINCT loaded.corpus) AS corpora_lhs{of_label} FROM loaded JOIN (SELECT source, "
        "count(DISTINCT corpus) AS corpora FROM loaded GROUP BY source) AS known ON known.source = loaded.source "
        "GROUP BY loaded.lhs, loaded.source"
    )


def _steps(phrase: str, joins: str, labelled: bool, lexical: bool) -> str:
    # p(english|foreign) is to sum to one over both correspondences of nonterminals.
    needed = ["to_p", "from_p * loaded.total / totals.total AS from_p"]
    if labelled:
        needed += ["to_q", "from_q * loaded.label_total / pivots.label_total AS from_q"]
    needed += LEXICAL if lexical else ()
    return (
        f"CREATE TABLE steps AS SELECT {phrase} AS phrase, pivots.id AS pivot_id, swapped, count, alignment, "  # noqa: S608
        f"{', '.join(needed)} FROM loaded {joins}"
        "JOIN totals ON totals.corpus = loaded.corpus AND totals.foreign_side = loaded.foreign_side "
        "JOIN pivots ON pivots.corpus = loaded.corpus AND pivots.lhs = loaded.lhs "
        "AND pivots.foreign_side = loaded.foreign_side"
    )


TOTALS = (
    "CREATE TABLE totals AS SELECT corpus, foreign_side, CAST(sum(total) AS DOUBLE) AS total FROM (SELECT corpus, "
    "foreign_side, swapped, max(total) AS total FROM loaded GROUP BY corpus, foreign_side, swapped) AS ways "
    "GROUP BY corpus, foreign_side"
)


def _shared(labelled: bool, identity: bool) -> str:
    label_total = ", CAST(sum(label_total) AS DOUBLE) AS label_total" if labelled else ""
    of_way = ", max(label_total) AS label_total" if labelled else ""
    least = "" if identity else " HAVING sum(rules) > 1"
    return (
        f"(SELECT corpus, lhs, foreign_side{label_total} FROM (SELECT corpus, lhs, foreign_side, swapped, "  # noqa: S608
        f"count(*) AS rules{of_way} FROM loaded GROUP BY corpus, lhs, foreign_side, swapped) AS ways "
        f"GROUP BY corpus, lhs, foreign_side{least})"
    )


def numbered(labelled: bool, lexical: bool, identity: bool) -> tuple[str, ...]:
    """Number phrases and pivots, in the order of their text."""
    return (
        "CREATE TABLE english AS SELECT CAST(row_number() OVER (ORDER BY source, lhs) - 1 AS BIGINT) AS id, * "  # noqa: S608
        f"FROM ({_english('1 AS one', labelled)}) AS phrases",
        TOTALS,
        "CREATE TABLE pivots AS SELECT CAST(row_number() OVER (ORDER BY corpus, lhs, foreign_side) - 1 AS BIGINT) "  # noqa: S608
        f"AS id, * FROM {_shared(labelled, identity)} AS shared",
        _steps(
            "english.id", "JOIN english ON english.lhs = loaded.lhs AND english.source = loaded.source ", labelled,
            lexical,
        ),
    )  # fmt: skip


def by_text(labelled: bool, lexical: bool, identity: bool) -> tuple[str, ...]:
    """Use the text of phrases and pivots instead of numbers."""
    phrase = "concat(loaded.source, '\t', loaded.lhs)"
    return (
        f"CREATE TABLE english AS {_english(f'{phrase} AS id', labelled)}",
        TOTALS,
        "CREATE TABLE pivots AS SELECT concat(CAST(corpus AS STRING), '\t', lhs, '\t', foreign_side) AS id, * "  # noqa: S608
        f"FROM {_shared(labelled, identity)} AS shared",
        _steps(phrase, "", labelled, lexical),
    )


def _units(product: str) -> str:
    # Sums of whole numbers do not depend on the order of threads. No path counts for nothing.
    return f"greatest(CAST(round({product} * {UNITS}) AS BIGINT), 1)"


# Lexical weights may be tiny: two whole numbers, one in units of 1/LEXICAL_UNITS and one for the rest in units of its
# square, reach down to 2^-96, below the least weight that is written.
LEXICAL_UNITS = 2**48


def _lexical_weight(product: str, weights: Weights) -> str:
    best = f"max({product})"
    if weights == "best":
        return best
    upper = f"{product} * {LEXICAL_UNITS}"
    lower = f"({upper} - floor({upper})) * {LEXICAL_UNITS}"
    sums = [f"CAST(sum(CAST(floor({part}) AS BIGINT)) AS DOUBLE) / {LEXICAL_UNITS}" for part in (upper, lower)]
    # What is rounded down in the sum must not make it smaller than one of its parts.
    return f"greatest({best}, {sums[0]} + {sums[1]} / {LEXICAL_UNITS})"


def pivoted(labelled: bool, lexical: Weights | None, identity: bool, as_text: bool) -> str:
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
    if lexical is not None:
        parts += [
            f"{_lexical_weight('one.to_x * other.from_x', lexical)} AS direct_x",
            f"{_lexical_weight('other.to_x * one.from_x', lexical)} AS inverse_x",
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


def directed(labelled: bool, lexical: bool) -> str:
    """Give every pair both orders: what was direct is inverse in the other."""
    swaps = [("direct", "inverse"), *([("direct_q", "inverse_q")] if labelled else [])]
    swaps += [("direct_x", "inverse_x")] if lexical else []
    here = ", ".join(f"{one}, {other}" for one, other in swaps)
    there = ", ".join(f"{other} AS {one}, {one} AS {other}" for one, other in swaps)
    return (
        f"CREATE TABLE directed AS SELECT source, target, crossed, {here}, count, best, FALSE AS turned FROM pivoted "  # noqa: S608
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
