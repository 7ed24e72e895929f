"""Which variables belong to which options, as the program's own reading of its command line shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sonde.core.code import Address, Constant, Global, Kind, Place, Routine, Unit
from sonde.core.impacts import Suggestion
from sonde.methods.impact.calls import constant_number, routes, stops_of
from sonde.methods.impact.control_dependence import control_dependence
from sonde.methods.impact.option_tables import long_options
from sonde.methods.impact.option_variables import OptionInCode

PARSERS = frozenset({"getopt", "getopt_long", "getopt_long_only", "rpl_getopt", "rpl_getopt_long"})
COMPARERS = frozenset({"strcmp", "strncmp", "strcasecmp", "strncasecmp"})
LIBRARY = frozenset({"optarg", "optind", "optopt", "opterr"})


def suggest(units: Iterable[Unit]) -> tuple[Suggestion, ...]:
    """What getopt, getopt_long and comparisons of argv show, in the order of the source."""
    units = tuple(units)
    bodies = {each.name: each for unit in units for each in unit.routines}
    found: dict[tuple[tuple[str, ...], str], Suggestion] = {}
    for unit in units:
        globals_ = {each.name: each for each in unit.globals}
        for routine in unit.routines:
            for each in _Reading(routine, globals_, bodies).suggestions():
                known = found.get((each.words, each.variable))
                if known is None:
                    found[each.words, each.variable] = each
                elif not set(each.values) <= set(known.values):
                    found[each.words, each.variable] = Suggestion(
                        each.words, each.variable, (*known.values, *each.values), known.place
                    )
    return tuple(found.values())


def match_suggestions(suggestions: Iterable[Suggestion], option: OptionInCode) -> tuple[str, ...]:
    """The variables of an option that names none, if its name is one of the words of a suggestion."""
    name = option.option.lower().replace("-", "_")
    return tuple(
        dict.fromkeys(
            each.variable
            for each in suggestions
            if any(word.lstrip("-").lower().replace("-", "_") == name for word in each.words)
        )
    )


class _Reading:
    """One routine that may read the command line."""

    def __init__(
        self, routine: Routine, globals_: Mapping[str, Global], bodies: Mapping[str, Routine]
    ) -> None:
        self.routine, self.globals, self.bodies = routine, globals_, bodies

    def suggestions(self) -> Iterator[Suggestion]:
        letters: set[str] = set()
        longs: dict[int, list[str]] = {}
        for call in self.routine.instructions:
            if call.kind is Kind.CALL and self._called(call.operands) in PARSERS:
                if len(call.operands) > 3:
                    letters |= set(self._text(call.operands[3]).replace(":", "").lstrip("+-"))
                if len(call.operands) > 4 and self._global(call.operands[4]) is not None:
                    table = self._global(call.operands[4])
                    assert table is not None
                    for each in long_options(table, self.globals):
                        if each.variable:
                            yield Suggestion(
                                (f"--{each.name}",), each.variable, (str(each.value),), table.place
                            )
                        else:
                            longs.setdefault(each.value, []).append(f"--{each.name}")
        if letters or longs:
            yield from self._cases(letters, longs)
        yield from self._comparisons()

    def _cases(self, letters: set[str], longs: Mapping[int, Sequence[str]]) -> Iterator[Suggestion]:
        for position, each in enumerate(self.routine.instructions):
            if each.kind is not Kind.SWITCH:
                continue
            for case, target in zip(each.cases, each.targets[1:], strict=True):
                words = [f"-{chr(case)}"] if 0 < case < 128 and chr(case) in letters else []
                words += longs.get(case, ())
                if words:
                    block = each.block
                    for variable, values, place in self._stored(target, block, position):
                        yield Suggestion(tuple(words), variable, values, place)

    def _comparisons(self) -> Iterator[Suggestion]:
        """`strcmp (argv[i], "--mode=fast") == 0`, and what is stored where that holds."""
        for position, each in enumerate(self.routine.instructions):
            if each.kind is not Kind.CALL or self._called(each.operands) not in COMPARERS:
                continue
            word = next((text for text in map(self._text, each.operands[1:3]) if text.startswith("-")), "")
            if not word:
                continue
            start, end = self.routine.blocks[each.block]
            last = self.routine.instructions[end - 1]
            if last.kind is Kind.BRANCH and start <= position:
                holds = self._where_zero(self.routine.parameters + position, last.operands[0])
                if holds is not None:
                    for variable, values, place in self._stored(last.targets[holds], each.block, end - 1):
                        yield Suggestion((word,), variable, values, place)

    def _where_zero(self, call: int, condition: int) -> int | None:
        """Which target of a branch is taken if the call gave 0; None if the branch is not about that."""
        position = condition - self.routine.parameters
        if position < 0:
            return None
        each = self.routine.instructions[position]
        if call not in each.operands or each.kind is not Kind.COMPUTE:
            return None
        return 0 if " eq " in f"{each.shape} " else 1

    def _stored(
        self, target: int, decider: int, position: int
    ) -> Iterator[tuple[str, tuple[str, ...], Place]]:
        """What the blocks of a case store: variable, values, place."""
        del position
        for block in self._blocks_of(target, decider):
            start, end = self.routine.blocks[block]
            for each in self.routine.instructions[start:end]:
                if each.kind is Kind.STORE:
                    name = self._variable(self.routine, each.operands[0])
                    if name and name not in LIBRARY:
                        yield name, self._value(self.routine, each.operands[1]), each.place
                elif each.kind is Kind.CALL:
                    yield from self._set_by(each.operands, each.place)

    def _blocks_of(self, target: int, decider: int) -> list[int]:
        """The blocks that are executed for this target, until what is common to all."""
        after = routes(self.routine)
        deciders = control_dependence(after, stops_of(self.routine))
        found = [target] if decider in deciders[target] else []
        for block in found:
            for each in after[block]:
                if each not in found and any(decider == n or n in found for n in deciders[each]):
                    shared = sum(each in after[n] for n in range(len(after)))
                    if shared == 1 or any(n in found for n in deciders[each]):
                        found.append(each)
        return found

    def _set_by(self, operands: Sequence[int], place: Place) -> Iterator[tuple[str, tuple[str, ...], Place]]:
        """What a called setter stores by the constants that it is given: `set_level (9)`."""
        body = self.bodies.get(self._called(operands))
        if body is None or len(body.instructions) > 40:
            return
        given = operands[1:]
        for each in body.instructions:
            if each.kind is not Kind.STORE:
                continue
            name = self._variable(body, each.operands[0])
            if not name or each.operands[0] >= 0:
                continue
            number = self._parameter(body, each.operands[1])
            if number is not None and number < len(given):
                yield name, self._value(self.routine, given[number]), place
            elif number is None:
                yield name, self._value(body, each.operands[1]), place

    @staticmethod
    def _parameter(body: Routine, operand: int) -> int | None:
        """The parameter that a value is, also by way of its own variable."""
        position = operand - body.parameters
        while position >= 0 and body.instructions[position].kind in (Kind.COMPUTE, Kind.LOAD):
            each = body.instructions[position]
            operand = each.operands[0]
            if each.kind is Kind.LOAD:
                stores = [
                    n.operands[1]
                    for n in body.instructions
                    if n.kind is Kind.STORE and n.operands[0] == operand
                ]
                if len(stores) != 1:
                    return None
                operand = stores[0]
            position = operand - body.parameters
        return operand if 0 <= operand < body.parameters else None

    def _called(self, operands: Sequence[int]) -> str:
        if not operands or operands[0] >= 0:
            return ""
        outside = self.routine.outside[~operands[0]]
        return outside.name if isinstance(outside, Address) else ""

    def _global(self, operand: int) -> Global | None:
        outside = self.routine.outside[~operand] if operand < 0 else None
        return self.globals.get(outside.name) if isinstance(outside, Address) else None

    def _text(self, operand: int) -> str:
        found = self._global(operand)
        return found.text.rstrip("\0") if found is not None else ""

    def _variable(self, routine: Routine, address: int) -> str:
        """The variable behind an address, as options name it; empty for memory without a name."""
        if address < 0:
            outside = routine.outside[~address]
            if not isinstance(outside, Address):
                return ""
            thing = self.globals.get(outside.name)
            if thing is None or thing.variable is None:
                return ""
            return thing.variable.name
        variable = routine.variables.get(address)
        if variable is not None:
            return variable.name
        position = address - routine.parameters
        if position >= 0 and routine.instructions[position].kind is Kind.FIELD:
            each = routine.instructions[position]
            return f"{each.type}.{each.offset}" if each.type else ""
        return ""

    @staticmethod
    def _value(routine: Routine, operand: int) -> tuple[str, ...]:
        if operand >= 0:
            return ()
        outside = routine.outside[~operand]
        if not isinstance(outside, Constant):
            return ()
        number = constant_number(outside.text)
        return (str(number),) if number is not None else ()
