"""Writes the instructions of one routine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sonde.core.code import Address, Constant, Instruction, Kind, Outside, Routine, SourceLine, Variable
from sonde.formats.python_source.names.vocabulary import OBJECT, STEP

REFERENCE = "reference"  # the type of variables: they hold references to objects
OUTSIDE = "python.outside"  # all that the program does not define, and what that knows of the program
NOTHING = Constant("None")


@dataclass
class Writer:
    """A routine while it is written; values are numbers as in `core.code`."""

    name: str
    shown: str
    file: str
    line: int
    parameters: int
    instructions: list[Instruction] = field(default_factory=list)
    outside: dict[Outside, int] = field(default_factory=dict)
    variables: dict[int, Variable] = field(default_factory=dict)
    block: int = 0
    blocks: int = 1
    at: int = 0  # the line
    landings: list[int] = field(default_factory=list)  # where exceptions go, the innermost last

    def __post_init__(self) -> None:
        self.at = self.line

    def operand(self, thing: Outside) -> int:
        """A constant or address as an operand."""
        return ~self.outside.setdefault(thing, len(self.outside))

    def address(self, name: str, offset: int = 0) -> int:
        """The address of something that has a name."""
        return self.operand(Address(name, offset))

    @property
    def nothing(self) -> int:
        """The value None."""
        return self.operand(NOTHING)

    def emit(
        self,
        kind: Kind,
        operands: Sequence[int] = (),
        shape: str = "",
        targets: tuple[int, ...] = (),
        offset: int = 0,
        type: str = "",
    ) -> int:
        """One more instruction; its value."""
        size = STEP if kind in (Kind.LOAD, Kind.STORE, Kind.LOCAL) else 0
        place = SourceLine(self.file, self.at)
        self.instructions.append(
            Instruction(kind, tuple(operands), shape, self.block, place, targets, (), offset, type, size)
        )
        return self.parameters + len(self.instructions) - 1

    def local(self, name: str = "") -> int:
        """A variable of the routine; its address."""
        value = self.emit(Kind.LOCAL, (), "variable", type="")
        if name:
            self.variables[value] = Variable(name, REFERENCE)
        return value

    def load(self, address: int) -> int:
        """What lies at an address."""
        return self.emit(Kind.LOAD, (address,), "load")

    def store(self, address: int, value: int) -> None:
        """Put a value there."""
        self.emit(Kind.STORE, (address, value), "store")

    def field(self, base: int, offset: int) -> int:
        """The address of an attribute."""
        return self.emit(Kind.FIELD, (base,), "attribute", offset=offset, type=OBJECT) if offset else base

    def compute(self, what: str, operands: Iterable[int]) -> int:
        """Something that may be, or hold, whatever its operands are."""
        return self.emit(Kind.COMPUTE, tuple(operands), f"python {what}")

    def judge(self, what: str, operands: Iterable[int]) -> int:
        """Something that is a number, a text or a truth, and holds nothing."""
        return self.emit(Kind.COMPUTE, tuple(operands), f"fcmp python {what}")

    def join(self, values: Iterable[int]) -> int:
        """A value that may be any of these."""
        several = tuple(dict.fromkeys(values))
        return several[0] if len(several) == 1 else self.compute("any", several or (self.nothing,))

    def call(self, callee: int, arguments: Iterable[int], *, may_raise: bool = True) -> int:
        """A call; where exceptions are caught, it ends its block."""
        operands = (callee, *arguments)
        if not self.landings or not may_raise:
            return self.emit(Kind.CALL, operands, "call")
        after = self.new_block()
        value = self.emit(Kind.CALL, operands, "call", (after, self.landings[-1]))
        self.begin(after)
        return value

    def use(self, function: str, arguments: Iterable[int], *, may_raise: bool = True) -> int:
        """A call of what the program does not define."""
        return self.call(self.address(f"python.{function}"), arguments, may_raise=may_raise)

    def new_object(self) -> int:
        """A new object, which is told apart from those that are made elsewhere."""
        return self.use("new", (), may_raise=False)

    def new_block(self) -> int:
        """The number of a block that comes later."""
        self.blocks += 1
        return self.blocks - 1

    def begin(self, block: int) -> None:
        """Go on in a block."""
        self.block = block

    def jump(self, block: int) -> None:
        """End the block."""
        self.emit(Kind.JUMP, (), "jump", (block,))

    def branch(self, condition: int, if_true: int, if_false: int) -> None:
        """End the block with a decision."""
        self.emit(Kind.BRANCH, (condition,), "branch", (if_true, if_false))

    def merge(self, values: Sequence[tuple[int, int]]) -> int:
        """A value that depends on the block from which control comes."""
        blocks = tuple(block for _, block in values)
        return self.emit(Kind.PHI, tuple(value for value, _ in values), "python merge", blocks)

    def stop(self) -> None:
        """End the block, as nothing comes after what was called."""
        self.emit(Kind.STOP, (), "stop")
        self.finish()

    def give(self, value: int) -> None:
        """Return a value."""
        self.emit(Kind.RETURN, (value,), "return")
        self.finish()

    def finish(self) -> None:
        """End the routine, and begin a block that nothing leads to."""
        self.begin(self.new_block())

    def routine(self) -> Routine:
        """What was written; blocks in the order in which they were begun, those of no use left out.

        What is left of a value of theirs is nothing: it is only named by code that never runs.
        """
        parts: dict[int, list[int]] = {}
        for position, each in enumerate(self.instructions):
            parts.setdefault(each.block, []).append(position)
        after = {block: self.instructions[those[-1]].targets for block, those in parts.items()}
        reached = _reached(after)
        order = [block for block in parts if block in reached]
        numbers = {block: n for n, block in enumerate(order)}
        kept = [position for block in order for position in parts[block]]
        values = {self.parameters + p: self.parameters + n for n, p in enumerate(kept)}
        instructions, blocks = [], []
        start = 0
        for block in order:
            for position in parts[block]:
                each = _from_reached(self.instructions[position], numbers)
                instructions.append(
                    each._replace(
                        operands=tuple(
                            values.get(n, self.nothing) if n >= self.parameters else n for n in each.operands
                        ),
                        block=numbers[block],
                        targets=tuple(numbers[target] for target in each.targets),
                    )
                )
            blocks.append((start, start + len(parts[block])))
            start += len(parts[block])
        return Routine(
            self.name,
            False,
            self.parameters,
            False,
            tuple(instructions),
            tuple(blocks),
            tuple(self.outside),
            {
                values.get(n, n): each
                for n, each in self.variables.items()
                if n < self.parameters or n in values
            },
            SourceLine(self.file, self.line),
            self.shown,
        )


def _from_reached(each: Instruction, numbers: dict[int, int]) -> Instruction:
    """The instruction without what comes from blocks that are left out."""
    if each.kind is not Kind.PHI:
        return each
    kept = [n for n, block in enumerate(each.targets) if block in numbers]
    return each._replace(
        operands=tuple(each.operands[n] for n in kept), targets=tuple(each.targets[n] for n in kept)
    )


def _reached(after: dict[int, tuple[int, ...]]) -> set[int]:
    seen = {0}
    waiting = [0]
    while waiting:
        for each in after.get(waiting.pop(), ()):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return seen
