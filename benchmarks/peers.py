"""Peers, which live in an environment of their own (`make bench` makes it)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

PYTHON = Path(os.environ.get("SONDE_PEERS", ".venv-peers")) / "bin" / "python"


def is_installed(package: str) -> bool:
    """Whether a peer is there."""
    return not why_missing(package)


def why_missing(package: str, python: Path = PYTHON) -> str:
    """Why a peer is not there; empty if it is."""
    if not python.exists():
        return "not installed"
    words = [str(python), "-c", f"import {package}"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    if not ended.returncode:
        return ""
    error = ended.stderr.strip().rpartition("\n")[2]
    return "not installed" if error.startswith("ModuleNotFoundError") else f"does not load ({_short(error)})"


def seconds_of_peer(program: str, *arguments: str) -> float:
    """What a Python program prints: the seconds that it took, without its own start."""
    words = [str(PYTHON), "-c", program, *arguments]
    return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def _short(error: str) -> str:
    """An error without the paths of this machine."""
    return " ".join(word for word in error.partition(" (required")[0].split() if "/" not in word)
