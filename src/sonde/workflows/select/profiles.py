"""The profile that a decision rests on: one that holds at the base."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.evidence import Profile, Snapshot
from sonde.core.points import Point
from sonde.core.records import ProfileRecord
from sonde.core.results import Failed
from sonde.core.revisions import History, Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.profiles.digests import digest_file
from sonde.formats.damaged import UnreadableOutput
from sonde.methods.selection.differences import difference_between
from sonde.methods.selection.exposure import exposure_to
from sonde.methods.selection.proof import Proven, prove
from sonde.methods.selection.reach import reach_of
from sonde.workflows.evidence import profile_all, profiles_of, snapshot_of
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.select.cases import SelectionCase

MOST_TRIED = 3  # ancestors whose profile may still hold
MOST_PRINTED = 100  # letters of what a benchmark printed last


@dataclass(frozen=True)
class BaseProfile:
    """A profile that holds at the base, and where it was taken."""

    profile: Profile
    revision: Revision
    hops: int  # revisions from there to the base


def base_profiles(
    tools: ProjectTools,
    executor: LocalExecutor,
    cases: Sequence[SelectionCase],
    ancestors: History,
    snapshots: Mapping[SelectionCase, Snapshot],
) -> Mapping[SelectionCase, BaseProfile | str]:
    """A base_profile for each case, or why there is none; `snapshots` are those of the base.

    The nearest ancestor with a profile gives it, if nothing that the profile reached has changed since then.
    Otherwise the base is profiled now.
    """
    found: dict[SelectionCase, BaseProfile | str] = {}
    base = ancestors[-1]
    for case in cases:
        known = _known(tools, case, ancestors)
        if (base_profile := _carried(tools, executor, case, known, ancestors, snapshots[case])) is not None:
            found[case] = base_profile
    missing = {case.base.point: case for case in cases if case not in found}
    for blueprint, taken in profile_all(tools, executor, [case.base for case in missing.values()]):
        case = missing[blueprint.point]
        if isinstance(taken, ProfileRecord):
            found[case] = BaseProfile(taken.content, base, 0)
        else:
            found[case] = f"it cannot be profiled at {base.short}: {_failure(taken)}"
    return found


def _failure(taken: UnreadableOutput | Failed) -> str:
    """Why there is no profile, with the last line that was printed."""
    printed = taken.output.split("\n") if isinstance(taken, Failed) else []
    last = next((line.strip() for line in reversed(printed) if line.strip()), "")
    return f"{taken.reason.rstrip('.')} ({last[:MOST_PRINTED]})" if last else taken.reason.rstrip(".")


def _known(
    tools: ProjectTools, case: SelectionCase, ancestors: History
) -> list[tuple[Revision, Blueprint, Profile]]:
    """The profiles that are stored, the nearest first.

    One that used another library of the system than there is now is taken anew if need be.
    """
    drafts = {
        revision: tools.drafter.draft(Point(revision.id, case.configuration, case.benchmark))
        for revision in reversed(ancestors.revisions)
    }
    blueprints = {
        revision: draft
        for revision, draft in drafts.items()
        if isinstance(draft, Blueprint) and draft.run == case.base.run
    }
    stored = profiles_of(tools, list(blueprints.values()))
    outdated = {record.profile for record in stored.values() if not _is_outside_as_before(record.content)}
    tools.store.forget(ProfileRecord, {"profile": outdated})
    return [
        (revision, blueprint, record.content)
        for revision, blueprint in blueprints.items()
        if (record := stored.get(blueprint.point)) is not None and record.profile not in outdated
    ]


def _is_outside_as_before(profile: Profile) -> bool:
    files = {Path(name): digest for name, digest in profile.outside_files.items()}
    return all(file.is_file() and digest_file(file) == digest for file, digest in files.items())


def _carried(
    tools: ProjectTools,
    executor: LocalExecutor,
    case: SelectionCase,
    known: Iterable[tuple[Revision, Blueprint, Profile]],
    ancestors: History,
    at_base: Snapshot,
) -> BaseProfile | None:
    """The nearest profile that still holds at the base."""
    for tried, (revision, blueprint, profile) in enumerate(known):
        hops = len(ancestors) - 1 - ancestors.positions[revision.id]
        if hops == 0:
            return BaseProfile(profile, revision, 0)
        if tried == MOST_TRIED:
            return None
        before = snapshot_of(tools, executor, blueprint)
        if isinstance(before, Snapshot):
            exposure = exposure_to(difference_between(before, at_base), reach_of(profile, before))
            if isinstance(prove(exposure, profile, case.metric), Proven):
                return BaseProfile(profile, revision, hops)
    return None
