"""What can be guessed of a repository."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

BUILD_FOLDER = "sonde-build"  # `build` is often a folder of the repository itself
LIST_OUTPUTS = "ls -R {build}"


@dataclass(frozen=True)
class CommandGuess:
    """A benchmark's command that needs no input, and why it was chosen."""

    command: str
    reason: str
    exit_codes: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Guess:
    """How a repository is probably built, and what can be run of it."""

    evidence: str  # the file that the guess rests on; empty: there is none
    command: str
    outputs: tuple[str, ...]
    call: CommandGuess
    remarks: tuple[str, ...] = ()  # what Sonde could not know, and what to write
    network: bool = False
    sees_git: bool = False


Detector = Callable[[Path], Guess | None]


def look_at_outputs(kind: str) -> CommandGuess:
    """A call that works for any build, for want of a program to run."""
    return CommandGuess(
        LIST_OUTPUTS, f"Sonde found no program in {kind}, so this only lists the build. Run yours here."
    )
