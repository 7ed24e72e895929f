"""The cases of a selection: one benchmark in one configuration, at a revision and at its base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sonde.core.findings.selections import Basis, Proof, Selected
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.results import Failed, Metric
from sonde.core.revisions import Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.targets import MeasuringTarget

SAME_INPUTS = "the build inputs are the same"


@dataclass(frozen=True, eq=False)
class SelectionCase:
    """What is to be decided, and how it is built and run on both sides."""

    configuration: Configuration
    benchmark: BenchmarkName
    metric: Metric
    runs: int
    head: Blueprint
    base: Blueprint

    def answer(self, is_run: bool, basis: Basis, *reasons: str) -> Selected:
        """A decision that needs no further evidence."""
        return Selected(self.benchmark, self.configuration, is_run, basis, reasons, runs=self.runs)

    def unchanged(self, proof: Proof, *reasons: str) -> Selected:
        """The decision that nothing has to run."""
        return replace(self.answer(False, Basis.PROVEN, *reasons), proof=proof)


def cases_of(
    tools: ProjectTools, target: MeasuringTarget, head: Revision, base: Revision
) -> Iterator[SelectionCase | Selected]:
    """A case for each benchmark and configuration, or the answer where nothing has to be built for it."""
    subject = tools.project.file.subject
    for configuration in target.configurations:
        for benchmark, runs in target.runs.items():
            drafts = [
                tools.drafter.draft(Point(revision.id, configuration, benchmark)) for revision in (head, base)
            ]
            missing = [draft.reason.rstrip(".") for draft in drafts if isinstance(draft, Failed)]
            if isinstance(drafts[0], Blueprint) and isinstance(drafts[1], Blueprint):
                metric = subject.benchmark[benchmark].metric
                case = SelectionCase(configuration, benchmark, metric, runs, drafts[0], drafts[1])
                yield _answered(case) or case
            else:  # what cannot run at the head is not run; what could not at the base is new
                is_run = isinstance(drafts[0], Blueprint)
                reason = f"there is no base to compare with: {missing[0]}" if is_run else missing[0]
                yield Selected(benchmark, configuration, is_run, Basis.UNKNOWN, (reason,), runs=runs)


def _answered(case: SelectionCase) -> Selected | None:
    """The answer where it is known without building."""
    if case.head.run != case.base.run:
        return case.answer(True, Basis.UNKNOWN, "its command line or environment differs from the base")
    if case.head.build.key == case.base.build.key:
        return case.unchanged(Proof.SAME_INPUTS, SAME_INPUTS)
    return None
