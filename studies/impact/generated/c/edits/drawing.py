"""Draws an edit: kinds with their weights, tried until one fits the program."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from studies.impact.generated.c.edits import cosmetic, flow, functions, numbers
from studies.impact.generated.c.nodes import Program

HARMLESS_SHARE = 0.2


@dataclass(frozen=True)
class Kind:
    """A kind of edit; it gives None where a program has no place for it."""

    name: str
    change: Callable[[random.Random, Program], Program | None]
    weight: float
    is_meant_harmless: bool = False


EDITS = (
    Kind("constant", numbers.constant, 1),
    Kind("number in a bound", numbers.bound, 2.5),
    Kind("number in a condition", numbers.condition, 1),
    Kind("table entry", numbers.table, 1.2),
    Kind("structure initializer", numbers.structure, 1.5),
    Kind("default value", numbers.default, 0.8),
    Kind("header", numbers.header, 1.2),
    Kind("condition", flow.decision, 3),
    Kind("turns of a loop", flow.turns, 3),
    Kind("deleted statement", flow.deletion, 2.5),
    Kind("added call", flow.added_call, 3),
    Kind("removed call", flow.removed_call, 1.5),
    Kind("limit", flow.limit, 0.6),
    Kind("skipped turns", flow.skipping, 1),
    Kind("swapped callback", functions.swapped_callback, 2.5),
    Kind("swapped rows", functions.swapped_rows, 1),
    Kind("wired option", functions.wired_option, 1.5),
    Kind("renamed", cosmetic.renamed, 1.5, True),
    Kind("comment", cosmetic.remark, 0.7, True),
    Kind("reordered functions", cosmetic.reordered, 1, True),
    Kind("reordered fields", cosmetic.reordered_fields, 0.5, True),
    Kind("swapped sides", cosmetic.swapped_sides, 1, True),
    Kind("opposite condition", cosmetic.turned_around, 1, True),
    Kind("for as while", cosmetic.as_while, 1, True),
    Kind("named value", cosmetic.named_value, 0.7, True),
    Kind("other words", cosmetic.written_otherwise, 1, True),
    Kind("overwritten value", flow.overwritten, 2.5, True),
    Kind("unused code", numbers.unused, 1.2, True),
    Kind("statement of unused code", flow.cold_statement, 1.2, True),
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
