"""Rewriting sentences, tuning and compression: what comes out, and what is refused."""

import json
import logging
from pathlib import Path

import numpy as np
import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.errors import DataError, FileError, OptionError
from paragauge.evaluate.compression import CompressionRequest, choose_tasks, compress
from paragauge.evaluate.generate import SHIPPED_GRAMMAR, SHIPPED_MODEL, Generator
from paragauge.evaluate.tune import tune
from paragauge.grammar import Grammar, Rule
from paragauge.grammar.deletion import with_deletions
from paragauge.grammar.weights import Weights
from paragauge.learn.ranking import fit_ranking, sample_pairs

RULES = [
    "[X] ||| big ||| large ||| p(e|f)=0.1 Taste=1",
    "[X] ||| big ||| huge ||| p(e|f)=2 Taste=-1",
    "[X] ||| very [X,1] ||| [X,1] ||| p(e|f)=3",
    "[X] ||| very [X,1] ||| [X,1] indeed ||| p(e|f)=0.5",
    "[X] ||| the house ||| the home ||| p(e|f)=0.7 Taste=2",
    "[X] ||| of the village ||| there ||| p(e|f)=1.5",
]
TEXT = ["the house is very big", "the very big house of the village", "", "a dog barks"]


@pytest.fixture
def grammar():
    return Grammar.from_rules(map(Rule.parse, RULES))


@pytest.fixture
def files(tmp_path, monkeypatch, grammar):
    monkeypatch.chdir(tmp_path)
    grammar.save("g.grammar")
    pg.train_lm(TEXT, order=2, smoothing="katz", tokenizer="none").save("text.lm")
    Path("text.txt").write_bytes("".join(f"{line}\r\n" for line in TEXT).encode())
    return tmp_path


def test_candidates_come_with_scores_and_a_signature(grammar):
    generator = Generator(grammar, weights={"p(e|f)": -1.0, "PassThrough": -1.0})
    result = generator(TEXT, kbest=3, derivations=True)
    assert result.text().splitlines() == ["the home is large indeed", "the large indeed house there", "", "a dog barks"]
    rows = result.rows()
    assert [row["rank"] for row in rows if row["segment"] == 1] == [1, 2, 3]
    assert rows[0]["score"] == pytest.approx(-0.7 - 0.5 - 0.1 - 1)
    assert rows[0]["ratio"] == 1.0
    assert str(result.signature).startswith("generate|tok:none|case:mixed|k:3|distinct:yes|beam:100|span:10|rules:50|")
    assert 0 < result.variety() < 100
    assert generator(TEXT).variety() is None
    assert all(each.words() == (each.source, each.target) for _, _, each in result.derivations())
    assert generator("The big house", tokenizer="penn", lowercase=True).text() == "The large house\n"
    assert generator("The big house", tokenizer="penn", lowercase=True, tokens=True).text() == "the large house\n"


def test_a_ratio_is_met_or_said_not_to_be(grammar, caplog):
    generator = Generator(grammar, weights={"p(e|f)": -1.0, "PassThrough": -1.0})
    with caplog.at_level(logging.WARNING, "paragauge"):
        result = generator(["the very big house of the village", "a dog barks"], max_ratio=0.75)
    assert [one.short_enough for one in result.sentences] == [True, False]
    assert result.sentences[0].candidates[0].text == "the large indeed house there"
    assert result.sentences[1].candidates[0].text == "a dog barks"
    assert "1 sentence could not be made as short as 0.75 of the input" in caplog.text
    shorter = generator(["the very big house of the village"], max_ratio=0.6, pool=1).sentences[0]
    assert shorter.short_enough
    assert shorter.candidates[0].text == "the large house there"
    assert shorter.candidates[0].score == pytest.approx(-3 - 0.1 - 1.5 - 2)  # by the weights that were given


def test_a_metric_chooses(grammar):
    generator = Generator(grammar, weights={"p(e|f)": -1.0, "PassThrough": -1.0})
    plain = generator(TEXT[:2], kbest=100)
    chosen = generator(TEXT[:2], kbest=2, optimise="pinc")
    for before, after in zip(plain.sentences, chosen.sentences, strict=True):
        values = [pg.parse_metric("pinc").score(one.text, original=before.original).value for one in before.candidates]
        assert after.values == pytest.approx(tuple(sorted(values, reverse=True)[:2]))
        assert after.candidates[0].text == before.candidates[int(np.argmax(values))].text
    assert chosen.table().columns[3] == "pinc"
    with pytest.raises(OptionError, match="bleu does not compare a candidate with the sentence that it rewrites"):
        generator(TEXT, optimise="bleu")


def test_commands_write_text_tables_and_derivations(files, capfd):
    Path("w.txt").write_text("p(e|f) -1\nLanguageModel 0.2\nPassThrough -1\n")
    common = ["generate", "--grammar", "g.grammar", "--lm", "text.lm", "--weights", "w.txt"]
    assert main([*common, "text.txt"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[2] == ""
    assert main([*common, "text.txt", "--kbest", "3", "--format", "tsv"]) == 0
    header, *rows = capfd.readouterr().out.splitlines()
    assert header.split("\t") == ["segment", "rank", "score", "ratio", "short_enough", "original", "text", "signature"]
    assert [row.split("\t")[6] for row in rows if row.split("\t")[1] == "1"] == lines
    assert main([*common, "text.txt", "--format", "json", "--derivation", "d.jsonl", "--draw", "drawn", "-o", "o"]) == 0
    assert json.loads(Path("d.jsonl").read_text().splitlines()[0])["source"] == TEXT[0]
    assert sorted(path.name for path in Path("drawn").iterdir()) == ["1.svg", "2.svg", "3.svg", "4.svg"]
    Path("w.txt").write_text("Colour 1\n")
    assert main([*common, "text.txt", "-o", "never.txt"]) == 1
    assert "no feature named 'Colour'" in capfd.readouterr().err
    assert not Path("never.txt").exists()
    assert main(["generate", "--grammar", "g.grammar", "text.txt", "--optimise", "nothing"]) == 2
    assert main(["generate", "--grammar", "g.grammar", "text.txt", "--pass-through", "none", "-o", "never.txt"]) == 1
    assert "sentence 1 has no derivation" in capfd.readouterr().err
    assert not Path("never.txt").exists()


# Tuning


def test_pairs_are_those_that_differ_most():
    scores = np.array([0.0, 1.0, 5.0, 5.2])
    pairs = sample_pairs(scores, np.random.default_rng(1), samples=2000, keep=3, least=0.5)
    assert pairs.tolist() == [[3, 0], [2, 0], [3, 1]]
    assert not len(sample_pairs(scores, np.random.default_rng(1), samples=50, keep=3, least=9))
    assert not len(sample_pairs(np.zeros(0), np.random.default_rng(1), samples=50, keep=3, least=0))


def test_logistic_regression_is_that_of_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(3)
    differences = rng.normal(loc=[1.0, -0.5, 0.0, 0.2], size=(200, 4))
    scale = np.sqrt((differences**2).mean(axis=0))
    rows = np.concatenate([differences, -differences]) / scale
    labels = np.repeat([1, 0], 200)
    theirs = linear.LogisticRegression(C=0.5, fit_intercept=False, tol=1e-10, max_iter=1000).fit(rows, labels)
    assert fit_ranking(differences) == pytest.approx(theirs.coef_[0] / scale, abs=1e-4)
    with pytest.raises(OptionError, match="no two candidates differ enough"):
        fit_ranking(np.zeros((0, 4)))


def test_tuning_finds_the_features_that_matter(grammar, tmp_path):
    sentences = ["the house is big", "a big dog", "the house"]
    references = ["the home is large", "a large dog", "the home"]
    start = Weights({"Taste": -0.5, "p(e|f)": -0.1, "PassThrough": 0.5})
    generator = Generator(grammar, weights=start)
    assert generator(sentences).text().splitlines() != references
    settings = {"metric": "bleu(max_order=1,tokenizer=none)", "rounds": 4, "kbest": 20, "samples": 200, "keep": 20}
    whole = tune(generator, sentences, references, **settings)
    assert whole.weights["Taste"] > 0
    assert generator.with_weights(whole.weights)(sentences).text().splitlines() == references
    assert max(one.value for one in whole.rounds) == pytest.approx(100)
    assert whole.rounds[0].value < 100
    # An interrupted run ends as a whole one, and a checkpoint of something else is refused.
    checkpoint = tmp_path / "tuning.json.gz"

    class Stopped(BaseException):
        pass

    def stop(done, total, unit):
        if done == 2:
            raise Stopped

    with pytest.raises(Stopped):
        tune(generator, sentences, references, checkpoint=checkpoint, progress=stop, **settings)
    again = tune(generator, sentences, references, checkpoint=checkpoint, **settings)
    assert again == whole
    with pytest.raises(DataError, match=r"checkpoint is that of another run \(settings differ\)"):
        tune(generator, sentences, references, checkpoint=checkpoint, **{**settings, "seed": 7})
    checkpoint.write_bytes(b"{")
    with pytest.raises(DataError, match="is not a checkpoint of tuning"):
        tune(generator, sentences, references, checkpoint=checkpoint, **settings)


def test_tuning_refuses_what_cannot_be_tuned(grammar):
    generator = Generator(grammar)
    with pytest.raises(OptionError, match="bleu needs references"):
        tune(generator, ["a big dog"])
    with pytest.raises(DataError, match="1 sentences and references for 2"):
        tune(generator, ["a big dog"], ["a", "b"])
    with pytest.raises(DataError, match="no sentences to tune on"):
        tune(generator, [], metric="pinc")


def test_tune_command(files, capfd):
    Path("ref.txt").write_text("the home is large\nthe large house there\n\na dog barks\n")
    command = ["tune", "text.txt", "--grammar", "g.grammar", "--lm", "text.lm", "--rounds", "2", "--kbest", "10"]
    assert main([*command, "--ref", "ref.txt", "-o", "w.txt", "--format", "tsv"]) == 0
    out = capfd.readouterr().out.splitlines()
    assert out[0].split("\t")[:2] == ["round", "bleu"]
    assert len(out) == 3
    assert "LanguageModel" in Weights.read("w.txt")
    assert main([*command, "-o", "never.txt"]) == 2
    assert "bleu needs references" in capfd.readouterr().err
    assert main([*command, "-m", "blue", "-o", "never.txt"]) == 2
    assert "did you mean" in capfd.readouterr().err
    assert not Path("never.txt").exists()


# Compression

PAIRS = [
    ("the very big house of the village", "the large house there"),
    ("a dog", "a dog barks very loudly here"),
    ("the big house", "the very big house of the village today"),
    ("a large house there", "a very big house of the village"),
    ("the dog is here", "the very big dog is here now"),
]


def test_tasks_have_the_ratio_and_the_longer_sentence_first():
    tasks = choose_tasks(PAIRS, CompressionRequest(shortest=0.5, longest=0.6), 10)
    assert [(task.original, task.reference) for task in tasks] == [PAIRS[0], PAIRS[3][::-1], PAIRS[4][::-1]]
    assert len(choose_tasks(PAIRS, CompressionRequest(shortest=0.5, longest=0.6), 1)) == 1
    with pytest.raises(OptionError, match="above --longest"):
        CompressionRequest(shortest=0.8, longest=0.6)


def test_compression_beside_its_controls(grammar, files, capfd):
    settings = {"shortest": 0.5, "longest": 0.6, "rounds": 2, "kbest": 10, "samples": 100}
    result = compress({"mine": grammar}, PAIRS[:1], PAIRS, **settings)
    assert [one.system for one in result.systems] == ["mine", "(human)", "(random deletion)", "(copy)"]
    assert [task.original for task in result.tasks] == [PAIRS[3][1], PAIRS[4][1]]
    human, deleted, copied = result.systems[1:]
    assert human.scores["bleu"] == pytest.approx(100)
    assert human.ratio == deleted.ratio < copied.ratio == 1
    assert copied.scores["pinc"] == 0
    assert copied.changed == 0
    for task, text in zip(result.tasks, deleted.texts, strict=True):
        words = iter(task.original.split())
        assert all(word in words for word in text.split())  # in order
    with pytest.raises(DataError, match="no pair to tune on has a length ratio"):
        compress({"mine": grammar}, PAIRS[1:2], PAIRS, shortest=0.5, longest=0.6)
    for name, pairs in (("dev.tsv", PAIRS[:1]), ("test.tsv", PAIRS)):
        Path(name).write_text("".join(f"{one}\t{other}\n" for one, other in pairs))
    command = ["compress", "g.grammar", "--lm", "text.lm", "--dev", "dev.tsv", "--test", "test.tsv", "--rounds", "2"]
    command += ["--shortest", "0.5", "--longest", "0.6", "--kbest", "10", "--outputs", "out.tsv", "--format", "tsv"]
    assert main(command) == 0
    out = capfd.readouterr().out.splitlines()
    assert out[0].split("\t")[:4] == ["system", "precis", "bleu", "pinc"]
    assert [line.split("\t")[0] for line in out[1:]] == ["g", "(human)", "(random deletion)", "(copy)"]
    assert len(Path("out.tsv").read_text().splitlines()) == 3


def test_the_shipped_grammar_paraphrases_plain_text():
    result = Generator(threads=1)("The kids  bought a big house.", kbest=5)
    (sentence,) = result.sentences
    assert sentence.original == "The kids  bought a big house."
    assert "The children  bought a large house." in sentence.texts
    assert "tok:penn|case:lc" in str(result.signature)
    assert "checks:yes" in str(result.signature)
    assert 50 < result.variety() < 100
    tokens = Generator(threads=1)("The kids  bought a big house.", tokens=True).sentences[0]
    assert tokens.original == "the kids bought a big house ."
    assert tokens.texts[0].endswith("house .")


def test_names_and_articles_are_kept_right():
    generator = Generator(threads=1)
    shown = generator(["We saw Ned Big and a big plane.", "Mr. Kids spoke.", "It is a big plane."], kbest=20)
    texts = [sentence.texts for sentence in shown.sentences]
    assert all("Ned Big" in text for text in texts[0])
    assert all("Kids" in text for text in texts[1])
    assert any("large" in text for text in texts[0])
    assert not any("a aircraft" in text or "an big" in text for sentence in texts for text in sentence)


def test_a_candidate_that_changes_a_number_a_negation_or_a_name_is_refused():
    rules = ["five ||| six", "did not go ||| went", "Rome ||| Paris", "big ||| large", "quick ||| quickly"]
    grammar = Grammar.from_rules(Rule.parse(f"[X] ||| {each} ||| p(e|f)=0") for each in rules)
    generator = Generator(grammar, weights={"PassThrough": -1.0}, threads=1)
    text = ["The five big boys did not go to Rome.", "She has a quick car."]
    free = generator(text, tokenizer="penn", kbest=50)
    assert free.text().splitlines() == ["The six large boys went to Paris.", "She has a quickly car."]
    kept = generator(text, tokenizer="penn", checks="yes")
    assert kept.text().splitlines() == ["The five large boys did not go to Rome.", "She has a quick car."]
    # A sentence all of whose candidates are refused stays as it is, with the score that its copy has.
    alone = generator.with_weights({"PassThrough": -9.0})("five", tokenizer="penn", checks="yes", kbest=1).sentences[0]
    assert (alone.texts, alone.candidates[0].score) == (("five",), -9.0)


def test_a_sentence_too_long_to_check_is_named():
    text = ["Kids play.", "The kids bought a big plane and " * 300 + "left."]
    with pytest.raises(DataError, match=r"sentence 2: a pair .* split the sentences, or do without --checks"):
        Generator(threads=1)(text)
    assert len(Generator(threads=1)(text, checks="no").sentences[1].texts[0].split()) == 2101


@pytest.mark.parametrize(
    ("line", "rule", "expected"),
    [
        ("Don\u2019t go!  (Now.)", "go ||| leave", "Don\u2019t leave!  (Now.)"),
        ("I can't go.", "ca n't ||| can not", "I can not go."),
        ("He is not here.", "is not ||| is n't", "He isn't here."),
        ("He is late, she said.", "is ||| 's", "He's late, she said."),
        ('Kids said "kids".', "kids ||| children", 'Children said "children".'),
        ("THE KIDS LEFT.", "kids ||| children", "THE CHILDREN LEFT."),
        ("However, the dog ran.", "however , the ||| the", "The dog ran."),
        ("A very big house", "very [X,1] ||| [X,1] indeed", "A big indeed house"),
        ("Very big.", "very [X,1] ||| [X,1] indeed", "Big indeed."),
        ("Ein  Haus", "kids ||| children", "Ein  Haus"),
        ("", "kids ||| children", ""),
    ],
)
def test_text_keeps_the_capitals_and_spaces_of_the_input(line, rule, expected):
    grammar = Grammar.from_rules([Rule.parse(f"[X] ||| {rule} ||| p(e|f)=0")])
    generator = Generator(grammar, weights={"PassThrough": -1.0, "TargetWords": -0.1, "Glue": -0.1}, threads=1)
    assert generator(line, tokenizer="penn", lowercase=True).sentences[0].texts == (expected,)


def test_weights_tuned_to_a_metric_are_known_by_its_name_with_the_shipped_grammar_only(tmp_path):
    text = "My father wished to speak with the children about the plane."
    by_score = Generator(threads=1)(text).sentences[0]
    tuned = Generator(weights="pem+", threads=1)(text).sentences[0]
    assert tuned.candidates[0].features != by_score.candidates[0].features
    with pytest.raises(FileError):
        Generator(SHIPPED_GRAMMAR, SHIPPED_MODEL, "pem+")


def test_a_margin_keeps_the_metric_near_the_best_score():
    text = ["The storm killed at least four people and damaged many homes."]
    generator = Generator(threads=1)
    free = generator(text, optimise="pem+", margin=100, checks="no").sentences[0]
    near = generator(text, optimise="pem+", margin=0.2, checks="no").sentences[0]
    best = max(one.score for one in generator(text, kbest=100, checks="no").sentences[0].candidates)
    assert free.candidates[0].score < best - 0.2 <= near.candidates[0].score
    assert free.values[0] >= near.values[0]


def test_rules_that_delete_shorten_what_the_grammar_cannot():
    grammar = Grammar.from_rules([Rule.parse("[X] ||| big ||| large ||| p(e|f)=0.1")])
    made = with_deletions(grammar, ["very"])
    weights = {"p(e|f)": -1.0, "TargetWords": -1.0, "Deletion": -0.1}
    found = Generator(made, weights=weights, threads=1)("a very very big house")
    assert found.text() == "a big house\n"  # p(e|f)=0.1 is the price of "large"
    (_, _, derivation) = next(iter(Generator(made, weights=weights)("very big", derivations=True).derivations()))
    assert "very [X,1] -> [X,1]" in derivation.to_text()
    with pytest.raises(DataError, match="Deletion"):
        with_deletions(made, ["a"])
