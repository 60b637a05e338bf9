"""Pairs of sentences that paraphrase each other, in groups of sentences with the same meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.corpora.bitext import read_bitext_bars, read_bitext_tsv
from paragauge.corpora.lines import decode_lines, empty_file
from paragauge.corpora.tables import parse_tsv
from paragauge.errors import DataError
from paragauge.io import STANDARD_STREAM, PathLike, digest, display_name, read_bytes

_MSRP = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")
_EXPECTED = "pairs: a table with the columns source, target and optionally group, or 'source TAB target' on each line"


@dataclass(frozen=True, slots=True)
class ParaphrasePairs:
    """Pairs of sentences, and the group that each pair belongs to.

    Attributes:
        source: Sentences, with tokens separated by white space.
        target: Their paraphrases.
        groups: Name of the group of each pair; all sentences of a group have the same meaning. By default each pair is
            a separate group.

    >>> ParaphrasePairs(("a b",), ("a c",)).group_names()
    ('1',)
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    groups: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for what, values in (("target", self.target), ("groups", self.source if self.groups is None else self.groups)):
            if len(values) != len(self.source):
                raise DataError(
                    f"source has {len(self.source):,} sentences, {what} has {len(values):,}; expected equal numbers"
                )

    def __len__(self) -> int:
        return len(self.source)

    def group_names(self) -> tuple[str, ...]:
        """Return the group of each pair."""
        return self.groups if self.groups is not None else tuple(str(place) for place in range(1, len(self) + 1))

    def to_tsv(self) -> str:
        """Return the pairs as TSV with the columns group, source and target."""
        rows = zip(self.group_names(), self.source, self.target, strict=True)
        return "".join("\t".join(row) + "\n" for row in (("group", "source", "target"), *rows))

    @property
    def digest(self) -> str:
        """A digest of groups and sentences, independent of the file they came from."""
        rows = zip(self.group_names(), self.source, self.target, strict=True)
        return digest("\n".join(map("\t".join, rows)).encode("utf-8", errors="surrogatepass"))


def read_paraphrase_pairs(path: PathLike, *, encoding: str = "utf-8") -> ParaphrasePairs:
    """Return the pairs in *path*: TSV with a header, or lines of ``source TAB target`` or ``source ||| target``.

    A first line with the columns ``source`` and ``target`` is a header; the column ``group`` says which pairs belong
    together. Of Microsoft's paraphrase corpus, whose header is also known, the pairs that are paraphrases are taken.

    Raises:
        DataError: The file holds no pairs.
    """
    return parse_paraphrase_pairs(read_bytes(path), path, encoding)


def parse_paraphrase_pairs(data: bytes, path: PathLike, encoding: str = "utf-8") -> ParaphrasePairs:
    """Return the pairs in *data*, which came from *path*; see `read_paraphrase_pairs`."""
    lines = decode_lines(data, path, encoding)
    if not lines:
        raise empty_file(path, _EXPECTED)
    header = lines[0].split("\t")
    if tuple(header) == _MSRP:
        return _msrp_pairs(lines[1:], path)
    if "source" in header and "target" in header:
        table = parse_tsv(data, path, encoding)
        source, target = table.column("source") or (), table.column("target") or ()
        if not source:
            raise DataError(f"the file has only a header, expected {_EXPECTED}", path=display_name(path))
        return ParaphrasePairs(source, target, table.filled_column("group"))
    if str(path) == STANDARD_STREAM:
        raise DataError(
            f"the input has no header, expected a table with the columns source and target; {_EXPECTED}", path="<stdin>"
        )
    read = read_bitext_tsv if "\t" in lines[0] else read_bitext_bars
    bitext = read(path, encoding=encoding)
    return ParaphrasePairs(bitext.source, bitext.target)


def has_pair_columns(data: bytes, path: PathLike, encoding: str = "utf-8") -> bool:
    """Return whether the first line of *data* names the columns of a table of pairs."""
    header = next(iter(decode_lines(data, path, encoding)), "").split("\t")
    return tuple(header) == _MSRP or ("source" in header and "target" in header)


def _msrp_pairs(lines: Sequence[str], path: PathLike) -> ParaphrasePairs:
    """Return the paraphrases of Microsoft's corpus; quotation marks mean nothing in it."""
    same = []
    for number, line in enumerate(lines, start=2):
        fields = line.split("\t")
        if len(fields) != len(_MSRP) or fields[0] not in ("0", "1"):
            raise DataError(
                f"expected {len(_MSRP)} columns, the first of them 0 or 1, as the header says; found {line[:80]!r}",
                path=display_name(path),
                line=number,
            )
        if fields[0] == "1":
            same.append((fields[3].strip(), fields[4].strip()))
    if not same:
        raise DataError("no pair has the quality 1, paraphrases", path=display_name(path))
    return ParaphrasePairs(tuple(one for one, _ in same), tuple(other for _, other in same))
