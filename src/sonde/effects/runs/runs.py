"""Runs benchmarks, one at a time a lane."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic

from pydantic import TypeAdapter

from sonde.core.errors import MissingTool, ProjectFileError
from sonde.core.results import Failed, Metric, Stage
from sonde.core.subject import USUAL_LIMITS, Limits, Surroundings
from sonde.effects.runs.counter import CounterMeter, make_counter
from sonde.effects.runs.gauging import find_gauge
from sonde.effects.runs.inputs import lay_out, mount_inputs
from sonde.effects.runs.instruments import Instrument, RunFolders, Seen, Unwatched, Watched
from sonde.effects.runs.orders import BUILD, METER, SCRATCH, Meter, RunOrder
from sonde.effects.runs.perf import PerfMeter
from sonde.effects.runs.reports import FULL_DISK, RunReport, read_failure, read_report
from sonde.effects.runs.set_ups import USUAL, SetUp
from sonde.effects.sandbox import Mount, Processes, Sandbox, SandboxView, in_shell, require_one_word
from sonde.effects.sandbox.answers import RunAnswer
from sonde.effects.sandbox.conversation import Meet
from sonde.effects.sandbox.processes import InsideProgram, Lost
from sonde.effects.sandbox.worlds import PATH
from sonde.effects.subject_files import discard, settle

KEEP_BYTES = 1 << 16
SEARCHED_BYTES = 1 << 20  # of the beginning and of the end of the output, where a printed number is sought
GAUGE = "/sonde/gauge"
MOST_SEEN_BYTES = 1 << 30
TOO_MUCH = (
    f"The run ended well, but what its instrument has written of it is over {MOST_SEEN_BYTES >> 20} MiB."
)
INSIDE = Path(__file__).with_name("inside")
ANSWER = TypeAdapter(RunAnswer)
FULL = (errno.ENOSPC, errno.EDQUOT)

VARIABLES = (
    ("PATH", PATH),
    ("HOME", SCRATCH),
    ("LC_ALL", "C.UTF-8"),
    ("TZ", "UTC"),
    ("PYTHONHASHSEED", "0"),
    ("PERL_HASH_SEED", "0"),
)


METERS: Mapping[Meter, Instrument[float | None]] = {
    Meter.PLAIN: Unwatched(),
    Meter.PERF: PerfMeter(),
}


@dataclass(frozen=True)
class _Observed(Generic[Seen]):
    """A run that ended well."""

    report: dict[str, Any]  # of the runner
    seen: Seen


class SandboxRuns:
    """Runs benchmarks in a sandbox. Lanes may run at the same time; each has folders of its own.

    Paths vary with the set-up only: in the sandbox they are BUILD and SCRATCH, and without one they lie below
    `<state>/scratch/<lane>`.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        state: Path,
        processes: Processes,
        surroundings: Surroundings,
        limits: Limits = USUAL_LIMITS,
    ) -> None:
        self._sandbox = sandbox
        self._state = state.resolve()
        if not sandbox.is_isolated:
            require_one_word(self._state)
        self._processes = processes
        self._surroundings = surroundings
        self._limits = limits
        self._gauge = find_gauge(self._state, processes)
        self._shared = _shared_mounts(surroundings)

    def run(
        self,
        order: RunOrder,
        build: Path,
        inputs: Path | None = None,
        lane: int = 0,
        meet: Meet | None = None,
        set_up: SetUp = USUAL,
    ) -> RunReport | Failed:
        """What one run took, or why it failed. Raises Abandoned after `Processes.end_all`.

        If it is to begin at the same time as another one, `meet` is entered after its setup and its warm-up
        runs, and left when the benchmark begins.
        """
        outcome = self._observe(order, self._meter(order.meter), build, inputs, lane, meet, set_up)
        if isinstance(outcome, Failed):
            return outcome
        return read_report(outcome.report, order, outcome.seen, self._limits)

    def _meter(self, meter: Meter) -> Instrument[float | None]:
        if meter is Meter.VALGRIND:
            return CounterMeter(make_counter(self._state, self._processes))
        return METERS[meter]

    def watch(
        self,
        order: RunOrder,
        instrument: Instrument[Seen],
        build: Path,
        inputs: Path | None = None,
        lane: int = 0,
    ) -> Watched[Seen] | Failed:
        """What an instrument of one's own sees of one run, in the place of the order's meter."""
        outcome = self._observe(order, instrument, build, inputs, lane)
        if isinstance(outcome, Failed):
            return outcome
        return Watched(outcome.seen, outcome.report["run"]["seconds"], outcome.report["left_behind"])

    def _observe(
        self,
        order: RunOrder,
        instrument: Instrument[Seen],
        build: Path,
        inputs: Path | None,
        lane: int,
        meet: Meet | None = None,
        set_up: SetUp = USUAL,
    ) -> _Observed[Seen] | Failed:
        lane_folder = self._state / "scratch" / str(lane)
        folder = lane_folder / set_up.folder
        discard(lane_folder)
        try:
            for name in ("scratch", "meter"):
                (folder / name).mkdir(parents=True)
            shown = inputs.resolve() if inputs else None
            return self._run_in(folder, order, instrument, build.resolve(), shown, meet, set_up)
        except OSError as error:
            if error.errno not in FULL:
                raise
            reason = f"The folder of the run could not be written: {error.strerror}."
            return Failed(Stage.RUN, reason, is_lasting=False)
        finally:
            discard(lane_folder)

    def _run_in(
        self,
        folder: Path,
        order: RunOrder,
        instrument: Instrument[Seen],
        build: Path,
        inputs: Path | None,
        meet: Meet | None,
        set_up: SetUp,
    ) -> _Observed[Seen] | Failed:
        world = self._world(folder, instrument, order, build, inputs, set_up)
        place = partial(self._sandbox.place, world)
        scene = RunFolders(folder / "meter", folder / "scratch", build, place, inputs)
        starter = (GAUGE, "keep") if self._gauge else ()
        program = InsideProgram("runner", INSIDE, ANSWER, starter)
        if instrument.around_gauge and not self._gauge:
            raise MissingTool(
                "Counting by perf needs a C compiler. Install the package gcc, or use callgrind."
            )
        message = self._message(order, instrument, world) | {"meets": meet is not None}
        message["aslr"] |= set_up.has_random_addresses
        with instrument.attached(scene.meter, scene.place(METER)):
            report = self._processes.converse(
                program, message, self._sandbox, world, order.longest_seconds, meet
            )
        if isinstance(report, Lost):
            reason = "The runner ended without a report, perhaps for lack of memory."
            return Failed(Stage.RUN, reason, report.complaint, is_lasting=False)
        settle(scene.meter)
        seen = _read(instrument, scene) if report["failed"] is None else ""
        failed = read_failure(report, order, seen, self._limits)
        if failed is not None:
            complaints = instrument.read_complaints(scene.meter)
            is_lasting = failed.is_lasting and FULL_DISK not in complaints
            return replace(failed, output=f"{failed.output}{complaints}", is_lasting=is_lasting)
        assert not isinstance(seen, str)
        return _Observed(report, seen)

    def _world(
        self,
        folder: Path,
        instrument: Instrument[object],
        order: RunOrder,
        build: Path,
        inputs: Path | None,
        set_up: SetUp,
    ) -> SandboxView:
        scratch = folder / "scratch"
        mounts = [Mount(build, BUILD), Mount(scratch, SCRATCH, writable=True)]
        if not self._sandbox.is_isolated:
            (folder / "build").symlink_to(build)  # its own path has another length for each build
            mounts[0] = Mount(folder / "build", BUILD)
        if inputs is not None and self._sandbox.is_isolated:
            mounts += mount_inputs(inputs, scratch)
        elif inputs is not None:
            lay_out(inputs, scratch)
        if instrument.writes:
            meter = folder / "meter"
            mounts.append(Mount(meter, METER, writable=True))
            mounts += [Mount(meter / name, f"{METER}/{name}") for name in instrument.programs]
        if self._gauge:
            mounts.append(Mount(self._gauge, GAUGE))
        ours, theirs = (*VARIABLES, *set_up.variables), (*self._surroundings.variables, *order.variables)
        variables = dict((*ours, *theirs, *instrument.variables))  # a later one of the same name wins
        counts = bool(instrument.around_gauge)  # by counters, which is why it stands around the gauge
        return SandboxView(
            (*mounts, *self._shared),
            SCRATCH,
            tuple(variables.items()),
            allows_counters=counts,
            limits=self._limits,
            moved=_moved(set_up) if self._sandbox.is_isolated else (),
        )

    def _message(self, order: RunOrder, instrument: Instrument[object], world: SandboxView) -> dict[str, Any]:
        """The order as the runner reads it."""

        def place(text: str) -> str:
            return self._sandbox.place(world, text)

        def words(line: str) -> tuple[str, ...]:
            return in_shell(place(line)) if line else ()

        server = order.server
        return {
            "argv": [place(word) for word in instrument.wrap(order.argv, dict(world.variables))],
            "around_gauge": [place(word) for word in instrument.around_gauge],
            "warmup_argv": [place(word) for word in order.argv],
            "variables": {name: place(value) for name, value in world.variables},
            "folder": place(SCRATCH),
            "setup": words(order.setup),
            "teardown": words(order.teardown),
            "server": (words(server.command), server.port, server.timeout_seconds) if server else None,
            "warmups": order.warmups,
            "stdin": place(f"{SCRATCH}/{order.stdin}") if order.stdin else "",
            "exit_codes": list(order.exit_codes),
            "timeout_seconds": order.timeout_seconds,
            "keep_bytes": SEARCHED_BYTES if order.metric is Metric.PRINTED else KEEP_BYTES,
            "gauge": place(GAUGE) if self._gauge else "",
            "aslr": order.aslr,
        }


def _read(instrument: Instrument[Seen], scene: RunFolders) -> Seen | str:
    """What the instrument saw, unless the run has left more in its folder than can be looked through."""
    files = (file for file in scene.meter.rglob("*") if file.is_file())
    return (
        TOO_MUCH if sum(file.stat().st_size for file in files) > MOST_SEEN_BYTES else instrument.read(scene)
    )


def _moved(set_up: SetUp) -> tuple[tuple[str, str], ...]:
    """Where build and scratch appear."""
    if not set_up.folder:
        return ()
    return tuple((each, each.replace("/sonde/", f"/sonde/{set_up.folder}/")) for each in (BUILD, SCRATCH))


def _shared_mounts(surroundings: Surroundings) -> tuple[Mount, ...]:
    """What the user lets commands see beside the system."""
    for path in (*surroundings.readable, *surroundings.writable):
        if not Path(path).exists():
            raise ProjectFileError(f"{path}: there is no such file or folder. Fix 'readable' or 'writable'.")
    readable = tuple(Mount(Path(path), path) for path in surroundings.readable)
    return readable + tuple(Mount(Path(path), path, writable=True) for path in surroundings.writable)
