"""Sonde finds the revision, the option and the benchmark behind a performance change."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from sonde.workflows.api import Session

__version__ = "0.2.0.dev0"


def open(start: str | Path = ".", state: str | Path | None = None, sandbox: bool = True) -> Session:
    """The project whose file is at `start`, or in the folder `start` or above it.

    sonde.open("path").measure("HEAD~20..").survey
    """
    from pathlib import Path

    from sonde.workflows.api import open_session

    return open_session(Path(start), None if state is None else Path(state), sandbox)
