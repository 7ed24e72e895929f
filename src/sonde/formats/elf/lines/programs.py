"""Runs a line number program: the state machine of DWARF (section 6.2 of version 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sonde.formats.elf.lines.headers import LineProgramHeader

_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE = 1, 2, 3, 4
_CONST_ADD_PC, _FIXED_ADVANCE_PC = 8, 9
_END_SEQUENCE, _SET_ADDRESS = 1, 2


class LineProgramRow(NamedTuple):
    """Code from this address on, up to the next row, is of a line of a file."""

    address: int
    file: int  # as the header numbers it
    line: int  # 0: of no line


class Sequence(NamedTuple):
    """Rows by ascending address, as they are made, and where the last one ends."""

    rows: tuple[LineProgramRow, ...]
    end: int


def run_program(header: LineProgramHeader) -> Iterator[Sequence]:
    """Every sequence of rows that a program makes."""
    program = header.program
    content, at, end = program.content, program.at, program.end
    base, line_base, line_range = header.opcode_base, header.line_base, header.line_range
    shortest, constant = header.shortest, (255 - header.opcode_base) // header.line_range * header.shortest
    address, file, line = 0, 1, 1
    rows: list[LineProgramRow] = []
    while at < end:
        opcode = content[at]
        at += 1
        if opcode >= base:  # a special one: both registers move, and a row is made
            moved = opcode - base
            address += moved // line_range * shortest
            line += line_base + moved % line_range
            rows.append(LineProgramRow(address, file, line))
            continue
        if opcode == _COPY:
            rows.append(LineProgramRow(address, file, line))
            continue
        if opcode == _CONST_ADD_PC:
            address += constant
            continue
        program.at = at
        if opcode == 0:
            length = program.variable()
            behind = program.at + length
            kind = program.number(1) if length else 0
            if kind == _END_SEQUENCE:
                if rows:
                    yield Sequence(tuple(rows), address)
                address, file, line, rows = 0, 1, 1, []
            elif kind == _SET_ADDRESS:
                address = program.number(length - 1)
            program.skip(behind - program.at)
        elif opcode == _ADVANCE_PC:
            address += program.variable() * shortest
        elif opcode == _ADVANCE_LINE:
            line += _signed(content, program.at)
            program.variable()
        elif opcode == _SET_FILE:
            file = program.variable()
        elif opcode == _FIXED_ADVANCE_PC:
            address += program.number(2)
        else:
            for _ in range(header.operands[opcode - 1]):
                program.variable()
        at = program.at


def _signed(content: bytes, at: int) -> int:
    """A number with sign that says itself where it ends (SLEB128)."""
    value = shift = 0
    while True:
        byte = content[at] if at < len(content) else 0
        value |= (byte & 0x7F) << shift
        shift += 7
        at += 1
        if byte < 0x80:
            return value - (1 << shift) if byte & 0x40 else value
