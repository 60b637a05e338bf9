"""TER against sacreBLEU's, which searches the same way: on all kinds of small texts, and on real translations."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from paragauge.corpora import Segments
from paragauge.errors import DataError, OptionError
from paragauge.metrics import Ter
from paragauge.metrics.explanation import Drawing, Grid

# Few words, so that texts share many of them in another order; and what the tokeniser treats in its own way.
WORDS = st.sampled_from("a b c d e f g A don't U.S. 3,000 1-2 x, (y) &quot; Tom's 東京 ﾃｽﾄ。 かな İ".split())
TEXTS = st.one_of(st.lists(WORDS, max_size=12), st.lists(st.sampled_from("a b c d".split()), max_size=60)).map(" ".join)
OPTIONS = st.fixed_dictionaries(
    {name: st.booleans() for name in ("normalized", "punctuation", "asian_support", "lowercase")}
)


def theirs(normalized=False, punctuation=True, asian_support=False, lowercase=True):
    return TER(
        normalized=normalized, no_punct=not punctuation, asian_support=asian_support, case_sensitive=not lowercase
    )


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), OPTIONS)
def test_every_option_gives_sacrebleus_edits(candidate, references, options):
    ours = Ter(**options).score(candidate, [text or " " for text in references])
    expected = theirs(**options).sentence_score(candidate, [text or " " for text in references])
    if any(text.strip() for text in references):  # those without words are left out if there are others
        references = [text for text in references if text.strip()]
        expected = theirs(**options).sentence_score(candidate, references)
    assert ours.value == expected.score
    assert (ours.edits, ours.reference_length) == (expected.num_edits, expected.ref_length)
    assert ours.edits == ours.insertions + ours.deletions + ours.substitutions + ours.shifts


@given(st.text(max_size=40), st.text(min_size=1, max_size=40).filter(str.strip))
def test_any_text_gives_sacrebleus_score(candidate, reference):
    assert Ter().score(candidate, reference).value == theirs().sentence_score(candidate, [reference]).score


def test_texts_of_very_different_lengths_give_sacrebleus_score():
    rng = np.random.default_rng(7)
    for own, other in ((1, 120), (120, 1), (3, 200), (0, 60), (70, 70), (90, 60)):
        candidate, reference = (" ".join(map(str, rng.integers(0, 30, size))) for size in (own, other))
        assert Ter().score(candidate, reference).value == theirs().sentence_score(candidate, [reference]).score


@pytest.mark.data
def test_real_translations_have_sacrebleus_scores(data_folder):
    folder = data_folder / "wmt12_toen"

    def lines(path):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            return [line.rstrip("\r\n") for line in file]

    references = lines(folder / "references" / "newstest2012-ref.en.gz")
    for number, path in enumerate(sorted((folder / "system-outputs").rglob("*.gz"))):
        chosen = slice(number, None, 300)  # other segments of each system
        candidates = lines(path)[chosen]
        own, other = Ter().segment_scores(candidates, references[chosen]), theirs()
        for score, candidate, reference in zip(own, candidates, references[chosen], strict=True):
            assert score.value == other.sentence_score(candidate, [reference]).score
        assert Ter().corpus_score(candidates, references[chosen]).value == (
            theirs().corpus_score(candidates, [references[chosen]]).score
        )


def test_the_closest_reference_counts_and_lengths_are_averaged():
    score = Ter().score("a b c d", ["a b c d e f", "a b c d e"])
    assert (score.edits, score.insertions, score.reference_length) == (1, 1, 5.5)


def test_the_explanation_names_shifts_and_edits():
    explanation = Ter().explain(Segments.of(["on the mat sat the black cat ."], ["the cat sat on the mat ."]))
    score = explanation.score
    assert (score.shifts, score.deletions, score.edits) == (2, 1, 3)
    _, _, shifts, edits = explanation.parts
    drawing = explanation.details[1].parts[0]
    assert isinstance(drawing, Drawing)
    assert explanation.verdict.startswith("3 edits to get the reference of 7 words: 'on the mat' moves, 'sat' moves")
    assert isinstance(shifts, Grid)
    assert isinstance(edits, Grid)
    assert shifts.rows == (("on the mat", "cat", "."), ("sat", "cat", "on"))
    assert edits.rows == (("deleted", "black", ""),)
    linked = {drawing.left[link.left[0]]: link.kind for link in drawing.links}
    assert (linked["sat"], linked["cat"]) == ("moved", "kept")
    for link in drawing.links:  # links stand at the words of the texts as given, not as shifted
        assert drawing.left[link.left[0]] == drawing.right[link.right[0]]


@given(TEXTS, st.lists(TEXTS.filter(str.strip), min_size=1, max_size=2))
def test_the_explanation_has_as_many_edits_as_the_score(candidate, references):
    explanation = Ter().explain(Segments.of([candidate], [references]))
    shifts, edits = (part for part in explanation.parts if isinstance(part, Grid) and part.title in ("shifts", "edits"))
    assert len(shifts.rows) == explanation.score.shifts
    assert len(shifts.rows) + len(edits.rows) == explanation.score.edits


def test_long_texts_are_refused_and_bad_options_too():
    with pytest.raises(DataError, match=r"segment 1 has a text of 11 words.*limit is 10"):
        Ter(max_length=10).score("x " * 11, "a")
    with pytest.raises(OptionError, match="normalized"):
        Ter(normalized="maybe")
