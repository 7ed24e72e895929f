"""Random statements that work on local numbers and arrays, within a budget of instructions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from studies.impact.generated.c.drawing import values
from studies.impact.generated.c.drawing.names import Names
from studies.impact.generated.c.drawing.scopes import Scope, Sized
from studies.impact.generated.c.making import (
    assign,
    binary,
    call,
    count,
    declare,
    do,
    element,
    fixed,
    free,
    masked,
)
from studies.impact.generated.c.nodes import (
    Case,
    Cast,
    Expression,
    If,
    Name,
    Plain,
    Pointer,
    SizeOf,
    Statement,
    Switch,
)

_STEP = 8  # instructions of a statement, roughly
_VOID_POINTER = Pointer(Plain("void"))


@dataclass(frozen=True)
class Bodies:
    """Draws statements."""

    rng: random.Random
    names: Names

    def block(self, scope: Scope, budget: int, statements: int, depth: int = 2) -> tuple[Statement, ...]:
        """Some statements that together take at most the budget, roughly."""
        found: list[Statement] = []
        for _ in range(statements):
            found += self._some(scope, budget // statements, depth)
        return tuple(found)

    def _some(self, scope: Scope, budget: int, depth: int) -> Iterator[Statement]:
        rng = self.rng
        callable_ = [each for each in scope.calls if each.cost <= budget]
        if depth and budget > 20 * _STEP and rng.random() < 0.5:
            yield self.loop(scope, budget, depth - 1)
        elif depth and rng.random() < 0.3:
            yield self._decision(scope, budget, depth - 1)
        elif callable_ and rng.random() < 0.55:
            yield assign(
                rng.choice(scope.targets), values.called(rng, scope, rng.choice(callable_)), self._operator()
            )
        elif scope.buffers and rng.random() < 0.5:
            yield self._with_buffer(scope, budget)
        else:
            yield self.step(scope)

    def step(self, scope: Scope) -> Statement:
        """A number gets another value."""
        rng, target = self.rng, self.rng.choice(scope.targets)
        kind = rng.randrange(4)
        if kind == 0:
            mixed = binary(
                binary(Name(target), "*", free(rng.choice((31, 33, 17, 5)))), "+", values.value(rng, scope, 1)
            )
            return assign(target, mixed)
        if kind == 1:
            return assign(target, binary(Name(target), ">>", fixed(rng.randint(1, 9))), "^=")
        return assign(target, values.value(rng, scope), self._operator())

    def _operator(self) -> str:
        return self.rng.choices(("+=", "^=", "-=", "*=", "="), (8, 4, 4, 3, 1))[0]

    def loop(self, scope: Scope, budget: int, depth: int = 1, inside: int = 2) -> Statement:
        """A loop whose turns share the budget."""
        rng = self.rng
        most = max(2, min(budget // (4 * _STEP), rng.choice((16, 40, 100, 300, 1000))))
        end, turns = values.bound(rng, scope, most)
        variable = self.names.fresh("i")
        inner = scope.with_value(Name(variable))
        body = self.block(inner, budget // max(turns, 1) - _STEP, rng.randint(1, inside), depth)
        return count(variable, end, *body)

    def _decision(self, scope: Scope, budget: int, depth: int) -> Statement:
        rng = self.rng
        modes = [each for each in scope.sizes if each.is_setting and 1 < each.highest < 6]
        if modes and rng.random() < 0.4:
            return self._switch(scope, rng.choice(modes), budget, depth)
        yes = self.block(scope, budget, rng.randint(1, 2), depth)
        no = self.block(scope, budget, 1, depth) if rng.random() < 0.4 else ()
        return If(values.condition(rng, scope), yes, no)

    def _switch(self, scope: Scope, size: Sized, budget: int, depth: int) -> Statement:
        labels = self.rng.sample(range(size.highest + 1), min(size.highest + 1, self.rng.randint(2, 3)))
        cases = [Case((fixed(label),), self.block(scope, budget, 1, depth)) for label in labels]
        return Switch(size.read, (*cases, Case((), (self.step(scope),))))

    def _with_buffer(self, scope: Scope, budget: int) -> Statement:
        rng, buffer = self.rng, self.rng.choice(scope.buffers)
        index = rng.choice(scope.values)
        if rng.random() < 0.25 and budget > buffer.size // 8 + 30:
            return self._library(scope, buffer.name, buffer.size, buffer.is_bytes)
        if rng.random() < 0.5:
            stored = values.value(rng, scope, 1)
            cast: Expression = Cast(Plain("unsigned char"), stored) if buffer.is_bytes else stored
            return assign(element(buffer.name, masked(index, buffer.size)), cast)
        return assign(rng.choice(scope.targets), values.entry(rng, buffer, index), self._operator())

    def _library(self, scope: Scope, name: str, size: int, is_bytes: bool) -> Statement:
        """Memory is set or copied: some of it, or all."""
        rng = self.rng
        elements: Expression = fixed(size)
        if rng.random() < 0.5:
            elements, _ = values.bound(rng, scope, size)
            elements = binary(elements, "%", fixed(size + 1))
        length = elements if is_bytes else binary(elements, "*", SizeOf(Plain("unsigned")))
        others = [
            each
            for each in scope.buffers
            if each.name != name and each.size >= size and each.is_bytes == is_bytes
        ]
        if others and rng.random() < 0.5:
            return do(rng.choice(("memcpy", "memmove")), Name(name), Name(rng.choice(others).name), length)
        if is_bytes and others and rng.random() < 0.5:
            compared = call("memcmp", Name(name), Name(rng.choice(others).name), length)
            return assign(rng.choice(scope.targets), binary(compared, "==", fixed(0)), "+=")
        filled = Cast(Plain("int"), binary(rng.choice(scope.values), "&", free(255, 0, 255)))
        return do("memset", Name(name), filled, length)

    def local(self, initial: Expression, word: str = "") -> tuple[Statement, str]:
        """A local number, and its name."""
        name = self.names.fresh(word) if word else self.names.value()
        return declare(name, initial), name
