"""One page: what users wait for, each beside its rival, in alternating runs.

    python benchmarks/bench_speed.py FOLDER [--rows tokenise chrf ...] [--rounds 3] [--within SECONDS] [--write]
        [--moses DIR] [--fast-align PROGRAM] [--lmplz PROGRAM] [--eflomal PYTHON] [--wordnet DIR]

FOLDER keeps bitexts and models between runs. Every piece of work runs in a process of its own, ours and the rival's in
turn; the figures are processor seconds (best of the rounds) and the median over rounds of the ratios of processor and
of wall time (below 1: paragauge is faster). sacreBLEU, nltk and KenLM are in the extra `dev`. Moses, fast_align, lmplz
and WordNet's files for nltk's METEOR are on no package registry, and eflomal (GPL) may live in an environment of its
own: give their paths, or they are left out with a message. Rows called threads-... compare two threads with one.
--within ends the rounds of a row when they have taken so many seconds. --write puts both tables into RESULTS.md;
`speed_page.py` does this for all programs that measure speed.
"""

# ruff: noqa: E501 - commands are easier to read on one line

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from bitexts import prepare, raw_pairs
from measure import DATA, write_section

import paragauge

COMMAND = [sys.executable, "-m", "paragauge"]
PAIRS = 41_620
GRAMMAR_PAIRS = 10_000
SCORED_PAIRS = 5_245


@dataclass(frozen=True)
class Run:
    """Processor seconds, wall seconds and peak memory in MB of one run."""

    processor: float
    wall: float
    memory: float


@dataclass(frozen=True)
class Row:
    """One line of the page: our work and the rival's, each a program and its input."""

    key: str
    work: str
    ours: list[str]
    rival: str | None = None
    theirs: list[str] | None = None
    before: Callable[[], object] = field(default=lambda: None)
    slow: bool = False  # run once only
    missing: str = ""


def run(program: list[str]) -> Run:
    """Run *program*, whose output is thrown away.

    A program may print ``{"processor": ..., "wall": ...}`` as its last line: the part of its time that counts.
    """
    # Programs are measured as users have them: compiled to bytecode, here once for both.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "paragauge-bench-bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as output_file, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(program, stdout=output_file, stderr=errors, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        for file in (output_file, errors):
            file.seek(0)
        output = output_file.read()
        if process.returncode:
            raise SystemExit(f"{' '.join(program)} failed:\n{errors.read().decode()[-2000:]}")
    processor, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    last = output.rstrip().rsplit(b"\n", 1)[-1]
    if last.startswith(b'{"processor"'):
        own = json.loads(last)
        return Run(own["processor"], own["wall"], own.get("memory", memory))
    return Run(processor, wall, memory)


# What is measured inside a process, without its start: a setting up, and the work.
TIMED = """
import time, json, sys, gzip, resource, logging
def used_so_far():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
logging.getLogger("paragauge").setLevel(logging.ERROR)
{setup}
begun, used = time.perf_counter(), used_so_far()
{work}
print(json.dumps(dict(processor=(used_so_far() - used) / {unit}, wall=(time.perf_counter() - begun) / {unit},
                      memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))
"""


def timed(setup: str, work: str, unit: float = 1.0) -> list[str]:
    """Return a Python program that runs *setup*, then *work*, and prints what the work took, divided by *unit*."""
    return [sys.executable, "-c", TIMED.format(setup=setup, work=work, unit=unit)]


def lines(path: Path) -> list[str]:
    """Return the lines of a file, gzipped or not."""
    data = path.read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    return data.decode("utf-8").split("\n")[:-1]


def prepare_texts(folder: Path) -> None:
    """Write the texts that the rows work on, unless they exist."""
    prepare(folder, ["multi30k.fr", "tatoeba.fr"])
    for name, first, second in (("mixed", 29_000, PAIRS - 29_000), ("hiero", GRAMMAR_PAIRS, 0)):
        for suffix in ("src", "tgt", "links"):
            path = folder / f"{name}.{suffix}"
            if not path.exists():
                captions = lines(folder / f"multi30k.fr.{suffix}")[:first]
                short = lines(folder / f"tatoeba.fr.{suffix}")
                step = len(short) // second if second else 1
                path.write_text("\n".join(captions + short[:: step or 1][:second]) + "\n", encoding="utf-8")
    raw = folder / "raw.en"
    if not raw.exists():
        sentences = [english for name in ("multi30k.fr", "tatoeba.fr") for english, _ in raw_pairs(name)]
        raw.write_text("\n".join(" ".join(one.split()) for one in sentences) + "\n", encoding="utf-8")
    queries = folder / "queries.en"
    if not queries.exists():
        queries.write_text("\n".join(lines(folder / "tatoeba.fr.src")[:140_000]) + "\n", encoding="utf-8")
    news = folder / "news.json"
    if not news.exists():
        source = DATA / "wmt12_toen"
        reference = lines(source / "references" / "newstest2012-ref.en.gz")
        outputs = sorted((source / "system-outputs" / "cs-en").iterdir())[:2]
        candidates = [text for file in outputs for text in lines(file)][:SCORED_PAIRS]
        news.write_text(json.dumps([candidates, (reference * 2)[:SCORED_PAIRS]]), encoding="utf-8")
    many = folder / "many.json"
    if not many.exists():
        english = lines(folder / "raw.en")
        random.Random(1).shuffle(english)  # noqa: S311
        words = [text.split() for text in english[:100_000]]
        changed = [" ".join(text[:-2] + text[-1:]) if len(text) > 4 else " ".join(text) for text in words]
        many.write_text(json.dumps([changed, english[:100_000]]), encoding="utf-8")
    model = folder / "captions.lm"
    if not model.exists():
        subprocess.run(
            [
                *COMMAND,
                "lm",
                "-q",
                "-t",
                "none",
                str(folder / "mixed.src"),
                "-o",
                str(model),
                "--arpa",
                f"{model}.arpa",
            ],
            check=True,
        )
    one = folder / "one.txt"
    if not one.exists():
        one.write_text("The cat sat on the mat.\n", encoding="utf-8")


def rows(folder: Path, arguments: argparse.Namespace) -> Iterator[Row]:
    """Yield all rows of the page."""
    mixed = [str(folder / f"mixed.{suffix}") for suffix in ("src", "tgt", "links")]
    hiero = [str(folder / f"hiero.{suffix}") for suffix in ("src", "tgt", "links")]
    out = folder / "out"

    def clean() -> None:
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()

    bitext = out / "bitext"
    fast_align = None
    if arguments.fast_align:
        both = folder / "mixed.both"
        both.write_text(
            "".join(f"{a} ||| {b}\n" for a, b in zip(lines(Path(mixed[0])), lines(Path(mixed[1])), strict=True)),
            encoding="utf-8",
        )
        program = f"{arguments.fast_align} -i {both} -d -o -v > {bitext}.1; {arguments.fast_align} -i {both} -d -o -v -r > {bitext}.2"
        fast_align = ["sh", "-c", program]
    yield Row("align", f"word links of {PAIRS:,} pairs", [*COMMAND, "align", "-q", mixed[0], mixed[1], "-o", f"{out}/links"],
              "fast_align, both directions", fast_align, clean, missing="--fast-align PROGRAM")  # fmt: skip

    eflomal = None
    if arguments.eflomal:
        program = (
            "import sys\nfrom eflomal import Aligner\n"
            "texts = [[line.lower() for line in open(path, encoding='utf-8')] for path in sys.argv[1:3]]\n"
            "Aligner().align(*texts, links_filename_fwd=sys.argv[3] + '.fwd', links_filename_rev=sys.argv[3] + '.rev')\n"
        )
        eflomal = [arguments.eflomal, "-c", program, *mixed[:2], f"{out}/eflomal"]
    yield Row("align-eflomal", f"word links of {PAIRS:,} pairs", [*COMMAND, "align", "-q", *mixed[:2], "-o", f"{out}/links"],
              "eflomal, both directions", eflomal, clean, missing="--eflomal PYTHON")  # fmt: skip

    moses = None
    if arguments.moses:
        train = f"{arguments.moses}/scripts/training/train-model.perl"
        moses = [
            "sh", "-c",
            f"mkdir -p {out}/model && cp {mixed[0]} {out}/c.en && cp {mixed[1]} {out}/c.fr && "
            f"cp {mixed[2]} {out}/model/aligned.grow-diag-final-and && {train} -root-dir {out} -model-dir {out}/model "
            f"-corpus {out}/c -f en -e fr -first-step 4 -last-step 6 -external-bin-dir {arguments.moses}/bin",
        ]  # fmt: skip
    table = [*COMMAND, "phrases", "-q", *mixed, "--max-length", "7", "-o", f"{out}/t"]
    yield Row(
        "phrases",
        f"phrase table of {PAIRS:,} pairs, up to 7 words",
        table,
        "Moses",
        moses,
        clean,
        missing="--moses DIR",
    )
    yield Row("moses-text", "the same as Moses text", [*table, "--moses", f"{out}/t.moses"], "Moses", moses, clean,
              missing="--moses DIR")  # fmt: skip
    grammar = [*COMMAND, "grammar", "-q", *hiero, "-o", f"{out}/g"]
    wide = ["--loose", "--max-target-symbols", "0", "--max-target-span", "0"]
    yield Row("grammar", f"Hiero grammar of {GRAMMAR_PAIRS:,} pairs", grammar, before=clean, slow=True)
    yield Row("grammar-text", "the same as text", [*grammar, "--text", f"{out}/g.txt"], before=clean, slow=True)
    yield Row(
        "grammar-wide", "wider limits, as text", [*grammar, *wide, "--text", f"{out}/g.txt"], before=clean, slow=True
    )

    lmplz = (
        [arguments.lmplz, "-o", "4", "-S", "200M", "--text", mixed[0], "--arpa", f"{out}/arpa"]
        if arguments.lmplz
        else None
    )
    yield Row("lm", "4-gram model, tokenised text", [*COMMAND, "lm", "-q", "-t", "none", mixed[0], "-o", f"{out}/lm"],
              "lmplz", lmplz, clean, missing="--lmplz PROGRAM")  # fmt: skip
    raw = str(folder / "raw.en")
    yield Row("lm-raw", "4-gram model, raw text, 13a", [*COMMAND, "lm", "-q", raw, "-o", f"{out}/lm"],
              "lmplz, tokenised text", lmplz, clean, missing="--lmplz PROGRAM")  # fmt: skip
    yield Row("lm-arpa", "the same as ARPA", [*COMMAND, "lm", "-q", raw, "--arpa", f"{out}/lm.arpa"], before=clean)

    sacrebleu_tokens = timed(
        f"from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a\ntexts = open({raw!r}, encoding='utf-8').read().split('\\n')",
        "t = Tokenizer13a()\nx = '\\n'.join(map(t, texts))",
    )
    for tokenizer in ("13a", "penn"):
        yield Row(f"tokenise-{tokenizer}", f"`tokenize -t {tokenizer}`, {len(lines(Path(raw))):,} lines",
                  [*COMMAND, "tokenize", "-t", tokenizer, raw, "-o", f"{out}/x"],
                  "sacreBLEU's 13a" if tokenizer == "13a" else None,
                  sacrebleu_tokens if tokenizer == "13a" else None, clean)  # fmt: skip

    news = f"import json\nc, r = json.load(open({str(folder / 'news.json')!r}))\n"
    many = f"import json\nc, r = json.load(open({str(folder / 'many.json')!r}))\n"
    for key, texts, count in (("chrf", news, SCORED_PAIRS), ("chrf-many", many, 100_000)):
        yield Row(key, f"corpus chrF, {count:,} pairs",
                  timed(texts + "from paragauge.metrics import Chrf", "Chrf().corpus_score(c, r)"), "sacreBLEU",
                  timed(texts + "from sacrebleu.metrics.chrf import CHRF", "CHRF().corpus_score(c, [r])"))  # fmt: skip

    model, queries = str(folder / "captions.lm"), str(folder / "queries.en")
    kenlm = timed(
        f"import kenlm\nm = kenlm.Model({model + '.arpa'!r})",
        f"x = [m.score(line) for line in open({queries!r}, encoding='utf-8')]",
    )
    for form in ("tsv", "table"):
        yield Row(f"query-{form}", f"`lm query` of 140,000 lines, {form}",
                  [*COMMAND, "lm", "query", "-q", model, queries, "--format", form, "-o", f"{out}/q"], "KenLM, scores only",
                  kenlm, clean)  # fmt: skip
    yield Row("kenlm", "a KenLM model through us, 140,000 lines",
              timed(f"from paragauge.lm.kenlm import KenlmModel\nm = KenlmModel({model + '.arpa'!r})\n"
                    f"t = open({queries!r}, encoding='utf-8').read().split('\\n')[:-1]", "x = m.scores(t)"),
              "KenLM, scores only", kenlm)  # fmt: skip

    calls = 2000
    single = news + f"c, r = c[:{calls}], r[:{calls}]\n"
    bleu = timed(single + "from sacrebleu.metrics.bleu import BLEU\nb = BLEU(effective_order=True)\nb.sentence_score(c[0], [r[0]])",
                 "for a, b_ in zip(c, r): b.sentence_score(a, [b_])", calls / 1000)  # fmt: skip
    for name in ("pem", "pem+", "meteor", "maxsim", "paraeval", "chrf", "bleu"):
        argument = "original=b" if name.startswith("pem") else "[b]"
        yield Row(f"call-{name}", f"one call in a loop, {name} (ms)",
                  timed(single + f"import paragauge as pg\nm = pg.parse_metric({name!r})\nm.score(c[0], {argument.replace('b', 'r[0]')})",
                        f"for a, b in zip(c, r): m.score(a, {argument})", calls / 1000),
                  "sacreBLEU's sentence BLEU (ms)", bleu)  # fmt: skip

    for name in ("pem", "pem+"):
        yield Row(
            f"many-{name}",
            f"{name}, 100,000 segments",
            timed(many + f"import paragauge as pg\nm = pg.parse_metric({name!r})", "m.segment_scores(c, originals=r)"),
            slow=True,
        )
    nltk_meteor = None
    if arguments.wordnet:
        tools = Path(__file__).resolve().parent.parent / "tools"
        nltk_meteor = timed(
            f"{news}import sys, tempfile\nfrom pathlib import Path\nsys.path.insert(0, {str(tools)!r})\n"
            "from check_lexicon import nltk_reader\nfrom nltk.translate.meteor_score import single_meteor_score as score\n"
            "from paragauge.metrics import Meteor\n"
            f"reader = nltk_reader(Path({arguments.wordnet!r}), Path(tempfile.mkdtemp(dir={str(out)!r})))\n"
            "c, r = ([Meteor().tokens(text) for text in side] for side in (c, r))",
            "for a, b in zip(c, r): score(b, a, wordnet=reader)",
        )
    for name in ("maxsim", "maxsim(dependencies=True)", "meteor"):
        rival = (
            {"rival": "nltk's METEOR", "theirs": nltk_meteor, "missing": "--wordnet DIR"} if name == "meteor" else {}
        )
        yield Row(
            f"news-{name.split('(')[0]}{'-d' if '(' in name else ''}",
            f"{name}, {SCORED_PAIRS:,} pairs",
            timed(news + f"import paragauge as pg\nm = pg.parse_metric({name!r})", "m.segment_scores(c, r)"),
            **rival,  # type: ignore[arg-type]  # as the fields are
        )
    one = str(folder / "one.txt")
    yield Row("start", "`score -m bleu` of one sentence", [*COMMAND, "score", "-m", "bleu", "--ref", one, one], "sacreBLEU",
              [sys.executable, "-m", "sacrebleu", one, "-i", one])  # fmt: skip
    yield Row("start-help", "`paragauge --help`", [*COMMAND, "--help"], "sacreBLEU --help",
              [sys.executable, "-m", "sacrebleu", "--help"])  # fmt: skip


def thread_rows(folder: Path) -> Iterator[Row]:
    """Yield two threads beside one (wall ratio below 1), and two programs at once beside one after the other."""
    mixed = [str(folder / f"mixed.{suffix}") for suffix in ("src", "tgt", "links")]
    hiero = [str(folder / f"hiero.{suffix}") for suffix in ("src", "tgt", "links")]
    table, grammar = str(folder / "mixed.table"), str(folder / "hiero.grammar")
    sentences = folder / "few.en"
    if not sentences.exists():
        sentences.write_text("".join(f"{line}\n" for line in lines(Path(hiero[0]))[:300]), encoding="utf-8")

    def prepared(program: list[str], *made: str) -> Callable[[], None]:
        def before() -> None:
            clean()
            if not all(Path(name).exists() for name in made):
                run([*COMMAND, *program])

        return before

    with_table = prepared(["phrases", "-q", *mixed, "-o", table], table)
    with_grammar = prepared(["grammar", "-q", *hiero, "-o", grammar], grammar)
    raw, news, out = str(folder / "raw.en"), folder / "news.txt", folder / "out"
    if not news.exists():
        texts = json.loads((folder / "news.json").read_text(encoding="utf-8"))[0]
        news.write_text("".join(f"{' '.join(text.split())}\n" for text in texts), encoding="utf-8")

    def clean() -> None:
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()

    work = {
        "align": ["align", "-q", *mixed[:2], "-o", f"{out}/links"],
        "lm": ["lm", "-q", raw, "-o", f"{out}/lm"],
        "query": [
            "lm",
            "query",
            "-q",
            str(folder / "captions.lm"),
            str(folder / "queries.en"),
            "--format",
            "tsv",
            "-o",
            f"{out}/q",
        ],
        "parse": ["parse", "-q", str(news), "-o", f"{out}/parsed"],
        "phrases": ["phrases", "-q", *mixed, "--max-length", "7", "-o", f"{out}/t"],
        "pivot": ["pivot", "-q", table, "-o", f"{out}/p"],
        "monolingual": ["align", "-q", "--monolingual", hiero[0], hiero[0], "-o", f"{out}/links"],
        "grammar": ["grammar", "-q", *hiero, "-o", f"{out}/g"],
        "table": ["table", table, "--min-count", "2", "-o", f"{out}/t"],
        "merge": ["grammar", "merge", "-q", grammar, grammar, "-o", f"{out}/g"],
        "stats": ["grammar", "stats", "-q", grammar],
        "convert": ["grammar", "convert", "-q", grammar, "-o", f"{out}/g.txt", "--to", "text"],
        "prune": ["grammar", "prune", "-q", grammar, "--min-count", "2", "-o", f"{out}/g"],
        "generate": ["generate", "-q", "--grammar", grammar, str(sentences), "-o", f"{out}/x"],
    }
    before = {
        **dict.fromkeys(("pivot", "table"), with_table),
        **dict.fromkeys(("merge", "stats", "convert", "prune", "generate"), with_grammar),
    }
    for name, command in work.items():
        one, two = ([*COMMAND, *command, "--threads", threads] for threads in ("1", "2"))
        shown = f"`{' '.join(word for word in command[:2] if not word.startswith('-') and '/' not in word)}`"
        shown = "`align --monolingual`" if name == "monolingual" else shown
        yield Row(
            f"threads-{name}", f"{shown} with two threads", two, "the same with one", one, before.get(name, clean)
        )
    many = f"import json\nc, r = json.load(open({str(folder / 'many.json')!r}))\nc, r = c[:10000], r[:10000]\n"
    one, two = (
        timed(f"import os\nos.environ['PARAGAUGE_PROCESSES'] = '{count}'\n{many}import paragauge as pg\nm = pg.parse_metric('pem+')",
              "m.segment_scores(c, originals=r)")
        for count in (1, 2)
    )  # fmt: skip
    yield Row("threads-pem+", "pem+ of 10,000 segments with two processes", two, "the same with one", one)
    links = [" ".join([*COMMAND, "align", "-q", *mixed[:2], "-o", f"{out}/links{number}"]) for number in (1, 2)]
    yield Row("side-by-side", "two `align` at once", ["sh", "-c", f"{links[0]} & {links[1]} & wait"],
              "one after the other", ["sh", "-c", f"{links[0]}; {links[1]}"], clean)  # fmt: skip


HEAD = (
    "| row | work | ours, s | MB | rival | rival, s | processor ratio | wall ratio |\n|---|---|---|---|---|---|---|---|"
)


def measured(row: Row, rounds: int, within: float) -> str:
    """Return the line of the table for a row, measured now."""
    if row.key.startswith("start"):  # without the first run, which compiles
        for program in filter(None, (row.ours, row.theirs)):
            run(program)
    ours: list[Run] = []
    theirs: list[Run] = []
    begun = time.perf_counter()
    while not ours or (len(ours) < (1 if row.slow else rounds) and time.perf_counter() - begun < within):
        row.before()
        ours.append(run(row.ours))
        if row.theirs is not None:
            row.before()
            theirs.append(run(row.theirs))
    best = min(one.processor for one in ours)
    cells = [row.key, row.work, f"{best:.3g}", f"{max(one.memory for one in ours):,.0f}"]
    if theirs:
        pairs = list(zip(ours, theirs, strict=True))
        cells += [
            row.rival or "",
            f"{min(one.processor for one in theirs):.3g}",
            f"{statistics.median(a.processor / b.processor for a, b in pairs):.2f}",
            f"{statistics.median(a.wall / b.wall for a, b in pairs):.2f}",
        ]
    else:
        cells += [f"{row.rival}: not run" if row.rival else "", "", "", ""]
    line = f"| {' | '.join(cells)} |"
    print(line, flush=True)
    return line


def versions(eflomal: str | None) -> str:
    """Return the versions of everything that runs; *eflomal* is a Python that has it."""
    parts = [f"paragauge {paragauge.__version__}", f"Python {platform.python_version()}"]
    for package in ("sacrebleu", "ufal.kenlm", "nltk", "numpy"):
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    if eflomal is not None:
        ask = "from importlib.metadata import version; print(version('eflomal'))"
        said = subprocess.run([eflomal, "-c", ask], check=True, capture_output=True, text=True)
        parts.append(f"eflomal {said.stdout.strip()}")
    return ", ".join(parts)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", nargs="+", default=[], help="beginnings of the names of rows; default: all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--within", type=float, default=float("inf"), metavar="SECONDS", help="no more rounds after that"
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--moses", help="folder of Moses, with scripts and bin")
    parser.add_argument("--fast-align", help="the program fast_align")
    parser.add_argument("--lmplz", help="KenLM's program lmplz")
    found = sys.executable if find_spec("eflomal") else None
    parser.add_argument("--eflomal", metavar="PYTHON", default=found, help="a Python that has eflomal")
    parser.add_argument("--wordnet", metavar="DIR", help="WordNet's files, for nltk's METEOR")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "out").mkdir(exist_ok=True)
    prepare_texts(folder)
    print(HEAD, flush=True)
    chosen = [
        [row for row in found if not arguments.rows or any(row.key.startswith(name) for name in arguments.rows)]
        for found in (rows(folder, arguments), thread_rows(folder))
    ]
    tables = [[HEAD, *(measured(row, arguments.rounds, arguments.within) for row in found)] for found in chosen]
    skipped = [
        f"{row.key}: {row.rival} was not run; give {row.missing}"
        for row in chosen[0]
        if row.rival and row.theirs is None
    ]
    for line in skipped:
        print(line, file=sys.stderr)
    if arguments.write:
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        how = f"best of up to {arguments.rounds} alternating runs"
        if arguments.within < float("inf"):
            how += f" (fewer where they take {arguments.within:g} s)"
        intro = (
            f"{versions(arguments.eflomal)}, {os.cpu_count()} cores, load {load:.1f} at the end. Processor seconds (calls: milliseconds), "
            f"{how}, each in a process of its own; grammars and 100,000 segments: one run. Ratios are medians over the "
            "rounds, below 1: paragauge is faster.\n\n"
        )
        notes = "\n" + "".join(f"\n- {one}" for one in skipped)
        command = "`python benchmarks/bench_speed.py FOLDER --write`: "
        write_section("Where users wait", "\n" + command + intro + "\n".join(tables[0]) + notes)
        said = (
            f"The same program (`--rows threads side`), {os.cpu_count()} cores, load {load:.1f} at the end. A wall ratio "
            "below 1 means that two threads are faster than one; start and end of a command are never shared.\n\n"
        )
        write_section("Two threads beside one", "\n" + said + "\n".join(tables[1]))


if __name__ == "__main__":
    main()
