"""Every command gives what it gave before; README.md says what to do when a result is meant to change."""

import pytest
from recorded.api_cases import API_CASES
from recorded.python_cases import PYTHON_CASES
from recorded.recording import (
    OUTPUTS,
    differences,
    normalised,
    prepare,
    read_cases,
    recordings,
    run_case,
    run_python,
    run_request,
    workbench,
)

CASES = read_cases()[1]

pytestmark = pytest.mark.xdist_group("recorded")  # one folder, prepared once


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("recorded")
    prepare(made)
    return made


def _check(found):
    places = {
        name: differences(name, (OUTPUTS / name).read_bytes().decode("utf-8"), text) for name, text in found.items()
    }
    wrong = [f"{name}:\n  " + "\n  ".join(lines) for name, lines in places.items() if lines]
    assert not wrong, "\n".join(["results are not those that were recorded", *wrong])


@pytest.mark.parametrize("name", CASES)
def test_command(folder, name):
    _check(run_case(CASES[name], folder))


@pytest.mark.parametrize("name", PYTHON_CASES)
def test_python(folder, name):
    _check({f"{name}.json": run_python(PYTHON_CASES[name], folder)})


@pytest.fixture(scope="module")
def address(folder):
    with workbench(folder) as found:
        yield found


@pytest.mark.parametrize("name", API_CASES)
def test_request(folder, address, name):
    _check({f"{name}.json": run_request(name, address, folder)})


def test_recordings_and_cases_belong_together():
    assert {path.name for path in OUTPUTS.iterdir()} == recordings()


def test_every_command_is_recorded():
    import click

    from paragauge.cli.main import paragauge

    def leaves(command, words):
        if not isinstance(command, click.Group):
            yield words
            return
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from leaves(command.get_command(context, name), (*words, name))

    lines = [line.split() for case in CASES.values() for line in case.commands] + [
        line.split() for line in read_cases()[0]
    ]
    absent = {words for words in leaves(paragauge, ()) if not any(tuple(line[: len(words)]) == words for line in lines)}
    # Servers, which tests/web asks; and what other tests give damaged folders.
    assert absent == {("annotate", "grid"), ("annotate", "judge"), ("serve",), ("verify",)}


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("bleu|nrefs:1|tok:13a|version:0.1.0", "bleu|nrefs:1|tok:13a|version:*"),
        ("pem|model:0123456789abcdef|version:1.2.0rc1\n", "pem|model:*|version:*\n"),
        ("conversion:0.5", "conversion:0.5"),
        ("model:small", "model:small"),
    ],
)
def test_versions_and_models_are_masked(text, masked):
    assert normalised(text) == masked


@pytest.mark.parametrize(
    ("name", "one", "other", "expected"),
    [
        ("x.json", '{"a": 1.5, "b": [1]}', '{"b": [1],\n"a": 1.5}', []),
        ("x.json", '{"a": 0.1}', '{"a": 0.10000000000000002}', []),
        ("x.json", '{"a": 0.1}', '{"a": 0.10000000001}', ["/a: recorded 0.1, found 0.10000000001"]),
        ("x.json", '{"a": 1}', '{"a": 1.0}', ["/a: recorded 1, found 1.0"]),
        ("x.json", "[1, 2]", "[1]", [": 2 recorded, 1 found"]),
        ("x.json", '{"a": 1}', '{"b": 1}', ["/a: only in what was recorded", "/b: only in what was found"]),
        ("x.tsv", "a\tb\n", "a\tb\n", []),
        ("x.tsv", "a\n0.1\n", "a\n0.2\n", ["line 2: recorded '0.1'\n        found    '0.2'"]),
        ("x.tsv", "a\t0.1\n", "a\t0.10000000000000002\n", []),
        ("x.tsv", "a\t0.1\n", "b\t0.1\n", ["line 1: recorded 'a\\t0.1'\n        found    'b\\t0.1'"]),
        ("x.tsv", "a\n", "a", ["2 lines recorded, 1 found"]),
    ],
)
def test_differences_are_seen(name, one, other, expected):
    assert differences(name, one, other) == expected
