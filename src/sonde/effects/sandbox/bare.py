"""No sandbox: commands see the whole machine, and targets are where their sources are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.errors import UsageError
from sonde.effects.sandbox.worlds import SandboxView, with_paths


@dataclass(frozen=True)
class Bare:
    """Runs commands on the machine as it is."""

    @property
    def is_isolated(self) -> bool:
        """False: nothing is out of reach."""
        return False

    @property
    def folders_in_memory(self) -> tuple[str, ...]:
        """None: those of the machine belong to others as well."""
        return ()

    def filter_of(self, world: SandboxView) -> bytes:
        """None."""
        return b""

    def wrap(self, world: SandboxView, argv: Sequence[str], filter_at: int = -1) -> tuple[str, ...]:
        """The same words."""
        return tuple(argv)

    def place(self, world: SandboxView, text: str) -> str:
        """`text`, with every target in it replaced by its source; see `require_one_word` for shell lines."""
        return with_paths(text, {mount.target: str(mount.source) for mount in world.mounts})


BARE = Bare()

_SPLITTING = re.compile(r"[^\w@%+=:,./~-]")


def require_one_word(folder: Path) -> None:
    """Raise UsageError unless a shell reads the path as one word, wherever in a line it is placed."""
    found = _SPLITTING.search(str(folder))
    if found:
        raise UsageError(
            f"{folder}: without a sandbox, shell commands name files in this folder, and a shell does not "
            f"accept {found.group()!r} in a path. Pass --state with another folder, or use the sandbox."
        )
