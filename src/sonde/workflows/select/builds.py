"""The builds on both sides of a selection, and how they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sonde.core.errors import NothingMeasured
from sonde.core.evidence import Snapshot
from sonde.core.findings.selections import Basis, Proof, Selected
from sonde.core.records import BuildKey, Built
from sonde.core.results import Failed
from sonde.core.revisions import RevisionId, short
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.formats.damaged import UnreadableOutput
from sonde.methods.selection.differences import BuildDifference, difference_between
from sonde.workflows.evidence import build_all, snapshots_of
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.select.cases import SelectionCase

SHOWN_LINES = 12  # of what a failing build printed
SAME_OUTPUTS = "the build outputs are the same"
SAME_CODE = "the whole build has the same code"

Outcomes = Mapping[BuildKey, Built | Failed]


def build_both(tools: ProjectTools, executor: LocalExecutor, cases: Sequence[SelectionCase]) -> Outcomes:
    """What came of the builds of both sides."""
    return build_all(tools, executor, [side for case in cases for side in (case.head, case.base)])


def require_a_head(cases: Sequence[SelectionCase], outcomes: Outcomes) -> None:
    """Raise NothingMeasured if the head does not build in any configuration."""
    failures = [outcomes[case.head.build.key] for case in cases]
    first = failures[0]
    if isinstance(first, Failed) and all(isinstance(each, Failed) for each in failures):
        raise NothingMeasured(_failure(cases[0].head.point.revision, first))


def _failure(revision: RevisionId, failed: Failed) -> str:
    said = "\n".join(failed.output.rstrip().splitlines()[-SHOWN_LINES:])
    return f"{short(revision)} does not build, so it cannot be analysed. {failed.reason}\n{said}".rstrip()


def answered_by_builds(case: SelectionCase, outcomes: Outcomes) -> Selected | None:
    """The answer where the builds themselves give it."""
    head, base = outcomes[case.head.build.key], outcomes[case.base.build.key]
    if isinstance(head, Failed):
        return case.answer(False, Basis.UNKNOWN, f"it does not build in this configuration: {head.reason}")
    if isinstance(base, Failed):
        return case.answer(
            True, Basis.UNKNOWN, f"its base does not build in this configuration: {base.reason}"
        )
    if not head.does_the_same_as(base):
        return None
    if head.fingerprint == base.fingerprint:
        return case.unchanged(Proof.SAME_OUTPUTS, SAME_OUTPUTS)
    return case.unchanged(Proof.SAME_CODE, SAME_CODE)


def differences_of(
    tools: ProjectTools, executor: LocalExecutor, cases: Sequence[SelectionCase]
) -> Mapping[SelectionCase, BuildDifference | str]:
    """How the two builds of each case differ, or why one of them cannot be read."""
    sides: dict[BuildKey, Blueprint] = {}
    for case in cases:
        sides |= {case.head.build.key: case.head, case.base.build.key: case.base}
    snapshots: dict[BuildKey, Snapshot] = {}
    unreadable: dict[BuildKey, str] = {}
    for blueprint, snapshot in snapshots_of(tools, executor, list(sides.values())):
        match snapshot:
            case Snapshot():
                snapshots[blueprint.build.key] = snapshot
            case UnreadableOutput():
                unreadable[blueprint.build.key] = f"{short(blueprint.point.revision)}: {snapshot.reason}"
            case Failed():
                raise NothingMeasured(_failure(blueprint.point.revision, snapshot))
    found: dict[tuple[BuildKey, BuildKey], BuildDifference | str] = {}
    for each in cases:
        pair = (each.base.build.key, each.head.build.key)
        if missing := [unreadable[key] for key in pair if key in unreadable]:
            found[pair] = missing[0]
        elif pair not in found:
            found[pair] = difference_between(snapshots[pair[0]], snapshots[pair[1]])
    return {each: found[each.base.build.key, each.head.build.key] for each in cases}
