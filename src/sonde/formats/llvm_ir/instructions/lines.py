"""The lines of a routine, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from sonde.core.code import NOWHERE, Variable
from sonde.formats.llvm_ir.instructions import calls, computing, control, fields, memory_access
from sonde.formats.llvm_ir.instructions.bodies import RoutineBody
from sonde.formats.llvm_ir.types.metadata import quoted
from sonde.formats.llvm_ir.types.pieces import NAME

_CONTINUED = re.compile(r"\n {4,}(?!#dbg_)")
_DEBUG = re.compile(rf"    #dbg_(declare|value)\(\S+ (%{NAME}), !(\d+),")
_NO_LABEL = frozenset({" ", ";", "}", ""})
_NOTES = re.compile(r"(?:, ![\w.\\-]+ !\d+)+$")


def _words(text: str) -> list[str]:
    return text.split()


_TWO = _words("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem icmp fcmp")
_CASTS = _words(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast"
    " addrspacecast"
)
_ANY = _words("select freeze fence fneg extractelement insertelement shufflevector")
READERS: Mapping[str, Callable[[RoutineBody, str], None]] = {
    "alloca": memory_access.read_local,
    "load": memory_access.read_load,
    "store": memory_access.read_store,
    "cmpxchg": memory_access.read_exchange,
    "atomicrmw": memory_access.read_update,
    "va_arg": memory_access.read_argument,
    "getelementptr": fields.read_field,
    "call": calls.read_call,
    "tail": calls.read_call,
    "musttail": calls.read_call,
    "notail": calls.read_call,
    "invoke": calls.read_call,
    "callbr": calls.read_call,
    "br": control.read_branch,
    "switch": control.read_switch,
    "indirectbr": control.read_computed_jump,
    "ret": control.read_return,
    "unreachable": control.read_stop,
    "resume": control.read_stop,
    "catchret": control.read_pad_end,
    "cleanupret": control.read_pad_end,
    "catchswitch": control.read_pad_end,
    "phi": control.read_phi,
    "extractvalue": computing.read_part,
    "insertvalue": computing.read_part,
    "landingpad": computing.read_landing,
    **dict.fromkeys(_TWO, computing.read_two),
    **dict.fromkeys(_CASTS, computing.read_cast),
    **dict.fromkeys(_ANY, computing.read_any),
}


def lines_of(text: str) -> list[str]:
    """The lines of a routine's body; an instruction that is written on several lines becomes one."""
    if "\n    " in text:
        text = _CONTINUED.sub(" ", text).replace("\n  ]", " ]")
    return text.split("\n")


def find_labels(body: RoutineBody, lines: Sequence[str]) -> None:
    """Number the blocks, since one may jump to what comes later."""
    labels = [line for line in lines if line[:1] not in _NO_LABEL and line[:1]]
    # The first block may have no label.
    first = 0 if lines and labels and labels[0] is lines[0] else 1
    body.labels.update((_label(line), number) for number, line in enumerate(labels, start=first))


def _label(line: str) -> str:
    end = line.find('":') + 1 if line[0] == '"' else line.find(":")
    return line[:end]


def read_lines(body: RoutineBody, lines: Sequence[str]) -> list[tuple[int, int]]:
    """Read all lines into a body; its blocks, as the first instruction and the one behind the last.

    Values get their numbers as they are made. If one was used before that, `body.met_unknown` is set, and
    another body that begins with the same `numbers` will know it.
    """
    instructions, numbers, seen_places = body.instructions, body.numbers, body.facts.seen_places
    parameters, readers = body.parameters, READERS
    blocks: list[tuple[int, int]] = []
    start = 0
    for line in lines:
        if line[:2] != "  ":
            if line[:1] not in _NO_LABEL and line and body.labels[_label(line)]:
                blocks.append((start, len(instructions)))
                start = len(instructions)
                body.block = len(blocks)
            continue
        if line[2:3] in {" ", ""}:
            read_debug_record(body, line)
            continue
        cut = line.rfind(", !dbg !")
        if cut > 0:
            tail = line[cut + 8 :]
            place = seen_places.get(tail)
            body.place = body.facts.place(tail) if place is None else place
            text = line[2:cut]
        else:
            body.place = NOWHERE
            text = line[2:]
            if ", !" in text:
                text = _NOTES.sub("", text)
        if text[:1] == "%":
            name, _, text = text.partition(" = ")
            word = text[: text.find(" ")]
            readers.get(word, computing.read_unknown)(body, text)
            # The value of an atomic update is what was there before: the first of three instructions.
            numbers[name] = parameters + len(instructions) - (3 if word == "atomicrmw" else 1)
        else:
            readers.get(text.partition(" ")[0], computing.read_unknown)(body, text)
    blocks.append((start, len(instructions)))
    return blocks


def read_debug_record(body: RoutineBody, line: str) -> None:
    """Which variable of the source a value is, or is the address of."""
    found = _DEBUG.match(line)
    if found is None:
        return
    kind, name, number = found.groups()
    value = body.numbers.get(name)
    if value is None or (kind == "value" and value >= body.parameters) or value in body.variables:
        return
    facts = body.facts
    note = facts.metadata.note(number)
    type_ = facts.metadata.referred(note, "type")
    body.types[value] = type_
    body.variables[value] = Variable(quoted(note, "name"), facts.structures.behind(type_))
