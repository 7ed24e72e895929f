"""Whom `sonde check` asks what need not be measured: `sonde select`, `sonde impact`, and the project file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from sonde.core.errors import MissingTool
from sonde.core.findings.comparisons import Case
from sonde.core.findings.impacts import Impact
from sonde.core.findings.selections import Selection
from sonde.core.options import Configuration
from sonde.core.points import Point
from sonde.core.protocols import Watcher
from sonde.core.records import BuildRecord
from sonde.core.revisions import Revision, short
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import forget_failed_builds
from sonde.methods.impact.coverage import Seen
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.space.space import Space
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.check.space import shared_space
from sonde.workflows.check.stopwatch import Stopwatch
from sonde.workflows.code_lines import see_all
from sonde.workflows.impact.answering import impact
from sonde.workflows.impact.request import ImpactRequest
from sonde.workflows.projects import OpenProject
from sonde.workflows.select.selecting import Selecting, SelectRequest, open_selecting
from sonde.workflows.targets import MeasuringRequest

NEVER_DUE = 10**9  # revisions: what is compared with its base does not age


class NarrowingSources(Protocol):
    """What can be asked about a revision and its base; a base of None is the one that the user means."""

    def space(self, base: Revision | None) -> Space:
        """The configurations that both revisions have."""

    def select(self, configurations: Sequence[Configuration], base: Revision | None) -> Selection:
        """What is proven in these configurations; without a base, the nearest one that builds is taken."""

    def changed_lines(self, base: Revision) -> Sequence[ChangedFileLines]:
        """The lines that a difference of the texts names."""

    def seen(self, revision: Revision, cases: Sequence[Case]) -> Mapping[Case, Seen]:
        """What profiles of a revision show; a case that cannot be profiled is missing."""

    def impact(self, base: Revision) -> Impact:
        """What the change can reach; raises MissingTool, UsageError or NothingMeasured if nobody can say."""


@dataclass(frozen=True)
class OpenSources:
    """The sources of a project."""

    selecting: Selecting
    request: MeasuringRequest
    how: CheckRequest
    is_sandboxed: bool
    watcher: Watcher
    stopwatch: Stopwatch  # stands still while both revisions are built, not while they are built with clang

    @property
    def project(self) -> OpenProject:
        """What is asked about."""
        return self.selecting.tools.project

    def space(self, base: Revision | None) -> Space:
        """The configurations that both revisions have."""
        pair = self.selecting.pair
        return shared_space(self.project, pair.head.id, (base or pair.base).id)

    def select(self, configurations: Sequence[Configuration], base: Revision | None) -> Selection:
        """What `sonde select` proves."""
        request = MeasuringRequest("", tuple(map(str, configurations)), self.request.benchmarks)
        return self.selecting.select(request, self.stopwatch, base)

    def impact(self, base: Revision) -> Impact:
        """What `sonde impact` says."""
        head, request = self.selecting.pair.head, MeasuringRequest("", (), self.request.benchmarks)
        how = ImpactRequest(head.id, base.id, compile_commands=self.how.compile_commands)
        return impact(self.project, request, how, self.is_sandboxed, self.watcher)

    def changed_lines(self, base: Revision) -> Sequence[ChangedFileLines]:
        """The lines that git names."""
        lines = self.project.repository.changed_lines(base.id, self.selecting.pair.head.id)
        files = dict.fromkeys([*lines.old, *lines.new])
        return [ChangedFileLines(file, lines.old.get(file, ()), lines.new.get(file, ())) for file in files]

    def seen(self, revision: Revision, cases: Sequence[Case]) -> Mapping[Case, Seen]:
        """What is known from profiles, or can be profiled."""
        tools = self.selecting.tools
        cases_at = {Point(revision.id, case.configuration, case.benchmark): case for case in cases}
        drafts = [tools.drafter.draft(point) for point in cases_at]
        with tools.executor(self.stopwatch) as executor:
            try:
                found = see_all(tools, executor, [each for each in drafts if isinstance(each, Blueprint)])
            except MissingTool:
                return {}
        return {cases_at[point]: seen for point, seen in found.items()}

    def parted(self) -> Iterator[str]:
        """A warning if the base is on another branch than the head: then both sides count."""
        base, head = self.selecting.pair.base, self.selecting.pair.head
        fork = self.project.repository.common_ancestor(base.id, head.id)
        if fork is not None and fork not in (base.id, head.id):
            place = short(fork)
            yield (
                f"{base.short} is not an ancestor of {head.short}. They diverged at {place}, and the "
                "comparison includes all changes since then on both sides. To compare only the head's "
                f"side, use {place}..{head.short}."
            )

    def forget_failed_builds(self, configurations: Sequence[Configuration]) -> int:
        """Make failing builds of both revisions unknown again: those first tried there, and their twins."""
        tools, pair = self.selecting.tools, self.selecting.pair
        ids = [pair.base.id, pair.head.id]
        keys = {record.build for record in tools.store.query(BuildRecord, {"revision": ids})}
        benchmarks = [each.name for each in self.project.file.subject.benchmarks]
        for id, configuration, benchmark in product(ids, configurations, benchmarks):
            draft = tools.drafter.draft(Point(id, configuration, benchmark))
            if isinstance(draft, Blueprint):
                keys.add(draft.build.key)
        return forget_failed_builds(tools.store, keys)


@contextmanager
def open_sources(
    project: OpenProject, request: MeasuringRequest, how: CheckRequest, is_sandboxed: bool, watcher: Watcher
) -> Iterator[OpenSources]:
    """The sources for two revisions, as the user names them."""
    stopwatch = Stopwatch(watcher)
    select_wish = SelectRequest(how.revision, how.base, full_every=NEVER_DUE, leaves_unread=True)
    with open_selecting(project, select_wish, is_sandboxed) as selecting:
        yield OpenSources(selecting, request, how, is_sandboxed, watcher, stopwatch)
