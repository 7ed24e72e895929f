"""Which source lines the code of builds belongs to: read once, kept in the store."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing

from sonde.core.code_lines import CodeLines
from sonde.core.evidence import CostUnit, Profile
from sonde.core.points import Point
from sonde.core.records import BuildKey, Built, LinesRecord, ProfileRecord
from sonde.core.results import Failed
from sonde.effects.builds.orders import TREE, BuildOrder
from sonde.effects.builds.outputs import NoOutputs, find_outputs
from sonde.effects.debug_lines import DebugBuild, merge, read_code_lines
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.subject_files import discard
from sonde.methods.impact.coverage import Seen, see, see_python
from sonde.methods.impact.hot.line_costs import cost_lines
from sonde.workflows.evidence import build_all, outputs_of, profile_all
from sonde.workflows.project_tools import ProjectTools

MOST_LINELESS = 0.01  # of the cost of a run; more is worth a build with debug information
FAILED = "with debug information the build fails"


def lines_of(
    tools: ProjectTools, executor: LocalExecutor, profiled: Sequence[tuple[Blueprint, Profile]]
) -> Mapping[BuildKey, CodeLines]:
    """The lines of each build of which there are profiles.

    They are those of its own debug information. Where that is missing for code that costs something, the
    build is repeated with debug information, and counts where the code has stayed the same.
    """
    orders = {blueprint.build.key: blueprint.build for blueprint, _ in profiled}
    homes = {blueprint.build.key: blueprint for blueprint, _ in profiled}
    known = {record.build: record for record in tools.store.query(LinesRecord, {"build": list(orders)})}
    for key, blueprint in homes.items():
        if key not in known:
            known[key] = LinesRecord(key, False, _own_lines(tools, executor, blueprint))
            tools.store.append(known[key])
    lacking = [
        key
        for key, record in known.items()
        if not record.has_debug_build
        and _lineless_share(record.lines, (taken for each, taken in profiled if each.build.key == key))
        > MOST_LINELESS
    ]
    for order, seen in _debug_builds(tools, executor, [homes[key] for key in lacking]):
        lines = CodeLines(gap=f"{FAILED}: {seen.reason.rstrip('.')}") if isinstance(seen, Failed) else seen
        known[order.key] = LinesRecord(order.key, True, merge(known[order.key].lines, lines))
        tools.store.append(known[order.key])
    return {key: record.lines for key, record in known.items()}


def see_all(
    tools: ProjectTools, executor: LocalExecutor, blueprints: Sequence[Blueprint]
) -> Mapping[Point, Seen]:
    """The code that each point executes; a point that cannot be profiled is missing."""
    profiled = [
        (blueprint, taken.content)
        for blueprint, taken in profile_all(tools, executor, blueprints)
        if isinstance(taken, ProfileRecord)
    ]
    of_machine = [each for each in profiled if each[1].unit is CostUnit.INSTRUCTIONS]
    lines = lines_of(tools, executor, of_machine)
    found: dict[Point, Seen] = {}
    for blueprint, profile in profiled:
        if profile.unit is CostUnit.INSTRUCTIONS:
            found[blueprint.point] = see(profile, lines[blueprint.build.key])
        elif profile.unit is CostUnit.NANOSECONDS:
            found[blueprint.point] = see_python(profile)
    return found


def _lineless_share(lines: CodeLines, profiles: Iterable[Profile]) -> float:
    return max((cost_lines(profile, lines).lineless_share for profile in profiles), default=0.0)


def _own_lines(tools: ProjectTools, executor: LocalExecutor, blueprint: Blueprint) -> CodeLines:
    """The lines that the outputs of a build have themselves."""
    built = build_all(tools, executor, [blueprint])[blueprint.build.key]
    assert isinstance(built, Built)  # a profile of it was taken
    folder = outputs_of(tools.store, executor, blueprint, built)
    if isinstance(folder, Failed):
        return CodeLines(gap=folder.reason.rstrip("."))
    outputs = find_outputs(folder, ["*"])
    assert not isinstance(outputs, NoOutputs)  # a build without outputs has failed
    return read_code_lines(folder, outputs.files, (TREE, *executor.builder.trees))


def _debug_builds(
    tools: ProjectTools, executor: LocalExecutor, blueprints: Sequence[Blueprint]
) -> Generator[tuple[BuildOrder, CodeLines | Failed], None, None]:
    """The lines of builds that are repeated with debug information."""
    visits: dict[BuildKey, DebugBuild] = {}
    for blueprint in blueprints:
        built = build_all(tools, executor, [blueprint])[blueprint.build.key]
        assert isinstance(built, Built)  # a profile of it was taken
        folder = outputs_of(tools.store, executor, blueprint, built)
        if isinstance(folder, Failed):
            yield blueprint.build, folder
            continue
        outputs = find_outputs(folder, ["*"])
        assert not isinstance(outputs, NoOutputs)  # a build without outputs has failed
        place = tools.project.state.scratch / f"debug-{blueprint.build.key}"
        place.mkdir(parents=True)
        visits[blueprint.build.key] = DebugBuild(place, folder, outputs.files, tools.sandbox)
    orders = [each.build for each in blueprints if each.build.key in visits]
    unique = list({order.key: order for order in orders}.values())
    try:
        with closing(executor.builder.visit(unique, lambda order: visits[order.key])) as seen:
            yield from seen
    finally:
        for visit in visits.values():
            discard(visit.folder)
