"""Help that can be grasped, and options from paragauge.toml."""

import json
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from support.commands import all_commands

from paragauge import METRICS
from paragauge.cli.main import COMMANDS, GROUPS, main
from paragauge.metrics.option_help import OPTION_HELP, example_command, option_help


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("o.txt").write_text("he bought a car\nit rained\n")
    Path("a.txt").write_text("he purchased a car\nrain fell\n")
    Path("b.txt").write_text("he bought a car\nit was raining\n")


def metrics_of(capfd, *arguments):
    assert main([*arguments, "--original", "o.txt", "a.txt", "b.txt", "--format", "json", "-q"]) == 0
    return [row["metric"] for row in json.loads(capfd.readouterr().out)]


def test_commands_stand_in_groups_with_whole_summaries(capfd):
    assert main(["--help"]) == 0
    out = capfd.readouterr().out
    places = [out.index(f"\n{heading}:\n") for heading in GROUPS]
    assert places == sorted(places)
    assert len(COMMANDS) == len(set(COMMANDS))
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert "..." not in out.split("Evaluate:")[1]
    assert main(["paradigm", "--help"]) == 0
    assert "..." not in capfd.readouterr().out.split("Commands:")[1]


def test_no_two_options_of_a_command_share_a_name():
    """Whichever of them comes last would get the value of both."""
    shared = {
        (name, option)
        for name, command in all_commands()
        for option, count in Counter(each.name for each in command.params).items()
        if count > 1
    }
    assert not shared


@pytest.mark.parametrize("name", list(METRICS))
def test_every_option_of_every_metric_is_described(name, capfd):
    cls = METRICS[name]
    assert all(option_help(cls, option) for option in fields(cls)), [
        option.name for option in fields(cls) if not option_help(cls, option)
    ]
    assert main(["metrics", name]) == 0
    assert f"example: {example_command(cls)}" in capfd.readouterr().out


def test_descriptions_belong_to_options():
    known = {option.name for cls in METRICS.values() for option in fields(cls)}
    named = {f"{name}.{option.name}" for name, cls in METRICS.items() for option in fields(cls)}
    assert set(OPTION_HELP) <= known | named


def test_a_configuration_gives_metrics_and_options_that_the_command_line_overrides(texts, capfd):
    Path("paragauge.toml").write_text('metrics = ["pinc", "edit-dissimilarity"]\n[score]\nbootstrap = 7\n')
    assert metrics_of(capfd, "score") == ["pinc", "pinc", "edit-dissimilarity", "edit-dissimilarity"]
    assert main(["score", "--original", "o.txt", "a.txt", "-q"]) == 0
    assert "|bs:7|" in capfd.readouterr().out
    assert metrics_of(capfd, "score", "-m", "ngram-f1", "--bootstrap", "0") == ["ngram-f1", "ngram-f1"]
    assert main(["--no-config", "score", "--original", "o.txt", "a.txt"]) == 2
    assert "Missing option '-m'" in capfd.readouterr().err
    Path("below").mkdir()
    assert main(["--config", "paragauge.toml", "score", "--original", "o.txt", "a.txt", "-b", "-q"]) == 0


def test_a_folder_below_finds_the_configuration(texts, capfd, monkeypatch, tmp_path):
    Path("paragauge.toml").write_text('metrics = ["pinc"]\n')
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert main(["score", "--original", "../o.txt", "../a.txt", "-b"]) == 0
    assert capfd.readouterr().out.strip()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[scor]\nbootstrap = 1\n", "paragauge.toml: no command named 'scor'; did you mean 'score'?"),
        ("[score]\nbootstrp = 1\n", "paragauge.toml: [score]: no option named 'bootstrp'; did you mean 'bootstrap'?"),
        ("[score]\nbootstrap = 'many'\n", "paragauge.toml: [score] bootstrap: 'many' is not a valid integer range."),
        ("[score\n", "paragauge.toml: not TOML"),
        ("a = " + "[" * 9000 + "]" * 9000, "paragauge.toml: the values are nested too deeply"),
        ("bootstrap = 3\n", "paragauge.toml: 'bootstrap' is not in the table of a command"),
        ("[score]\nbootstrap = [1]\n", "expected a text, a number, true or false"),
    ],
)
def test_mistakes_in_a_configuration_are_named(texts, capfd, text, message):
    Path("paragauge.toml").write_text(text)
    assert main(["score", "-m", "pinc", "--original", "o.txt", "a.txt"]) == 1
    assert message in capfd.readouterr().err
