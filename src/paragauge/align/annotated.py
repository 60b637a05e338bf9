"""Hand-aligned sentence pairs in groups: the gold data of ParaMetric, in every format in which they are published.

JSON    an array (or lines) of objects: source, target, sureAlign, possibleAlign, optionally group
TSV     with a header: source, target, links, optionally possible and group
TSV     without a header, as in MultiMWA: source in the second column, target in the fourth, links in the eighth
text    as in Microsoft's RTE alignments: "# sentence pair 1", a sentence, "NULL ({ / / }) word ({ 4 p1 / / }) ..."
pairs   without links, with the links in a separate Pharaoh file
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from paragauge.align.alignment import Alignment
from paragauge.align.gold import GoldAlignment, read_gold
from paragauge.corpora.bitext import read_parallel
from paragauge.corpora.jsonlines import describe, parse_jsonl
from paragauge.corpora.lines import check_standard_input_once, decode_lines, decode_text, empty_file, shown
from paragauge.corpora.pairs import ParaphrasePairs, parse_paraphrase_pairs, read_paraphrase_pairs
from paragauge.corpora.tables import parse_tsv, write_tsv
from paragauge.errors import DataError
from paragauge.io import PathLike, digest, display_name, read_bytes
from paragauge.storage.links import Link, LinkPlace, check_links, parse_line

_EXPECTED = "hand-aligned sentence pairs: JSON, TSV with the columns source, target and links, or Microsoft's text"
_BOM = "\ufeff"
_MULTIMWA_FIELDS = 8  # the last of these holds the links
_MSR_WORD = re.compile(r"(\S+) \(\{([^}]*)\}(?:\)|\s*$)")  # Microsoft's third file lacks its last bracket


@dataclass(frozen=True)
class AlignedPairs:
    """Pairs of sentences with hand-made links.

    Attributes:
        pairs: Sentences, with tokens separated by white space; a group pairs a sentence with each of several others.
        links: Sure and possible links of each pair.

    >>> pairs = ParaphrasePairs(("he left",), ("he went away",))
    >>> gold = AlignedPairs(pairs, (GoldAlignment.from_pharaoh("0-0 1-1 1-2-P"),))
    >>> gold.alignments("sure")[0].to_pharaoh(), gold.alignments("possible")[0].to_pharaoh()
    ('0-0 1-1', '0-0 1-1 1-2')
    """

    pairs: ParaphrasePairs
    links: tuple[GoldAlignment, ...]

    def __post_init__(self) -> None:
        if len(self.links) != len(self.pairs):
            raise DataError(
                f"found links of {len(self.links):,} pairs, expected {len(self.pairs):,}, one for each pair"
            )
        for number, (gold, lengths) in enumerate(zip(self.links, self.lengths(), strict=True), start=1):
            try:
                check_links(gold.possible, *lengths)
            except DataError as error:
                raise DataError(f"pair {number}: {error}") from error

    def __len__(self) -> int:
        return len(self.pairs)

    def lengths(self) -> list[tuple[int, int]]:
        """Return the numbers of words on both sides of each pair."""
        sides = zip(self.pairs.source, self.pairs.target, strict=True)
        return [(len(source.split()), len(target.split())) for source, target in sides]

    def alignments(self, links: str = "sure") -> list[Alignment]:
        """Return the links of each pair: the ``sure`` ones, or all ``possible`` ones, which include the sure ones."""
        return [gold.sure if links == "sure" else gold.possible for gold in self.links]

    @property
    def has_possible(self) -> bool:
        """Whether any link is possible without being sure."""
        return any(gold.sure != gold.possible for gold in self.links)

    @cached_property
    def digest(self) -> str:
        """A digest of sentences, groups and links, independent of the file they came from."""
        rows = zip(self.pairs.group_names(), self.pairs.source, self.pairs.target, self.links, strict=True)
        text = "\n".join("\t".join((group, *texts, gold.to_pharaoh())) for group, *texts, gold in rows)
        return digest(text.encode("utf-8", errors="surrogatepass"))

    def with_possible(self, other: AlignedPairs, *, path: PathLike | None = None) -> AlignedPairs:
        """Return these pairs with the links of *other*, which has the same sentences, as possible links.

        Some corpora come as two files: one with the sure links, one with all links. *path* is the file of *other*, for
        messages.
        """
        self.same_pairs(other, path=path)
        joined = (
            GoldAlignment.of(one.sure, Alignment(one.possible.links | two.possible.links))
            for one, two in zip(self.links, other.links, strict=True)
        )
        return AlignedPairs(self.pairs, tuple(joined))

    def same_pairs(self, other: AlignedPairs, *, path: PathLike | None = None, spelling: bool = True) -> AlignedPairs:
        """Return *other*, which must have the same sentences, or only as many words in each unless *spelling* counts.

        *path* is the file of *other*, for messages.

        Raises:
            DataError: It has not.
        """
        name = None if path is None else display_name(path)
        unlike = [
            (number, pair)
            for number, pair in enumerate(zip(_sentences(self), _sentences(other), strict=False), start=1)
            if (pair[0] != pair[1] if spelling else _word_counts(pair[0]) != _word_counts(pair[1]))
        ]
        if unlike:
            raise DataError(_described(unlike, min(len(self), len(other))), path=name)
        if len(self) != len(other):
            raise DataError(
                f"the two files have {len(self):,} and {len(other):,} pairs; expected the same pairs in both", path=name
            )
        return other


_Pair = tuple[str, str]  # source and target
_SHOWN = 3  # words before and after the first difference
_MARKS = dict.fromkeys(("``", "''", '"', "`", "'", "“", "”", "‘", "’"), '"') | {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "(", "-RSB-": ")", "-LCB-": "(", "-RCB-": ")", "[": "(", "]": ")",
}  # fmt: skip


def _described(unlike: Sequence[tuple[int, tuple[_Pair, _Pair]]], total: int) -> str:
    """Return what is wrong with pairs that are not alike in two files: where, and whether only marks differ."""
    number, (here, there) = unlike[0]
    one, other = next((one.split(), other.split()) for one, other in zip(here, there, strict=True) if one != other)
    place = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
    around = slice(max(0, place - _SHOWN), place + _SHOWN + 1)
    marks = sum(_without_marks(one) == _without_marks(other) for _, (one, other) in unlike)
    only = f", {marks:,} of them only in how quotation marks and brackets are written" if marks else ""
    return (
        f"pair {number} has different sentences in the two files, such as {' '.join(one[around])!r} and "
        f"{' '.join(other[around])!r}; {len(unlike):,} of {total:,} pairs differ{only}; expected the same words in both"
    )


def _word_counts(pair: _Pair) -> list[int]:
    return [len(text.split()) for text in pair]


def _without_marks(pair: _Pair) -> list[list[str]]:
    return [[_MARKS.get(word, word) for word in text.split()] for text in pair]


def _sentences(gold: AlignedPairs) -> Iterator[_Pair]:
    return zip(gold.pairs.source, gold.pairs.target, strict=True)


def read_aligned_pairs(
    path: PathLike,
    *,
    links: PathLike | None = None,
    possible: PathLike | None = None,
    one_based: bool = False,
    encoding: str = "utf-8",
) -> AlignedPairs:
    """Return the hand-aligned pairs in *path*, in any of the formats that the module's docstring lists.

    Args:
        path: File to read; ``-`` is standard input, and gzip is decompressed.
        links: Pharaoh file with the links of the pairs in *path*, if they are in a separate file.
        possible: Second file with the same pairs, all of whose links are possible.
        one_based: Whether positions in Pharaoh links count from 1.
        encoding: Encoding of the files.

    Raises:
        DataError: The file has none of these formats, or links point past their sentences.
    """
    check_standard_input_once([each for each in (path, links, possible) if each is not None])
    if links is not None:
        gold = _beside(read_paraphrase_pairs(path, encoding=encoding), links, one_based)
    else:
        gold = _parse(read_bytes(path), path, one_based, encoding)
    if possible is None:
        return gold
    return gold.with_possible(read_aligned_pairs(possible, one_based=one_based, encoding=encoding), path=possible)


def _beside(pairs: ParaphrasePairs, links: PathLike, one_based: bool) -> AlignedPairs:
    lengths = [(len(one.split()), len(other.split())) for one, other in zip(pairs.source, pairs.target, strict=True)]
    return AlignedPairs(pairs, tuple(read_gold(links, one_based=one_based, lengths=lengths, complete=True)))


def read_sentence_pairs(path: PathLike, *, encoding: str = "utf-8") -> ParaphrasePairs:
    """Return the sentence pairs in *path*, with or without links; see `read_aligned_pairs`."""
    data = read_bytes(path)  # once: standard input cannot be read again
    try:
        return parse_aligned_pairs(data, path, encoding).pairs
    except DataError as error:
        try:
            return parse_paraphrase_pairs(data, path, encoding)
        except DataError:
            raise error from None


def parse_aligned_pairs(data: bytes, path: PathLike, encoding: str = "utf-8") -> AlignedPairs:
    """Return the hand-aligned pairs in *data*, which came from *path*; see `read_aligned_pairs`."""
    return _parse(data, path, one_based=False, encoding=encoding)


@dataclass(frozen=True, slots=True)
class TwoAnnotators:
    """Links of two annotators for the same sentence pairs, both sure and possible.

    Attributes:
        lengths: Numbers of words on both sides of each pair.
        one: Links of the first annotator.
        other: Links of the second annotator.
    """

    lengths: list[tuple[int, int]]
    one: list[Alignment]
    other: list[Alignment]


def read_two_annotators(
    one: PathLike,
    other: PathLike,
    *,
    texts: tuple[PathLike, PathLike] | None = None,
    one_based: bool = False,
    encoding: str = "utf-8",
) -> TwoAnnotators:
    """Return the links of two annotators.

    Args:
        one: Pharaoh lines, or hand-aligned pairs in any format; see `read_aligned_pairs`.
        other: The same for the second annotator.
        texts: With Pharaoh lines, the files of source and target sentences, with tokens separated by spaces.
        one_based: Whether positions count from 1.
        encoding: Encoding of the texts.

    Raises:
        DataError: The two have different sentences. Spelling may differ, but not the number of words.
    """
    if texts is not None:
        sentences = read_parallel(*texts, encoding=encoding)
        lengths = [(len(source.split()), len(target.split())) for source, target in sentences]
        read = [list(read_gold(path, one_based=one_based, lengths=lengths)) for path in (one, other)]
        return TwoAnnotators(lengths, *([gold.possible for gold in each] for each in read))
    gold = [read_aligned_pairs(path, one_based=one_based, encoding=encoding) for path in (one, other)]
    gold[0].same_pairs(gold[1], path=other, spelling=False)
    return TwoAnnotators(gold[0].lengths(), *(each.alignments("possible") for each in gold))


def _parse(data: bytes, path: PathLike, one_based: bool, encoding: str) -> AlignedPairs:
    name = display_name(path)
    start = decode_text(data, path, encoding).lstrip(_BOM + " \t\r\n")[:1]
    if not start:
        raise empty_file(path, _EXPECTED)
    if start == "[":
        return _of_objects(_json_array(data, path, encoding), one_based)
    if start == "{":
        records = parse_jsonl(data, path, encoding)
        return _of_objects(((record.values, name, record.line) for record in records), one_based)
    lines = decode_lines(data, path, encoding)
    if start == "#":
        return _of_msr(lines, name)
    header = lines[0].split("\t")
    if "source" in header and "target" in header:
        return _of_table(data, path, one_based, encoding)
    return _of_multimwa(lines, name, one_based)


_Object = tuple[Mapping[str, Any], str, int | None]  # a pair as in JSON, and its place in the file


def _json_array(data: bytes, path: PathLike, encoding: str) -> Iterator[_Object]:
    name = display_name(path)
    try:
        values = json.loads(decode_text(data, path, encoding))
    except json.JSONDecodeError as error:
        raise DataError(f"not valid JSON ({error.msg}, column {error.colno})", path=name, line=error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise DataError(
            "the JSON cannot be used: a number is too long, or the nesting is too deep", path=name
        ) from error
    for number, value in enumerate(values, start=1):
        if not isinstance(value, dict):
            raise DataError(f"pair {number} is {describe(value)}, expected an object with source and target", path=name)
        yield value, f"{name}: pair {number}", None


def _of_objects(objects: Iterable[_Object], one_based: bool) -> AlignedPairs:
    rows = []
    for values, place, line in objects:
        texts = {}
        for key in ("source", "target", "sureAlign", "possibleAlign"):
            value = values.get(key, "" if key == "possibleAlign" else None)
            if not isinstance(value, str):
                what = "is missing" if value is None else f"is {describe(value)}"
                raise DataError(f"{key!r} {what}, expected a string", path=place, line=line)
            texts[key] = value
        parsed = [parse_line(texts[key], LinkPlace(place, line, one_based)) for key in ("sureAlign", "possibleAlign")]
        links = [*parsed[0], *((link, False) for link, _ in parsed[1])]
        group = values.get("group")
        rows.append(_row(texts["source"], texts["target"], links, None if group is None else str(group), place, line))
    return _collected(rows)


def _of_table(data: bytes, path: PathLike, one_based: bool, encoding: str) -> AlignedPairs:
    table = parse_tsv(data, path, encoding)
    sources, targets, links = (table.column(name) or () for name in ("source", "target", "links"))
    if "links" not in table.header:
        raise DataError(
            "there is no column 'links'; add it, or give the links in a separate Pharaoh file (--links)",
            path=table.path,
            line=1,
        )
    possible = table.column("possible") or ("",) * len(table.rows)
    groups: Sequence[str | None] = table.filled_column("group") or (None,) * len(table.rows)
    rows = []
    for line, source, target, sure, more, group in zip(
        table.lines, sources, targets, links, possible, groups, strict=True
    ):
        place = LinkPlace(table.path, line, one_based)
        parsed = parse_line(sure, place)
        parsed += [(link, False) for link, _ in parse_line(more, place)]
        rows.append(_row(source, target, parsed, group, table.path, line))
    return _collected(rows)


def _of_multimwa(lines: Sequence[str], name: str, one_based: bool) -> AlignedPairs:
    rows = []
    for number, line in enumerate(lines, start=1):
        fields = line.split("\t")
        if len(fields) < _MULTIMWA_FIELDS:
            found = f"found {len(fields)} field{'s' * (len(fields) > 1)} in {shown(line)}"
            raise DataError(f"{found}, expected {_EXPECTED}{_hint(line)}", path=name, line=number)
        links = parse_line(fields[7], LinkPlace(name, number, one_based))
        rows.append(_row(fields[1], fields[3], links, None, name, number))
    return _collected(rows)


def _hint(line: str) -> str:
    """Return advice for a file that has links without sentences, or sentences without links."""
    try:
        parse_line(line)
    except DataError:
        return "; if the links are in a separate file, pass it with --links"
    return "; these are links without their sentences: also give the file of the sentence pairs"


def _of_msr(lines: Sequence[str], name: str) -> AlignedPairs:
    """Parse three lines per pair; the third lists, after each of its words, positions in the second, from 1."""

    def fail(message: str, number: int) -> NoReturn:
        raise DataError(message, path=name, line=number)

    rows = []
    for place in range(0, len(lines), 3):
        block = [line.lstrip(_BOM) for line in lines[place : place + 3]]
        if not block[0].startswith("#"):
            fail(f"found {shown(block[0])}, expected '# sentence pair N' before every pair", place + 1)
        if len(block) < 3:
            fail(
                "the file ends within a pair, expected three lines for each pair; the copy may be incomplete", place + 1
            )
        words: list[str] = []
        links: list[tuple[Link, bool]] = []
        if _MSR_WORD.sub("", block[2]).strip(" " + _BOM):
            fail(f"found {shown(block[2])}, expected 'NULL ({{ / / }}) word ({{ 4 p1 / / }}) ...'", place + 3)
        for number, match in enumerate(_MSR_WORD.finditer(block[2])):
            if number == 0:
                continue  # NULL: words without a counterpart
            words.append(match[1].lstrip(_BOM))
            for position in match[2].replace("/", " ").split():
                digits = position.removeprefix("p")
                if not digits.isdecimal() or not int(digits):
                    fail(f"{position!r} is not a position; expected a number from 1, or p and a number", place + 3)
                links.append(((int(digits) - 1, number - 1), digits == position))
        rows.append(_row(block[1].strip(), " ".join(words), links, None, name, place + 3))
    return _collected(rows)


_Row = tuple[str, str, GoldAlignment, str | None]


def _row(
    source: str, target: str, links: Sequence[tuple[Link, bool]], group: str | None, path: str, line: int | None
) -> _Row:
    check_links((link for link, _ in links), len(source.split()), len(target.split()), LinkPlace(path, line))
    sure = Alignment.of(link for link, is_sure in links if is_sure)
    return source, target, GoldAlignment.of(sure, Alignment.of(link for link, _ in links)), group


def _collected(rows: Iterable[_Row]) -> AlignedPairs:
    found = list(rows)
    if not found:
        raise DataError(f"there are no pairs, expected {_EXPECTED}")
    groups = [group for *_, group in found]
    named = None
    if any(group is not None for group in groups):
        # A pair without a group is a separate group.
        named = tuple(group if group is not None else f"pair {number}" for number, group in enumerate(groups, start=1))
    pairs = ParaphrasePairs(tuple(row[0] for row in found), tuple(row[1] for row in found), named)
    return AlignedPairs(pairs, tuple(row[2] for row in found))


def write_aligned_pairs(path: PathLike, gold: AlignedPairs) -> None:
    """Write hand-aligned pairs as TSV with the columns group, source, target and links, possible links as ``1p2``."""
    lines = (links.to_pharaoh(short=True) for links in gold.links)
    pairs = gold.pairs
    write_tsv(
        path,
        ("group", "source", "target", "links"),
        zip(pairs.group_names(), pairs.source, pairs.target, lines, strict=True),
    )
