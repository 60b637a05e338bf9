"""Metrics say once what they cannot know about texts: their language, where words end, that there is nothing."""

import logging

import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.corpora import Segments
from paragauge.metrics import Chrf, Meteor
from paragauge.metrics.suitability import forget_warnings
from paragauge.text import get_tokenizer

FRENCH = ["Je ne sais pas où il est.", "Elle est venue avec nous.", "Nous avons mangé avec lui.", "Où est la gare ?"]
CHINESE = ["我不知道车站在哪里。", "他昨天没有和我们一起来。", "我们在这家餐厅吃过饭。"]
JAPANESE = ["駅がどこにあるか知りません。", "彼は昨日私たちと一緒に来ませんでした。"]
THAI = ["ฉันไม่รู้ว่าสถานีอยู่ที่ไหน", "เขาไม่ได้มากับเราเมื่อวานนี้"]
ENGLISH = ["I do not know where he is.", "She came with us.", "We ate with him.", "Where is the station?"]
ENGLISH_ONLY = ["pem", "pem+", "maxsim", "meteor", "paraeval"]


@pytest.fixture(autouse=True)
def _nothing_said_before():
    forget_warnings()


@pytest.fixture
def warnings(caplog):
    caplog.set_level(logging.WARNING, logger="paragauge")

    def taken() -> list[str]:
        messages = [record.getMessage() for record in caplog.records if record.name == "paragauge.metrics.suitability"]
        caplog.clear()
        return messages

    return taken


def _score(metric, texts):
    metric = pg.parse_metric(metric) if isinstance(metric, str) else metric
    others = {"originals": texts} if "originals" in metric.needs else {"references": texts}
    return metric.corpus_score(texts, **others)


@pytest.mark.parametrize("name", ENGLISH_ONLY)
def test_metrics_of_english_warn_once_of_another_language(name, warnings):
    _score(name, FRENCH)
    (message,) = warnings()
    assert message.startswith(f"{name} supports English only, and 4 of 4 segments are not in English (found French)")
    assert "chrf, bleu or ter" in message
    assert ("paragauge pem train --stemmer french" in message) == (name == "pem")
    _score(name, ENGLISH)
    assert warnings() == []


def test_what_to_use_instead_depends_on_the_script(warnings):
    _score("meteor", CHINESE)
    assert warnings()[0].endswith("(found Chinese): their scores mean little; use chrf or bleu(tokenizer=zh)")
    _score("meteor", THAI)
    assert warnings()[0].endswith("use chrf or bleu(tokenizer=char)")
    _score("pem", CHINESE)
    assert "train a model for that language (paragauge pem train), or use chrf" in warnings()[0]


def test_a_few_foreign_segments_are_no_matter(warnings):
    _score("meteor", ENGLISH * 10 + FRENCH)
    assert warnings() == []
    _score("meteor", ENGLISH * 3 + FRENCH)
    assert "4 of 16 segments" in warnings()[0]


def test_options_can_free_a_metric_from_english(warnings):
    _score(Meteor(stem=False, synonyms=False, paraphrases=False), FRENCH)
    assert warnings() == []
    _score(Meteor(stem=False, synonyms=False, paraphrases=False), CHINESE)
    assert "the tokeniser penn treats whole phrases as words" in warnings()[0]


@pytest.mark.parametrize("tokenizer", ["13a", "intl", "penn", "none"])
@pytest.mark.parametrize(
    ("texts", "names"), [(CHINESE, ["zh", "jieba", "char"]), (JAPANESE, ["char"]), (THAI, ["char"])]
)
def test_tokenisers_that_need_spaces_warn_of_text_without(tokenizer, texts, names, warnings):
    _score(pg.Bleu(tokenizer=tokenizer), texts)
    (message,) = warnings()
    assert f"{len(texts)} of {len(texts)} segments" in message
    assert f"the tokeniser {tokenizer} treats" in message
    offered = [
        part.strip(",").removeprefix("tokenizer=") for part in message.split("; use ")[1].split(" ") if part != "or"
    ]
    assert offered == names


@pytest.mark.parametrize("tokenizer", ["zh", "char"])
def test_tokenisers_for_it_do_not(tokenizer, warnings):
    assert get_tokenizer(tokenizer)
    _score(pg.Bleu(tokenizer=tokenizer), CHINESE)
    _score(pg.Bleu(tokenizer="char"), JAPANESE)
    assert warnings() == []


def test_text_that_was_cut_into_words_before_is_fine(warnings):
    _score(pg.Bleu(tokenizer="none"), ["我 不 知道 车站 在 哪里 。", "他 昨天 没有 来 。"])
    _score(Chrf(), CHINESE)
    _score("edit-dissimilarity(unit=char)", CHINESE)
    _score(pg.Bleu(), FRENCH)
    assert warnings() == []


@pytest.mark.parametrize("name", ["pem", "pem+"])
def test_empty_candidates_are_counted(name, warnings):
    metric = pg.parse_metric(name)
    metric.corpus_score(["", " ", "She came with us."], originals=ENGLISH[:3])
    assert warnings() == [f"{name}: 2 of 3 candidates are empty and score 1"]
    metric.corpus_score(["", *ENGLISH[1:]], originals=ENGLISH)
    assert warnings() == [f"{name}: 1 of 4 candidates is empty and scores 1"]


def test_a_loop_over_single_sentences_warns_once(warnings):
    metric = Meteor()
    for text in FRENCH * 3:
        metric.score(text, text)
    assert len(warnings()) == 1
    for text in CHINESE * 3:
        pg.Bleu().score(text, text)
    assert len(warnings()) == 1
    for _ in range(3):
        pg.PEM().score("", original="She came with us.")
    assert warnings() == ["pem: 1 of 1 candidate is empty and scores 1"]


def test_segment_scores_and_pairs_warn_too(warnings):
    Meteor().segment_scores(FRENCH, FRENCH)
    assert len(warnings()) == 1
    Meteor().pairwise(FRENCH, FRENCH)
    assert len(warnings()) == 1
    segments = Segments.of(FRENCH, FRENCH)
    Meteor().score_corpus(segments, Meteor().statistics(segments))  # who has the rows was warned before
    assert warnings() == []


def test_large_corpora_are_sampled(warnings):
    texts = (FRENCH * 3000)[:10001]
    pg.Bleu().corpus_score(texts, texts)
    assert warnings() == []
    from paragauge.metrics.suitability import warn_of_texts

    (message,) = warn_of_texts([Meteor()], [Segments.of(texts, texts)])
    assert "segments checked are not in English" in message
    assert len(warnings()) == 1


def _files(folder, texts):
    for name in ("a", "b", "reference"):
        (folder / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    return ["--ref", str(folder / "reference.txt"), str(folder / "a.txt"), str(folder / "b.txt")]


@pytest.mark.parametrize("extra", [[], ["--segments"]])
def test_the_command_line_says_so_in_one_line(tmp_path, capsys, extra):
    files = _files(tmp_path, FRENCH)
    command = ["score", "-m", "meteor", *files, "--format", "tsv", *extra]
    assert main(command) == 0
    loud = capsys.readouterr()
    lines = [line for line in loud.err.splitlines() if "warning" in line]
    assert len(lines) == 1
    assert lines[0].startswith("paragauge: warning: meteor supports English only, and 8 of 8 segments")
    assert main([*command, "--quiet"]) == 0
    quiet = capsys.readouterr()
    assert (quiet.out, quiet.err) == (loud.out, "")


@pytest.mark.parametrize("verb", [["compare"], ["pairwise"]])
def test_other_commands_say_so_once(verb, tmp_path, capsys):
    files = _files(tmp_path, FRENCH)
    inputs = files if verb == ["compare"] else files[2:]
    assert main([*verb, "-m", "meteor", *inputs]) == 0
    assert capsys.readouterr().err.count("supports English only") == 1
    assert main([*verb, "-m", "meteor", *inputs, "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_explaining_one_sentence_says_so(capsys):
    assert main(["explain", "-m", "meteor", "--ref", FRENCH[0], FRENCH[1]]) == 0
    assert capsys.readouterr().err.count("1 of 1 segment is not in English (found French)") == 1


def test_english_is_scored_without_a_word(tmp_path, capsys):
    assert main(["score", "-m", "meteor", "-m", "bleu", *_files(tmp_path, ENGLISH), "-o", str(tmp_path / "out")]) == 0
    assert "warning" not in capsys.readouterr().err


def _systems(folder, **texts):
    for name, lines in texts.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(folder / f"{name}.txt") for name in texts]


def test_warnings_name_systems_and_their_first_segments(tmp_path, capsys):
    reference, *systems = _systems(
        tmp_path, reference=ENGLISH, a=ENGLISH, b=[*ENGLISH[:2], *FRENCH[2:]], c=FRENCH, d=[FRENCH[0], *ENGLISH[1:]]
    )
    assert main(["score", "-m", "meteor", "--bootstrap", "0", "--ref", reference, *systems]) == 0
    err = capsys.readouterr().err
    assert (
        "7 of 16 segments are not in English (found French; b: segments 3, 4; c: all segments; d: segment 1): their "
        "scores mean little" in err
    )
    assert (
        main(
            [
                "score",
                "-m",
                "bleu",
                "--bootstrap",
                "0",
                "--ref",
                reference,
                *_systems(tmp_path, z=CHINESE + ENGLISH[3:]),
            ]
        )
        == 0
    )
    assert (
        "3 of 4 segments are in Chinese, written without spaces (z: segments 1, 2, 3), and the tokeniser 13a"
        in capsys.readouterr().err
    )


def test_many_systems_are_named_shortly(tmp_path, capsys):
    many = {f"s{number}": [*FRENCH, *ENGLISH[:number], *FRENCH[number:]] for number in range(5)}
    reference, *systems = _systems(tmp_path, reference=ENGLISH * 2, **many)
    assert main(["score", "-m", "meteor", "--bootstrap", "0", "--ref", reference, *systems]) == 0
    err = capsys.readouterr().err
    assert "s0: all segments; s1: segments 1, 2, 3, …; s2: segments 1, 2, 3, …; 2 more systems): their" in err
    assert err.count("supports English only") == 1


def test_named_segments_of_a_sample_are_the_right_ones(warnings):
    from paragauge.metrics.suitability import warn_of_texts

    texts = [ENGLISH[0]] * 8000 + [FRENCH[0]] * 4001
    names = [("a", str(number)) for number in range(1, len(texts) + 1)]
    (message,) = warn_of_texts([Meteor()], [Segments.of(texts, [ENGLISH[0]] * len(texts))], names=names)
    assert "(found French; a: segments 8002, 8005, 8008, …)" in message  # every third is looked at


@pytest.mark.parametrize("name", ["maxsim", "meteor", "paraeval", "pem"])
def test_nobody_is_warned_of_texts_that_a_metric_does_not_read(name, warnings):
    from paragauge.metrics.suitability import warn_of_texts

    metric = pg.parse_metric(name)
    unread = {"originals", "references"} - metric.needs
    for foreign in ("originals", "references"):
        texts = {"originals": ENGLISH, "references": ENGLISH, foreign: FRENCH}
        assert len(warn_of_texts([metric], [Segments.of(ENGLISH, **texts)])) == (foreign not in unread)
