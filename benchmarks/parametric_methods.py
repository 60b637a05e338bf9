"""Tables 2 and 3 of the ParaMetric paper on the development data: three methods of finding paraphrases, side by side.

    python benchmarks/parametric_methods.py FOLDER

Gold: the 714 hand-aligned pairs of the Edinburgh corpus; and, as an automatic substitute for manual alignment, every
hundredth verse of the New Testament in seven English versions, whose "gold" links are those found by two of three
aligners: ours, alignment through foreign sentences, and METEOR's word matching. Everything is trained on other
sentences: the other verses, Microsoft's paraphrases (MSRP) except those used in the Edinburgh corpus, and captions and
short sentences with their translations. Texts, links and tables are created in FOLDER if missing, which takes a while;
only the comparison itself is timed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from bitexts import BIBLES, letters, raw_pairs, table
from measure import DATA

from paragauge.align import AlignedPairs, Aligner, AlignerOptions, Alignment, read_aligned_pairs, write_pharaoh
from paragauge.align.through import align_through
from paragauge.analysis import Lexicon
from paragauge.cli.main import main as paragauge
from paragauge.corpora.groups import read_groups
from paragauge.grammar.lattice import build_lattices, syntactic_alignments, syntactic_paraphrases
from paragauge.matching.words import LinkRules, link_words
from paragauge.phrases.extract import extract_phrases
from paragauge.phrases.monolingual import monolingual_smt
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.pivot import pivot_paraphrases
from paragauge.phrases.select import select_pairs
from paragauge.phrases.table import PhraseTable
from paragauge.storage.engine import EngineOptions
from paragauge.text import TextPipeline
from paragauge.text.normalize import porter_stem

VERSIONS = ("ASV", "BBE", "YLT", "Darby", "Webster", "Rotherham", "BSB")
HELD_OUT = 100  # one verse of so many
MODES = {"agreement": "agreement", "apart": "grow-diag-final-and"}
CAPTIONS = ("multi30k.fr", "multi30k.de", "multi30k.cs", "tatoeba.fr")
EDINBURGH = [DATA / "edinburgh_pp" / f"gold.train.{kind}.json" for kind in ("sure", "sure+poss")]
ENGINE = EngineOptions(memory_limit="2GB")
Verses = list[tuple[str, list[str]]]
tokens = TextPipeline(tokenizer="penn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--thin", type=int, default=4, help="learn from one verse in this many")
    arguments = parser.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    gold = read_aligned_pairs(EDINBURGH[0], possible=EDINBURGH[1])
    make_texts(folder, gold, arguments.thin)
    learn(folder)
    make_tables(folder)
    align_edinburgh(folder, gold)
    align_bible(folder)
    compare(folder, "edinburgh", ["--gold", str(EDINBURGH[0]), "--possible", str(EDINBURGH[1])])
    compare(folder, "bible", ["--gold", str(folder / "bible.pairs.tsv"), "--links", str(folder / "bible.silver.align")])


def once(path: Path, make: Callable[[Path], object]) -> Path:
    """Create the output if it is missing, and print how long it took."""
    if not path.exists():
        begun = time.perf_counter()
        make(path)
        print(f"{path.name}: {time.perf_counter() - begun:.0f} s", flush=True)
    return path


def write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def text_of(sentence: str) -> str:
    return " ".join(tokens(sentence))


def make_texts(folder: Path, gold: AlignedPairs, thin: int) -> None:
    """Groups of English sentences, cased for the parser; bitexts in lower case; held-out verses as pairs."""
    once(folder / "msrp.groups", lambda path: write(path, msrp(gold)))
    learned, held_out = list(verses(thin)), list(verses(None))
    once(folder / "bible.groups", lambda path: write(path, ("\t".join(group) for _, group in learned)))

    def held(path: Path) -> None:
        rows = [(ref, group[0], other) for ref, group in held_out for other in group[1:]]
        write(path, ["group\tsource\ttarget", *("\t".join(row) for row in rows)])

    once(folder / "bible.pairs.tsv", held)
    for name in CAPTIONS:
        pairs = [f"{text_of(one).lower()}\t{text_of(other).lower()}" for one, other in needed(folder, name)]
        once(folder / f"{name}.bitext", lambda path, pairs=pairs: write(path, pairs))
    foreign = table(DATA / "bible_multi" / "foreign_de_es_fr_cs_full.tsv.gz")
    for language, version in BIBLES.items():
        for part, chosen in (("bitext", learned), ("heldout", held_out)):

            def bitext(path: Path, version: str = version, chosen: Verses = chosen) -> None:
                rows = ((foreign.get(ref, {}).get(version, ""), group) for ref, group in chosen)
                found = [(one, text_of(other)) for other, group in rows for one in group]
                # Held-out verses stay in step with the pairs even where the foreign verse is missing.
                write(path, (f"{one}\t{other}".lower() for one, other in found if other or chosen is held_out))

            once(folder / f"bible.{language}.{part}", bitext)


def needed(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    return iter(()) if (folder / f"{name}.bitext").exists() else raw_pairs(name)


def msrp(gold: AlignedPairs) -> Iterator[str]:
    """Yield the pairs labelled as paraphrases, excluding sentences of the gold."""
    known = {letters(text) for side in (gold.pairs.source, gold.pairs.target) for text in side}
    dropped = 0
    for line in (DATA / "msrp" / "msr_paraphrase_train.txt").read_text(encoding="utf-8-sig").splitlines()[1:]:
        same, _, _, one, other = line.split("\t")
        if same == "1":
            if {letters(one), letters(other)} & known:
                dropped += 1
            else:
                yield f"{text_of(one)}\t{text_of(other)}"
    print(f"msrp: {dropped} pairs are in the gold and were left out")


def verses(thin: int | None) -> Iterator[tuple[str, list[str]]]:
    """Yield one of *thin* verses to learn from, or without it those that are held out, which have all versions."""
    rows = table(DATA / "bible_multi" / "english_7versions_NT.tsv.gz")
    for number, (ref, versions) in enumerate(rows.items()):
        is_held_out = number % HELD_OUT == 0
        if is_held_out if thin is None else not is_held_out and number % thin == 1 % thin:
            group = [text_of(versions[name]) for name in VERSIONS if versions.get(name, "").strip()]
            if len(group) == len(VERSIONS) if thin is None else len(group) > 1:
                yield ref, group


def lowered(path: Path) -> list[tuple[str, ...]]:
    return [tuple(text.lower() for text in group) for group in read_groups(path)]


def sides(path: Path) -> tuple[list[str], list[str]]:
    rows = [line.split("\t") for line in read(path)]
    return [row[0] for row in rows], [row[1] for row in rows]


def learn(folder: Path) -> None:
    """Train the monolingual aligner in both modes, and an aligner for each bitext; extract phrases."""
    groups = lowered(folder / "msrp.groups") + lowered(folder / "bible.groups")
    for mode, method in MODES.items():

        def smt(path: Path, method: str = method) -> None:
            learned = monolingual_smt(groups, method=method)
            learned.paraphrases(engine=ENGINE, output=path.with_suffix(".paraphrases"))
            learned.aligner.save(path)

        once(folder / f"smt-{mode}.aligner", smt)
    for name in (*CAPTIONS, *(f"bible.{language}" for language in BIBLES)):

        def bitext(path: Path, name: str = name) -> None:
            source, target = sides(folder / f"{name}.bitext")
            aligner, aligned = Aligner.train_and_align(source, target)
            extract_phrases(
                source, target, aligned, max_length=5, lexical=False, engine=ENGINE, output=folder / f"{name}.table"
            )
            aligner.save(path)

        once(folder / f"{name}.aligner", bitext)


def make_tables(folder: Path) -> None:
    names = (*CAPTIONS, *(f"bible.{language}" for language in BIBLES))

    def pivoted(path: Path) -> None:
        tables = [likely(PhraseTable.open(folder / f"{name}.table")) for name in names]
        pivot_paraphrases(tables, engine=ENGINE, output=path)

    once(folder / "parallel.paraphrases", pivoted)

    def syntactic(path: Path) -> None:
        groups = read_groups(folder / "msrp.groups") + read_groups(folder / "bible.groups")
        syntactic_paraphrases(build_lattices(groups, lowercase=True), engine=ENGINE, output=path)

    once(folder / "syntactic.paraphrases", syntactic)


def likely(phrases: PhraseTable) -> PhraseTable:
    """Return the pairs that can contribute to paraphrases of 1%: both p(f|e) and p(e|f) at least 0.5%."""
    near, far, counts = phrases.pair_arrays()
    keep = counts / phrases.source_counts()[near] >= 0.005
    return select_pairs(phrases, keep & (counts / phrases.target_counts()[far] >= 0.005))


def align_edinburgh(folder: Path, gold: AlignedPairs) -> None:
    source, target = ([text.lower() for text in side] for side in (gold.pairs.source, gold.pairs.target))
    common(folder, "edinburgh", gold, source, target)
    # No foreign sentence is known here: equal words, then phrases that the pivoted table pairs.
    pivoted = LinkRules(paraphrases=ParaphraseTable.open(folder / "parallel.paraphrases"))
    once(folder / "edinburgh.parallel.align", lambda path: write_pharaoh(path, matched(source, target, pivoted)))
    for mode, method in MODES.items():
        # Trained on the pairs that are aligned, as in the paper, and nothing else.
        options = AlignerOptions(agreement=mode == "agreement", monolingual=True)
        once(
            folder / f"edinburgh.own-{mode}.align",
            lambda path, method=method, options=options: write_pharaoh(
                path, Aligner.train_and_align(source, target, method=method, options=options)[1]
            ),
        )


def align_bible(folder: Path) -> None:
    rows = [line.split("\t") for line in read(folder / "bible.pairs.tsv")[1:]]
    pairs = read_aligned_pairs_without_links(rows)
    source, target = ([text.lower() for text in side] for side in (pairs.pairs.source, pairs.pairs.target))
    common(folder, "bible", pairs, source, target)
    ways = [through(folder, language, len(VERSIONS)) for language in BIBLES]
    for votes in (1, 2):
        name = "parallel" if votes == 1 else "parallel-2votes"
        once(
            folder / f"bible.{name}.align",
            lambda path, votes=votes: write_pharaoh(path, align_through(ways, votes=votes)),
        )

    def silver(path: Path) -> None:
        words = LinkRules(stem=porter_stem, lexicon=Lexicon.load())
        aligner = Aligner.load(folder / "smt-agreement.aligner")
        voters = [aligner.align(source, target), align_through(ways, votes=2), matched(source, target, words)]
        write_pharaoh(path, (majority(links) for links in zip(*voters, strict=True)))

    once(folder / "bible.silver.align", silver)


def read_aligned_pairs_without_links(rows: Sequence[Sequence[str]]) -> AlignedPairs:
    from paragauge.align import GoldAlignment
    from paragauge.corpora.pairs import ParaphrasePairs

    groups, source, target = (tuple(column) for column in zip(*rows, strict=True))
    return AlignedPairs(ParaphrasePairs(source, target, groups), (GoldAlignment.of(Alignment()),) * len(rows))


def majority(links: Sequence[Alignment]) -> Alignment:
    every = {link for each in links for link in each.links}
    return Alignment.of(link for link in every if sum(link in each for each in links) > 1)


def through(folder: Path, language: str, size: int) -> tuple[list[Alignment], list[Alignment]]:
    """Return the links of the first and of the other versions of held-out verses to the same foreign verses."""
    links = Aligner.load(folder / f"bible.{language}.aligner").align(*sides(folder / f"bible.{language}.heldout"))
    groups = [links[begin : begin + size] for begin in range(0, len(links), size)]
    return [group[0] for group in groups for _ in group[1:]], [each for group in groups for each in group[1:]]


def common(folder: Path, name: str, gold: AlignedPairs, source: list[str], target: list[str]) -> None:
    """Alignments that need nothing but the sentences: trained aligners, lattices, equal words."""
    for mode, method in MODES.items():
        once(
            folder / f"{name}.smt-{mode}.align",
            lambda path, mode=mode, method=method: write_pharaoh(
                path, Aligner.load(folder / f"smt-{mode}.aligner").align(source, target, method=method)
            ),
        )
    once(
        folder / f"{name}.syntactic.align",
        lambda path: write_pharaoh(
            path, syntactic_alignments(gold.pairs, lambda groups: build_lattices(groups, lowercase=True))
        ),
    )
    once(folder / f"{name}.equal.align", lambda path: write_pharaoh(path, matched(source, target, LinkRules())))


def matched(source: Sequence[str], target: Sequence[str], rules: LinkRules) -> list[Alignment]:
    return link_words([text.split() for text in source], [text.split() for text in target], rules).alignments()


def compare(folder: Path, name: str, gold: list[str]) -> None:
    """Print the paper's tables 2 and 3, and how long they took."""
    arguments = ["parametric", "compare", *gold, "--lowercase"]
    for path in sorted(folder.glob(f"{name}.*.align")):
        method = path.name.removeprefix(f"{name}.").removesuffix(".align")
        if method != "silver":
            arguments += ["--alignment", f"{method}={path}"]
    for path in sorted(folder.glob("*.paraphrases")):
        arguments += ["--paraphrases", f"{path.stem}={path}"]
    print(f"\n{name}\n", flush=True)
    begun, worked = time.perf_counter(), time.process_time()
    if paragauge(arguments):
        raise SystemExit(1)
    seconds = f"{time.perf_counter() - begun:.1f} s, {time.process_time() - worked:.1f} s of them at work"
    print(f"\n{name}: compared in {seconds}", flush=True)


if __name__ == "__main__":
    main()
