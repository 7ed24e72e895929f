"""What counts as hot code: what the user names, or what profiles of the base tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sonde.core.code import Unit
from sonde.core.errors import UsageError
from sonde.core.evidence import Profile
from sonde.core.findings.impacts import HotRoutine
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.records import ProfileRecord
from sonde.core.results import Failed
from sonde.core.revisions import Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.formats.damaged import UnreadableOutput
from sonde.methods.impact.hot.code import Hotness, find_hot_positions
from sonde.methods.impact.hot.line_costs import cost_lines
from sonde.methods.impact.hot.line_owners import LineOwners
from sonde.methods.impact.hot.profiles import (
    LEAST_SHARE,
    WARM_SHARE,
    FunctionCosts,
    cost_python_functions,
    cost_sources,
    hot_python_routines,
    hot_sources,
)
from sonde.methods.impact.program.linking import link
from sonde.report.labels import difference
from sonde.space.nearest import did_you_mean
from sonde.space.projections import combinations
from sonde.space.space import Space
from sonde.workflows.code_lines import lines_of
from sonde.workflows.evidence import profile_all
from sonde.workflows.impact.programs import ProgramPair
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.targets import MeasuringRequest, MeasuringTarget

MOST_PROFILES = 48  # of one question; a configuration more for each value of each option
NOTHING_HOT = (
    "no function of the program takes a relevant share of any profile, so hot code is not "
    "known. Name hot functions with --hot."
)
_LINES = re.compile(r"^(?P<file>.+):(?P<first>\d+)(?:-(?P<last>\d+))?$")


@dataclass(frozen=True)
class Hot:
    """Hot code, and what the user should know of how it was found."""

    routines: tuple[HotRoutine, ...]
    hotness: tuple[Hotness, ...]
    warnings: tuple[str, ...] = ()
    warm: tuple[tuple[HotRoutine, Hotness], ...] = ()  # it counts where the change cannot reach hot code
    profiles: tuple[tuple[Configuration, FunctionCosts], ...] = ()  # nothing if the user names hot code
    is_vague: bool = False  # whether it may lie in functions that are inlined, without lines that say which
    totals: Mapping[tuple[BenchmarkName, Configuration], int] = field(default_factory=dict)  # instructions

    def differs_from(self, other: Hot) -> bool:
        """Whether a run executes 1 % more or fewer instructions there, or cannot be profiled there."""
        return any(
            point not in other.totals or abs(other.totals[point] - total) >= WARM_SHARE * total
            for point, total in self.totals.items()
        )


def named_hot(names: Sequence[str]) -> Hot:
    """What the user calls hot: functions, or `file:first-last`."""
    hotness = []
    for name in names:
        if lines := _LINES.match(name):
            first, last = int(lines["first"]), int(lines["last"] or lines["first"])
            if last < first or first < 1:
                raise UsageError(
                    f"--hot {name}: these are not lines of a file. Write, for example, src/sort.c:120-180."
                )
            hotness.append(Hotness(name, lines["file"], (first, last)))
        else:
            hotness.append(Hotness(name))
    return Hot(tuple(HotRoutine(name, None) for name in names), tuple(hotness))


def require_known(hot: Hot, programs: Sequence[ProgramPair]) -> None:
    """Raise a UsageError that names a function which the user calls hot, and no program has."""
    names = {
        name
        for program in programs
        for unit in (*program.old, *program.new)
        for routine in unit.routines
        for name in (routine.name, routine.shown)
        if name
    }
    for each in hot.hotness:
        if each.lines is not None:
            _require_code(each, programs)
        elif each.name not in names and names:
            near = did_you_mean(each.name, names)
            raise UsageError(
                f"--hot {each.name}: the program has no function of this name.{near} Write it as in "
                "the source, or give lines such as src/sort.c:120-180."
            )


def _require_code(hot: Hotness, programs: Sequence[ProgramPair]) -> None:
    """Raise a UsageError if no program has code in these lines."""
    units = [unit for program in programs for unit in (*program.old, *program.new)]
    if units and hot in find_hot_positions(link(units), [hot])[1]:
        raise UsageError(
            f"--hot {hot.name}: there is no code of the program. Write the file as it is passed to "
            "the compiler, such as src/sort.c:120-180."
        )


def profiled_hot(
    tools: ProjectTools,
    executor: LocalExecutor,
    target: MeasuringTarget,
    request: MeasuringRequest,
    revision: Revision,
    units: Sequence[Unit],
    is_python: bool = False,
    least_share: float = LEAST_SHARE,
) -> Hot:
    """The functions of a revision with a large share in some profile; what is missing is profiled now.

    `units` are the program at that revision. From `least_share` on, functions are hot; what is warm has less.
    """
    space = tools.project.file.space
    chosen = target.configurations if request.configurations else tuple(one_at_a_time(space))
    drafts = [
        tools.drafter.draft(Point(revision.id, configuration, benchmark))
        for configuration in chosen
        for benchmark in target.benchmarks
    ]
    blueprints = [draft for draft in drafts if isinstance(draft, Blueprint)]
    warnings = []
    if len(blueprints) > MOST_PROFILES and not request.configurations:
        warnings.append(
            f"only {MOST_PROFILES} of {len(blueprints)} profiles were taken to find hot code. "
            "Select the important configurations with -c, or name the hot functions with --hot."
        )
        blueprints = blueprints[:MOST_PROFILES]
    profiled: list[tuple[Blueprint, Profile]] = []
    failures = []
    for blueprint, taken in profile_all(tools, executor, blueprints):
        if isinstance(taken, ProfileRecord):
            profiled.append((blueprint, taken.content))
        else:
            failures.append((_label(blueprint, space), _reason(taken)))
    if not profiled:
        raise UsageError(_nothing(revision, failures))
    if failures:
        label, reason = failures[0]
        more = f", and {len(failures) - 1} more" if len(failures) > 1 else ""
        warnings.append(f"{label} could not be profiled at {revision.short}{more}: {reason}")
    warm_share = min(WARM_SHARE, least_share)
    if is_python:
        labelled = ((_label(blueprint, space), taken) for blueprint, taken in profiled)
        hot = _sorted(
            [(each, Hotness(each.name, file)) for each, file in hot_python_routines(labelled, warm_share)],
            least_share,
        )
        costs = [
            (blueprint.point.configuration, cost_python_functions(taken)) for blueprint, taken in profiled
        ]
        return replace(hot, warnings=tuple(warnings), profiles=tuple(costs))
    hot = _by_lines(tools, executor, profiled, units, least_share)
    points = [blueprint.point for blueprint, _ in profiled]
    totals = {
        (point.benchmark, point.configuration): costs.total
        for point, (_, costs) in zip(points, hot.profiles, strict=True)
    }
    return replace(hot, warnings=(*warnings, *hot.warnings), totals=totals)


def _by_lines(
    tools: ProjectTools,
    executor: LocalExecutor,
    profiled: Sequence[tuple[Blueprint, Profile]],
    units: Sequence[Unit],
    least_share: float,
) -> Hot:
    """Hot functions as the source has them, whatever was inlined."""
    space = tools.project.file.space
    lines = lines_of(tools, executor, profiled)
    owners = LineOwners(units)
    costs = [
        (blueprint, cost_sources(cost_lines(taken, lines[blueprint.build.key]), owners))
        for blueprint, taken in profiled
    ]
    found = hot_sources(
        ((_label(blueprint, space), each) for blueprint, each in costs), min(WARM_SHARE, least_share)
    )
    known = {routine.name for unit in units for routine in unit.routines}
    lineless = [each for each in found.lineless if each.name in known]
    ranked = sorted((*lineless, *found.routines), key=lambda each: each.share or 0)
    hottest = {each.name: each for each in ranked}  # of two shares of one function the larger
    vague = [each for each in lineless if (each.share or 0) >= least_share]
    gap = next((each.gap for each in lines.values() if each.gap), "its source lines are unknown")
    hot = _sorted([(each, Hotness(each.name)) for each in reversed(hottest.values())], least_share)
    return replace(
        hot,
        warnings=(_vague_warning(vague[0], gap),) if vague else (),
        profiles=tuple((blueprint.point.configuration, each) for blueprint, each in costs),
        is_vague=bool(vague),
    )


def _sorted(found: Sequence[tuple[HotRoutine, Hotness]], least_share: float) -> Hot:
    """What is hot and what is warm; the hottest is hot in any case. Raises a UsageError if nothing is."""
    if not found:
        raise UsageError(NOTHING_HOT)
    hot = [number for number, (each, _) in enumerate(found) if (each.share or 0) >= least_share] or [0]
    return Hot(
        tuple(each for each, _ in found[: len(hot)]),
        tuple(each for _, each in found[: len(hot)]),
        warm=tuple(found[len(hot) :]),
    )


def _vague_warning(routine: HotRoutine, gap: str) -> str:
    return (
        f"{routine.share or 0:.0%} of {routine.where} is code of {routine.name} without source "
        f"lines: {gap}. It may belong to inlined functions, so more options count as related. "
        "Build with -g, or name hot functions with --hot."
    )


def _label(blueprint: Blueprint, space: Space) -> str:
    """A benchmark and what its configuration differs in from the default one."""
    name = difference(blueprint.point.configuration, space.default)
    return blueprint.point.benchmark if name == "default" else f"{blueprint.point.benchmark}, {name}"


def one_at_a_time(space: Space) -> Iterator[Configuration]:
    """The default configuration, and one for each other value of each option, near to the default."""
    seen = set()
    for name in [None, *space.option]:
        for configuration in combinations(space, [] if name is None else [name]):
            if configuration not in seen:
                seen.add(configuration)
                yield configuration


def _reason(taken: UnreadableOutput | Failed) -> str:
    return taken.reason.rstrip(".") + "."


def _nothing(revision: Revision, failures: Sequence[tuple[str, str]]) -> str:
    if not failures:
        return "there is no benchmark to profile for hot code. Name hot functions with --hot."
    label, reason = failures[0]
    return (
        f"no benchmark can be profiled at {revision.short}, so hot code is not known ({label}: {reason}) "
        "Name hot functions with --hot."
    )
