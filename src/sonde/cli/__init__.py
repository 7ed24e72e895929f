"""The command line: arguments in, workflow, report out. One file a command."""

from __future__ import annotations

import sys
from contextlib import nullcontext


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    from sonde.cli.app import app
    from sonde.cli.git_bisect import WORD, only_verdicts
    from sonde.cli.terminal.guarding import crashes_apart, guarded

    with only_verdicts() if WORD in sys.argv else nullcontext(), crashes_apart():
        sys.exit(guarded(app))
