"""Draws an edit: kinds with their weights, tried until one fits the program."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from studies.impact.generated.python.edits import cosmetic, flow, functions, numbers
from studies.impact.generated.python.nodes import Program

HARMLESS_SHARE = 0.2


@dataclass(frozen=True)
class Kind:
    """A kind of edit; it gives None where a program has no place for it."""

    name: str
    change: Callable[[random.Random, Program], Program | None]
    weight: float
    is_meant_harmless: bool = False


EDITS = (
    Kind("constant", numbers.constant, 2),
    Kind("number in a bound", numbers.bound, 2),
    Kind("number in a condition", numbers.condition, 1),
    Kind("table entry", numbers.table, 1.5),
    Kind("default value", numbers.default, 1.5),
    Kind("attribute of a class", numbers.attribute, 1),
    Kind("condition", flow.decision, 3),
    Kind("comparison", flow.comparison, 1),
    Kind("turns of a loop", flow.turns, 2.5),
    Kind("deleted statement", flow.deletion, 2.5),
    Kind("deleted assignment", flow.reassigned, 1.5),
    Kind("added call", flow.added_call, 3),
    Kind("removed call", flow.removed_call, 2),
    Kind("limit", flow.limit, 1),
    Kind("skipped turns", flow.skipping, 1),
    Kind("early return", flow.early_return, 1),
    Kind("other function", functions.other_function, 2),
    Kind("swapped rows", functions.swapped_rows, 1.5),
    Kind("method", functions.method, 1.5),
    Kind("decorator", functions.undecorated, 1.5),
    Kind("wired option", functions.wired_option, 1.5),
    Kind("guarded statement", functions.guarded, 1.5),
    Kind("renamed variable", cosmetic.renamed_local, 1, True),
    Kind("renamed function", cosmetic.renamed_function, 1, True),
    Kind("comment", cosmetic.remark, 0.7, True),
    Kind("docstring", cosmetic.docstring, 0.7, True),
    Kind("reordered functions", cosmetic.reordered, 1, True),
    Kind("swapped sides", cosmetic.swapped_sides, 0.7, True),
    Kind("opposite condition", cosmetic.turned_around, 0.7, True),
    Kind("written out", cosmetic.written_out, 0.5, True),
    Kind("conditional as if", cosmetic.as_if, 1, True),
    Kind("unused function", cosmetic.unused_function, 0.7, True),
    Kind("overwritten value", flow.overwritten, 1.5, True),
    Kind("unused code", numbers.unused, 1, True),
    Kind("statement of unused code", flow.cold_statement, 1, True),
)


@dataclass(frozen=True)
class Edited:
    """The program at the head, and what was done."""

    program: Program
    name: str
    is_meant_harmless: bool


def draw_edit(rng: random.Random, program: Program) -> Edited:
    """Some edit that changes the program."""
    is_harmless = rng.random() < HARMLESS_SHARE
    kinds = [kind for kind in EDITS if kind.is_meant_harmless is is_harmless]
    while True:
        (kind,) = rng.choices(kinds, [each.weight for each in kinds])
        changed = kind.change(rng, program)
        if changed is not None and changed != program:
            return Edited(changed, kind.name, is_harmless)
