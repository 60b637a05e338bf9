"""What an annotator made, as files: Pharaoh lines, and the table of pairs and links that ParaMetric reads as gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.align.gold import GoldAlignment
from paragauge.corpora.bitext import Bitext, write_parallel
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.corpora.tables import write_tsv
from paragauge.errors import DataError, unknown_name
from paragauge.io import PathLike, write_lines
from paragauge.web.annotation_store import AnnotationStore

COLUMNS = ("group", "source", "target", "links")


@dataclass(frozen=True, slots=True)
class Annotations:
    """The links of one annotator.

    Attributes:
        pairs: Sentence pairs.
        links: The links of each.
        unfinished: How many of them the annotator has not finished.
    """

    pairs: ParaphrasePairs
    links: Sequence[GoldAlignment]
    unfinished: int


def annotations_by(store: AnnotationStore, annotator: str | None = None, *, finished_only: bool = False) -> Annotations:
    """Return the links of *annotator*, who need not be named if there is only one.

    Raises:
        DataError: Nobody has annotated anything, or several have and none is named; or nothing is finished.
        OptionError: There is no such annotator.
    """
    names = store.annotators()
    if not names:
        raise DataError("nobody has changed or finished anything yet", path=str(store.path))
    if annotator is None and len(names) > 1:
        raise DataError(f"there are several annotators ({', '.join(names)}); choose one with --annotator")
    name = names[0] if annotator is None else annotator
    if name not in names:
        raise unknown_name("annotator", name, names)
    states = store.states(name)
    chosen = [place for place, state in enumerate(states) if state.done or not finished_only]
    if not chosen:
        raise DataError(f"{name} has not finished any of {len(states):,} pairs", path=str(store.path))
    groups = store.pairs.group_names()
    return Annotations(
        ParaphrasePairs(
            tuple(store.pairs.source[place] for place in chosen),
            tuple(store.pairs.target[place] for place in chosen),
            tuple(groups[place] for place in chosen),
        ),
        [states[place].gold() for place in chosen],
        sum(not states[place].done for place in chosen),
    )


def write_links(found: Annotations, path: PathLike, texts: tuple[PathLike, PathLike] | None = None) -> None:
    """Write one Pharaoh line for each pair, possible links as ``1p2``, and the sentences to two more files if asked."""
    if texts is not None:
        write_parallel(Bitext(found.pairs.source, found.pairs.target), *texts)
    write_lines(path, (links.to_pharaoh(short=True) for links in found.links))


def write_gold_table(found: Annotations, path: PathLike) -> None:
    """Write a table with the columns group, source, target and links, as ParaMetric reads its gold."""
    lines = (links.to_pharaoh(short=True) for links in found.links)
    write_tsv(path, COLUMNS, zip(found.pairs.group_names(), found.pairs.source, found.pairs.target, lines, strict=True))
