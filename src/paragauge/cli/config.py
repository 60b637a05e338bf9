"""``paragauge.toml``: metrics and options that a team always uses; the command line overrides them.

metrics = ["pem+", "pinc"]      # for score, compare, report and explain

[score]
bootstrap = 2000

[pem.train]                     # a command inside a command
folds = 5
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from paragauge.errors import DataError, FileError, unknown_name

NAME = "paragauge.toml"
WITH_METRICS = ("score", "compare", "report", "explain")  # commands that the metrics at the top are for


def configured_defaults(ctx: click.Context, path: str | None) -> dict[str, Any]:
    """Return the defaults of each command, as click reads them, from *path* or from the nearest ``paragauge.toml``.

    Raises:
        FileError: *path* cannot be read.
        DataError: The file is not TOML, or names an unknown command, option or value.
    """
    found = Path(path) if path is not None else _nearest()
    if found is None:
        return {}
    import tomllib

    try:
        settings = tomllib.loads(found.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FileError(f"{found}: cannot read the configuration: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"not TOML: {error}", path=str(found)) from error
    except RecursionError as error:
        raise DataError("the values are nested too deeply, expected options of commands", path=str(found)) from error
    group = ctx.command
    assert isinstance(group, click.Group)  # noqa: S101 - only the main group reads a configuration
    metrics = settings.pop("metrics", None)
    defaults: dict[str, Any] = {}
    for name, options in settings.items():
        if not isinstance(options, Mapping):
            raise DataError(
                f"{name!r} is not in the table of a command; expected 'metrics', or tables such as [score]",
                path=str(found),
            )
        defaults[name] = _defaults(ctx, group, name, options, found)
    if metrics is not None:
        for name in WITH_METRICS:
            defaults.setdefault(name, {}).setdefault("metrics", _texts(metrics, "metrics", found))
    return defaults


def _nearest() -> Path | None:
    if Path(NAME).is_file():
        return Path(NAME)
    return next((folder / NAME for folder in Path.cwd().parents if (folder / NAME).is_file()), None)


def _defaults(
    ctx: click.Context, group: click.Group, name: str, options: Mapping[str, Any], path: Path
) -> dict[str, Any]:
    """Return the defaults of the command *name* by the names that click knows."""
    known = group.list_commands(ctx)
    if name not in known:
        raise DataError(str(unknown_name("command", name, known)), path=str(path))
    command = group.get_command(ctx, name)
    assert command is not None  # noqa: S101 - the name is known
    by_flag = {
        flag.lstrip("-"): parameter
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for flag in parameter.opts
        if flag.startswith("--")
    }
    by_flag |= {"metrics": by_flag["metric"]} if "metric" in by_flag else {}
    defaults: dict[str, Any] = {}
    for key, value in options.items():
        if isinstance(value, Mapping) and isinstance(command, click.Group):
            defaults[key] = _defaults(click.Context(command, ctx, name), command, key, value, path)
            continue
        if key not in by_flag:
            raise DataError(f"[{name}]: {unknown_name('option', key, by_flag)}", path=str(path))
        option = by_flag[key]
        shown = f"[{name}] {key}"
        defaults[option.name or key] = _texts(value, shown, path) if option.multiple else _single(value, shown, path)
        _check(command, ctx, option, defaults[option.name or key], shown, path)
    return defaults


def _check(
    command: click.Command, ctx: click.Context, option: click.Option, value: Any, shown: str, path: Path
) -> None:
    """Raise an error that names the file if click would reject *value*; click names only the option."""
    try:
        option.type_cast_value(click.Context(command, ctx), value)
    except click.BadParameter as error:
        raise DataError(f"{shown}: {error.message}", path=str(path)) from error


def _texts(value: Any, shown: str, path: Path) -> list[str]:
    """Return the values of an option that may be repeated."""
    values = value if isinstance(value, list) else [value]
    return [_single(each, shown, path) for each in values]


def _single(value: Any, shown: str, path: Path) -> Any:
    if not isinstance(value, str | int | float):
        raise DataError(f"{shown}: found {value!r}, expected a text, a number, true or false", path=str(path))
    return value
