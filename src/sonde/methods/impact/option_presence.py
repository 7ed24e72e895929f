"""Whether code is executed depends on an option, or only seems to: all decisions are looked at together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from sonde.core.code import Kind, Routine
from sonde.methods.impact.control_dependence import post_dominators
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.option_choices import Holding
from sonde.methods.impact.option_evaluation import Condition, constants_of, evaluate
from sonde.methods.impact.option_regions import Influence, Regions
from sonde.methods.impact.option_rewrites import is_asked_again
from sonde.methods.impact.presence import Presence
from sonde.methods.impact.reachable import Cut, Reachability
from sonde.methods.impact.value_tables import MOST_CONFIGURATIONS, Domain

MOST_VALUES = 12  # of one option
MOST_INSTRUCTIONS = 150_000  # of the routines on the way to hot code
EQUALITY = frozenset({"eq", "ne"})


class OptionPresence:
    """Answers for the options whose variables are compared with constants."""

    def __init__(
        self,
        flow: Flow,
        influences: Sequence[Influence],
        leading: Set[int],
        reachability: Reachability,
        regions: Regions,
        changed: Mapping[int, Set[int]],
        holdings: Sequence[Holding | None] = (),
        never: Sequence[Cut] = (),
    ) -> None:
        """`changed` are positions in routines that differ between the programs: their values are unknown.

        `holdings` tell what the options' variables hold in their choices, if known; `never` what no
        configuration chooses.
        """
        self.flow = flow
        self.numbers: dict[int, int] = {}  # options to their numbers in the domain
        self.presence: Presence | None = None
        self._told: dict[tuple[int, int], bool] = {}
        known = _all_values(flow, influences, holdings)
        if not known:
            return
        wanted = {*leading, *reachability.roots}
        wanted |= _with_callers(
            flow, {each.routine for influence in influences for each in influence.conditions}
        )
        wanted &= set(reachability.everything)
        if sum(len(flow.program.routines[n].instructions) for n in wanted) > MOST_INSTRUCTIONS:
            return
        while known:
            self.domain = Domain(tuple(known.values()))
            self.numbers = {option: number for number, option in enumerate(known)}
            reads = {
                node: number for option, number in self.numbers.items() for node in influences[option].exact
            }
            self.presence = Presence(flow, self.domain, reads, wanted, reachability.roots, changed, never)
            vague = [
                option
                for option, number in self.numbers.items()
                if is_asked_again(flow, self.presence, number, influences[option].exact)
            ]
            if not vague:
                self.valid = self._valid(regions)
                return
            for option in vague:
                del known[option]
        self.numbers, self.presence = {}, None

    def _valid(self, regions: Regions) -> int:
        """The configurations that main does not refuse."""
        refused = 0
        for main in self.flow.program.find_routines("main"):
            code = self.flow.program.routines[main]
            state = self.presence.known.get(main) if self.presence else None
            if state is None:
                continue
            after = code.routes
            surely = {0: self.domain.all}
            waiting = [0]
            failing = self.flow.dead_ends[main] | regions.failures(main)
            gone = self.flow.ends.stops[main] | regions.failures(main)
            parents = post_dominators(
                [
                    () if n in gone else [each for each in targets if each not in gone]
                    for n, targets in enumerate(after)
                ]
            )
            while waiting:
                block = waiting.pop()
                edges = {target: state.edges.get((block, target), 0) for target in after[block]}
                following = []
                for target in edges:
                    others = 0
                    for each, mask in edges.items():
                        others |= mask if each != target else 0
                    following.append((target, surely[block] & ~others))
                if block not in gone and parents[block] < len(after):
                    following.append((parents[block], surely[block]))
                for target, mask in following:
                    if mask & ~surely.get(target, 0):
                        surely[target] = surely.get(target, 0) | mask
                        waiting.append(target)
            for block in failing:
                refused |= surely.get(block, 0)
        return self.domain.all & ~refused or self.domain.all

    def values(self, option: int) -> frozenset[int | None]:
        """The values of an option's variable that decisions tell apart; None stands for any other ones."""
        number = self.numbers.get(option)
        return frozenset({None}) if number is None else frozenset(self.domain.values[number])

    def is_settled(self, option: int, condition: Condition) -> bool:
        """Whether `depends` knows all that the condition does with the option."""
        return self._is_plain(option, condition) or self.tells(option, condition) or self._is_dead(condition)

    def _is_dead(self, condition: Condition) -> bool:
        """Whether no configuration comes to the condition."""
        presence = self.presence
        return (
            presence is not None
            and bool(presence.never)
            and condition.routine in presence.wanted
            and not presence.may_reach(condition.routine, condition.block)
        )

    def decides(self, option: int, condition: Condition) -> bool:
        """Whether the option has a say in where the condition goes, for all that is known."""
        if self._is_dead(condition):
            return False
        return not self._is_plain(option, condition) or self.tells(option, condition)

    def _is_plain(self, option: int, condition: Condition) -> bool:
        """Whether options alone decide."""
        if option not in self.numbers or self.presence is None:
            return False
        return self.presence.is_plain(condition.routine, condition.block)

    def tells(self, option: int, condition: Condition) -> bool:
        """Whether a way out is taken in a configuration, but not in one that differs in this option only."""
        number = self.numbers.get(option)
        if number is None or self.presence is None:
            return False
        sets = self.presence.edge_sets(condition.routine, condition.block)
        return any(self._tells_apart(each, number) for each in sets)

    def depends(self, option: int, copies: Sequence[tuple[int, int]]) -> bool:
        """Whether code is executed in a configuration, but not in one that differs in this option only.

        It is given as routines and blocks; there are several if it was copied.
        """
        number = self.numbers.get(option)
        if number is None or self.presence is None:
            return False
        reached = 0
        for routine, block in copies:
            reached |= self.presence.may_reach(routine, block)
        if self._tells_apart(reached, number):
            return True
        avoided = self.domain.all
        for routine, block in copies:
            avoided &= self.presence.may_avoid(routine, frozenset({block}))
        return self._tells_apart(avoided, number)

    def _tells_apart(self, configurations: int, number: int) -> bool:
        key = configurations, number
        found = self._told.get(key)
        if found is None:
            found = self._told[key] = self.domain.depends(configurations, number, self.valid)
        return found


def _with_callers(flow: Flow, routines: Set[int]) -> set[int]:
    """Routines, and those that call them, directly or not."""
    found = set(routines)
    waiting = list(routines)
    while waiting:
        for caller, _ in flow.callers(waiting.pop()):
            if caller not in found:
                found.add(caller)
                waiting.append(caller)
    return found


def _all_values(
    flow: Flow, influences: Sequence[Influence], holdings: Sequence[Holding | None]
) -> dict[int, tuple[int, ...]]:
    """By option the values of its variable, for as many options as can be looked at together."""
    found: dict[int, tuple[int, ...]] = {}
    size = 1
    for option, influence in enumerate(influences):
        known = _values(flow, influence)
        holding = holdings[option] if holdings else None
        if known and holding is not None:
            known = tuple(sorted({*known, *holding.all_numbers}))
        if known and size * len(known) <= MOST_CONFIGURATIONS:
            size *= len(known)
            found[option] = known
    return found


def _values(flow: Flow, influence: Influence) -> tuple[int, ...]:
    """Values of an option's variable that decisions tell apart; nothing if none compares it to constants."""
    found: set[int] = set()
    for each in influence.conditions:
        if evaluate(flow, each, influence.exact, 0) is not None:
            code = flow.program.routines[each.routine]
            for number in constants_of(code, each.position):
                found.add(number)
                if _is_ordered(code, each.position):
                    found |= {number - 1, number + 1}
                if code.instructions[each.position].kind is Kind.SWITCH:
                    found.add(max(code.instructions[each.position].cases, default=0) + 1)
            found |= {0, 1}
    return tuple(sorted(found)) if len(found) <= MOST_VALUES else ()


def _is_ordered(code: Routine, position: int) -> bool:
    """Whether a condition asks what is less or greater."""
    waiting = [position]
    while waiting:
        each = code.instructions[waiting.pop()]
        if each.shape.startswith("icmp") and not EQUALITY.intersection(each.shape.split(" ")):
            return True
        waiting += [
            operand - code.parameters
            for operand in each.operands
            if operand >= code.parameters
            and code.instructions[operand - code.parameters].kind is Kind.COMPUTE
        ]
    return False
