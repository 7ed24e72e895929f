"""A program while it is drawn: its modules, their imports, the names that are taken."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from studies.impact.generated.python.drawing.features import Import


@dataclass(frozen=True)
class Step:
    """A small function of two numbers, whose result is one of 16 bits."""

    name: str
    module: str


@dataclass
class Draft:
    """What grows; modules later in the order may import from earlier ones."""

    rng: random.Random
    package: str  # empty: the files lie side by side
    modules: list[str]
    is_relative: bool  # how modules of a package are imported
    texts: dict[str, list[str]] = field(default_factory=dict)
    imports: dict[str, list[str]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def fresh(self, *words: str) -> str:
        """A name that nobody has yet."""
        word = self.rng.choice(words)
        name, number = word, 2
        while name in self.taken:
            name, number = f"{word}_{number}", number + 1
        self.taken.add(name)
        return name

    def add(self, module: str, text: str) -> None:
        """Code at the end of a module."""
        self.texts.setdefault(module, []).append(text)

    def library(self, module: str, text: str) -> None:
        """An import from the standard library."""
        known = self.imports.setdefault(module, [])
        if text not in known:
            known.append(text)

    def use(self, module: str, wanted: Import | None) -> None:
        """An import of the program's own, unless it is at home there."""
        if wanted is None or wanted.module == module:
            return
        dot = "." if self.is_relative else f"{self.package}."
        if not self.package:
            text = f"from {wanted.module} import {wanted.name}" if wanted.name else f"import {wanted.module}"
        elif wanted.name:
            text = f"from {dot}{wanted.module} import {wanted.name}"
        else:
            text = f"from {'.' if self.is_relative else self.package} import {wanted.module}"
        self.library(module, text)

    def step(self, module: str) -> str:
        """The name of a small function that a module can call; its import is there."""
        order = [*self.modules, "__main__"]
        usable = [each for each in self.steps if order.index(each.module) <= order.index(module)]
        chosen = self.rng.choice(usable)
        self.use(module, Import(chosen.module, chosen.name))
        return chosen.name

    def file_of(self, module: str) -> str:
        """The path of a module."""
        if module == "__main__":
            return f"{self.package}/__main__.py" if self.package else "app.py"
        return f"{self.package}/{module}.py" if self.package else f"{module}.py"
