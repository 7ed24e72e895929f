"""Instructions, calls and ways between blocks, counted slowly by LLVM's own objects."""

from collections import Counter
from dataclasses import dataclass

from llvmlite import binding

from sonde.core.code import Kind, Routine, Unit

# One of these becomes three: it reads, computes and writes.
SEVERAL = {"atomicrmw": 3, "cmpxchg": 3}
CALLS = {"call", "invoke", "callbr"}
ENDS = {"br", "switch", "indirectbr", "invoke", "callbr"}


@dataclass(frozen=True)
class Counted:
    """What is compared of a routine."""

    blocks: int
    instructions: int
    calls: int
    loads: int
    stores: int
    edges: frozenset[tuple[int, int]]


def count_slowly(module: binding.ModuleRef) -> dict[str, Counted]:
    """What LLVM's objects say; blocks must have names."""
    return {each.name: _count(each) for each in module.functions if not each.is_declaration}


def _count(function: binding.ValueRef) -> Counted:
    blocks = list(function.blocks)
    numbers = {block.name: number for number, block in enumerate(blocks)}
    words: Counter[str] = Counter()
    edges: set[tuple[int, int]] = set()
    thread_locals = 0
    for number, block in enumerate(blocks):
        for instruction in block.instructions:
            words[instruction.opcode] += 1
            if instruction.opcode == "call":
                *_, called = instruction.operands
                thread_locals += called.name.startswith("llvm.threadlocal.address")
            if instruction.opcode in ENDS:
                edges.update(
                    (number, numbers[operand.name])
                    for operand in instruction.operands
                    if operand.value_kind == binding.ValueKind.basic_block
                )
    atomics = sum(words[word] for word in SEVERAL)
    return Counted(
        blocks=len(blocks),
        instructions=sum(count * SEVERAL.get(word, 1) for word, count in words.items()),
        # The address of a variable of the thread is no call to us.
        calls=sum(words[word] for word in CALLS) - thread_locals,
        loads=words["load"] + words["va_arg"] + atomics,
        stores=words["store"] + atomics,
        edges=frozenset(edges),
    )


def count_read(unit: Unit) -> dict[str, Counted]:
    """The same, of what we read."""
    return {
        routine.name: _count_routine(routine)
        for routine in unit.routines
        # An indirect function has no instructions in LLVM.
        if routine.instructions[0].shape != "resolve"
    }


def _count_routine(routine: Routine) -> Counted:
    kinds = Counter(each.kind for each in routine.instructions)
    return Counted(
        blocks=len(routine.blocks),
        # A constant with several addresses has an instruction of its own.
        instructions=sum(each.shape != "constant" for each in routine.instructions),
        calls=kinds[Kind.CALL],
        loads=kinds[Kind.LOAD],
        stores=kinds[Kind.STORE],
        edges=frozenset(
            (each.block, target)
            for each in routine.instructions
            if each.kind is not Kind.PHI
            for target in each.targets
        ),
    )


def check_references(unit: Unit) -> None:
    """Every operand, block and target exists, and blocks cover the instructions."""
    for routine in unit.routines:
        values = routine.parameters + len(routine.instructions)
        assert [start for start, _ in routine.blocks] == [0, *(end for _, end in routine.blocks[:-1])]
        assert routine.blocks[-1][1] == len(routine.instructions)
        for position, each in enumerate(routine.instructions):
            start, end = routine.blocks[each.block]
            assert start <= position < end
            assert all(-len(routine.outside) <= operand < values for operand in each.operands)
            assert all(0 <= target < len(routine.blocks) for target in each.targets)
            if each.kind is Kind.PHI:
                assert len(each.operands) == len(each.targets)
            if each.kind is Kind.SWITCH:
                assert len(each.targets) == len(each.cases) + 1
