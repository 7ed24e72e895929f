"""Instructions by simulation, counted by callgrind.

A run under callgrind reports nothing else, since it takes 10 to 100 times as long. Two habits of callgrind
would make the sum over all processes wrong:

- A forked process inherits the counts of its parent. So they are written out, and begin anew, just before.
- A process that becomes another program overwrites what it has written. So the counts are written out just
  before, too, and a script in the place of callgrind's own program moves them aside first.

Callgrind finds the functions that do so by their names, where they have one; `dumps` finds out where not.
Not among them is `clone`, by which threads begin as well: a dump at each would take 6 ms (valgrind 3.19).
A process that is killed from outside has no counts since its last dump.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.effects.runs.dumps import BECOMING, FORKING, LOG, TIMES, read_lives, sum_instructions
from sonde.effects.runs.instruments import Scene, Variables, Words, join_complaints
from sonde.effects.runs.orders import METER

COUNTS = "counts"  # folders of the meter
LOGS = "logs"
LIBRARY = "library"

LEAVING = (*FORKING, "posix_spawn@*", "posix_spawnp@*", *BECOMING)  # symbols can have a version

# Where distributions put the programs behind `valgrind`.
PLACES = ("/usr/libexec/valgrind", "/usr/lib/valgrind", "/usr/lib64/valgrind", "/usr/local/libexec/valgrind")

_SCRIPT = """#!/bin/sh
# The program that this process was before has written its counts and its log; keep them.
number=0
while ! /bin/mkdir {counts}/$$.before.$number 2>/dev/null; do number=$((number + 1)); done
read -r times </proc/$$/stat && echo "$times" >{counts}/$$.before.$number/{times}
/bin/mv {counts}/$$ {counts}/$$.[0-9]* {logs}/{log}.$$ {counts}/$$.before.$number/ 2>/dev/null
exec {program} "$@"
"""


def find_valgrind() -> str | None:
    """The program, or None. On Debian it is behind a script that would add to the environment."""
    return shutil.which("valgrind.bin") or shutil.which("valgrind")


def wrap(argv: Sequence[str], valgrind: str, details: Sequence[str] = ()) -> Words:
    """The words that count the instructions of `argv` and all its children; `details` are more options."""
    return (
        valgrind,
        "--quiet",
        "--tool=callgrind",
        "--dump-line=no",
        "--trace-children=yes",
        f"--callgrind-out-file={METER}/{COUNTS}/%p",
        f"--log-file={METER}/{LOGS}/{LOG}.%p",
        *(f"--dump-before={function}" for function in LEAVING),
        *details,
        "--",
        *argv,
    )


VARIABLES = (("VALGRIND_LIB", f"{METER}/{LIBRARY}"),)


def prepare(meter: Path, appears_as: str) -> None:
    """Make the folders that a run under callgrind needs in `meter`, which appears as a path to the run."""
    for name in (COUNTS, LOGS, LIBRARY):
        (meter / name).mkdir(parents=True)
    programs = next((Path(place) for place in PLACES if any(Path(place).glob("callgrind-*"))), None)
    for file in programs.iterdir() if programs else ():
        ours = meter / LIBRARY / file.name
        if file.name.startswith("callgrind-"):
            counts, logs = shlex.quote(f"{appears_as}/{COUNTS}"), shlex.quote(f"{appears_as}/{LOGS}")
            program = shlex.quote(str(file))
            ours.write_text(_SCRIPT.format(counts=counts, logs=logs, program=program, times=TIMES, log=LOG))
            ours.chmod(0o755)
        else:
            ours.symlink_to(file)


def read_instructions(meter: Path) -> float | str:
    """The instructions of all processes, or why they are not known."""
    return sum_instructions(read_lives(meter / COUNTS))


def read_complaints(meter: Path) -> str:
    """What valgrind itself has printed, without what it prints in every run."""
    files = (*(meter / COUNTS).glob(f"*/{LOG}.*"), *(meter / LOGS).glob("*"))
    return join_complaints(sorted(files), lambda line: "Using source line as position" in line)


@dataclass(frozen=True)
class CallgrindMeter:
    """Counts the instructions of all processes."""

    writes: bool = True
    programs: Words = (LIBRARY,)
    variables: Variables = VARIABLES
    around_gauge: Words = ()

    def wrap(self, argv: Words, variables: Mapping[str, str]) -> Words:
        """The words that run it under callgrind."""
        return wrap(argv, find_valgrind() or "valgrind")

    def prepare(self, meter: Path, appears_as: str) -> None:
        """Make the folders that callgrind needs."""
        prepare(meter, appears_as)

    def read(self, scene: Scene) -> float | str:
        """The instructions, or why they are not known."""
        return read_instructions(scene.meter)

    def read_complaints(self, meter: Path) -> str:
        """What valgrind itself has printed."""
        return read_complaints(meter)
