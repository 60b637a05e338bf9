"""Pivoted grammars on Spark: the same rules as on DuckDB."""

from grammar.test_pivot_grammar import bitext, trees

from paragauge import Grammar, extract_grammar
from paragauge.grammar import Labelling
from paragauge.grammar.pivot import PivotLimits, pivot_grammar


def test_both_engines_make_the_same_grammar(engine, tmp_path):
    paths = []
    for seed in (1, 2):
        english, foreign, links = bitext(seed, 15)
        labelling = Labelling(labels="samt", default="X", default_for="all")
        path = tmp_path / f"{seed}.grammar"
        extract_grammar(english, foreign, links, trees=trees(english, seed), labelling=labelling, output=path)
        paths.append(path)
    limits = PivotLimits(min_prob=0.01, min_step=0.0, top=5)
    here = pivot_grammar(paths, limits=limits)
    summary = pivot_grammar(paths, limits=limits, engine=engine, output=tmp_path / "pivoted")
    assert summary.rows_out == len(here) > 50
    there = Grammar.open(tmp_path / "pivoted")
    assert [str(rule) for rule in there] == [str(rule) for rule in here]
