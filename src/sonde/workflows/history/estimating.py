"""How performance evolved: from a project to an estimate for every revision, by measuring a few."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sonde.campaign.budget import Budget, Share, Unlimited, parse_budget
from sonde.campaign.loop import Campaign, CampaignEnding
from sonde.core.errors import UsageError
from sonde.core.events import Noted, Planned
from sonde.core.findings.histories import Histories
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName
from sonde.core.protocols import Watcher
from sonde.core.subject import BenchmarkRecipe
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import forget_failures, known_by_content
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.history_sampling.bisecting import Bisecting
from sonde.methods.history_sampling.planner import HistoryPlanner, unlimited
from sonde.methods.history_sampling.policies import DEFAULT
from sonde.methods.history_sampling.policy import Policy
from sonde.methods.history_sampling.series import Series
from sonde.methods.history_sampling.stopping import Never, StoppingRule
from sonde.methods.history_sampling.together import MeetingPolicy
from sonde.workflows.blueprints import blueprints_of, proven_kinds
from sonde.workflows.budget_warnings import warn_of_budget
from sonde.workflows.history.effort import plan_sampling
from sonde.workflows.history.planners import allowance_of, parse_stopping, policy_named
from sonde.workflows.measure.measuring import scope_of
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.reference_runs.executor import BesideReference
from sonde.workflows.reference_runs.references import TIMES, SeriesReferences
from sonde.workflows.resolutions import RESOLUTIONS
from sonde.workflows.surroundings import warn_of_surroundings
from sonde.workflows.targets import MeasuringRequest, MeasuringTarget, target_of

USUAL_BUDGET = "15%"
MOST_RUNS = 4  # times the usual number, where a decision hangs on them


@dataclass(frozen=True)
class HistoryRequest:
    """What `sonde history` is asked for, beside the points."""

    planner: str = DEFAULT
    exact: bool = False
    until: str = ""  # when to stop before the budget is spent
    seed: int = 0
    has_reference: bool = True  # whether times are measured beside a reference


def history(
    project: OpenProject, request: MeasuringRequest, how: HistoryRequest, is_sandboxed: bool, watcher: Watcher
) -> Histories:
    """Measure a few revisions, and estimate all of them."""
    policy, stopping = policy_named(how.planner), parse_stopping(how.until)
    target = target_of(project, request)
    budget = parse_budget(request.budget or project.file.budget or USUAL_BUDGET)
    with open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools:
        warn_of_surroundings(project, is_sandboxed, watcher)
        if request.retry:
            forget_failures(tools.store, scope_of(tools, target))
        plan = plan_sampling(tools, series_of(tools, target), budget, how.exact)
        warn_of_budget(plan, watcher)
        with tools.executor(watcher) as local:
            references = SeriesReferences(tools, watcher)
            executor = (
                BesideReference(tools, local, references, retries=request.retry)
                if how.has_reference
                else local
            )
            search = _Search(tools, target, executor, watcher, how.seed)
            planner, ending = search.run(MeetingPolicy(policy), budget, stopping, plan.effort.builds)
            spent, reason = ending.spent, ending.reason
            if how.exact:
                watcher.notice(Noted("each change is narrowed to one revision"))
                planner, ending = search.run(Bisecting(policy), Unlimited(), Never(), None)
                spent, reason = (
                    spent + ending.spent,
                    f"{reason}; each change was narrowed down as far as possible",
                )
        found = tuple(
            replace(one, reference=references.revision((one.benchmark, one.configuration)))
            if how.has_reference
            else one
            for one in planner.histories()
        )
        return Histories(target.history, found, project.file.space.default, how.planner, reason, spent)


@dataclass(frozen=True)
class _Search:
    """What does not change between planning a history and narrowing its changes."""

    tools: ProjectTools
    target: MeasuringTarget
    executor: LocalExecutor | BesideReference
    watcher: Watcher
    seed: int

    def run(
        self, policy: Policy, budget: Budget, stopping: StoppingRule, builds: int | None
    ) -> tuple[HistoryPlanner, CampaignEnding]:
        length, allowance = len(self.target.history), allowance_of(budget)
        drawn = series_of(self.tools, self.target)  # by what is proven equal by now
        series = [one for one, _ in drawn]
        planner = HistoryPlanner(series, length, policy, self.seed, allowance, stopping)
        blueprints = [each for _, some in drawn for each in some]
        if isinstance(self.executor, BesideReference):
            known = self.executor.known(blueprints, self.target.runs)
        else:
            known = list(known_by_content(self.tools.store, blueprints))
        if allowance is not unlimited:
            points = sum(allowance(len(one.revisions)) for one in series)
            at_hand = frozenset(result.point for result in known)
            self.watcher.notice(Planned(max(points, len(at_hand)), at_hand, builds=builds))
        campaign = Campaign(
            self.executor,
            self.tools.store,
            Unlimited() if isinstance(budget, Share) else budget,
            length,
            time.monotonic,
            self.watcher,
            runs_per_sample=2 if self._is_paired(series) else 1,
        )
        return planner, campaign.run(planner, known)

    def _is_paired(self, series: Sequence[Series]) -> bool:
        return isinstance(self.executor, BesideReference) and any(one.metric in TIMES for one in series)


def series_of(tools: ProjectTools, target: MeasuringTarget) -> Sequence[tuple[Series, Collection[Blueprint]]]:
    """The series of a target and their points; an error if there is none."""
    drawn = list(_series(tools, target))
    if not drawn:
        raise UsageError(
            "no revision of the range has these benchmarks and options. "
            "Choose a later range, or other configurations."
        )
    return drawn


def _series(tools: ProjectTools, target: MeasuringTarget) -> Iterator[tuple[Series, Collection[Blueprint]]]:
    """The series of a target and their points, over the revisions that have its options and benchmark."""
    subject = tools.project.file.subject
    for configuration in target.configurations:
        for benchmark in target.benchmarks:
            drafts = blueprints_of(tools, target.history, configuration, benchmark)
            if drafts:
                recipe = subject.benchmark[benchmark]
                yield _one_series(tools, target, configuration, recipe, drafts), drafts.values()


def _one_series(
    tools: ProjectTools,
    target: MeasuringTarget,
    configuration: Configuration,
    recipe: BenchmarkRecipe,
    blueprints: Mapping[int, Blueprint],
) -> Series:
    name: BenchmarkName = recipe.name
    resolution, runs = RESOLUTIONS[recipe.metric], target.runs[name]
    return Series(
        configuration,
        name,
        recipe.metric,
        tuple(each.point.revision for each in blueprints.values()),
        tuple(blueprints),
        proven_kinds(tools, blueprints.values()),
        runs,
        most_runs=MOST_RUNS * runs,
        noise_floor=resolution.noise_floor,
        magnitude=resolution.magnitude,
        counted_noise=resolution.noise_floor if resolution.is_counted else None,
        builds=tuple(each.build.key for each in blueprints.values()),
    )
