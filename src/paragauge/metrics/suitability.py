"""Warnings about texts that do not suit a metric: another language, no spaces, empty texts.

Metrics score such texts anyway, and one warning per run says how far to trust the scores. Code that scores many
systems, blocks or settings warns once for all of them (`warn_of_texts`); a metric called directly warns itself.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from paragauge.text.language import (
    SPACELESS_SCRIPTS,
    LanguageReport,
    described_script,
    found_instead,
    letters_in_a_token,
    main_script,
)

if TYPE_CHECKING:
    from paragauge.corpora.segments import Pairs, Segments
    from paragauge.metrics.base import Need, SentenceMetric

logger = logging.getLogger(__name__)

LEAST_SHARE = 0.1  # minimum share of segments; fewer hardly change a score, and may be quotations
MOST_LOOKED_AT = 5000  # segments, evenly spaced; enough to estimate a share to a hundredth
_MOST_NAMED = 3
_MOST_TOKENISED = 50
_LONGEST_WORD = 5  # letters on average; words of Chinese, Japanese and Thai have two to four
_SPACELESS_LANGUAGES = frozenset(map(described_script, SPACELESS_SCRIPTS))
_STEMMED = frozenset(
    ("Danish", "Dutch", "Finnish", "French", "German", "Hungarian", "Italian", "Norwegian", "Portuguese", "Romanian",
     "Spanish", "Swedish", "Turkish")
)  # fmt: skip

_said: set[tuple[str, str]] = set()  # metric and concern of single-segment calls, so that loops warn once


class TextSample:
    """Texts to be scored, by segment; checks that several metrics need are made once.

    *others* are the texts beside *texts*, by the need that they meet: no metric warns of texts that it does not read.
    """

    def __init__(
        self,
        texts: Sequence[str],
        candidates: Sequence[str],
        others: Mapping[Need, Sequence[str]] | None = None,
        *,
        beginning_only: bool = False,
        names: Sequence[tuple[str, str]] = (),
    ) -> None:
        step = max(1, -(-len(texts) // MOST_LOOKED_AT))
        self._step = step
        self._texts = texts[::step]
        self._others = {need: beside[::step] for need, beside in (others or {}).items()}
        self.beginning = " checked" if beginning_only else ""
        self.looked_at = " checked" if beginning_only or step > 1 else ""
        self.candidates = candidates
        self.names = names  # of candidates, if known: system and segment
        self._reports: dict[tuple[str, frozenset[Need]], LanguageReport] = {}

    @classmethod
    def of_segments(
        cls, systems: Iterable[Segments], *, beginning_only: bool = False, names: Sequence[tuple[str, str]] = ()
    ) -> TextSample:
        """Return the texts of one or more systems: candidates, each with its first reference and its original.

        *beginning_only* means that there are more texts that are not available; *names* are the system and the segment
        of all candidates.
        """
        candidates: list[str] = []
        others: dict[Need, list[str]] = {"originals": [], "references": []}
        for segments in systems:
            candidates += segments.candidates
            others["originals"] += segments.originals or [""] * len(segments)
            others["references"] += [group[0] for group in segments.references or [("",)] * len(segments)]
        return cls(candidates, candidates, others, beginning_only=beginning_only, names=names)

    @classmethod
    def of_pairs(cls, pairs: Pairs) -> TextSample:
        """Return the texts of all pairs, each once."""
        return cls([*pairs.candidates, *pairs.others], pairs.candidates)

    def where_empty(self) -> str:
        """Return the names of the first empty candidates in brackets, if names are known."""
        if not self.names:
            return ""
        empty = [
            f"{system}, segment {segment}"
            for (system, segment), text in zip(self.names, self.candidates, strict=True)
            if not text or text.isspace()
        ]
        return f" ({'; '.join(empty[:_MOST_NAMED])}{'; …' if len(empty) > _MOST_NAMED else ''})"

    def where(self, positions: Iterable[int]) -> str:
        """Return the systems and the first segments at *positions* of the sample, if names are known."""
        if not self.names:
            return ""
        names = self.names[:: self._step]
        sizes = Counter(system for system, _ in names)
        found: dict[str, list[str]] = {}
        for position in positions:
            system, segment = names[position]
            found.setdefault(system, []).append(segment)
        parts = []
        for system, segments in list(found.items())[:_MOST_NAMED]:
            noun = "segment" if len(segments) == 1 else "segments"
            named = f"{', '.join(segments[:_MOST_NAMED])}{', …' if len(segments) > _MOST_NAMED else ''}"
            whole = len(segments) == sizes[system] and len(segments) > _MOST_NAMED
            parts.append(f"{system}: all segments{self.looked_at}" if whole else f"{system}: {noun} {named}")
        more = len(found) - _MOST_NAMED
        return "; ".join([*parts, *([f"{more} more {'system' if more == 1 else 'systems'}"] if more > 0 else [])])

    def __len__(self) -> int:
        """Return the number of segments that are looked at."""
        return len(self._texts)

    def places(self, needs: frozenset[Need]) -> Iterator[tuple[str, ...]]:
        """Yield the texts of each segment of the sample that a metric with these *needs* reads."""
        return zip(self._texts, *(texts for need, texts in self._others.items() if need in needs), strict=True)

    def report(self, language: str, needs: frozenset[Need]) -> LanguageReport:
        """Return the report on texts that are not in *language*, among those that a metric with *needs* reads."""
        if (language, needs) not in self._reports:
            self._reports[language, needs] = LanguageReport.of(self.places(needs), language)
        return self._reports[language, needs]

    def without_spaces(self, needs: frozenset[Need]) -> dict[str, dict[int, str]]:
        """Return the texts in scripts without spaces between words, by language and position."""
        found: dict[str, dict[int, str]] = {}
        for position, place in enumerate(self.places(needs)):
            for text in place:
                script = None if text.isascii() else main_script(text)
                if script in SPACELESS_SCRIPTS:
                    found.setdefault(described_script(script), {})[position] = text
                    break
        return found


def concerns(
    metric: SentenceMetric, sample: TextSample, said: Container[tuple[str, str]] = ()
) -> Iterator[tuple[str, str]]:
    """Yield warnings about the scores that *metric* gives these texts: the kind of concern and a sentence.

    Kinds in *said* are skipped.
    """
    if metric.empty_score is not None and (metric.name, "empty") not in said:
        empty = sum(not text or text.isspace() for text in sample.candidates)
        if empty:
            total = len(sample.candidates)
            noun = "candidate" if total == 1 else "candidates"
            verbs = "is empty and scores" if empty == 1 else "are empty and score"
            count = f"{empty:,} of {total:,} {noun}{sample.beginning}"
            yield "empty", f"{metric.name}: {count} {verbs} {metric.empty_score:g}{sample.where_empty()}"
    language = metric.expected_language
    if language is not None:
        if (metric.name, "language") in said:
            return
        report = sample.report(language, metric.needs)
        if report.main is not None and report.share >= LEAST_SHARE:
            advice = _advice(metric, report.main)
            found = report.sentence(sample.looked_at, sample.where(report.places))
            yield "language", f"{metric.name} supports {language} only, and {found}: their scores mean little; {advice}"
    elif (metric.name, "tokenizer") not in said:
        sentence = _tokenizer_concern(metric, sample)
        if sentence is not None:
            yield "tokenizer", sentence


def _advice(metric: SentenceMetric, found: str) -> str:
    """Return advice for texts in the language or script *found*."""
    spaceless = found in _SPACELESS_LANGUAGES
    others = f"use chrf or bleu(tokenizer={_tokenizers(found)[0]})" if spaceless else "use chrf, bleu or ter"
    if "references" not in metric.needs:
        others += " with references"
    if metric.trained_by is None:
        return others
    stemmer = f" --stemmer {found.lower()}" if found in _STEMMED else ""
    return f"train a model for that language ({metric.trained_by}{stemmer}), or {others}"


def _tokenizers(language: str) -> tuple[str, ...]:
    return ("zh", "jieba", "char") if language == "Chinese" else ("char",)


def _tokenizer_concern(metric: SentenceMetric, sample: TextSample) -> str | None:
    pipeline = metric.words_of
    if pipeline is None:
        return None
    found = sample.without_spaces(metric.needs)
    count = sum(map(len, found.values()))
    if not found or count < LEAST_SHARE * len(sample):
        return None
    language = max(found, key=lambda name: len(found[name]))
    # The text may be tokenised already, and some tokenisers can split it: the tokens show this.
    if letters_in_a_token(map(pipeline, list(found[language].values())[:_MOST_TOKENISED])) <= _LONGEST_WORD:
        return None
    *others, last = (f"tokenizer={name}" for name in _tokenizers(language) if name != pipeline.tokenizer)
    use = f"{', '.join(others)} or {last}" if others else last
    total = len(sample)
    noun, verb = ("segment", "is") if total == 1 else ("segments", "are")
    where = sample.where(sorted(position for texts in found.values() for position in texts))
    return (
        f"{metric.name}: {count:,} of {total:,} {noun}{sample.looked_at} {verb} in {language}, written without spaces"
        f"{f' ({where})' if where else ''}, and the tokeniser {pipeline.tokenizer} treats whole phrases as words; "
        f"use {use}"
    )


def warn_of_texts(
    metrics: Iterable[SentenceMetric],
    systems: Iterable[Segments],
    *,
    beginning_only: bool = False,
    names: Sequence[tuple[str, str]] = (),
) -> list[str]:
    """Warn about texts of *systems* that do not suit *metrics*, once per concern; return the warnings.

    *names* are the system and the segment of all candidates, such as ``("system-a", "5")``.
    """
    sample = TextSample.of_segments(systems, beginning_only=beginning_only, names=names)
    said: dict[str, None] = {}
    for metric in metrics:
        for kind, sentence in concerns(metric, sample):
            _said.add((metric.name, kind))
            if sentence not in said:
                said[sentence] = None
                logger.warning("%s", sentence)
    return list(said)


def warn_of_segments(metric: SentenceMetric, segments: Segments) -> None:
    """Warn about *segments* that do not suit *metric*; for single segments, once per process."""
    if not logger.isEnabledFor(logging.WARNING):
        return
    if len(segments) > 1:
        warn_of_texts([metric], [segments])
    elif _may_concern(metric, segments.candidates[0]):
        for kind, sentence in concerns(metric, TextSample.of_segments([segments]), _said):
            _said.add((metric.name, kind))
            logger.warning("%s", sentence)


def warn_of_pairs(metric: SentenceMetric, pairs: Pairs) -> None:
    """Warn about *pairs* that do not suit *metric*."""
    for _, sentence in concerns(metric, TextSample.of_pairs(pairs)):
        logger.warning("%s", sentence)


def forget_warnings() -> None:
    """Forget the warnings about single segments, so that they can be given again."""
    _said.clear()


def _may_concern(metric: SentenceMetric, candidate: str) -> bool:
    """Return whether one segment needs a closer look; fast, since it is called for every segment of a loop."""
    language = metric.expected_language
    if language is None:
        return not candidate.isascii() and (metric.name, "tokenizer") not in _said
    if metric.empty_score is not None and not candidate.strip() and (metric.name, "empty") not in _said:
        return True
    return (metric.name, "language") not in _said and found_instead(candidate, language) is not None
