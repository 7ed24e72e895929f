"""Data goes to stdout, everything else to stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def print_json(value: object) -> None:
    """One JSON document on stdout."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def stdout_width() -> int:
    """Columns of the terminal, or 100 where there is none; never less than 40."""
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def stdout_has_unicode() -> bool:
    """Whether stdout can show more than ASCII."""
    return "utf" in (sys.stdout.encoding or "").lower()


def stderr_console() -> Console:
    """The console for progress and warnings; plain in CI and wherever stderr is no terminal."""
    from rich.console import Console

    return Console(stderr=True, force_terminal=False if os.environ.get("CI") else None)
