"""Tables 2 to 6 and figure 4 of the PARADIGM paper on the development data: grammars, their overlap and coverage.

The gold grammar comes from the hand-aligned pairs of the Edinburgh corpus; the others come from the MSRP paraphrases
and English Bibles, aligned by our aligner, and from PPDB rules. Every tenth verse is held out for coverage.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from bitexts import letters
from measure import DATA

from paragauge.align import align, write_pharaoh
from paragauge.analysis.builtin import MODEL_FILE, Builtin
from paragauge.analysis.tree import read_trees, write_trees
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.grammar import Grammar, Labelling, extract_grammar
from paragauge.grammar.overlap import IDENTITIES, MATCHES, Overlap, grammar_overlap, grammar_overlaps
from paragauge.metrics.paradigm import ParadigmCoverage, ParadigmOverlap
from paragauge.report.curve import CurvePoint, curve_svg
from paragauge.text import TextPipeline

VERSIONS = ("ASV", "BBE", "YLT", "BSB")  # of the seven, the ones that differ most
TRAINED = (("BBE", "BSB"), ("ASV", "YLT"))
# Sets of labels. +x: phrases without a label get X in rules without nonterminals; +x-all: in all rules.
LABELS = {
    "hiero": Labelling(labels="hiero"),
    "constituents": Labelling(labels="constituents"),
    "ccg": Labelling(labels="ccg"),
    "ccg+x": Labelling(labels="ccg", default="X"),
    "samt": Labelling(labels="samt"),
    "samt+x": Labelling(labels="samt", default="X"),
    "samt+x-all": Labelling(labels="samt", default="X", default_for="all"),
}
ONLY = {"bible": ("hiero", "constituents", "samt", "samt+x")}  # the largest corpus; all others with all labels
GOLDS = ("gold samt", "gold samt+x", "gold samt+x-all", "gold ccg", "gold ccg+x")
tokens = TextPipeline(tokenizer="penn", lowercase=True)
cased = TextPipeline(tokenizer="penn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="texts, links, trees and grammars, made if they are missing")
    parser.add_argument("--held-out", type=int, default=300, help="verses for coverage")
    parser.add_argument("--corpora", default="gold,msr,bible", help="which corpora to extract grammars from")
    parser.add_argument("--golds", default=",".join(GOLDS), help="which gold grammars to compare with")
    parser.add_argument(
        "--other", action="append", default=[], metavar="NAME=GRAMMAR", help="another grammar to compare"
    )
    parser.add_argument("--without", action="append", default=[], choices=["overlap", "curve", "coverage"])
    arguments = parser.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    prepare(folder)
    grammars = make_grammars(folder, arguments.corpora.split(","))
    for other in arguments.other:
        name, _, path = other.partition("=")
        grammars[name] = Grammar.open(path)
    sizes(grammars)
    golds = [name for name in arguments.golds.split(",") if name in grammars]
    if "overlap" not in arguments.without:
        overlaps(grammars, golds)
    if "curve" not in arguments.without:
        curves(folder, grammars)
    if "coverage" not in arguments.without:
        coverage(folder, grammars, arguments.held_out)


def prepare(folder: Path) -> None:
    """Write NAME.src, NAME.tgt and NAME.links of each corpus, and NAME.cased: the source side for the parser."""
    gold = json.loads((DATA / "edinburgh_pp" / "gold.train.sure+poss.json").read_text(encoding="utf-8"))
    write(folder / "gold.src", (pair["source"].lower() for pair in gold))
    write(folder / "gold.cased", (pair["source"] for pair in gold))
    write(folder / "gold.tgt", (pair["target"].lower() for pair in gold))
    write(folder / "gold.links", (f"{pair['sureAlign']} {pair['possibleAlign']}".strip() for pair in gold))
    if not (folder / "msr.cased").exists():
        lines = (DATA / "msrp" / "msr_paraphrase_train.txt").read_text(encoding="utf-8-sig").splitlines()[1:]
        rows = [line.split("\t") for line in lines]
        pairs = [(row[0], " ".join(tokens(row[3])), " ".join(tokens(row[4]))) for row in rows]
        links = align([source for _, source, _ in pairs], [target for _, _, target in pairs], monolingual=True)
        # The Edinburgh corpus took over some of these sentences.
        known = {letters(pair[side]) for pair in gold for side in ("source", "target")}
        same = [place for place, pair in enumerate(pairs) if pair[0] == "1"]
        kept = [place for place in same if not {letters(rows[place][3]), letters(rows[place][4])} & known]
        print(f"MSRP: {len(same) - len(kept)} of {len(same)} pairs are in the gold and were left out")
        write(folder / "msr.src", (pairs[place][1] for place in kept))
        write(folder / "msr.cased", (" ".join(cased(rows[place][3])) for place in kept))
        write(folder / "msr.tgt", (pairs[place][2] for place in kept))
        write_pharaoh(folder / "msr.links", [links[place] for place in kept])
    if not (folder / "bible.cased").exists():
        with gzip.open(DATA / "bible_multi" / "english_7versions_NT.tsv.gz", "rt", encoding="utf-8") as file:
            header, *verses = (line.rstrip("\r\n").split("\t") for line in file)
        rows = [dict(zip(header, verse, strict=False)) for verse in verses]
        training = [row for place, row in enumerate(rows) if place % 10]
        pairs = [
            (one, row[a], row[b]) for a, b in TRAINED for one, row in enumerate(training) if row.get(a) and row.get(b)
        ]
        source, target = ([" ".join(tokens(pair[side])) for pair in pairs] for side in (1, 2))
        write(folder / "bible.src", source)
        write(folder / "bible.cased", (" ".join(cased(pair[1])) for pair in pairs))
        write(folder / "bible.tgt", target)
        write_pharaoh(folder / "bible.links", align(source, target, monolingual=True))
        held = [row for place, row in enumerate(rows) if place % 10 == 0 and all(row.get(name) for name in VERSIONS)]
        write(
            folder / "heldout.jsonl", (json.dumps([" ".join(tokens(row[name])) for name in VERSIONS]) for row in held)
        )


def write(path: Path, lines: Iterable[str]) -> None:
    if not path.exists():
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def make_grammars(folder: Path, corpora: list[str]) -> dict[str, Grammar]:
    """Extract what can be: labels other than X need trees of the source sides, by the parser that ships."""
    grammars = {}
    for name in filter(None, corpora):
        texts = [read(folder / f"{name}.{suffix}") for suffix in ("src", "tgt", "links")]
        trees = folder / f"{name}.trees"
        if MODEL_FILE.exists() and not trees.exists():
            parse(folder, name, trees)
        for labels in ONLY.get(name, tuple(LABELS)) if trees.exists() else ("hiero",):
            path = folder / f"{name}.{labels}.grammar"
            if not path.exists():
                begun = time.perf_counter()
                parsed = None if labels == "hiero" else read_trees(trees)
                extract_grammar(*texts, trees=parsed, labelling=LABELS[labels], output=path)
                print(f"{path.name}: {time.perf_counter() - begun:.0f} s", flush=True)
            grammars[f"{name} {labels}"] = Grammar.open(path)
    grammars["PPDB subset"] = upper_labels(folder, next((DATA / "ppdb_subset").glob("*.gz")))
    return grammars


def parse(folder: Path, name: str, output: Path) -> None:
    """Write the trees of the source side; sentences are parsed as they were written, before lower-casing."""
    pairs = zip(read(folder / f"{name}.cased"), read(folder / f"{name}.src"), strict=True)
    words = [(one if len(one.split()) == len(other.split()) else other).split() for one, other in pairs]
    write_trees(output, (analysis.tree for analysis in Builtin.load().analyse(words, trees=True)))


def upper_labels(folder: Path, path: Path) -> Grammar:
    """The rules of the subset in a folder; its labels are in lower case, those of trees are not."""
    output = folder / "ppdb.grammar"
    if not output.exists():
        text = folder / "ppdb.txt"
        with gzip.open(path, "rt", encoding="utf-8") as file:
            fields = [line.rstrip("\n").split(" ||| ") for line in file]
        write(text, (" ||| ".join([row[0].upper(), *row[1:]]) for row in fields))
        Grammar.open(text).save(output)
    return Grammar.open(output)


def sizes(grammars: dict[str, Grammar]) -> None:
    print("\n| grammar | rules |\n|---|---|")
    for name, grammar in grammars.items():
        print(f"| {name} | {len(grammar):,} |")


def overlaps(grammars: dict[str, Grammar], golds: list[str]) -> None:
    others = {name: grammar for name, grammar in grammars.items() if not name.startswith("gold")}
    for gold in golds:
        for identities in IDENTITIES:
            found = grammar_overlaps(others, grammars[gold], min_counts=[1, 2], identities=identities)
            for match in MATCHES:
                print(f"\n{match} overlap with {gold}, identities {identities}\n")
                print("| grammar | freq >= 1 | freq >= 2 | lexical | phrasal | syntactic |\n|---|---|---|---|---|---|")
                for one in found:
                    if one.overlap.match == match:
                        print(f"| {one.system} | {' | '.join(overlap_cells(one.overlap))} |", flush=True)


def curves(folder: Path, grammars: dict[str, Grammar]) -> None:
    gold = GOLDS[0]
    for name in [name for name in grammars if not name.startswith("gold")]:
        feature = "p(e|f)"
        found = grammar_overlap(grammars[name], grammars[gold], match="non-strict", min_counts=[1], feature=feature)
        total = sum(count.gold for count in found.counts[1].values())
        metric = ParadigmOverlap(match="non-strict")
        points = []
        for rules, hits in found.curve:
            parts = metric.measure([hits, total, rules]).components
            points.append(CurvePoint(rules, parts["precision"], parts["recall"]))
        (folder / f"curve.{name.replace(' ', '-')}.svg").write_text(curve_svg(points, name), encoding="utf-8")
        shown = [point for point in points if str(point.rules)[0] == "1"] + points[-1:]
        print(
            f"\n{name} against {gold}: "
            + "; ".join(f"{p.rules:,}: P {p.precision:.3f} R {p.recall:.4f}" for p in shown)
        )


def overlap_cells(found: Overlap) -> list[str]:
    cells = []
    for least in (1, 2):
        metric = ParadigmOverlap(match=found.match, min_count=least)
        totals = metric.measure_rows(metric.rows_of(found)).components
        cells.append(f"{totals['found']:,.0f} ({totals['recall']:.1%} of {totals['gold']:,.0f})")
    for count in found.counts[1].values():
        cells.append(f"{count.found:,} ({count.found / max(count.gold, 1):.1%} of {count.gold:,})")
    return cells


def coverage(folder: Path, grammars: dict[str, Grammar], groups: int) -> None:
    source, target, names = [], [], []
    for place, line in enumerate(read(folder / "heldout.jsonl")[:groups]):
        for one, other in combinations(json.loads(line), 2):
            source.append(one)
            target.append(other)
            names.append(str(place))
    pairs = ParaphrasePairs(tuple(source), tuple(target), tuple(names))
    for pass_through in ("unknown", "all"):
        metric = ParadigmCoverage(pass_through=pass_through, max_span=12, seconds=10)
        print(f"\n{len(pairs):,} pairs, pass-through: {pass_through}\n")
        print("| grammar | all | any | mean length | at limit | s |\n|---|---|---|---|---|---|")
        for name, grammar in grammars.items():
            begun = time.perf_counter()
            parts = metric.evaluate(grammar, pairs).components
            print(
                f"| {name} | {parts['all_pairs']:.1%} | {parts['any_of_group']:.1%} | {parts['mean_length']:.1f} | "
                f"{parts['at_limit']:.0f} | {time.perf_counter() - begun:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
