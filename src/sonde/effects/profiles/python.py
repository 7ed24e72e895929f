"""Profiles of Python programs by cProfile: every function that was called, with its nanoseconds.

A module is put where every Python process of the benchmark imports it at its start. It profiles that process
with its threads, and those that it forks or starts. It does not see a Python that ignores its environment
(`python -I`, `-E`, `-S`), nor what a process did that was killed, as `with Pool()` may kill its workers: then
the profile is not complete. Which files are opened, and whether some Python was not seen, is watched by
strace, where it is installed and may trace; folders that a function of another language lists are not seen.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonde.core.evidence import Activity, Place, Profile, Unit
from sonde.effects.profiles.mentions import Mention, read_mentions
from sonde.effects.profiles.opened import find_opened
from sonde.effects.profiles.outside import digest_outside
from sonde.effects.profiles.places import Places
from sonde.effects.runs.instruments import Scene, Variables, Words
from sonde.effects.runs.orders import METER

INSIDE = Path(__file__).with_name("python_inside")
MODULES_INSIDE = ("sonde_recorder.py", "sitecustomize.py", "usercustomize.py")
VERSIONS = tuple(f"3.{minor}" for minor in range(8, 30))
MODULES, USER, PROFILES, TRACE, SCRIPT = "modules", "user", "profiles", "trace", "watch"  # of the meter
BUILT_IN = "(built-in)"  # the file of functions that are not written in Python

NO_PYTHON = (
    "The run ended well, but no Python process of it could be profiled. Does the benchmark run Python, and "
    "without options such as -I, -E or -S?"
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

    def prepare(self, meter: Path, appears_as: str) -> None:
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

    def read(self, scene: Scene) -> Profile | str:
        """The profile, or why there is none."""
        files = [file for file in sorted((scene.meter / PROFILES).iterdir()) if file.suffix != ".new"]
        processes = [json.loads(text) for file in files if (text := file.read_text())]
        if not processes:
            return NO_PYTHON
        trace = scene.meter / TRACE
        seen = {file.name.partition(".")[0] for file in files}
        is_complete = (
            len(processes) == len(files)
            and all(process["is_whole"] for process in processes)
            and started_python(trace) <= seen
        )
        return _read_profile(processes, Places(scene), trace, is_complete)

    def read_complaints(self, meter: Path) -> str:
        """Nothing: Python prints what it has to say beside what the benchmark prints."""
        return ""


def started_python(trace: Path) -> frozenset[str]:
    """The numbers of the processes that became a Python, as strace has seen it."""
    text = trace.read_text(errors="replace") if trace.exists() else ""
    return frozenset(_STARTED.findall(text))


def _read_profile(processes: list[dict[str, Any]], places: Places, trace: Path, is_complete: bool) -> Profile:
    activities: dict[Place, Activity] = {}
    outside: dict[str, int] = {}
    for file, name, calls, own_seconds, inclusive_seconds in _rows(processes):
        output = places.output(file) if file.startswith("/") else None
        own = round(own_seconds * 1e9)
        if output is None:
            path = places.outside(file) if file else BUILT_IN
            if not places.is_of_meter(file):
                outside[path] = outside.get(path, 0) + own
            continue
        place = Place(output, "", name)
        before = activities.get(place, Activity(0, 0, 0))
        activities[place] = Activity(
            before.calls + calls, before.own + own, before.inclusive + round(inclusive_seconds * 1e9)
        )
    loaded = {file for process in processes for file in process["files"]}
    mentions = read_mentions([trace]) if trace.exists() else None
    return Profile(
        Unit.NANOSECONDS,
        activities,
        0,
        outside,
        digest_outside(loaded | set(outside), mentions or (), places),
        None if mentions is None else _find_opened(mentions, processes, places, activities),
        is_complete,
    )


def _rows(processes: Iterable[dict[str, Any]]) -> Iterable[tuple[str, str, int, float, float]]:
    return (tuple(row) for process in processes for row in process["functions"])


def _find_opened(
    mentions: Iterable[Mention], processes: Iterable[dict[str, Any]], places: Places, ran: Iterable[Place]
) -> frozenset[str]:
    """What was opened, beside the modules that were imported; and where others would have been found."""
    opened = find_opened(mentions, places, frozenset())
    files = {output for output in opened if not places.is_folder(output)}
    return frozenset((files | set(_noticed(processes, places))) - {place.output for place in ran})


def _noticed(processes: Iterable[dict[str, Any]], places: Places) -> Iterable[str]:
    """Folders that were listed, and files that would be imported if they were there."""
    for process in processes:
        for folder in process["listed"]:
            if (output := places.output(folder)) is not None:
                yield output
        for name in process["asked"]:
            *packages, last = name.split(".")
            for folder in process["path"]:
                output = places.output("/".join([folder, *packages, last]))
                if output is not None:
                    yield from (f"{output}.py", f"{output}/__init__.py")
