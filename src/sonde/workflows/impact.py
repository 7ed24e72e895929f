"""Can a change reach hot code, and through which options: builds with clang, and measures nothing."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sonde.core.errors import NothingMeasured
from sonde.core.events import Warned
from sonde.core.impacts import Analysis, ChangedRoutine, Impact, OptionImpact, Role
from sonde.core.options import Configuration, Option, Phase
from sonde.core.points import Point
from sonde.core.protocols import Watcher
from sonde.core.results import Failed
from sonde.core.revisions import History, Revision
from sonde.effects.bitcode.values import Bitcode
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.impact.answer import Answer, Question, answer
from sonde.methods.impact.differences import ChangedLines, find_differences
from sonde.space.projections import combinations
from sonde.space.space import Space
from sonde.workflows.bitcode import bitcode_of
from sonde.workflows.impact_hot import Hot, named_hot, profiled_hot
from sonde.workflows.impact_measuring import measuring_seconds, reduced
from sonde.workflows.impact_programs import ProgramPair, Reader, program_pairs
from sonde.workflows.impact_suggestions import with_suggestions
from sonde.workflows.impact_wishes import ImpactWish
from sonde.workflows.measure import NO_SANDBOX
from sonde.workflows.projects import OpenProject
from sonde.workflows.select_pairs import Pair, pair_of
from sonde.workflows.tally import Tally
from sonde.workflows.targets import Target, Wish, target_over
from sonde.workflows.workshop import Workshop, open_workshop

SAME_INPUTS = "The change cannot reach hot code: the build inputs are the same."
SAME_CODE = "The change cannot reach hot code: the program is the same, only its source text differs."
RELEVANT = "The change can reach hot code."
NOT_RELEVANT = "The change cannot reach hot code."
CAVEAT = (
    "The answer is about code that is hot now. It follows values and decisions, not side effects such as "
    "input and output, caches or locks; code that is cold now and becomes slow by the change is not hot code."
)


def impact(project: OpenProject, wish: Wish, how: ImpactWish, is_sandboxed: bool, watcher: Watcher) -> Impact:
    """Whether the change between two revisions can reach hot code, and what to measure if so."""
    pair = pair_of(project, how.revision, how.base)
    target, tally = target_over(project, wish, pair.history), Tally(watcher)
    with open_workshop(project, pair.history, target.benchmarks, is_sandboxed) as workshop:
        if not is_sandboxed:
            watcher.notice(Warned(NO_SANDBOX))
        found = _Inquiry(workshop, target, wish, how, tally).run(pair)
    return replace(found, cost=tally.cost)


@dataclass(frozen=True)
class _Inquiry:
    """One question about a pair of revisions."""

    workshop: Workshop
    target: Target
    wish: Wish
    how: ImpactWish
    watcher: Watcher

    @property
    def space(self) -> Space:
        return self.workshop.project.file.space

    def run(self, pair: Pair) -> Impact:
        """The answer; nothing is built if the inputs of the builds are the same."""
        empty = Impact(pair.head, pair.base, self.space.default, False, SAME_INPUTS, (), (), (), (), (), 0)
        builds = list(build_configurations(self.space))
        if all(self._is_same_build(pair.head, pair.base, each) for each in builds):
            return replace(empty, configurations_total=reduced(self.space, ()).total)
        with self.workshop.executor(self.watcher) as executor:
            base, programs, warnings = self._programs(executor, pair, builds)
            empty = replace(empty, base=base, warnings=warnings)
            differing = [each for each in programs if find_differences(each.old, each.new)]
            if not differing:
                total = reduced(self.space, ()).total
                return replace(empty, verdict=SAME_CODE, configurations_total=total)
            hot = (
                named_hot(self.how.hot)
                if self.how.hot
                else profiled_hot(self.workshop, executor, self.target, self.wish, base)
            )
        lines = tuple(self._changed_lines(base, pair.head))
        options = with_suggestions(self.space.options, differing)
        settings = self.how.settings
        answers = [
            answer(Question(each.old, each.new, hot.hotness, options, lines, settings), time.monotonic)
            for each in differing
        ]
        return self._united(empty, pair.ancestors, hot, answers)

    def _changed_lines(self, base: Revision, head: Revision) -> Iterator[ChangedLines]:
        lines = self.workshop.project.repository.changed_lines(base.id, head.id)
        for file in dict.fromkeys([*lines.old, *lines.new]):
            yield ChangedLines(file, lines.old.get(file, ()), lines.new.get(file, ()))

    def _is_same_build(self, head: Revision, base: Revision, configuration: Configuration) -> bool:
        blueprints = [self._draft(each, configuration) for each in (head, base)]
        return (
            blueprints[0] is not None
            and blueprints[1] is not None
            and (blueprints[0].build.key == blueprints[1].build.key)
        )

    def _draft(self, revision: Revision, configuration: Configuration) -> Blueprint | None:
        benchmark = next(iter(self.target.runs))
        draft = self.workshop.drafter.draft(Point(revision.id, configuration, benchmark))
        return draft if isinstance(draft, Blueprint) else None

    def _programs(
        self, executor: LocalExecutor, pair: Pair, builds: Sequence[Configuration]
    ) -> tuple[Revision, list[ProgramPair], tuple[str, ...]]:
        """The programs that differ, and the base: the nearest ancestor that builds."""
        reader, warnings = Reader(), list[str]()
        programs: list[ProgramPair] = []
        base = pair.base
        for configuration in builds:
            new = self._bitcode(executor, pair.head, configuration)
            if isinstance(new, Failed):
                if configuration == self.space.default:
                    raise NothingMeasured(_failure(pair.head, new))
                warnings.append(f"{pair.head.short} does not build with {configuration}: {new.reason}")
                continue
            base, old = self._nearest(executor, pair.ancestors, configuration)
            warnings += [f"{each.source} is left out: {each.reason}" for each in new.skipped]
            programs += program_pairs(old, new, reader)
        if base != pair.base:
            warnings.append(f"{pair.base.short} does not build; {base.short}, before it, is compared with.")
        return base, programs, tuple(dict.fromkeys(warnings))

    def _nearest(
        self, executor: LocalExecutor, ancestors: History, configuration: Configuration
    ) -> tuple[Revision, Bitcode]:
        first: Failed | None = None
        for base in reversed(ancestors.revisions):
            old = self._bitcode(executor, base, configuration)
            if not isinstance(old, Failed):
                return base, old
            first = first or old
        assert first is not None
        raise NothingMeasured(_failure(ancestors[-1], first))

    def _bitcode(
        self, executor: LocalExecutor, revision: Revision, configuration: Configuration
    ) -> Bitcode | Failed:
        blueprint = self._draft(revision, configuration)
        assert blueprint is not None
        return bitcode_of(self.workshop, executor, blueprint, self.how.compile_commands)

    def _united(self, empty: Impact, ancestors: History, hot: Hot, answers: Sequence[Answer]) -> Impact:
        interactions = tuple(each for one in answers for each in one.interactions)
        options = tuple(united_options(self.space.options, answers, bool(interactions)))
        found = replace(
            empty,
            is_relevant=bool(interactions),
            verdict=RELEVANT if interactions else NOT_RELEVANT,
            hot=hot.routines,
            changed=_united_changes(answers),
            interactions=interactions,
            options=options,
            analysis=_united_analysis(answers),
            caveats=(CAVEAT,),
            warnings=(*empty.warnings, *hot.warnings, *(w for one in answers for w in one.warnings)),
        )
        needed = reduced(self.space, found.related_options)
        if not interactions:
            return replace(found, configurations_total=needed.total)
        seconds = measuring_seconds(
            self.workshop, self.target, ancestors, needed.configurations, needed.total
        )
        return replace(
            found,
            configurations=needed.configurations,
            configurations_total=needed.total,
            is_cut=needed.is_cut,
            seconds=seconds,
        )


def build_configurations(space: Space) -> Iterator[Configuration]:
    """The default configuration, and one for each other value of an option that takes effect in the build."""
    yield space.default
    for option in space.options:
        if option.phase is Phase.BUILD:
            yield from (each for each in combinations(space, [option.name]) if each != space.default)


def united_options(
    options: Iterable[Option], answers: Sequence[Answer], is_relevant: bool
) -> Iterator[OptionImpact]:
    """What all programs together say of each option: one that is related in any of them is related."""
    order = (Role.RELATED, Role.UNKNOWN, Role.UNRELATED)
    for option in options:
        if option.phase is Phase.BUILD:
            reason = "it takes effect when the program is built"
            yield OptionImpact(option.name, Role.UNKNOWN if is_relevant else Role.UNRELATED, reason)
            continue
        said = [each for one in answers for each in one.options if each.option == option.name]
        yield min(said, key=lambda each: order.index(each.role))


def _united_changes(answers: Sequence[Answer]) -> tuple[ChangedRoutine, ...]:
    return tuple(dict.fromkeys(each for one in answers for each in one.changed))


def _united_analysis(answers: Sequence[Answer]) -> Analysis:
    first = next((each.analysis for each in answers if each.analysis.reason), answers[0].analysis)
    return replace(
        first,
        instructions=sum(each.analysis.instructions for each in answers),
        indirect_calls=sum(each.analysis.indirect_calls for each in answers),
        resolved_calls=sum(each.analysis.resolved_calls for each in answers),
        seconds=sum(each.analysis.seconds for each in answers),
    )


def _failure(revision: Revision, failed: Failed) -> str:
    said = "\n".join(failed.output.rstrip().splitlines()[-12:])
    return f"{revision.short} cannot be read with clang. {failed.reason}\n{said}".rstrip()
