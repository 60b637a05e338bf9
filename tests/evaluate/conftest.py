"""Files of a test module in the working folder, and what a command prints."""

import json

import pytest

from paragauge.cli.main import main


@pytest.fixture(autouse=True)
def files(request, tmp_path, monkeypatch):
    """The folder that tests run in, with the ``FILES`` of their module, if it has any."""
    texts = getattr(request.module, "FILES", None)
    if texts is None:
        return None
    monkeypatch.chdir(tmp_path)
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def printed(capsys):
    """Run a command and return the JSON that it prints."""

    def run(*arguments):
        code = main([*map(str, arguments), "--format", "json"])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return json.loads(captured.out)

    return run
