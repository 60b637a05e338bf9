"""Docs, help and code say the same: every example is run, every command, option and metric is documented."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paragauge import METRICS

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CARD_HEADINGS = [
    "What it measures", "Inputs", "Range", "How to read it", "Resources", "Values from the paper", "Limits", "Citation",
]  # fmt: skip


def _name(path):
    return str(path.relative_to(ROOT))


def _blocks(path, language):
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def _console_steps(block):
    """Split a console block into commands (``$ `` lines, ``> `` continues) and the output that follows each."""
    steps = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append([line[2:], ""])
        elif line.startswith("> ") and steps and not steps[-1][1]:
            steps[-1][0] += line[2:]
        else:
            steps[-1][1] += line
    return steps


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if _blocks(path, "console")], ids=_name)
def test_commands_in_documents_print_what_they_say(path, tmp_path):
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"], "COLUMNS": "100"}
    for block in _blocks(path, "console"):
        for command, expected in _console_steps(block):
            done = subprocess.run(
                ["bash", "-c", command], cwd=tmp_path, env=environment, text=True, check=False,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            assert _any_sacrebleu(done.stdout) == _any_sacrebleu(expected), f"{_name(path)}: {command}"


def _any_sacrebleu(text):
    """Forget the version of sacreBLEU: what is installed may be newer than what the documents were made with."""
    return re.sub(r"\bsacrebleu:[\d.]+", "sacrebleu:VERSION", text)


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if ">>>" in path.read_text(encoding="utf-8")], ids=_name)
def test_python_in_documents_gives_what_it_says(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    names: dict[str, object] = {}
    for block in _blocks(path, "python"):
        test = parser.get_doctest(block, names, _name(path), str(path), 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).failed == 0


def test_every_metric_has_a_card_with_the_same_headings():
    cards = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "metrics").glob("*.md")}
    assert set(cards) == set(METRICS)
    for name, card in cards.items():
        assert re.findall(r"^## (.*)$", card, re.MULTILINE) == CARD_HEADINGS, name
        assert f"(`{name}`)" in card.splitlines()[0]


def test_every_option_of_every_metric_is_on_its_card():
    from dataclasses import fields

    shared = {option.name for option in fields(METRICS["bleu"])}
    for name, cls in METRICS.items():
        card = (ROOT / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")
        for option in fields(cls):
            inherited = name != "bleu" and option.name in shared and "those of BLEU" in card
            assert inherited or f"`{option.name}`" in card, f"{name}: {option.name}"


def test_the_manual_is_the_help_of_every_command():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "make_manual.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_dependency_has_its_reason():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    reasons = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    for requirement in project["dependencies"]:
        name = re.match(r"[\w-]+", requirement)[0]
        assert re.search(rf"^\| {name} \| .{{20,}}", reasons, re.MULTILINE), name
    for extra in project["optional-dependencies"]:
        assert f"| `{extra}` |" in reasons


def test_ci_runs_the_test_command_of_the_readme():
    commands = re.findall(
        r"^```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert "paragauge demo" in commands[0]
    assert "pytest" in commands[1]
    assert commands[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_links_between_documents_lead_somewhere():
    for path in [*DOCUMENTS, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{_name(path)}: {target}"


def test_versions_agree():
    import paragauge as package

    assert f"version: {package.__version__}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## {package.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
