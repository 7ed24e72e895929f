"""The truth of the demo subject, in the format that the judge of `sonde pinpoint` reads."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sonde.effects.demo_subject.planned import Crashes, DoesNotBuild, PlannedRevision, Plant, Quiet


def truth(planned: Sequence[PlannedRevision], ids: Sequence[str]) -> dict[str, Any]:
    """What each revision does to performance; positions count from 0 in the first-parent history."""
    points: list[dict[str, Any]] = []
    does_not_build: list[int] = []
    crashes: list[dict[str, Any]] = []
    quiet: dict[str, list[int]] = defaultdict(list)
    for position, (revision, revision_id) in enumerate(zip(planned, ids, strict=True)):
        match revision.effect:
            case Plant() as plant:
                points.append(_change_point(position, revision_id, revision.subject, plant))
            case DoesNotBuild():
                does_not_build.append(position)
            case Crashes(where):
                crashes.append({"position": position, "where": list(where)})
            case Quiet(reason):
                quiet[reason.value].append(position)
    return {
        "change_points": points,
        "does_not_build": does_not_build,
        "crashes": crashes,
        "tolerance_revisions": 0,
        "quiet": dict(quiet),
    }


def _change_point(position: int, revision_id: str, subject: str, plant: Plant) -> dict[str, Any]:
    return {
        "revision": position,
        "id": revision_id,
        "options": list(plant.term),
        "step": plant.strongest,
        "benchmarks": list(plant.steps),
        "steps": {benchmark: list(both) for benchmark, both in plant.steps.items()},
        "kind": plant.kind,
        "subject": subject,
    }
