"""The code of a program as plain values: what the analysis of impacts works on, whatever language it was.

A *unit* is what a compiler translates at once. Its routines are lists of instructions in blocks; an operand
is a number: `n >= 0` is the value `n` of the routine (first its parameters, then one for each instruction),
`n < 0` is `outside[~n]`: a constant, or the address of something that has a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple


class Kind(IntEnum):
    """What an instruction does."""

    LOCAL = 0  # makes a variable of the routine; its value is the address. Operands: none, or its length
    LOAD = 1  # operands: address
    STORE = 2  # operands: address, value
    FIELD = 3  # an address inside of what an address points to. Operands: base, then indices that vary
    COMPUTE = 4  # arithmetic, comparison, conversion, selection, ...: operands as they come
    PHI = 5  # operands: one for each of `targets`, the blocks that it comes from
    CALL = 6  # operands: what is called, then its arguments. With `targets` it ends its block
    JUMP = 7  # one target, no operands
    BRANCH = 8  # operands: condition. Targets: where it goes if true, if false
    SWITCH = 9  # operands: value. Targets: the default, then one for each of `cases`
    RETURN = 10  # operands: none, or the value
    STOP = 11  # never reached, as what was called before does not return


DECIDING = (Kind.BRANCH, Kind.SWITCH)
_STORE, _CALL = Kind.STORE, Kind.CALL


class SourceLine(NamedTuple):
    """A line of a source file."""

    file: str  # as the compiler was given it, relative to the root of the work tree where it lies below it
    line: int  # from 1; 0 if unknown


NOWHERE = SourceLine("", 0)
OPEN = 1 << 62  # the length of an array whose end nobody knows


class FieldStep(NamedTuple):
    """A piece of the way of a FIELD: into an array or member, along elements, or both.

    Without a length it is arithmetic with a pointer, which stays where that was entered before.
    """

    offset: int  # where it begins, in bytes behind the base
    length: int = 0  # in bytes, of the array or member that it leads into, OPEN at times; 0: into none
    stride: int = 0  # in bytes, of the elements to any of which it leads; 0: it leads to the first one


class Instruction(NamedTuple):
    """One step of a routine.

    A named tuple, not a dataclass: large programs have a million of them.
    """

    kind: Kind
    operands: tuple[int, ...]
    shape: str  # operation, types and flags, without names and numbers of values: what a difference compares
    block: int
    place: SourceLine = NOWHERE
    targets: tuple[int, ...] = ()  # blocks
    cases: tuple[int, ...] = ()  # of a SWITCH
    offset: int = 0  # of a FIELD, in bytes; any element of an array counts as its first
    type: str = ""  # of a FIELD: the structure whose field it is, of a LOCAL: what it holds; as in Unit.types
    size: int = 0  # of LOAD, STORE and LOCAL: how many bytes, if known
    steps: tuple[
        FieldStep, ...
    ] = ()  # of a FIELD more complex than one field behind the other; of a LOCAL its arrays


class Constant(NamedTuple):
    """A number, a null pointer, a text, ...: a value without a name."""

    text: str


class Address(NamedTuple):
    """The address of a routine or a global, or of a field of it."""

    name: str
    offset: int = 0


class Assembly(NamedTuple):
    """Inline assembler, as something that is called."""

    text: str


Outside = Constant | Address | Assembly


@dataclass(frozen=True)
class Variable:
    """A variable or parameter as the source names it."""

    name: str
    type: str = ""  # the structure, if it is one or points to one; as in Unit.types


@dataclass(frozen=True)
class Routine:
    """A function of the program that has a body."""

    name: str
    is_internal: bool  # only its unit knows the name
    parameters: int
    is_variadic: bool
    instructions: tuple[Instruction, ...]
    blocks: tuple[tuple[int, int], ...]  # the first instruction of each, and the one behind its last
    outside: tuple[Outside, ...]
    variables: Mapping[int, Variable] = field(default_factory=dict)  # of values: parameters, LOCALs
    place: SourceLine = NOWHERE
    shown: str = ""  # the name for people, if the linker's is mangled
    is_weak: bool = False  # gives way to another one of the same name
    parameter_types: tuple[str, ...] | None = None  # None: the language does not tell calls apart by types

    @cached_property
    def calls(self) -> tuple[int, ...]:
        """The positions of its CALLs."""
        return tuple(n for n, each in enumerate(self.instructions) if each.kind is _CALL)

    @cached_property
    def stores(self) -> tuple[int, ...]:
        """The positions of its STOREs."""
        return tuple(n for n, each in enumerate(self.instructions) if each.kind is _STORE)

    @cached_property
    def routes(self) -> tuple[tuple[int, ...], ...]:
        """For each block where it may go."""
        ends = self._ends
        return tuple(() if each is None or each.kind is Kind.PHI else each.targets for each in ends)

    @cached_property
    def returning(self) -> frozenset[int]:
        """The blocks that end in RETURN."""
        return frozenset(n for n, each in enumerate(self._ends) if each and each.kind is Kind.RETURN)

    @cached_property
    def stopping(self) -> frozenset[int]:
        """The blocks that end in STOP."""
        return frozenset(n for n, each in enumerate(self._ends) if each and each.kind is Kind.STOP)

    @property
    def gives(self) -> bool:
        """Whether it returns a value."""
        return any(self.instructions[self.blocks[block][1] - 1].operands for block in self.returning)

    @property
    def _ends(self) -> list[Instruction | None]:
        """The last instruction of each block."""
        return [self.instructions[end - 1] if end > start else None for start, end in self.blocks]


@dataclass(frozen=True)
class ValuePart:
    """A piece of the first value of a global."""

    offset: int  # in bytes; any element of an array counts as its first
    content: str  # a digest
    address: Address | None = None  # if it is the address of something
    number: int | None = None  # if it is a whole number, and known


@dataclass(frozen=True)
class Global:
    """A variable or constant of the whole program, or of a unit."""

    name: str
    is_internal: bool
    is_constant: bool
    is_defined: bool  # else it lies in a library, or in another unit
    parts: tuple[ValuePart, ...] = ()  # nothing for zeros
    size: int = 0
    text: str = ""  # if it is a literal text of the source: the text
    variable: Variable | None = None  # as the source names it; nothing for literals
    place: SourceLine = NOWHERE
    arrays: tuple[FieldStep, ...] = ()  # that lie in it; nothing for literals


@dataclass(frozen=True)
class Member:
    """A field of a structure."""

    name: str
    offset: int  # in bytes
    bits: tuple[int, int] | None = None  # first bit and number of bits, of a bit field
    type: str = ""  # the structure, if it is one or points to one


@dataclass(frozen=True)
class Unit:
    """What the compiler translates at once: one source file with all that it includes."""

    source: str  # relative to the root of the work tree where it lies below it
    routines: tuple[Routine, ...]
    globals: tuple[Global, ...]
    types: Mapping[str, tuple[Member, ...]] = field(default_factory=dict)  # structures by their names
    aliases: Mapping[str, str] = field(default_factory=dict)  # another name of a routine or global
    never_return: frozenset[str] = frozenset()  # routines, with or without body
    startup: tuple[str, ...] = ()  # routines that run before main
    shutdown: tuple[str, ...] = ()  # routines that run after main, or at exit
    has_places: bool = True  # whether it was compiled with debug information
    is_dynamic: bool = False  # its routines may be called with any number of arguments
