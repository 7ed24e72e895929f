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
from sonde.formats.damaged import Unreadable
from sonde.methods.selection.differences import difference_between
from sonde.methods.selection.exposure import exposure_to
from sonde.methods.selection.proof import Proven, prove
from sonde.methods.selection.reach import reach_of
from sonde.workflows.evidence import profile_all, profiles_of, snapshot_of
from sonde.workflows.select.cases import Case
from sonde.workflows.workshop import Workshop

MOST_TRIED = 3  # ancestors whose profile may still hold
MOST_PRINTED = 100  # letters of what a benchmark printed last


@dataclass(frozen=True)
class Footing:
    """A profile that holds at the base, and where it was taken."""

    profile: Profile
    revision: Revision
    hops: int  # revisions from there to the base


def footings(
    workshop: Workshop,
    executor: LocalExecutor,
    cases: Sequence[Case],
    ancestors: History,
    snapshots: Mapping[Case, Snapshot],
) -> Mapping[Case, Footing | str]:
    """A footing for each case, or why there is none; `snapshots` are those of the base.

    The nearest ancestor with a profile gives it, if nothing that the profile reached has changed since then.
    Otherwise the base is profiled now.
    """
    found: dict[Case, Footing | str] = {}
    base = ancestors[-1]
    for case in cases:
        known = _known(workshop, case, ancestors)
        if (footing := _carried(workshop, executor, case, known, ancestors, snapshots[case])) is not None:
            found[case] = footing
    missing = {case.base.point: case for case in cases if case not in found}
    for blueprint, taken in profile_all(workshop, executor, [case.base for case in missing.values()]):
        case = missing[blueprint.point]
        if isinstance(taken, ProfileRecord):
            found[case] = Footing(taken.content, base, 0)
        else:
            found[case] = f"it cannot be profiled at {base.short}: {_failure(taken)}"
    return found


def _failure(taken: Unreadable | Failed) -> str:
    """Why there is no profile, with the last line that was printed."""
    printed = taken.output.split("\n") if isinstance(taken, Failed) else []
    last = next((line.strip() for line in reversed(printed) if line.strip()), "")
    return f"{taken.reason.rstrip('.')} ({last[:MOST_PRINTED]})" if last else taken.reason.rstrip(".")


def _known(workshop: Workshop, case: Case, ancestors: History) -> list[tuple[Revision, Blueprint, Profile]]:
    """The profiles that are stored, the nearest first.

    One that used another library of the system than there is now is taken anew if need be.
    """
    drafts = {
        revision: workshop.drafter.draft(Point(revision.id, case.configuration, case.benchmark))
        for revision in reversed(ancestors.revisions)
    }
    blueprints = {
        revision: draft
        for revision, draft in drafts.items()
        if isinstance(draft, Blueprint) and draft.run == case.base.run
    }
    stored = profiles_of(workshop, list(blueprints.values()))
    outdated = {record.profile for record in stored.values() if not _is_outside_as_before(record.content)}
    workshop.store.forget(ProfileRecord, {"profile": outdated})
    return [
        (revision, blueprint, record.content)
        for revision, blueprint in blueprints.items()
        if (record := stored.get(blueprint.point)) is not None and record.profile not in outdated
    ]


def _is_outside_as_before(profile: Profile) -> bool:
    files = {Path(name): digest for name, digest in profile.outside_files.items()}
    return all(file.is_file() and digest_file(file) == digest for file, digest in files.items())


def _carried(
    workshop: Workshop,
    executor: LocalExecutor,
    case: Case,
    known: Iterable[tuple[Revision, Blueprint, Profile]],
    ancestors: History,
    at_base: Snapshot,
) -> Footing | None:
    """The nearest profile that still holds at the base."""
    for tried, (revision, blueprint, profile) in enumerate(known):
        hops = len(ancestors) - 1 - ancestors.positions[revision.id]
        if hops == 0:
            return Footing(profile, revision, 0)
        if tried == MOST_TRIED:
            return None
        before = snapshot_of(workshop, executor, blueprint)
        if isinstance(before, Snapshot):
            exposure = exposure_to(difference_between(before, at_base), reach_of(profile, before))
            if isinstance(prove(exposure, profile, case.metric), Proven):
                return Footing(profile, revision, hops)
    return None
