"""Which options take part in what a change does to hot code (the paper's section 3.4, and more)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from sonde.core.code import SourceLine
from sonde.methods.impact.command_line.setters import Setters
from sonde.methods.impact.command_line.words import Blocks
from sonde.methods.impact.constants import ConstantValue
from sonde.methods.impact.contents.choices import OptionContents
from sonde.methods.impact.options.evaluation import Condition, scenarios
from sonde.methods.impact.options.reads import OptionReads, all_exact
from sonde.methods.impact.options.regions import OptionReach
from sonde.methods.impact.options.settings import FLAGS
from sonde.methods.impact.reach.reachable import Cut
from sonde.methods.impact.relations.presence import OptionPresence
from sonde.methods.impact.relations.settings import SettingsOnWay
from sonde.methods.impact.ways.code import WayCode, at


@dataclass(frozen=True)
class Relation:
    """Why an option takes part, in words, and where."""

    reason: str
    place: SourceLine


class Relating:
    """Answers for one program and its ways."""

    def __init__(
        self,
        code: WayCode,
        options: Sequence[OptionReads],
        depth: int,
        is_conservative: bool,
        holdings: Sequence[OptionContents | None],
        never: Sequence[Cut] = (),
        without: Callable[[int], Blocks] | None = None,
        told_apart: Callable[[int], Blocks] | None = None,
        variables: Sequence[Set[int]] = (),
    ) -> None:
        """With where each option is read, and what its variables hold, if that is known.

        What is `never` chosen is so in all configurations; `without` an option's words, some code may be
        executed; what its choices' words tell apart is executed with some of them only. All
        that reads an option's `variables` counts as well, whatever bits of them it asks for.
        """
        self.code, self.holdings, self.never = code, holdings, never
        self.without, self.told_apart = without, told_apart
        self.variables = variables or [each.nodes for each in options]
        self.ways, self.flow, self.program = code.ways, code.flow, code.program
        self.regions, self.reachability = code.regions, code.reachability
        self.depth, self.is_conservative = depth, is_conservative
        self.setting = SettingsOnWay(code)
        self._related: dict[int, Relation | None] = {}
        self._words: dict[int, Relation | None] = {}
        self._set: dict[int, Relation | None] = {}
        everything = all_exact(options)
        self.influences = [
            self.regions.influence(reads, depth, everything - reads.nodes) for reads in options
        ]

    @cached_property
    def present(self) -> OptionPresence:
        """What is executed in which configurations."""
        return OptionPresence(
            self.flow,
            self.influences,
            self.code.leading,
            self.reachability,
            self.regions,
            self.ways.sources.positions,
            self.holdings,
            self.never,
        )

    def relate(self, option: int) -> Relation | None:
        """How the option with this number takes part; None if it does not."""
        return self._relate(option, frozenset({option}))

    def _relate(self, option: int, asked: frozenset[int]) -> Relation | None:
        if option not in self._related:
            found = self._look_for(option, asked)
            if found is None and len(asked) > 1:
                return None  # of those that were asked before, another one may still tell more
            self._related[option] = found
        return self._related[option]

    def _look_for(self, option: int, asked: frozenset[int]) -> Relation | None:
        influence = self.influences[option]
        near = influence.conditions
        found = (
            self._by_value(influence)
            or self._by_presence(option, near)
            or self._by_decisions(option, near)
            or self._by_pointer(influence)
            or self._by_cost(influence)
            or self.by_words(option)
            or self.by_what_words_set(option)
        )
        if found is not None:
            return found
        beyond = self.regions.farther(influence)
        farther = [each for each in beyond if self.counts(option, each)]
        return (
            self._by_decisions(option, farther)
            or self._by_setting(influence)
            or self._by_setting_in_hot_code(option, beyond, farther)
            or (self._by_other(option, asked) if self.depth else None)
            or (self._by_words_for_other(option, asked) if self.depth else None)
        )

    def _by_decisions(self, option: int, conditions: Sequence[Condition]) -> Relation | None:
        """Conditions decide by it about something on a way."""
        open_ones = [each for each in conditions if not self.present.is_settled(option, each)]
        inside = [each for each in conditions if self._decides_inside(option, each)]
        calling = [each for each in conditions if each.hops == 0 and self.present.decides(option, each)]
        return (
            self._by_region(conditions if self.is_conservative else open_ones)
            or self._by_hot_region(inside)
            or self._by_calls(calling)
            or self._by_guard(self.influences[option], open_ones)
        )

    def _decides_inside(self, option: int, condition: Condition) -> bool:
        """Whether a condition counts inside of hot code: by the option's own value, or as surely as that."""
        if condition.hops:
            return self.present.tells(option, condition)
        return self.present.decides(option, condition)

    def _by_presence(self, option: int, conditions: Sequence[Condition]) -> Relation | None:
        """Whether something on a way is executed depends on it, as all decisions together show."""
        for (routine, block), copies in self.code.needed_once.items():
            if self.present.depends(option, copies):
                start = self.program.routines[routine].blocks[block][0]
                target = self.code.place(routine, start)
                decision = next(
                    (
                        self.code.place(each.routine, each.position)
                        for each in conditions
                        if each.routine == routine and block in self.regions.region(routine, each.block)
                    ),
                    None,
                )
                if decision is None:
                    return Relation(
                        f"it decides whether {at(target)}, on a path to hot code, is executed", target
                    )
                return Relation(
                    f"{at(decision)} uses it to decide whether {at(target)}, on a path to hot code, is "
                    "executed",
                    decision,
                )
        return None

    def counts(self, option: int, condition: Condition) -> bool:
        """Decisions of hot code count only if the option's own value comes there, or as surely as that."""
        node = self.flow.value(
            condition.routine, self.program.routines[condition.routine].parameters + condition.position
        )
        return node not in self.ways.hot.targets or (
            node not in self.ways.near_ends and self.present.tells(option, condition)
        )

    def _by_value(self, influence: OptionReach) -> Relation | None:
        """Its value flows into something on a way."""
        for routine, position in self.code.value_places(influence.reach):
            place = self.code.place(routine, position)
            return Relation(f"its value flows into {at(place)}, on a path to hot code", place)
        return None

    def by_words(self, option: int) -> Relation | None:
        """Something on a way, or an early end of the program, needs its words on the command line."""
        if option not in self._words:
            self._words[option] = self._look_at_words(option) or self._by_setters(option)
        return self._words[option]

    def _look_at_words(self, option: int) -> Relation | None:
        if self.without is None:
            return None
        left, everything = self.without(option), self.reachability.everything
        for routine, block in (*self.code.needed, *self.code.endings):
            if block in everything.get(routine, ()) and block not in left.get(routine, ()):
                place = self.code.place(routine, self.program.routines[routine].blocks[block][0])
                return Relation(f"{at(place)} is executed only if the option is given", place)
        return None

    @cached_property
    def _setters(self) -> Setters:
        return Setters(self.flow, self.reachability)

    def _by_setters(self, option: int) -> Relation | None:
        """Something on a way is executed only where its variable is set."""
        cuts = self._setters.cuts(self.influences[option].reads)
        if not cuts:
            return None
        left, everything = self.reachability.without(cuts), self.reachability.everything
        for routine, block in self.code.needed:
            if block in everything.get(routine, ()) and block not in left.get(routine, ()):
                place = self.code.place(routine, self.program.routines[routine].blocks[block][0])
                return Relation(f"{at(place)} is executed only where its variable is set", place)
        return None

    def by_what_words_set(self, option: int) -> Relation | None:
        """What is set where its words are read, beside options' variables, comes to a way."""
        if option not in self._set:
            self._set[option] = self._look_at_what_words_set(option)
        return self._set[option]

    def _look_at_what_words_set(self, option: int) -> Relation | None:
        if self.told_apart is None or not self.depth:
            return None
        found = self.regions.settings_of(self.told_apart(option))
        known = [node for each in self.variables for node in each]
        settings = self._setters.elsewhere(found, known)
        if not settings:
            return None
        moments = self.regions.moments_after(settings).without(known)
        for routine, position in self.setting.combined(settings, moments):
            place = self.code.place(routine, position)
            return Relation(
                f"a value that its words set flows into {at(place)}, on a path to hot code", place
            )
        for node in self.setting.come_to(settings, moments, self.code.costs):
            return self._cost_at(self.code.costs[node], "what its words set")
        conditions = [Condition(*each, 1) for each in self.regions.deciding]
        asking = self.setting.asked_for(settings, moments, conditions)
        return (
            self._by_region(each for each in asking if self.counts(option, each))
            or self._by_hot_region(asking)
            or self._by_guard(self.influences[option], asking)
        )

    def _by_setting(self, influence: OptionReach) -> Relation | None:
        """A constant that is set as it decides flows into something on a way."""
        if self.depth:
            settings = self.regions.settings(influence.conditions)
            for routine, position in self.setting.combined(settings, influence.moments):
                place = self.code.place(routine, position)
                return Relation(f"a value that it sets flows into {at(place)}, on a path to hot code", place)
        return None

    def _by_setting_in_hot_code(
        self, option: int, conditions: Sequence[Condition], known: Sequence[Condition]
    ) -> Relation | None:
        """Hot code asks for a constant that is set as it decides: before what is needed, or again and again.

        The `known` ones of the conditions were looked at before.
        """
        influence = self.influences[option]
        settings = self.regions.settings(influence.conditions) if self.depth else {}
        for node in self.setting.come_to(settings, influence.moments, self.code.costs):
            return self._cost_at(self.code.costs[node], "what it sets")
        wanted = [each for each in conditions if each not in known or self.code.is_in_hot_region(each)]
        asking = self.setting.asked_for(settings, influence.moments, wanted)
        return self._by_hot_region(asking) or self._by_guard(
            influence, [each for each in asking if each not in known]
        )

    def _by_other(self, option: int, asked: frozenset[int]) -> Relation | None:
        """It gives the variable of another option that takes part a value that this may not have itself."""
        others = [(n, each) for n, each in enumerate(self.influences) if n not in asked]
        handed = self.setting.handed_on(
            self.influences[option], others, lambda number: self.present.values(number) <= FLAGS
        )
        for number, (routine, position) in handed:
            if self._relate(number, asked | {number}):
                place = self.code.place(routine, position)
                return Relation(f"{at(place)} sets the variable of another option, which is related", place)
        return None

    def _by_words_for_other(self, option: int, asked: frozenset[int]) -> Relation | None:
        """Its words give the variable of another option that takes part a value that this has not itself."""
        found = self.regions.settings_of(self.told_apart(option)) if self.told_apart is not None else {}
        elsewhere = self._setters.elsewhere(found, self.variables[option])
        stores = {node: found[node] for node in elsewhere}
        for number, reads in enumerate(self.variables):
            if number in asked:
                continue
            own = self._own_values(number)
            others = frozenset(self._setters.elsewhere(stores, reads))
            for node, value in stores.items():
                if node not in others and value not in own and self._relate(number, asked | {number}):
                    where = self.flow.where(node)
                    position = where.index - self.program.routines[where.routine].parameters
                    place = self.code.place(where.routine, position)
                    return Relation(
                        f"{at(place)} sets the variable of another option, which is related", place
                    )
        return None

    def _own_values(self, option: int) -> frozenset[ConstantValue]:
        """What an option's variable holds by its own words, as far as is known."""
        holding = self.holdings[option] if self.holdings else None
        if holding is not None:
            return frozenset[ConstantValue]().union(*holding.numbers)
        return FLAGS if self.present.values(option) <= FLAGS else frozenset()

    def _by_region(self, conditions: Iterable[Condition]) -> Relation | None:
        """A region of it holds something on a way."""
        for each in conditions:
            for routine, position in self.code.region_places(each, self.is_conservative):
                place, decision = self.code.place(routine, position), self._decision(each)
                words = (
                    f"{at(decision)} uses it to decide whether {at(place)}, on a path to hot code, is "
                    "executed"
                )
                return Relation(words, decision)
        return None

    def _decision(self, condition: Condition) -> SourceLine:
        return self.code.place(condition.routine, condition.position)

    def _by_hot_region(self, conditions: Iterable[Condition]) -> Relation | None:
        """It decides inside of hot code that the change lets run longer."""
        for each in conditions:
            if self.code.is_in_hot_region(each):
                place = self._decision(each)
                words = f"{at(place)}, in hot code that the change reaches, branches on it"
                return Relation(words, place)
        return None

    def _by_cost(self, influence: OptionReach) -> Relation | None:
        """Its value is what calls inside of hot code are given that the change lets run longer."""
        for place in self.code.cost_places(influence.reach):
            return self._cost_at(place, "its value")
        return None

    def _cost_at(self, call: tuple[int, int], what: str) -> Relation:
        place = self.code.place(*call)
        return Relation(f"how long {at(place)}, in hot code, takes depends on {what}", place)

    def _by_pointer(self, influence: OptionReach) -> Relation | None:
        """A pointer that is called on the way there depends on it."""
        for routine, position in self.code.pointer_places(influence.reach):
            place = self.code.place(routine, position)
            return Relation(f"what {at(place)} calls depends on it", place)
        return None

    def _by_calls(self, conditions: Iterable[Condition]) -> Relation | None:
        """A region of it calls something that writes memory on a way, and that is called elsewhere, too."""
        for each in conditions:
            for routine, position in self.code.writing_places(each):
                place = self.code.place(routine, position)
                return Relation(
                    f"it decides whether {at(place)}, which writes a value on a path to hot code, is "
                    "executed",
                    place,
                )
        return None

    def _by_guard(self, influence: OptionReach, conditions: Sequence[Condition]) -> Relation | None:
        """For some value of it, the changed code or the end of a way cannot be executed."""
        needed = self.code.needed
        if not needed:
            return None
        everything = self.reachability.everything
        useful = [each for each in conditions if self.code.may_guard(each)]
        for cuts in scenarios(self.flow, influence.reads, useful):
            left = self.reachability.without(cuts)
            for routine, block in needed:
                if block in everything.get(routine, ()) and block not in left.get(routine, ()):
                    code = self.program.routines[routine]
                    target = self.code.place(routine, code.blocks[block][0])
                    decision = self._deciding_cut(cuts, routine, block)
                    return Relation(
                        f"{at(decision)} uses it to decide whether {at(target)} is executed at all", decision
                    )
        return None

    def _deciding_cut(self, cuts: tuple[tuple[int, int, int], ...], routine: int, block: int) -> SourceLine:
        """The one of several decisions that keeps a block from being executed, if it is one alone."""
        ends = [(each, self.program.routines[each[0]].blocks[each[1]][1] - 1) for each in cuts]
        for each, position in ends[:20]:
            if len(ends) == 1 or block not in self.reachability.without([each]).get(routine, ()):
                return self.code.place(each[0], position)
        return self.code.place(ends[0][0][0], ends[0][1])
