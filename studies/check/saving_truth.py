"""The truth in instructions: every case at every revision, counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Protocol

from sonde.core.results import Failed, Measurement, Stage
from sonde.core.revisions import RevisionId, short
from sonde.workflows.api import Silence
from sonde.workflows.measure.measuring import measure
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import ALL, MeasuringRequest
from studies.check.saving_checks import Progress

CaseKey = tuple[str, str]  # benchmark and configuration


class Truth(Protocol):
    """How the instructions of each case grow from one revision to another."""

    def growths(self, base: RevisionId, head: RevisionId) -> Mapping[CaseKey, float]:
        """As shares, 0.05 is 5 % more; infinite where a case fails at the head alone."""


@dataclass(frozen=True)
class Counted:
    """The instructions of every case of a revision; None where a run fails."""

    revision: RevisionId
    counts: tuple[tuple[str, str, float | None], ...]  # benchmark, configuration, instructions
    builds: int
    runs: int
    seconds: float

    @property
    def by_case(self) -> Mapping[CaseKey, float | None]:
        return {(benchmark, configuration): count for benchmark, configuration, count in self.counts}


@dataclass(frozen=True)
class CountedTruth:
    """What was counted."""

    revisions: Mapping[RevisionId, Counted]

    def growths(self, base: RevisionId, head: RevisionId) -> Mapping[CaseKey, float]:
        before, after = self.revisions[base].by_case, self.revisions[head].by_case
        return {case: _growth(before[case], after[case]) for case in after if before.get(case) is not None}


def _growth(before: float | None, after: float | None) -> float:
    assert before is not None
    return inf if after is None else after / before - 1


def count_all(
    project: OpenProject,
    revisions: Sequence[RevisionId],
    kept: Path,
    is_sandboxed: bool,
    progress: Progress,
) -> CountedTruth:
    """One run of every case of these revisions; code that is equal is not run again."""
    known = {each.revision: each for each in _read(kept)}
    for number, revision in enumerate(revisions, 1):
        if revision in known:
            continue
        counted = _count(project, revision, is_sandboxed)
        with kept.open("a") as file:
            file.write(json.dumps(asdict(counted)) + "\n")
        known[revision] = counted
        said = f"{counted.runs} runs, {counted.seconds:.0f} s"
        progress(f"truth {number} of {len(revisions)}, {short(revision)}: {said}")
    return CountedTruth({revision: known[revision] for revision in revisions})


def _count(project: OpenProject, revision: RevisionId, is_sandboxed: bool) -> Counted:
    found = measure(project, MeasuringRequest(f"{revision}^!", (ALL,), runs=1), is_sandboxed, Silence())
    survey = found.survey
    counts = [
        (point.benchmark, str(point.configuration), survey.value(point))
        for point in survey.points()
        if point in survey.results and not _is_missing(survey.results[point].outcome)
    ]
    return Counted(revision, tuple(counts), found.spent.builds, found.spent.runs, found.spent.seconds)


def _is_missing(outcome: Measurement | Failed) -> bool:
    """Whether the revision does not have the case: it lacks an option, or does not build."""
    return isinstance(outcome, Failed) and outcome.stage is not Stage.RUN


def _read(kept: Path) -> Iterator[Counted]:
    for line in kept.read_text().splitlines() if kept.exists() else []:
        try:
            words = json.loads(line)
        except ValueError:  # the line in which the study was interrupted
            continue
        words["counts"] = tuple(tuple(each) for each in words["counts"])
        yield Counted(**words)
