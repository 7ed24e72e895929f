"""Can this change reach hot code, and through which options? The whole answer from units of code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from sonde.core.code import NOWHERE, Place, Unit
from sonde.core.impacts import (
    Analysis,
    ChangedRoutine,
    Classes,
    Interaction,
    OptionImpact,
    Partition,
    Role,
    Via,
    Waypoint,
)
from sonde.methods.impact.cloning import clone_small_routines
from sonde.methods.impact.differences import Differences, find_differences
from sonde.methods.impact.differences_lines import ChangedLines
from sonde.methods.impact.flow import Flow, build_flow
from sonde.methods.impact.flow_edges import Step
from sonde.methods.impact.hot import Hotness, find_hot_code, find_hot_positions
from sonde.methods.impact.likeness import Alike, find_alike
from sonde.methods.impact.memory import Limits
from sonde.methods.impact.moments import Timeline
from sonde.methods.impact.option_choices import Choosing
from sonde.methods.impact.option_regions import Regions
from sonde.methods.impact.option_variables import OptionInCode, Reads, find_reads, nearest_names
from sonde.methods.impact.option_words import CommandLine
from sonde.methods.impact.paper import commit_region, find_paper_ways
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program import Program
from sonde.methods.impact.reachable import Reachability
from sonde.methods.impact.related import Relating, Relation
from sonde.methods.impact.sources import find_sources
from sonde.methods.impact.suggestions import match_suggestions, suggest
from sonde.methods.impact.way_code import WayCode
from sonde.methods.impact.ways import Ways, find_ways
from sonde.methods.impact.witness import describe_place, describe_way, shown

Clock = Callable[[], float]  # seconds


class By(Enum):
    """Whose definitions decide."""

    OURS = "ours"
    PAPER = "paper"  # as a baseline, see `paper`


@dataclass(frozen=True)
class Settings:
    """How to look for ways."""

    implicit_depth: int = 1  # how many decisions may lie on a way
    is_conservative: bool = False  # options that only read what the change comes to are related as well
    limits: Limits = field(default_factory=Limits)
    by: By = By.OURS


@dataclass(frozen=True)
class Question:
    """Two programs, what is hot in them, and the options."""

    old: tuple[Unit, ...]
    new: tuple[Unit, ...]
    hot: tuple[Hotness, ...]
    options: tuple[OptionInCode, ...] = ()
    changed_lines: tuple[ChangedLines, ...] = ()
    settings: Settings = field(default_factory=Settings)
    words: frozenset[str] = frozenset()  # of the command line that options spell: `--level=9`, `-v`
    fixed_words: tuple[str, ...] | None = None  # of every run, beside those of options; None: unknown ones

    def differences(self) -> Differences:
        """What differs between the programs."""
        return find_differences(self.old, self.new, self.changed_lines, self.words)


@dataclass(frozen=True)
class Answer:
    """What was found."""

    interactions: tuple[Interaction, ...]
    changed: tuple[ChangedRoutine, ...]
    options: tuple[OptionImpact, ...]
    analysis: Analysis
    warnings: tuple[str, ...] = ()
    partition: Partition | None = None  # which configurations are alike; None: that is not known

    @property
    def is_relevant(self) -> bool:
        """Whether the change can reach hot code."""
        return bool(self.interactions)


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
        return Answer((), (), _without_ways(question.options), _analysis([], begin, clock), tuple(warnings))
    sides = [_Side(differences, question, False, clock)]
    if differences.needs_old:
        sides.append(_Side(differences, _as_coarse_as(sides[0].flow, question), True, clock))
    shrunk = {each.name for each in differences.changed if each.deleted > each.added}
    interactions: dict[tuple[str, str], Interaction] = {}
    for side in sides:
        for each in side.interactions():
            key = each.changed_routine, each.hot_routine
            if key not in interactions or (each.is_deletion and each.changed_routine in shrunk):
                interactions[key] = each  # what is gone explains more than what is left of it
    options, partition, unknown = _relate(question, sides)
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


def _without_ways(options: Iterable[OptionInCode]) -> tuple[OptionImpact, ...]:
    return tuple(
        OptionImpact(each.option, Role.UNRELATED, "the change cannot reach hot code", None, each.variables)
        for each in options
    )


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


class _Side:
    """One of the two programs, analysed."""

    def __init__(self, differences: Differences, question: Question, is_old: bool, clock: Clock) -> None:
        self.differences, self.question, self.is_old = differences, question, is_old
        settings = question.settings
        program = clone_small_routines(differences.old if is_old else differences.new)
        self.program: Program = program
        self.flow = build_flow(program, solve(program, settings.limits, clock))
        self.reachability = Reachability(self.flow)
        positions, _ = find_hot_positions(program, question.hot)
        live = self.reachability.everything
        hot = find_hot_code(self.flow, {n: each for n, each in positions.items() if n in live})
        self.sources = find_sources(self.flow, differences, is_old, live)
        order = Timeline(self.flow)
        self.ways: Ways = find_ways(
            self.flow, hot, self.sources, settings.implicit_depth, order, settings.is_conservative
        )
        self.regions = Regions(self.flow, order, self.reachability)
        self._reads: dict[tuple[str, str], Reads] = {}

    def reads(self, variable: str, file: str) -> Reads:
        """Where a variable is read."""
        key = variable, file
        if key not in self._reads:
            self._reads[key] = find_reads(self.flow, variable, file)
        return self._reads[key]

    def relating(self, options: Sequence[OptionInCode]) -> Relating:
        """Answers about options."""
        question = self.question
        code = WayCode(self.ways, self.regions, self.reachability)
        line = CommandLine(self.flow, self.reachability)
        choosing = Choosing(self.flow, line, [each.choices for each in options], question.fixed_words)
        reads = [
            [self.reads(variable, option.file).nodes for variable in option.variables] for option in options
        ]
        holdings = [
            choosing.holding(n, each, code.leading) if not question.settings.is_conservative else None
            for n, each in enumerate(reads)
        ]
        return Relating(
            code,
            [frozenset[int]().union(*each) for each in reads],
            question.settings.implicit_depth,
            question.settings.is_conservative,
            holdings,
            () if question.settings.is_conservative else choosing.never,
        )

    def interactions(self) -> Iterable[Interaction]:
        """One for each pair of a changed and a hot routine that a shortest way joins."""
        yield from self._within()
        found: dict[tuple[int, int], tuple[tuple[int, Step], ...]] = {}
        depth = self.question.settings.implicit_depth
        for node in sorted(self.ways.ends):
            self._keep(found, self.ways.forward.path(node))
        covered = {source for source, _ in found}
        for node, (routine, _) in self.sources.nodes.items():
            if routine not in covered:
                hops = self.ways.backward.hops(node)
                if hops is not None and hops <= depth:
                    self._keep(found, self.ways.backward.path(node))
        for path in found.values():
            yield self._interaction(path)

    def _keep(
        self, found: dict[tuple[int, int], tuple[tuple[int, Step], ...]], path: tuple[tuple[int, Step], ...]
    ) -> None:
        if not path:
            return
        source = self.sources.nodes.get(path[0][0], (-1, -1))
        target = self.ways.hot.targets.get(path[-1][0])
        if target is None:
            return
        key = source[0], target.routine
        known = found.get(key)
        if known is None or _length(path) < _length(known):
            found[key] = path

    def _within(self) -> Iterable[Interaction]:
        seen: set[int] = set()
        for routine, position in sorted(self.ways.within):
            if routine in seen:
                continue
            seen.add(routine)
            change = describe_place(self.flow, routine, position)
            name = shown(self.program.routines[routine])
            calls = self._calls_from_hot_code(routine)
            hot = calls[0] if calls else change
            words = "changed, and hot itself" if not calls else "changed, and called from hot code"
            path = (*calls, Waypoint(change.place, name, words))
            yield Interaction(change.place, name, hot.place, hot.routine, Via.WITHIN, self.is_old, path)

    def _calls_from_hot_code(self, routine: int) -> list[Waypoint]:
        """The calls that lead from hot code to a routine; nothing if it is hot itself."""
        if routine not in self.ways.hot.called:
            return []
        after: dict[int, tuple[int, int]] = {}
        waiting = [routine]
        for current in waiting:
            for caller, position in self.flow.callers(current):
                block = self.program.routines[caller].instructions[position].block
                if caller in after or caller == routine or block in self.flow.dead_ends[caller]:
                    continue
                if caller not in self.ways.hot.called and not self.ways.hot.holds(caller, position):
                    continue
                after[caller] = (current, position)
                if caller in self.ways.hot.positions:
                    return self._chain(caller, routine, after)
                waiting.append(caller)
        return []

    def _chain(self, start: int, end: int, after: dict[int, tuple[int, int]]) -> list[Waypoint]:
        found = []
        current = start
        while current != end:
            following, position = after[current]
            code = self.program.routines[current]
            called = shown(self.program.routines[following])
            found.append(Waypoint(code.instructions[position].place, shown(code), f"`{called}` is called"))
            current = following
        return found

    def _interaction(self, path: tuple[tuple[int, Step], ...]) -> Interaction:
        target = self.ways.hot.targets[path[-1][0]]
        source = self.sources.nodes.get(path[0][0], (-1, -1))
        hot = self.program.routines[target.routine]
        hot_place = hot.place if target.position < 0 else hot.instructions[target.position].place
        change, name = self.changed(*source)
        is_implicit = any(step is Step.CONTROL for _, step in path) or self._begins_with_block(path)
        way = describe_way(self.flow, path)
        return Interaction(
            change,
            name,
            hot_place if hot_place.line else hot.place,
            shown(hot),
            Via.IMPLICIT if is_implicit else Via.EXPLICIT,
            self.is_old,
            way,
        )

    def _begins_with_block(self, path: tuple[tuple[int, Step], ...]) -> bool:
        return any(self.flow.where(node).kind == "block" for node, _ in path)

    def changed(self, routine: int, position: int) -> tuple[Place, str]:
        """Where a change begins: its place, and the routine or global it belongs to."""
        if routine < 0:
            thing = self.program.globals[position] if position >= 0 else None
            if thing is None:
                return NOWHERE, ""
            return thing.place, thing.variable.name if thing.variable else thing.name
        code = self.program.routines[routine]
        place = code.instructions[position].place
        return (place if place.line else code.place), shown(code)


def _length(path: tuple[tuple[int, Step], ...]) -> tuple[int, int]:
    return sum(step is Step.CONTROL for _, step in path), len(path)


def _relate(
    question: Question, sides: list[_Side]
) -> tuple[tuple[OptionImpact, ...], Partition | None, list[str]]:
    """The role of each option, which configurations are alike, and warnings about unknown variables."""
    active = [side for side in sides if side.ways.are_there]
    if not active:
        return _without_ways(question.options), None, []
    options = _with_suggestions(question)
    warnings: list[str] = []
    known: list[bool] = []
    for option in options:
        missing = [
            each
            for each in option.variables
            if not any(side.reads(each, option.file).is_known for side in active)
        ]
        known.append(len(missing) < len(option.variables))
        for variable in missing:
            near = nearest_names(sides[0].program, variable)
            hint = f"; there is {', '.join(near)}" if near else ""
            warnings.append(f"option '{option.option}': the program has no variable '{variable}'{hint}")
    relations: list[Relation | None] = [None] * len(options)
    alike: list[Alike | None] = []
    for side in active:
        relating = side.relating(options)
        for number in range(len(options)):
            relations[number] = relations[number] or relating.relate(number)
        values = [[choice.value for choice in option.choices] for option in options]
        alike.append(None if question.settings.is_conservative else find_alike(relating, values))
    found = [_impact(*each) for each in zip(options, known, relations, strict=True)]
    return tuple(found), _partition(found, alike), warnings


def _partition(options: Sequence[OptionImpact], alike: Iterable[Alike | None]) -> Partition | None:
    related = {each.option for each in options if each.role is not Role.UNRELATED}
    parts = []
    for each in alike:
        if each is None:
            return None
        told = tuple(options[number].option for number in each.options)
        parts.append(Classes(told, tuple(each.classes.items()), tuple(sorted(related - set(told)))))
    return Partition(tuple(parts))


def _with_suggestions(question: Question) -> list[OptionInCode]:
    """The options; those without a variable have what the program's own reading of its arguments suggests."""
    if all(each.variables for each in question.options):
        return list(question.options)
    suggested = suggest(question.new)
    return [
        each if each.variables else replace(each, variables=match_suggestions(suggested, each))
        for each in question.options
    ]


def _reads(flow: Flow, option: OptionInCode) -> frozenset[int]:
    found: set[int] = set()
    for variable in option.variables:
        found |= find_reads(flow, variable, option.file).nodes
    return frozenset(found)


def _impact(option: OptionInCode, is_known: bool, relation: Relation | None) -> OptionImpact:
    if relation is not None:
        return OptionImpact(option.option, Role.RELATED, relation.reason, relation.place, option.variables)
    if not option.variables:
        return OptionImpact(option.option, Role.UNKNOWN, "its variable is not known", None, ())
    if not is_known:
        return OptionImpact(option.option, Role.UNKNOWN, "its variable was not found", None, option.variables)
    return OptionImpact(
        option.option, Role.UNRELATED, "it takes no part in any way to hot code", None, option.variables
    )
