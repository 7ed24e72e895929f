"""Profiles by sampling with `perf record`: cheap, but functions that ran for a short time may be missing.

Samples are taken by instructions of the processor's counter, or by time where it has none. They say in which
function the program was, not how it came there: the calls are not known, and the inclusive cost is the own.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sonde.core.evidence import Activity, CostUnit, Profile, ProfiledFunction
from sonde.effects.profiles.outside import digest_outside
from sonde.effects.profiles.places import RunPaths
from sonde.effects.runs.instruments import RunFolders, Variables, Words
from sonde.effects.runs.orders import METER

SCRIPT, RECORDING, SAMPLES = "record", "recording", "samples"  # files of the meter
UNKNOWN = "[unknown]"
NO_SAMPLES = (
    "The run ended well, but perf took no samples: it was too short, or perf is not permitted to record here."
)

_SCRIPT = """#!/bin/sh
event=instructions:u
perf record -q -e $event -o {recording} -- true >/dev/null 2>&1 || event=task-clock:u
perf record -q -e $event -o {recording} -- "$@"
code=$?
perf script -i {recording} -F ip,sym,dso --no-demangle >{samples} 2>/dev/null
exit $code
"""
_SAMPLE = re.compile(r"^ *[0-9a-f]+ (\S+) \((.*)\)$")


@dataclass(frozen=True)
class PerfProfiler:
    """Tells in which functions the samples were taken."""

    writes: bool = True
    programs: Words = (SCRIPT,)
    variables: Variables = ()
    around_gauge: Words = (f"{METER}/{SCRIPT}",)

    def wrap(self, argv: Words, variables: Mapping[str, str]) -> Words:
        """The same words: perf stands around the gauge."""
        return argv

    @contextmanager
    def attached(self, meter: Path, appears_as: str) -> Iterator[None]:
        """Write the script that records, and names the samples where their files are seen."""
        recording, samples = (shlex.quote(f"{appears_as}/{name}") for name in (RECORDING, SAMPLES))
        (meter / SCRIPT).write_text(_SCRIPT.format(recording=recording, samples=samples))
        (meter / SCRIPT).chmod(0o755)
        yield

    def read(self, scene: RunFolders) -> Profile | str:
        """The profile, or why there is none."""
        file = scene.meter / SAMPLES
        samples = read_samples(file.read_text(errors="backslashreplace")) if file.exists() else Counter()
        return _profile(samples, RunPaths(scene)) if samples else NO_SAMPLES

    def read_complaints(self, meter: Path) -> str:
        """Nothing: perf prints what it has to say beside what the benchmark prints."""
        return ""


def read_samples(text: str) -> Counter[tuple[str, str]]:
    """The number of samples of each file and symbol in what `perf script -F ip,sym,dso` printed."""
    found = (_SAMPLE.match(line) for line in text.splitlines())
    return Counter((match[2], match[1]) for match in found if match)


def _profile(samples: Counter[tuple[str, str]], places: RunPaths) -> Profile:
    activities: dict[ProfiledFunction, Activity] = {}
    outside: Counter[str] = Counter()
    nameless = 0
    for (file, symbol), number in samples.items():
        output = (places.output(file) or places.original(file)) if file.startswith("/") else None
        if output is None:
            outside[places.outside(file) if file.startswith("/") else file] += number
        elif symbol == UNKNOWN:
            nameless += number
        else:
            activities[ProfiledFunction(output, "", symbol)] = Activity(0, number, number)
    return Profile(
        CostUnit.SAMPLES,
        activities,
        nameless,
        dict(outside),
        digest_outside(outside, (), places),
        opened=None,
        is_complete=False,
    )
