"""Training of the word aligner: the sequence of steps. The arithmetic is in the native core."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from paragauge.align.encode import EncodedText, Windows, classes, twins, windows
from paragauge.align.options import AlignerOptions
from paragauge.progress import Progress
from paragauge.text.normalize import porter_stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge import _core

UNSEEN = 1e-7  # t of two words that never occurred together in training
UNSEEN_TWIN = 0.1  # the same, if they are spelled the same


@dataclass(frozen=True, slots=True)
class Iteration:
    """Statistics of one iteration of EM.

    Attributes:
        number: Number of the iteration from 1, over all models.
        total: Number of all iterations.
        model: ``model1`` or ``hmm``, preceded by ``classes: `` while word classes are trained.
        direction: ``both`` with agreement; in separate training ``forward``, followed by ``backward``.
        logp: Natural log-likelihood of the text before the iteration, for both directions or the current one.
    """

    number: int
    total: int
    model: str
    direction: str
    logp: tuple[float, ...]

    def __str__(self) -> str:
        direction = "" if self.direction == "both" else f" {self.direction}"
        return f"{self.model}{direction} logp {' '.join(f'{logp:,.0f}' for logp in self.logp)}"


def native_options(options: AlignerOptions) -> _core.AlignOptions:
    """Return the options in the form that the native core takes."""
    from paragauge import _core

    return _core.AlignOptions(
        agreement=options.agreement,
        null_probability=options.null,
        alpha=options.alpha,
        null_alpha=options.null_alpha,
        leave_one_out=options.leave_one_out,
        jump_smoothing=options.jump_smoothing,
        tension=options.tension,
        unseen=UNSEEN,
        unseen_twin=UNSEEN_TWIN,
    )


def with_identity_pairs(source: EncodedText, target: EncodedText) -> tuple[EncodedText, EncodedText]:
    """Return both texts with a sentence pair (w, w) appended for every word w that they share."""
    import numpy as np

    partner = twins(source.words, target.words)
    shared = np.flatnonzero(partner >= 0).astype(np.int32)

    def extended(text: EncodedText, words: NDArray[np.int32]) -> EncodedText:
        ends = text.offsets[-1] + np.arange(1, len(words) + 1, dtype=np.int64)
        return EncodedText(np.concatenate([text.ids, words]), np.concatenate([text.offsets, ends]), text.words)

    return extended(source, shared), extended(target, partner[shared])


def class_function(options: AlignerOptions) -> Callable[[str], str]:
    """Return the function that maps a word to its class: its Porter stem, or its first letters."""
    if options.stems:
        return lambda word: porter_stem(word.lower())
    length = options.prefix_length
    return lambda word: word.lower()[:length]


class Training:
    """One run of training on encoded text."""

    def __init__(
        self,
        source: EncodedText,
        target: EncodedText,
        options: AlignerOptions,
        threads: int,
        progress: Progress | None = None,
        *,
        double: bool = False,
    ) -> None:
        self.source, self.target = source, target
        self.options = options
        self.threads = threads
        self.progress = progress
        self.double = double  # 64-bit arithmetic, for checking the 32-bit results
        self.history: list[Iteration] = []
        self.steps = self._plan(options)
        # In separate training, one direction runs to its end first: the other then reuses its memory.
        self.directions = ("both",) if options.agreement else ("forward", "backward")

    @staticmethod
    def _plan(options: AlignerOptions) -> list[str]:
        steps = ["model1"] * options.model1_iterations + ["hmm"] * options.hmm_iterations
        if not options.has_classes:
            return steps
        # The classes give a coarse model: one iteration of Model 1 carries it over to the words.
        fine = ["model1"] * min(options.model1_iterations, 1) + ["hmm"] * options.hmm_iterations
        return [f"classes: {step}" for step in steps] + fine

    def run(self) -> tuple[_core.AlignTrainer, Windows]:
        """Train, and return the native trainer together with the windows of its text."""
        source, target = self.source, self.target
        if self.options.monolingual:
            source, target = with_identity_pairs(source, target)
        cut = windows(source.offsets, target.offsets, self.options.max_length)
        source = replace(source, offsets=cut.source_offsets)
        target = replace(target, offsets=cut.target_offsets)
        if not self.options.has_classes:
            trainer = self._trainer(source, target)
            self._iterate(trainer, self.steps)
            return trainer, cut
        class_of = class_function(self.options)
        coarse_source, source_classes = classes(source, class_of)
        coarse_target, target_classes = classes(target, class_of)
        coarse_steps = [step for step in self.steps if step.startswith("classes")]
        coarse = self._trainer(coarse_source, coarse_target)
        del coarse_source, coarse_target  # it has a copy
        self._iterate(coarse, coarse_steps)
        aligner = coarse.finish()  # only the tables stay: the next trainer needs the memory
        del coarse
        trainer = self._trainer(source, target)
        trainer.add_class_priors(aligner, source_classes, target_classes, self.options.prefix_strength)
        del aligner
        self._iterate(trainer, self.steps[len(coarse_steps) :])
        return trainer, cut

    def _trainer(self, source: EncodedText, target: EncodedText) -> _core.AlignTrainer:
        import numpy as np

        from paragauge import _core

        make = _core.AlignTrainer64 if self.double else _core.AlignTrainer
        trainer = make(
            (source.ids, source.offsets),
            (target.ids, target.offsets),
            source_words=len(source.words),
            target_words=len(target.words),
            options=native_options(self.options),
            max_length=self.options.max_length,
            threads=self.threads,
        )
        if self.options.identical > 0:
            partner = twins(source.words, target.words)
            shared = np.flatnonzero(partner >= 0).astype(np.int32)
            trainer.add_pair_priors(shared, partner[shared], np.full(len(shared), float(self.options.identical)))
        return trainer

    def _iterate(self, trainer: _core.AlignTrainer, steps: list[str]) -> None:
        total = len(self.steps) * len(self.directions)
        for direction, step in itertools.product(self.directions, steps):
            logp = trainer.step(step.endswith("hmm"), direction)
            iteration = Iteration(len(self.history) + 1, total, step, direction, tuple(logp))
            self.history.append(iteration)
            if self.progress is not None:
                self.progress(iteration.number, total, str(iteration))
