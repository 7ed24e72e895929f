"""The programs on both sides of a change, from their builds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sonde.core.errors import NothingMeasured
from sonde.core.options import Configuration, Phase
from sonde.core.points import Point
from sonde.core.records import Built
from sonde.core.results import Failed
from sonde.core.revisions import Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.space.projections import combinations
from sonde.space.space import Space
from sonde.workflows.evidence import build_all
from sonde.workflows.impact.front_ends import AsPython, FrontEnd, T, front_end_for
from sonde.workflows.impact.programs import ProgramPair
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.select.pairs import RevisionPair

SHOWN_LINES = 12  # of what a failing build printed


@dataclass(frozen=True)
class ComparedPrograms:
    """The programs that differ, and what they were compared with."""

    base: Revision  # the nearest ancestor that builds
    programs: tuple[ProgramPair, ...]
    warnings: tuple[str, ...]
    is_python: bool = False


def build_configurations(space: Space) -> Iterator[Configuration]:
    """The default configuration, and one for each other value of an option that takes effect in the build."""
    yield space.default
    for option in space.options:
        if option.phase is Phase.BUILD:
            yield from (each for each in combinations(space, [option.name]) if each != space.default)


@dataclass(frozen=True)
class ProgramBuilds:
    """The builds of a tools, for one benchmark whose points stand for them."""

    tools: ProjectTools
    benchmark: str

    def are_same(self, pair: RevisionPair, configuration: Configuration) -> bool:
        """Whether the inputs of both builds are the same."""
        head, base = (self._draft(each, configuration) for each in (pair.head, pair.base))
        if not isinstance(head, Blueprint) or not isinstance(base, Blueprint):
            return False
        return head.build.key == base.build.key

    def do_the_same(
        self, executor: LocalExecutor, pair: RevisionPair, configurations: Sequence[Configuration]
    ) -> bool:
        """Whether the builds of both revisions, as users run them, execute the same instructions."""
        both = [
            [self._draft(each, configuration) for each in (pair.base, pair.head)]
            for configuration in configurations
        ]
        blueprints = [each for drafts in both for each in drafts if isinstance(each, Blueprint)]
        if len(blueprints) < 2 * len(both):
            return False
        outcomes = build_all(self.tools, executor, blueprints)
        pairs = zip(blueprints[::2], blueprints[1::2], strict=True)
        return all(
            isinstance(old := outcomes[base.build.key], Built)
            and isinstance(new := outcomes[head.build.key], Built)
            and old.does_the_same_as(new)
            for base, head in pairs
        )

    def compare(
        self,
        executor: LocalExecutor,
        pair: RevisionPair,
        configurations: Sequence[Configuration],
        compile_commands: str,
    ) -> ComparedPrograms:
        """The programs of the head and of its base; raises NothingMeasured if there is none."""
        draft = self._draft(pair.head, configurations[0])
        if isinstance(draft, Failed):
            raise NothingMeasured(f"{pair.head.short} cannot be built. {draft.reason}")
        front_end = front_end_for(self.tools, executor, draft, pair.head, compile_commands)
        if isinstance(front_end, AsPython):  # apart, so that the types of both ends are known
            return self._compare(front_end, executor, pair, configurations)
        return self._compare(front_end, executor, pair, configurations)

    def _compare(
        self,
        front_end: FrontEnd[T],
        executor: LocalExecutor,
        pair: RevisionPair,
        configurations: Sequence[Configuration],
    ) -> ComparedPrograms:
        warnings, programs = list[str](), list[ProgramPair]()
        base = pair.base
        for configuration in configurations:
            old, new = self._both(front_end, executor, pair, configuration)
            if isinstance(new, Failed):
                if configuration == configurations[0]:
                    raise NothingMeasured(_failure(front_end.name, pair.head, new))
                warnings.append(f"{pair.head.short} does not build with {configuration}: {new.reason}")
                continue
            if isinstance(old, Failed):
                nearest, old = self._nearest(front_end, executor, pair, configuration, old)
                base = nearest if configuration == configurations[0] else base
            warnings += front_end.gaps(new)
            programs += front_end.pairs(old, new)
        warnings += [each for program in programs for each in program.warnings]
        if base != pair.base:
            warnings.append(
                f"{pair.base.short} does not build, so the base is {base.short}, the revision before."
            )
        return ComparedPrograms(
            base, tuple(programs), tuple(dict.fromkeys(warnings)), isinstance(front_end, AsPython)
        )

    def _draft(self, revision: Revision, configuration: Configuration) -> Blueprint | Failed:
        return self.tools.drafter.draft(Point(revision.id, configuration, self.benchmark))

    def _both(
        self,
        front_end: FrontEnd[T],
        executor: LocalExecutor,
        pair: RevisionPair,
        configuration: Configuration,
    ) -> tuple[T | Failed, T | Failed]:
        """The code of the base and of the head, which are built at the same time."""
        drafts = [self._draft(each, configuration) for each in (pair.base, pair.head)]
        blueprints = [each for each in drafts if isinstance(each, Blueprint)]
        found = {blueprint.point: code for blueprint, code in front_end.read(executor, blueprints)}
        old, new = (each if isinstance(each, Failed) else found[each.point] for each in drafts)
        return old, new

    def _nearest(
        self,
        front_end: FrontEnd[T],
        executor: LocalExecutor,
        pair: RevisionPair,
        configuration: Configuration,
        failed: Failed,
    ) -> tuple[Revision, T]:
        for base in reversed(pair.ancestors.revisions[:-1]):
            draft = self._draft(base, configuration)
            if isinstance(draft, Blueprint):
                ((_, old),) = front_end.read(executor, [draft])
                if not isinstance(old, Failed):
                    return base, old
        raise NothingMeasured(_failure(front_end.name, pair.base, failed))


def _failure(how: str, revision: Revision, failed: Failed) -> str:
    said = "\n".join(failed.output.rstrip().splitlines()[-SHOWN_LINES:])
    return f"{revision.short} cannot be read {how}. {failed.reason}\n{said}".rstrip()
