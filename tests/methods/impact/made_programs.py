"""Programs in a terse notation, for tests.

    made_program(
        made_global("table", {0: "@f", 8: "@g", 16: "5"}, size=24),
        made_routine("main", "argc argv", '''
            x = local as point size 16
            y = field x 8 as point          # base, offset, then indices that vary
            store y argc; v = load y
            c = compute v 3 shape icmp
            branch c yes no
          yes:
            r = call g v @table             # a routine or a library function; or a value that points to it
            jump no
          no:
            m = phi v:entry r:yes
            return m
        '''),
    )

One instruction a line, or several with `;` between. Operands are values of the routine by name, `@name` or
`@name+8` for addresses, numbers, `null` and "texts" for constants. A STORE may be named as well
(`s = store x v`), so that tests can speak of it. A block that does not end falls into the next one; the last
one returns. `switch v other 1:one 2:two`, `x = call f a to next handler` (with exceptions), `stop`,
`phi value:block`. Behind it may stand: `as TYPE`, `size N`, `line N`, `shape WORD`, `file NAME`. Without
`line`, an instruction has the number of its line in the text, from 1. Behind a FIELD may stand `length N`, of
the array or member that it leads into, and `stride N`, of the elements to any of which it leads.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

from sonde.core.code import (
    Address,
    Assembly,
    Constant,
    FieldStep,
    Global,
    Instruction,
    Kind,
    Member,
    Outside,
    Routine,
    SourceLine,
    Unit,
    ValuePart,
    Variable,
)
from sonde.methods.impact.program.linking import Program, link

WORD = re.compile(r'"[^"]*"|\S+')
EXTRAS = ("as", "size", "line", "shape", "file", "length", "stride")
SHAPES = {"switch": "switch i32"}  # where the operation itself is none
ENDS = (Kind.JUMP, Kind.BRANCH, Kind.SWITCH, Kind.RETURN, Kind.STOP)
SOURCE = "made.c"


def made_routine(
    name: str,
    parameters: str = "",
    text: str = "",
    *,
    is_internal: bool = False,
    is_variadic: bool = False,
    types: Mapping[str, str] | None = None,
    source: str = SOURCE,
) -> Routine:
    """A routine from its text; `types` gives the structure of parameters that point to one."""
    return _Reading(name, parameters.split(), text, source).routine(is_internal, is_variadic, types or {})


def value_named(routine: Routine, name: str) -> int:
    """The value that the text of a made routine calls so."""
    return _names(routine)[name]


def position_named(routine: Routine, name: str) -> int:
    """The position of the instruction that the text of a made routine calls so."""
    return value_named(routine, name) - routine.parameters


def block_named(routine: Routine, name: str) -> int:
    """The block that the text of a made routine calls so; the first one is `entry` if it has no name."""
    return _BLOCKS[id(routine)][1][name]


def names_of_blocks(routine: Routine) -> Mapping[int, str]:
    """What the text of a made routine calls each of its blocks."""
    return {number: name for name, number in _BLOCKS[id(routine)][1].items()}


def made_global(
    name: str,
    parts: Mapping[int, str] | None = None,
    *,
    size: int = 8,
    text: str = "",
    type: str = "",
    is_internal: bool = False,
    is_constant: bool = False,
    is_defined: bool = True,
) -> Global:
    """A global; parts are addresses (`@f`, `@f+8`) or contents."""
    made = []
    for offset, content in (parts or {}).items():
        address = _address(content) if content.startswith("@") else None
        made.append(ValuePart(offset, content, address))
    variable = None if text else Variable(name, type)
    return Global(
        name, is_internal, is_constant, is_defined, tuple(made), size, text, variable, SourceLine(SOURCE, 1)
    )


def made_unit(
    *things: Routine | Global,
    source: str = SOURCE,
    types: Mapping[str, Mapping[str, int]] | None = None,
    never_return: tuple[str, ...] = (),
    startup: tuple[str, ...] = (),
    shutdown: tuple[str, ...] = (),
) -> Unit:
    """A unit of these routines and globals; `types` gives the fields of structures and their offsets."""
    return Unit(
        source,
        tuple(each for each in things if isinstance(each, Routine)),
        tuple(each for each in things if isinstance(each, Global)),
        {
            type: tuple(Member(name, offset) for name, offset in fields.items())
            for type, fields in (types or {}).items()
        },
        {},
        frozenset(never_return),
        startup,
        shutdown,
    )


def made_program(
    *things: Routine | Global,
    types: Mapping[str, Mapping[str, int]] | None = None,
    never_return: tuple[str, ...] = (),
) -> Program:
    """A program of one unit."""
    return link([made_unit(*things, types=types, never_return=never_return)])


def value_in(program: Program, routine: str, name: str) -> tuple[int, int]:
    """The routine's number in a program, and its value that the text calls so."""
    number = next(program.find_routines(routine))
    return number, value_named(program.routines[number], name)


# Kept with the routine itself, so that its number stays its own.
_BLOCKS: dict[int, tuple[Routine, dict[str, int]]] = {}
_NAMES: dict[int, tuple[Routine, dict[str, int]]] = {}


def _names(routine: Routine) -> dict[str, int]:
    return _NAMES[id(routine)][1]


def _address(word: str) -> Address:
    name, _, offset = word.removeprefix("@").partition("+")
    return Address(name, int(offset or 0))


class _Reading:
    """Reads the text of one routine."""

    def __init__(self, name: str, parameters: list[str], text: str, source: str) -> None:
        self.name, self.parameters, self.source = name, parameters, source
        self.blocks: dict[str, int] = {}
        self.lines: list[tuple[int, int, str, list[str]]] = []  # line, block, name, words
        self.values = {each: number for number, each in enumerate(parameters)}
        self.outside: list[Outside] = []
        self._split(text)

    def _split(self, text: str) -> None:
        open_block = False
        for number, line in enumerate(text.splitlines(), start=1):
            for piece in re.sub(r"#.*", "", line).split(";"):
                words = WORD.findall(piece)
                if not words:
                    continue
                if len(words) == 1 and words[0].endswith(":"):
                    label = words[0][:-1]
                    if open_block:
                        self._append(number, "", ["jump", label])
                    self.blocks[label] = len(self.blocks)
                    open_block = True
                    continue
                if not self.blocks:
                    self.blocks["entry"] = 0
                    open_block = True
                if not open_block:
                    raise ValueError(f"{self.name}, line {number}: nothing leads here; it needs a label")
                name = ""
                if len(words) > 2 and words[1] == "=":
                    name, words = words[0], words[2:]
                self._append(number, name, words)
                open_block = not (
                    words[0] in ("jump", "branch", "switch", "return", "stop")
                    or (words[0] == "call" and "to" in words)
                )
        if open_block or not self.blocks:
            self.blocks.setdefault("entry", 0)
            self._append(0, "", ["return"])

    def _append(self, line: int, name: str, words: list[str]) -> None:
        if name:
            if name in self.values:
                raise ValueError(f"{self.name}, line {line}: '{name}' has a value already")
            self.values[name] = len(self.parameters) + len(self.lines)
        self.lines.append((line, len(self.blocks) - 1, name, words))

    def routine(self, is_internal: bool, is_variadic: bool, types: Mapping[str, str]) -> Routine:
        instructions = [self._instruction(*line) for line in self.lines]
        starts = [0] * (len(self.blocks) + 1)
        for each in instructions:
            starts[each.block + 1] += 1
        for block in range(len(self.blocks)):
            starts[block + 1] += starts[block]
        variables = {n: Variable(each, types.get(each, "")) for n, each in enumerate(self.parameters)}
        for position, (_, _, name, words) in enumerate(self.lines):
            if words[0] == "local":
                variables[len(self.parameters) + position] = Variable(name, instructions[position].type)
        routine = Routine(
            self.name,
            is_internal,
            len(self.parameters),
            is_variadic,
            tuple(instructions),
            tuple(itertools.pairwise(starts)),
            tuple(self.outside),
            variables,
            SourceLine(self.source, 1),
        )
        _NAMES[id(routine)] = routine, self.values
        _BLOCKS[id(routine)] = routine, self.blocks
        return routine

    def _instruction(self, line: int, block: int, _: str, words: list[str]) -> Instruction:
        words = list(words)
        extras = dict[str, str]()
        while len(words) > 2 and words[-2] in EXTRAS:
            extras[words[-2]] = words[-1]
            del words[-2:]
        operation, *rest = words
        kind = Kind[operation.upper()]
        operands: list[str] = rest
        targets: list[str] = []
        cases: list[str] = []
        offset = 0
        if kind is Kind.FIELD:
            offset = int(rest[1])
            operands = [rest[0], *rest[2:]]
        elif kind is Kind.PHI:
            operands = [each.rpartition(":")[0] for each in rest]
            targets = [each.rpartition(":")[2] for each in rest]
        elif kind is Kind.CALL:
            if "to" in rest:
                operands, targets = rest[: rest.index("to")], rest[rest.index("to") + 1 :]
            if operands[0] not in self.values and operands[0][0] not in '@"':
                operands = ["@" + operands[0], *operands[1:]]
        elif kind is Kind.JUMP:
            operands, targets = [], rest
        elif kind is Kind.BRANCH:
            operands, targets = rest[:1], rest[1:]
        elif kind is Kind.SWITCH:
            operands, targets = rest[:1], [rest[1]]
            for each in rest[2:]:
                value, _, target = each.partition(":")
                cases.append(value)
                targets.append(target)
        if kind is Kind.CALL and operands[0].startswith('"'):
            called = self._number(Assembly(operands[0].strip('"')))
            numbers = [called, *(self._operand(line, each) for each in operands[1:])]
        else:
            numbers = [self._operand(line, each) for each in operands]
        return Instruction(
            kind,
            tuple(numbers),
            extras.get("shape", SHAPES.get(operation, operation)).strip('"'),
            block,
            SourceLine(extras.get("file", self.source), int(extras.get("line", line))),
            tuple(self.blocks[each] for each in targets),
            tuple(int(each) for each in cases),
            offset,
            extras.get("as", ""),
            int(extras.get("size", 0)),
            self._steps(offset, int(extras.get("length", 0)), int(extras.get("stride", 0))),
        )

    @staticmethod
    def _steps(offset: int, length: int, stride: int) -> tuple[FieldStep, ...]:
        return (FieldStep(offset if length else 0, length, stride),) if length or stride else ()

    def _operand(self, line: int, word: str) -> int:
        if word in self.values:
            return self.values[word]
        if word.startswith("@"):
            return self._number(_address(word))
        if word == "null" or word[0] in '"-0123456789':
            return self._number(Constant(word))
        raise ValueError(f"{self.name}, line {line}: no value is called '{word}'")

    def _number(self, outside: Outside) -> int:
        if outside not in self.outside:
            self.outside.append(outside)
        return ~self.outside.index(outside)
