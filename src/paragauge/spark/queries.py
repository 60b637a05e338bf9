"""Relational steps that only a cluster needs: adding up the counts of parts of a text, and splitting frequent pivots.

Relations:

    word_links      part, source_word, target_word, count; '' means no word
    word_weights    the same, with the counts of all parts, and source_total and target_total: all links of either word
    table_pairs     corpus, source, target, count, source_total, target_total
    hot             corpus, pivot, pieces: pivots whose phrases form too many pairs for one task
"""

from __future__ import annotations

WORD_WEIGHTS = (
    "CREATE TABLE word_weights AS "
    "SELECT links.part, links.source_word, links.target_word, pairs.count, "
    "coalesce(sources.total, 0) AS source_total, coalesce(targets.total, 0) AS target_total FROM word_links AS links "
    "JOIN (SELECT source_word, target_word, sum(count) AS count FROM word_links GROUP BY source_word, target_word) "
    "AS pairs ON pairs.source_word = links.source_word AND pairs.target_word = links.target_word "
    # A word without a link counts for the null word of the other side, but not for its own total.
    "LEFT JOIN (SELECT source_word, sum(count) AS total FROM word_links WHERE target_word <> '' GROUP BY source_word) "
    "AS sources ON sources.source_word = links.source_word "
    "LEFT JOIN (SELECT target_word, sum(count) AS total FROM word_links WHERE source_word <> '' GROUP BY target_word) "
    "AS targets ON targets.target_word = links.target_word"
)

# A pivot f with n phrases e yields n * n pairs (e1, e2). If these are too many for one task, its forward steps are
# distributed over several pieces, and its backward steps copied to each: the same products, in several tasks. A tab
# never occurs in a phrase.


def hot_pivots(pairs_in_task: int) -> str:
    """Find pivots that are too frequent for one task."""
    return (
        "CREATE TABLE hot AS SELECT corpus, pivot, CAST(ceil(CAST(n AS DOUBLE) * n / "  # noqa: S608
        f"{int(pairs_in_task)}) AS INT) AS pieces FROM (SELECT corpus, target AS pivot, count(*) AS n FROM table_pairs "
        f"GROUP BY corpus, target) AS sizes WHERE CAST(n AS DOUBLE) * n > {int(pairs_in_task)}"
    )


FORWARD = (
    "CREATE TABLE forward AS SELECT /*+ BROADCAST(hot) */ pairs.corpus, pairs.source AS phrase, "
    "CASE WHEN hot.pieces IS NULL THEN pairs.target "
    "ELSE concat(pairs.target, '\\t', CAST(pmod(xxhash64(pairs.source), hot.pieces) AS STRING)) END AS pivot, "
    "CAST(pairs.count AS DOUBLE) / pairs.source_total AS p FROM table_pairs AS pairs "
    "LEFT JOIN hot ON hot.corpus = pairs.corpus AND hot.pivot = pairs.target"
)
BACKWARD = (
    "CREATE TABLE backward AS SELECT /*+ BROADCAST(hot) */ steps.corpus, steps.phrase, "
    "CASE WHEN hot.pieces IS NULL THEN steps.pivot "
    "ELSE concat(steps.pivot, '\\t', CAST(piece AS STRING)) END AS pivot, steps.p "
    "FROM (SELECT corpus, source AS phrase, target AS pivot, CAST(count AS DOUBLE) / target_total AS p "
    "FROM table_pairs) AS steps LEFT JOIN hot ON hot.corpus = steps.corpus AND hot.pivot = steps.pivot "
    "LATERAL VIEW explode(sequence(0, coalesce(hot.pieces, 1) - 1)) AS piece"
)
