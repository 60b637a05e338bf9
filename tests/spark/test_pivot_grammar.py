"""Pivoted grammars on Spark: the same rules as on DuckDB."""

from grammar.test_pivot_grammar import bitext, trees
from pytest import approx

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
    text = tmp_path / "text"
    text.write_text("".join(f"{line}\n" for line in [*bitext(1, 15)[0], *bitext(2, 15)[0], "a\u00a0b c [d,1]"]))
    here = pivot_grammar(paths, limits=limits, similarity=text)
    pivot_grammar(paths, limits=limits, similarity=text, engine=engine, output=tmp_path / "similar")
    there = Grammar.open(tmp_path / "similar")
    assert there.columns == here.columns
    assert [str(rule).partition("AGigaSim=")[0] for rule in there] == [
        str(rule).partition("AGigaSim=")[0] for rule in here
    ]
    values = [rule.features["AGigaSim"] for rule in here]
    assert [rule.features["AGigaSim"] for rule in there] == approx(values, abs=1e-7)
    assert len({round(value, 3) for value in values}) > 5
