"""What `sonde check` need not measure: equal builds, code that is not reached, options that take no part.

Each step leaves cases out and says why. Only what is proven counts as unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from statistics import fmean

from sonde.core.comparisons import Case, Dropped, Step
from sonde.core.errors import MissingTool, NothingMeasured, UsageError
from sonde.core.events import Noted
from sonde.core.options import Configuration, OptionName, Phase
from sonde.core.protocols import Watcher
from sonde.core.revisions import Revision
from sonde.core.selections import Basis, Selected
from sonde.space.counting import count
from sonde.space.samplers.covering import covering
from sonde.space.samplers.t_wise import t_wise
from sonde.space.space import Space
from sonde.workflows.check_dropping import (
    NOT_REACHED,
    drops,
    is_proven,
    proves_every_configuration,
    sentinels,
)
from sonde.workflows.check_space import shared_space
from sonde.workflows.check_wishes import CheckWish
from sonde.workflows.impact import impact
from sonde.workflows.impact_hot import MOST_PROFILES, one_at_a_time
from sonde.workflows.impact_wishes import ImpactWish
from sonde.workflows.projects import OpenProject
from sonde.workflows.select import SelectWish, select
from sonde.workflows.targets import ALL, Wish

MOST_CONFIGURATIONS = 100_000  # with --all; more would take months
NEVER_DUE = 10**9  # revisions: what is compared with its base does not age


@dataclass(frozen=True)
class Narrowed:
    """What is left to be measured, and what is not."""

    head: Revision
    base: Revision  # the nearest ancestor that builds
    cases: int
    left: tuple[Case, ...]
    dropped: tuple[Dropped, ...]
    related_options: tuple[OptionName, ...] | None  # None: nobody looked
    unchanged: tuple[Case, ...]  # some of those that are proven
    seconds_a_run: float | None  # as far as is known
    warnings: tuple[str, ...]


def narrow(
    project: OpenProject, wish: Wish, how: CheckWish, is_sandboxed: bool, watcher: Watcher
) -> Narrowed:
    """Leave out what need not be measured; raises NothingMeasured if the head does not build."""
    narrowing = _Narrowing(project, wish, how, is_sandboxed, watcher)
    return narrowing.nothing() if how.takes_all else narrowing.run()


@dataclass(frozen=True)
class _Chosen:
    """The configurations that stand for all, and why the others need not be measured."""

    configurations: tuple[Configuration, ...]
    step: Step
    reason: str
    related: tuple[OptionName, ...] | None = None


@dataclass
class _Narrowing:
    """One way through all steps."""

    project: OpenProject
    wish: Wish
    how: CheckWish
    is_sandboxed: bool
    watcher: Watcher
    known: dict[Case, Selected] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)  # an ordered set
    ends: tuple[Revision, Revision] | None = None  # head and base

    @cached_property
    def space(self) -> Space:
        return shared_space(self.project, self.how.revision, self.how.base)

    def nothing(self) -> Narrowed:
        """Everything is left."""
        configurations = self._named() or list(islice(self.space.configurations(), MOST_CONFIGURATIONS + 1))
        if len(configurations) > MOST_CONFIGURATIONS:
            number = count(self.space).in_words
            raise UsageError(f"--all cannot measure {number} configurations. Name some with -c.")
        self._ask_until_it_builds(configurations)
        benchmarks = dict.fromkeys(case.benchmark for case in self.known)
        left = [Case(benchmark, each) for each in configurations for benchmark in benchmarks]
        return self._narrowed(len(left), left, [], None)

    def run(self) -> Narrowed:
        """Leave out step by step."""
        named = self._named()
        probes = named or list(self._probes())
        self._ask(probes)
        benchmarks = len({case.benchmark for case in self.known})
        configurations = len(named) or count(self.space).number
        total = benchmarks * configurations
        if not named and self._has_same_builds():
            reason = next(iter(self.known.values())).reasons[0]
            return self._narrowed(total, [], self._drops([], total, Step.BUILDS, reason), None)
        if len(probes) == configurations:
            left = self._unproven(probes)
            return self._narrowed(total, left, self._drops(left, total), None)
        self._note(f"{self._count_proven()} of {len(self.known)} cases near the default are proven unchanged")
        chosen = self._choose()
        few = f"{len(chosen.configurations)} of {configurations:,} configurations"
        self._note(f"{few} stand for all: {chosen.reason}")
        self._ask([each for each in chosen.configurations if each not in set(probes)])
        left = self._unproven(chosen.configurations)
        left += sentinels(self.known, left)
        dropped = self._drops(left, total, chosen.step, chosen.reason)
        return self._narrowed(total, left, dropped, chosen.related)

    def _named(self) -> list[Configuration]:
        if not self.wish.configurations or ALL in self.wish.configurations:
            return []
        named = list(dict.fromkeys(map(self.project.file.space.parse, self.wish.configurations)))
        for each in named:
            if not self.space.is_valid(each):
                raise UsageError(
                    f"'{each}' cannot be compared: one of both revisions does not have all of its options. "
                    "`since` and `until` in the project file say which revision has which."
                )
        return named

    def _probes(self) -> Iterator[Configuration]:
        """The default configuration and its neighbours, whose profiles tell what code matters."""
        benchmarks = self.wish.benchmarks or self.project.file.subject.benchmarks
        return islice(one_at_a_time(self.space), max(1, MOST_PROFILES // len(benchmarks)))

    def _ask(self, configurations: Sequence[Configuration]) -> None:
        """Ask `sonde select` about these configurations; it proves what it can."""
        if not configurations:
            return
        wish = Wish("", tuple(map(str, configurations)), self.wish.benchmarks)
        head, base = self._names()
        how = SelectWish(
            head, base, full_every=NEVER_DUE, leaves_unread=True, keeps_base=self.ends is not None
        )
        found = select(self.project, wish, how, self.is_sandboxed, self.watcher)
        self.known |= {Case(each.benchmark, each.configuration): each for each in found.selected}
        self.warnings |= dict.fromkeys(found.warnings)
        for each in found.selected:
            if each.is_run and each.basis is Basis.UNKNOWN:
                self.warnings[f"nothing could be proven: {each.reasons[0].rstrip('.')}"] = None
        self.ends = found.head, found.base

    def _names(self) -> tuple[str, str]:
        """Head and base: as the user names them, until it is known which base builds."""
        return (self.ends[0].id, self.ends[1].id) if self.ends else (self.how.revision, self.how.base)

    def _ask_until_it_builds(self, configurations: Sequence[Configuration]) -> None:
        """Ask about one that builds; raises NothingMeasured if there is none."""
        in_build = {option.name for option in self.space.options if option.phase is Phase.BUILD}
        builds = {frozenset(each for each in one if each.option in in_build): one for one in configurations}
        failures = []
        for each in builds.values():
            try:
                return self._ask([each])
            except NothingMeasured as error:
                failures.append(error)
        raise failures[0]

    def _has_same_builds(self) -> bool:
        """Whether the builds prove every case: they have no options of their own."""
        has_build_options = any(option.phase is Phase.BUILD for option in self.space.options)
        metrics = self.project.file.subject.benchmark
        return all(
            proves_every_configuration(each, metrics[case.benchmark].metric, has_build_options)
            for case, each in self.known.items()
        )

    def _choose(self) -> _Chosen:
        """The configurations in which what the change does can show."""
        found = self._by_impact()
        if isinstance(found, _Chosen):
            return found
        self.warnings[f"the options could not be told apart: {found}"] = None
        sample = t_wise(self.space, self.how.strength)
        reason = f"every {self.how.strength} values of options meet in one that is measured"
        chosen = tuple(dict.fromkeys((self.space.default, *sample)))
        return _Chosen(chosen, Step.SAMPLE, reason)

    def _by_impact(self) -> _Chosen | str:
        """What `sonde impact` says, or why it says nothing."""
        if not any(option.variables for option in self.space.options):
            return "no option has a `variable` in the project file; `sonde impact --suggest-options` helps"
        wish = Wish("", (), self.wish.benchmarks)
        head, base = self._names()
        how = ImpactWish(head, base, compile_commands=self.how.compile_commands)
        try:
            found = impact(self.project, wish, how, self.is_sandboxed, self.watcher)
        except (MissingTool, UsageError, NothingMeasured) as error:
            return str(error).splitlines()[0]
        if self.ends is not None and found.base != self.ends[1]:
            return f"{self.ends[1].short} does not build with clang"
        self.warnings |= dict.fromkeys(found.warnings)
        if not found.is_relevant:
            return _Chosen((), Step.IMPACT, found.verdict.rstrip("."), ())
        related = found.related_options
        existing = tuple(filter(self.space.is_valid, found.configurations))
        few = covering(existing, related, self.how.strength)
        names = ", ".join(related) or "no option"
        reason = f"the change reaches hot code through {names} only"
        if len(few) < len(existing):
            reason += f", and every {self.how.strength} values of these meet in one that is measured"
        return _Chosen(few, Step.IMPACT, reason, related)

    def _unproven(self, configurations: Sequence[Configuration]) -> list[Case]:
        wanted = set(configurations)
        return [
            case for case, each in self.known.items() if case.configuration in wanted and not is_proven(each)
        ]

    def _drops(
        self, left: Sequence[Case], total: int, step: Step = Step.SELECT, reason: str = NOT_REACHED
    ) -> list[Dropped]:
        metrics = {name: each.metric for name, each in self.project.file.subject.benchmark.items()}
        return drops(self.known, metrics, left, total, step, reason)

    def _count_proven(self) -> int:
        return sum(map(is_proven, self.known.values()))

    def _note(self, message: str) -> None:
        self.watcher.notice(Noted(message))

    def _narrowed(
        self,
        total: int,
        left: Sequence[Case],
        dropped: Sequence[Dropped],
        related: tuple[OptionName, ...] | None,
    ) -> Narrowed:
        assert self.ends is not None
        head, base = self.ends
        times = [each.seconds for each in self.known.values() if each.seconds is not None]
        return Narrowed(
            head,
            base,
            total,
            tuple(left),
            tuple(dropped),
            related,
            tuple(case for case, each in self.known.items() if is_proven(each)),
            fmean(times) if times else None,
            tuple(self.warnings),
        )
