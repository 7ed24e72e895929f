"""How performance evolved: from a project to an estimate for every revision, by measuring a few."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from sonde.campaign.budget import Budget, Share, Unlimited, parse_budget
from sonde.campaign.loop import Campaign, CampaignEnding
from sonde.core.errors import UsageError
from sonde.core.events import Planned
from sonde.core.findings.histories import Histories
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName
from sonde.core.protocols import Executor, Watcher
from sonde.core.subject import BenchmarkRecipe
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import forget_failures, known_by_content
from sonde.methods.history_sampling.bisecting import Bisecting
from sonde.methods.history_sampling.planner import HistoryPlanner, unlimited
from sonde.methods.history_sampling.policies import DEFAULT
from sonde.methods.history_sampling.policy import Policy
from sonde.methods.history_sampling.series import Series
from sonde.methods.history_sampling.stopping import Never, StoppingRule
from sonde.methods.history_sampling.together import MeetingPolicy
from sonde.workflows.blueprints import blueprints_of, proven_kinds
from sonde.workflows.care import CARE
from sonde.workflows.history.planners import allowance_of, parse_stopping, policy_named
from sonde.workflows.measure.measuring import scope_of
from sonde.workflows.project_tools import ProjectTools, open_workshop
from sonde.workflows.projects import OpenProject
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


def history(
    project: OpenProject, request: MeasuringRequest, how: HistoryRequest, is_sandboxed: bool, watcher: Watcher
) -> Histories:
    """Measure a few revisions, and estimate all of them."""
    policy, stopping = policy_named(how.planner), parse_stopping(how.until)
    target = target_of(project, request)
    budget = parse_budget(request.budget or project.file.budget or USUAL_BUDGET)
    with open_workshop(project, target.history, target.benchmarks, is_sandboxed) as tools:
        warn_of_surroundings(project, is_sandboxed, watcher)
        if request.retry:
            forget_failures(tools.store, scope_of(tools, target))
        if not any(_series(tools, target)):
            raise UsageError(
                "no revision of the range has these benchmarks and options. "
                "Choose a later range, or other configurations."
            )
        with tools.executor(watcher) as executor:
            search = _Search(tools, target, executor, watcher, how.seed)
            planner, ending = search.run(MeetingPolicy(policy), budget, stopping)
            spent, reason = ending.spent, ending.reason
            if how.exact:
                planner, ending = search.run(Bisecting(policy), Unlimited(), Never())
                spent, reason = (
                    spent + ending.spent,
                    f"{reason}; each change was narrowed down as far as possible",
                )
        return Histories(
            target.history, planner.histories(), project.file.space.default, how.planner, reason, spent
        )


@dataclass(frozen=True)
class _Search:
    """What does not change between planning a history and narrowing its changes."""

    tools: ProjectTools
    target: MeasuringTarget
    executor: Executor
    watcher: Watcher
    seed: int

    def run(
        self, policy: Policy, budget: Budget, stopping: StoppingRule
    ) -> tuple[HistoryPlanner, CampaignEnding]:
        length, allowance = len(self.target.history), allowance_of(budget)
        drawn = list(_series(self.tools, self.target))  # by what is proven equal by now
        series = [one for one, _ in drawn]
        planner = HistoryPlanner(series, length, policy, self.seed, allowance, stopping)
        blueprints = [each for _, some in drawn for each in some]
        known = list(known_by_content(self.tools.store, blueprints))
        if allowance is not unlimited:
            points = sum(allowance(len(one.revisions)) for one in series)
            at_hand = frozenset(result.point for result in known)
            self.watcher.notice(Planned(max(points, len(at_hand)), at_hand))
        campaign = Campaign(
            self.executor,
            self.tools.store,
            Unlimited() if isinstance(budget, Share) else budget,
            length,
            time.monotonic,
            self.watcher,
        )
        return planner, campaign.run(planner, known)


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
    care, runs = CARE[recipe.metric], target.runs[name]
    return Series(
        configuration,
        name,
        recipe.metric,
        tuple(each.point.revision for each in blueprints.values()),
        tuple(blueprints),
        proven_kinds(tools, blueprints.values()),
        runs,
        most_runs=MOST_RUNS * runs,
        noise_floor=care.noise_floor,
        magnitude=care.magnitude,
        counted_noise=care.noise_floor if care.is_counted else None,
        builds=tuple(each.build.key for each in blueprints.values()),
    )
