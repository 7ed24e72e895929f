"""Taking profiles, several at a time where they do not disturb each other."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.events import ProfileBegan, ProfileEnded
from sonde.core.evidence import Profile
from sonde.core.protocols import Watcher
from sonde.core.records import ProfileKey, ProfileRecord
from sonde.core.results import Failed
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.lanes import run_in_lanes
from sonde.effects.profiles import Profiler, profile
from sonde.effects.runs import SandboxRuns
from sonde.effects.sandbox import Processes


@dataclass(frozen=True, eq=False)
class PlannedProfile:
    """A profile that is to be taken, at one of the points that share it."""

    key: ProfileKey
    blueprint: Blueprint
    folder: Path  # the outputs of the build
    profiler: Profiler

    @property
    def is_undisturbed(self) -> bool:
        """Whether other runs at the same time change nothing: callgrind counts, and no port is shared."""
        needs_port = self.blueprint.run.server is not None and not self.blueprint.workplace.is_isolated
        return self.profiler is Profiler.CALLGRIND and not needs_port


def take_profiles(
    planned_profiles: Sequence[PlannedProfile],
    runs: SandboxRuns,
    processes: Processes,
    watcher: Watcher,
    lanes: int,
) -> Generator[tuple[PlannedProfile, ProfileRecord | Failed], None, None]:
    """What came of each planned_profile, as soon as it is there; who stops early ends whatever runs."""

    def begin(planned_profile: PlannedProfile) -> bool:
        watcher.notice(ProfileBegan(planned_profile.blueprint.point))
        return True

    def sit(planned_profile: PlannedProfile, lane: int) -> ProfileRecord | Failed:
        blueprint, profiled_at = planned_profile.blueprint, time.time()
        inputs = blueprint.equipment.inputs.path
        taken = profile(runs, blueprint.run, planned_profile.folder, inputs, lane, planned_profile.profiler)
        if isinstance(taken, Profile):
            return ProfileRecord(planned_profile.key, blueprint.point, profiled_at, taken)
        return taken

    for is_undisturbed, at_once in ((True, lanes), (False, 1)):
        due = [
            planned_profile
            for planned_profile in planned_profiles
            if planned_profile.is_undisturbed is is_undisturbed
        ]
        for planned_profile, taken in run_in_lanes(due, at_once, sit, begin, processes.end_all):
            failure = taken.reason if isinstance(taken, Failed) else ""
            watcher.notice(ProfileEnded(planned_profile.blueprint.point, failure))
            yield planned_profile, taken
