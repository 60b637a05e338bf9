"""The first sentence of each command's help, so that listing the commands need not load them; a test compares them."""

from __future__ import annotations

from collections.abc import Mapping

SUMMARIES: Mapping[str, str] = {
    "demo": "Score a small built-in example with every metric.",
    "score": "Score CANDIDATES, files with one segment per line and one file per system.",
    "compare": "Compare systems with the first one, the baseline, by paired significance tests.",
    "report": "Report on systems and, with human judgments, on metrics.",
    "explain": "Explain the score of one CANDIDATE, a sentence (not a file), or of one segment of a test set.",
    "pairwise": "Score every line of CANDIDATES against every line of OTHERS.",
    "generate": "Rewrite the sentences of TEXT, one per line, with a grammar, a language model and weights.",
    "tune": "Tune weights so that rewritten sentences are good by a metric (PRO: pairwise ranking of candidates).",
    "compress": "Compress sentences with each GRAMMAR and score the result, as in section 6 of the PARADIGM paper.",
    "mbr": "Choose the best of several candidates for each segment: the one that scores best against all the others.",
    "correlate": "Correlate SCORES of metrics with JUDGMENTS of people.",
    "agreement": "Correlate the judges, or the criteria, in JUDGMENTS with each other, pair by pair.",
    "judgments": "Convert published human judgments to a table.",
    "references": "Measure the influence of references: single references, references against each other, people among "
    "systems.",
    "align": "Align the words of two parallel texts, line by line.",
    "phrases": "Extract all phrase pairs of the tokenised texts SRC and TGT that are consistent with the word LINKS.",
    "table": "Read phrase tables, add the counts of several, prune, and write the result in any format.",
    "pivot": "Find paraphrases: source phrases that share translations in the same phrase table(s).",
    "paraphrases": "Show the paraphrases of PHRASES, best first.",
    "lm": "Train or query an n-gram language model.",
    "grammar": "Extract a synchronous grammar, or pivot, search, prune, merge, sample, describe and convert grammars.",
    "pem": "Train a PEM model from parallel text and judgments, or correlate one with human judgments.",
    "learn": "Learn a metric from judgments.",
    "maxsim": "Tune MAXSIM.",
    "parse": "Analyse the English sentences of TEXT (default: standard input), one per line.",
    "parametric": "Score paraphrasing methods with ParaMetric (Callison-Burch, Cohn and Lapata 2008).",
    "paradigm": "Measure paraphrase grammars with PARADIGM (Weese, Ganitkevitch and Callison-Burch 2014).",
    "metrics": "List the metrics, or show the options of the metric NAME.",
    "serve": "Open the workbench: score, explain, compare and meta-evaluate in the browser, until interrupted "
    "(Ctrl-C).",
    "annotate": "Link the words of sentence pairs by hand, or judge rewritten sentences, in the browser.",
    "convert": "Convert a test set to another format; several FILES with the same segments become one.",
    "tokenize": "Tokenise FILE (default: standard input) line by line, with a space between tokens.",
    "verify": "Read tables, models, grammars or files of annotations completely, and say which files are damaged.",
    "completion": "Print the completion script for SHELL.",
}
