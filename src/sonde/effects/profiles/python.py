"""Profiles of Python programs by cProfile: every function that was called, with its nanoseconds.

A module is put where every Python process of the benchmark imports it at its start. It profiles that process
with its threads, and those that it forks or starts, until the interpreter is gone. It does not see a Python
that ignores its environment (`python -I`, `-E`, `-S`), nor what a process did that was killed, as
`with Pool()` may kill its workers: then the profile is not complete. Nor is it where strace is not installed
or may not trace, for strace tells which files were opened, and whether some Python was not seen.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sonde.core.evidence import Activity, Aspect, CostUnit, Profile, ProfiledFunction
from sonde.effects.profiles.looked_at import SUFFIX, find_looked_at
from sonde.effects.profiles.mentions import Mention, read_mentions
from sonde.effects.profiles.outside import digest_outside
from sonde.effects.profiles.places import RunPaths
from sonde.effects.profiles.python_processes import FunctionRow, Process, RecordedProcesses, read_processes
from sonde.effects.runs.instruments import RunFolders, Variables, Words
from sonde.effects.runs.orders import METER

INSIDE = Path(__file__).with_name("python_inside")
MODULES_INSIDE = ("sonde_recorder.py", "sonde_hearing.py", "sitecustomize.py", "usercustomize.py")
VERSIONS = tuple(f"3.{minor}" for minor in range(8, 30))
MODULES, USER, PROFILES, TRACE, SCRIPT = "modules", "user", "profiles", "trace", "watch"  # of the meter
BUILT_IN = "(built-in)"  # the file of functions that are not written in Python

# Modules of the standard library that make something of docstrings; others hand them on.
READERS = frozenset({"cmd", "dis", "doctest", "inspect", "pdb", "pydoc", "timeit", "unittest", "xmlrpc"})

NO_PYTHON = (
    "The run ended well, but no Python process was profiled. Does the benchmark run "
    "Python, and without options such as -I, -E or -S?"
)

_SCRIPT = """#!/bin/sh
if strace -o /dev/null true 2>/dev/null; then
    exec strace -f -qq --seccomp-bpf -e trace=%file -e signal=none -o {trace} "$@"
fi
exec "$@"
"""

_STARTED = re.compile(r'^(\d+) +execve\("[^"]*/python[0-9.]*", .* = 0$', re.MULTILINE)


@dataclass(frozen=True)
class PythonProfiler:
    """Tells what each Python function did, in nanoseconds."""

    writes: bool = True
    programs: Words = (MODULES, USER, SCRIPT)
    variables: Variables = ()
    around_gauge: Words = ()

    def wrap(self, argv: Words, variables: Mapping[str, str]) -> Words:
        """The words that run it with our module in front of its own."""
        own = f"PYTHONPATH={METER}/{MODULES}"
        given = variables.get("PYTHONPATH", "")
        names = (
            f"{own}:{given}" if given else own,
            f"PYTHONUSERBASE={METER}/{USER}",
            f"SONDE_PROFILES={METER}/{PROFILES}",
        )
        # A command may set the path itself, as in `PYTHONPATH=src python3 bench.py`.
        words = [word.replace("PYTHONPATH=", f"{own}:") for word in argv]
        return (f"{METER}/{SCRIPT}", "/usr/bin/env", *names, *words)

    @contextmanager
    def attached(self, meter: Path, appears_as: str) -> Iterator[None]:
        """Put our modules, and the script that begins the run, into the meter's folder."""
        (meter / PROFILES).mkdir()
        (meter / MODULES).mkdir()
        for module in MODULES_INSIDE:
            shutil.copy(INSIDE / module, meter / MODULES)
        for version in VERSIONS:  # where each looks for modules of the user
            folder = meter / USER / "lib" / f"python{version}"
            folder.mkdir(parents=True)
            (folder / "site-packages").symlink_to(f"../../../{MODULES}")
        (meter / SCRIPT).write_text(_SCRIPT.format(trace=shlex.quote(f"{appears_as}/{TRACE}")))
        (meter / SCRIPT).chmod(0o755)
        yield

    def read(self, scene: RunFolders) -> Profile | str:
        """The profile, or why there is none."""
        found = read_processes(scene.meter / PROFILES)
        if not found.processes:
            return NO_PYTHON
        trace = scene.meter / TRACE
        places, mentions = RunPaths(scene), read_mentions([trace]) if trace.exists() else None
        taken = _read_profile(found.processes, places, mentions or ())
        gap = _gap(found, trace, mentions is not None)
        opened = None if mentions is None else find_looked_at(found.processes, mentions, trace, places)
        return replace(taken, opened=opened, is_complete=not gap, gap=gap)

    def read_complaints(self, meter: Path) -> str:
        """Nothing: Python prints what it has to say beside what the benchmark prints."""
        return ""


def started_python(trace: Path) -> frozenset[str]:
    """The numbers of the processes that became a Python, as strace has seen it."""
    text = trace.read_text(errors="replace") if trace.exists() else ""
    return frozenset(_STARTED.findall(text))


def _gap(found: RecordedProcesses, trace: Path, is_traced: bool) -> str:
    """Why functions that ran may be missing; empty if there is no reason."""
    if not trace.exists():
        return (
            "strace is not installed or not permitted to trace, so it is unknown which programs were started"
        )
    if not is_traced:
        return "too many files were opened to examine them"
    if found.gap:
        return found.gap
    if not started_python(trace) <= found.numbers:
        return "a Python process was not observed, perhaps because of -I, -E or -S"
    return next((process.gap for process in found.processes if process.gap), "")


def _read_profile(processes: Sequence[Process], places: RunPaths, mentions: Iterable[Mention]) -> Profile:
    activities: dict[ProfiledFunction, Activity] = {}
    outside: dict[str, int] = {}
    aspects: set[Aspect] = set()
    for process in processes:
        for row in process.functions:
            output = places.output(row.file) if row.file.startswith("/") else None
            if places.is_of_meter(row.file):
                continue
            aspects |= _aspects(row, process, is_ours=output is not None)
            own = round(row.own_seconds * 1e9)
            if output is None or not output.endswith(SUFFIX):
                # Code from a file that is no module is known by the bytes of that file, if it was opened.
                path = places.outside(row.file) if row.file else BUILT_IN
                outside[path] = outside.get(path, 0) + own
                continue
            place = ProfiledFunction(output, "", row.name)
            before = activities.get(place, Activity(0, 0, 0))
            inclusive = before.inclusive + round(row.inclusive_seconds * 1e9)
            activities[place] = Activity(before.calls + row.calls, before.own + own, inclusive)
    loaded = {file for process in processes for file in process.files}
    executed = {path for path in outside if places.output(path) is None}
    return Profile(
        CostUnit.NANOSECONDS,
        activities,
        0,
        outside,
        digest_outside(loaded | executed, mentions, places),
        opened=None,
        interpreters=frozenset(process.interpreter for process in processes),
        modules=frozenset(word for process in processes for word in process.asked),
        aspects=frozenset(aspects),
    )


def _aspects(row: FunctionRow, process: Process, is_ours: bool) -> set[Aspect]:
    """What a function may look at; of line numbers, what the libraries do does not count."""
    found = {Aspect.LINES} if row.has_lines and is_ours else set()
    if row.has_docstrings and (not process.is_of_library(row.file) or _is_reader(row)):
        found.add(Aspect.DOCSTRINGS)
    return found


def _is_reader(row: FunctionRow) -> bool:
    """Whether a function of the standard library makes something of docstrings that it is given."""
    words = PurePosixPath(row.file).with_suffix("").parts
    return row.name != "<module>" and not READERS.isdisjoint(words)
