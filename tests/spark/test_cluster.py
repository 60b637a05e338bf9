"""A real cluster: a master and two workers in processes of their own, one of which is killed in the middle."""

import gzip
import threading
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import paragauge as pg
from paragauge.grammar.extract import extract_grammar_files
from paragauge.grammar.grammar import RULES_FILE
from paragauge.phrases.extract import extract_phrase_files
from paragauge.text import TextPipeline

pytestmark = [pytest.mark.spark, pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


def options_for(cluster, scratch, pairs_in_part=1 << 14):
    from paragauge.spark import SparkOptions

    scratch.mkdir(exist_ok=True)
    return SparkOptions(
        master=cluster.url, temp=str(scratch), settings=cluster.settings, pairs_in_part=pairs_in_part
    )  # fmt: skip


def kill_when_tasks_are_done(engine, cluster, step, tasks):
    """Kill a worker once some tasks of a step are done and others are not; say whether that came to pass."""
    killed = threading.Event()

    def watch():
        tracker = engine.session.sparkContext.statusTracker()
        while not killed.is_set():
            for number in tracker.getActiveStageIds():
                stage = tracker.getStageInfo(number)
                if (
                    engine.current_step == step
                    and stage is not None
                    and tasks <= stage.numCompletedTasks < stage.numTasks
                ):
                    cluster.kill_worker()
                    killed.set()
                    return
            time.sleep(0.02)

    threading.Thread(target=watch, daemon=True).start()
    return killed


def test_a_killed_worker_changes_nothing(cluster, make_bitext, tmp_path):
    from paragauge.spark import SparkEngine

    bitext = make_bitext(6000)
    with SparkEngine(options_for(cluster, tmp_path / "scratch", pairs_in_part=100)) as engine:
        killed = kill_when_tasks_are_done(engine, cluster, "extract and count phrase pairs", 3)
        extract_phrase_files(*bitext.paths, engine=engine, output=tmp_path / "parts")
    assert killed.is_set()
    assert cluster.workers[0].wait(timeout=10) != 0
    assert pg.PhraseTable.open(tmp_path / "parts") == extract_phrase_files(*bitext.paths)


def read_parts(folder, schema):
    """Return the rows that a cluster wrote, in their order."""
    files = sorted((folder / "parts").iterdir())
    return pa.concat_tables([pq.read_table(file).cast(schema) for file in files])


def compare_everything(cluster, tmp_path, bitexts):
    """Assert that phrases, paraphrases, grammar and overlap of bitexts are the same from the cluster as from here."""
    from paragauge.grammar.overlap import grammar_overlap
    from paragauge.spark import SparkEngine

    there, here = [], []
    with SparkEngine(options_for(cluster, tmp_path / "scratch")) as engine:
        for number, paths in enumerate(bitexts):
            there.append(tmp_path / f"parts-{number}")
            extract_phrase_files(*paths, engine=engine, output=there[-1])
            here.append(extract_phrase_files(*paths, output=tmp_path / f"local-{number}"))
            assert pg.PhraseTable.open(there[-1]) == here[-1]
        pg.pivot_paraphrases(there, engine=engine, output=tmp_path / "paraphrases")
        assert pg.ParaphraseTable.open(tmp_path / "paraphrases") == pg.pivot_paraphrases(here)
        extract_grammar_files(*bitexts[0], engine=engine, output=tmp_path / "grammar")
        local = extract_grammar_files(*bitexts[0], output=tmp_path / "local-grammar")
        rules = pq.read_table(tmp_path / "local-grammar" / RULES_FILE)
        assert read_parts(tmp_path / "grammar", rules.schema).equals(rules)
        found = pg.Grammar.open(tmp_path / "grammar")
        assert len(found) == len(local) == rules.num_rows
        paths = tmp_path / "grammar", tmp_path / "local-grammar"
        overlap = grammar_overlap(*paths, match="non-strict", feature="p(e|f)", engine=engine)
        assert overlap == grammar_overlap(found, local, match="non-strict", feature="p(e|f)")


def write(folder, name, source, target, **options):
    folder.mkdir(exist_ok=True)
    links = [each.to_pharaoh() for each in pg.align(source, target, **options)]
    paths = [folder / f"{name}.{side}" for side in ("source", "target", "links")]
    for path, lines in zip(paths, (source, target, links), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return paths


def test_everything_equals_on_a_small_bitext(cluster, make_bitext, tmp_path):
    compare_everything(cluster, tmp_path, [make_bitext(700).paths, make_bitext(600, seed=5).paths])


@pytest.mark.data
def test_everything_equals_on_captions(cluster, tmp_path, data_folder):
    pipeline = TextPipeline(tokenizer="13a", lowercase=True)
    sides = []
    for language in ("en", "fr"):
        with gzip.open(data_folder / "multi30k" / "task1" / f"train.{language}.gz", "rt", encoding="utf-8") as file:
            sides.append([" ".join(pipeline(line)) for line in file])
    assert len(sides[0]) == 29_000
    compare_everything(cluster, tmp_path, [write(tmp_path / "texts", "captions", *sides)])


@pytest.mark.data
def test_everything_equals_on_seven_bibles(cluster, tmp_path, data_folder):
    pipeline = TextPipeline(tokenizer="13a", lowercase=True)
    with gzip.open(data_folder / "bible_multi" / "english_7versions_NT.tsv.gz", "rt", encoding="utf-8") as file:
        header, *rows = [line.rstrip("\n").split("\t") for line in file]
    versions = header[-7:]
    verses = [[" ".join(pipeline(text)) for text in row[-7:]] for row in rows]
    bitexts = []
    for place, version in enumerate(versions[1:], start=1):
        pairs = [(verse[0], verse[place]) for verse in verses if verse[0] and verse[place]]
        bitexts.append(write(tmp_path / "texts", version, *map(list, zip(*pairs, strict=True)), monolingual=True))
    compare_everything(cluster, tmp_path, bitexts)
