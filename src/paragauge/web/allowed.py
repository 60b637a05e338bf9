"""Which options of metrics a request may set: numbers, switches and choices, but nothing that is read from disk.

An option is judged by its type. A text is accepted only where the type lists the choices, or the option is known to
hold the name of something built in; whatever else takes a text may take the path of a file, so a request may only
repeat its default. Options of metrics from other packages are treated alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any

from paragauge.errors import OptionError
from paragauge.metrics.registry import METRICS, metric_options, split_metrics
from paragauge.text.tokenize import TOKENIZER_NAMES
from paragauge.web.protocol import Settings

HIGHEST_NUMBER = 1000  # of n-gram orders and other whole numbers, unless the default is higher

_MOSES = re.compile(r"moses-[a-z]{2,3}")


def _is_tokenizer(value: str) -> bool:
    return value in TOKENIZER_NAMES or _MOSES.fullmatch(value) is not None


# Options whose values are names of something built in; what they may be is checked by the metrics themselves.
_BUILT_IN: Mapping[str, Callable[[str], bool]] = {
    "tokenizer": _is_tokenizer,
    "preset": lambda value: value.replace(".", "").replace("-", "").isalnum() and value.isascii(),
}
# Limits that protect the server: a request may lower them, but not raise them.
_LIMITS = frozenset({"max_length", "max_span", "max_target_span", "seconds", "megabytes"})


def allowed_metrics(texts: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Return the metrics of a request.

    Raises:
        OptionError: A metric has an option that requests may not set, and the server was not started with this metric.
    """
    named = [each for text in texts for each in ([text] if text in settings.metrics else split_metrics(text))]
    for text in named:
        if text not in settings.metrics:
            _check(text)
    return tuple(named)


def _check(text: str) -> None:
    name, options = metric_options(text)
    known = {option.name: option for option in fields(METRICS[name])}
    for option, value in options.items():
        problem = _problem(known.get(option), option, value)
        if problem is not None:
            raise OptionError(
                f"option {option!r} of {name} {problem}; requests may not do so: start the server with -m {text!r}"
            )


def _problem(field: Field[Any] | None, option: str, value: object) -> str | None:
    default: Any = None if field is None or field.default is MISSING else field.default
    if value is None or isinstance(value, bool) or (field is not None and value == default):
        return None
    if isinstance(value, int | float):
        known = default if isinstance(default, int | float) else None
        highest = known if option in _LIMITS else max(HIGHEST_NUMBER, known or 0)
        if not math.isfinite(value):
            return "is not a finite number"
        return f"is above {highest:,}" if highest is not None and value > highest else None
    if isinstance(value, str):
        is_choice = field is not None and str(field.type).startswith("Literal[")
        if is_choice or (option in _BUILT_IN and _BUILT_IN[option](value)):
            return None
    return "names a file or a resource"
