"""KenLM's binary files, queried through the package kenlm (extra ``kenlm``)."""

from __future__ import annotations

import os
from typing import Any

from paragauge.errors import DataError, FileError, MissingExtraError
from paragauge.io import PathLike
from paragauge.lm.model import TOKENISED, NgramModel, WordScore
from paragauge.text.vocabulary import Sentence


class KenlmModel(NgramModel[Any]):
    """A model opened by KenLM, with the same interface and the same results. Its states are KenLM's."""

    def __init__(self, path: PathLike) -> None:
        """Open the binary or ARPA file *path* with KenLM.

        Raises:
            MissingExtraError: The package kenlm is not installed.
            FileError: There is no such file.
            DataError: KenLM cannot open the file.
        """
        try:
            import kenlm
        except ImportError as error:
            raise MissingExtraError("reading a KenLM binary file", "kenlm", "kenlm") from error
        name = os.fspath(path)
        if not os.path.isfile(name):  # noqa: PTH113 - KenLM's own message for this spans several lines
            raise FileError(f"{name}: cannot read: no such file")
        try:
            config = kenlm.Config()
            config.show_progress = False
            self._model = kenlm.Model(name, config)
        except (OSError, RuntimeError) as error:
            raise DataError(f"KenLM cannot open the file ({' '.join(str(error).split())})", path=name) from error
        self._state = kenlm.State

    @property
    def order(self) -> int:
        return int(self._model.order)

    @property
    def begin(self) -> Any:
        state = self._state()
        self._model.BeginSentenceWrite(state)
        return state

    @property
    def empty(self) -> Any:
        state = self._state()
        self._model.NullContextWrite(state)
        return state

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word in self._model

    def _row(self, sentence: Sentence) -> tuple[float, int, int, float]:
        # KenLM's own loop over the words of a sentence, in the precision and the order of `advance`.
        # Plain text it splits itself, where both agree about white space.
        if isinstance(sentence, str) and self.pipeline is TOKENISED and sentence.isascii() and sentence.isprintable():
            text = sentence
        else:
            text = " ".join(self._tokens(sentence))
        total = unknown_p = 0.0
        unknown, count = 0, -1
        for log10_p, _, is_unknown in self._model.full_scores(text):
            total += log10_p
            count += 1
            if is_unknown:
                unknown += 1
                unknown_p += log10_p
        return total, count, unknown, unknown_p

    def advance(self, state: Any, word: str) -> tuple[WordScore, Any]:
        after = self._state()
        score = self._model.BaseFullScore(state, word, after)
        return WordScore(word, float(score.log_prob), int(score.ngram_length), bool(score.oov)), after
