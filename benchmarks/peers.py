"""Peers, which live in an environment of their own (`make bench` makes it)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_PYTHON = Path(os.environ.get("SONDE_PEERS", ".venv-peers")) / "bin" / "python"


def is_installed(package: str) -> bool:
    """Whether a peer is there."""
    words = [str(_PYTHON), "-c", f"import {package}"]
    return _PYTHON.exists() and subprocess.run(words, capture_output=True, check=False).returncode == 0


def seconds_of_peer(program: str, *arguments: str) -> float:
    """What a Python program prints: the seconds that it took, without its own start."""
    words = [str(_PYTHON), "-c", program, *arguments]
    return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
