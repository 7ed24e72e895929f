"""The programs on both sides of a change, from the bitcode of their builds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sonde.core.errors import NothingMeasured
from sonde.core.options import Configuration, Phase
from sonde.core.points import Point
from sonde.core.results import Failed
from sonde.core.revisions import Revision
from sonde.effects.bitcode.kept_units import KeptUnits
from sonde.effects.bitcode.values import Bitcode
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.space.projections import combinations
from sonde.space.space import Space
from sonde.workflows.bitcode import bitcode_of, bitcodes_of
from sonde.workflows.impact_programs import ProgramPair, Reader, program_pairs
from sonde.workflows.select_pairs import Pair
from sonde.workflows.workshop import Workshop

SHOWN_LINES = 12  # of what a failing build printed


@dataclass(frozen=True)
class Compared:
    """The programs that differ, and what they were compared with."""

    base: Revision  # the nearest ancestor that builds
    programs: tuple[ProgramPair, ...]
    warnings: tuple[str, ...]


def build_configurations(space: Space) -> Iterator[Configuration]:
    """The default configuration, and one for each other value of an option that takes effect in the build."""
    yield space.default
    for option in space.options:
        if option.phase is Phase.BUILD:
            yield from (each for each in combinations(space, [option.name]) if each != space.default)


@dataclass(frozen=True)
class Builds:
    """The builds of a workshop, for one benchmark whose points stand for them."""

    workshop: Workshop
    benchmark: str
    compile_commands: str

    def are_same(self, pair: Pair, configuration: Configuration) -> bool:
        """Whether the inputs of both builds are the same."""
        head, base = (self._draft(each, configuration) for each in (pair.head, pair.base))
        if not isinstance(head, Blueprint) or not isinstance(base, Blueprint):
            return False
        return head.build.key == base.build.key

    def compare(
        self, executor: LocalExecutor, pair: Pair, configurations: Sequence[Configuration]
    ) -> Compared:
        """The programs of the head and of its base; raises NothingMeasured if there is none."""
        reader, warnings = Reader(KeptUnits()), list[str]()
        programs: list[ProgramPair] = []
        base = pair.base
        for configuration in configurations:
            old, new = self._both(executor, pair, configuration)
            if isinstance(new, Failed):
                if configuration == configurations[0]:
                    raise NothingMeasured(_failure(pair.head, new))
                warnings.append(f"{pair.head.short} does not build with {configuration}: {new.reason}")
                continue
            if isinstance(old, Failed):
                nearest, old = self._nearest(executor, pair, configuration, old)
                base = nearest if configuration == configurations[0] else base
            warnings += [f"{each.source} is left out: {each.reason}" for each in new.skipped]
            programs += program_pairs(old, new, reader)
        if base != pair.base:
            warnings.append(f"{pair.base.short} does not build; {base.short}, before it, is compared with.")
        return Compared(base, tuple(programs), tuple(dict.fromkeys(warnings)))

    def _draft(self, revision: Revision, configuration: Configuration) -> Blueprint | Failed:
        return self.workshop.drafter.draft(Point(revision.id, configuration, self.benchmark))

    def _both(
        self, executor: LocalExecutor, pair: Pair, configuration: Configuration
    ) -> tuple[Bitcode | Failed, Bitcode | Failed]:
        """The bitcode of the base and of the head, which are built at the same time."""
        drafts = [self._draft(each, configuration) for each in (pair.base, pair.head)]
        blueprints = [each for each in drafts if isinstance(each, Blueprint)]
        built = bitcodes_of(self.workshop, executor, blueprints, self.compile_commands)
        found = {blueprint.point: bitcode for blueprint, bitcode in built}
        old, new = (each if isinstance(each, Failed) else found[each.point] for each in drafts)
        return old, new

    def _nearest(
        self, executor: LocalExecutor, pair: Pair, configuration: Configuration, failed: Failed
    ) -> tuple[Revision, Bitcode]:
        for base in reversed(pair.ancestors.revisions[:-1]):
            draft = self._draft(base, configuration)
            if isinstance(draft, Blueprint):
                old = bitcode_of(self.workshop, executor, draft, self.compile_commands)
                if not isinstance(old, Failed):
                    return base, old
        raise NothingMeasured(_failure(pair.base, failed))


def _failure(revision: Revision, failed: Failed) -> str:
    said = "\n".join(failed.output.rstrip().splitlines()[-SHOWN_LINES:])
    return f"{revision.short} cannot be read with clang. {failed.reason}\n{said}".rstrip()
