"""The command line: arguments in, workflow, report out. One file a command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    from sonde.cli.app import app
    from sonde.cli.guarding import guarded

    sys.exit(guarded(app))
