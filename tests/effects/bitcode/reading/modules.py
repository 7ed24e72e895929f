"""Units from LLVM's text, which LLVM itself has read and written once."""

from llvmlite import binding

from sonde.core.code import Instruction, Outside, Routine, Unit
from sonde.formats.llvm_ir.modules import read_module

LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"


def module_of(text: str) -> binding.ModuleRef:
    """A module of x86-64; LLVM complains if the text is wrong."""
    module = binding.parse_assembly(f'target datalayout = "{LAYOUT}"\n{text}', binding.create_context())
    module.verify()
    return module


def unit_of(text: str, root: str | None = None) -> Unit:
    """The unit that we read from it."""
    return read_module(str(module_of(text)), root)


def routine_of(text: str, name: str = "f") -> Routine:
    """One routine of it."""
    (found,) = [each for each in unit_of(text).routines if each.name == name]
    return found


def body(
    instructions: str, parameters: str = "ptr %p, i32 %x", before: str = "", result: str = "void"
) -> Routine:
    """The routine `f` with these instructions."""
    return routine_of(f"{before}\ndefine {result} @f({parameters}) {{\n{instructions}\n}}\n")


def meaning(routine: Routine, operand: int) -> Outside | int:
    """A value by its number, anything else as what it is."""
    return operand if operand >= 0 else routine.outside[~operand]


def operands(routine: Routine, instruction: Instruction) -> list[Outside | int]:
    """All of an instruction's operands so."""
    return [meaning(routine, operand) for operand in instruction.operands]
