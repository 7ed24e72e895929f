"""Operations on whole numbers as LLVM itself computes them: compiled, and called."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from llvmlite import binding

from tests.effects.bitcode.reading.modules import module_of

SLOT = 32  # bytes of an operand


class Compiled:
    """Functions `void (ptr in, ptr out)`: operands lie in slots of `in`, results in slots of `out`."""

    def __init__(self, text: str) -> None:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        module = module_of(text)
        machine = binding.Target.from_default_triple().create_target_machine(opt=0)
        self._engine = binding.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        self._functions: dict[str, ctypes._CFunctionType] = {}

    def call(self, name: str, operands: Sequence[int], results: int = 1) -> list[int]:
        """The results for these operands; all are numbers without a sign."""
        function = self._functions.get(name)
        if function is None:
            address = self._engine.get_function_address(name)
            function = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)(address)
            self._functions[name] = function
        given = b"".join(each.to_bytes(SLOT, "little") for each in operands)
        found = ctypes.create_string_buffer(SLOT * results)
        function(given, ctypes.cast(found, ctypes.c_char_p))
        return [int.from_bytes(found.raw[n : n + SLOT], "little") for n in range(0, SLOT * results, SLOT)]


def loads(widths: Sequence[int]) -> list[str]:
    """Lines that load the operands %a0, %a1, ... of these widths."""
    lines = []
    for number, width in enumerate(widths):
        lines.append(f"%p{number} = getelementptr i8, ptr %in, i64 {SLOT * number}")
        lines.append(f"%a{number} = load i{width}, ptr %p{number}, align 1")
    return lines


def stores(results: Sequence[tuple[str, int]]) -> list[str]:
    """Lines that store these values of these widths, with zeros above them."""
    lines = []
    for number, (value, width) in enumerate(results):
        lines.append(f"%q{number} = getelementptr i8, ptr %out, i64 {SLOT * number}")
        lines.append(f"%w{number} = zext i{width} {value} to i{8 * SLOT}")
        lines.append(f"store i{8 * SLOT} %w{number}, ptr %q{number}, align 1")
    return lines


def function(name: str, lines: Sequence[str]) -> str:
    """A function with this body."""
    body = "\n".join(f"  {line}" for line in lines)
    return f"define void @{name}(ptr %in, ptr %out) {{\n{body}\n  ret void\n}}\n"
