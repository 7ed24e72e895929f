"""`call`, `invoke` and `callbr`."""

from __future__ import annotations

import re

from sonde.core.code import Kind
from sonde.formats.llvm_ir.constants import typed
from sonde.formats.llvm_ir.facts import ModuleFacts
from sonde.formats.llvm_ir.instructions.bodies import RoutineBody
from sonde.formats.llvm_ir.types.pieces import NAME, closing, split_at_commas, split_at_spaces

_SIMPLE = re.compile(rf"([^(\"]*) ([%@]{NAME})\(([^()\"\[{{<]*)\)")
_CALLED = re.compile(rf"([%@]{NAME})\(")
_ASSEMBLY = re.compile(r'asm (?:\w+ )*"[^"]*", "[^"]*"')
_ODD = re.compile(r" ((?:null|undef|poison|zeroinitializer|inttoptr \(.*? to ptr\))\()")
_LABEL = re.compile(rf"label %({NAME})")
_THREAD_LOCAL = "@llvm.threadlocal.address.p0"
_VERBS = frozenset({"call", "invoke", "callbr"})
# What may stand between the verb and the type; calling conventions end in `cc` or are followed by a number.
_TYPE = re.compile(
    r"(?:void|ptr|i\d+|half|bfloat|float|double|x86_fp80|fp128|ppc_fp128|token|x86_amx)\b|[%{\[<]"
)


def read_call(body: RoutineBody, text: str) -> None:
    """Targets, if any, are the ordinary way and that of exceptions."""
    found = _SIMPLE.match(text)
    if found is not None:
        head, called, arguments = found.groups()
        pieces = arguments.split(", ") if arguments else []
        rest = text[found.end() :]
    else:
        head, called, pieces, rest = _cut(text)
    facts = body.facts
    shape = facts.seen_calls.get(head)
    if shape is None:
        shape = facts.seen_calls[head] = _head(facts, head)
    numbers = body.numbers
    number = numbers.get(called)
    operands = [body.operand(called) if number is None else number]
    types = []
    for piece in pieces:
        before, _, value = piece.rpartition(" ")
        type_ = facts.seen_arguments.get(before)
        if type_ is None or (value not in numbers and value[-1:] in {")", "]", ">", "}", '"'}):
            type_, value = _argument(piece)
            if piece.endswith(f" {value}") and piece[: -len(value) - 1] == before:
                facts.seen_arguments[before] = facts.type(type_)[0]
            type_ = facts.type(type_)[0]
        types.append(type_)
        number = numbers.get(value)
        operands.append(body.operand(value) if number is None else number)
    if called == _THREAD_LOCAL:
        # No call: the address of the same variable.
        body.add(Kind.FIELD, tuple(operands[1:]), "thread local")
        return
    targets: tuple[int, ...] = ()
    if "label %" in rest:
        targets = tuple(body.label(each) for each in _LABEL.findall(rest))
    body.add(Kind.CALL, tuple(operands), facts.shape(f"{shape}({', '.join(types)})"), targets)


def _argument(piece: str) -> tuple[str, str]:
    """(type, value); what is passed as `metadata` is a constant."""
    if piece.startswith("metadata "):
        return "metadata", "metadata"
    return typed(piece)


def _cut(text: str) -> tuple[str, str, list[str], str]:
    """What stands before the callee, the callee, the arguments, and what stands behind them."""
    found = _ASSEMBLY.search(text) or _CALLED.search(text) or _ODD.search(text)
    if found is None:
        return text, "", [], ""
    called = found[0] if found[0].startswith("asm ") else found[1].removesuffix("(")
    opening = text.find("(", found.end() - 1)
    end = closing(text, opening)
    return text[: found.start()].rstrip(), called, split_at_commas(text[opening + 1 : end]), text[end + 1 :]


def _head(facts: ModuleFacts, head: str) -> str:
    """`call i32` of `tail call fastcc noundef i32 (ptr, ...)`."""
    words = split_at_spaces(head)
    verb = next((word for word in words if word in _VERBS), "call")
    types = [word for word in words[words.index(verb) + 1 if verb in words else 0 :] if _TYPE.match(word)]
    flags = [word for word in words if word in {"musttail", "fast", "reassoc", "contract", "afn", "arcp"}]
    return " ".join([verb, *flags, facts.type(types[0])[0] if types else ""])
