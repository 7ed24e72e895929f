"""What a command inside a sandbox sees of the machine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sonde.core.subject import USUAL_LIMITS, Limits

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def in_shell(line: str) -> tuple[str, ...]:
    """The words that make a shell run `line`."""
    return ("/bin/sh", "-c", line)


def with_paths(text: str, paths: Mapping[str, str]) -> str:
    """`text`, with each path that is a key replaced. A path ends where its last name ends."""
    if not paths:
        return text
    longest_first = sorted(paths, key=len, reverse=True)  # one may lie within another one
    pattern = f"({'|'.join(map(re.escape, longest_first))})(?![\\w-]|\\.\\w)"
    return re.sub(pattern, lambda match: paths[match.group()], text)


@dataclass(frozen=True)
class Mount:
    """A file or folder of the machine, `source`, that appears as `target`."""

    source: Path
    target: str
    writable: bool = False

    def __post_init__(self) -> None:
        if not self.target.startswith("/") or not self.source.is_absolute():
            raise ValueError(f"a mount needs two absolute paths, not {self.source} and {self.target}")


@dataclass(frozen=True)
class SandboxView:
    """Everything that a command sees beside the system's own programs and libraries."""

    mounts: tuple[Mount, ...] = ()  # a later one may lie within an earlier one
    folder: str = "/"  # the working folder, as a target
    variables: tuple[tuple[str, str], ...] = (("PATH", PATH),)  # the whole environment
    network: bool = False
    allows_counters: bool = False  # of the processor, for programs that count by them
    limits: Limits = USUAL_LIMITS
    moved: tuple[tuple[str, str], ...] = ()  # targets that lie elsewhere as well, and are named there


EMPTY = SandboxView()


class Sandbox(Protocol):
    """Shows a world to a command."""

    @property
    def is_isolated(self) -> bool:
        """Whether targets are real, and all else is out of reach."""

    @property
    def folders_in_memory(self) -> tuple[str, ...]:
        """Folders of the sandbox's own whose files take memory."""

    def filter_of(self, world: SandboxView) -> bytes:
        """The kernel's filter of system calls; empty if there is none."""

    def wrap(self, world: SandboxView, argv: Sequence[str], filter_at: int = -1) -> tuple[str, ...]:
        """The words that run `argv` in `world`; the filter is read from a descriptor, if one is given."""

    def place(self, world: SandboxView, text: str) -> str:
        """`text`, with every target in it replaced by the path where it appears."""
