"""What each option of a metric does, in a sentence.

A metric of another package says it in its own fields: ``field(default=..., metadata={"help": "..."})``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any

_MODEL_ON_DISK = "folder of a model, or an installed package that contains one; required"

# By option, for all metrics that have it; by "metric.option" where one differs.
OPTION_HELP: Mapping[str, str] = {
    "against": "texts to compare candidates with: references or originals",
    "aligner": "also match the words that the English aligner links",
    "alpha": "balance of precision and recall; higher favours recall",
    "asian_support": "split Asian characters into words of their own",
    "back_off": "compare the words of sentences without any role",
    "baseline": "mean score of unrelated texts, which is moved to 0",
    "beta": "weight of recall: 2 counts it twice as much as precision",
    "brevity_penalty": "penalise candidates shorter than their references",
    "char_order": "longest n-gram of characters",
    "delta": "weight of content words against function words",
    "dependencies": "also match dependency relations (MAXSIM-n+d)",
    "distance": "with 1, inexact matches lose weight by their distance in the sentences",
    "effective_order": "ignore orders without n-grams; always on for single segments",
    "gamma": "weight of the fragmentation penalty",
    "glue": "let derivations join phrases without a rule",
    "layer": "layer of the network whose vectors are taken, from 1; None for the last",
    "links": "gold links to use: sure, or possible (both kinds)",
    "lowercase": "ignore case",
    "items": "what is counted under each role: words, whole arguments, or roles alone",
    "identities": "whether rules with the same words on both sides count: in or out",
    "match": "strict compares labels too, non-strict only words",
    "matching": "search for matches: greedy as in the paper, or exact",
    "max_length": "most words of a text; longer ones are refused",
    "max_order": "longest n-gram of words",
    "max_span": "longest source span of a rule, in words",
    "max_target_span": "longest target span of a rule, in words",
    "megabytes": "memory limit for one pair",
    "min_count": "least count of a gold rule",
    "min_inverse_prob": "least probability of the phrase given its translation",
    "min_length": "fewest words of a phrase that may match",
    "min_prob": "least probability of a translation or paraphrase",
    "min_score": "least score of a paraphrase in the table",
    "model": "folder of a model, or default for the one that ships",
    "normalized": "normalise and tokenise as tercom does",
    "omega": "weight of the reward for other wording",
    "paraphrases": "folder of a paraphrase table, for a stage of paraphrases",
    "pass_through": "words that may be copied without a rule: unknown, none, all",
    "preset": "settings of METEOR's versions: 2005, 2007, 1.5",
    "provider": "tagger and parser: builtin, or spacy:MODEL",
    "punctuation": "count punctuation as words",
    "references": "also compare with the references",
    "seconds": "time limit for one pair",
    "similarity": "similarity of meaning: bertscore, or embedding for the cosine of sentences",
    "smooth": "smoothing of precisions without matches: exp, floor, add-k, none",
    "smooth_value": "number that floor or add-k uses",
    "stem": "match words by their stems (English)",
    "synonyms": "match synonyms of WordNet",
    "table": "folder of a phrase or paraphrase table, or default for the one that ships",
    "target_rate": "length of candidates relative to originals above which they are penalised",
    "tokenizer": "13a, intl, zh, char, jieba, penn, moses-XX for language XX, or none",
    "top": "most paraphrases of a phrase in the table, best first",
    "unit": "unit of edits: word or char",
    "value": "which number is the score: f1, precision, recall",
    "weight": "steepness of the penalty for length",
    "whitespace": "count spaces as characters",
    "word_order": "longest n-gram of words; 2 gives chrF++",
    "bertscore.model": _MODEL_ON_DISK,
    "embedding.model": _MODEL_ON_DISK,
    "ibleu.alpha": "weight of BLEU with references against BLEU with the original",
    "meteor.beta": "exponent of the fragmentation penalty",
    "parascore.gamma": "share of changed characters beyond which the reward does not grow",
    "parascore.model": _MODEL_ON_DISK,
    "parametric.max_length": "most words of a phrase; None for no limit",
    "parametric-alignment.max_length": "most words of a phrase; None for no limit",
}


def option_help(metric: type[Any], option: Field[Any]) -> str:
    """Return what *option* of the class *metric* does; empty if it is not known."""
    own = option.metadata.get("help")
    if isinstance(own, str):
        return own
    return OPTION_HELP.get(f"{metric.name}.{option.name}", OPTION_HELP.get(option.name, ""))


# Metrics of resources have commands of their own.
_OF_RESOURCES = {
    "paradigm": "paragauge paradigm overlap gold.grammar my.grammar --match strict --min-count 2",
    "paradigm-coverage": "paragauge paradigm coverage my.grammar pairs.tsv --pass-through all",
    "parametric": "paragauge parametric --gold gold.json --paraphrases my.paraphrases",
    "parametric-alignment": "paragauge parametric --gold gold.json --alignment my.align",
}


def example_command(metric: type[Any]) -> str:
    """Return a command that computes *metric* with its first option that has a simple value."""
    if metric.name in _OF_RESOURCES:
        return _OF_RESOURCES[metric.name]
    needs = getattr(metric, "needs", None)
    if needs is None:
        return f"paragauge {metric.name.partition('-')[0]} --help"
    simple = [each for each in fields(metric) if isinstance(each.default, bool | int | float)]
    chosen = metric.name
    model = getattr(metric, "example_model", None)
    if model is not None:  # there is no default, and nothing works without it
        chosen = f"'{metric.name}(model={model})'"
    elif simple:
        value: Any = simple[0].default
        chosen = f"'{metric.name}({simple[0].name}={_other(value)})'"
    texts = "--ref reference.txt " if "references" in needs else ""
    texts += "--original original.txt " if "originals" in needs else ""
    return f"paragauge score -m {chosen} {texts}system.txt"


def _other(value: bool | float) -> str:
    """Return a value that differs from the default *value*."""
    if isinstance(value, bool):
        return "no" if value else "yes"
    return str(value - 1) if isinstance(value, int) and value > 1 else f"{value * 0.9:g}"
