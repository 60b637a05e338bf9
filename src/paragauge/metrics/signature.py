"""Signatures: everything that can change a score, as a value that can be printed and parsed back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from paragauge.errors import DataError

_KEY = re.compile(r"[a-z][a-z0-9_+-]*")
_ESCAPED = re.compile(r"[|%\x00-\x20\x7f-\xa0\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Signature:
    """The name of a metric and, in a fixed order, the choices behind its score.

    >>> signature = Signature.of("bleu", {"nrefs": "1", "tok": "13a"})
    >>> str(signature)
    'bleu|nrefs:1|tok:13a'
    >>> Signature.parse(str(signature)) == signature
    True
    """

    metric: str
    items: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, metric: str, items: Mapping[str, object] | Iterable[tuple[str, object]]) -> Signature:
        """Return the signature of *metric* with *items* in the given order."""
        pairs = items.items() if isinstance(items, Mapping) else items
        return cls(metric, tuple((key, str(value)) for key, value in pairs))

    def __post_init__(self) -> None:
        keys = [key for key, _ in self.items]
        for key in (self.metric, *keys):
            if not _KEY.fullmatch(key):
                raise DataError(f"{key!r} is not valid in a signature; expected lower-case letters, digits, -, + and _")
        if len(set(keys)) < len(keys):
            raise DataError(f"signature of {self.metric} has a key twice: {', '.join(keys)}")

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Return the signature that prints as *text*."""
        metric, *fields = text.split("|")
        items = []
        for field in fields:
            key, colon, value = field.partition(":")
            if not colon:
                raise DataError(f"{field!r} in signature {text!r} is not of the form key:value")
            items.append((key, unquote(value)))
        return cls(metric, tuple(items))

    def __str__(self) -> str:
        return "|".join([self.metric, *(f"{key}:{_ESCAPED.sub(_escape, value)}" for key, value in self.items)])

    def get(self, key: str) -> str | None:
        """Return the value of *key*, or ``None``."""
        return dict(self.items).get(key)

    def extended(self, items: Mapping[str, object]) -> Signature:
        """Return this signature with more *items*; the version stays last."""
        extra = [(key, str(value)) for key, value in items.items()]
        body = [item for item in self.items if item[0] != "version"]
        tail = [item for item in self.items if item[0] == "version"]
        return Signature(self.metric, tuple(body + extra + tail))


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8"))
