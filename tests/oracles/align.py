"""Slow and obvious re-implementations of the aligner's training, in double precision."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict

EXACT, RANGES = 6, ((7, 8), (9, 12), (13, 20), (21, 36), (37, 10**9))


def bucket(width):
    """The bucket of a jump width: its own up to 6, then ranges."""
    if abs(width) <= EXACT:
        return width
    for low, high in RANGES:
        if low <= abs(width) <= high:
            return math.copysign(low, width)
    raise AssertionError(width)


class Jumps:
    """Weights of jump widths; see native/src/align/jumps.hpp."""

    def __init__(self):
        self.weights = defaultdict(lambda: 1.0)

    @staticmethod
    def outcomes(start, length):
        """What may follow position *start* (-1: none yet): next (None: the end), name of the weight."""
        kind = "first" if start < 0 else "inner"
        return [(i, (kind, bucket(i - start))) for i in range(length)] + [(None, ("last", bucket(length - start)))]

    def p(self, start, length):
        """p(next | start, length)."""
        total = sum(self.weights[name] for _, name in self.outcomes(start, length))
        return {i: self.weights[name] / total for i, name in self.outcomes(start, length)}

    def maximise(self, counts, smoothing, steps=8):
        """The steps of the minorise-maximise update; counts by (start, length, next)."""
        wanted, leaving, met = defaultdict(float), defaultdict(float), set()
        for (start, length, after), count in counts.items():
            name = dict(self.outcomes(start, length))[after]
            wanted[name] += count
            leaving[start, length] += count
        for start, length in leaving:
            met.update(name for _, name in self.outcomes(start, length))
        for _ in range(steps):
            expected = defaultdict(float)
            for (start, length), count in leaving.items():
                total = sum(self.weights[name] for _, name in self.outcomes(start, length))
                for _, name in self.outcomes(start, length):
                    expected[name] += count / total
            for name in met:
                if expected[name] > 0:
                    self.weights[name] = max((wanted[name] + smoothing) / (expected[name] + smoothing), 1e-12)


class Direction:
    """t(generated | given) and jumps of one direction."""

    def __init__(self, pairs, options):
        self.options = options
        self.words = {w for _, generated in pairs for w in generated}
        self.counts = defaultdict(float)
        self.totals = defaultdict(float)
        for given, generated in pairs:
            for e, f in itertools.product(given, generated):
                self.counts[e, f] = 1.0
        for e, _ in self.counts:
            self.totals[e] += 1
        self.null = {w: 1 / len(self.words) for w in self.words}
        self.jumps = Jumps()

    def t(self, e, f, own=0.0, own_total=0.0):
        alpha = self.options["alpha"]
        total = self.totals[e] - own_total + alpha * len(self.words)
        return (max(self.counts[e, f] - own, 0.0) + alpha) / total if total > 0 else 0.0

    def posteriors(self, given, generated, hmm, own=None):
        """p(a_j = i), null last, expected jumps, and p(generated | given), by enumerating all alignments."""
        length, p0 = len(given), self.options["null_probability"]
        own = own or defaultdict(float)
        rows = [sum(own[i, j] for j in range(len(generated))) for i in range(length)]
        t = [[self.t(e, f, own[i, j], rows[i]) for i, e in enumerate(given)] for j, f in enumerate(generated)]
        jump = {start: self.jumps.p(start, length) for start in range(-1, length)}
        posterior = [[0.0] * (length + 1) for _ in generated]
        jumps, total = defaultdict(float), 0.0
        for path in itertools.product(range(length + 1), repeat=len(generated)):
            p, last, made = 1.0, -1, []
            for j, i in enumerate(path):
                if i == length:
                    p *= p0 * self.null[generated[j]]
                    continue
                p *= (1 - p0) * (jump[last][i] if hmm else 1 / length) * t[j][i]
                made.append((last, length, i))
                last = i
            if hmm:
                p *= (1 - p0) * jump[last][None]
                made.append((last, length, None))
            total += p
            for j, i in enumerate(path):
                posterior[j][i] += p
            for one in made:
                jumps[one] += p
        posterior = [[p / total for p in row] for row in posterior]
        return posterior, {one: p / total for one, p in jumps.items()}, total


def train(pairs, steps, *, agreement, leave_one_out, alpha, null_alpha, null_probability, jump_smoothing):
    """Return both directions after *steps* (True: HMM), and the log-likelihoods before each."""
    options = {"alpha": alpha, "null_probability": null_probability}
    sides = [pairs, [(b, a) for a, b in pairs]]
    directions = [Direction(side, options) for side in sides]
    own = [[None] * len(pairs), [None] * len(pairs)]
    likelihoods = []
    for hmm in steps:
        counts = [defaultdict(float), defaultdict(float)]
        null = [defaultdict(float), defaultdict(float)]
        jumps = [defaultdict(float), defaultdict(float)]
        logp = [0.0, 0.0]
        for s, (source, target) in enumerate(pairs):
            found = [
                d.posteriors(*side[s], hmm, own[k][s])
                for k, (d, side) in enumerate(zip(directions, sides, strict=True))
            ]
            forth, back = found[0][0], found[1][0]
            mine = [defaultdict(float), defaultdict(float)]
            for i, j in itertools.product(range(len(source)), range(len(target))):
                p, q = forth[j][i], back[i][j]
                mine[0][i, j] = p * q if agreement else p
                mine[1][j, i] = p * q if agreement else q
                counts[0][source[i], target[j]] += mine[0][i, j]
                counts[1][target[j], source[i]] += mine[1][j, i]
            for k, (posterior, expected, total) in enumerate(found):
                for word, row in zip(sides[k][s][1], posterior, strict=True):
                    null[k][word] += row[-1]
                for one, p in expected.items():
                    jumps[k][one] += p
                logp[k] += math.log(total)
                if leave_one_out:
                    own[k][s] = mine[k]
        for k, d in enumerate(directions):
            d.counts = counts[k]
            d.totals = defaultdict(float)
            for (e, _), count in counts[k].items():
                d.totals[e] += count
            total = sum(null[k].values()) + null_alpha * len(d.words)
            d.null = {w: (null[k][w] + null_alpha) / total for w in d.words}
            if hmm:
                d.jumps.maximise(jumps[k], jump_smoothing)
        likelihoods.append(tuple(logp))
    return directions, likelihoods
