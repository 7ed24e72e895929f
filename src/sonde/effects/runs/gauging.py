"""Compiles the gauge, once a state folder."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from sonde.effects.half_made import new_folder
from sonde.effects.sandbox import Processes

SOURCE = Path(__file__).with_name("gauge.c")
COMPILERS = ("cc", "gcc", "clang")
USAGE = 2  # the exit code of a gauge that is told nothing


def find_compiler() -> str | None:
    """A C compiler, or None."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def gauge_name(source: Path) -> str:
    """How the gauge of a source is called."""
    return f"gauge-{hashlib.sha256(source.read_bytes()).hexdigest()[:16]}"


def find_gauge(state: Path, processes: Processes) -> Path | None:
    """The compiled gauge, or None if there is no C compiler or its programs do not run here."""
    tools = state / "tools"
    gauge = tools / gauge_name(SOURCE)
    compiler = find_compiler()
    if not gauge.exists() and compiler:
        tools.mkdir(parents=True, exist_ok=True)
        with new_folder(tools) as folder:
            new = folder / "gauge"
            ended = processes.run((compiler, "-O2", "-o", str(new), str(SOURCE)), timeout_seconds=60.0)
            if ended.succeeded:
                new.replace(gauge)
    if gauge.exists() and processes.run((str(gauge),), timeout_seconds=60.0).code == USAGE:
        return gauge
    return None
