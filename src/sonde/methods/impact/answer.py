"""Can this change reach hot code, and through which options? The whole answer from units of code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sonde.core.findings.impacts import Analysis, Interaction, OptionImpact, Role, Via
from sonde.core.protocols import Clock
from sonde.methods.impact.differences.programs import Differences
from sonde.methods.impact.findings import AnalysisFacts, Findings, facts_of, find_in
from sonde.methods.impact.flow.building import Flow, build_flow
from sonde.methods.impact.hot.code import Hotness, find_hot_positions
from sonde.methods.impact.options.variables import OptionInCode, find_reads
from sonde.methods.impact.paper import commit_region, find_paper_ways
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.question import Answer, By, Question
from sonde.methods.impact.roles import find_roles, without_ways
from sonde.methods.impact.side import AnalysedSide
from sonde.methods.impact.ways.witness import describe_way

AtOnce = Callable[[Sequence[Callable[[], Findings]]], Sequence[Findings]]
MOST_AT_ONCE = 150_000  # instructions of a program: the memory of both is taken together


def one_after_another(tasks: Sequence[Callable[[], Findings]]) -> Sequence[Findings]:
    """What each task gives."""
    return [task() for task in tasks]


def answer(
    question: Question,
    clock: Clock,
    differences: Differences | None = None,
    at_once: AtOnce = one_after_another,
    work: Clock | None = None,
) -> Answer:
    """Whether the change can reach hot code, how, and which options take part.

    What differs is found, unless somebody has asked that already. Both programs may be looked at `at_once`.
    `work` gives the seconds of work so far, to which limits apply; without it, `clock` does.
    """
    begin, work = clock(), work or clock
    differences = question.differences() if differences is None else differences
    warnings = _missing_hot_code(differences, question.hot)
    if question.settings.by is By.PAPER:
        return _paper(question, differences, begin, clock, work)
    if not differences:
        return Answer((), (), without_ways(question.options), _analysis([], begin, clock), tuple(warnings))
    findings = _findings(question, differences, work, at_once)
    shrunk = {each.name for each in differences.changed if each.deleted > each.added}
    interactions: dict[tuple[str, str], Interaction] = {}
    for each in (one for found in findings for one in found.interactions):
        key = each.changed_routine, each.hot_routine
        if key not in interactions or (each.is_deletion and each.changed_routine in shrunk):
            interactions[key] = each  # what is gone explains more than what is left of it
    options, partition, unknown = find_roles(question, differences.new, findings)
    return Answer(
        tuple(interactions.values()),
        differences.changed,
        options,
        _analysis([each.facts for each in findings], begin, clock),
        (*warnings, *unknown),
        partition,
    )


def _findings(
    question: Question, differences: Differences, work: Clock, at_once: AtOnce
) -> Sequence[Findings]:
    """What the new program tells, and the old one if something was deleted there."""

    def find_in_new() -> Findings:
        return find_in(AnalysedSide(differences, question, False, work))

    def find_in_old() -> Findings:
        return find_in(AnalysedSide(differences, question, True, work))

    if not differences.needs_old:
        return [find_in_new()]
    if sum(len(each.instructions) for each in differences.new.routines) <= MOST_AT_ONCE:
        return at_once([find_in_new, find_in_old])
    first = find_in_new()
    side = AnalysedSide(differences, _as_coarse_as(first.facts, question), True, work)
    return [first, find_in(side, first if first.has_ways else None)]


def _paper(question: Question, differences: Differences, begin: float, clock: Clock, work: Clock) -> Answer:
    """The baseline's answer: one interaction for all, and the options by the paper's definitions."""
    program = differences.new
    flow = build_flow(program, solve(program, question.settings.limits, work), are_flags_values=False)
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
    return Answer(interactions, differences.changed, options, _analysis([facts_of(flow)], begin, clock))


def _missing_hot_code(differences: Differences, hot: Iterable[Hotness]) -> list[str]:
    """Warnings about hot code that neither program has."""
    gone = [find_hot_positions(each, hot)[1] for each in (differences.old, differences.new)]
    missing = [each for each in gone[0] if each in gone[1]]
    return [f"hot code '{_spelled(each)}' exists in neither program and is ignored" for each in missing]


def _spelled(hot: Hotness) -> str:
    return f"{hot.file or hot.name}:{hot.lines[0]}-{hot.lines[1]}" if hot.lines else hot.name


def _analysis(facts: Sequence[AnalysisFacts], begin: float, clock: Clock) -> Analysis:
    if not facts:
        return Analysis("none", "nothing differs", 0, 0, 0, clock() - begin)
    first = facts[0]
    return Analysis(
        first.points_to,
        next((each.reason for each in facts if each.reason), ""),
        first.instructions,
        first.indirect_calls,
        first.resolved_calls,
        clock() - begin,
    )


def _as_coarse_as(facts: AnalysisFacts, question: Question) -> Question:
    """The question without time for what took too long in one program: the other is as large."""
    if not facts.reason:
        return question
    limits = replace(question.settings.limits, seconds=0.0, seconds_if_larger=0.0)
    return replace(question, settings=replace(question.settings, limits=limits))


def _reads(flow: Flow, option: OptionInCode) -> frozenset[int]:
    found: set[int] = set()
    for variable in option.variables:
        found |= find_reads(flow, variable, option.file).nodes
    return frozenset(found)
