"""Instructions of every configuration, the C library's included, by one callgrind per program.

The program forks a child per configuration. What it executes before `main` is left out by the children. It is
the same in all configurations but for a few instructions, and is added again: a run of the default
configuration on its own tells how much it is.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from sonde.core.options import Configuration, Option, Phase
from sonde.space.words import Spelling, spell
from studies.impact.generated.c.compiling import COMPILER
from studies.impact.generated.subjects import Invalid

_SOURCE = Path(__file__).with_name("forking.c")
_TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)
_VALGRIND = Path(
    "/usr/bin/valgrind.bin"
)  # on Debian `valgrind` is a script that a library would be loaded into
_TOOLS = "/usr/libexec/valgrind"
_CALLGRIND = ("--quiet", "--tool=callgrind", "--vgdb=no")
TIMEOUT_SECONDS = 300


def spellings(options: Sequence[Option], configurations: Sequence[Configuration]) -> list[Spelling]:
    """The words and variables of each configuration, as Sonde gives them."""
    return [spell(options, each, Phase.LOAD, lambda _: True) for each in configurations]


def count_children(program: Path, wanted: Sequence[Spelling], folder: Path) -> list[str] | Invalid:
    """What callgrind wrote of each configuration; nothing before `main` is in it."""
    with TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        plan, result = place / "plan", place / "result"
        plan.write_bytes(b"".join(f"{word}\0".encode() for each in wanted for word in _plan(each)))
        variables = {"FORKING_PLAN": str(plan), "FORKING_RESULT": str(result), "LD_PRELOAD": str(_library())}
        failed = _callgrind(program, (), place / "%p", variables)
        if failed is not None:
            return failed
        found = []
        for line in result.read_text().splitlines():
            process, status = line.split()
            if status != "0":
                return Invalid(f"a configuration fails: status {status}")
            found.append((place / process).read_text())
    return found if len(found) == len(wanted) else Invalid("some configurations did not run")


def count_alone(program: Path, wanted: Spelling, folder: Path) -> int | Invalid:
    """All that one run executes, as the product counts it."""
    with TemporaryDirectory(dir=folder) as name:
        written = Path(name) / "counts"
        failed = _callgrind(program, wanted.words, written, dict(wanted.variables))
        return failed if failed is not None else total_of(written.read_text())


def total_of(written: str) -> int:
    """The instructions of what callgrind wrote."""
    found = _TOTAL.search(written)
    assert found is not None
    return int(found[1])


def _callgrind(program: Path, words: Sequence[str], to: Path, variables: dict[str, str]) -> Invalid | None:
    line = [str(_VALGRIND), *_CALLGRIND, f"--callgrind-out-file={to}", str(program), *words]
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "VALGRIND_LIB": _TOOLS, **variables}
    try:
        ended = subprocess.run(
            line,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Invalid("takes too long")
    if ended.returncode:
        return Invalid(f"fails: {ended.returncode} {ended.stderr[-300:].decode(errors='replace')}")
    return None


def _plan(spelling: Spelling) -> list[str]:
    variables = [f"{name}={value}" for name, value in spelling.variables.items()]
    return [str(len(spelling.words)), *spelling.words, str(len(variables)), *variables]


@cache
def _library() -> Path:
    """The library that forks; it is compiled once a process."""
    folder = Path(mkdtemp(prefix="sonde-forking-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = folder / "forking.so"
    words = [COMPILER, "-O2", "-shared", "-fPIC", str(_SOURCE), "-o", str(library), "-ldl"]
    subprocess.run(words, check=True)
    return library
