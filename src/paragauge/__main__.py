"""``python -m paragauge``."""

from paragauge.cli.main import run

run()
