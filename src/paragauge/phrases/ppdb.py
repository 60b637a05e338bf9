"""PPDB files (Ganitkevitch et al. 2013; Pavlick et al. 2015) as paraphrase tables.

A row is ``[LHS] ||| source ||| target ||| features ||| alignment ||| entailment``, gzipped or not; version 1.0 ends
with the alignment or the features. Rows with nonterminals such as ``[NP,1]`` are rules, not phrases: they are skipped
and counted. An option selects the feature to use as the score. Features such as ``p(e|f)`` hold negative natural
logarithms, and become probabilities; others, such as ``PPDB2.0Score``, are used unchanged.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterator
from typing import NoReturn

from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_lines
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.storage.engine import EngineOptions

logger = logging.getLogger(__name__)

DEFAULT_FEATURE = "p(e|f)"  # the paraphrase (target) given the phrase (source)
_LAYOUT = "'[LHS] ||| source ||| target ||| features ||| alignment ||| entailment'"
_NONTERMINAL = re.compile(r"\[[^\s\[\],]+,\d+\]")
_LOGARITHM = re.compile(r"(p|lex)\(.*\)", re.IGNORECASE)


def read_ppdb(
    path: PathLike,
    *,
    feature: str = DEFAULT_FEATURE,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
) -> ParaphraseTable:
    """Return the phrasal paraphrases of a PPDB file; for a pair with several left-hand sides, the best score is kept.

    The number of rules that were skipped is stored in ``options["skipped_rules"]`` and logged.

    Raises:
        DataError: A row is not a row of a PPDB file, or lacks the feature.
    """
    reader = _Reader(path, feature)
    table = ParaphraseTable.from_rows(reader.rows(), engine=engine)
    table.options = {"ppdb": display_name(path), "feature": feature, "skipped_rules": reader.skipped}
    if reader.skipped:
        logger.info("%s: skipped %s rows with nonterminals", display_name(path), f"{reader.skipped:,}")
    if output is not None:
        table.save(output)
    return table


class _Reader:
    def __init__(self, path: PathLike, feature: str) -> None:
        self._path = path
        self._feature = feature
        self._prefix = f"{feature}="
        self._logarithm = _LOGARITHM.fullmatch(feature) is not None
        self._line = 0
        self.skipped = 0

    def rows(self) -> Iterator[tuple[str, str, float]]:
        for line in read_lines(self._path):
            self._line += 1
            fields = [field.strip(" ") for field in line.split("|||")]
            if len(fields) < 4 or not (fields[0].startswith("[") and fields[0].endswith("]")):
                self._fail(f"not a row of a PPDB file; expected {_LAYOUT}")
            source, target = (" ".join(field.split()) for field in fields[1:3])
            if not source or not target:
                self._fail("a phrase is empty, expected words on both sides")
            if _NONTERMINAL.search(source) or _NONTERMINAL.search(target):
                self.skipped += 1
                continue
            if source != target:  # rules that leave words as they are paraphrase nothing
                yield source, target, self._score(fields[3])
        if not self._line:
            raise DataError(f"the file is empty, expected rows of {_LAYOUT}", path=display_name(self._path))

    def _score(self, features: str) -> float:
        for item in features.split():
            if item.startswith(self._prefix):
                return self._number(item[len(self._prefix) :])
        return self._no_feature(features)

    def _no_feature(self, features: str) -> NoReturn:
        names = [item.rpartition("=")[0] for item in features.split() if "=" in item]
        shown = ", ".join(sorted(names)[:40]) or "none"
        self._fail(f"there is no feature {self._feature!r}; pass --feature with one of: {shown}")

    def _number(self, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            self._fail(f"the feature {self._feature} is {text!r}, expected a number")
        if not math.isfinite(value):
            self._fail(f"the feature {self._feature} is {text}, expected a finite number")
        return math.exp(-max(value, 0.0)) if self._logarithm else value

    def _fail(self, message: str) -> NoReturn:
        raise DataError(message, path=display_name(self._path), line=self._line)
