"""Whether code is executed depends on an option, or only seems to: all decisions are looked at together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from sonde.methods.impact.constants import UNKNOWN, Boundaries, ConstantValue, in_order
from sonde.methods.impact.contents.choices import OptionContents
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.options.evaluation import Condition, telling_values
from sonde.methods.impact.options.regions import OptionReach, Regions
from sonde.methods.impact.presence.rewrites import is_asked_again
from sonde.methods.impact.presence.routines import Routines
from sonde.methods.impact.presence.spaces import Presence
from sonde.methods.impact.presence.value_tables import MOST_CONFIGURATIONS, Domain
from sonde.methods.impact.presence.values import boundaries_of_options
from sonde.methods.impact.program.control_dependence import post_dominators
from sonde.methods.impact.reach.reachable import Cut, Reachability

MOST_VALUES = 12  # of one option
MOST_INSTRUCTIONS = 150_000  # of the routines on the way to hot code


class OptionPresence:
    """Answers for the options whose variables are compared with constants."""

    def __init__(
        self,
        flow: Flow,
        influences: Sequence[OptionReach],
        leading: Set[int],
        reachability: Reachability,
        regions: Regions,
        changed: Mapping[int, Set[int]],
        holdings: Sequence[OptionContents | None] = (),
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
        known = [
            option
            for option, each in enumerate(influences)
            if any(telling_values(flow, condition, each.exact) for condition in each.conditions)
        ]
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
            numbers = {option: number for number, option in enumerate(known)}
            reads = {node: number for option, number in numbers.items() for node in influences[option].exact}
            routines = Routines(flow, frozenset(wanted), reads)
            values = _all_values(routines, [(each, influences[each]) for each in known], holdings)
            if len(values) < len(known):
                known = list(values)
                continue
            self.domain = Domain(tuple(values.values()))
            presence = Presence(routines, self.domain, reachability.roots, changed, never)
            vague = {
                option
                for option, number in numbers.items()
                if is_asked_again(flow, presence, number, influences[option].exact)
            }
            if not vague:
                self.numbers, self.presence = numbers, presence
                self.valid = self._valid(regions)
                return
            known = [each for each in known if each not in vague]

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

    def values(self, option: int) -> frozenset[ConstantValue]:
        """The values of an option's variable that decisions tell apart; UNKNOWN stands for any other ones."""
        number = self.numbers.get(option)
        return frozenset({UNKNOWN}) if number is None else frozenset(self.domain.values[number])

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
    routines: Routines, options: Sequence[tuple[int, OptionReach]], holdings: Sequence[OptionContents | None]
) -> dict[int, tuple[ConstantValue, ...]]:
    """By option the values of its variable, for as many options as can be looked at together."""
    decisions = dict.fromkeys(
        (each.routine, each.position) for _, influence in options for each in influence.conditions
    )
    reached = np.zeros(routines.flow.nodes, dtype=np.uint8)
    for _, influence in options:
        reached |= np.frombuffer(influence.reach.plain.marks(), dtype=np.uint8)
    boundaries = boundaries_of_options(routines, decisions, reached.tobytes())
    found: dict[int, tuple[ConstantValue, ...]] = {}
    size = 1
    for number, (option, _) in enumerate(options):
        holding = holdings[option] if holdings else None
        values = _values(boundaries.get(number, ()), holding)
        if 1 < len(values) <= MOST_VALUES and size * len(values) <= MOST_CONFIGURATIONS:
            size *= len(values)
            found[option] = values
    return found


def _values(boundaries: Sequence[Boundaries], holding: OptionContents | None) -> tuple[ConstantValue, ...]:
    """Values that decisions tell apart, and those that an option's variable is known to hold.

    UNKNOWN stands for any other ones, where they are not enough and may occur.
    """
    found: set[ConstantValue] = {value for each in boundaries for value in each.values()}
    if holding is not None:
        found |= holding.all_numbers
    elif any(each.is_vague for each in boundaries):
        found.add(UNKNOWN)
    return in_order(found)
