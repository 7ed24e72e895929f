"""Draws a stage of some manner, and how it is called."""

from __future__ import annotations

from collections.abc import Callable as Function_
from dataclasses import dataclass, replace

from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.scopes import Sized
from studies.impact.generated.c.drawing.stages.buffers import bytes_stage, sorting_stage, text_stage
from studies.impact.generated.c.drawing.stages.dispatch import (
    callback_stage,
    operations_stage,
    switch_stage,
    table_stage,
)
from studies.impact.generated.c.drawing.stages.heaps import hash_stage, list_stage, tree_stage
from studies.impact.generated.c.drawing.stages.loops import (
    cached_stage,
    matrix_stage,
    plain_stage,
    recursive_stage,
    rows_stage,
)
from studies.impact.generated.c.drawing.stages.plans import Plan
from studies.impact.generated.c.drawing.stages.records import machine_stage, union_stage
from studies.impact.generated.c.making import UNSIGNED, call
from studies.impact.generated.c.nodes import Expression, Function, Name, Parameter, Statement

Manner = Function_[[Plan], tuple[Statement, ...]]

MANNERS: tuple[tuple[Manner, float], ...] = (
    (plain_stage, 3),
    (matrix_stage, 1),
    (rows_stage, 1.5),
    (recursive_stage, 1.5),
    (cached_stage, 1),
    (bytes_stage, 2),
    (text_stage, 1),
    (sorting_stage, 1),
    (table_stage, 1.5),
    (switch_stage, 1),
    (callback_stage, 1.5),
    (operations_stage, 1.5),
    (list_stage, 1.5),
    (tree_stage, 1),
    (hash_stage, 1),
    (union_stage, 1.5),
    (machine_stage, 1),
)


@dataclass(frozen=True)
class Private:
    """A setting that main alone knows, and hands on: how main reads it."""

    read: Expression
    highest: int


@dataclass(frozen=True)
class Stage:
    """A function of the program's work."""

    name: str
    handed: tuple[Private, ...]
    is_static: bool  # it is in main.c, and no other file knows it

    def called(self, draft: Draft, argument: Expression) -> Expression:
        """The call in main, or in a function that has the same."""
        words = (argument, *(each.read for each in self.handed))
        return call(self.name, *draft.config_arguments, *words)


def add_stage(
    draft: Draft, featured: tuple[Sized, ...], handed: tuple[Private, ...], file: str, budget: int
) -> Stage:
    """A stage that reads the featured settings, and gets those of main as arguments."""
    rng = draft.rng
    name = draft.names.function()
    extra = tuple((draft.names.value(), each) for each in handed)
    scope = draft.scope((*featured, *(Sized(Name(word), each.highest) for word, each in extra)))
    callbacks = [*draft.callbacks, *draft.callbacks_behind]
    if callbacks and rng.random() < 0.5:
        scope = scope.with_call(rng.choice(callbacks))
    scope = replace(scope, values=(Name("x"),))
    manner = rng.choices([each for each, _ in MANNERS], [weight for _, weight in MANNERS])[0]
    body = manner(Plan(draft, draft.files[file], scope, budget))
    parameters = (
        *draft.config_parameters,
        Parameter(UNSIGNED, "x"),
        *(Parameter(UNSIGNED, word) for word, _ in extra),
    )
    is_static = file == "main.c"
    draft.files[file].append(Function(UNSIGNED, name, parameters, body, is_static))
    return Stage(name, handed, is_static)
