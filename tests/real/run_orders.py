"""Orders for the tests of real runs, and what comes of them."""

from pathlib import Path

import pytest

from sonde.core.results import Failed, Metric, Stage
from sonde.core.subject import Surroundings
from sonde.effects.runs import BUILD, RunOrder, RunReport, SandboxRuns, in_shell
from sonde.effects.sandbox import Processes
from tests.real.sandboxes import open_sandbox

PROGRAM = f"{BUILD}/program"


def open_runs(kind: str, state: Path) -> SandboxRuns:
    """Runs in the sandbox of that kind."""
    return SandboxRuns(open_sandbox(kind), state, Processes(), Surroundings())


def open_runs_without_compiler(kind: str, state: Path, monkeypatch: pytest.MonkeyPatch) -> SandboxRuns:
    """As on a machine that has no C compiler."""
    sandbox = open_sandbox(kind)
    monkeypatch.setenv("PATH", str(state))
    return SandboxRuns(sandbox, state, Processes(), Surroundings())


def order(*argv: str, **fields) -> RunOrder:
    return RunOrder(argv, fields.pop("metric", Metric.CPU), **fields)


def measure(runs: SandboxRuns, wanted: RunOrder, build: Path, inputs: Path | None = None) -> RunReport:
    report = runs.run(wanted, build, inputs)
    assert isinstance(report, RunReport), report
    return report


def assert_that_cpu_is_right(runs: SandboxRuns, build: Path) -> None:
    """The processor time of a run is what the program itself saw, and a little to begin and to end."""
    wanted = order(PROGRAM, "spin", "200", metric=Metric.PRINTED, pattern=r"spun (\S+) s")
    values = dict(measure(runs, wanted, build).metrics)

    assert values[Metric.PRINTED] >= 0.2
    assert values[Metric.PRINTED] - 0.001 <= values[Metric.CPU] < values[Metric.PRINTED] + 0.1


def fail(runs: SandboxRuns, wanted: RunOrder, build: Path, inputs: Path | None = None) -> Failed:
    failed = runs.run(wanted, build, inputs)
    assert isinstance(failed, Failed), failed
    assert failed.stage is Stage.RUN
    return failed


def printed(runs: SandboxRuns, line: str, build: Path, inputs: Path | None = None, **fields) -> str:
    """What a shell line prints; it is made to fail, since only failures show their output."""
    return fail(runs, order(*in_shell(f"{line}\nexit 9"), **fields), build, inputs).output
