"""The Python API, for notebooks and scripts: `sonde.open("path").measure("HEAD~20..")`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sonde.core.events import Event
from sonde.core.findings.comparisons import Check
from sonde.core.findings.histories import Histories
from sonde.core.findings.impacts import Impact
from sonde.core.findings.measurements import Plan, Survey, Surveyed
from sonde.core.findings.pinpoints import Pinpoints
from sonde.core.findings.selections import Selection
from sonde.core.protocols import Watcher
from sonde.workflows.measure.measuring import measure, show
from sonde.workflows.measure.planning import plan
from sonde.workflows.projects import OpenProject, open_project
from sonde.workflows.targets import MeasuringRequest


class Silence:
    """A watcher that keeps everything to itself."""

    def notice(self, event: Event) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class Session:
    """A project, ready to be asked. Get one from `sonde.open`."""

    project: OpenProject
    is_sandboxed: bool = True

    def measure(
        self,
        range: str = "",
        configurations: Iterable[str] = (),
        benchmarks: Iterable[str] = (),
        runs: int | None = None,
        budget: str | None = None,
        retry: bool = False,
        watcher: Watcher | None = None,
    ) -> Surveyed:
        """Measure what is not known yet; everything that is, and what it cost."""
        request = MeasuringRequest(range, tuple(configurations), tuple(benchmarks), runs, budget, retry)
        return measure(self.project, request, self.is_sandboxed, watcher or Silence())

    def history(
        self,
        benchmarks: Iterable[str] = (),
        range: str = "",
        configurations: Iterable[str] = (),
        budget: str | None = None,
        exact: bool = False,
        planner: str = "shared-changes",
        until: str = "",
        seed: int = 0,
        watcher: Watcher | None = None,
        reference: bool = True,
    ) -> Histories:
        """Measure a few revisions; an estimate for every one, and where performance changed.

        With a `reference`, one revision runs beside each run where cpu or wall is measured.
        """
        from sonde.workflows.history.estimating import (  # numpy and scipy take their time
            HistoryRequest,
            history,
        )

        request = MeasuringRequest(range, tuple(configurations), tuple(benchmarks), budget=budget)
        how = HistoryRequest(planner, exact, until, seed, reference)
        return history(self.project, request, how, self.is_sandboxed, watcher or Silence())

    def pinpoint(
        self,
        benchmarks: Iterable[str] = (),
        range: str = "",
        budget: str | None = None,
        threshold: str = "5%",
        planner: str = "shared-steps",
        runs: int | None = None,
        seed: int = 0,
        retry: bool = False,
        influences: bool = False,
        predict: Iterable[str] = (),
        at: str = "",
        watcher: Watcher | None = None,
        reference: bool = True,
    ) -> Pinpoints:
        """Measure a few points; which revisions changed which options.

        With `influences`, also what each term contributes; `predict` names configurations whose value is told
        by these, at the revision `at` or the last one. With a `reference`, one revision runs beside each run
        where cpu or wall is measured.
        """
        from sonde.workflows.pinpoint.searching import (  # numpy and scipy take their time
            PinpointRequest,
            pinpoint,
        )

        request = MeasuringRequest(range, (), tuple(benchmarks), runs, budget, retry)
        how = PinpointRequest(planner, threshold, seed, influences, tuple(predict), at, reference)
        return pinpoint(self.project, request, how, self.is_sandboxed, watcher or Silence())

    def select(
        self,
        revision: str = "",
        base: str = "",
        configurations: Iterable[str] = (),
        benchmarks: Iterable[str] = (),
        catch: str = "95%",
        learner: str = "share",
        scope: str = "common",
        indicators: str = "cost",
        full_every: int = 50,
        watcher: Watcher | None = None,
    ) -> Selection:
        """Which benchmarks a revision can have changed since its base; measures nothing."""
        from sonde.workflows.select.learning import Learning
        from sonde.workflows.select.selecting import SelectRequest, select

        request = MeasuringRequest("", tuple(configurations), tuple(benchmarks))
        how = SelectRequest(revision, base, Learning(learner, scope, catch, indicators), full_every)
        return select(self.project, request, how, self.is_sandboxed, watcher or Silence())

    def impact(
        self,
        revision: str = "",
        base: str = "",
        hot: Iterable[str] = (),
        configurations: Iterable[str] = (),
        benchmarks: Iterable[str] = (),
        implicit_depth: int = 1,
        conservative: bool = False,
        paper: bool = False,
        compile_commands: str = "",
        watcher: Watcher | None = None,
    ) -> Impact:
        """Whether the change of a revision since its base can reach hot code, and through which options."""
        from sonde.workflows.impact.answering import impact
        from sonde.workflows.impact.request import ImpactRequest

        request = MeasuringRequest("", tuple(configurations), tuple(benchmarks))
        how = ImpactRequest(
            revision, base, tuple(hot), implicit_depth, conservative, paper, compile_commands=compile_commands
        )
        return impact(self.project, request, how, self.is_sandboxed, watcher or Silence())

    def check(
        self,
        revision: str = "",
        base: str = "",
        configurations: Iterable[str] = (),
        benchmarks: Iterable[str] = (),
        threshold: str = "",
        pairs: int = 40,
        takes_all: bool = False,
        strength: int = 2,
        bisect: str = "",
        compile_commands: str = "",
        audits: int = 2,
        project_file: str = "",
        watcher: Watcher | None = None,
    ) -> Check:
        """Whether a revision is slower than its base; measures what can have changed.

        And so many `audits`: cases that were left out, drawn at random. It goes by the project file of the
        base, or by the one that `project_file` names, as `REVISION:PATH`.
        """
        from sonde.workflows.check.judging import check
        from sonde.workflows.check.request import CheckRequest, rules_for

        request = MeasuringRequest("", tuple(configurations), tuple(benchmarks))
        rules = rules_for(threshold, pairs)
        how = CheckRequest(
            revision, base, takes_all, strength, bisect, compile_commands, rules, project_file, audits
        )
        return check(self.project, request, how, self.is_sandboxed, watcher or Silence())

    def plan(
        self, range: str = "", configurations: Iterable[str] = (), benchmarks: Iterable[str] = ()
    ) -> Plan:
        """What measuring would take at the most."""
        return plan(
            self.project, MeasuringRequest(range, tuple(configurations), tuple(benchmarks)), self.is_sandboxed
        )

    def show(
        self, range: str = "", configurations: Iterable[str] = (), benchmarks: Iterable[str] = ()
    ) -> Survey:
        """What is known, without measuring anything."""
        return show(
            self.project, MeasuringRequest(range, tuple(configurations), tuple(benchmarks)), self.is_sandboxed
        )


def open_session(start: Path, state: Path | None = None, is_sandboxed: bool = True) -> Session:
    """The project whose file is at `start`, or in the folder `start` or above it."""
    return Session(open_project(start, state), is_sandboxed)
