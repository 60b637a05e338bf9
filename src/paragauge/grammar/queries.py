"""The relational steps of grammars, as plain SQL that DuckDB and Spark both understand.

Relations:

    extracted   lhs, source, target [, direct, inverse], alignment; a row for each occurrence
    joint       the same and count; each rule once
    gold        lhs, source, target, class, count
    rules       lhs, source, target, class, score; the grammar that is measured

In the formulas f is the source side and e the target side, as in the names of PPDB's features. N counts occurrences.
"""

from __future__ import annotations

from collections.abc import Sequence

# Names of feature columns are PPDB's. Probabilities are written as -ln p, as there.
LEXICAL = ("Lex(e|f)", "Lex(f|e)")
PROBABILITIES = ("p(e|f)", "p(f|e)")
LABEL_PROBABILITIES = ("p(e|f,LHS)", "p(f|e,LHS)", "p(LHS|e)", "p(LHS|f)", "p(e|LHS)", "p(f|LHS)")
# A word that was never linked gives a weight of 0; PPDB writes this for its logarithm.
LARGEST_COST = 64.0


def count_extracted(lexical: bool) -> str:
    """Count occurrences; of several alignments the best ranked is kept, and the highest lexical weights."""
    weights = ", max(direct) AS direct, max(inverse) AS inverse" if lexical else ""
    return (
        "CREATE TABLE joint AS SELECT lhs, source, target, CAST(count(*) AS BIGINT) AS count, "  # noqa: S608
        f"min(alignment) AS alignment{weights} FROM extracted GROUP BY lhs, source, target"
    )


def _cost(part: str, whole: str) -> str:
    return f"-ln(CAST({part} AS DOUBLE) / {whole})"


def _cost_of_weight(weight: str) -> str:
    return f"CASE WHEN {weight} > 0 THEN least(-ln({weight}), {LARGEST_COST}) ELSE {LARGEST_COST} END"


def feature_names(labelled: bool, lexical: bool) -> tuple[str, ...]:
    """Return the feature columns of an extracted grammar, in order."""
    return (
        *("RarityPenalty",),
        *(LEXICAL if lexical else ()),
        *PROBABILITIES,
        *(LABEL_PROBABILITIES if labelled else ()),
    )


def sorted_rules(labelled: bool, lexical: bool, rank_length: int, min_count: int) -> str:
    """Give rules with their features, in the order of the file: by source, falling count, target, label."""

    def total(name: str, columns: Sequence[str]) -> str:
        keys = ", ".join(columns)
        join = " AND ".join(f"{name}.{column} = joint.{column}" for column in columns)
        return (
            f"JOIN (SELECT {keys}, CAST(sum(count) AS BIGINT) AS n FROM joint GROUP BY {keys}) AS {name} "  # noqa: S608
            f"ON {join}"
        )

    joins = [total("f", ["source"]), total("e", ["target"])]
    pair = "joint.count"
    if labelled:
        joins += [
            total("fe", ["source", "target"]),
            total("l", ["lhs"]),
            total("lf", ["lhs", "source"]),
            total("le", ["lhs", "target"]),
        ]
        pair = "fe.n"
    costs = ["exp(1 - joint.count)"]
    costs += [_cost_of_weight("direct"), _cost_of_weight("inverse")] if lexical else []
    costs += [_cost(pair, "f.n"), _cost(pair, "e.n")]
    if labelled:
        costs += [_cost("joint.count", "lf.n"), _cost("joint.count", "le.n"), _cost("le.n", "e.n")]
        costs += [_cost("lf.n", "f.n"), _cost("le.n", "l.n"), _cost("lf.n", "l.n")]
    names = feature_names(labelled, lexical)
    features = ", ".join(f'{cost} AS "{name}"' for cost, name in zip(costs, names, strict=True))
    return (
        f"SELECT joint.lhs, joint.source, joint.target, substr(alignment, {rank_length + 1}) AS alignment, "  # noqa: S608
        f"joint.count, {features} FROM joint {' '.join(joins)} WHERE joint.count >= {int(min_count)} "
        "ORDER BY joint.source, joint.count DESC, joint.target, joint.lhs"
    )


# Overlap. Rules whose sides are equal paraphrase nothing and never count; a rule that a change of labels makes twice
# counts once, with the best of its scores.
GOLD = (
    "CREATE TABLE gold AS SELECT lhs, source, target, max(class) AS class, max(count) AS count "
    "FROM incoming WHERE source <> target GROUP BY lhs, source, target"
)
RULES = (
    "CREATE TABLE rules AS SELECT lhs, source, target, max(class) AS class, min(score) AS score "
    "FROM incoming WHERE source <> target GROUP BY lhs, source, target"
)
FOUND = (
    "CREATE TABLE found AS SELECT gold.class, gold.count, rules.score, "
    "rules.source, rules.target, rules.lhs FROM gold JOIN rules "
    "ON rules.source = gold.source AND rules.target = gold.target AND rules.lhs = gold.lhs"
)


def sizes_by_class(relation: str, min_count: int | None = None) -> str:
    """Give how many rules of each class there are."""
    where = "" if min_count is None else f" WHERE count >= {int(min_count)}"
    return f"SELECT class, count(*) FROM {relation}{where} GROUP BY class ORDER BY class"  # noqa: S608


# The curve: how many of the n rules with the lowest cost are found. Rules of equal cost go by their text.
RANKED = (
    "CREATE TABLE ranked AS SELECT row_number() OVER (ORDER BY rules.score, rules.source, rules.target, rules.lhs) "
    "AS place, CASE WHEN gold.count IS NULL THEN 0 ELSE 1 END AS hit FROM rules LEFT JOIN gold "
    "ON rules.source = gold.source AND rules.target = gold.target AND rules.lhs = gold.lhs"
)


def hits_among(size: int) -> str:
    """Give how many of the best rules are found."""
    return f"SELECT count(*), CAST(coalesce(sum(hit), 0) AS BIGINT) FROM ranked WHERE place <= {int(size)}"  # noqa: S608
