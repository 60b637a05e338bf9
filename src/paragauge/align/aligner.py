"""Word alignment of parallel text: train, align, save, load.

Two directed models, each IBM Model 1 followed by an HMM with a null word, are trained by EM, either jointly by
agreement (Liang, Taskar and Klein, 2006) or separately; links are those on which both models agree, or the
symmetrisation of the two best directed alignments. See docs/align.md for the formulas and the measurements.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from paragauge.align.aligned import AlignedText, join_windows
from paragauge.align.alignment import Alignment
from paragauge.align.encode import EncodedText, by_frequency, check_parallel, encode, twins, windows
from paragauge.align.options import (
    AGREEMENT,
    DEFAULT_THRESHOLD,
    AlignerOptions,
    check_method,
    check_threshold,
)
from paragauge.align.training import Iteration, Training
from paragauge.errors import DataError
from paragauge.io import PathLike
from paragauge.progress import Progress
from paragauge.text.vocabulary import Sentence
from paragauge.threads import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge import _core

logger = logging.getLogger(__name__)


class Aligner:
    """A trained word aligner.

    >>> english = ["the house", "the book", "a book", "the house is small"]
    >>> french = ["la maison", "le livre", "un livre", "la maison est petite"]
    >>> aligner = Aligner.train(english, french)
    >>> [alignment.to_pharaoh() for alignment in aligner.align(["the small house"], ["la petite maison"])]
    ['0-0 1-1 2-2']

    Attributes:
        options: Options of the training.
        source_words: Known words on the source side.
        target_words: Known words on the target side.
        history: Training iterations; empty if the aligner was loaded.
    """

    def __init__(
        self,
        native: _core.NativeAligner,
        options: AlignerOptions,
        source_words: Sequence[str],
        target_words: Sequence[str],
        history: Sequence[Iteration] = (),
    ) -> None:
        self._native = native
        self.options = options
        self.source_words = list(source_words)
        self.target_words = list(target_words)
        self.history = tuple(history)

    @classmethod
    def train(
        cls,
        source: Iterable[Sentence],
        target: Iterable[Sentence],
        *,
        options: AlignerOptions | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Aligner:
        """Return an aligner trained on parallel sentences.

        Args:
            source: Sentences, as token sequences or as text with tokens separated by white space.
            target: Their translations, in the same order.
            options: Options of the training.
            threads: All cores by default. The result is the same for any number.
            progress: Called after each iteration.

        Raises:
            DataError: The sides differ in length, or have no words.
        """
        options = options or AlignerOptions()
        texts = _encode_training(source, target, options)
        training = Training(*texts, options, thread_count(threads), progress)
        trainer, cut = training.run()
        _report_windows(cut.cut, options.max_length)
        return cls(trainer.finish(), options, texts[0].words, texts[1].words, training.history)

    @classmethod
    def train_and_align(
        cls,
        source: Iterable[Sentence],
        target: Iterable[Sentence],
        *,
        method: str | None = None,
        threshold: float = DEFAULT_THRESHOLD,
        options: AlignerOptions | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[Aligner, AlignedText]:
        """Return an aligner and the alignments of the text it was trained on.

        The alignments equal those of `align` for this text, but take less time, since the text is already encoded.
        """
        options = options or AlignerOptions()
        method = check_method(method or _default_method(options))
        check_threshold(threshold)
        texts = _encode_training(source, target, options)
        training = Training(*texts, options, thread_count(threads), progress)
        trainer, cut = training.run()
        _report_windows(cut.cut, options.max_length)
        aligned = join_windows(cut, *trainer.links(method, threshold))
        pairs = len(texts[0].offsets) - 1  # without the appended identity pairs
        if len(aligned) > pairs:
            end = aligned.starts[pairs]
            aligned = AlignedText(
                aligned.starts[: pairs + 1],
                aligned.links[:end],
                aligned.scores[:end],
                aligned.logp[:pairs],
                cut.cut,
            )
        return cls(trainer.finish(), options, texts[0].words, texts[1].words, training.history), aligned

    def align(
        self,
        source: Iterable[Sentence],
        target: Iterable[Sentence],
        *,
        method: str | None = None,
        threshold: float = DEFAULT_THRESHOLD,
        threads: int | None = None,
    ) -> list[Alignment]:
        """Return the alignment of each sentence pair, including empty and very long ones.

        Args:
            source: Sentences, either new ones or those used for training.
            target: Their translations, in the same order.
            method: One of `METHODS`; by default agreement if the training used it, else grow-diag-final-and.
            threshold: With agreement, minimum product of both posteriors: higher values raise precision, lower
                values raise recall.
            threads: All cores by default.
        """
        return list(self.align_scored(source, target, method=method, threshold=threshold, threads=threads))

    def align_scored(
        self,
        source: Iterable[Sentence],
        target: Iterable[Sentence],
        *,
        method: str | None = None,
        threshold: float = DEFAULT_THRESHOLD,
        threads: int | None = None,
    ) -> AlignedText:
        """Return alignments as `align` does, with the score of each link and sentence pair."""
        method = check_method(method or _default_method(self.options))
        check_threshold(threshold)
        source_text = encode(source, lowercase=self.options.lowercase, known=self.source_words)
        target_text = encode(target, lowercase=self.options.lowercase, known=self.target_words)
        check_parallel(source_text, target_text)
        cut = windows(source_text.offsets, target_text.offsets, self.options.max_length)
        _report_windows(cut.cut, self.options.max_length)
        found = self._native.links(
            (source_text.ids, cut.source_offsets),
            (target_text.ids, cut.target_offsets),
            twins=twins(source_text.words, target_text.words),
            method=method,
            threshold=threshold,
            threads=thread_count(threads),
        )
        return join_windows(cut, *found)

    def posteriors(self, source: Sentence, target: Sentence) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the posterior probabilities of the links of one sentence pair in both directions.

        With I source and J target tokens, the first array is (J, I + 1): row j gives the source token that target
        token j comes from, with null in the last column. The second is (I, J + 1), the same in the other direction.
        Every row sums to one.
        """
        source_text = encode([source], lowercase=self.options.lowercase, known=self.source_words)
        target_text = encode([target], lowercase=self.options.lowercase, known=self.target_words)
        if not len(source_text.ids) or not len(target_text.ids):
            raise DataError("posteriors need at least one token on both sides")
        if max(len(source_text.ids), len(target_text.ids)) > self.options.max_length:
            raise DataError(f"posteriors are limited to sentences of up to {self.options.max_length} tokens")
        partner = twins(source_text.words, target_text.words)
        forward, backward, _, _ = self._native.posteriors(source_text.ids, target_text.ids, partner)
        return forward, backward

    def save(self, folder: PathLike) -> None:
        """Write the aligner to a new *folder*, or replace an aligner saved there."""
        from paragauge.align.files import save_aligner

        save_aligner(self, folder)

    @classmethod
    def open(cls, folder: PathLike) -> Aligner:
        """Return the aligner saved in *folder*; no code in it is run, and all of it is checked.

        Raises:
            DataError: The folder does not hold a complete and unchanged aligner.
        """
        from paragauge.align.files import load_aligner

        return load_aligner(folder)

    load = open


def align(
    source: Iterable[Sentence],
    target: Iterable[Sentence],
    *,
    method: str = AGREEMENT,
    threshold: float = DEFAULT_THRESHOLD,
    monolingual: bool = False,
    options: AlignerOptions | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Alignment]:
    """Train on parallel sentences and return their word alignments.

    Args:
        source: Sentences, as token sequences or as text with tokens separated by white space.
        target: Their translations, in the same order.
        method: ``agreement`` trains both directions jointly; the symmetrisations ``intersection``, ``union``,
            ``grow-diag``, ``grow-diag-final`` and ``grow-diag-final-and`` train them separately and join
            their best paths.
        threshold: With agreement, minimum product of both posteriors.
        monolingual: Whether both sides are in the same language.
        options: Other options; *method* and *monolingual* take precedence.
        threads: All cores by default. The result is the same for any number.
        progress: Called after each iteration.

    >>> links = align(["la maison", "le livre", "un livre"], ["the house", "the book", "a book"])
    >>> links[2].to_pharaoh()
    '0-0 1-1'
    """
    options = training_options(options, method=method, monolingual=monolingual)
    _, aligned = Aligner.train_and_align(
        source,
        target,
        method=method,
        threshold=threshold,
        options=options,
        threads=threads,
        progress=progress,
    )
    return list(aligned)


def training_options(options: AlignerOptions | None, *, method: str, monolingual: bool) -> AlignerOptions:
    """Return *options* adjusted to the training that *method* needs."""
    from dataclasses import replace

    options = options or AlignerOptions()
    joint = check_method(method) == AGREEMENT
    return replace(options, agreement=joint, monolingual=monolingual or options.monolingual)


def _default_method(options: AlignerOptions) -> str:
    return AGREEMENT if options.agreement else "grow-diag-final-and"


def _encode_training(
    source: Iterable[Sentence], target: Iterable[Sentence], options: AlignerOptions
) -> tuple[EncodedText, EncodedText]:
    texts = (
        by_frequency(encode(source, lowercase=options.lowercase)),
        by_frequency(encode(target, lowercase=options.lowercase)),
    )
    check_parallel(*texts)
    for name, text in zip(("source", "target"), texts, strict=True):
        if not len(text.ids):
            raise DataError(f"the {name} text has no words to train on; expected one sentence per line")
    return texts


def _report_windows(cut: int, limit: int) -> None:
    if cut:
        logger.warning(
            "%d sentence pairs are longer than %d tokens and are aligned in windows (see max_length)",
            cut,
            limit,
        )
