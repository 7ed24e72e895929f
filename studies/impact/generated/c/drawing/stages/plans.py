"""What a stage is drawn with."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from studies.impact.generated.c.drawing.bodies import Bodies
from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.names import Names
from studies.impact.generated.c.drawing.scopes import Scope
from studies.impact.generated.c.drawing.values import bound
from studies.impact.generated.c.making import declare, give
from studies.impact.generated.c.nodes import Expression, Item, Name, Statement


@dataclass(frozen=True)
class Plan:
    """A stage to be: the file it goes to, what it can use, and how much it may do."""

    draft: Draft
    items: list[Item]
    scope: Scope
    budget: int

    @property
    def rng(self) -> random.Random:
        return self.draft.rng

    @property
    def names(self) -> Names:
        return self.draft.names

    @property
    def bodies(self) -> Bodies:
        return self.draft.bodies

    def bound(self, most: int) -> tuple[Expression, int]:
        """How often a loop turns, steered by a featured setting if that fits."""
        return bound(self.rng, self.scope, most)

    def begin(self, word: str = "") -> tuple[Statement, str, Scope]:
        """A local sum, its name, and the scope in which it can be used."""
        name = self.names.fresh(word) if word else self.names.value()
        scope = Scope(
            (*self.scope.values, Name(name)), (name,), self.scope.sizes, self.scope.buffers, self.scope.calls
        )
        return declare(name, Name("x")), name, scope

    def mixed(self, scope: Scope, budget: int = 60) -> Sequence[Statement]:
        """A few statements."""
        return self.bodies.block(scope, budget, self.rng.randint(1, 2), 1)


def finish(name: str) -> Statement:
    """The sum is the result."""
    return give(Name(name))
