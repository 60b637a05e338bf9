"""The methods that ParaMetric compares: what they take and refuse; what they find is tested with the commands."""

from __future__ import annotations

import pytest

from paragauge.align.options import METHODS
from paragauge.cli.main import main
from paragauge.evaluate import methods
from paragauge.evaluate.methods import SmtRequest
from paragauge.evaluate.option import options_of

FILES = {
    "groups": "12 persons were killed\ttwelve people died\nhe left\the went away\n",
    "pairs": "he left\the went away\n",
    "table.tsv": "phrase\tparaphrase\tprobability\nleft\twent away\t0.5\n",
}


def test_the_aligner_s_methods_are_all_there():
    (method,) = (each for each in options_of(SmtRequest) if each.name == "method")
    assert method.choices == METHODS


def test_files_and_groups_find_the_same(files, capsys):
    told = []
    found = methods.smt("groups", gold="pairs", progress=lambda *step: told.append(step))
    same = methods.smt([line.split("\t") for line in FILES["groups"].splitlines()], gold="pairs", max_length=5)
    assert list(found.table) == list(same.table)
    assert found.links == same.links
    assert told[-1][0] == told[-1][1]
    assert main(["parametric", "smt", "groups", "-o", "smt.tsv", "--align", "pairs", "links", "-q"]) == 0
    assert (files / "links").read_text() == "".join(f"{links.to_pharaoh()}\n" for links in found.links)
    assert methods.smt("groups", table=False).table is None
    assert methods.syntactic(None, gold="pairs").table is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["smt", "groups", "--align", "pairs", "l", "--max-length", "2"], "--max-length has no effect without a table"),
        (["smt", "groups", "--align", "pairs", "l", "--min-prob", "0.2"], "--min-prob has no effect without a table"),
        (["smt", "groups", "--align", "pairs", "l", "--memory-limit", "1GB"], "--memory-limit has no effect without"),
        (["smt", "groups", "--save-model", "l", "--temp", "."], "--temp has no effect without a table"),
        (["syntactic", "--align", "pairs", "l", "--no-mixed"], "--mixed has no effect without a table"),
        (["syntactic", "--align", "pairs", "l", "--max-length", "2"], "--max-length has no effect without a table"),
        (["match", "pairs", "table.tsv", "--feature", "Score"], "--feature has no effect on table.tsv: only PPDB"),
    ],
)
def test_options_without_effect_are_refused(files, capsys, arguments, message):
    assert main(["parametric", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (files / "l").exists()
