"""Training against an oracle, and what must hold whatever the text."""

from __future__ import annotations

import logging
import random
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.align import Aligner, AlignerOptions, align
from paragauge.align.encode import encode, windows
from paragauge.align.options import METHODS
from paragauge.align.training import Training, with_identity_pairs
from paragauge.errors import DataError, OptionError

sys.path.insert(0, str(Path(__file__).parent))
from oracles import align as align_oracles

PLAIN = AlignerOptions(
    prefix_length=0,
    identical=0,
    leave_one_out=False,
    alpha=0,
    null_alpha=0,
    jump_smoothing=0,
    model1_iterations=4,
)
words = st.sampled_from("abcde")
sentences = st.lists(words, min_size=1, max_size=3)
bitexts = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4)


def trained(pairs, options, **kwargs):
    """A 64-bit training run, the log-likelihoods it reported, and its text."""
    texts = [encode(side, lowercase=options.lowercase) for side in zip(*pairs, strict=True)]
    training = Training(*texts, options, 1, double=True, **kwargs)
    trainer, seen = training.run()[0], training.history
    if options.agreement:
        likelihoods = [iteration.logp for iteration in seen]
    else:  # first all of one direction, then all of the other
        assert [iteration.direction for iteration in seen[:: len(seen) - 1]] == ["forward", "backward"]
        half = len(seen) // 2
        likelihoods = [one.logp + other.logp for one, other in zip(seen[:half], seen[half:], strict=True)]
    return trainer, likelihoods, texts


@settings(deadline=None, max_examples=25)
@given(bitexts, st.booleans(), st.booleans())
def test_training_equals_the_oracle(pairs, agreement, smoothed):
    options = replace(PLAIN, agreement=agreement, model1_iterations=2, hmm_iterations=3, null_probability=0.2)
    if smoothed:
        options = replace(options, alpha=0.01, null_alpha=0.1, jump_smoothing=0.5, leave_one_out=True)
    trainer, likelihoods, texts = trained(pairs, options)
    directions, expected = align_oracles.train(
        pairs,
        [False] * 2 + [True] * 3,
        agreement=agreement,
        leave_one_out=options.leave_one_out,
        alpha=options.alpha,
        null_alpha=options.null_alpha,
        null_probability=0.2,
        jump_smoothing=options.jump_smoothing,
    )
    for found, wanted in zip(likelihoods, expected, strict=True):
        assert found == pytest.approx(wanted, abs=1e-9, rel=1e-9)
    native = trainer.finish()
    for s, (source, target) in enumerate(pairs):
        ids = [text.ids[text.offsets[s] : text.offsets[s + 1]] for text in texts]
        forward, backward, *_ = native.posteriors(*ids, np.full(len(texts[0].words), -1, dtype=np.int32))
        assert forward == pytest.approx(np.array(directions[0].posteriors(source, target, True)[0]), abs=1e-9)
        assert backward == pytest.approx(np.array(directions[1].posteriors(target, source, True)[0]), abs=1e-9)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.lists(words, max_size=8), st.lists(words, max_size=8)), min_size=1, max_size=8))
def test_independent_training_never_lowers_the_likelihood(pairs):
    pairs = [*pairs, (["a"], ["b"])]
    _, likelihoods, _ = trained(pairs, replace(PLAIN, agreement=False, hmm_iterations=8))
    for model in (likelihoods[:4], likelihoods[4:]):  # Model 1 and the HMM have likelihoods of their own
        for before, after in pairwise(model):
            assert after[0] >= before[0] - 1e-7
            assert after[1] >= before[1] - 1e-7


@pytest.fixture(scope="module")
def bitext():
    """200 pairs from a toy dictionary, with words left out, doubled and moved."""
    rng = random.Random(5)
    source, target = [], []
    for _ in range(200):
        sentence = [f"w{rng.randrange(60)}" for _ in range(rng.randrange(1, 14))]
        other = [f"v{word[1:]}" for word in sentence if rng.random() > 0.1]
        if len(other) > 2 and rng.random() < 0.5:
            other[0], other[1] = other[1], other[0]
        source.append(sentence)
        target.append(other)
    source.append([])
    target.append([])
    return source, target


def test_a_toy_dictionary_is_found(bitext):
    for method in METHODS:
        right = wrong = 0
        for alignment, source, target in zip(align(*bitext, method=method), *bitext, strict=True):
            for i, j in alignment:
                same = source[i][1:] == target[j][1:]
                right, wrong = right + same, wrong + (not same)
        assert right > 1000, method
        assert wrong < (0.05 if method in ("agreement", "intersection") else 0.15) * right, method


def test_plain_em_without_smoothing_finds_links_in_single_precision(bitext):
    aligner, links = Aligner.train_and_align(*bitext, options=PLAIN)
    assert sum(map(len, links)) > 1000
    assert all(np.isfinite(s.logp).all() for s in aligner.history)


def test_threads_do_not_change_the_links(bitext):
    for method in ("agreement", "grow-diag-final-and"):
        assert align(*bitext, method=method, threads=1) == align(*bitext, method=method, threads=3)


def test_swapping_the_languages_transposes_an_agreement_alignment(bitext):
    source, target = bitext
    there, back = align(source, target), align(target, source)
    assert there == [alignment.inverted() for alignment in back]
    assert any(there)


def test_symmetrised_alignments_are_nested(bitext):
    found = {method: align(*bitext, method=method) for method in METHODS}
    for a, b in (("intersection", "grow-diag"), ("grow-diag", "union"), ("grow-diag-final", "union")):
        assert all(x.links <= y.links for x, y in zip(found[a], found[b], strict=True))


def test_posteriors_sum_to_one(bitext):
    aligner = Aligner.train(*bitext)
    for source, target in zip(*(side[:20] for side in bitext), strict=True):
        if source and target:
            forward, backward = aligner.posteriors(source, target)
            assert forward.shape == (len(target), len(source) + 1)
            assert backward.shape == (len(source), len(target) + 1)
            assert forward.sum(axis=1) == pytest.approx(np.ones(len(target)), abs=1e-5)
            assert backward.sum(axis=1) == pytest.approx(np.ones(len(source)), abs=1e-5)
    with pytest.raises(DataError, match="at least one token"):
        aligner.posteriors("", "v1")


def test_scores_are_the_products_of_the_posteriors(bitext):
    source, target = bitext
    aligner, aligned = Aligner.train_and_align(source, target, threshold=0.1)
    assert len(aligned) == len(source)
    forward, backward = aligner.posteriors(source[0], target[0])
    for (i, j), score in aligned.link_scores(0).items():
        assert score >= 0.1
        assert score == pytest.approx(forward[j, i] * backward[i, j], rel=1e-4)
    assert aligned.logp.shape == (len(source), 2)
    assert (aligned.logp[:-1] < 0).any()
    assert aligned[-1].links == frozenset()
    assert aligned[:2] == [aligned[0], aligned[1]]


def test_a_higher_threshold_keeps_fewer_links(bitext):
    low, high = (align(*bitext, threshold=t) for t in (0.1, 0.9))
    assert all(h.links <= m.links for h, m in zip(high, low, strict=True))
    assert sum(map(len, high)) < sum(map(len, low))


def test_every_sentence_pair_has_a_line_also_empty_and_long_ones(caplog):
    source = ["a b c d", "", "a", " ".join("abcd" * 20)]
    target = ["A B C D", "A", "", " ".join("ABCD" * 20)]
    options = AlignerOptions(max_length=10, lowercase=False)
    with caplog.at_level(logging.WARNING):
        aligner, aligned = Aligner.train_and_align(source, target, options=options)
    assert [record.getMessage() for record in caplog.records] == [
        "1 sentence pairs are longer than 10 tokens and are aligned in windows (see max_length)"
    ]
    assert (len(aligned), aligned.cut) == (4, 1)
    assert not aligned[1].links
    assert not aligned[2].links
    assert max(i for i, _ in aligned[3]) > 70
    assert aligner.align(source, target) == list(aligned)


def test_windows_cut_both_sides_at_the_same_proportions():
    cut = windows(np.array([0, 3, 28]), np.array([0, 2, 12]), 10)
    assert cut.cut == 1
    assert cut.first.tolist() == [0, 1, 4]
    assert cut.source_offsets.tolist() == [0, 3, 3 + 25 * 1 // 3, 3 + 25 * 2 // 3, 28]
    assert cut.target_offsets.tolist() == [0, 2, 2 + 10 * 1 // 3, 2 + 10 * 2 // 3, 12]


def test_sentences_may_be_text_or_tokens():
    source, target = ["the house", "the book"], ["la maison", "le livre"]
    tokens = [[text.split() for text in side] for side in (source, target)]
    assert align(source, target) == align(*tokens) == align(iter(source), (tuple(s.split()) for s in target))


def test_identical_words_attract_in_monolingual_mode():
    source = ["zzz said that yyy would come", "nobody knew qqq"]
    target = ["that yyy would come zzz said", "qqq was unknown"]
    links = align(source, target, monolingual=True)
    assert (0, 4) in links[0]
    assert (3, 1) in links[0]
    assert (2, 0) in links[1]


def test_shared_stems_attract():
    source, target = ["she relates stories", "dogs barked"], ["a story related", "barking dog"]
    links = align(source, target, options=AlignerOptions(monolingual=True, stems=True))
    assert {(1, 2), (2, 1)} <= links[0].links
    assert links[1].to_pharaoh() == "0-1 1-0"


def test_identity_pairs_are_appended_once_for_each_shared_word():
    source, target = encode(["a b a"], lowercase=False), encode(["b c a"], lowercase=False)
    longer = with_identity_pairs(source, target)
    assert [[text.words[n] for n in text.ids[3:]] for text in longer] == [["a", "b"], ["a", "b"]]
    assert longer[0].offsets.tolist() == longer[1].offsets.tolist() == [0, 3, 4, 5]


def test_progress_reports_every_iteration(bitext):
    reports = []
    seen = Aligner.train(*bitext, progress=lambda *report: reports.append(report)).history
    assert reports == [(s.number, s.total, str(s)) for s in seen]
    assert reports[-1][2].startswith("hmm logp -")
    assert [s.number for s in seen] == list(range(1, seen[0].total + 1))
    assert [s.model for s in seen] == ["classes: model1"] * 3 + ["classes: hmm"] * 5 + ["model1"] + ["hmm"] * 5
    assert {s.direction for s in seen} == {"both"}
    assert all(np.isfinite(s.logp).all() and len(s.logp) == 2 for s in seen)


def test_directions_trained_apart_are_reported_one_after_the_other(bitext):
    seen = Aligner.train_and_align(*bitext, method="union", options=AlignerOptions(agreement=False))[0].history
    assert [s.number for s in seen] == list(range(1, seen[0].total + 1))
    coarse, fine = ["classes: model1"] * 3 + ["classes: hmm"] * 5, ["model1"] + ["hmm"] * 5
    assert [s.model for s in seen] == coarse * 2 + fine * 2
    steps = (coarse, "forward"), (coarse, "backward"), (fine, "forward"), (fine, "backward")
    assert [s.direction for s in seen] == [direction for steps_of, direction in steps for _ in steps_of]
    assert all(np.isfinite(s.logp).all() and len(s.logp) == 1 for s in seen)


def test_the_native_trainer_refuses_steps_out_of_order(bitext):
    texts = [encode(side, lowercase=False) for side in bitext]
    for agreement, first in ((True, "both"), (False, "backward")):
        trainer = Training(*texts, AlignerOptions(agreement=agreement), 1)._trainer(*texts)
        for wrong in ({"both", "forward", "backward"} - {first}) if agreement else {"both"}:
            with pytest.raises(RuntimeError, match="at once, apart one at a time"):
                trainer.step(False, wrong)
        with pytest.raises(ValueError, match="no direction named sideways"):
            trainer.step(False, "sideways")
        trainer.step(False, first)
        if not agreement:
            with pytest.raises(RuntimeError, match="has ended"):
                trainer.step(False, "forward")
        trainer.links("agreement", 0.25)
        with pytest.raises(RuntimeError, match="has ended"):
            trainer.step(True, first)


def test_mistakes_are_explained():
    with pytest.raises(DataError, match="source has 2, target has 1 segments"):
        align(["a", "b"], ["c"])
    with pytest.raises(DataError, match="is one string, expected a sequence of sentences"):
        align("a b", ["c"])
    with pytest.raises(DataError, match="source text has no words"):
        align([""], ["a"])
    with pytest.raises(DataError, match="a token is int"):
        align([[1]], ["a"])
    with pytest.raises(OptionError, match="no alignment method named 'agrement'; did you mean 'agreement'"):
        align(["a"], ["b"], method="agrement")
    with pytest.raises(OptionError, match="threshold must be above 0"):
        align(["a"], ["b"], threshold=0)
    with pytest.raises(OptionError, match="threads must be between"):
        align(["a"], ["b"], threads=0)
    for bad in (
        {"alpha": -1},
        {"max_length": 0},
        {"null_probability": 1.0},
        {"agreement": 1},
        {"alpha": "x"},
    ):
        with pytest.raises(OptionError, match=next(iter(bad))):
            AlignerOptions(**bad)
    with pytest.raises(OptionError, match="no training iterations"):
        AlignerOptions(model1_iterations=0, hmm_iterations=0)


def test_the_package_is_also_the_function():
    import paragauge as pg
    from paragauge.align import align

    texts = ["the dog", "the man", "a man", "a dog"], ["der Hund", "der Mann", "ein Mann", "ein Hund"]
    assert pg.align(*texts) == align(*texts)
    assert pg.align.Aligner is pg.Aligner
