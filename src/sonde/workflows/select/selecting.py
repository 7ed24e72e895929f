"""Which benchmarks can a revision have changed: builds two revisions, and measures nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from sonde.core.errors import MissingTool, UsageError
from sonde.core.findings.selections import Basis, Churn, Selected, Selection
from sonde.core.protocols import Watcher
from sonde.core.results import Failed, Metric
from sonde.core.revisions import History, Revision
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.selection.differences import BuildDifference
from sonde.methods.selection.predictors import LearnedRules
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.select.builds import (
    Outcomes,
    answered_by_builds,
    build_both,
    differences_of,
    require_a_head,
)
from sonde.workflows.select.cases import SelectionCase, cases_of
from sonde.workflows.select.decisions import decide
from sonde.workflows.select.learners import parse_catch, rules_in_words
from sonde.workflows.select.learning import Learning, ageing, known_examples, way_of
from sonde.workflows.select.measured import in_view_of, last_measured
from sonde.workflows.select.pairs import RevisionPair, pair_of
from sonde.workflows.select.profiles import BaseProfile, base_profiles
from sonde.workflows.surroundings import warn_of_surroundings
from sonde.workflows.tally import Tally
from sonde.workflows.targets import MeasuringRequest, MeasuringTarget, target_over

PROOF = (
    "A proof covers the code, the constants and the files of the build. It does not cover "
    "the machine, the environment, the clock or other input."
)
LAYOUT = "For times it means: same code, but the layout may differ."


@dataclass(frozen=True)
class SelectRequest:
    """What `sonde select` is asked for, beside benchmarks and configurations."""

    revision: str = ""  # empty: the end of the branch
    base: str = ""  # empty: its first parent
    learning: Learning = field(default_factory=Learning)
    full_every: int = 50  # revisions without a measurement after which a benchmark is run in any case
    leaves_unread: bool = False  # what cannot be read or profiled is left undecided; otherwise it is an error


def select(
    project: OpenProject, request: MeasuringRequest, how: SelectRequest, is_sandboxed: bool, watcher: Watcher
) -> Selection:
    """Decide for each benchmark and configuration whether it should run."""
    with open_selecting(project, how, is_sandboxed) as selecting:
        warn_of_surroundings(project, is_sandboxed, watcher)
        return selecting.select(request, watcher)


@dataclass(frozen=True)
class Selecting:
    """Two revisions that may be asked about more than once; what every answer needs is read once."""

    tools: ProjectTools
    pair: RevisionPair
    rules: LearnedRules
    how: SelectRequest
    warnings: tuple[str, ...]  # of the rules

    def select(self, request: MeasuringRequest, watcher: Watcher, base: Revision | None = None) -> Selection:
        """Decide about the benchmarks and configurations of a request.

        The base is one of the pair's ancestors that is kept where it does not build, as it may in some
        configurations; None is the nearest of them that builds in one.
        """
        target, tally = target_over(self.tools.project, request, self.pair.history), Tally(watcher)
        pair = self.pair.since(base) if base else self.pair
        selector = _Selector(self.tools, target, self.rules, self.how, keeps_base=base is not None)
        selected, churn, used = selector.run(pair, tally)
        warnings = list(self.warnings)
        if used != self.pair.base:
            warnings.append(
                f"{self.pair.base.short} does not build, so the base is {used.short}, the revision before."
            )
        file = self.tools.project.file
        words = rules_in_words(self.rules).items()
        return Selection(
            pair.head,
            used,
            file.space.default,
            selected,
            " ".join(f"{name}: {rule}" if name else rule for name, rule in words),
            churn,
            tuple(_caveats(selected, [file.subject.benchmark[name].metric for name in target.benchmarks])),
            tuple(warnings),
            tally.cost,
        )


@contextmanager
def open_selecting(project: OpenProject, how: SelectRequest, is_sandboxed: bool) -> Iterator[Selecting]:
    """Read what is known of two revisions and of those before them; nothing is built yet."""
    way, catch = way_of(how.learning), parse_catch(how.learning.catch)
    pair = pair_of(project, how.revision, how.base)
    everything = [each.name for each in project.file.subject.benchmarks]  # a rule is for all of them
    with open_tools(project, pair.history, everything, is_sandboxed) as tools:
        examples = known_examples(tools)
        rules = way.rules(examples)
        aged = ageing(way, catch, examples, pair.history)
        warnings = (*rules.common.warnings, *([aged] if aged else []))
        yield Selecting(tools, pair, rules, how, warnings)


@dataclass(frozen=True)
class _Selector:
    """Decides about all cases of a pair of revisions."""

    tools: ProjectTools
    target: MeasuringTarget
    rules: LearnedRules
    how: SelectRequest
    keeps_base: bool

    def run(
        self, pair: RevisionPair, watcher: Watcher
    ) -> tuple[tuple[Selected, ...], Churn | None, Revision]:
        """The decisions, how much the builds differ, and the base: the nearest ancestor that builds."""
        answers: Sequence[SelectionCase | Selected] = list(self._cases(pair.head, pair.base))
        ancestors, churn, decided = pair.ancestors, None, {}
        if any(isinstance(answer, SelectionCase) for answer in answers):
            with self.tools.executor(watcher) as executor:
                answers, outcomes, ancestors = self._built(executor, pair, answers)
                cases = [answer for answer in answers if isinstance(answer, SelectionCase)]
                decided = {each: early for each in cases if (early := answered_by_builds(each, outcomes))}
                left = [each for each in cases if each not in decided]
                compared = differences_of(self.tools, executor, left)
                decided |= self._unread(compared)
                differences = {
                    case: each for case, each in compared.items() if isinstance(each, BuildDifference)
                }
                decided |= self._decide(executor, differences, ancestors)
                churn = next((each.churn for each in differences.values()), None)
        selected = [
            answer if isinstance(answer, Selected) else self._timed(answer, decided[answer], ancestors)
            for answer in answers
        ]
        return tuple(selected), churn, ancestors[-1]

    def _timed(self, case: SelectionCase, selected: Selected, ancestors: History) -> Selected:
        measured = last_measured(self.tools, case, ancestors)
        return in_view_of(selected, measured, case.metric, self.how.full_every)

    def _cases(self, head: Revision, base: Revision) -> Iterator[SelectionCase | Selected]:
        return cases_of(self.tools, self.target, head, base)

    def _built(
        self, executor: LocalExecutor, pair: RevisionPair, answers: Sequence[SelectionCase | Selected]
    ) -> tuple[Sequence[SelectionCase | Selected], Outcomes, History]:
        """The cases, compared with the nearest ancestor that builds in some configuration."""
        ancestors = pair.ancestors
        while True:
            cases = [answer for answer in answers if isinstance(answer, SelectionCase)]
            outcomes = build_both(self.tools, executor, cases) if cases else {}
            if self.keeps_base or not cases:
                return answers, outcomes, ancestors
            require_a_head(cases, outcomes)
            fails = [isinstance(outcomes[each.base.build.key], Failed) for each in cases]
            if not all(fails) or len(ancestors) == 1:
                return answers, outcomes, ancestors
            ancestors = History(ancestors.revisions[:-1])
            answers = list(self._cases(pair.head, ancestors[-1]))

    def _unread(
        self, compared: Mapping[SelectionCase, BuildDifference | str]
    ) -> dict[SelectionCase, Selected]:
        """What is undecided because a build cannot be read."""
        reasons = {case: reason for case, reason in compared.items() if isinstance(reason, str)}
        if reasons and not self.how.leaves_unread:
            raise UsageError(next(iter(reasons.values())))
        return {case: case.answer(True, Basis.UNKNOWN, reason) for case, reason in reasons.items()}

    def _decide(
        self,
        executor: LocalExecutor,
        differences: Mapping[SelectionCase, BuildDifference],
        ancestors: History,
    ) -> dict[SelectionCase, Selected]:
        """Decide by profiles what the builds leave open."""
        at_base = {case: difference.old for case, difference in differences.items()}
        try:
            standing = base_profiles(self.tools, executor, list(differences), ancestors, at_base)
        except MissingTool as error:
            if not self.how.leaves_unread:
                raise
            standing = dict.fromkeys(differences, str(error))
        return {
            case: decide(case, differences[case], base_profile, self.rules.of(case.benchmark))
            if isinstance(base_profile, BaseProfile)
            else case.answer(True, Basis.UNKNOWN, base_profile)
            for case, base_profile in standing.items()
        }


def _caveats(selected: Sequence[Selected], metrics: Iterable[Metric]) -> Iterator[str]:
    """What a proof by code does not cover, where there is one."""
    if any(each.proof is not None and not each.proof.is_by_bytes for each in selected):
        yield PROOF
        if any(metric is not Metric.INSTRUCTIONS for metric in metrics):
            yield LAYOUT
