"""A program that is being drawn: its files so far, the settings that code reads, what it can call."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import Enum

from studies.impact.generated.c.drawing.bodies import Bodies
from studies.impact.generated.c.drawing.names import Names
from studies.impact.generated.c.drawing.scopes import Callable, Scope, Sized
from studies.impact.generated.c.making import arrow, dot, pointer
from studies.impact.generated.c.nodes import (
    Designated,
    Expression,
    Field,
    Item,
    Name,
    Parameter,
    Plain,
    Type,
)

CONFIG = Plain("struct config")
HANDLE = "config"  # the parameter by which functions get the settings


class Style(Enum):
    """How a program keeps its settings."""

    GLOBALS = "variables of their own"
    STRUCTURE = "a global structure"
    POINTER = "a structure behind a pointer that is handed on"


@dataclass
class Draft:
    """What is there so far."""

    rng: random.Random
    style: Style
    names: Names
    files: dict[str, list[Item]]  # sources by name; main.c is the last
    types: list[Item] = field(default_factory=list)  # structures and enumerations of the header
    inlines: list[Item] = field(default_factory=list)  # macros and functions of the header
    fields: list[Field] = field(default_factory=list)  # of `struct config`
    defaults: list[Designated] = field(default_factory=list)
    shared: list[Sized] = field(default_factory=list)  # settings that any function can read
    behind: list[Sized] = field(default_factory=list)  # those that need the pointer
    steps: list[Callable] = field(default_factory=list)  # small functions that any file can call
    callbacks: list[Callable] = field(default_factory=list)  # pointers to functions among the shared settings
    callbacks_behind: list[Callable] = field(default_factory=list)

    @property
    def bodies(self) -> Bodies:
        """Draws statements."""
        return Bodies(self.rng, self.names)

    @property
    def header(self) -> str:
        """What every source includes."""
        return '"app.h"'

    def source(self) -> list[Item]:
        """The items of some file that is not main.c."""
        return self.files[self.rng.choice([name for name in self.files if name != "main.c"])]

    def keep(self, name: str, type: Type, default: Expression | None) -> Expression:
        """A place for a setting in the structure, and how it is read."""
        self.fields.append(Field(type, name))
        if default is not None:
            self.defaults.append(Designated(name, default))
        return dot("settings", name) if self.style is Style.STRUCTURE else arrow(HANDLE, name)

    def add_setting(self, setting: Sized, is_behind: bool) -> None:
        """Let functions read it."""
        (self.behind if is_behind else self.shared).append(setting)

    @property
    def config_parameters(self) -> tuple[Parameter, ...]:
        """What every function with settings gets first."""
        return (Parameter(pointer(CONFIG), HANDLE),) if self.style is Style.POINTER else ()

    @property
    def config_arguments(self) -> tuple[Expression, ...]:
        """The same where it is called by one that has it."""
        return (Name(HANDLE),) if self.style is Style.POINTER else ()

    def scope(self, featured: tuple[Sized, ...] = ()) -> Scope:
        """What a function with settings can use: those featured, and with luck one or two more."""
        others = [each for each in (*self.shared, *self.behind) if each not in featured]
        few = self.rng.sample(others, min(len(others), self.rng.choice((0, 0, 0, 1))))
        calls = self.rng.sample(self.steps, min(len(self.steps), self.rng.randint(1, 3)))
        return Scope(sizes=(*featured, *few), calls=tuple(calls))

    def pure_scope(self) -> Scope:
        """What a small function without settings can use."""
        return Scope(calls=tuple(self.rng.sample(self.steps, min(len(self.steps), 2))))
