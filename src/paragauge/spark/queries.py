"""Relational steps that only a cluster needs: adding up the counts of parts of a text, and splitting frequent pivots.

Relations:

    word_links      part, source_word, target_word, count; '' means no word
    word_weights    the same, with the counts of all parts, and source_total and target_total: all links of either word;
                    by Moses' rule, and its occurrences without one
    table_pairs     corpus, source, target, count, source_total, target_total
    hot             corpus, pivot, pieces: pivots whose phrases form too many pairs for one task
    paraphrases     paraphrase rules as they will be written
    similar         source, target, cosine: distributional similarity of the sides of rules without nonterminals
"""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.phrases.queries import LexicalRule


def word_weights(rule: LexicalRule) -> str:
    """Add up the links of words in all parts, and those of each word."""
    # A word without a link counts for the null word of the other side, but by Koehn's rule not for its own total.
    of_source, of_target = ("", "") if rule == "moses" else ("WHERE target_word <> '' ", "WHERE source_word <> '' ")
    return (
        "CREATE TABLE word_weights AS "  # noqa: S608
        "SELECT links.part, links.source_word, links.target_word, pairs.count, "
        "coalesce(sources.total, 0) AS source_total, coalesce(targets.total, 0) AS target_total "
        "FROM word_links AS links "
        "JOIN (SELECT source_word, target_word, sum(count) AS count FROM word_links GROUP BY source_word, target_word) "
        "AS pairs ON pairs.source_word = links.source_word AND pairs.target_word = links.target_word "
        f"LEFT JOIN (SELECT source_word, sum(count) AS total FROM word_links {of_source}GROUP BY source_word) "
        "AS sources ON sources.source_word = links.source_word "
        f"LEFT JOIN (SELECT target_word, sum(count) AS total FROM word_links {of_target}GROUP BY target_word) "
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

# Distributional similarity (grammar/similarity.py has the formula). A run is a phrase that occurs in the text, with the
# words around it; their places keep the contexts apart. Weights and cosines are added up as whole numbers, so that the
# order of tasks does not matter; squares of weights are larger than 1 and get coarser units.
SQUARE_UNITS = 2**30
COSINE_UNITS = 2**53
_IS_PLAIN = "concat(' ', {side}) NOT RLIKE ' \\\\[[^ ]+,[12]\\\\]'"

PAIRS_TO_COMPARE = (
    "CREATE TABLE pairs_to_compare AS SELECT DISTINCT source, target FROM paraphrases "  # noqa: S608
    f"WHERE {_IS_PLAIN.format(side='source')}"
)
PHRASES_TO_COMPARE = (
    "CREATE TABLE phrases_to_compare AS SELECT DISTINCT phrase, size(split(phrase, ' ')) AS length FROM ("
    "SELECT source AS phrase FROM pairs_to_compare UNION ALL SELECT target AS phrase FROM pairs_to_compare) AS sides"
)


def found_contexts(places: Sequence[int]) -> str:
    """Count the contexts of the phrases to compare."""
    words = " UNION ALL ".join(
        f"SELECT phrase, concat('{int(place)} ', \"{int(place)}\") AS context FROM met"  # noqa: S608
        for place in places
    )
    return (
        "CREATE TABLE contexts AS WITH met AS (SELECT runs.* FROM runs JOIN phrases_to_compare AS known "  # noqa: S608
        f"ON known.phrase = runs.phrase) SELECT phrase, context, count(*) AS count FROM ({words}) AS words "
        "GROUP BY phrase, context"
    )


CONTEXT_WEIGHTS = (
    "CREATE TABLE context_weights AS SELECT * FROM (SELECT contexts.phrase, contexts.context, "
    "ln(contexts.count * CAST(whole.n AS DOUBLE) / (CAST(of_phrase.n AS DOUBLE) * of_context.n)) AS weight "
    "FROM contexts JOIN (SELECT phrase, sum(count) AS n FROM contexts GROUP BY phrase) AS of_phrase "
    "ON of_phrase.phrase = contexts.phrase JOIN (SELECT context, sum(count) AS n FROM contexts GROUP BY context) "
    "AS of_context ON of_context.context = contexts.context "
    "CROSS JOIN (SELECT sum(count) AS n FROM contexts) AS whole) AS weighted WHERE weight > 0"
)
CONTEXT_NORMS = (
    "CREATE TABLE context_norms AS SELECT phrase, "  # noqa: S608
    f"sqrt(CAST(sum(CAST(round(weight * weight * {SQUARE_UNITS}) AS BIGINT)) AS DOUBLE) / {SQUARE_UNITS}) AS norm "
    "FROM context_weights GROUP BY phrase"
)
SIMILAR = (
    "CREATE TABLE similar AS SELECT pairs.source, pairs.target, "  # noqa: S608
    "least(CAST(sum(CAST(round(one.weight * other.weight / (one_norm.norm * other_norm.norm) * "
    f"{COSINE_UNITS}) AS BIGINT)) AS DOUBLE) / {COSINE_UNITS}, 1.0) AS cosine FROM pairs_to_compare AS pairs "
    "JOIN context_weights AS one ON one.phrase = pairs.source JOIN context_weights AS other "
    "ON other.phrase = pairs.target AND other.context = one.context "
    "JOIN context_norms AS one_norm ON one_norm.phrase = pairs.source "
    "JOIN context_norms AS other_norm ON other_norm.phrase = pairs.target GROUP BY pairs.source, pairs.target"
)


def with_similarity(name: str) -> str:
    """Select paraphrase rules with their similarity, in the order in which pivoting writes them."""
    return (
        f'SELECT paraphrases.*, coalesce(similar.cosine, 0.0) AS "{name}" FROM paraphrases LEFT JOIN similar '  # noqa: S608
        "ON similar.source = paraphrases.source AND similar.target = paraphrases.target "
        'ORDER BY paraphrases.source, lhs, "p(e|f)" DESC, paraphrases.target, crossed'
    )
