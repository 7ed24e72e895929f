"""How much a command and all that it begins may take.

The kernel keeps the limits of single processes. How many processes there are, and how much memory they take
together, is looked up now and then: the kernel would count what the user has outside of the sandbox as well.
"""

# pathlib and contextlib take long to import.
# ruff: noqa: PTH123

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from sonde.effects.sandbox.inside import keeper
else:
    import keeper

PROCESSES, MEMORY = "processes", "memory"  # as in the project file
FIRST_TO_END = b"1000"  # when the machine has no memory left
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def keep(limits: Mapping[str, Any]) -> None:
    """Give this process, and all that it begins, the limits that the kernel keeps."""
    import resource

    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
    ):
        soft, hard = resource.getrlimit(kind)
        hard = most if hard == resource.RLIM_INFINITY else min(hard, most)
        soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
        resource.setrlimit(kind, (soft, hard))
    try:
        with open("/proc/self/oom_score_adj", "wb") as file:
            file.write(FIRST_TO_END)
    except OSError:
        pass  # not everywhere can it be told


def exceeded(limits: Mapping[str, Any]) -> str:
    """Which limit the descendants of this process exceed together; empty: none."""
    processes = keeper.descendants(os.getpid())
    if len(processes) > limits[PROCESSES]:
        return PROCESSES
    stored = sum(map(_stored_bytes, limits["folders_in_memory"]))
    if stored + sum(map(_own_bytes, processes)) <= limits[MEMORY]:
        return ""
    # Pages that several processes share were counted for each of them; to tell them apart takes longer.
    return MEMORY if stored + sum(map(_share_bytes, processes)) > limits[MEMORY] else ""


def _own_bytes(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm", "rb") as file:
            _, resident, shared, *_ = file.read().split()
    except OSError:
        return 0  # it has ended
    return (int(resident) - int(shared)) * PAGE_BYTES


def _share_bytes(process: int) -> int:
    """What a process has of its own, and its part of what it shares."""
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss_Anon:"))
    except (OSError, StopIteration):
        return _own_bytes(process)


def _stored_bytes(folder: str) -> int:
    found = os.statvfs(folder)
    return (found.f_blocks - found.f_bfree) * found.f_frsize
