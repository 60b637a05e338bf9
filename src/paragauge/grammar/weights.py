"""Weights of features by name, and the file that holds them: ``name weight`` on each line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike, atomic_output, digest, display_name, read_lines

LANGUAGE_MODEL = "LanguageModel"
UNKNOWN_WORDS = "UnknownWords"
PASS_THROUGH = "PassThrough"  # noqa: S105 - not a password
GLUE = "Glue"
OWN_FEATURES = (LANGUAGE_MODEL, UNKNOWN_WORDS, PASS_THROUGH, GLUE)  # of derivations, not of single rules


class Weights(Mapping[str, float]):
    """Weights by the name of their feature, in order.

    >>> weights = Weights({"LanguageModel": 1.0, "p(e|f)": -0.5})
    >>> weights["p(e|f)"], weights.changed({"p(e|f)": -2})["p(e|f)"]
    (-0.5, -2.0)
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = {name: float(value) for name, value in weights.items()}
        for name, value in self._weights.items():
            if not name or any(character.isspace() for character in name):
                raise OptionError(f"the name of a feature must be one word, got {name!r}")
            if not math.isfinite(value):
                raise OptionError(f"the weight of {name} must be a finite number, got {value}")

    def __getitem__(self, name: str) -> float:
        return self._weights[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __repr__(self) -> str:
        return f"Weights({self._weights!r})"

    def changed(self, weights: Mapping[str, float]) -> Weights:
        """Return a copy with some weights changed or added."""
        return Weights({**self._weights, **weights})

    @classmethod
    def read(cls, path: PathLike) -> Weights:
        """Read weights from a file: a feature and its weight on each line, ``#`` before comments.

        Raises:
            DataError: A line is not a name and a number, a name occurs twice, or there are none.
        """
        found: dict[str, float] = {}
        name = display_name(path)
        for number, line in enumerate(read_lines(path), start=1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            parts = line.split()
            try:
                if len(parts) != 2 or not math.isfinite(float(parts[1])):
                    raise ValueError
            except ValueError:
                raise DataError(
                    f"found {line.strip()[:60]!r}, expected a feature and its weight, such as 'LanguageModel 1.5'",
                    path=name, line=number,
                ) from None  # fmt: skip
            if parts[0] in found:
                raise DataError(f"the feature {parts[0]!r} occurs twice", path=name, line=number)
            found[parts[0]] = float(parts[1])
        if not found:
            raise DataError("the file has no weights, expected lines such as 'LanguageModel 1.5'", path=name)
        return cls(found)

    def text(self) -> str:
        """Return the weights as lines of text."""
        return "".join(f"{name} {value!r}\n" for name, value in self._weights.items())

    def write(self, path: PathLike) -> None:
        """Write the weights to a file, whole or not at all."""
        with atomic_output(path) as file:
            file.write(self.text().encode())

    def digest(self) -> str:
        """Return the digest for signatures."""
        return digest(self.text().encode())
