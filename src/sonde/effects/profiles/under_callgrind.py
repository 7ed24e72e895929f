"""How a program runs under callgrind.

Two habits of callgrind would make the sum over all processes wrong:

- A forked process inherits the counts of its parent. So they are written out, and begin anew, just before.
- A process that becomes another program overwrites what it has written. So the counts are written out just
  before, too, and a script in the place of callgrind's own program moves them aside first.

Callgrind finds the functions that do so by their names, where they have one; `dumps` finds out where not.
Not among them is `clone`, by which threads begin as well: a dump at each would take 6 ms (valgrind 3.19).
A process that is killed from outside has no counts since its last dump.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from sonde.effects.profiles.dumps import BECOMING, FORKING, TIMES
from sonde.effects.runs.instruments import Words, join_complaints
from sonde.effects.runs.orders import METER
from sonde.effects.runs.valgrind import LIBRARY, LOG, LOGS, OF_ALL_CHILDREN, find_programs

COUNTS = "counts"  # a folder of the meter

LEAVING = (*FORKING, "posix_spawn@*", "posix_spawnp@*", *BECOMING)  # symbols can have a version

_SCRIPT = """#!/bin/sh
# The program that this process was before has written its counts and its log; keep them.
number=0
while ! /bin/mkdir {counts}/$$.before.$number 2>/dev/null; do number=$((number + 1)); done
read -r times </proc/$$/stat && echo "$times" >{counts}/$$.before.$number/{times}
/bin/mv {counts}/$$ {counts}/$$.[0-9]* {logs}/{log}.$$ {counts}/$$.before.$number/ 2>/dev/null
exec {program} "$@"
"""


def wrap(argv: Sequence[str], valgrind: str, details: Sequence[str] = ()) -> Words:
    """The words that run `argv` and all its children under callgrind; `details` are more options."""
    return (
        valgrind,
        "--quiet",
        "--tool=callgrind",
        "--dump-line=no",
        "--trace-children=yes",
        *OF_ALL_CHILDREN,
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
    programs = find_programs()
    for file in programs.iterdir() if programs else ():
        ours = meter / LIBRARY / file.name
        if file.name.startswith("callgrind-"):
            counts, logs = shlex.quote(f"{appears_as}/{COUNTS}"), shlex.quote(f"{appears_as}/{LOGS}")
            program = shlex.quote(str(file))
            ours.write_text(_SCRIPT.format(counts=counts, logs=logs, program=program, times=TIMES, log=LOG))
            ours.chmod(0o755)
        else:
            ours.symlink_to(file)


def read_complaints(meter: Path) -> str:
    """What valgrind itself has printed, without what it prints in every run."""
    files = (*(meter / COUNTS).glob(f"*/{LOG}.*"), *(meter / LOGS).glob("*"))
    return join_complaints(sorted(files), lambda line: "Using source line as position" in line)
