"""What a stage is drawn from: its module, the features that steer it, how much it shall do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from studies.impact.generated.python.drawing.draft import Draft
from studies.impact.generated.python.drawing.features import Feature, about, number


@dataclass(frozen=True)
class Scene:
    """A stage is a function of its carriers and a number `seed`; `turns`: how often it shall call a step."""

    draft: Draft
    module: str
    features: tuple[Feature, ...]
    turns: int

    @property
    def rng(self) -> random.Random:
        """Where all that is random comes from."""
        return self.draft.rng

    @property
    def carriers(self) -> tuple[str, ...]:
        """What is handed over, so that the features can be read."""
        return tuple(dict.fromkeys(each.carrier for each in self.features if each.carrier))

    @property
    def parameters(self) -> str:
        """Of a function that reads the features."""
        return ", ".join((*self.carriers, "seed"))

    def name(self, *words: str) -> str:
        """A name that is free."""
        return self.draft.fresh(*words)

    def step(self) -> str:
        """A small function of two numbers."""
        return self.draft.step(self.module)

    def digit(self, low: int, high: int) -> int:
        """Some number."""
        return self.rng.randint(low, high)

    def when(self, value: str = "seed") -> str:
        """A condition: of a feature, or seldom of a number that is known in the run alone."""
        if self.features and self.rng.random() < 0.85:
            return about(self.rng, self.rng.choice(self.features))
        return self.on(value)

    def on(self, value: str) -> str:
        """A condition on a number."""
        mask = self.rng.choice((3, 7, 15))
        return self.rng.choice(
            (
                f"{value} & {mask} > {self.digit(1, mask - 1)}",
                f"{value} % {self.digit(2, 5)} == {self.digit(0, 1)}",
            )
        )

    def amount(self, low: int, high: int) -> str:
        """A number: of a feature, or fixed."""
        if self.features and self.rng.random() < 0.6:
            return number(self.rng, self.rng.choice(self.features), low, high)
        return str(self.digit(low, high))

    def bound(self, name: str = "n", part: float = 1) -> str:
        """Lines of a function that set how often something is done; some of them by a feature."""
        turns = max(8, int(self.turns * part))
        few, many = turns // 2, turns
        test = self.when()
        choices: list[Callable[[], list[str]]] = [
            lambda: [f"{name} = {turns}"],
            lambda: [f"{name} = {few}", f"if {test}:", f"    {name} += {self.digit(few // 4, few)}"],
            lambda: [f"{name} = {many} if {test} else {few}"],
            lambda: [f"{name} = {self.amount(few, many)}"],
            lambda: [f"{name} = {many}", f"if {test}:", f"    {name} //= 2"],
            lambda: [f"{name} = {self._limit(few, many)}"],
        ]
        weights = (2, 2, 2, 3, 1, 2)
        (chosen,) = self.rng.choices(choices, weights)
        return "\n".join(f"    {line}" for line in chosen())

    def _limit(self, few: int, many: int) -> str:
        """A call of a function that knows how often."""
        name = self.name("limit", "size_of", "turns_of", "how_often")
        self.draft.add(
            self.module,
            f"""
def {name}(wanted, most={many}):
    found = {few} + wanted
    if found > most:
        found = most
    return found
""",
        )
        return f"{name}({self.amount(few // 8, few)})"


Stage = Callable[[Scene], str]  # adds its code to the module, and gives the name of its function
