"""ParaScore (Shen, Liu, Jiang & Shi, 2022): similarity of meaning, and a reward for different wording.

    ParaScore(x, c, r) = max(Sim(x, c), Sim(r, c)) + omega * DS(x, c)        without references: Sim(x, c) + ...

    DS(x, c) = gamma                          if d > gamma
               d (gamma + 1) / gamma - 1      otherwise

x is the original, c the candidate, r a reference, Sim BERTScore's F, and d the edit distance between original and
candidate in characters, divided by the length of the longer one. The paper sets omega = 0.05 and gamma = 0.35. A copy
has DS = -1; more than gamma of difference is not rewarded further. A system's score is the mean over its sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.metrics.base import Measurement, Need, check_choice, check_number
from paragauge.metrics.bertscore import LEGEND, TokenMatches, best_matches
from paragauge.metrics.embedding import cosine
from paragauge.metrics.embedding_metric import EmbeddingMetric
from paragauge.metrics.explanation import Explanation, Step, calculation, number, percent, plain


@dataclass(frozen=True, kw_only=True)
class ParaScore(EmbeddingMetric):
    """ParaScore, without references unless they are asked for."""

    layer: int | None = None  # whose vectors of tokens are taken, from 1; by default the last
    references: bool = False  # whether references count, too; the paper's form without them is ParaScore.Free
    similarity: Literal["bertscore", "embedding"] = "bertscore"  # the paper's; or the cosine of sentences
    omega: float = 0.05
    gamma: float = 0.35

    name: ClassVar[str] = "parascore"
    summary: ClassVar[str] = "similarity by embeddings, with a reward for other wording"
    citation: ClassVar[str] = "Shen et al. (2022)"
    scale: ClassVar[str] = "about -1 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "references", self.references, (True, False))
        check_choice(self.name, "similarity", self.similarity, ("bertscore", "embedding"))
        check_number(self.name, "omega", self.omega, low=0)
        check_number(self.name, "gamma", self.gamma, low=0, high=1)
        if self.gamma == 0:
            raise OptionError(f"the option 'gamma' of {self.name} must be above 0")
        if self.references:
            object.__setattr__(self, "needs", frozenset({"originals", "references"}))

    @property
    def token_layer(self) -> int | None:
        return self.layer

    def others(self, segments: Segments) -> list[tuple[str, ...]]:
        """Return the original of each candidate, with its references if they count."""
        originals = segments.originals or ()
        if not self.references:
            return [(original,) for original in originals]
        pairs = zip(originals, segments.references or (), strict=True)
        return [(original, *references) for original, references in pairs]

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[similarity, difference, 1]``."""
        from rapidfuzz.distance import Levenshtein

        groups = self.others(segments)
        if self.similarity == "bertscore":
            similarities = [match.f1 for match in best_matches(self.embedder, segments.candidates, groups)]
        else:
            texts = [*segments.candidates, *(text for group in groups for text in group)]
            vectors = dict(zip(texts, self.embedder.embed(texts), strict=True))
            similarities = [
                max(cosine(vectors[candidate].sentence, vectors[text].sentence) for text in group)
                for candidate, group in zip(segments.candidates, groups, strict=True)
            ]
        rows = []
        for candidate, original, similarity in zip(
            segments.candidates, segments.originals or (), similarities, strict=True
        ):
            distance = Levenshtein.normalized_distance(original, candidate)
            rows.append([similarity, self.reward(distance), 1.0])
        return np.array(rows)

    def reward(self, distance: float) -> float:
        """Return DS for a normalised edit distance."""
        return self.gamma if distance > self.gamma else distance * (self.gamma + 1) / self.gamma - 1

    def measure(self, totals: Sequence[float]) -> Measurement:
        similarity, difference = (total / totals[2] for total in totals[:2])
        return Measurement(similarity + self.omega * difference, {"similarity": similarity, "difference": difference})

    def signature_items(self) -> dict[str, object]:
        return {
            "refs": "yes" if self.references else "no",
            "sim": self.similarity,
            "omega": f"{self.omega:g}",
            "gamma": f"{self.gamma:g}",
            **super().signature_items(),
        }

    def explain(self, segments: Segments) -> Explanation:
        from rapidfuzz.distance import Levenshtein

        score = self.score_segments(segments)[0]
        [group] = self.others(segments)
        candidate, original = segments.candidates[0], group[0]
        similarity, difference = (score.components[name] for name in ("similarity", "difference"))
        matched = TokenMatches.of(self.embedder, candidate, group, "original" if len(group) == 1 else "text")
        if self.similarity == "bertscore":
            steps, details = matched.steps(), matched.details()
            told = matched.verdict()
        else:
            steps = [Step("similarity", "cosine of the sentences", number(similarity), similarity)]
            details, told = (), f"The sentences have a cosine of {similarity:.2f}."
        edits, longer = Levenshtein.distance(original, candidate), max(len(original), len(candidate))
        distance = Levenshtein.normalized_distance(original, candidate)
        gamma = number(self.gamma)
        steps.append(
            Step("d", "edits / characters of the longer text", f"{edits} / {longer}" if longer else "0", distance)
        )
        if distance > self.gamma:
            steps.append(Step("DS", f"gamma, since d is above {gamma}", gamma, difference))
        else:
            numbers = f"{number(distance)} × ({gamma} + 1) / {gamma} - 1"
            steps.append(Step("DS", "d × (gamma + 1) / gamma - 1", numbers, difference))
        numbers = f"{number(similarity)} + {number(self.omega)} × {number(difference)}"
        steps.append(Step("parascore", "similarity + omega × DS", numbers, score.value))
        effect = self.omega * difference
        worth = "adds" if effect >= 0 else "costs"
        wording = f" {percent(distance)} of its characters differ from the original, which {worth} {abs(effect):.3f}."
        names = ["original", *(f"reference {place}" for place in range(1, len(group)))]
        texts = [plain(name, text) for name, text in zip(names, group, strict=True)] + [plain("candidate", candidate)]
        if self.similarity == "bertscore":
            counts, own = matched.texts(candidate, group[matched.best])
            texts[matched.best], texts[-1] = replace(counts, label=names[matched.best]), own
        return Explanation(score, tuple(texts), told + wording, LEGEND, (calculation(steps), *details))
