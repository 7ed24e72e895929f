"""Which clang turns units into bitcode here."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass

from sonde.core.errors import MissingTool
from sonde.effects.sandbox.worlds import PATH

OLDEST, NEWEST = 14, 22  # what can be read later on
INSTALL = "Install the Debian package clang (apt-get install clang)"
NOT_INSTALLED = (
    "clang is not installed, but is needed to analyse how values flow through a program. "
    f"{INSTALL}; everything else works without it."
)
_TIMEOUT_SECONDS = 20.0


@dataclass(frozen=True)
class Clang:
    """A program that compiles C and C++."""

    program: str
    version: str  # in its own words, with that of its distribution


def find_clang(path: str = PATH) -> Clang:
    """The newest clang on `path` whose bitcode can be read; raises MissingTool if there is none.

    The path is that of builds: what a sandbox does not show is of no use.
    """
    numbered = [f"clang-{number}" for number in range(NEWEST, OLDEST - 1, -1)]
    unfit: list[str] = []
    for name in (*numbered, "clang"):
        program = shutil.which(name, path=path)
        version = "" if program is None else _version_of(program)
        number = re.search(r"clang version (\d+)", version)
        if program is not None and number is not None:
            if OLDEST <= int(number[1]) <= NEWEST:
                return Clang(program, version)
            unfit.append(number[1])
    if unfit:
        raise MissingTool(
            f"clang {unfit[0]} is installed, but only bitcode of clang {OLDEST} to {NEWEST} can be read. "
            f"{INSTALL}."
        )
    raise MissingTool(NOT_INSTALLED)


def _version_of(program: str) -> str:
    """The first line that it prints of itself; nothing if it does not run."""
    words = (program, "--version")
    try:
        ended = subprocess.run(words, capture_output=True, timeout=_TIMEOUT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ended.stdout.decode(errors="replace").partition("\n")[0].strip()
