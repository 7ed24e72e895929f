"""Instructions that make, read and write memory."""

from __future__ import annotations

import re

from sonde.core.code import FieldStep, Instruction, Kind
from sonde.formats.llvm_ir.constants import ORDERINGS, typed
from sonde.formats.llvm_ir.instructions.bodies import RoutineBody, new
from sonde.formats.llvm_ir.types.pieces import split_at_commas, split_at_spaces

_NO_LENGTH = re.compile(r"align \d+$|addrspace\(\d+\)$")
# To look them up costs as much as half of the rest.
_LOAD, _STORE = Kind.LOAD, Kind.STORE
_FLAGS = frozenset({"atomic", "volatile", "weak", "inalloca", "swifterror"})


def read_local(body: RoutineBody, text: str) -> None:
    """`alloca`."""
    known = body.facts.seen_locals.get(text)
    if known is not None:
        shape, type_, name, size, arrays = known
        body.allocated[body.add(Kind.LOCAL, (), shape, type_=name, size=size, steps=arrays)] = type_
        return
    pieces = split_at_commas(text[len("alloca ") :]) or [""]
    _, type_ = _without_flags(pieces[0])
    lengths = [typed(piece)[1] for piece in pieces[1:] if not _NO_LENGTH.match(piece)]
    spelled, size = body.facts.type(type_)
    shape = f"alloca {spelled}"
    name = body.facts.structure(body.facts.layouts.element(type_))
    if lengths and not lengths[0].isdigit():
        body.allocated[body.add(Kind.LOCAL, (body.operand(lengths[0]),), shape, type_=name)] = type_
        return
    arrays = body.facts.layouts.arrays(type_)
    if lengths:
        arrays = (FieldStep(0, size * int(lengths[0]), size), *arrays)
        size *= int(lengths[0])
        shape = f"{shape} {lengths[0]}"
    body.facts.seen_locals[text] = (shape, type_, name, size, arrays)
    body.allocated[body.add(Kind.LOCAL, (), shape, type_=name, size=size, steps=arrays)] = type_


def read_load(body: RoutineBody, text: str) -> None:
    """`load`."""
    # Nearly all: type, address and alignment, the address known by its name.
    simple = text.split(", ")
    known = body.facts.seen_loads.get(simple[0])
    number = body.numbers.get(simple[1][4:]) if len(simple) == 3 else None
    if known is not None and number is not None:
        shape, size = known
        body.instructions.append(
            new(Instruction, (_LOAD, (number,), shape, body.block, body.place, (), (), 0, "", size, ()))
        )
        return
    pieces = split_at_commas(text[len("load ") :]) or [""]
    flags, type_ = _without_flags(pieces[0])
    address = typed(pieces[1])[1] if len(pieces) > 1 else ""
    spelled, size = body.facts.type(type_)
    shape = body.facts.shape(f"load {flags}{spelled}{_ordering(pieces)}")
    if len(simple) == 3 and "atomic" not in flags:
        body.facts.seen_loads[simple[0]] = (shape, size)
    body.add(Kind.LOAD, (body.operand(address),), shape, size=size)


def read_store(body: RoutineBody, text: str) -> None:
    """`store`."""
    simple = text.split(", ")
    head, _, value = simple[0].rpartition(" ")
    if len(simple) == 3:
        known = body.facts.seen_stores.get(head)
        where, what = body.numbers.get(simple[1][4:]), body.numbers.get(value)
        if known is not None and where is not None and what is not None:
            shape, size = known
            body.instructions.append(
                new(
                    Instruction,
                    (_STORE, (where, what), shape, body.block, body.place, (), (), 0, "", size, ()),
                )
            )
            return
    pieces = split_at_commas(text[len("store ") :]) or [""]
    flags, rest = _without_flags(pieces[0])
    type_, value = typed(rest)
    address = typed(pieces[1])[1] if len(pieces) > 1 else ""
    spelled, size = body.facts.type(type_)
    shape = body.facts.shape(f"store {flags}{spelled}{_ordering(pieces)}")
    if head == f"store {flags}{type_}" and "atomic" not in flags:
        body.facts.seen_stores[head] = (shape, size)
    body.add(Kind.STORE, (body.operand(address), body.operand(value)), shape, size=size)


def read_exchange(body: RoutineBody, text: str) -> None:
    """`cmpxchg`: a LOAD, a STORE, and a COMPUTE: what was there, and whether it was expected."""
    pieces = split_at_commas(text[len("cmpxchg ") :]) or [""]
    flags, first = _without_flags(pieces[0])
    address = body.operand(typed(first)[1])
    type_, expected = typed(pieces[1]) if len(pieces) > 1 else ("", "")
    wanted = typed(pieces[2])[1] if len(pieces) > 2 else ""
    spelled, size = body.facts.type(type_)
    wanted_operand, expected_operand = body.operand(wanted), body.operand(expected)
    loaded = body.add(Kind.LOAD, (address,), f"cmpxchg load {flags}{spelled}", size=size)
    body.add(Kind.STORE, (address, wanted_operand), f"cmpxchg store {flags}{spelled}", size=size)
    body.add(Kind.COMPUTE, (loaded, expected_operand), f"cmpxchg {flags}{spelled}{_ordering(pieces)}")


def read_update(body: RoutineBody, text: str) -> None:
    """`atomicrmw`: a LOAD, which is its value, a COMPUTE and a STORE."""
    pieces = split_at_commas(text[len("atomicrmw ") :]) or [""]
    flags, first = _without_flags(pieces[0])
    operation, _, first = first.partition(" ")
    address = body.operand(typed(first)[1])
    type_, value = typed(pieces[1]) if len(pieces) > 1 else ("", "")
    spelled, size = body.facts.type(type_)
    operand = body.operand(value)
    loaded = body.add(Kind.LOAD, (address,), f"atomicrmw load {flags}{spelled}", size=size)
    operands = (operand,) if operation == "xchg" else (loaded, operand)
    computed = body.add(Kind.COMPUTE, operands, f"atomicrmw {operation} {flags}{spelled}{_ordering(pieces)}")
    body.add(Kind.STORE, (address, computed), f"atomicrmw store {flags}{spelled}", size=size)


def read_argument(body: RoutineBody, text: str) -> None:
    """`va_arg`: a LOAD from the list of arguments."""
    pieces = split_at_commas(text[len("va_arg ") :]) or [""]
    spelled, size = body.facts.type(pieces[-1])
    body.add(Kind.LOAD, (body.operand(typed(pieces[0])[1]),), f"va_arg {spelled}", size=size)


def _without_flags(text: str) -> tuple[str, str]:
    """(`volatile `, `i32`) of `volatile i32`."""
    flags = ""
    while (word := text.partition(" ")[0]) in _FLAGS:
        flags += f"{word} "
        text = text[len(word) + 1 :]
    return flags, text


def _ordering(pieces: list[str]) -> str:
    words = [word for word in split_at_spaces(pieces[min(len(pieces) - 1, 2)]) if word in ORDERINGS]
    words = words or [word for piece in pieces[1:] for word in split_at_spaces(piece) if word in ORDERINGS]
    return " " + " ".join(words) if words else ""
