"""Can a change reach hot code, and through which options: builds, and measures nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sonde.core.findings.impacts import (
    Analysis,
    ChangedRoutine,
    Impact,
    Interaction,
    OptionImpact,
    Partition,
    Role,
    Via,
)
from sonde.core.options import Option, Phase
from sonde.core.protocols import Watcher
from sonde.core.revisions import History, Revision
from sonde.effects.collecting import without_collecting
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.impact.coverage import find_regions
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.methods.impact.differences.programs import find_differences
from sonde.methods.impact.hot.heaviest import heaviest
from sonde.methods.impact.question import Answer
from sonde.space.space import Space
from sonde.workflows.impact.asking import Asking, with_head
from sonde.workflows.impact.builds import ComparedPrograms, ProgramBuilds, build_configurations
from sonde.workflows.impact.hot import Hot, named_hot, profiled_hot, require_known
from sonde.workflows.impact.measuring import measuring_seconds, reduced
from sonde.workflows.impact.request import ImpactRequest
from sonde.workflows.impact.suggestions import whole_words_of, with_suggestions
from sonde.workflows.impact.words import fixed_words
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.select.pairs import RevisionPair, pair_of
from sonde.workflows.surroundings import warn_of_surroundings
from sonde.workflows.tally import Tally
from sonde.workflows.targets import MeasuringRequest, MeasuringTarget, target_over

SAME_INPUTS = "The change cannot reach hot code: the build inputs are the same."
SAME_CODE = "The change cannot reach hot code: the program is the same, only its source text differs."
SAME_BUILD = "The change cannot reach hot code: both builds execute the same code."
RELEVANT = "The change can reach hot code."
NOT_RELEVANT = "The change cannot reach hot code."
CAVEAT = (
    "This result covers {hot}. The analysis follows values, and {decisions} per path "
    "(--implicit-depth), but not side effects such as input and output, caches or locks."
)
DECISIONS = ("no decision", "at most one decision", "at most two decisions")


def impact(
    project: OpenProject, request: MeasuringRequest, how: ImpactRequest, is_sandboxed: bool, watcher: Watcher
) -> Impact:
    """Whether the change between two revisions can reach hot code, and what to measure if so."""
    pair = pair_of(project, how.revision, how.base)
    target, tally = target_over(project, request, pair.history), Tally(watcher)
    with open_tools(project, pair.history, target.benchmarks, is_sandboxed) as tools:
        warn_of_surroundings(project, is_sandboxed, watcher)
        found = _Inquiry(tools, target, request, how, tally).run(pair)
    return replace(found, cost=tally.cost)


@dataclass(frozen=True)
class _Inquiry:
    """One question about a pair of revisions."""

    tools: ProjectTools
    target: MeasuringTarget
    request: MeasuringRequest
    how: ImpactRequest
    watcher: Watcher

    @property
    def space(self) -> Space:
        return self.tools.project.file.space

    def run(self, pair: RevisionPair) -> Impact:
        """The answer; nothing is built if the inputs of the builds are the same."""
        empty = Impact(pair.head, pair.base, self.space.default, False, SAME_INPUTS, (), (), (), (), (), 0)
        configurations = list(build_configurations(self.space))
        builds = ProgramBuilds(self.tools, next(iter(self.target.runs)))
        if all(builds.are_same(pair, each) for each in configurations):
            return replace(empty, configurations_total=reduced(self.space, ()).total)
        named = named_hot(self.how.hot)
        with self.tools.executor(self.watcher) as executor:
            # With hot code named, nothing but bitcode is built; and the paper knows no such proof.
            takes_profiles = not self.how.hot and not self.how.is_paper
            if takes_profiles and builds.do_the_same(executor, pair, configurations):
                total = reduced(self.space, ()).total
                return replace(empty, verdict=SAME_BUILD, configurations_total=total)
            compared = builds.compare(executor, pair, configurations, self.how.compile_commands)
            empty = replace(empty, base=compared.base, warnings=compared.warnings)
            require_known(named, compared.programs)
            lines = tuple(self._changed_lines(compared.base, pair.head))
            words = frozenset(word for each in self._options_at(pair.head) for word in whole_words_of(each))
            with without_collecting():
                found = [
                    (each, find_differences(each.old, each.new, lines, words)) for each in compared.programs
                ]
            differing = [(each, differences) for each, differences in found if differences]
            with without_collecting():
                regions = tuple(region for _, each in differing for region in find_regions(each))
            empty = replace(empty, regions=regions)
            if not differing:
                total = reduced(self.space, ()).total
                return replace(empty, verdict=SAME_CODE, configurations_total=total)
            hot = named if self.how.hot else self._profiled(executor, compared, compared.base)
            asking = Asking(
                tuple(differing),
                with_suggestions(self._options_at(pair.head), [each for each, _ in differing]),
                lines,
                self.how.settings,
                words,
                self._fixed_words(),
                counts_warm=not self.how.is_paper,
            )
            answers = asking.answers(hot)
            if takes_profiles and not any(each.is_relevant for each in answers):
                hot = with_head(hot, lambda: self._profiled(executor, compared, pair.head), differing)
                answers = asking.answers(hot)
        return self._united(empty, pair.ancestors, hot, answers)

    def _profiled(self, executor: LocalExecutor, compared: ComparedPrograms, revision: Revision) -> Hot:
        """What profiles of a revision say is hot."""
        sides = [each.old if revision == compared.base else each.new for each in compared.programs]
        units = [unit for side in sides for unit in side]
        is_python = compared.is_python
        least = self.how.hot_share
        return profiled_hot(
            self.tools, executor, self.target, self.request, revision, units, is_python, least
        )

    def _caveat(self) -> str:
        hot = "the code named by --hot" if self.how.hot else "code that is hot in the profiled runs"
        return CAVEAT.format(hot=hot, decisions=DECISIONS[self.how.settings.implicit_depth])

    def _fixed_words(self) -> tuple[str, ...] | None:
        recipes = self.tools.project.file.subject.benchmarks
        return fixed_words(each for each in recipes if each.name in self.target.benchmarks)

    def _options_at(self, revision: Revision) -> list[Option]:
        return [each for each in self.space.options if self.tools.drafter.has(each, revision.id)]

    def _changed_lines(self, base: Revision, head: Revision) -> Iterator[ChangedFileLines]:
        lines = self.tools.project.repository.changed_lines(base.id, head.id)
        for file in dict.fromkeys([*lines.old, *lines.new]):
            yield ChangedFileLines(file, lines.old.get(file, ()), lines.new.get(file, ()))

    def _united(self, empty: Impact, ancestors: History, hot: Hot, answers: Sequence[Answer]) -> Impact:
        interactions = tuple(sorted((each for one in answers for each in one.interactions), key=_directness))
        options = tuple(united_options(self.space.options, answers, bool(interactions)))
        reached = {each.hot_routine for each in interactions}
        found = replace(
            empty,
            is_relevant=bool(interactions),
            verdict=RELEVANT if interactions else NOT_RELEVANT,
            hot=(*hot.routines, *(each for each, _ in hot.warm if each.name in reached)),
            changed=_united_changes(answers),
            interactions=interactions,
            options=options,
            analysis=_united_analysis(answers),
            caveats=(self._caveat(),),
            warnings=(*empty.warnings, *hot.warnings, *(w for one in answers for w in one.warnings)),
        )
        inside = {each.changed_routine for each in interactions if each.via is Via.WITHIN}
        near = heaviest(self.space.default, hot.profiles, inside or reached, found.related_options)
        related, behind = found.related_options, found.options_behind
        needed = reduced(self.space, related, _united_partition(answers), near, behind)
        if not interactions:
            return replace(found, configurations_total=needed.total)
        seconds = measuring_seconds(self.tools, self.target, ancestors, needed.configurations, needed.total)
        return replace(
            found,
            configurations=needed.configurations,
            configurations_total=needed.total,
            is_cut=needed.is_cut,
            combinations=needed.combinations,
            not_executed=needed.not_executed,
            beside=needed.beside,
            seconds=seconds,
        )


def united_options(
    options: Iterable[Option], answers: Sequence[Answer], is_relevant: bool
) -> Iterator[OptionImpact]:
    """What all programs together say of each option: one that is related in any of them is related."""
    order = (Role.RELATED, Role.UNKNOWN, Role.BEHIND, Role.UNRELATED)
    for option in options:
        if option.phase is Phase.BUILD:
            reason = "it takes effect at build time"
            yield OptionImpact(option.name, Role.UNKNOWN if is_relevant else Role.UNRELATED, reason)
            continue
        said = [each for one in answers for each in one.options if each.option == option.name]
        if not said:
            yield OptionImpact(option.name, Role.UNRELATED, "this revision does not have it")
            continue
        yield min(said, key=lambda each: order.index(each.role))


def _directness(interaction: Interaction) -> tuple[int, int]:
    """The shortest ways first, those without decisions before others."""
    return list(Via).index(interaction.via), len(interaction.path)


def _united_partition(answers: Sequence[Answer]) -> Partition | None:
    """What is alike in all programs whose hot code the change can reach; None if one of them cannot tell."""
    found = [each.partition for each in answers if each.is_relevant]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    return Partition(tuple(part for each in known for part in each.parts))


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
