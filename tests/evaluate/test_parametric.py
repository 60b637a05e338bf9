"""ParaMetric from Python and from the command line: the same results, the same signatures."""

from __future__ import annotations

import pytest

from paragauge.align.alignment import Alignment
from paragauge.align.annotated import read_aligned_pairs
from paragauge.cli.main import main
from paragauge.errors import OptionError
from paragauge.evaluate.parametric import ALL, OWN_ALIGNER, ParametricRequest, parametric
from paragauge.metrics.parametric import Parametric, ParametricAlignment
from paragauge.monolingual import WordAligner
from paragauge.phrases.formats import read_paraphrase_table

LINKS = ["0-0 0-1 1-2 2-3 3-4", "0-0 0-1 1-2 2-3 3-3", "0-0 1-1 1-2"]
FILES = {
    "gold.tsv": "group\tsource\ttarget\tlinks\n"
    "1\tsome want to go\tsome people propose to go\t0-0 0-1 1-2 2-3 3-4\n"
    "1\tsome want to go\tthose who propose leaving\t0-0 0-1-P 1-2 2-3 3-3\n"
    "2\the left\the went away\t0-0 1-1 1-2\n",
    "mine.align": "".join(f"{line}\n" for line in LINKS),
    "table.tsv": "phrase\tparaphrase\tprobability\nwant\tpropose\t0.4\nsome\tothers\t0.2\n",
    "ppdb": "[V] ||| want ||| propose ||| p(e|f)=0.5 Score=3 ||| 0-0\n",
}


def test_files_score_the_same_everywhere(capsys, printed):
    found = parametric(gold="gold.tsv", alignments=["mine.align"], paraphrases=["table.tsv", "ppdb"], bootstrap=100)
    line = ["--gold", "gold.tsv", "--alignment", "mine.align", "--paraphrases", "table.tsv", "--paraphrases", "ppdb"]
    line += ["--bootstrap", 100]
    assert found.overall().to_dict() == printed("parametric", *line)
    assert found.to_dict() == printed("parametric", *line, "--by-length")
    line = ["--gold", "gold.tsv", "--alignment", "a=mine.align", "--paraphrases", "a=table.tsv", "--bootstrap", 100]
    compared = parametric(
        gold="gold.tsv", alignments={"a": "mine.align"}, paraphrases={"a": "table.tsv"}, bootstrap=100
    )
    assert compared.comparison().to_dict() == printed("parametric", "compare", *line)
    assert main(["parametric", "compare", *map(str, line)]) == 0
    assert capsys.readouterr().out == str(compared.comparison()) + "\n"
    assert "<h4>Sure links</h4>" in compared.comparison()._repr_html_()


def test_the_aligner_that_ships_is_a_method(printed):
    found = parametric(gold="gold.tsv", alignments=["mine.align"], align=True, bootstrap=0)
    line = ["--gold", "gold.tsv", "--alignment", "mine.align", "--align", "--bootstrap", 0]
    assert found.overall().to_dict() == printed("parametric", *line)
    pairs = read_aligned_pairs("gold.tsv").pairs
    links = WordAligner.load().align(pairs.source, pairs.target)
    alone = parametric(gold="gold.tsv", alignments={OWN_ALIGNER: links}, bootstrap=0)
    assert alone.scores == parametric(gold="gold.tsv", align=True, bootstrap=0).scores
    assert {score.method for score in found.scores} == {"mine.align", OWN_ALIGNER}
    with pytest.raises(OptionError, match="both called 'words'; rename yours"):
        parametric(gold="gold.tsv", alignments={OWN_ALIGNER: links}, align=True)


def test_objects_score_like_their_files():
    gold = read_aligned_pairs("gold.tsv")
    links = [Alignment.from_pharaoh(line) for line in LINKS]
    table = read_paraphrase_table("table.tsv")
    of_objects = parametric(gold=gold, alignments={"mine.align": links}, paraphrases={"table.tsv": table})
    assert of_objects == parametric(gold="gold.tsv", alignments=["mine.align"], paraphrases=["table.tsv"])
    function = parametric(gold=gold, paraphrases={"mine": lambda phrase, sentence: ["propose"]}, bootstrap=0)
    assert function.scores[0].signature is not None
    assert function.scores[0].signature.get("table") is None


def test_metrics_alone_say_the_same():
    gold = read_aligned_pairs("gold.tsv")
    links = [Alignment.from_pharaoh(line) for line in LINKS]
    table = read_paraphrase_table("table.tsv")
    found = parametric(gold=gold, alignments={"a": links}, paraphrases={"b": table}, bootstrap=0).overall()
    for score in found.scores:
        resource = links if isinstance(score.metric, ParametricAlignment) else table
        alone = score.metric.evaluate(resource, gold)
        signature = alone.signature.extended({"method": score.method})
        assert (alone.value, signature) == (score.measurement.value, score.signature)
    assert [score.metric for score in found.scores] == [
        ParametricAlignment(), ParametricAlignment(links="possible"), Parametric(), Parametric(links="possible"),
    ]  # fmt: skip
    assert {score.length for score in found.scores} == {ALL}


def test_a_length_of_none_and_of_any():
    usual, any_length, short = (
        parametric(gold="gold.tsv", alignments=["mine.align"], paraphrases=["ppdb"], max_length=length, bootstrap=0)
        for length in (None, 0, 2)
    )
    assert [score.metric.max_length for score in usual.overall().scores] == [None, None, 5, 5]
    assert {score.metric.max_length for score in any_length.scores} == {None}
    assert {score.length for score in short.scores} == {ALL, "1", "2"}


def test_progress_is_told():
    told = []
    parametric(gold="gold.tsv", alignments=["mine.align"], progress=lambda *step: told.append(step))
    assert told == [(1, 2, "scores"), (2, 2, "scores")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alignment", "mine.align", "--min-prob", "0.1"], "--min-prob has no effect on alignments"),
        (["--alignment", "mine.align", "--feature", "Score"], "--feature has no effect on alignments"),
        (["--paraphrases", "table.tsv", "--feature", "Score"], "--feature has no effect here: only grammars"),
        (["--paraphrases", "table.tsv", "--bootstrap", "0", "--seed", "1"], "--seed has no effect with --bootstrap 0"),
    ],
)
def test_options_without_effect_are_refused(capsys, arguments, message):
    assert main(["parametric", "--gold", "gold.tsv", *arguments]) == 2
    captured = capsys.readouterr()
    assert (message in captured.err, captured.out) == (True, "")


def test_a_feature_goes_to_the_ppdb_files_among_several(printed):
    line = ["--paraphrases", "table.tsv", "--paraphrases", "ppdb", "--feature", "Score", "--min-prob", 2]
    found = printed("parametric", "--gold", "gold.tsv", *line)
    assert {row["system"]: row["posited"] for row in found} == {"table.tsv": 0, "ppdb": 1}


def test_wrong_requests_are_refused_in_python():
    with pytest.raises(OptionError, match="nothing to score"):
        parametric(gold="gold.tsv")
    with pytest.raises(OptionError, match=r"mine\.align is given twice"):
        parametric(gold="gold.tsv", alignments=["mine.align", "mine.align"])
    with pytest.raises(OptionError, match="links has no effect on pairs that have been read"):
        parametric(gold=read_aligned_pairs("gold.tsv"), alignments=["mine.align"], links="mine.align")
    with pytest.raises(OptionError, match="at least 0"):
        ParametricRequest(max_length=-1)
