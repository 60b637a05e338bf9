"""Functions over files hand their work to a remote engine, with all of its options."""

from dataclasses import dataclass, field

import pytest

import paragauge as pg
from paragauge.align.texts import AlignFiles, align_files
from paragauge.errors import OptionError
from paragauge.grammar import Labelling, RuleLimits
from paragauge.grammar.extract import ExtractRules, extract_grammar_files
from paragauge.grammar.opening import OpenGrammar, open_grammar
from paragauge.grammar.overlap import CompareGrammars, grammar_overlap, grammar_overlaps
from paragauge.phrases.build import Pruning
from paragauge.phrases.extract import ExtractPhrases, extract_phrase_files
from paragauge.phrases.pivot import PivotPhrases
from paragauge.storage.engine import EngineOptions
from paragauge.storage.remote import RemoteEngine, RunSummary, local_options


@dataclass
class Elsewhere:
    """An engine that takes jobs and does nothing."""

    jobs: list = field(default_factory=list)

    def perform(self, job):
        self.jobs.append(job)
        return "done"


def test_jobs_carry_all_options():
    engine = Elsewhere()
    assert isinstance(engine, RemoteEngine)
    paths = "hdfs:///en", "hdfs:///fr", "hdfs:///links"
    named = dict(zip(("source", "target", "links"), paths, strict=True))
    pruning = Pruning(min_count=2)
    answers = [
        extract_phrase_files(*paths, max_length=3, pruning=pruning, lexical=False, engine=engine, output="table"),
        pg.pivot_paraphrases("table", top=3, engine=engine, output="paraphrases"),
        extract_grammar_files(*paths, trees="trees", min_count=2, one_based=True, engine=engine, output="grammar"),
        open_grammar("grammar", engine=engine),
        grammar_overlaps({"mine": "grammar"}, "gold", min_counts=[1], feature="p(e|f)", engine=engine),
        align_files(*paths[:2], "out", sample=5, method="union", engine=engine),
    ]
    assert answers == ["done"] * 6
    assert engine.jobs == [
        ExtractPhrases(**named, output="table", max_length=3, pruning=pruning, lexical=False),
        PivotPhrases(tables=("table",), output="paraphrases", top=3),
        ExtractRules(
            **named, output="grammar", trees="trees", labelling=Labelling(labels="constituents"), limits=RuleLimits(),
            min_count=2, one_based=True,
        ),
        OpenGrammar("grammar"),
        CompareGrammars(grammars={"mine": "grammar"}, gold="gold", min_counts=[1], feature="p(e|f)"),
        AlignFiles(source=paths[0], target=paths[1], output="out", sample=5, method="union"),
    ]  # fmt: skip


def test_what_a_remote_engine_cannot_use_is_refused():
    engine = Elsewhere()
    with pytest.raises(OptionError, match="writes to files; give a folder with output"):
        extract_phrase_files("a", "b", "c", engine=engine)
    with pytest.raises(OptionError, match="reports progress itself"):
        extract_grammar_files("a", "b", "c", engine=engine, output="d", progress=print)
    with pytest.raises(OptionError, match="reports progress itself"):
        grammar_overlaps({"mine": "a"}, "b", engine=engine, progress=print)
    with pytest.raises(OptionError, match="this data is in memory"):
        pg.extract_phrases(["a"], ["x"], ["0-0"], engine=engine)
    table = pg.PhraseTable.from_counts({("a", "x"): 1})
    with pytest.raises(OptionError, match="got a pair of tables"):
        pg.pivot_paraphrases([(table, table.inverted())], engine=engine, output="d")
    assert engine.jobs == []
    assert local_options(None) == EngineOptions()


def test_paths_are_opened_here_without_a_remote_engine(tmp_path):
    table = pg.PhraseTable.from_counts({("house", "maison"): 3, ("home", "maison"): 1})
    table.save(tmp_path / "table")
    assert pg.pivot_paraphrases(tmp_path / "table") == pg.pivot_paraphrases([table]) == pg.pivot_paraphrases(table)
    (tmp_path / "rules").write_text("[X] ||| a ||| b\n")
    opened = open_grammar(tmp_path / "rules")
    assert grammar_overlap(tmp_path / "rules", opened, min_counts=[1]) == grammar_overlap(
        opened, tmp_path / "rules", min_counts=[1]
    )


def test_a_summary_says_what_was_dropped():
    summary = RunSummary("pairs", 1000, "rules", 10, {"rare": 3, "improbable": 0})
    assert str(summary) == "1,000 pairs in, 10 rules out; dropped: 3 rare"
