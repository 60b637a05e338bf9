"""Rejection of options that would have no effect: whoever sets one expects it to matter."""

from __future__ import annotations

from collections.abc import Mapping

from paragauge.errors import OptionError
from paragauge.evaluate.option import Request, options_of


def refuse_idle(request: Request, reasons: Mapping[str, str | None]) -> None:
    """Raise an `OptionError` if an option is not at its default and has no effect.

    Args:
        request: Request to check.
        reasons: Why each field has no effect here, as the end of a sentence that begins with the option; ``None`` if
            it has an effect.
    """
    for each in options_of(type(request)):
        reason = reasons.get(each.name)
        if reason is not None and getattr(request, each.name) != each.default:
            raise OptionError(f"{max(each.flags, key=len)} {reason}")
