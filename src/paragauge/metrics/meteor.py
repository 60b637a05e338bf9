"""METEOR (Banerjee & Lavie, 2005; Lavie & Agarwal, 2007; Denkowski & Lavie, 2014): linked words in few chunks.

Words of candidate and reference are linked one to one: equal words, then equal stems, then synonyms, then (in version
1.5) paraphrases. If m is the number of linked words, P = m / candidate length and R = m / reference length:

    F = P R / (alpha P + (1 - alpha) R)        score = (1 - gamma (chunks / m) ^ beta) F

Chunks are runs of links that are adjacent in both sentences. In P and R, version 1.5 weights links by their stage,
content words by delta and function words by 1 - delta; it lets the stages compete, prefers few chunks to few
crossings, and does not penalise a candidate that is linked to its reference in one chunk. Of several references, the
one with the best score counts. The score of a corpus is computed from the sums over its best pairs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.matching.words import STAGES, LinkRules, WordBook, WordLinks, link_words
from paragauge.metrics.base import (
    Measurement,
    Need,
    SentenceMetric,
    check_choice,
    check_lengths,
    check_number,
)
from paragauge.metrics.explanation import (
    Detail,
    Drawing,
    DrawnLink,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Step,
    best_label,
    calculation,
    counted,
    joined,
    number,
    original_of,
    percent,
    quoted,
    spelled,
)
from paragauge.metrics.f_score import f_score
from paragauge.metrics.words_aligned import word_aligner
from paragauge.phrases.opening import open_paraphrases
from paragauge.resource import DEFAULT
from paragauge.text import TextPipeline
from paragauge.text.normalize import get_stemmer

if TYPE_CHECKING:
    from paragauge.analysis.lexicon import Lexicon
    from paragauge.phrases.paraphrases import ParaphraseTable

_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")

_STAGE_NAMES = {
    "exact": "the same word",
    "stem": "a form of the same word",
    "synonym": "synonyms",
    "paraphrase": "paraphrases",
}
_LEGEND: dict[Mark, str] = {
    "match": "the same word",
    "partial": "linked by stem, synonym or paraphrase; equal numbers belong together",
    "none": "not linked",
}

Preset = Literal["2005", "2007", "1.5"]

# Words that make up more than two thousandths of written English, punctuation included, counted in the first 20,000
# lines each of WikiText-2 and WikiSplit (934,278 lower-case Penn tokens). METEOR 1.5 has its own list, made by such a
# rule from other texts; this is not a copy of it. Lists from other texts and with other limits agreed less with people
# on newstest2015 and newstest2017.
_FUNCTION_WORDS = """
the , . of and in to a was is on as '' for by with ( ) 's he that `` at his from it - an were which had ; are but be
first has
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True)
class _Parameters:
    alpha: float
    beta: float
    gamma: float
    delta: float = 0.5  # content and function words have equal weight
    weights: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)  # by stage: exact, stem, synonym, paraphrase
    stemmer: Literal["porter", "english"] = "porter"
    joint: bool = False
    hyphens: bool = False  # whether words are split at hyphens
    table: str | None = None  # of paraphrases


PRESETS: Mapping[str, _Parameters] = {
    "2005": _Parameters(0.9, 3.0, 0.5),
    "2007": _Parameters(0.81, 0.83, 0.28),
    "1.5": _Parameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6), "english", True, True, DEFAULT),
}


@dataclass(frozen=True, kw_only=True)
class Meteor(SentenceMetric):
    """METEOR with one of three published settings."""

    preset: str = "1.5"  # the version usually meant by METEOR today
    alpha: float | None = None  # these four come from the preset; a number here overrides it
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    stem: bool = True
    synonyms: bool = True
    paraphrases: str | bool | None = None  # a table's folder, 'default' or no; by preset: 1.5 has the table that ships
    aligner: bool = False  # beyond the papers: what the English aligner links may be linked as paraphrases are
    tokenizer: str = "penn"
    lowercase: bool = True
    punctuation: bool = True
    max_length: int = 2000  # words per text; comparing all words with all others takes too long beyond this

    name: ClassVar[str] = "meteor"
    summary: ClassVar[str] = "linked words, stems and synonyms, penalised for word order"
    citation: ClassVar[str] = "Banerjee & Lavie (2005); Lavie & Agarwal (2007); Denkowski & Lavie (2014)"
    scale: ClassVar[str] = "0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    resource_keys: ClassVar[tuple[str, ...]] = ("lexicon", "table", "aligner")
    language: ClassVar[str | None] = "English"

    def __post_init__(self) -> None:
        if isinstance(self.preset, (int, float)) and not isinstance(self.preset, bool):
            object.__setattr__(self, "preset", str(self.preset))  # 1.5 is a number on the command line
        check_choice(self.name, "preset", self.preset, tuple(PRESETS))
        for option, high in (("alpha", 1.0), ("beta", 100.0), ("gamma", 1.0), ("delta", 1.0)):
            if getattr(self, option) is not None:
                check_number(self.name, option, getattr(self, option), low=0, high=high)
        for option in ("stem", "synonyms", "aligner", "lowercase", "punctuation"):
            check_choice(self.name, option, getattr(self, option), (True, False))
        if self.paraphrases is True:
            object.__setattr__(self, "paraphrases", DEFAULT)
        if not (self.paraphrases in (None, False) or isinstance(self.paraphrases, str)):
            raise OptionError(
                f"the option 'paraphrases' of meteor must be 'default', 'no' or a folder, got {self.paraphrases!r}"
            )
        check_number(self.name, "max_length", self.max_length, low=1, whole=True)
        _ = self.pipeline

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The pipeline that turns text into tokens."""
        return TextPipeline(tokenizer=self.tokenizer, lowercase=self.lowercase)

    @property
    def expected_language(self) -> str | None:
        uses_english = self.stem or self.synonyms or self.aligner or self.table is not None
        return self.language if uses_english else None

    @property
    def table(self) -> ParaphraseTable | None:
        """The table of paraphrases, if the metric uses one."""
        name = self.parameters.table if self.paraphrases is None else self.paraphrases
        return open_paraphrases(name) if isinstance(name, str) else None

    @cached_property
    def parameters(self) -> _Parameters:
        """The parameters of the preset, with overrides."""
        from dataclasses import replace

        given = {name: getattr(self, name) for name in ("alpha", "beta", "gamma", "delta")}
        return replace(PRESETS[self.preset], **{name: value for name, value in given.items() if value is not None})

    def check(self, segments: Segments) -> None:
        super().check(segments)
        references_only = Segments(segments.candidates, segments.references)
        check_lengths(self.name, references_only, lambda text: len(self.tokens(text)), "words", self.max_length)

    def tokens(self, text: str) -> tuple[str, ...]:
        """Return the words to compare."""
        tokens = self.pipeline(text)
        if "-" in text and self._splits_hyphens:
            tokens = split_hyphens(tokens)
        return tokens if self.punctuation else tuple(token for token in tokens if any(map(str.isalnum, token)))

    @property
    def _splits_hyphens(self) -> bool:
        return self.parameters.hyphens and self.tokenizer != "none"

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[matched and total weight of the candidate, of the reference, chunks, matched words]``."""
        candidates, references, groups = _pairs(segments)
        rows = self._rows(self.links(candidates, references))
        scores = [self.measure(row).value for row in rows.tolist()]
        best = [max(range(begin, end), key=scores.__getitem__) for begin, end in pairwise(groups)]
        chosen: NDArray[np.float64] = rows[best]
        return chosen

    def row(self, segments: Segments) -> Sequence[float]:
        candidate = self.tokens(segments.candidates[0])
        references = segments.references or ((),)
        rows = [self._row(candidate, self.tokens(reference)) for reference in references[0]]
        return rows[0] if len(rows) == 1 else max(rows, key=lambda row: self.measure(row).value)

    def _row(self, candidate: Sequence[str], reference: Sequence[str]) -> list[float]:
        """Return the statistics of one pair, from what is known of its words."""
        book = self._books[0]
        if book.is_full:
            book = self._books[0] = self._new_book()
        (own, own_total, own_words), (other, other_total, other_words), chunks = book.cover(candidate, reference)
        counted = self._counted_chunks(chunks, own_words == len(candidate) and other_words == len(reference))
        return [own, own_total, other, other_total, float(counted), (own_words + other_words) / 2]

    def _counted_chunks(self, chunks: int, complete: bool) -> int:
        # METEOR 1.5 charges nothing for the order of texts that are the same.
        return 0 if self.preset == "1.5" and complete and chunks == 1 else chunks

    @cached_property
    def _books(self) -> list[WordBook]:
        return [self._new_book()]

    def _new_book(self) -> WordBook:
        content, function = self.parameters.delta, 1 - self.parameters.delta
        return WordBook(
            self._link_rules, lambda word: function if word in FUNCTION_WORDS else content, self.parameters.weights
        )

    def links(self, candidates: Sequence[str], references: Sequence[str]) -> WordLinks:
        """Return the links between each candidate and the reference at the same index."""
        own, other = ([self.tokens(text) for text in texts] for texts in (candidates, references))
        return link_words(own, other, self._link_rules)

    @cached_property
    def _link_rules(self) -> LinkRules:
        parameters = self.parameters
        return LinkRules(
            stem=get_stemmer(parameters.stemmer) if self.stem else None,
            lexicon=_lexicon() if self.synonyms else None,
            paraphrases=self.table,
            joint=parameters.joint,
            aligner=word_aligner().align if self.aligner else None,
        )

    def _rows(self, links: WordLinks) -> NDArray[np.float64]:
        parameters = self.parameters
        content, function = parameters.delta, 1 - parameters.delta
        words = links.vocabulary
        word_weights = np.array([function if word in FUNCTION_WORDS else content for word in words], dtype=np.float64)
        flat = links.rows.reshape(-1), links.starts
        own, other = (
            _core.covered_weights(
                sentences.arrays,
                flat,
                of_reference=of_reference,
                word_weights=word_weights,
                stage_weights=self._stage_weights,
            ).reshape(-1, 3)
            for sentences, of_reference in ((links.candidates, False), (links.references, True))
        )
        chunks = links.chunks.astype(float)
        if self.preset == "1.5":
            complete = (own[:, 2] == links.candidates.lengths) & (other[:, 2] == links.references.lengths)
            chunks[complete & (chunks == 1)] = 0
        matched = (own[:, 2] + other[:, 2]) / 2
        return np.column_stack([own[:, :2], other[:, :2], chunks, matched])

    @cached_property
    def _stage_weights(self) -> NDArray[np.float64]:
        return np.array(self.parameters.weights)

    def measure(self, totals: Sequence[float]) -> Measurement:
        own, own_total, other, other_total, chunks, matched = totals
        parameters = self.parameters
        precision = own / own_total if own_total else 0.0
        recall = other / other_total if other_total else 0.0
        fragmentation = chunks / matched if matched else 0.0
        f_mean = f_score(precision, recall, parameters.alpha)
        penalty = parameters.gamma * fragmentation**parameters.beta if matched else 0.0
        components = {
            "precision": precision,
            "recall": recall,
            "f_mean": f_mean,
            "fragmentation": fragmentation,
            "penalty": penalty,
            "chunks": chunks,
            "matches": matched,
        }
        return Measurement((1 - penalty) * f_mean, components)

    def signature_items(self) -> dict[str, object]:
        parameters = self.parameters
        stages = ["exact"]
        if self.stem:
            stages.append(parameters.stemmer)
        items: dict[str, object] = {
            "preset": self.preset,
            "alpha": f"{parameters.alpha:g}",
            "beta": f"{parameters.beta:g}",
            "gamma": f"{parameters.gamma:g}",
            "delta": f"{parameters.delta:g}",
            **self.pipeline.signature_items(),
            "hyphens": "split" if self._splits_hyphens else "kept",
            "punct": "yes" if self.punctuation else "no",
        }
        if self.synonyms:
            stages.append("synonym")
            items["lexicon"] = _lexicon().digest
        table = self.table
        if table is not None:
            stages.append("paraphrase")
            items["table"] = table.digest
        if self.aligner:
            stages.append("aligner")
            items["aligner"] = word_aligner().signature
        return {**items, "stages": "+".join(stages)}

    def explain(self, segments: Segments) -> Explanation:
        score = self.score_segments(segments)[0]
        candidates, references, _ = _pairs(segments)
        links = self.links(candidates, references)
        table = self._rows(links)
        values = [self.measure(row).value for row in table.tolist()]
        best = max(range(len(values)), key=values.__getitem__)
        rows = links.rows[links.pairs == best].tolist()
        own, other = self.written(candidates[best]), self.written(references[best])
        label = best_label("reference", best, len(references))
        drawn = tuple(
            DrawnLink((i, i + i_length), (j, j + j_length), STAGES[stage], self.parameters.weights[stage])
            for i, j, i_length, j_length, stage in rows
        )
        drawing = Drawing("links", "candidate", own, label, other, drawn)
        tokens = self.tokens(candidates[best]), self.tokens(references[best])
        return Explanation(
            score,
            (
                *original_of(segments),
                _marked(label, other, [(link.right, link.kind) for link in drawn]),
                _marked("candidate", own, [(link.left, link.kind) for link in drawn]),
                self._stage_grid(drawn),
            ),
            _verdict(score.components, own, other, drawn),
            _LEGEND,
            (
                calculation(self._steps(tokens, drawn, score.components, score.value)),
                Detail("Links, drawn, and runs", (drawing, _chunk_grid(drawn, own, other))),
            ),
        )

    def written(self, text: str) -> tuple[str, ...]:
        """Return the words to compare as they are written in *text*."""
        words = zip(self.pipeline(text), self.pipeline.as_written(text), strict=True)
        pieces: list[str] = []
        for token, shown in words:
            parts = split_hyphens((token,)) if self._splits_hyphens else (token,)
            shown_parts = split_hyphens((shown,)) if len(parts) > 1 else (shown,)
            for part, piece in zip(parts, shown_parts if len(shown_parts) == len(parts) else parts, strict=True):
                if self.punctuation or any(map(str.isalnum, part)):
                    pieces.append(piece)
        return tuple(pieces)

    def _stage_grid(self, links: Sequence[DrawnLink]) -> Grid:
        rows = []
        for stage, weight in zip(STAGES, self.parameters.weights, strict=True):
            count = sum(link.kind == stage for link in links)
            if count:
                rows.append((_STAGE_NAMES[stage], count, weight))
        return Grid("stages", ("linked as", "links", "weight"), tuple(rows))

    def _steps(
        self,
        tokens: tuple[Sequence[str], Sequence[str]],
        links: Sequence[DrawnLink],
        components: Mapping[str, float],
        value: float,
    ) -> list[Step]:
        precision, recall, f_mean, fragmentation, penalty, chunks, matched = components.values()
        if not matched:
            return [Step("meteor", "0, since no word is linked", "0", 0.0)]
        alpha, beta, gamma = (number(getattr(self.parameters, name)) for name in ("alpha", "beta", "gamma"))
        p, r, f = number(precision), number(recall), number(f_mean)
        own, other = (
            self._weights(words, [(link.left if side == 0 else link.right, link.weight) for link in links])
            for side, words in enumerate(tokens)
        )
        symbols = "weights of linked words / weights of all words"
        return [
            Step("P", f"{symbols} of the candidate", own, precision),
            Step("R", f"{symbols} of the reference", other, recall),
            Step(
                "F",
                "P × R / (alpha × P + (1 - alpha) × R)",
                f"{p} × {r} / ({alpha} × {p} + (1 - {alpha}) × {r})",
                f_mean,
            ),
            Step("fragmentation", "runs / linked words", f"{number(chunks)} / {number(matched)}", fragmentation),
            Step("penalty", "gamma × fragmentation^beta", f"{gamma} × {number(fragmentation)}^{beta}", penalty),
            Step("meteor", "(1 - penalty) × F", f"(1 - {number(penalty)}) × {f}", value),
        ]

    def _weights(self, words: Sequence[str], linked: Sequence[tuple[tuple[int, int], float]]) -> str:
        """Return the matched and the total weight of a side, as a calculation: content and function words apart."""
        delta = self.parameters.delta
        stage_of = {place: weight for span, weight in linked for place in range(*span)}
        matched: dict[tuple[float, float], int] = {}
        total: dict[float, int] = {}
        for place, word in enumerate(words):
            weight = 1 - delta if word in FUNCTION_WORDS else delta
            total[weight] = total.get(weight, 0) + 1
            if place in stage_of:
                key = (weight, stage_of[place])
                matched[key] = matched.get(key, 0) + 1
        above = " + ".join(
            f"{count} × {number(weight)}" + (f" × {number(stage)}" if stage != 1 else "")
            for (weight, stage), count in sorted(matched.items(), reverse=True)
        )
        below = " + ".join(f"{count} × {number(weight)}" for weight, count in sorted(total.items(), reverse=True))
        return f"({above}) / ({below})"


def _marked(label: str, words: Sequence[str], spans: Sequence[tuple[tuple[int, int], str]]) -> MarkedText:
    """Return words as written, marked by the stage at which they are linked."""
    marked = [MarkedWord(word) for word in words]
    pair = 0
    for span, stage in spans:
        pair += stage != "exact"
        for place in range(*span):
            mark: Mark = "match" if stage == "exact" else "partial"
            marked[place] = MarkedWord(words[place], mark, 0 if stage == "exact" else pair)
    return MarkedText(label, tuple(marked))


def _chunk_grid(links: Sequence[DrawnLink], own: Sequence[str], other: Sequence[str]) -> Grid:
    """Return the runs of links that are adjacent in both sentences."""
    runs: list[list[DrawnLink]] = []
    for link in sorted(links):
        if runs and runs[-1][-1].left[1] == link.left[0] and runs[-1][-1].right[1] == link.right[0]:
            runs[-1].append(link)
        else:
            runs.append([link])
    rows = tuple(
        (" ".join(own[run[0].left[0] : run[-1].left[1]]), " ".join(other[run[0].right[0] : run[-1].right[1]]))
        for run in runs
    )
    return Grid("runs", ("candidate", "reference"), rows)


def _verdict(
    components: Mapping[str, float], own: Sequence[str], other: Sequence[str], links: Sequence[DrawnLink]
) -> str:
    if not links:
        return "No word of the candidate is linked to the reference."
    linked = sum(link.left[1] - link.left[0] for link in links)
    others = [
        f"'{joined(own[slice(*link.left)])}' = '{joined(other[slice(*link.right)])}' ({_STAGE_NAMES[link.kind]})"
        for link in links
        if link.kind != "exact"
    ]
    if linked == len(own) == len(other) and not others and components["chunks"] <= 1:
        return "The same words in the same order as the reference."
    said = f"{linked} of {counted(len(own), 'word')} {'is' if linked == 1 else 'are'} linked to the reference"
    if others:
        said += f"; {', '.join(others[:2])}" + (f" and {len(others) - 2} more" if len(others) > 2 else "")
    covered = {place for link in links for place in range(*link.right)}
    places = (place for place, word in enumerate(other) if place not in covered and any(map(str.isalnum, word)))
    missing = spelled(other, places)
    lost = f"Missing: {quoted(missing)}. " if missing else ""
    order = (
        f"The links form {counted(components['chunks'], 'run')}, which costs {percent(components['penalty'])}."
        if components["penalty"]
        else "The links form one run, so that word order costs nothing."
    )
    return f"{said}. {lost}{order}"


def split_hyphens(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the words with hyphens inside words as tokens of their own, as the normaliser of METEOR 1.5 has them.

    >>> split_hyphens(["well-known", "--", "e-mail"])
    ('well', '-', 'known', '--', 'e', '-', 'mail')
    """
    return tuple(
        part for token in tokens for part in (_HYPHEN.sub(" - ", token).split(" ") if "-" in token else [token])
    )


def _pairs(segments: Segments) -> tuple[list[str], list[str], list[int]]:
    """Return the candidate and reference of every pair, and where the pairs of each segment start."""
    groups = segments.references or ((),) * len(segments)
    candidates = [text for text, group in zip(segments.candidates, groups, strict=True) for _ in group]
    references = [text for group in groups for text in group]
    starts = [0]
    for group in groups:
        starts.append(starts[-1] + len(group))
    return candidates, references, starts


def _lexicon() -> Lexicon:
    from paragauge.analysis.lexicon import Lexicon

    return Lexicon.load()
