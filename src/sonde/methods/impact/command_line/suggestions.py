"""Which variables belong to which options, as the program's own reading of its command line shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sonde.core.code import Global, Kind, Member, Routine, SourceLine, Unit
from sonde.core.findings.impacts import Suggestion
from sonde.methods.impact.command_line.suggestion_blocks import blocks_of_case
from sonde.methods.impact.command_line.suggestion_setters import filled_parameters, parameter_of
from sonde.methods.impact.command_line.suggestion_tables import table_suggestions
from sonde.methods.impact.constants import number_of
from sonde.methods.impact.options.names import variable_at
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.program.argument_readers import argument_readers
from sonde.methods.impact.program.command_words import COMPARERS, PARSERS, CommandWords

LIBRARY = frozenset({"optarg", "optind", "optopt", "opterr"})


def suggest(units: Iterable[Unit]) -> tuple[Suggestion, ...]:
    """What getopt, getopt_long, comparisons and letters of argv show, in the order of the source."""
    units = tuple(units)
    shared = {one.name: one for unit in units for one in unit.globals if one.variable and not one.is_internal}
    codes = [_codes_of(unit, shared) for unit in units]
    everywhere = {name: code for each in codes for name, code in each.items()}
    readers = argument_readers({name: code.routine for name, code in everywhere.items()})
    found: dict[tuple[tuple[str, ...], str], Suggestion] = {}
    for own in codes:
        for name, code in own.items():
            reading = _Reading(code, {**everywhere, **own})
            for each in reading.suggestions(reads_letters=name in readers):
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


class _Code(NamedTuple):
    """A routine, with what its file knows."""

    routine: Routine
    globals: Mapping[str, Global]
    types: Mapping[str, tuple[Member, ...]]

    def variable(self, address: int) -> str:
        """How the variable at an address is called; empty if it has no name."""
        return variable_at(self.routine, address, self.globals, self.types)


def _codes_of(unit: Unit, shared: Mapping[str, Global]) -> dict[str, _Code]:
    """The routines of a file; what it only declares is known from where it is defined."""
    globals_ = {each.name: each if each.variable else shared.get(each.name, each) for each in unit.globals}
    return {each.name: _Code(each, globals_, unit.types) for each in unit.routines}


class _Reading:
    """One routine that may read the command line."""

    def __init__(self, code: _Code, bodies: Mapping[str, _Code]) -> None:
        self.code, self.bodies = code, bodies
        self.routine, self.globals = code.routine, code.globals
        self.command = CommandWords(self.routine, self.globals)

    def suggestions(self, reads_letters: bool) -> Iterator[Suggestion]:
        """What the routine shows; letters that it tells apart count if the command line comes here."""
        letters: set[str] | None = set()
        longs: dict[int, list[str]] = {}
        parsed: set[str] = set()
        for call in self.routine.instructions:
            if call.kind is not Kind.CALL or self.command.called(call) not in PARSERS:
                continue
            if len(call.operands) > 3 and letters is not None:
                told = self.command.text(call.operands[3])
                letters = letters | set(told.replace(":", "").lstrip("+-")) if told else None
            for value, words in self.command.long_words(call).items():
                longs.setdefault(value, []).extend(words)
            table = self.command.known_global(call.operands[4]) if len(call.operands) > 4 else None
            parsed |= {table.name} if table is not None else set()
            for each in self.command.long_rows(call).rows if table is not None else ():
                if each.variable and table is not None:
                    yield Suggestion((f"--{each.name}",), each.variable, (str(each.value),), table.place)
        if letters is None or letters or longs:
            yield from self._cases(letters, longs)
        if reads_letters:
            yield from self._letters()
            others = {name: each for name, each in self.globals.items() if name not in parsed}
            yield from table_suggestions(self.routine, others, self.code.types)
        yield from self._comparisons()

    def _cases(self, letters: set[str] | None, longs: Mapping[int, Sequence[str]]) -> Iterator[Suggestion]:
        """What is stored where getopt found one of these letters; None: it may be any letter."""
        for each in self.routine.instructions:
            if each.kind is not Kind.SWITCH or self.command.is_letter(each.operands[0]):
                continue
            is_found = self.command.is_found(each.operands[0])
            for case, target in zip(each.cases, each.targets[1:], strict=True):
                is_letter = 32 < case < 127 and (is_found if letters is None else chr(case) in letters)
                words = [f"-{chr(case)}"] if is_letter else []
                words += longs.get(case, ())
                if words:
                    for variable, values, place in self._stored(target, each.block):
                        yield Suggestion(tuple(words), variable, values, place)

    def _letters(self) -> Iterator[Suggestion]:
        """`switch (argv[i][1])`, and what is stored for its letters."""
        for each in self.routine.instructions:
            if each.kind is not Kind.SWITCH or not self.command.is_letter(each.operands[0]):
                continue
            words: dict[int, list[str]] = {}
            for case, target in zip(each.cases, each.targets[1:], strict=True):
                if chr(case & 0x7F).isalnum() and 0 < case < 128:
                    words.setdefault(target, []).append(f"-{chr(case)}")
            for target, those in words.items():
                if target != each.targets[0]:
                    for variable, values, place in self._stored(target, each.block):
                        yield Suggestion(tuple(those), variable, values, place)

    def _comparisons(self) -> Iterator[Suggestion]:
        """`strcmp (argv[i], "--mode=fast") == 0`, and what is stored where that holds."""
        for position, each in enumerate(self.routine.instructions):
            if each.kind is not Kind.CALL or self.command.called(each) not in COMPARERS:
                continue
            texts = map(self.command.text, each.operands[1:3])
            word = next((text for text in texts if text.startswith("-") and text.strip("-")), "")
            if not word:
                continue
            start, end = self.routine.blocks[each.block]
            last = self.routine.instructions[end - 1]
            if last.kind is Kind.BRANCH and start <= position:
                holds = self._where_zero(self.routine.parameters + position, last.operands[0])
                if holds is not None:
                    for variable, values, place in self._stored(last.targets[holds], each.block):
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

    def _stored(self, target: int, decider: int) -> Iterator[tuple[str, tuple[str, ...], SourceLine]]:
        """What the blocks of a case store: variable, values, place."""
        blocks = blocks_of_case(self.routine, target, decider)
        inside = [each for n in blocks for each in self.routine.instructions[slice(*self.routine.blocks[n])]]
        read = {self.code.variable(each.operands[0]) for each in inside if each.kind is Kind.LOAD}
        for each in inside:
            if each.kind is Kind.STORE:
                name = self.code.variable(each.operands[0])
                if name and name not in LIBRARY:
                    yield name, self._value(self.routine, each.operands[1]), each.place
            elif each.kind is Kind.CALL:
                called = self.command.called(each)
                yield from self._set_by(called, each.operands[1:], each.place)
                for name in self._filled_by(called, each.operands[1:]):
                    if name not in read:  # else it is only a step on the way: `parse (optarg, &number)`
                        yield name, (), each.place

    def _filled_by(self, name: str, given: Sequence[int]) -> Iterator[str]:
        """The variables whose addresses a called routine is given and stores through, each as a whole."""
        body = self.bodies.get(name)
        for number in sorted(filled_parameters(body.routine)) if body is not None else ():
            variable = self.code.variable(given[number]) if number < len(given) else ""
            if variable:
                is_field = self.command.is_field(given[number])
                yield variable if is_field else variable.partition(".")[0]

    def _set_by(
        self, name: str, given: Sequence[int], place: SourceLine
    ) -> Iterator[tuple[str, tuple[str, ...], SourceLine]]:
        """What a called setter stores by the constants that it is given: `set_level (9)`."""
        code = self.bodies.get(name)
        if code is None or len(code.routine.instructions) > 40:
            return
        body = code.routine
        for each in body.instructions:
            if each.kind is not Kind.STORE:
                continue
            variable = code.variable(each.operands[0])
            if not variable or each.operands[0] in body.variables:
                continue
            number = parameter_of(body, each.operands[1])
            if number is not None and number < len(given):
                yield variable, self._value(self.routine, given[number]), place
            elif number is None:
                yield variable, self._value(body, each.operands[1]), place

    @staticmethod
    def _value(routine: Routine, operand: int) -> tuple[str, ...]:
        number = number_of(routine, operand)
        return (str(number),) if isinstance(number, int) else ()
