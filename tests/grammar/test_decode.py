"""The decoder against an enumeration of all derivations, and what it promises beside."""

import itertools
import logging
import random

import numpy as np
import pytest
from oracles.decode import scored

import paragauge as pg
from paragauge.errors import DataError, OptionError
from paragauge.grammar import Grammar, Rule
from paragauge.grammar.adding import add_features
from paragauge.grammar.decode import DecodeOptions, Decoder
from paragauge.grammar.weights import Weights
from paragauge.resource import write_resource

WORDS = "abcd"
NOTHING, UNKNOWN = {"pass_through": "none"}, {"pass_through": "unknown"}
EVERYTHING = {"beam": 100_000, "max_rules": None}


def random_side(rng, labels, order):
    side = [rng.choice(WORDS) for _ in range(rng.randint(0 if labels else 1, 2))]
    for index in order:
        side.insert(rng.randint(0, len(side)), index)
    return " ".join(f"[{labels[each]},{each + 1}]" if isinstance(each, int) else each for each in side)


def random_grammar(rng, rules=6):
    lines = {}
    while len(lines) < rules:
        labels = [rng.choice(["X", "NP"]) for _ in range(rng.choice([0, 0, 0, 1, 1, 2]))]
        order = list(range(len(labels)))
        source = random_side(rng, labels, sorted(order))
        target = random_side(rng, labels, rng.sample(order, len(order)))
        key = f"[{rng.choice(['X', 'NP'])}] ||| {source} ||| {target}"
        lines[key] = f"{key} ||| p(e|f)={rng.random():.4f} Extra={rng.randint(-2, 2)}"
    return [Rule.parse(line) for line in lines.values()]


def random_model(rng, order):
    text = [[rng.choice("abc") for _ in range(rng.randint(1, 6))] for _ in range(40)]
    return pg.train_lm(text, order=order, smoothing="katz", tokenizer="none")


def random_weights(rng, model):
    names = ["p(e|f)", "Extra", "PassThrough", "Glue", "TargetWords", "WordCountDiff", "Identity"]
    names += ["LanguageModel", "UnknownWords"] if model is not None else []
    return Weights({name: rng.uniform(-1, 1) for name in names})


@pytest.mark.parametrize("order", [None, 1, 2, 3, 5])
def test_a_wide_beam_finds_what_enumeration_finds(order):
    rng = random.Random(100 + (order or 0))
    compared = 0
    for _ in range(60):
        rules = random_grammar(rng)
        model = None if order is None else random_model(rng, order)
        weights = random_weights(rng, model)
        settings = {
            "pass_through": rng.choice(["all", "unknown", "none"]), "glue": rng.random() < 0.8,
            "max_span": rng.choice([None, 2, 3]),
        }  # fmt: skip
        words = [rng.choice("abcde") for _ in range(rng.randint(0, 4))]
        expected = scored(
            rules, words, weights, model,
            copies=settings["pass_through"], glue=settings["glue"], max_span=settings["max_span"],
        )  # fmt: skip
        grammar = Grammar.from_rules(rules)
        kbest = min(len(expected), 50) or 1
        if len(expected) > 3000:
            continue
        decoder = Decoder(grammar, weights, model)
        options = DecodeOptions(kbest=kbest, distinct=False, derivations=True, **EVERYTHING, **settings)
        found = decoder.decode([words], options)[0]
        assert [one.score for one in found] == pytest.approx([score for score, _ in expected[:kbest]], abs=1e-6)
        best = {}
        for score, target in expected:
            best.setdefault(target, score)
        distinct = decoder.decode([words], DecodeOptions(kbest=50, **EVERYTHING, **settings))[0]
        assert len({one.words for one in distinct}) == len(distinct) == min(50, len(best))
        for one in distinct:
            assert one.score == pytest.approx(best[one.words], abs=1e-6)
        for one in found:
            assert one.derivation.words() == (tuple(words), one.words)
            if model is not None:
                value = one.features[list(weights).index("LanguageModel")]
                assert value == pytest.approx(np.log(10) * model.score(list(one.words)), abs=1e-12)
        compared += bool(expected)
    assert compared > 20


def test_neither_threads_nor_company_change_anything():
    rng = random.Random(5)
    rules = random_grammar(rng, 40)
    model = random_model(rng, 3)
    decoder = Decoder(Grammar.from_rules(rules), random_weights(rng, model), model)
    sentences = [[rng.choice("abcde") for _ in range(rng.randint(0, 12))] for _ in range(40)]
    one = decoder.decode(sentences, DecodeOptions(kbest=5, beam=10, threads=1, derivations=True))
    assert one == decoder.decode(sentences, DecodeOptions(kbest=5, beam=10, threads=4, derivations=True))
    alone = [decoder.decode([each], DecodeOptions(kbest=5, beam=10, derivations=True))[0] for each in sentences]
    assert one == alone
    wide = decoder.decode(sentences, DecodeOptions(beam=1000))
    assert all(better[0].score >= narrow[0].score - 1e-9 for better, narrow in zip(wide, one, strict=True))


def test_a_folder_and_a_file_decode_alike(tmp_path):
    rng = random.Random(8)
    rules = random_grammar(rng, 30)
    weights = random_weights(rng, None)
    memory = Grammar.from_rules(rules)
    folder = memory.save(tmp_path / "folder.grammar")
    memory.write_text(tmp_path / "rules.gz")
    sentences = [[rng.choice("abcde") for _ in range(8)] for _ in range(10)]
    answers = [
        Decoder(grammar, weights).decode(sentences, DecodeOptions(kbest=3))
        for grammar in (memory, folder, Grammar.open(tmp_path / "rules.gz"))
    ]
    assert answers[0] == answers[1] == answers[2]


def test_long_sentences_are_decoded_in_windows(caplog):
    grammar = Grammar.from_rules([Rule.parse("[X] ||| a ||| b ||| f=1"), Rule.parse("[X] ||| a ||| c ||| f=0.5")])
    decoder = Decoder(grammar, {"f": 1.0, "PassThrough": -1.0})
    sentence = "a a , a a a a"
    with caplog.at_level(logging.WARNING, "paragauge"):
        found = decoder.decode([sentence], DecodeOptions(max_words=4, kbest=3, derivations=True))[0]
    assert "1 sentence with more than 4 words was decoded in windows" in caplog.text
    assert found[0].text == "b b , b b b b"
    assert [one.score for one in found] == [5.0, 4.5, 4.5]
    assert all(one.derivation.words() == (tuple(sentence.split()), one.words) for one in found)
    whole = decoder.decode([sentence], DecodeOptions(kbest=3))[0]
    assert [one.score for one in whole] == [one.score for one in found]
    assert len(decoder.decode([sentence], DecodeOptions(max_words=4, kbest=1000))[0]) == 3**6


def test_a_sentence_without_derivation_has_no_candidates():
    grammar = Grammar.from_rules([Rule.parse("[X] ||| a ||| b")])
    decoder = Decoder(grammar, {"PassThrough": -1.0})
    assert decoder.decode(["a c"], DecodeOptions(**NOTHING)) == [()]
    assert decoder.decode(["a c"], DecodeOptions(**UNKNOWN))[0][0].text == "b c"
    assert decoder.decode([""])[0][0].words == ()
    assert decoder.decode([]) == []


def test_mistakes_are_named():
    grammar = Grammar.from_rules([Rule.parse("[X] ||| a ||| b ||| p(e|f)=1 Kind=none")])
    with pytest.raises(DataError, match=r"no feature named 'p\(f\|e\)'.*the weights must name features of the grammar"):
        Decoder(grammar, {"p(f|e)": 1.0})
    with pytest.raises(DataError, match="no feature named 'Kind'"):
        Decoder(grammar, {"Kind": 1.0})
    with pytest.raises(OptionError, match="there is no language model"):
        Decoder(grammar, {"LanguageModel": 1.0})
    with pytest.raises(OptionError, match="language model is one of stems"):
        Decoder(grammar, {}, pg.train_lm(["a b"] * 3, order=2, stem=True, smoothing="katz"))
    with pytest.raises(DataError, match="sentence 2 needs more than 1 MB; raise --megabytes"):
        Decoder(grammar, {"PassThrough": 1.0}).decode(
            ["a", "a " * 600], DecodeOptions(megabytes=1, max_words=1000, max_span=None)
        )
    many = Grammar.from_rules([Rule.parse(f"[X] ||| a ||| b{k} ||| f{k}=1") for k in range(300)])
    with pytest.raises(DataError, match="300 or more different features"):
        Decoder(many, {"f1": 1.0})
    for wrong in ({"beam": 0}, {"kbest": 0}, {"pass_through": "some"}, {"max_span": 0}):
        with pytest.raises(OptionError):
            DecodeOptions(**wrong)


def test_a_model_of_lower_case_scores_words_as_it_would_itself():
    model = pg.train_lm(
        ["the house is big", "a house"] * 3, order=2, smoothing="katz", lowercase=True, tokenizer="none"
    )
    grammar = Grammar.from_rules([Rule.parse("[X] ||| home ||| House")])
    found = Decoder(grammar, {"LanguageModel": 1.0, "PassThrough": -9.0}, model).decode(["The home is Big"])[0][0]
    assert found.text == "The House is Big"
    assert found.features[0] == pytest.approx(np.log(10) * model.score("The House is Big"))


def test_weights_are_read_and_written(tmp_path):
    weights = Weights({"LanguageModel": 1.25, "p(e|f)": -0.1})
    weights.write(tmp_path / "weights.gz")
    assert Weights.read(tmp_path / "weights.gz") == weights
    path = tmp_path / "weights"
    path.write_bytes(b"# tuned\r\nLanguageModel 1\r\n\r\nGlue -2e-1\r\n")
    assert dict(Weights.read(path)) == {"LanguageModel": 1.0, "Glue": -0.2}
    for text, message in [
        ("LanguageModel", "expected a feature and its weight"), ("Glue nan", "expected a feature"),
        ("Glue 1\nGlue 2", "occurs twice"), ("# nothing\n", "has no weights"),
    ]:  # fmt: skip
        path.write_text(text)
        with pytest.raises(DataError, match=message):
            Weights.read(path)
    with pytest.raises(OptionError, match="must be one word"):
        Weights({"a b": 1.0})


def test_features_that_appear_late_are_kept(tmp_path):
    rules = [Rule.parse(f"[X] ||| a{k} ||| b ||| first={k}") for k in range(3)]
    rules += [Rule.parse("[X] ||| late ||| b ||| second=7 first=1"), Rule.parse("[X] ||| plain ||| b ||| 0.5 0.25")]
    batches = [Grammar.from_rules([rule]) for rule in rules]

    def again(wanted):
        return itertools.chain.from_iterable(one.batches(wanted) for one in batches)

    grammar = Grammar(again, batches[0].columns)
    saved = grammar.save(tmp_path / "late.grammar")
    for features in (grammar.rule_features, saved.rule_features):
        assert features.names == ("first", "second", "0", "1")
        assert features.values.tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [1, 7, 0, 0], [0, 0, 0.5, 0.25]]
    texts = [saved.index.rule(number)[1] for number in range(5)]
    assert [str(rules[row].source_text) for row in saved.rule_features.rows] == texts
    assert Decoder(saved, {"second": 1.0}).decode(["late"])[0][0].score == 7.0


def test_features_are_added_from_tables(tmp_path):
    grammar = Grammar.from_rules(
        [Rule.parse("[NP] ||| a [X,1] ||| b [X,1] ||| f=1"), Rule.parse("[X] ||| c ||| d ||| f=2")]
    )
    table = tmp_path / "table.tsv"
    table.write_bytes(b"source\ttarget\tJudged\tTaste\r\na [X,1]\tb [X,1]\t4\t-1\r\nz\tz\t1\t1\r\n")
    made, found = add_features(grammar, table, output=tmp_path / "made.grammar")
    assert found == 1
    assert made.rule_features.names == ("Judged", "Taste", "f")
    assert made.rule_features.values.tolist() == [[4, -1, 1], [0, 0, 2]]
    assert Decoder(made, {"Judged": 1.0, "f": 1.0}).decode(["a c"])[0][0].score == 7.0
    assert [rule.features for rule in made] == [{"f": 1, "Judged": 4, "Taste": -1}, {"f": 2, "Judged": 0, "Taste": 0}]
    again = add_features(made, _table(tmp_path, "lhs\tsource\ttarget\tMore\nX\tc\td\t3"))[0]
    assert again.rule_features.values[:, 2].tolist() == [0, 3]
    for text, message in [
        ("source\ttarget\nc\td", "at least one feature"), ("source\ttarget\tf\nc\td\t1", "has the feature 'f' already"),
        ("source\ttarget\tg\nc\td\tx", "not a number"), ("source\ttarget\tg\nc\td", "expected 3 cells"),
        ("source\ttarget\tg\nc\td\t1\nc\td\t2", "occurs twice"), ("source\ttarget\tg\nq\tq\t1", "none of its 1 rules"),
        ("source\ttarget\tg g\nc\td\t1", "must be one word"),
    ]:  # fmt: skip
        with pytest.raises(DataError, match=message):
            add_features(grammar, _table(tmp_path, text))


def _table(folder, text):
    path = folder / "other.tsv"
    path.write_text(text)
    return path


def test_a_folder_of_an_earlier_version_decodes_alike(tmp_path):
    grammar = Grammar.from_rules([Rule.parse("[X] ||| a ||| b ||| f=1"), Rule.parse("[X] ||| a ||| c ||| f=2")])
    saved = grammar.save(tmp_path / "new.grammar")
    with write_resource(
        tmp_path / "old.grammar", "grammar", format=1, options={"columns": list(saved.columns)}
    ) as folder:
        for file in (tmp_path / "new.grammar").iterdir():
            if file.name not in ("manifest.json", "features.npy", "rules.row.npy"):
                (folder / file.name).write_bytes(file.read_bytes())
    old = Grammar.open(tmp_path / "old.grammar")
    assert Decoder(old, {"f": 1.0}).decode(["a a"]) == Decoder(saved, {"f": 1.0}).decode(["a a"])
    matrix = tmp_path / "new.grammar" / "features.npy"
    matrix.write_bytes(matrix.read_bytes()[:-4])
    with pytest.raises(DataError):
        Grammar.open(tmp_path / "new.grammar")
