"""Limits of what commands may take: as an order for programs inside, and in words when one is met."""

from __future__ import annotations

import os
import signal
from typing import Any

from sonde.core.subject import Limits
from sonde.effects.sandbox.ended import Ended

_OF_THE_MACHINE = 0.75  # of its memory, unless the project file says how much
_TOO_LARGE = ("File too large", "File size limit exceeded")  # as the C library and shells say it
_TABLE = "'{}' in [limits] of the project file"


def limits_of(limits: Limits, folders_in_memory: tuple[str, ...]) -> dict[str, Any]:
    """As `inside/limits.py` reads them."""
    return {
        "processes": limits.processes,
        "memory": _memory_bytes(limits),
        "file": limits.file_bytes,
        "open_files": limits.open_files,
        "folders_in_memory": folders_in_memory,
    }


def name_limit(ended: Ended, limits: Limits) -> str:
    """Which limit a command exceeded, or has perhaps met: a part of a sentence; empty if none."""
    if ended.exceeded == "processes":
        return f"it had more than {limits.processes:,} processes ({_TABLE.format('processes')})"
    if ended.exceeded == "memory":
        return f"it took more than {_size(_memory_bytes(limits))} of memory ({_TABLE.format('memory')})"
    if ended.code == -signal.SIGXFSZ or any(words in ended.output for words in _TOO_LARGE):
        return f"no file may have more than {_size(limits.file_bytes)} ({_TABLE.format('file')})"
    if not ended.succeeded and "Too many open files" in ended.output:
        return f"a process may open {limits.open_files:,} files ({_TABLE.format('open_files')})"
    return ""


def name_outputs_limit(size_bytes: int, limits: Limits) -> str:
    """A sentence about outputs that are too large; empty if they are not."""
    if size_bytes <= limits.outputs_bytes:
        return ""
    most = _size(limits.outputs_bytes)
    return f"The outputs have {_size(size_bytes)}, and may have {most} ({_TABLE.format('outputs')})."


def _memory_bytes(limits: Limits) -> int:
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return limits.memory_bytes or int(machine * _OF_THE_MACHINE)


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e9:.3g} GB" if size_bytes >= 10**9 else f"{size_bytes / 1e6:.3g} MB"
