"""What the store of a project knows: how its builds differ, and which tuples are proven for what reason.

Nothing is built or run: what is missing is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import expm1
from pathlib import Path, PurePosixPath

from sonde.core.evidence import Snapshot
from sonde.core.findings.selections import Churn
from sonde.core.points import BenchmarkName, Point
from sonde.core.records import (
    BuildRecord,
    Built,
    Fingerprint,
    MeasurementKey,
    PointRecord,
    SnapshotRecord,
    TupleRecord,
)
from sonde.core.revisions import History, Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.methods.selection.differences import difference_between
from sonde.workflows.blueprints import known_builds
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject, open_project

SAME_INPUTS = "the build inputs are the same"
SAME_OUTPUTS = "the builds are the same"
SAME_CODE = "the builds have the same code"
NOT_REACHED = "nothing that is reached changed"
UNPROVEN = "not proven"
REASONS = (SAME_INPUTS, SAME_OUTPUTS, SAME_CODE, NOT_REACHED, UNPROVEN)

DOCUMENTS = {".md", ".rst", ".adoc", ".html", ".1", ".3"}
DOCUMENT_FOLDERS = {"doc", "docs"}
DOCUMENT_NAMES = {"NEWS", "README", "LICENSE", "COPYING", "CHANGELOG", "AUTHORS"}
KEPT_SNAPSHOTS = 8


@dataclass(frozen=True)
class Step:
    """A revision and its first parent."""

    revision: Revision
    is_documentation: bool  # no other file changed
    churn: Churn


@dataclass(frozen=True)
class Told:
    """A tuple of the store, and why it is proven."""

    reason: str
    change: float  # relative
    hops: int
    is_hit: bool
    is_measured_apart: bool  # whether both sides have samples of their own


@dataclass(frozen=True)
class ProjectEvidence:
    """What the store of a project knows of some ranges."""

    name: str
    ranges: tuple[str, ...]
    steps: tuple[Step, ...]
    unknown: Mapping[str, int]  # why some steps are missing -> how many
    told: tuple[Told, ...]


def read_evidence(folder: Path, ranges: Sequence[str]) -> ProjectEvidence:
    """Everything about the ranges, or about the whole branch if there are none."""
    project = open_project(folder)
    steps: list[Step] = []
    told: list[Told] = []
    unknown: Counter[str] = Counter()
    names = [benchmark.name for benchmark in project.file.subject.benchmarks]
    for each in ranges or ("",):
        history = project.history(each)
        with open_tools(project, history, names, is_sandboxed=True) as tools:
            for step in _steps(project, tools, history, names[0]):
                if isinstance(step, Step):
                    steps.append(step)
                else:
                    unknown[step] += 1
            told += _told(tools, history)
    return ProjectEvidence(folder.resolve().name, tuple(ranges), tuple(steps), unknown, tuple(told))


def _steps(
    project: OpenProject, tools: ProjectTools, history: History, benchmark: BenchmarkName
) -> Iterator[Step | str]:
    configuration = project.file.space.default
    drafts = [tools.drafter.draft(Point(each.id, configuration, benchmark)) for each in history]
    drawn = {each.point.revision: each for each in drafts if isinstance(each, Blueprint)}
    builds = known_builds(tools, drawn.values())
    built = {revision: builds.get(each.build.key) for revision, each in drawn.items()}

    @lru_cache(maxsize=KEPT_SNAPSHOTS)
    def snapshot(fingerprint: Fingerprint) -> Snapshot | None:
        records = tools.store.query(SnapshotRecord, {"fingerprint": [fingerprint]})
        return next((record.snapshot for record in records), None)

    for revision in history:
        parent = revision.parents[0] if revision.parents else None
        if parent is None or parent not in history:
            yield "its first parent is not in the range"
            continue
        old, new = built.get(parent), built.get(revision.id)
        if old is None or new is None:
            yield "it or its parent was not built, or does not build"
            continue
        before, after = snapshot(old.fingerprint), snapshot(new.fingerprint)
        if before is None or after is None:
            yield "it or its parent has no snapshot"
            continue
        yield Step(revision, _is_documentation(project, revision), difference_between(before, after).churn)


def _is_documentation(project: OpenProject, revision: Revision) -> bool:
    words = ("diff-tree", "-r", "--name-only", "-z", revision.parents[0], revision.id)
    names = project.repository.git.read(*words).decode(errors="replace").split("\0")
    return all(map(is_document, filter(None, names)))


def is_document(name: str) -> bool:
    """Whether a file is for people to read, by its name."""
    path = PurePosixPath(name)
    is_below = not DOCUMENT_FOLDERS.isdisjoint(part.lower() for part in path.parts[:-1])
    return is_below or path.suffix in DOCUMENTS or path.stem in DOCUMENT_NAMES


def _told(tools: ProjectTools, history: History) -> Iterator[Told]:
    contexts = [record.context for record in tools.drafter.contexts.values()]
    points = {
        record.point: record
        for record in tools.store.query(PointRecord, {"context": contexts})
        if record.point.revision in history
    }
    keys = {record.build for record in points.values()}
    built = {
        record.build: record.outcome
        for record in tools.store.query(BuildRecord, {"build": list(keys)})
        if isinstance(record.outcome, Built)
    }
    for each in tools.store.query(TupleRecord, {"context": contexts}):
        sides = [
            points.get(Point(revision, each.configuration, each.benchmark))
            for revision in (each.parent, each.child)
        ]
        old, new = sides
        if old is None or new is None:
            continue
        measured: set[MeasurementKey | None] = {old.measurement, new.measurement}
        yield Told(
            _reason(each, old, new, built.get(old.build), built.get(new.build)),
            expm1(each.effect),
            each.hops,
            each.is_hit,
            len(measured) == 2,
        )


def _reason(
    record: TupleRecord, old: PointRecord, new: PointRecord, before: Built | None, after: Built | None
) -> str:
    if not record.is_proven:
        return UNPROVEN
    if old.build == new.build:
        return SAME_INPUTS
    if before is not None and after is not None:
        if before.fingerprint == after.fingerprint:
            return SAME_OUTPUTS
        if before.does_the_same_as(after):
            return SAME_CODE
    return NOT_REACHED
