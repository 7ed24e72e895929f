"""What tells configurations apart: the sets of them in which something on the ways is executed, or counts.

A set is a mask over the configurations of the domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property

from sonde.methods.impact.options.evaluation import Condition
from sonde.methods.impact.options.regions import MOST_CONDITIONS
from sonde.methods.impact.presence.spaces import Presence
from sonde.methods.impact.presence.value_tables import Domain
from sonde.methods.impact.reach.moments import Moments
from sonde.methods.impact.relations.likeness_groups import Groups
from sonde.methods.impact.relations.related import Relating


class ToldApart:
    """Sets of configurations of one program, for its ways and some of its options."""

    def __init__(self, relating: Relating, presence: Presence, options: tuple[int, ...]) -> None:
        self.relating, self.presence, self.options = relating, presence, options
        self.domain: Domain = relating.present.domain
        self._known_moments: dict[int, Moments] = {}
        self._known_calls: dict[int, int] = {}

    def reached(self, places: Iterable[tuple[int, int]]) -> int:
        """The configurations in which one of these blocks may be executed."""
        found = 0
        for routine, block in places:
            if routine in self.presence.wanted:
                found |= self.presence.may_reach(routine, block)
            else:
                found |= self._called(routine)
        return found

    def _called(self, routine: int) -> int:
        """The configurations in which a routine may be called whose own blocks nobody has looked at."""
        if routine not in self._known_calls:
            flow, callers = self.relating.flow, {routine}
            waiting, found = [routine], 0
            while waiting and found != self.domain.all:
                number = waiting.pop()
                calls = flow.callers(number)
                if not calls or number in self.relating.reachability.roots:
                    found = self.domain.all
                for caller, position in calls:
                    if caller in self.presence.wanted:
                        block = flow.program.routines[caller].instructions[position].block
                        found |= self.presence.may_reach(caller, block)
                    elif caller not in callers:
                        callers.add(caller)
                        waiting.append(caller)
            self._known_calls[routine] = found
        return self._known_calls[routine]

    @cached_property
    def telling(self) -> int:
        """The configurations in which changed code and hot code that it comes to may be executed."""
        ways, routines = self.relating.ways, self.relating.program.routines
        if ways.sources.is_early:
            changed = self.domain.all
        else:
            changed = self.reached(
                (routine, routines[routine].instructions[position].block)
                for routine, positions in ways.sources.positions.items()
                for position in positions
            )
        ends = [
            (
                each.routine,
                routines[each.routine].instructions[each.position].block if each.position >= 0 else 0,
            )
            for each in ways.ends.values()
        ]
        ends += [
            (routine, routines[routine].instructions[position].block) for routine, position in ways.within
        ]
        return changed & self.reached(ends)

    def masks(self, live: Sequence[int]) -> Iterable[int]:
        """Sets of configurations that are not alike with the others."""
        relating, groups = self.relating, Groups(live)
        for copies in relating.code.needed_once.values():
            groups.add(self._executed(copies))
        for routine, block in self._deciding():
            groups.add(self.presence.edge_sets(routine, block))
        for option, condition in self._conditions():
            for block in relating.regions.dependents(condition.routine)[condition.block]:
                masks = self._executed([(condition.routine, block)])
                if groups.are_split_by(masks) and self._sets_on_way(option, condition, block):
                    groups.add(masks)
        return groups.sets

    def _executed(self, copies: Sequence[tuple[int, int]]) -> tuple[int, int]:
        reached, avoided = 0, self.domain.all
        for routine, block in copies:
            reached |= self.presence.may_reach(routine, block)
            avoided &= self.presence.may_avoid(routine, frozenset({block}))
        return reached, avoided

    def _conditions(self) -> Iterator[tuple[int, Condition]]:
        """What options decide by their own values, as is known; with the options."""
        for option in self.options:
            for each in self.relating.influences[option].conditions:
                if self.relating.present.is_settled(option, each):
                    yield option, each

    def _deciding(self) -> Iterator[tuple[int, int]]:
        """Decisions in hot code that the change lets run longer: routines and blocks."""
        affected = self.relating.code.affected_at_last
        for _, each in self._conditions():
            if each.block in affected.get(each.routine, ()):
                yield each.routine, each.block

    def _sets_on_way(self, option: int, condition: Condition, block: int | None = None) -> bool:
        """Whether what a condition sets, in a block, decides about a way, or flows into something on one."""
        relating, regions = self.relating, self.relating.regions
        if relating.depth != 1:
            return relating.depth > 1
        if block is None:
            blocks = regions.region(condition.routine, condition.block)
        else:
            blocks = self._inside(condition.routine, block)
        after = self._after(option, condition.routine, blocks)
        others = [Condition(*each, 1) for each in regions.set_by(condition, after, blocks)]
        others = [
            each
            for each in others
            if self._is_live(each.routine, each.block) and not relating.present.is_settled(option, each)
        ]
        asked = [each for each in others if not relating.counts(option, each)]
        settings = regions.settings_in(condition, blocks)
        return (
            any(self._is_on_way(each) for each in others if relating.counts(option, each))
            or any(
                self._is_live(routine, relating.program.routines[routine].instructions[position].block)
                for routine, position in relating.setting.combined(settings, after)
            )
            or any(
                relating.code.may_guard(each) or self._runs_longer(each)
                for each in relating.setting.asked_for(settings, after, asked)
            )
            or bool(relating.setting.come_to(settings, after, relating.code.costs))
            or any(block in blocks for block in self._writing_blocks(condition))
        )

    def _writing_blocks(self, condition: Condition) -> Iterator[int]:
        """The blocks of a condition's region that call what writes on the way."""
        instructions = self.relating.program.routines[condition.routine].instructions
        for _, position in self.relating.code.writing_places(condition):
            yield instructions[position].block

    def _inside(self, routine: int, block: int) -> frozenset[int]:
        """A block, and what is decided there further by other things than the options' values."""
        found = {block}
        waiting = [block]
        dependents = self.relating.regions.dependents(routine)
        while waiting:
            current = waiting.pop()
            if (routine, current) not in self._told:
                more = [each for each in dependents[current] if each not in found]
                found.update(more)
                waiting += more
        return frozenset(found)

    @cached_property
    def _told(self) -> frozenset[tuple[int, int]]:
        return frozenset((each.routine, each.block) for _, each in self._conditions())

    def _after(self, option: int, routine: int, blocks: Set[int]) -> Moments:
        """Where what these blocks set may go, up to what is known by itself.

        That is: up to where options are read whose values are known, and to blocks that these decide about.
        """
        flow = self.relating.flow
        reads = [node for each in self.options for node in self.relating.influences[each].reads]
        further = [
            node
            for number, decider in self._told
            for block in self.relating.regions.dependents(number)[decider]
            if number != routine or block not in blocks
            for node in (flow.block(number, block), flow.executed(number, block))
        ]
        return self._moments(option).without([*reads, *further])

    def _moments(self, option: int) -> Moments:
        if option not in self._known_moments:
            reads = self.relating.influences[option].reads
            self._known_moments[option] = self.relating.regions.moments_after(reads)
        return self._known_moments[option]

    def _is_live(self, routine: int, block: int) -> bool:
        """Whether code is executed in a configuration that matters."""
        return bool(self.reached([(routine, block)]) & self.telling)

    def _runs_longer(self, condition: Condition) -> bool:
        """Whether it decides in hot code that the change lets run longer."""
        return condition.block in self.relating.code.affected_at_last.get(condition.routine, ())

    def _is_on_way(self, condition: Condition) -> bool:
        code = self.relating.code
        return (
            code.may_guard(condition)
            or self._runs_longer(condition)
            or any(code.region_places(condition, False))
        )

    def raw(self) -> dict[int, int]:
        """By option: the configurations in which its value itself counts."""
        relating = self.relating
        routines = relating.program.routines
        found: dict[int, int] = {}
        for option in self.options:
            influence = relating.influences[option]
            open_ones = [
                each for each in influence.conditions if not relating.present.is_settled(option, each)
            ]
            if len(open_ones) > MOST_CONDITIONS or relating.by_what_words_set(option):
                found[option] = self.domain.all
                continue
            places = [
                *relating.code.value_places(influence.reach),
                *relating.code.pointer_places(influence.reach),
                *relating.code.cost_places(influence.reach),
            ]
            counting = self.reached(
                (routine, routines[routine].instructions[position].block) for routine, position in places
            )
            for each in open_ones:
                more = self.reached([(each.routine, each.block)]) & ~counting
                if more and (self._is_on_way(each) or self._sets_on_way(option, each)):
                    counting |= more
            found[option] = counting
        return found
