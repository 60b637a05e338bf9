"""Decoding: the 100 English sentences and the Hiero grammar of 323,089 rules with which cdec and Joshua were measured.

Both are on no package registry. On a similar machine, cdec took 2.2 s and Joshua 8.5 s to parse the 100 pairs with this
grammar, reading it included; that was synchronous parsing without a language model, so the figures beside ours say how
long they need to read the grammar and to fill charts of this size, not how fast they decode. Ours decodes with a
trigram model of 29,000 French captions, once from the text of the grammar and once from a folder, by beam. For the
speed of the machine, nothing else is run: processor seconds are given.

    python benchmarks/bench_decode.py [--write]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from measure import DATA, write_section

import paragauge
from paragauge.grammar.decode import DecodeOptions, Decoder
from paragauge.grammar.grammar import Grammar
from paragauge.io import read_lines
from paragauge.text.pipeline import TextPipeline

BEAMS = (30, 100, 200, 1000)
# The grammar of Thrax has one feature without a name, which is called 0.
WEIGHTS = {"LanguageModel": 1.0, "0": 0.1, "PassThrough": -10.0, "Glue": -0.1, "TargetWords": 1.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="put the figures into RESULTS.md")
    arguments = parser.parse_args()
    rows: list[str] = []

    def record(what: str, *figures: str) -> None:
        rows.append(f"| {what} | {' | '.join(figures)} |")
        print(rows[-1], flush=True)

    pairs = (DATA / "rivals" / "syncparse" / "pairs.tsv").read_text(encoding="utf-8").splitlines()[1:]
    sentences = [line.split("\t")[0] for line in pairs]
    model = french_model()
    with tempfile.TemporaryDirectory() as folder:
        path = DATA / "rivals" / "syncparse" / "grammar.gz"
        begun = time.process_time()
        Grammar.open(path).save(Path(folder) / "sync.grammar")
        saving = time.process_time() - begun
        scores, seconds = {}, {}
        for beam in BEAMS:
            options = DecodeOptions(beam=beam, threads=1, max_rules=None)
            spent = []
            for _ in range(arguments.rounds):
                begun = time.process_time()
                decoder = Decoder(Grammar.open(Path(folder) / "sync.grammar"), WEIGHTS, model)
                found = decoder.decode(sentences, options)
                spent.append(time.process_time() - begun)
            scores[beam] = [each[0].score for each in found]
            seconds[beam] = statistics.median(spent)
        widest = scores[BEAMS[-1]]
        for beam in BEAMS:
            errors = sum(one < other - 1e-9 for one, other in zip(scores[beam], widest, strict=True))
            record(f"beam {beam}", f"{seconds[beam]:.2f}", f"{statistics.mean(scores[beam]):.3f}", str(errors))
        begun = time.process_time()
        Decoder(Grammar.open(path), WEIGHTS, model).decode(
            sentences, DecodeOptions(beam=100, threads=1, max_rules=None)
        )
        record("beam 100, from the text of the grammar", f"{time.process_time() - begun:.2f}", "", "")
    if arguments.write:
        write_section("Decoding", TEXT.format(rows="\n".join(rows), saving=saving, version=paragauge.__version__))


def french_model():
    paths = sorted((DATA / "multi30k").rglob("train.fr.gz"))
    texts = [line for path in paths for line in read_lines(path)]
    pipeline = TextPipeline(tokenizer="13a", lowercase=True)
    return paragauge.train_lm([pipeline(text) for text in texts], order=3, tokenizer="none")


TEXT = """
`python benchmarks/bench_decode.py --write`, version {version}: 100 English sentences of 13 words with the Hiero
grammar of 323,089 rules and a French trigram model, one thread, processor seconds with the opening of the grammar, the
mean model score of the best candidates, and the sentences for which the widest beam finds a better one (search errors).

| | seconds | model score | search errors of 100 |
|---|---|---|---|
{rows}

Making the folder from the text takes {saving:.1f} s, once. On a similar machine cdec took 2.2 s and Joshua 8.5 s
(wall) to parse the same pairs synchronously, reading the text of the grammar. That is another task: both sides are
given, there is no language model and no beam. Neither is on a package registry, so decoding with them was not measured,
and nothing here says how fast they decode at the same beam and model score.

The errors are the beam's: without the language model there are none at any beam, with bigrams, which merge many more
hypotheses, as many as with trigrams (69), with the ten best rules of each source side 60, with ten times the weight for
the grammar's only feature 66; beam 1000 has 26 beside beam 3000. The mean loss at beam 100 is 1.0 in the logarithm.
"""

if __name__ == "__main__":
    main()
