"""The relational steps of grammars, as plain SQL that DuckDB and Spark both understand.

Relations:

    extracted   lhs, source, target [, direct, inverse], alignment; a row for each occurrence
    partial     the same and count; each rule once for every part of the text
    joint       the same and count; each rule once
    gold        match_id, lhs, source, target, class, count; each rule once for each way to compare
    rules       lhs, source, target, class, score; the grammar to evaluate

In the formulas f is the source side and e the target side, as in the names of PPDB's features. N counts occurrences.
"""

from __future__ import annotations

from collections.abc import Sequence

# Names of feature columns are PPDB's. Queries return probabilities; features.py turns them into costs.
RARITY = "RarityPenalty"
LEXICAL = ("Lex(e|f)", "Lex(f|e)")
PROBABILITIES = ("p(e|f)", "p(f|e)")
LABEL_PROBABILITIES = ("p(e|f,LHS)", "p(f|e,LHS)", "p(LHS|e)", "p(LHS|f)", "p(e|LHS)", "p(f|LHS)")


def count_extracted(lexical: bool) -> str:
    """Count occurrences; keep the best ranked of several alignments, and the highest lexical weights."""
    return _joint("extracted", "count(*)", lexical)


def add_partial(lexical: bool) -> str:
    """Add the counts of all parts, and keep the best alignment and weights likewise."""
    return _joint("partial", "sum(count)", lexical)


def _joint(relation: str, count: str, lexical: bool) -> str:
    weights = ", max(direct) AS direct, max(inverse) AS inverse" if lexical else ""
    return (
        f"CREATE TABLE joint AS SELECT lhs, source, target, CAST({count} AS BIGINT) AS count, "  # noqa: S608
        f"min(alignment) AS alignment{weights} FROM {relation} GROUP BY lhs, source, target"
    )


def any_rule(min_count: int) -> str:
    """Select one row if any rule is kept."""
    return f"SELECT 1 FROM joint WHERE count >= {int(min_count)} LIMIT 1"  # noqa: S608


def _share(part: str, whole: str) -> str:
    return f"CAST({part} AS DOUBLE) / {whole}"


def feature_names(labelled: bool, lexical: bool) -> tuple[str, ...]:
    """Return the feature columns of an extracted grammar, in order."""
    return (
        RARITY,
        *(LEXICAL if lexical else ()),
        *PROBABILITIES,
        *(LABEL_PROBABILITIES if labelled else ()),
    )


def sorted_rules(labelled: bool, lexical: bool, rank_length: int, min_count: int) -> str:
    """Select rules with the probabilities behind the features, sorted by source, decreasing count, target, label."""

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
    shares = ["direct", "inverse"] if lexical else []
    shares += [_share(pair, "f.n"), _share(pair, "e.n")]
    if labelled:
        shares += [_share("joint.count", "lf.n"), _share("joint.count", "le.n"), _share("le.n", "e.n")]
        shares += [_share("lf.n", "f.n"), _share("le.n", "l.n"), _share("lf.n", "l.n")]
    names = [name for name in feature_names(labelled, lexical) if name != RARITY]
    features = ", ".join(f'{share} AS "{name}"' for share, name in zip(shares, names, strict=True))
    return (
        f"SELECT joint.lhs, joint.source, joint.target, substr(alignment, {rank_length + 1}) AS alignment, "  # noqa: S608
        f"joint.count, {features} FROM joint {' '.join(joins)} WHERE joint.count >= {int(min_count)} "
        "ORDER BY joint.source, joint.count DESC, joint.target, joint.lhs"
    )


# Overlap. Rules with equal sides (identities) paraphrase nothing, and count only on request; rules that become equal by
# a change of labels count once, with the best of their scores. The gold grammar is loaded once for all ways to compare:
# `match_id` says which.
def gold_rules(identities: bool) -> str:
    """Load the rules of the gold grammar."""
    return (
        "CREATE TABLE gold AS SELECT match_id, lhs, source, target, max(class) AS class, max(count) AS count "  # noqa: S608
        f"FROM incoming{_paraphrases(identities)} GROUP BY match_id, lhs, source, target"
    )


def other_rules(identities: bool) -> str:
    """Load the rules of the grammar to evaluate."""
    return (
        "CREATE TABLE rules AS SELECT lhs, source, target, max(class) AS class, min(score) AS score "  # noqa: S608
        f"FROM incoming{_paraphrases(identities)} GROUP BY lhs, source, target"
    )


def _paraphrases(identities: bool) -> str:
    return "" if identities else " WHERE source <> target"


def found_rules(match_id: int) -> str:
    """Keep the gold rules that the other grammar contains, for one way to compare."""
    return (
        "CREATE TABLE found AS SELECT gold.class, gold.count FROM gold JOIN rules "  # noqa: S608
        "ON rules.source = gold.source AND rules.target = gold.target AND rules.lhs = gold.lhs "
        f"WHERE gold.match_id = {int(match_id)}"
    )


def drop_table(relation: str) -> str:
    """Drop a relation if it exists."""
    return f"DROP TABLE IF EXISTS {relation}"


def sizes_by_class(relation: str, min_count: int | None = None, match_id: int | None = None) -> str:
    """Count the rules of each class."""
    conditions = [] if min_count is None else [f"count >= {int(min_count)}"]
    conditions += [] if match_id is None else [f"match_id = {int(match_id)}"]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT class, count(*) FROM {relation}{where} GROUP BY class ORDER BY class"  # noqa: S608


def hits(match_id: int) -> str:
    """Select whether each rule is gold, lowest cost first, for the curve. Ties are sorted by the text of the rules."""
    return (
        "SELECT gold.count IS NOT NULL AS hit FROM rules LEFT JOIN "  # noqa: S608
        f"(SELECT * FROM gold WHERE match_id = {int(match_id)}) AS gold "
        "ON rules.source = gold.source AND rules.target = gold.target AND rules.lhs = gold.lhs "
        "ORDER BY rules.score, rules.source, rules.target, rules.lhs"
    )


def best_rules(top_labels: int | None, top: int | None) -> str:
    """Select the numbers of the best rules: of those that differ only in labels, then of each label and source side."""
    rules = "rules"
    for limit, keys in ((top_labels, "bare_source, bare_target"), (top, "lhs, source")):
        if limit is not None:
            place = f"place_in_{keys[:3]}"
            rules = (
                f"(SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY {keys} "  # noqa: S608
                f"ORDER BY score, source, target, lhs) AS {place} FROM {rules} AS candidates) AS ranked "
                f"WHERE {place} <= {int(limit)})"
            )
    return f"SELECT number FROM {rules} AS best ORDER BY number"  # noqa: S608


FIRST_OF_EACH = (
    "SELECT several.lhs, several.source, several.target, features, alignment FROM several JOIN ("
    "SELECT lhs, source, target, min(part) AS part FROM several GROUP BY lhs, source, target) AS firsts "
    "ON firsts.part = several.part AND firsts.lhs = several.lhs AND firsts.source = several.source "
    "AND firsts.target = several.target ORDER BY several.source, several.target, several.lhs"
)

STATISTICS = (
    "SELECT class, count(*), sum(CASE WHEN same THEN 1 ELSE 0 END), "
    "count(DISTINCT source || ' ||| ' || target), count(DISTINCT lhs), "
    "avg(length(source) - length(replace(source, ' ', '')) + 1), "
    "avg(length(target) - length(replace(target, ' ', '')) + 1) FROM described GROUP BY class ORDER BY class"
)
