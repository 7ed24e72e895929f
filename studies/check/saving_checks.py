"""What `sonde check` says of one revision after the other, in one state folder as a CI job may have it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from sonde.cli.check_endings import FailOn, exit_code
from sonde.core.errors import NothingMeasured
from sonde.core.findings.comparisons import Check, NarrowingStep
from sonde.core.revisions import Revision, RevisionId
from sonde.workflows.api import Silence
from sonde.workflows.check.judging import check
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import MeasuringRequest

Progress = Callable[[str], None]


@dataclass(frozen=True)
class CheckSettings:
    """How each revision is checked."""

    audits: int = 0
    is_sandboxed: bool = True


@dataclass(frozen=True)
class Measured:
    """The verdict of one case that was measured."""

    benchmark: str
    configuration: str
    verdict: str
    growth: float | None  # a share: 0.05 is 5 % more; None: it has no ratio


@dataclass(frozen=True)
class Checked:
    """What a check said of a revision, and what it took."""

    revision: RevisionId
    subject: str
    base: RevisionId | None = None  # None: nothing could be said
    cases: int = 0
    proven: int = 0  # cases
    by_impact: int = 0  # cases that were left out
    by_sample: int = 0
    measured: tuple[Measured, ...] = ()
    related_options: tuple[str, ...] | None = None
    warnings: tuple[str, ...] = ()
    builds: int = 0
    runs: int = 0
    seconds: float = 0.0
    audits: tuple[str, ...] = ()  # the outcome of each
    found_by_audits: tuple[str, ...] = ()  # benchmarks with a change that only an audit has shown
    exit_code: int | None = None  # None: not recorded, or nothing could be said
    problem: str = ""  # why nothing could be said


def check_all(
    project: OpenProject,
    revisions: Sequence[Revision],
    kept: Path,
    settings: CheckSettings,
    progress: Progress,
) -> list[Checked]:
    """Each revision compared with its first parent, the oldest first; what is kept is not checked again."""
    known = {each.revision: each for each in read_checks(kept)}
    for number, revision in enumerate(revisions, 1):
        if revision.id in known:
            continue
        checked = _check(project, revision, settings)
        with kept.open("a") as file:
            file.write(json.dumps(asdict(checked)) + "\n")
        known[revision.id] = checked
        measured = f"{len(checked.measured)} of {checked.cases} cases measured"
        said = checked.problem or f"{measured}, {checked.runs} runs, {checked.seconds:.0f} s"
        progress(f"check {number} of {len(revisions)}, {revision.short}: {said}")
    return [known[revision.id] for revision in revisions]


def _check(project: OpenProject, revision: Revision, settings: CheckSettings) -> Checked:
    try:
        request = CheckRequest(revision.id, audits=settings.audits)
        found = check(project, MeasuringRequest(), request, settings.is_sandboxed, Silence())
    except NothingMeasured as error:
        return Checked(revision.id, revision.subject, problem=str(error).splitlines()[0])
    return Checked(
        revision.id,
        revision.subject,
        found.base.id,
        found.cases,
        sum(each.cases for each in found.dropped if each.is_proven),
        _left_out(found, NarrowingStep.IMPACT),
        _left_out(found, NarrowingStep.SAMPLE),
        tuple(
            Measured(
                each.case.benchmark,
                str(each.case.configuration),
                each.verdict.value,
                each.head_value / each.base_value - 1 if each.head_value and each.base_value else None,
            )
            for each in found.compared
        ),
        found.related_options,
        found.warnings,
        found.cost.builds,
        found.cost.runs,
        found.cost.seconds,
        tuple(each.outcome.value for each in found.audits.cases) if found.audits else (),
        tuple(dict.fromkeys(each.case.benchmark for each in found.audits.missed)) if found.audits else (),
        exit_code(found, FailOn.REGRESSION, is_git_bisect=False),
    )


def _left_out(found: Check, step: NarrowingStep) -> int:
    return sum(each.cases for each in found.dropped if each.step is step and not each.is_proven)


def read_checks(kept: Path) -> Iterator[Checked]:
    """What was kept of an earlier study."""
    for line in kept.read_text().splitlines() if kept.exists() else []:
        try:
            words = json.loads(line)
        except ValueError:  # the line in which the study was interrupted
            continue
        words["measured"] = tuple(Measured(**each) for each in words["measured"])
        related = words["related_options"]
        words["related_options"] = None if related is None else tuple(related)
        words["warnings"] = tuple(words["warnings"])
        for name in ("audits", "found_by_audits"):
            words[name] = tuple(words.get(name, ()))
        yield Checked(**words)
