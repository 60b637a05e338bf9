"""The relational steps, as plain SQL that DuckDB and Spark both understand.

Counting, totals, pruning, numbering and pivoting are all defined here, and only here. Text from users never becomes
part of a statement: only numbers and the names of the columns below do.

Relations:

    extracted           source, target, count [, direct_lexical, inverse_lexical] [, alignment]; each pair once per run;
                        by Moses' rule each alignment of a pair once per run, with by_target and by_source
    loaded              part, source, target, count [, source_total, target_total], and
                        the same optional columns; part: number of the table
    joint               source, target, count [, direct_lexical, inverse_lexical] [, alignment]; each pair once
    source_totals       phrase, total: N(e)
    target_totals       phrase, total: N(f)
    kept                joint after pruning, with source_total and target_total; replaces joint
    forward             corpus, phrase, pivot, p: p(f|e1); phrases and pivots are numbers on the embedded engine, text
                        on a cluster, where numbers would have to be shared between workers
    backward            corpus, pivot, phrase, p: p(e2|f)
    paraphrases         phrase, paraphrase, p
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

LEXICAL = ("direct_lexical", "inverse_lexical")
ALIGNMENT = "alignment"
ORDERS = ("by_target", "by_source")  # texts that sort as Moses compares alignments, see `native/src/phrases/count.hpp`

LexicalRule: TypeAlias = Literal["koehn", "moses"]
LEXICAL_RULES: tuple[LexicalRule, ...] = ("koehn", "moses")

# Products of probabilities are added as integers in units of 1/UNITS: a sum of floats depends on the order in which
# threads add them, and the same command must give the same bytes.
UNITS = 2**53


def add_extracted(optional: Sequence[str], rule: LexicalRule = "koehn") -> str:
    """Add the counts of all runs; keep one of several alignments and its weights by the *rule*.

    By Koehn's rule these are the best ranked alignment and the highest weights; by Moses' rule the most frequent
    alignment and its weights, and of several the last in the order of each direction.
    """
    return _joint("extracted", optional) if rule == "koehn" else _most_frequent("extracted", optional)


def _most_frequent(relation: str, optional: Sequence[str]) -> str:
    places_of = {column: "source_place" if column == "inverse_lexical" else "target_place" for column in optional}
    kept = "".join(f", max(CASE WHEN {place} = 1 THEN {column} END) AS {column}" for column, place in places_of.items())
    places = "".join(
        f", row_number() OVER (PARTITION BY source, target ORDER BY count DESC, {order} DESC) AS {order[3:]}_place"
        for order in ORDERS
    )
    highest = "".join(f", max({column}) AS {column}" for column in (*optional, *ORDERS) if column != ALIGNMENT)
    return (
        f"CREATE TABLE joint AS SELECT source, target, CAST(sum(count) AS BIGINT) AS count{kept} FROM ("  # noqa: S608
        f"SELECT *{places} FROM (SELECT source, target, alignment, CAST(sum(count) AS BIGINT) AS count{highest} "
        f"FROM {relation} GROUP BY source, target, alignment) AS alignments) AS ranked GROUP BY source, target"
    )


def add_loaded(optional: Sequence[str]) -> str:
    """Add the counts of pairs that occur in several tables."""
    return _joint("loaded", optional)


def _joint(relation: str, optional: Sequence[str]) -> str:
    kept = "".join(f", {'min' if column == ALIGNMENT else 'max'}({column}) AS {column}" for column in optional)
    return (
        f"CREATE TABLE joint AS SELECT source, target, CAST(sum(count) AS BIGINT) AS count{kept} "  # noqa: S608
        f"FROM {relation} GROUP BY source, target"
    )


REPEATED_PAIR = (
    "SELECT source, target FROM loaded GROUP BY part, source, target HAVING count(*) > 1 "
    "ORDER BY source, target LIMIT 1"
)


def contradicting_totals(side: str) -> str:
    """Find a phrase whose total differs between its pairs, or is smaller than the sum of its counts."""
    return (
        f"SELECT {side}, min({side}_total), max({side}_total), sum(count) FROM loaded "  # noqa: S608
        f"GROUP BY part, {side} HAVING min({side}_total) <> max({side}_total) OR sum(count) > min({side}_total) "
        f"ORDER BY {side} LIMIT 1"
    )


def totals(side: str) -> str:
    """Sum the counts of each phrase on one side: N(e), N(f)."""
    return (
        f"CREATE TABLE {side}_totals AS SELECT {side} AS phrase, CAST(sum(count) AS BIGINT) AS total "  # noqa: S608
        f"FROM joint GROUP BY {side}"
    )


def rarer_pairs(min_count: int) -> str:
    """Count all pairs, and those below a minimum count."""
    return (
        "SELECT count(*), coalesce(sum(CASE WHEN count "  # noqa: S608
        f"< {int(min_count)} THEN 1 ELSE 0 END), 0) FROM joint"
    )


def loaded_totals(side: str) -> str:
    """Add the totals stored in the tables, which also count pairs that were pruned from them."""
    return (
        f"CREATE TABLE {side}_totals AS SELECT phrase, CAST(sum(total) AS BIGINT) AS total FROM ("  # noqa: S608
        f"SELECT part, {side} AS phrase, max({side}_total) AS total FROM loaded GROUP BY part, {side}) AS parts "
        "GROUP BY phrase"
    )


def keep(optional: Sequence[str], min_count: int, min_prob: float, top: int | None) -> str:
    """Keep pairs by count, by p(target|source), and the best of each source phrase; store the totals with them."""
    columns = ", ".join(["source", "target", "count", *optional, "source_total", "target_total"])
    place = best = ""
    if top is not None:
        place = ", row_number() OVER (PARTITION BY source ORDER BY count DESC, target) AS place"
        best = f" AND place <= {int(top)}"
    return (
        f"CREATE TABLE kept AS SELECT {columns} FROM ("  # noqa: S608
        f"SELECT joint.*, source_totals.total AS source_total, target_totals.total AS target_total{place} FROM joint "
        "JOIN source_totals ON source_totals.phrase = joint.source "
        "JOIN target_totals ON target_totals.phrase = joint.target) AS ranked "
        f"WHERE count >= {int(min_count)} AND CAST(count AS DOUBLE) / source_total >= {float(min_prob)!r}{best}"
    )


REPLACE_JOINT = ("DROP TABLE joint", "ALTER TABLE kept RENAME TO joint")


def sorted_targets(kept_totals: bool) -> str:
    """Select target phrases with N(f), sorted by text; N(f) is summed unless it is stored with the pairs."""
    total = "max(target_total)" if kept_totals else "CAST(sum(count) AS BIGINT)"
    return f"SELECT target AS phrase, {total} AS total FROM joint GROUP BY target ORDER BY target"  # noqa: S608


def sorted_pairs(optional: Sequence[str], kept_totals: bool) -> str:
    """Select pairs in the order of the file: by source, decreasing count, target."""
    more = "".join(f", {column}" for column in (*optional, *(["source_total"] if kept_totals else [])))
    return f"SELECT source, target, count{more} FROM joint ORDER BY source, count DESC, target"  # noqa: S608


def sorted_rows(optional: Sequence[str], rank_length: int) -> str:
    """Select pairs with all their columns, in the same order: rows that can be loaded again."""
    known = {ALIGNMENT: f"substr({ALIGNMENT}, {rank_length + 1}) AS {ALIGNMENT}"}
    more = "".join(f", {known.get(column, column)}" for column in optional)
    return (
        f"SELECT source, target, count, source_total, target_total{more} FROM joint "  # noqa: S608
        "ORDER BY source, count DESC, target"
    )


NUMBER_PHRASES = (
    "CREATE TABLE phrases AS SELECT CAST(row_number() OVER (ORDER BY phrase) - 1 AS BIGINT) AS id, phrase "
    "FROM (SELECT DISTINCT phrase FROM local_phrases) AS distinct_phrases"
)

# Phrase numbers of single tables become numbers that all tables share. Side 0 has phrases, side 1 paraphrases.
LOCAL_IDS = (
    "CREATE TABLE local_ids AS SELECT corpus, side, local.id AS local_id, phrases.id AS id "
    "FROM local_phrases AS local JOIN phrases ON phrases.phrase = local.phrase"
)
FORWARD = (
    "CREATE TABLE forward AS SELECT step.corpus, local_ids.id AS phrase, step.pivot, step.p FROM local_forward AS step "
    "JOIN local_ids ON local_ids.corpus = step.corpus AND side = 0 AND local_id = step.phrase"
)
BACKWARD = (
    "CREATE TABLE backward AS SELECT step.corpus, step.pivot, local_ids.id AS phrase, step.p "
    "FROM local_backward AS step "
    "JOIN local_ids ON local_ids.corpus = step.corpus AND side = 1 AND local_id = step.phrase"
)


def pivoted(identity: bool) -> str:
    """p(e2|e1) = sum over corpora and pivots f of p(f|e1) p(e2|f), divided by the number of corpora that have e1.

    That number is joined before summing: joined to the sums, which are far more, it would need another shuffle.
    """
    other = "" if identity else " WHERE steps.phrase <> backward.phrase"
    return (
        f"SELECT phrase, paraphrase, CAST(units AS DOUBLE) / {UNITS} / corpora AS p FROM ("  # noqa: S608
        "SELECT steps.phrase, backward.phrase AS paraphrase, max(steps.corpora) AS corpora, "
        f"sum(CAST(round(steps.p * backward.p * {UNITS}) AS BIGINT)) AS units "
        "FROM (SELECT forward.corpus, forward.phrase, forward.pivot, forward.p, known.corpora FROM forward "
        "JOIN (SELECT phrase, count(DISTINCT corpus) AS corpora FROM forward GROUP BY phrase) AS known "
        "ON known.phrase = forward.phrase) AS steps "
        f"JOIN backward ON steps.corpus = backward.corpus AND steps.pivot = backward.pivot{other} "
        "GROUP BY steps.phrase, backward.phrase) AS summed"
    )


def probable(relation: str, min_prob: float) -> str:
    """Keep the paraphrases of a relation, or of a query in parentheses, that are probable enough."""
    return (
        f"CREATE TABLE paraphrases AS SELECT phrase, paraphrase, p FROM {relation} AS divided "  # noqa: S608
        f"WHERE p >= {float(min_prob)!r} AND p > 0"
    )


def sorted_paraphrases(top: int | None) -> str:
    """Select paraphrases by number, sorted by phrase, decreasing score, paraphrase."""
    if top is None:
        return "SELECT phrase, paraphrase, p FROM paraphrases ORDER BY phrase, p DESC, paraphrase"
    return (
        "SELECT phrase, paraphrase, p FROM ("  # noqa: S608
        "SELECT *, row_number() OVER (PARTITION BY phrase ORDER BY p DESC, paraphrase) AS place FROM paraphrases"
        f") AS ranked WHERE place <= {int(top)} ORDER BY phrase, p DESC, paraphrase"
    )


# Only phrases that have a paraphrase, or are one, go into the table; the rest would take up space for nothing.
NUMBER_USED_PHRASES = (
    "CREATE TABLE used AS SELECT CAST(row_number() OVER (ORDER BY id) - 1 AS BIGINT) AS new_id, id, phrase "
    "FROM phrases WHERE id IN (SELECT phrase FROM paraphrases UNION SELECT paraphrase FROM paraphrases)"
)
SORTED_USED_PHRASES = "SELECT phrase FROM used ORDER BY new_id"
RENUMBER_PARAPHRASES = (
    "CREATE TABLE renumbered AS SELECT one.new_id AS phrase, other.new_id AS paraphrase, p FROM paraphrases "
    "JOIN used AS one ON one.id = paraphrases.phrase JOIN used AS other ON other.id = paraphrases.paraphrase"
)
REPLACE_PARAPHRASES = ("DROP TABLE paraphrases", "ALTER TABLE renumbered RENAME TO paraphrases")

# Paraphrases read from text, PPDB or TSV: the best score of a pair is kept.
NUMBER_LOADED_PHRASES = (
    "CREATE TABLE phrases AS SELECT CAST(row_number() OVER (ORDER BY phrase) - 1 AS BIGINT) AS id, phrase "
    "FROM (SELECT phrase FROM loaded UNION SELECT paraphrase FROM loaded) AS both_sides"
)
NUMBER_LOADED_PARAPHRASES = (
    "CREATE TABLE paraphrases AS SELECT one.id AS phrase, other.id AS paraphrase, max(p) AS p FROM loaded "
    "JOIN phrases AS one ON one.phrase = loaded.phrase JOIN phrases AS other ON other.phrase = loaded.paraphrase "
    "GROUP BY one.id, other.id"
)
