"""Playing a planner of histories against recorded performance."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

from sonde.campaign.budget import RunBudget, Seconds, Unlimited, parse_budget
from sonde.campaign.loop import Campaign
from sonde.campaign.memory_store import MemoryStore
from sonde.campaign.replay import ReplayExecutor
from sonde.core.errors import UsageError
from sonde.core.events import Planned
from sonde.core.findings.histories import Known, Replayed, SeriesHistory
from sonde.core.options import Configuration
from sonde.core.protocols import Watcher
from sonde.core.results import Metric
from sonde.core.revisions import RevisionId
from sonde.effects.recordings.answers import ReplayedSeries, write_changes, write_rows
from sonde.effects.recordings.points import RecordedSeries, read_recording
from sonde.methods.history_sampling.noise import LEAST
from sonde.methods.history_sampling.planner import HistoryPlanner, unlimited
from sonde.methods.history_sampling.series import Series
from sonde.methods.history_sampling.together import MeetingPolicy
from sonde.workflows.history.planners import allowance_of, policy_named
from sonde.workflows.replay.noise import noise_of
from sonde.workflows.replay.timed_planner import TimedPlanner

METRIC = Metric.WALL  # recordings do not say; lower is better
AT_ONCE = 0.3  # of the series are asked about before the planner thinks again
BUILDS_A_RUN = 2  # one list for all: so many revisions may be built for each that a series may measure


@dataclass(frozen=True)
class HistoryReplay:
    """What `sonde replay history` is asked for."""

    recording: Path
    planner: str
    budget: str
    seed: int = 0
    joint: bool = False
    noise: str = ""  # of each value, as a share: 0 if they are exact; empty: the recording says
    rows: Path | None = None
    changes: Path | None = None


def replay_history(request: HistoryReplay, watcher: Watcher) -> Replayed:
    """Play a planner against a recording, and write its answers."""
    policy, budget = policy_named(request.planner), parse_budget(request.budget)
    if isinstance(budget, Seconds):
        raise UsageError(
            f"a replay takes no time, so it cannot have a budget of {request.budget}. Write a "
            "share (5%) or a number of runs (200)."
        )
    recording = read_recording(request.recording)
    history = sorted({revision for series in recording.series for revision in series.revisions})
    position = {revision: at for at, revision in enumerate(history)}
    noise = noise_of(request.recording, recording, request.noise)
    series = [_series(recorded, position, noise[recorded.key]) for recorded in recording.series]
    allowance = allowance_of(budget)
    most_builds = BUILDS_A_RUN * allowance(len(history))
    timed = TimedPlanner(
        lambda: HistoryPlanner(
            series,
            len(history),
            MeetingPolicy(policy, most_builds) if request.joint else policy,
            request.seed,
            allowance,
        )
    )
    values = {
        one.point(at): value
        for one, recorded in zip(series, recording.series, strict=True)
        for at, value in enumerate(recorded.values)
    }
    campaign = Campaign(
        ReplayExecutor(values, METRIC, seed=request.seed),
        MemoryStore(),
        budget if allowance is unlimited else Unlimited(),
        len(history),
        time.monotonic,
        watcher,
        batch=max(Campaign.batch, ceil(AT_ONCE * len(series))),
    )
    points = sum(min(len(one.revisions), allowance(len(one.revisions))) for one in series)
    watcher.notice(Planned(min(points, budget.runs) if isinstance(budget, RunBudget) else points))
    ending = campaign.run(timed)
    histories = timed.clocked(timed.planner.histories)
    replayed = [
        _replayed(recorded, found)
        for recorded, found in zip(recording.series, histories, strict=True)
        if found.measured
    ]
    if request.rows is not None:
        write_rows(request.rows, recording, replayed)
    if request.changes is not None:
        write_changes(request.changes, recording, replayed)
    shares = [len(one.measured) / len(one.predicted) for one in replayed]
    return Replayed(
        recording.name,
        recording.left_out,
        request.planner,
        histories,
        measured_share=sum(shares) / len(recording.series),
        builds=len({one.series.revisions[at] for one in replayed for at in one.measured}),
        runs=ending.spent.runs,
        planner_seconds=timed.seconds,
    )


def _series(recorded: RecordedSeries, position: dict[int, int], noise: float | None) -> Series:
    """A series; where its noise is known, every difference beyond it matters."""
    series = Series(
        Configuration.of({"configuration": recorded.configuration}),
        recorded.benchmark,
        METRIC,
        tuple(RevisionId(str(revision)) for revision in recorded.revisions),
        tuple(position[revision] for revision in recorded.revisions),
        kinds=recorded.revisions,
    )
    if noise is None:
        return series
    return replace(series, noise_floor=max(noise, LEAST), magnitude=0.0, counted_noise=noise)


def _replayed(recorded: RecordedSeries, found: SeriesHistory) -> ReplayedSeries:
    """The answer on the positions of the series itself."""
    estimates = [estimate for estimate in found.estimates if estimate is not None]
    places = [at for at, estimate in enumerate(found.estimates) if estimate is not None]
    own = {place: at for at, place in enumerate(places)}
    return ReplayedSeries(
        recorded,
        frozenset(at for at, estimate in enumerate(estimates) if estimate.known is Known.MEASURED),
        [estimate.value for estimate in estimates],
        [estimate.low for estimate in estimates],
        [estimate.high for estimate in estimates],
        [own[change.position] for change in found.changes],
    )
