"""Can this change reach hot code, and through which options? The whole answer from units of code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sonde.core.impacts import Analysis, Interaction, OptionImpact, Role, Via
from sonde.core.protocols import Clock
from sonde.methods.impact.differences import Differences
from sonde.methods.impact.flow import Flow, build_flow
from sonde.methods.impact.hot import Hotness, find_hot_positions
from sonde.methods.impact.interactions import Interactions
from sonde.methods.impact.option_variables import OptionInCode, find_reads
from sonde.methods.impact.paper import commit_region, find_paper_ways
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.question import Answer, By, Question
from sonde.methods.impact.roles import find_roles, without_ways
from sonde.methods.impact.side import Side
from sonde.methods.impact.witness import describe_way


def answer(question: Question, clock: Clock, differences: Differences | None = None) -> Answer:
    """Whether the change can reach hot code, how, and which options take part.

    What differs is found, unless somebody has asked that already.
    """
    begin = clock()
    differences = question.differences() if differences is None else differences
    warnings = _missing_hot_code(differences, question.hot)
    if question.settings.by is By.PAPER:
        return _paper(question, differences, begin, clock)
    if not differences:
        return Answer((), (), without_ways(question.options), _analysis([], begin, clock), tuple(warnings))
    sides = [Side(differences, question, False, clock)]
    if differences.needs_old:
        sides.append(Side(differences, _as_coarse_as(sides[0].flow, question), True, clock))
    shrunk = {each.name for each in differences.changed if each.deleted > each.added}
    interactions: dict[tuple[str, str], Interaction] = {}
    for side in sides:
        for each in Interactions(side.ways, question.settings.implicit_depth, side.is_old).find():
            key = each.changed_routine, each.hot_routine
            if key not in interactions or (each.is_deletion and each.changed_routine in shrunk):
                interactions[key] = each  # what is gone explains more than what is left of it
    options, partition, unknown = find_roles(question, sides)
    return Answer(
        tuple(interactions.values()),
        differences.changed,
        options,
        _analysis([side.flow for side in sides], begin, clock),
        (*warnings, *unknown),
        partition,
    )


def _paper(question: Question, differences: Differences, begin: float, clock: Clock) -> Answer:
    """The baseline's answer: one interaction for all, and the options by the paper's definitions."""
    program = differences.new
    flow = build_flow(program, solve(program, question.settings.limits, clock))
    positions, _ = find_hot_positions(program, question.hot)
    ways = find_paper_ways(flow, commit_region(flow, differences, question.changed_lines), positions)
    options = tuple(
        OptionImpact(
            each.option,
            Role.RELATED if ways.ends and ways.is_related(_reads(flow, each)) else Role.UNRELATED,
            "by the paper's definitions",
            None,
            each.variables,
        )
        for each in question.options
    )
    interactions: tuple[Interaction, ...] = ()
    if ways.ends:
        path = describe_way(flow, ways.forward.path(ways.ends[0]))
        begins, ends = path[0], path[-1]
        interactions = (
            Interaction(begins.place, begins.routine, ends.place, ends.routine, Via.EXPLICIT, False, path),
        )
    return Answer(interactions, differences.changed, options, _analysis([flow], begin, clock))


def _missing_hot_code(differences: Differences, hot: Iterable[Hotness]) -> list[str]:
    """Warnings about hot code that neither program has."""
    gone = [find_hot_positions(each, hot)[1] for each in (differences.old, differences.new)]
    missing = [each for each in gone[0] if each in gone[1]]
    return [
        f"hot code '{_spelled(each)}' exists in neither program: it is not taken into account"
        for each in missing
    ]


def _spelled(hot: Hotness) -> str:
    return f"{hot.file or hot.name}:{hot.lines[0]}-{hot.lines[1]}" if hot.lines else hot.name


def _analysis(flows: list[Flow], begin: float, clock: Clock) -> Analysis:
    memories = [each.memory for each in flows]
    return Analysis(
        memories[0].points_to if memories else "none",
        next((each.reason for each in memories if each.reason), "" if memories else "nothing differs"),
        sum(len(each.instructions) for flow in flows[:1] for each in flow.program.routines),
        sum(each.indirect_calls for each in memories[:1]),
        sum(each.resolved_calls for each in memories[:1]),
        clock() - begin,
    )


def _as_coarse_as(flow: Flow, question: Question) -> Question:
    """The question without time for what took too long in one program: the other is as large."""
    if not flow.memory.reason:
        return question
    limits = replace(question.settings.limits, seconds=0.0, seconds_if_larger=0.0)
    return replace(question, settings=replace(question.settings, limits=limits))


def _reads(flow: Flow, option: OptionInCode) -> frozenset[int]:
    found: set[int] = set()
    for variable in option.variables:
        found |= find_reads(flow, variable, option.file).nodes
    return frozenset(found)
