"""Takes the profile of a benchmark: one run of it, under a profiler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from sonde.core.errors import MissingTool
from sonde.core.evidence import Activity, Language, Profile
from sonde.core.results import Failed, Metric
from sonde.effects.profiles.callgrind import CallgrindProfiler
from sonde.effects.profiles.python import PythonProfiler
from sonde.effects.runs import Meter, RunOrder, Runs, in_shell
from sonde.effects.runs.callgrind import find_valgrind
from sonde.effects.runs.choosing import perf_counts
from sonde.effects.runs.instruments import Instrument
from sonde.effects.sandbox import Processes, Sandbox


class Profiler(Enum):
    """How a profile is taken."""

    CALLGRIND = "callgrind"  # instructions of every function; 10 to 100 times slower
    PYTHON = "python"  # nanoseconds of every Python function; some times slower
    PERF = "perf"  # samples; some functions that ran may be missing


@dataclass(frozen=True)
class _Way:
    """What it takes to run a benchmark under a profiler."""

    instrument: Instrument[Profile]
    metric: Metric
    meter: Meter
    slower: float  # how much more time the benchmark is given


_WAYS: Mapping[Profiler, _Way] = {
    Profiler.CALLGRIND: _Way(CallgrindProfiler(), Metric.INSTRUCTIONS, Meter.CALLGRIND, 20.0),
    Profiler.PYTHON: _Way(PythonProfiler(), Metric.WALL, Meter.PLAIN, 5.0),
}


def profile(
    runs: Runs, order: RunOrder, build: Path, inputs: Path | None, lane: int, profiler: Profiler
) -> Profile | Failed:
    """What a benchmark executes, or why that cannot be said. Raises Abandoned after `Processes.end_all`.

    What the setup executes decides on what the benchmark works, so it is profiled as well, in a run of its
    own: a function that ran only there has an activity of zeros. The profile is not complete if there is a
    server, which is not watched, if the setup could not be profiled, or if a process was killed.
    """
    way = _WAYS[profiler]
    longer = 1.0 if order.meter is Meter.CALLGRIND else way.slower
    ours = replace(
        order,
        metric=way.metric,
        meter=way.meter,
        pattern="",
        warmups=0,
        timeout_seconds=order.timeout_seconds * longer,
    )
    watched = runs.watch(ours, way.instrument, build, inputs, lane)
    if isinstance(watched, Failed):
        return watched
    is_complete = watched.seen.is_complete and not watched.left_behind and order.server is None
    taken = replace(watched.seen, seconds=watched.seconds, is_complete=is_complete)
    if not order.setup:
        return taken
    alone = replace(
        ours, argv=in_shell(order.setup), setup="", teardown="", server=None, stdin="", exit_codes=(0,)
    )
    before = runs.watch(alone, way.instrument, build, inputs, lane)
    if isinstance(before, Failed):
        return replace(taken, is_complete=False)
    return _add_setup(
        taken, replace(before.seen, is_complete=before.seen.is_complete and not before.left_behind)
    )


def _add_setup(taken: Profile, setup: Profile) -> Profile:
    only_there = dict.fromkeys(setup.activities, Activity(0, 0, 0))
    is_watched = taken.opened is not None and setup.opened is not None
    return replace(
        taken,
        activities={**only_there, **taken.activities},
        outside_files={**setup.outside_files, **taken.outside_files},
        opened=(taken.opened or frozenset()) | (setup.opened or frozenset()) if is_watched else None,
        is_complete=taken.is_complete and setup.is_complete and not setup.nameless,
    )


def choose_profiler(languages: Iterable[Language], processes: Processes, sandbox: Sandbox) -> Profiler:
    """The profiler for a build of these languages; raises MissingTool if there is none."""
    if set(languages) == {Language.PYTHON}:
        return Profiler.PYTHON
    if find_valgrind() is not None:
        return Profiler.CALLGRIND
    if perf_counts(processes, sandbox):
        return Profiler.PERF
    raise MissingTool(
        "What a benchmark executes cannot be told here: valgrind is not installed, and the processor's "
        "counters are out of reach of perf. Install the Debian package valgrind."
    )
