import json
from pathlib import Path

import pytest

from paragauge.cli.main import main

SCORES = "metric\tsystem\tsegment\tscore\n" + "".join(
    f"{metric}\t{system}\t{segment}\t{value * sign + (segment * 7 % 3) / 10}\n"
    for metric, sign in (("good", 1), ("odd", -1))
    for system, base in (("a", 1), ("b", 2), ("c", 4))
    for segment, value in ((1, base), (2, base + 0.5), (3, base - 0.5), (4, base + 1))
)
JUDGMENTS = "system\tsegment\tjudge\tcriterion\tscore\n" + "".join(
    f"{system}\t{segment}\t{judge}\t{criterion}\t{base + (segment * number) % 3}\n"
    for system, base in (("a", 1), ("b", 2), ("c", 3))
    for segment in (1, 2, 3, 4)
    for number, judge in ((1, "ann"), (2, "bob"))
    for criterion in ("overall", "fluency")
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("scores.tsv").write_text(SCORES)
    Path("judgments.tsv").write_text(JUDGMENTS)


def run(capfdbinary, *arguments):
    code = main(list(arguments))
    out, err = capfdbinary.readouterr()
    return code, out.decode(), err.decode()


def test_correlate_lists_each_metric_with_an_interval(files, capfdbinary):
    code, out, err = run(
        capfdbinary, "correlate", "scores.tsv", "judgments.tsv", "--criterion", "overall", "--format", "json",
        "--method", "pearson", "--method", "kendall",
    )  # fmt: skip
    rows = json.loads(out)
    assert (code, err) == (0, "")
    assert [(row["metric"], row["method"]) for row in rows] == [
        ("good", "pearson"), ("good", "kendall"), ("odd", "pearson"), ("odd", "kendall"),
    ]  # fmt: skip
    assert rows[0]["low"] <= rows[0]["correlation"] <= rows[0]["high"]
    assert rows[0]["items"] == 12


def test_correlate_each_judge_at_system_level(files, capfdbinary):
    _, out, _ = run(
        capfdbinary, "correlate", "scores.tsv", "judgments.tsv", "--criterion", "overall", "--each-judge", "--level",
        "system", "--format", "tsv", "--bootstrap", "0",
    )  # fmt: skip
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0] == ["metric", "judge", "level", "method", "correlation", "items"]
    assert {row[1] for row in rows[1:]} == {"mean", "ann", "bob"}


def test_correlate_sets_are_averaged(files, capfdbinary):
    _, out, _ = run(
        capfdbinary, "correlate", "--set", "one", "scores.tsv", "judgments.tsv", "--set", "two", "scores.tsv",
        "judgments.tsv", "--criterion", "fluency", "--format", "json",
    )  # fmt: skip
    rows = json.loads(out)
    assert [row["set"] for row in rows] == ["one", "one", "two", "two", "mean", "mean"]
    assert rows[4]["correlation"] == pytest.approx(rows[0]["correlation"])


def test_correlate_compares_metrics(files, capfdbinary):
    code, out, _ = run(
        capfdbinary, "correlate", "scores.tsv", "judgments.tsv", "--criterion", "overall", "--compare", "--bootstrap",
        "200", "--format", "json",
    )  # fmt: skip
    (row,) = json.loads(out)
    assert code == 0
    assert (row["metric"], row["other"]) == ("good", "odd")
    assert row["difference"] > 0
    assert 0 < row["williams_p"] < 0.05


def test_correlate_says_what_was_not_used(files, capfdbinary):
    Path("judgments.tsv").write_text(JUDGMENTS + "z\t1\tann\toverall\t4\na\t9\tann\toverall\t\n")
    code, _, err = run(capfdbinary, "correlate", "scores.tsv", "judgments.tsv", "--criterion", "overall")
    assert code == 0
    assert err.splitlines() == [
        "paragauge: warning: not used: 1 judgments without a score (left missing, not counted as 0)",
        "paragauge: warning: not used: 1 judgments of candidates that no metric scored",
    ]


def test_correlate_subsets_documents_and_signature(files, capfdbinary):
    Path("documents.tsv").write_text("segment\tdocument\n1\tx\n2\tx\n3\ty\n4\ty\n")
    code, out, _ = run(
        capfdbinary, "correlate", "scores.tsv", "judgments.tsv", "--criterion", "overall", "--where", "fluency>=2.5",
        "--exclude-system", "a", "--documents", "documents.tsv",
    )  # fmt: skip
    assert code == 0
    assert (
        "correlate|level:segment|average:none|criterion:overall|where:fluency>=2.5|without:a|bs:1000|unit:document"
        in out
    )
    Path("documents.tsv").write_text("segment\tdocument\n1\tx\n")
    code, _, err = run(
        capfdbinary,
        "correlate",
        "scores.tsv",
        "judgments.tsv",
        "--criterion",
        "overall",
        "--documents",
        "documents.tsv",
    )
    assert code == 1
    assert "documents.tsv: has no document for segment '2'" in err


def test_correlate_reads_wmt_rankings(files, capfdbinary):
    Path("rankings.csv").write_text(
        "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
        "Czech,English,1,J,a,b,c,3,2,1\nCzech,English,2,J,a,b,c,3,1,2\n"
    )
    _, out, _ = run(capfdbinary, "correlate", "scores.tsv", "rankings.csv", "--format", "json")
    rows = json.loads(out)
    assert [row["correlation"] for row in rows] == pytest.approx([(5 - 1) / 6, (1 - 5) / 6])
    _, out, _ = run(
        capfdbinary, "correlate", "scores.tsv", "rankings.csv", "--format", "json", "--lower-is-better", "odd",
        "--level", "system", "--method", "spearman",
    )  # fmt: skip
    assert [row["correlation"] for row in json.loads(out)] == pytest.approx([0.866, 0.866], abs=0.001)


def test_agreement_of_judges_and_criteria(files, capfdbinary):
    code, out, _ = run(capfdbinary, "agreement", "judgments.tsv", "--criterion", "overall", "--format", "json")
    rows = json.loads(out)
    assert code == 0
    assert [(row["judge"], row["other"]) for row in rows] == [("ann", "bob"), ("mean", "")]
    assert rows[0]["items"] == 12
    _, out, _ = run(capfdbinary, "agreement", "judgments.tsv", "--criteria", "--format", "json")
    assert json.loads(out) == [{"criterion": "overall", "other": "fluency", "correlation": 1.0, "items": 12}]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["correlate", "scores.tsv"], 2, "expected SCORES and JUDGMENTS, or --set NAME SCORES JUDGMENTS"),
        (["correlate", "scores.tsv", "judgments.tsv"], 1, "several criteria (fluency, overall); choose one"),
        (["correlate", "scores.tsv", "judgments.tsv", "--criterion", "overal"], 2, "did you mean 'overall'?"),
        (["correlate", "judgments.tsv", "scores.tsv"], 1, "lacks 'metric'"),
        (["correlate", "scores.tsv", "judgments.tsv", "--where", "x"], 2, "is not a condition"),
        (["correlate", "--compare", "--set", "a", "s", "j", "--set", "b", "s", "j"], 2, "a single data set"),
        (["correlate", "--set", "a", "s", "j", "--set", "a", "s", "j"], 2, "two sets have the same name"),
        (
            ["correlate", "scores.tsv", "judgments.tsv", "--ties", "neutral"],
            2,
            "--ties applies only to rankings and to",
        ),
        (
            ["correlate", "scores.tsv", "judgments.tsv", "--compare", "--clusters"],
            2,
            "--compare lists differences and --clusters ranks metrics",
        ),
        (
            ["correlate", "scores.tsv", "judgments.tsv", "--bootstrap", "0", "--documents", "d"],
            2,
            "--documents applies only to intervals",
        ),
        (
            ["correlate", "scores.tsv", "judgments.tsv", "--level", "system", "--average", "segment"],
            2,
            "--average applies only to --level segment",
        ),
        (["agreement", "judgments.tsv", "--where", "fluency>=4"], 2, "--where applies only to --criteria"),
        (["agreement", "judgments.tsv", "--one-based"], 2, "--one-based applies only to --links"),
        (["agreement"], 2, "expected judgments or --links"),
        (
            ["report", "scores.tsv", "--judgments", "judgments.tsv", "--pair", "x", "-o", "r"],
            2,
            "--pair applies only to WMT",
        ),
        (["report", "scores.tsv", "--disagreements", "2", "-o", "r"], 2, "--disagreements needs judgments"),
        (["report", "scores.tsv", "--ref", "x", "-o", "r"], 2, "--ref needs the texts of systems"),
        (["report", "-m", "bleu", "-o", "r"], 2, "give --testset, or systems"),
        (["report", "-o", "r"], 2, "SCORES, or -m METRIC"),
        (["references", "cross", "-m", "bleu", "--ref", "a", "--ref", "b", "c"], 2, "drop the candidates"),
        (["agreement", "judgments.tsv", "--criterion", "overall", "--min-items", "99"], 1, "no two judges have 99"),
    ],
)
def test_mistakes_are_explained(files, capfdbinary, arguments, code, message):
    found, out, err = run(capfdbinary, *arguments)
    assert (found, out) == (code, "")
    assert message in err


def test_agreement_of_word_links(tmp_path, monkeypatch, capfdbinary):
    monkeypatch.chdir(tmp_path)
    Path("src").write_text("a b c\nd\n")
    Path("tgt").write_text("x y\nz\n")
    Path("one").write_text("0-0 1-1\n0-0\n")
    Path("two").write_text("0-0 1-0-P\n\n")
    code, out, _ = run(capfdbinary, "agreement", "--links", "one", "two", "--texts", "src", "tgt", "--format", "json")
    # Words a, b, c (two options each) and d (one): shares 1, 0, 1, 0; chance 1/2, 1/2, 0, 0.
    assert code == 0
    (row,) = json.loads(out)
    assert row["c_hat"] == pytest.approx((2 / 4 - 1 / 4) / (1 - 1 / 4))
    assert (row["sentences"], row["words"]) == (2, 4)
    # Smallest phrases: one has (a, x), (b, y) and (d, z), two has (a b, x). They agree on c, which neither links.
    # Options are source phrases with the word times target phrases: 3 * 3 for a, 4 * 3 for b.
    chance = (1 / 9 + 1 / 12) / 4
    assert row["c_hat_phrases"] == pytest.approx((1 / 4 - chance) / (1 - chance))
    assert run(capfdbinary, "agreement", "--links", "one", "two")[0] == 1
    assert run(capfdbinary, "agreement")[0] == 2
    Path("two").write_text("0-5\n\n")
    assert run(capfdbinary, "agreement", "--links", "one", "two", "--texts", "src", "tgt")[0] == 1
    Path("two").write_text("0-0\n")
    code, _, err = run(capfdbinary, "agreement", "--links", "one", "two", "--texts", "src", "tgt")
    assert (code, "found 2, 1 and 2" in err) == (1, True)


def test_maxsim_tune_finds_an_alpha(tmp_path, monkeypatch, capfdbinary):
    monkeypatch.chdir(tmp_path)
    # People who count only what is missing: candidates of one word have perfect precision and little recall.
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    Path("reference.txt").write_text("\n".join([" ".join(words)] * 6) + "\n")
    Path("system.txt").write_text("\n".join(" ".join(words[: n + 1]) for n in range(6)) + "\n")
    judged = [f"system\t{n + 1}\tann\toverall\t{(n + 1) / 6}" for n in range(6)]
    Path("judgments.tsv").write_text("system\tsegment\tjudge\tcriterion\tscore\n" + "\n".join(judged) + "\n")
    arguments = ["--ref", "reference.txt", "system.txt", "--judgments", "judgments.tsv", "--steps", "4", "--folds", "2"]
    code, out, err = run(capfdbinary, "maxsim", "tune", *arguments, "--format", "json", "-q")
    assert (code, err) == (0, "")
    rows = {row["alpha"]: row for row in json.loads(out)}
    assert list(rows) == ["0", "0.25", "0.5", "0.75", "1", "held out"]
    best = [name for name, row in rows.items() if row["best"]]
    tried = {name: row["correlation"] for name, row in rows.items() if name != "held out"}
    assert best == [max(tried, key=tried.get)]
    assert tried["1"] == pytest.approx(1, abs=0.02)
    assert "|alpha:0.25|" in rows["0.25"]["signature"]


@pytest.mark.parametrize(
    ("judgments", "message"),
    [
        ("system\tsegment\tjudge\tcriterion\tscore\nother\t1\tann\toverall\t1\n", "other"),
        ("", "judgments.tsv"),
    ],
    ids=["another system", "empty"],
)
def test_maxsim_tune_explains_mistakes(tmp_path, monkeypatch, capfdbinary, judgments, message):
    monkeypatch.chdir(tmp_path)
    Path("reference.txt").write_text("a b\nc d\n")
    Path("system.txt").write_text("a b\nc e\n")
    Path("judgments.tsv").write_text(judgments)
    code, _, err = run(
        capfdbinary, "maxsim", "tune", "--ref", "reference.txt", "system.txt", "--judgments", "judgments.tsv", "-q"
    )
    assert code == 1
    assert message in err


def test_judgments_are_converted(files, capfdbinary):
    Path("da.csv").write_text("SYS SID RAW.SCR Z.SCR N \nA.7 1 100 0.5 1 \nB.0 1 50 -0.5 1 \n")
    line = ["judgments", "da.csv", "--criterion", "z", "--strip-numbers", "--format", "tsv"]
    _, out, _ = run(capfdbinary, *line)
    assert out.splitlines() == [
        "system\tsegment\tjudge\tcriterion\tscore", "A\t1\t\tz\t0.5", "B\t1\t\tz\t-0.5",
    ]  # fmt: skip
    Path("again.tsv").write_text(out)
    assert run(capfdbinary, "judgments", "again.tsv", "--format", "tsv")[1] == out
    code, _, err = run(capfdbinary, "judgments", "again.tsv", "--z-scores")
    assert (code, "name no judges" in err) == (1, True)


def test_each_judge_is_described(files, capfdbinary):
    _, out, _ = run(
        capfdbinary, "agreement", "judgments.tsv", "--criterion", "overall", "--each-judge", "--format", "json"
    )
    rows = json.loads(out)
    assert [(row["judge"], row["items"], row["outlier"]) for row in rows] == [("ann", 12, "no"), ("bob", 12, "no")]
    assert "consistency" not in rows[0]


RANKINGS = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    "system3Number,system3Id,system1rank,system2rank,system3rank\n"
    + "".join(f"Czech,English,{k},d,{k},J,1,a,2,b,3,c,3,2,1\n" for k in (1, 2, 3, 4))
)


@pytest.mark.parametrize("level", [["--level", "segment"], ["--level", "system", "--method", "pairwise-accuracy"]])
def test_metrics_are_compared_on_rankings(files, capfdbinary, level):
    Path("rankings.csv").write_text(RANKINGS)
    _, out, _ = run(capfdbinary, "correlate", "scores.tsv", "rankings.csv", "--compare", "--format", "json", *level)
    (row,) = json.loads(out)
    assert (row["metric"], row["other"], row["difference"] > 0) == ("good", "odd", True)
    assert 0 < row["permutation_p"] <= 1
    _, out, _ = run(capfdbinary, "correlate", "scores.tsv", "rankings.csv", "--clusters", "--format", "json", *level)
    assert [row["metric"] for row in json.loads(out)] == ["good", "odd"]


def test_criteria_are_averaged_and_signs_are_reversed(files, capfdbinary):
    line = ["correlate", "scores.tsv", "judgments.tsv", "--format", "json", "--bootstrap", "0"]
    one = json.loads(run(capfdbinary, *line, "--criterion", "overall,fluency")[1])
    other = json.loads(run(capfdbinary, *line, "--criterion", "overall", "--lower-is-better", "odd")[1])
    assert one[0]["correlation"] == pytest.approx(other[0]["correlation"])  # both criteria have the same scores here
    assert one[1]["correlation"] == pytest.approx(-other[1]["correlation"])


def test_metrics_are_ranked_in_clusters(files, capfdbinary):
    _, out, _ = run(
        capfdbinary, "correlate", "scores.tsv", "judgments.tsv", "--criterion", "overall", "--clusters", "--method",
        "acc-eq", "--method", "pearson", "--format", "json", "--bootstrap", "20",
    )  # fmt: skip
    rows = json.loads(out)
    assert [(row["method"], row["metric"]) for row in rows] == [
        ("acc-eq", "good"), ("acc-eq", "odd"), ("pearson", "good"), ("pearson", "odd"),
    ]  # fmt: skip
    assert [row["cluster"] for row in rows[2:]] == [1, 2]


def test_systems_can_be_resampled(files, capfdbinary):
    for method, level in (
        ("spa", "system"),
        ("pairwise-accuracy", "system"),
        ("acc-eq", "segment"),
        ("kendall", "segment"),
    ):
        _, out, err = run(
            capfdbinary, "correlate", "scores.tsv", "judgments.tsv", "--criterion", "overall", "--method", method,
            "--level", level, "--resample", "systems", "--bootstrap", "50", "--format", "json",
        )  # fmt: skip
        assert err == ""
        assert json.loads(out)[0]["low"] <= json.loads(out)[0]["high"]
