"""What the commands say of themselves, as golden files."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from sonde.cli.app import app

COMMANDS = [
    "check",
    "demo",
    "doctor",
    "history",
    "impact",
    "init",
    "measure",
    "pinpoint",
    "prune",
    "replay",
    "replay history",
    "replay pinpoint",
    "replay select",
    "report",
    "schema",
    "select",
    "show",
]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_reads_as_it_should(golden, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")
    words = [*command.split(), "--help"]

    result = CliRunner().invoke(app, words)

    assert result.exit_code == 0
    text = "\n".join(line.rstrip() for line in result.output.splitlines())
    golden(f"cli/help-{command.replace(' ', '-') or 'sonde'}.txt", text + "\n")
