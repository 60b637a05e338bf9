"""Run the recorded cases, and say what they gave: shared by the test and by tools/record_outputs.py."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import shlex
import shutil
import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
INPUTS = HERE / "inputs"
OUTPUTS = HERE / "outputs"

_DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?:[eE][-+]?\d+)?(?![\w.])")
_ROUNDING = 1e-12

# What changes with every release or with every remade model, and says nothing of the results.
_MASKS = (
    (re.compile(r"\bversion:[0-9][^\s|\"<,;&]*"), "version:*"),
    (re.compile(r"\bmodel:[0-9a-f]{8,64}\b"), "model:*"),
    (re.compile(r'("(?:paragauge|version|paragauge_version)": )"[0-9]+(?:\.[0-9]+)+[^"]*"'), r'\1"*"'),
)


@dataclass(frozen=True)
class Case:
    """Commands to run one after the other in the same folder, and what to keep of what they write.

    Attributes:
        name: The name of the recording.
        commands: Command lines without ``paragauge``.
        stdout: The suffix of the file for standard output; empty if it is not kept.
        files: Files that the commands write, to be kept, too.
        listing: A folder that they write, of whose files the names are kept.
        without: Columns of TSV that differ from run to run, such as seconds.
    """

    name: str
    commands: tuple[str, ...]
    stdout: str = ""
    files: tuple[str, ...] = ()
    listing: str = ""
    without: tuple[str, ...] = ()

    @property
    def recordings(self) -> tuple[str, ...]:
        """The names of the files that hold what the case gives."""
        printed = (f"{self.name}.{self.stdout}",) if self.stdout else ()
        listed = (f"{self.name}.files.txt",) if self.listing else ()
        return (*printed, *(f"{self.name}.{name.replace('/', '.')}" for name in self.files), *listed)


class CommandFailed(AssertionError):
    """A recorded command did not end well."""


def read_cases() -> tuple[tuple[str, ...], dict[str, Case]]:
    """Return the commands that make what other cases need, and the cases by name."""
    content = tomllib.loads((HERE / "commands.toml").read_text(encoding="utf-8"))
    cases: dict[str, Case] = {}
    for given in content["case"]:
        run = given.pop("run")
        lists = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
        case = Case(commands=(run,) if isinstance(run, str) else tuple(run), **lists)
        if case.name in cases:
            raise ValueError(f"two recorded cases are called {case.name}")
        cases[case.name] = case
    return tuple(content["prepare"]), cases


def prepare(folder: Path) -> None:
    """Fill *folder* with the inputs, and with what commands make of them for others."""
    shutil.copytree(INPUTS, folder, dirs_exist_ok=True)
    with contextlib.closing(sqlite3.connect(folder / "annotations.sqlite")) as store:
        store.executescript((folder / "annotations.sql").read_text(encoding="utf-8"))
    for command in read_cases()[0]:
        run_command(command, folder)
    _judge(folder / "judged.sqlite")


def _judge(path: Path) -> None:
    """Fill a file of judgments: each text has points by its system."""
    from paragauge.annotation.judging import CRITERIA, HUMAN, RANDOM, JudgingStore, Rating
    from paragauge.corpora.testset import TestSet

    points = {"a": 3, "b": 2, HUMAN: 5, RANDOM: 1}
    texts = {name: [f"{name} one", f"{name} two"] for name in points}
    testset = TestSet(ids=["1", "2"], originals=["one long sentence", "two long sentences"], candidates=texts)
    with JudgingStore.create(path, testset) as store:
        for judge, better in (("ann", 0), ("bob", 1)):
            for number, item in enumerate(store.items, start=1):
                for system, place in item.places.items():
                    for criterion in CRITERIA:
                        score = min(5, points[system] + better * (number - 1))
                        token = f"{judge}-{number}-{place}-{criterion}"
                        store.record(judge, number, Rating(place, criterion, score, token, seconds=2.5))


def run_command(command: str, folder: Path) -> str:
    """Run a command line inside this process, in *folder*, and return its standard output."""
    from paragauge.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with _inside(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(shlex.split(command))
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
    if code != 0:
        raise CommandFailed(f"paragauge {command}\nended with {code}: {texts[1]}")
    return texts[0]


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run_case(case: Case, folder: Path) -> dict[str, str]:
    """Return what a case gives, by the names of the files that hold its recording."""
    printed = "".join(run_command(command, folder) for command in case.commands)
    texts = [printed] if case.stdout else []
    texts += [(folder / name).read_bytes().decode("utf-8") for name in case.files]
    if case.listing:
        paths = sorted(path for path in (folder / case.listing).rglob("*") if path.is_file())
        texts.append("".join(f"{path.relative_to(folder).as_posix()}\n" for path in paths))
    named = dict(zip(case.recordings, (_without(text, case.without) for text in texts), strict=True))
    return {name: normalised(_tight(text) if name.endswith(".json") else text) for name, text in named.items()}


def run_python(function: Callable[[], Any], folder: Path) -> str:
    """Return what a call of the library gives, as JSON with all digits."""
    with _inside(folder):
        value = function()
    return normalised(_tight(json.dumps(value, ensure_ascii=False)))


def run_request(name: str, address: str, folder: Path) -> str:
    """Return the answer of the workbench at *address* to one of the recorded requests."""
    import httpx
    from recorded.api_cases import API_CASES

    path, body = API_CASES[name]
    with _inside(folder):
        request = body()
    answer = httpx.post(address.rstrip("/") + path, json=request, timeout=120)
    if answer.status_code != 200:
        raise CommandFailed(f"{path} answered {answer.status_code}: {answer.text}")
    return normalised(_tight(answer.text))


@contextlib.contextmanager
def workbench(folder: Path) -> Iterator[str]:
    """Run the workbench in *folder*, and give its address."""
    from support.servers import serving

    with serving("--workers", "1", "--time-limit", "120", folder=folder) as (address, _):
        yield address


def _tight(text: str) -> str:
    """Return JSON with a line for each row of the outermost list or object, which keeps files small and readable."""
    value = json.loads(text)
    if isinstance(value, dict):
        rows = [f"{json.dumps(key)}: {json.dumps(row, ensure_ascii=False)}" for key, row in value.items()]
    else:
        rows = [json.dumps(row, ensure_ascii=False) for row in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n" + ",\n".join(rows) + f"\n{end}\n"


def _without(text: str, columns: tuple[str, ...]) -> str:
    if not columns:
        return text
    rows = [line.split("\t") for line in text.splitlines()]
    kept = [place for place, name in enumerate(rows[0]) if name not in columns]
    return "".join("\t".join(row[place] for place in kept) + "\n" for row in rows)


def normalised(text: str) -> str:
    """Return *text* without versions and digests of models."""
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


def differences(name: str, recorded: str, found: str, most: int = 12) -> list[str]:
    """Return where two outputs differ, one line per place; none if they are equal.

    JSON is compared as values, ignoring the order of keys and white space; everything else line by line. Numbers with a
    decimal point may differ by a few units in the last digits, since processors round and add differently.
    """
    if name.endswith(".json"):
        places = list(_value_differences("", json.loads(recorded), json.loads(found)))
    else:
        places = list(_line_differences(recorded, found))
    more = len(places) - most
    return [*places[:most], *([f"... and {more} more"] if more > 0 else [])]


def _value_differences(place: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            if key not in one or key not in other:
                yield f"{place}/{key}: only in what was {'found' if key in other else 'recorded'}"
            else:
                yield from _value_differences(f"{place}/{key}", one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield f"{place}: {len(one)} recorded, {len(other)} found"
        for number, (left, right) in enumerate(zip(one, other, strict=False)):
            yield from _value_differences(f"{place}/{number}", left, right)
    elif type(one) is not type(other) or not (_close(one, other) if isinstance(one, float) else one == other):
        yield f"{place}: recorded {one!r}, found {other!r}"


def _line_differences(one: str, other: str) -> Iterator[str]:
    left, right = one.split("\n"), other.split("\n")
    if len(left) != len(right):
        yield f"{len(left)} lines recorded, {len(right)} found"
    for number, (recorded, found) in enumerate(zip(left, right, strict=False), start=1):
        if not _same_line(recorded, found):
            yield f"line {number}: recorded {recorded!r}\n{' ' * len(f'line {number}')}  found    {found!r}"


def _same_line(recorded: str, found: str) -> bool:
    """Return whether two lines have the same words, and numbers that are the same but for rounding."""
    if recorded == found:
        return True
    ours, theirs = _DECIMAL.findall(recorded), _DECIMAL.findall(found)
    if _DECIMAL.sub("", recorded) != _DECIMAL.sub("", found) or len(ours) != len(theirs):
        return False
    return all(_close(float(one), float(other)) for one, other in zip(ours, theirs, strict=True))


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_ROUNDING, abs_tol=_ROUNDING)


def recordings() -> set[str]:
    """Return the names of all recordings there should be."""
    from recorded.api_cases import API_CASES
    from recorded.python_cases import PYTHON_CASES

    commands = {name for case in read_cases()[1].values() for name in case.recordings}
    return commands | {f"{name}.json" for name in (*PYTHON_CASES, *API_CASES)}


def record(folder: Path, prefixes: tuple[str, ...]) -> Iterator[str]:
    """Run the cases whose names begin with one of *prefixes*, in *folder*, and replace their recordings.

    Recordings that no case has any more are removed. Yields the names of the files that are different now.
    """
    from recorded.api_cases import API_CASES
    from recorded.python_cases import PYTHON_CASES

    OUTPUTS.mkdir(exist_ok=True)
    prepare(folder)
    found: dict[str, str] = {}
    for case in read_cases()[1].values():
        if case.name.startswith(prefixes):
            found |= run_case(case, folder)
    for name, function in PYTHON_CASES.items():
        if name.startswith(prefixes):
            found[f"{name}.json"] = run_python(function, folder)
    requests = [name for name in API_CASES if name.startswith(prefixes)]
    with workbench(folder) if requests else contextlib.nullcontext("") as address:
        found |= {f"{name}.json": run_request(name, address, folder) for name in requests}
    for name, text in found.items():
        path = OUTPUTS / name
        if not path.exists() or path.read_bytes().decode("utf-8") != text:
            path.write_bytes(text.encode("utf-8"))
            yield name
    for path in sorted(OUTPUTS.iterdir()):
        if path.name not in recordings():
            path.unlink()
            yield f"{path.name} (removed)"
