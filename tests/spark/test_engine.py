"""The same tables from Spark as from DuckDB: byte for byte, whatever the parts."""

import gzip
import json
import random
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

import paragauge as pg
from paragauge.align.texts import align_files
from paragauge.analysis.tree import Tree
from paragauge.cli.main import main
from paragauge.errors import DataError, FileError, OptionError
from paragauge.grammar import Labelling, RuleLimits
from paragauge.grammar.extract import extract_grammar_files
from paragauge.grammar.opening import open_grammar
from paragauge.grammar.overlap import grammar_overlap
from paragauge.metrics import SelfBleuSet
from paragauge.phrases.build import Pruning
from paragauge.phrases.extract import extract_phrase_files
from paragauge.resource import SEEN_FILE

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]  # warnings of Spark itself


def same_files(one, other):
    """Return whether two resources have the same contents, file by file; a cluster keeps no digests of sentences."""
    digests = [json.loads((folder / "manifest.json").read_text())["files"] for folder in (one, other)]
    for files in digests:
        files.pop(SEEN_FILE, None)
    return digests[0] == digests[1]


@pytest.mark.parametrize(
    ("options", "pruning"),
    [
        ({"max_length": 4}, None),
        ({"max_length": None, "lexical": False}, Pruning(min_count=2, min_prob=0.05, top=3)),
        ({"max_length": 3, "lexical_rule": "moses"}, None),
    ],
)
def test_phrases_equal_those_of_the_embedded_engine(engine, bitext, tmp_path, options, pruning):
    summary = extract_phrase_files(*bitext.paths, engine=engine, output=tmp_path / "parts", pruning=pruning, **options)
    local = extract_phrase_files(*bitext.paths, output=tmp_path / "local", pruning=pruning, **options)
    opened = pg.PhraseTable.open(tmp_path / "parts", verify=True)
    assert opened == local
    assert opened.options == local.options
    opened.save(tmp_path / "saved")
    assert same_files(tmp_path / "saved", tmp_path / "local")
    assert (summary.rows_in, summary.rows_out) == (400, len(local))
    whole = extract_phrase_files(*bitext.paths, **options)
    assert sum(summary.dropped.values()) == len(whole) - len(local)


def test_rows_in_parts_are_sorted_like_the_table(engine, bitext, tmp_path):
    extract_phrase_files(*bitext.paths, engine=engine, output=tmp_path / "parts")
    parts = sorted((tmp_path / "parts" / "parts").iterdir())
    rows = [
        row
        for part in parts
        for row in zip(*pq.read_table(part, columns=["source", "target", "count"]).to_pydict().values(), strict=True)
    ]
    assert rows == [(pair.source, pair.target, pair.count) for pair in extract_phrase_files(*bitext.paths)]


def test_paraphrases_equal_even_if_every_pivot_is_shared_among_tasks(
    engine, tmp_path, bitext, make_bitext, monkeypatch
):
    extract_phrase_files(*bitext.paths, engine=engine, output=tmp_path / "one")
    second = make_bitext(300, seed=2, words=25)
    extract_phrase_files(*second.paths, output=tmp_path / "two")  # a table of columns goes as well
    tables = [tmp_path / "one", tmp_path / "two"]
    monkeypatch.setattr(engine, "options", replace(engine.options, pairs_in_task=4))
    summary = pg.pivot_paraphrases(tables, min_prob=0.001, top=5, engine=engine, output=tmp_path / "parts")
    opened = [pg.PhraseTable.open(table) for table in tables]
    local = pg.pivot_paraphrases(opened, min_prob=0.001, top=5, output=tmp_path / "local")
    found = pg.ParaphraseTable.open(tmp_path / "parts")
    assert found == local
    assert found.options == local.options
    found.save(tmp_path / "saved")
    assert same_files(tmp_path / "saved", tmp_path / "local")
    assert summary.rows_in == sum(map(len, opened))
    assert summary.rows_out == len(local) > 100
    assert sum(summary.dropped.values()) == len(pg.pivot_paraphrases(opened, min_prob=0)) - len(local)
    assert all(summary.dropped.values())
    pg.pivot_paraphrases(
        opened, min_prob=0.001, top=5, engine=engine, output=tmp_path / "again"
    )  # tables of this machine
    assert pg.ParaphraseTable.open(tmp_path / "again") == local
    assert pg.pivot_paraphrases(tables, min_prob=0.001, top=5) == local


def trees_of(lines):
    """Return a tree for each line: its words under random brackets."""
    chance = random.Random(3)
    trees = []
    for line in lines:
        words = line.split()
        inner = chance.randint(1, len(words))
        tagged = [f"({chance.choice(['NN', 'VB'])} {word})" for word in words]
        trees.append(f"(ROOT (S (NP-SBJ {' '.join(tagged[:inner])}){' '.join(['', *tagged[inner:]])}))")
    return trees


@pytest.mark.parametrize("labels", ["hiero", "samt"])
def test_grammars_and_their_overlap_equal(engine, make_bitext, tmp_path, labels):
    bitext = make_bitext(200)
    trees = tmp_path / "trees"
    trees.write_text("".join(f"{tree}\n" for tree in trees_of(bitext.source)))
    options = {"labelling": Labelling(labels=labels), "limits": RuleLimits(max_span=5), "lexical": labels == "samt"}
    if labels == "samt":
        options["trees"] = trees
    summary = extract_grammar_files(*bitext.paths, engine=engine, output=tmp_path / "parts", **options)
    local = extract_grammar_files(*bitext.paths, output=tmp_path / "local", **options)
    opened = pg.Grammar.open(tmp_path / "parts", verify=True)
    assert opened.columns == local.columns
    # A cluster writes no matrix of features: decoding with its grammars reads the rules.
    assert opened.options == {name: value for name, value in local.options.items() if name != "features"}
    assert list(opened) == list(local)
    assert summary.rows_out == len(local) == len(opened)
    opened.save(tmp_path / "saved")
    assert list(pg.Grammar.open(tmp_path / "saved")) == list(local)

    text = tmp_path / "half.rules"
    rules = list(local)[::2]
    text.write_text("".join(f"{rule}\n" for rule in rules))
    gold, half = (open_grammar(path, engine=engine) for path in (tmp_path / "parts", text))
    for match in ("strict", "non-strict"):
        found = grammar_overlap(half, gold, match=match, feature="p(e|f)", engine=engine)
        expected = grammar_overlap(pg.Grammar.open(text), local, match=match, feature="p(e|f)")
        assert found == expected
    assert grammar_overlap(text, local, engine=engine) == grammar_overlap(text, tmp_path / "parts")
    with pytest.raises(OptionError, match="was opened on a cluster; pass its engine"):
        grammar_overlap(half, gold)


def test_alignments_equal_and_lead_on_to_a_phrase_table(engine, bitext, tmp_path):
    source, target, _ = bitext.paths
    aligner = pg.Aligner.train(bitext.source, bitext.target)
    aligner.save(tmp_path / "model")
    expected = [each.to_pharaoh() for each in aligner.align(bitext.source, bitext.target)]
    summary = align_files(source, target, tmp_path / "links", model=tmp_path / "model", engine=engine)
    assert (tmp_path / "links").read_text().splitlines() == expected
    assert summary.rows_in == summary.rows_out == 400

    sampled = tmp_path / "bitext.parquet"
    align_files(source, target, sampled, sample=100, save_model=tmp_path / "small", engine=engine)
    small = pg.Aligner.train(bitext.source[::4], bitext.target[::4])
    links = [each.to_pharaoh() for each in small.align(bitext.source, bitext.target)]
    written = pq.read_table(sampled)
    assert written.column("links").to_pylist() == links
    assert written.column("source").to_pylist() == bitext.source
    here = align_files(source, target, tmp_path / "here.parquet", sample=100)
    assert pq.read_table(tmp_path / "here.parquet").to_pydict() == written.to_pydict()
    assert here == summary

    extract_phrase_files(sampled, sampled, sampled, engine=engine, output=tmp_path / "table")
    assert pg.PhraseTable.open(tmp_path / "table") == pg.extract_phrases(bitext.source, bitext.target, links)


def test_every_metric_gives_the_same_result_through_an_engine(engine, tmp_path):
    from paragauge.corpora import TestSet
    from paragauge.corpora.demo import demo_testset
    from paragauge.evaluate.score import ScoreRequest, write_segment_scores
    from paragauge.metrics.registry import available_metrics
    from paragauge.spark import Candidates

    demo = demo_testset()
    texts = {**demo.references, "original": demo.originals, "drift": demo.candidates["drift"]}
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    metrics = [metric for metric in available_metrics() if metric.segmentwise]
    references, original = [tmp_path / name for name in demo.references], tmp_path / "original"
    found = pg.score(tmp_path / "drift", references, originals=original, metrics=metrics, engine=engine)
    testset = TestSet(
        ids=[str(number) for number in range(1, len(demo) + 1)],
        candidates={"drift": demo.candidates["drift"]},
        references=demo.references,
        originals=demo.originals,
    )
    local = pg.score(testset, metrics=metrics, bootstrap=0)
    assert found.to_dict() == local.to_dict()
    assert found.table().to_tsv() == local.table().to_tsv()
    request = ScoreRequest(metrics=tuple(metrics), bootstrap=0)
    systems = {"drift": Candidates(tmp_path / "drift", references, original)}
    write_segment_scores(systems, request, engine, tmp_path / "scores.parquet")
    rows = pq.read_table(tmp_path / "scores.parquet").to_pylist()
    assert [(row["metric"], str(row["segment"]), row["score"], dict(row["components"])) for row in rows] == [
        (str(each.metric), segment, score.value, dict(score.components))
        for each, segment, score in local.segments.items()
    ]


def test_scores_equal_to_the_last_digit(engine, bitext, tmp_path):
    from paragauge.spark import Candidates, score_corpus, score_segments

    source, target, _ = bitext.paths
    second = tmp_path / "second"
    second.write_text("".join(f"{line if number % 3 else ''}\n" for number, line in enumerate(bitext.target[::-1])))
    references = [[one, other] for one, other in zip(bitext.target, second.read_text().splitlines(), strict=True)]
    given = Candidates(source, (target, second), target)
    metrics = [pg.Bleu(), pg.parse_metric("edit-dissimilarity"), pg.parse_metric("ibleu")]
    for metric in metrics:
        found = score_corpus(engine, metric, given)
        assert found == metric.corpus_score(bitext.source, references, originals=bitext.target)
    score_segments(engine, metrics[:2], {"a": given}, tmp_path / "scores.parquet")
    rows = pq.read_table(tmp_path / "scores.parquet").to_pylist()
    expected = [
        {"metric": str(metric), "system": "a", "segment": number, "score": score.value,
         "components": list(score.components.items())}
        for metric in metrics[:2]
        for number, score in enumerate(metric.segment_scores(bitext.source, references, originals=bitext.target), 1)
    ]  # fmt: skip
    assert rows == expected
    with pytest.raises(OptionError, match="compares all candidates"):
        score_corpus(engine, SelfBleuSet(), given)


def test_texts_may_come_in_any_packaging(engine, bitext, tmp_path):
    packed = tmp_path / "source.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + "\r\n".join(bitext.source).encode()))  # BOM, CRLF, no last end
    folder = tmp_path / "a folder [of] files"
    folder.mkdir()
    lines = [f"{line}\n" for line in bitext.target]
    for number, begin in enumerate(range(0, 400, 130)):
        (folder / f"part-{number:05}").write_text("".join(lines[begin : begin + 130]))
    output = f"file://{tmp_path}/there"  # written as on another file system
    extract_phrase_files(packed, folder, bitext.paths[2], engine=engine, output=output)
    assert pg.PhraseTable.open(tmp_path / "there", verify=True) == extract_phrase_files(*bitext.paths)
    with pytest.raises(FileError, match="exists already"):
        extract_phrase_files(packed, folder, bitext.paths[2], engine=engine, output=output)


def test_everything_may_lie_on_another_file_system(spark_session, elsewhere, bitext):
    from paragauge.spark import Candidates, SparkEngine, SparkOptions, score_segments

    there = "viewfs://elsewhere/disk"
    for path in bitext.paths:
        path.rename(elsewhere / path.name)
    source, target, links = (f"{there}/{path.name}" for path in bitext.paths)
    with SparkEngine(SparkOptions(master="local[2]", pairs_in_part=90, temp=f"{there}/temp")) as engine:
        align_files(source, target, f"{there}/links.parquet", sample=100, engine=engine)
        align_files(source, target, f"{there}/links.text", sample=100, engine=engine)
        extract_phrase_files(source, target, links, engine=engine, output=f"{there}/table")
        pg.pivot_paraphrases([f"{there}/table"], engine=engine, output=f"{there}/paraphrases")
        extract_grammar_files(source, target, links, engine=engine, output=f"{there}/grammar")
        overlap = grammar_overlap(f"{there}/grammar", f"{there}/grammar", engine=engine)
        score_segments(engine, [pg.Bleu()], {"a": Candidates(source, (target,))}, f"{there}/scores.parquet")
    assert not list((elsewhere / "temp").iterdir())

    local = extract_phrase_files(*(elsewhere / path.name for path in bitext.paths))
    assert pg.PhraseTable.open(elsewhere / "table", verify=True) == local
    assert pg.ParaphraseTable.open(elsewhere / "paraphrases", verify=True) == pg.pivot_paraphrases(local)
    grammar = extract_grammar_files(*(elsewhere / path.name for path in bitext.paths))
    assert list(pg.Grammar.open(elsewhere / "grammar", verify=True)) == list(grammar)
    assert overlap == grammar_overlap(grammar, grammar)
    as_text = "".join(path.read_text() for path in sorted((elsewhere / "links.text").glob("part-*")))
    assert as_text.splitlines() == pq.read_table(elsewhere / "links.parquet").column("links").to_pylist()
    assert pq.read_table(elsewhere / "scores.parquet").num_rows == 400


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (lambda paths: paths[2].write_text(paths[2].read_text() + "0-0\n"), DataError, "has 401"),
        (lambda paths: _replace(paths[2], 249, b"90-0"), DataError, r"links:250: link 90-0 points past the source"),
        (lambda paths: _replace(paths[1], 299, b"\xff\xfe"), DataError, r"target:300: byte 0xff .* is not UTF-8"),
        (lambda paths: paths[0].unlink(), FileError, "source: no such file"),
        (lambda paths: [path.write_text("") for path in paths], DataError, "source: the text is empty"),
    ],
)
def test_wrong_input_is_refused_with_its_place_and_leaves_nothing(engine, bitext, tmp_path, change, kind, message):
    change(bitext.paths)
    with pytest.raises(kind, match=message):
        extract_phrase_files(*bitext.paths, engine=engine, output=tmp_path / "table")
    assert not [path for path in tmp_path.iterdir() if "table" in path.name]


def _replace(path, number, line):
    lines = path.read_bytes().splitlines()
    lines[number] = line
    path.write_bytes(b"\n".join(lines) + b"\n")


def test_commands_run_on_spark(spark_session, bitext, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spark = ["--engine", "spark", "--master", "local[2]"]
    assert main(["phrases", "source", "target", "links", "-o", "table", *spark]) == 0
    assert "400 sentence pairs in" in capsys.readouterr().err
    assert main(["pivot", "table", "-o", "paraphrases", "-q", *spark]) == 0
    assert main(["grammar", "source", "target", "links", "-o", "grammar", "-q", *spark]) == 0
    assert main(["grammar", "source", "target", "links", "-o", "here", "-q"]) == 0
    capsys.readouterr()
    assert main(["paradigm", "overlap", "here", "grammar", "--format", "tsv", *spark]) == 0
    found = capsys.readouterr().out
    assert main(["paradigm", "overlap", "here", "grammar", "--format", "tsv"]) == 0
    assert capsys.readouterr().out == found
    assert main(["score", "-m", "bleu", "--ref", "target", "source", "--format", "tsv", "-q", *spark]) == 0
    found = capsys.readouterr().out
    assert main(["score", "-m", "bleu", "--ref", "target", "source", "--format", "tsv", "-q", "--bootstrap", "0"]) == 0
    assert capsys.readouterr().out == found
    assert main(["align", "source", "target", "-q", *spark]) == 0
    found = capsys.readouterr().out
    assert main(["align", "source", "target", "-q"]) == 0
    assert capsys.readouterr().out == found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["phrases", "a", "b", "c", "-o", "d", "--master", "yarn"], "--master and --conf need --engine spark"),
        (["phrases", "a", "b", "-", "-o", "d", "--engine", "spark"], "cannot read '-'"),
        (["phrases", "a", "b", "c", "-o", "d", "--engine", "spark", "--moses", "m"], "--moses does not go with"),
        (["score", "-m", "pinc", "--original", "a", "b", "--segments", "--engine", "spark"], "give a folder with -o"),
        (["align", "a", "b", "--sample", "3"], "--sample needs --engine spark"),
        (["phrases", "a", "b", "c", "-o", "d", "--engine", "spark", "--conf", "x=1"], "'x' is not a Spark setting"),
        (["pivot", "a", "-o", "d", "--engine", "spark", "--master", "sc://host"], "is a Spark Connect server"),
    ],
)
def test_commands_that_make_no_sense_are_refused(arguments, message, capsys):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_tree_of_another_language_is_refused_with_its_line(engine, bitext, tmp_path):
    trees = trees_of(bitext.source)
    trees[210] = "(ROOT (NN a)"
    (tmp_path / "trees").write_text("".join(f"{tree}\n" for tree in trees))
    with pytest.raises(DataError, match=r"trees:211: "):
        extract_grammar_files(*bitext.paths, engine=engine, output=tmp_path / "grammar", trees=tmp_path / "trees")
    assert Tree.from_penn(trees[0]).words


def test_what_a_cluster_cannot_use_is_refused(engine, bitext, tmp_path):
    table = pg.PhraseTable.from_counts({("a", "x"): 1})
    with pytest.raises(OptionError, match="a remote engine writes to files; give a folder with output"):
        extract_phrase_files(*bitext.paths, engine=engine)
    with pytest.raises(OptionError, match="reports progress itself"):
        extract_grammar_files(*bitext.paths, engine=engine, output=tmp_path / "grammar", progress=print)
    with pytest.raises(OptionError, match="one table for each corpus, for both directions; got a pair"):
        pg.pivot_paraphrases([(table, table.inverted())], engine=engine, output=tmp_path / "paraphrases")
    with pytest.raises(OptionError, match="this data is in memory"):
        pg.extract_phrases(["a"], ["x"], ["0-0"], engine=engine)
    with pytest.raises(OptionError, match="max_length must be at least 1"):
        extract_phrase_files(*bitext.paths, engine=engine, output=tmp_path / "table", max_length=0)
    with pytest.raises(OptionError, match="sample must be at least 1"):
        align_files(*bitext.paths[:2], tmp_path / "links", engine=engine, sample=0)
