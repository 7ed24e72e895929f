"""Starting Sonde.

The peers show what any program in Python, and any command line made with typer, spends before its first line.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from benchmarks.frame import Row, in_turn

ROUNDS = 15

_SONDE = str(Path(sys.executable).with_name("sonde"))


def rows() -> Iterable[Row]:
    """Times of a command that only prints."""
    peers = {"python -c pass": "pass", "python -c 'import typer'": "import typer"}
    acts = {"ours": partial(_run, _SONDE, "--help")}
    acts |= {name: partial(_run, sys.executable, "-c", program) for name, program in peers.items()}
    in_turn(acts, rounds=1)  # afterwards, all files are in memory
    times = in_turn(acts, ROUNDS)
    for name in peers:
        yield Row("`sonde --help`", times["ours"], "s", 0.3, f"`{name}`", times[name])


def _run(*words: str) -> None:
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
