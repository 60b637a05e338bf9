"""JSON Lines: one object per line, in strict JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from paragauge.corpora.lines import decode_lines, empty_file, shown, write_text
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object and its place in the file."""

    path: str
    line: int
    values: Mapping[str, Any]

    def error(self, message: str) -> DataError:
        """Return an error that names this line."""
        return DataError(message, path=self.path, line=self.line)

    def check_keys(self, known: Collection[str]) -> None:
        """Raise an error for a key that is not *known*."""
        for key in self.values:
            if key not in known:
                raise self.error(f"unknown key {shown(key)}; known: {', '.join(known)}")

    def text(self, key: str, *, filled: bool = False) -> str | None:
        """Return the string under *key*; ``None`` if it is absent or null."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.error(f"{key!r} is {describe(value)}, expected a string")
        if filled and not value:
            raise self.error(f"{key!r} is an empty string, expected a string that is not empty")
        return value

    def name(self, key: str) -> str | None:
        """Return the name under *key*, a non-empty string or an integer; ``None`` if it is absent or null."""
        value = self.values.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.text(key, filled=True)

    def texts(self, key: str) -> dict[str, str] | None:
        """Return the object of strings under *key*; ``None`` if it is absent or null."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.error(f'{key!r} is {describe(value)}, expected an object as in {{"name": "text"}}')
        return {name: self._item(f"{key!r} of {name!r}", item) for name, item in value.items()}

    def items(self, key: str) -> list[str]:
        """Return the array of strings under *key*."""
        value = self.values[key]
        return [self._item(f"item {i} of {key!r}", item) for i, item in enumerate(value, start=1)]

    def _item(self, what: str, item: object) -> str:
        if not isinstance(item, str):
            raise self.error(f"{what} is {describe(item)}, expected a string")
        return item


def describe(value: object) -> str:
    """Return the description of a JSON value for a message."""
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "a Boolean"),
        (int, "a number"),
        (float, "a number"),
        (str, "a string"),
        (list, "an array"),
        (dict, "an object"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def parse_jsonl(data: bytes, path: PathLike, encoding: str = "utf-8") -> Iterator[Record]:
    """Yield the objects of *data*, one per line.

    Raises:
        DataError: A line is not one JSON object, or the object has a duplicate key, NaN, an infinity, or half
            of a surrogate pair.
    """
    lines = decode_lines(data, path, encoding)
    if not lines:
        raise empty_file(path, "one JSON object on each line")
    place = display_name(path)
    for number, line in enumerate(lines, start=1):
        yield Record(place, number, _parse_object(line, place, number))


def _parse_object(line: str, place: str, number: int) -> dict[str, Any]:
    if not line.strip():
        raise DataError("the line is empty, expected a JSON object; remove it", path=place, line=number)
    try:
        value = json.loads(line, object_pairs_hook=_unique_pairs, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise DataError(
            f"not a JSON object on one line ({error.msg}, column {error.colno}): {shown(line)}; "
            "if the objects span several lines or are in one array, reformat them with: jq -c '.' or jq -c '.[]'",
            path=place,
            line=number,
        ) from error
    except (ValueError, RecursionError) as error:
        # ValueError: a pair or constant rejected by the functions below, or a number with thousands of digits.
        reason = "the values are nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise DataError(f"the JSON object cannot be used: {reason}", path=place, line=number) from error
    if not isinstance(value, dict):
        raise DataError(f"found {describe(value)}, expected a JSON object on each line", path=place, line=number)
    if "\\ud" in line or "\\uD" in line:  # half a pair can only come from an escape: UTF-8 cannot encode one
        _check_characters(value, place, number)
    return value


def _check_characters(value: object, place: str, number: int) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            "a string has an escape for half of a surrogate pair, which is not a character; "
            "the program that wrote the file split a character in two",
            path=place,
            line=number,
        ) from error


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {shown(twice)} occurs twice in one object")
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON; write null for a missing value")


def write_jsonl(path: PathLike, objects: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object per line, in UTF-8 without escapes where JSON allows it."""
    encode: Callable[[Mapping[str, Any]], str] = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    write_text(path, (encode(item) + "\n" for item in objects))
