"""Takes the profile of a benchmark: one run of it, under a profiler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from sonde.core.errors import MissingTool
from sonde.core.evidence import Activity, ExecutedInstructions, Language, Profile, ProfiledFunction
from sonde.core.results import Failed, Metric
from sonde.effects.profiles.callgrind import CallgrindProfiler
from sonde.effects.profiles.perf import PerfProfiler
from sonde.effects.profiles.python import PythonProfiler
from sonde.effects.runs import Meter, RunOrder, SandboxRuns, in_shell
from sonde.effects.runs.choosing import perf_counts
from sonde.effects.runs.instruments import Instrument
from sonde.effects.runs.valgrind import find_valgrind
from sonde.effects.sandbox import Processes, Sandbox

COUNTED = 6.0  # how much slower a profile is than counting alone


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
    Profiler.CALLGRIND: _Way(CallgrindProfiler(), Metric.INSTRUCTIONS, Meter.VALGRIND, 20.0),
    Profiler.PYTHON: _Way(PythonProfiler(), Metric.WALL, Meter.PLAIN, 5.0),
    Profiler.PERF: _Way(PerfProfiler(), Metric.INSTRUCTIONS, Meter.PERF, 2.0),
}


def profile(
    runs: SandboxRuns, order: RunOrder, build: Path, inputs: Path | None, lane: int, profiler: Profiler
) -> Profile | Failed:
    """What a benchmark executes, or why that cannot be said. Raises Abandoned after `Processes.end_all`.

    What the setup and the warm-up runs execute decides on what the measured run works. So the setup, and a
    run that is not warmed up, are profiled as well, each in a run of its own: a function that ran only there
    has an activity of zeros. The profile is not complete if there is a server, which is not watched, if the
    setup could not be profiled, or if a process was killed.
    """
    way = _WAYS[profiler]
    longer = COUNTED if order.meter is Meter.VALGRIND else way.slower
    timeout_seconds = order.timeout_seconds * longer
    ours = replace(order, metric=way.metric, meter=way.meter, pattern="", timeout_seconds=timeout_seconds)

    def take(wanted: RunOrder) -> Profile | Failed:
        watched = runs.watch(wanted, way.instrument, build, inputs, lane)
        if isinstance(watched, Failed):
            return watched
        seen = replace(watched.seen, seconds=watched.seconds)
        return _incomplete(seen, "it left processes behind") if watched.left_behind else seen

    taken = take(ours)
    for earlier in _earlier(ours):
        if isinstance(taken, Profile):
            taken = _add(taken, take(earlier))
    if isinstance(taken, Failed) or order.server is None:
        return taken
    return _incomplete(taken, "its server is not watched")


def _incomplete(taken: Profile, gap: str) -> Profile:
    """The same profile, but something may be missing."""
    return replace(taken, is_complete=False, gap=taken.gap or gap)


def _earlier(order: RunOrder) -> Iterator[RunOrder]:
    """What happens before the measured run, each as a run of its own."""
    if order.setup:
        line = in_shell(order.setup)
        alone = replace(order, argv=line, setup="", teardown="", server=None, stdin="", exit_codes=(0,))
        yield replace(alone, warmups=0)
    if order.warmups:
        yield replace(order, warmups=0)


def _add(taken: Profile, earlier: Profile | Failed) -> Profile:
    """The same profile, that also knows what was reached earlier."""
    if isinstance(earlier, Failed):
        return _incomplete(taken, "what happens before the measured run could not be profiled")
    modules = None if taken.modules is None or earlier.modules is None else taken.modules | earlier.modules
    opened = None if taken.opened is None or earlier.opened is None else taken.opened | earlier.opened
    return replace(
        taken,
        activities={**dict.fromkeys(earlier.activities, Activity(0, 0, 0)), **taken.activities},
        outside_files={**earlier.outside_files, **taken.outside_files},
        opened=opened,
        is_complete=taken.is_complete and earlier.is_complete and not earlier.nameless,
        gap=taken.gap or earlier.gap,
        interpreters=taken.interpreters | earlier.interpreters,
        modules=modules,
        aspects=taken.aspects | earlier.aspects,
        executed=_with_earlier(taken.executed, earlier.executed),
    )


def _with_earlier(
    taken: Mapping[ProfiledFunction, ExecutedInstructions],
    earlier: Mapping[ProfiledFunction, ExecutedInstructions],
) -> Mapping[ProfiledFunction, ExecutedInstructions]:
    """The same instructions, and without a cost those that ran only earlier."""
    found = dict(taken)
    for function, before in earlier.items():
        now = taken.get(function, ExecutedInstructions((), (), ()))
        costs = dict.fromkeys(before.offsets, (0, 0))
        costs |= zip(now.offsets, zip(now.own, now.elsewhere, strict=True), strict=True)
        own, elsewhere = zip(*(costs[offset] for offset in sorted(costs)), strict=True)
        found[function] = ExecutedInstructions(tuple(sorted(costs)), own, elsewhere)
    return found


def choose_profiler(languages: Iterable[Language], processes: Processes, sandbox: Sandbox) -> Profiler:
    """The profiler for a build of these languages; raises MissingTool if there is none."""
    if set(languages) == {Language.PYTHON}:
        return Profiler.PYTHON
    if find_valgrind() is not None:
        return Profiler.CALLGRIND
    if perf_counts(processes, sandbox):
        return Profiler.PERF
    raise MissingTool(
        "Benchmarks cannot be profiled here: valgrind is not installed, and perf cannot "
        "access the processor's counters. Install the Debian package valgrind."
    )
