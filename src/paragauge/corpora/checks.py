"""Checks of a test set before it is scored: lines that a system, a tool or a slip of the hand has spoiled.

A check finds segments; people decide. Nothing is repaired or left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from paragauge.corpora.testset import TestSet
from paragauge.text.language import described_script, main_script

Check: TypeAlias = Callable[[int, str], bool]  # of the place of a text and the text

# What chat models write before or instead of their answer.
_CHAT = re.compile(
    r"\W*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[!,.:]?\s+(?:thing\b[!,.]?\s+)?"
    r"(?:here|i can|i'll|i’ll|let me)\b"
    r"|here(?:'s|’s|\s+is|\s+are)\s+(?:a|an|the|your|my|one|some)\b[^.!?]{0,60}"
    r"(?:paraphras|translat|rewrit|rewrote|rephras|reword|version|sentence)"
    r"|(?:paraphrased?|translated|translation|rewritten|rephrased)(?:\s+(?:sentence|version|text))?\s*:"
    r"|as an? (?:ai|artificial intelligence|language model|assistant)\b"
    r"|i(?:'m|’m|\s+am)\s+sorry,?\s+(?:but\s+)?i\s+(?:can(?:no|')t|cannot|can’t)\b)",
    re.IGNORECASE,
)
# UTF-8 read as Latin-1 or Windows-1252, the mark of a wrong decoder, and a byte-order mark inside the text.
_MOJIBAKE = re.compile("[ÂÃ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|�|ï»¿|\ufeff")
_ENTITY = re.compile(r"&(?:[a-z]{2,6}|#\d{2,5}|#x[\da-f]{2,5});", re.IGNORECASE)
_LONGEST_RATIO = 3.0  # lengths of a candidate and its reference or original; translations and paraphrases stay below 2
_FEWEST_LETTERS = 20  # difference in length that counts
_MOST_SYSTEMS = 3  # named in the summary of one kind
_MOST_READ = 500  # segments that decide whether originals and references are in one language
_LEAST_SHARED = 0.15  # share of words that a sentence and its paraphrase have in common
_FEWEST_WORDS = 4  # shorter sentences may well occur twice


@dataclass(frozen=True, slots=True)
class Finding:
    """Segments of a system that look wrong in the same way.

    Attributes:
        check: Name of the check, such as ``empty``.
        said: What is wrong, as in "repeats the original".
        system: Name of the system; empty if the references are meant.
        segments: Names of the segments.
        texts: Their texts.
        everywhere: Whether all segments of the system are meant: such a system was probably made so.
    """

    check: str
    said: str
    system: str
    segments: tuple[str, ...]
    texts: tuple[str, ...]
    everywhere: bool = False

    def places(self) -> str:
        """Return the first segments by name, and how many there are."""
        named = ", ".join(self.segments[:3])
        if len(self.segments) > 3:
            return f"{len(self.segments):,} segments ({named}, …)"
        return f"{'segment' if len(self.segments) == 1 else 'segments'} {named}"

    def __str__(self) -> str:
        return f"{self.said} in {self.places()}"


def check_testset(testset: TestSet) -> tuple[Finding, ...]:
    """Return what looks wrong in *testset*, by system.

    >>> testset = TestSet(ids=["1", "2"], originals=["He left.", "It rained."], candidates={"a": ["", "Rain fell."]})
    >>> [str(finding) for finding in check_testset(testset)]
    ['empty in segment 1']
    """
    compared = _compared(testset)
    script = _common_script(compared)
    found = []
    for system, texts in testset.candidates.items():
        filled = [place for place, text in enumerate(texts) if text.strip()]
        empty = sorted(set(range(len(texts))) - set(filled))
        suspicious = {"empty": ("empty", empty)}
        for check, (said, wrong) in _checks(testset, compared, script).items():
            suspicious[check] = said, [place for place in filled if wrong(place, texts[place])]
        suspicious["duplicate"] = "repeats another segment", _repeated(texts, compared)
        for check, (said, places) in suspicious.items():
            if places:
                found.append(_finding(testset, check, said, system, places, texts))
    return tuple(each for each in found if not _is_shared_repeat(each, found, len(testset.candidates)))


def _is_shared_repeat(finding: Finding, found: Sequence[Finding], systems: int) -> bool:
    """Return whether all of several systems repeat the same segments: then their sources probably are the same."""
    alike = [each for each in found if each.check == "duplicate" and set(finding.segments) <= set(each.segments)]
    return finding.check == "duplicate" and systems > 1 and len(alike) == systems


def _checks(testset: TestSet, compared: Sequence[str], script: str | None) -> dict[str, tuple[str, Check]]:
    """Return the checks of single texts that are not empty, by name: what they say and how they look."""
    originals = testset.originals
    checks: dict[str, tuple[str, Check]] = {}
    if originals is not None:
        alike = [_plain(text) for text in originals]
        copied = ("untranslated", "untranslated") if _is_translated(testset) else ("copy", "repeats the original")
        checks[copied[0]] = copied[1], lambda place, text: _plain(text) == alike[place]
    checks["chat"] = (
        "begins like a chat reply",
        lambda place, text: _CHAT.match(text) is not None and _CHAT.match(compared[place]) is None,
    )
    checks["mojibake"] = "wrongly decoded (mojibake)", lambda _, text: _is_garbled(text)
    checks["markup"] = (
        "contains HTML entities",
        lambda place, text: (
            "&" in text and _ENTITY.search(text) is not None and _ENTITY.search(compared[place]) is None
        ),
    )
    if script is not None:
        checks["script"] = (
            f"not in {described_script(script)}",
            lambda place, text: (main_script(text) or script) != script and main_script(compared[place]) == script,
        )
    if compared:
        checks["length"] = (
            f"over {_LONGEST_RATIO:g} times longer or shorter than expected",
            lambda place, text: _is_outlier(text, compared[place]),
        )
    return checks


def _is_translated(testset: TestSet) -> bool:
    """Return whether originals and references seem to be in different languages: they share few words."""
    if testset.originals is None or not testset.references:
        return False
    if testset.source_language is not None and testset.target_language is not None:
        return testset.source_language != testset.target_language
    shared = total = 0
    for original, reference in zip(testset.originals[:_MOST_READ], _compared(testset), strict=False):
        words = set(_plain(original).split())
        shared += len(words & set(_plain(reference).split()))
        total += len(words)
    return shared < _LEAST_SHARED * total


def _is_garbled(text: str) -> bool:
    return not text.isascii() and _MOJIBAKE.search(text) is not None


def _compared(testset: TestSet) -> Sequence[str]:
    """Return the first reference that each segment has, or its original."""
    if testset.references:
        columns = list(testset.references.values())
        return [next((text for text in group if text.strip()), "") for group in zip(*columns, strict=True)]
    return testset.originals if testset.originals is not None else [""] * len(testset)


def _common_script(texts: Sequence[str]) -> str | None:
    """Return the script of nearly all *texts*, if there is one."""
    scripts = Counter(script for text in texts if (script := main_script(text)) is not None)
    if not scripts:
        return None
    script, count = scripts.most_common(1)[0]
    return script if count >= 0.9 * scripts.total() else None


def _is_outlier(text: str, other: str) -> bool:
    long, short = max(len(text), len(other)), min(len(text), len(other))
    return bool(other.strip()) and long - short >= _FEWEST_LETTERS and long > _LONGEST_RATIO * short


def _repeated(texts: Sequence[str], compared: Sequence[str]) -> list[int]:
    """Return the places of texts that occur earlier, with another reference or original."""
    first: dict[str, int] = {}
    places = []
    for place, text in enumerate(texts):
        plain = _plain(text)
        earlier = first.setdefault(plain, place)
        if earlier != place and len(plain.split()) >= _FEWEST_WORDS and compared[earlier] != compared[place]:
            places.append(place)
    return places


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _finding(
    testset: TestSet, check: str, said: str, system: str, places: Sequence[int], texts: Sequence[str]
) -> Finding:
    names = tuple(testset.ids[place] for place in places)
    return Finding(check, said, system, names, tuple(texts[place] for place in places), len(places) == len(testset))


def summarise(findings: Sequence[Finding]) -> str | None:
    """Return one sentence on all *findings*, by kind; ``None`` if there is nothing to say.

    Systems that repeat the original everywhere are left out: they are baselines, made on purpose.
    """
    by_kind: dict[str, list[Finding]] = {}
    for each in findings:
        if not (each.everywhere and each.check in ("copy", "untranslated")):
            by_kind.setdefault(each.said, []).append(each)
    if not by_kind:
        return None
    parts = []
    for said, found in by_kind.items():
        most_first = sorted(found, key=lambda each: -len(each.segments))
        named = [f"{each.system} in {each.places()}" for each in most_first[:_MOST_SYSTEMS]]
        others = sum(len(each.segments) for each in most_first[_MOST_SYSTEMS:])
        rest = [f"{others:,} in {len(found) - _MOST_SYSTEMS} more systems"] if others else []
        parts.append(f"{said}: {', '.join([*named, *rest])}")
    return f"suspicious texts: {'; '.join(parts)}"
