"""Where the values of options are kept, and how code reads them there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from studies.impact.generated.knobs import Kind, Knob
from studies.impact.generated.python.drawing.draft import Draft
from studies.impact.generated.python.drawing.features import Feature, Import


class Style(Enum):
    """Where a value is kept."""

    ARGUMENTS = "an attribute of what the parser gives"
    MODULE = "a variable of a module"
    CONFIG = "an attribute of an object that is handed on"
    SHARED = "an attribute of an object that modules import"
    TABLE = "an entry of a dictionary"
    LOCAL = "a variable of main that is handed on"


@dataclass(frozen=True)
class Home:
    """An option and its place."""

    knob: Knob
    style: Style
    variable: str  # as the project file names it; empty: it has no name there
    feature: Feature

    @property
    def target(self) -> str:
        """What is assigned to in main."""
        return self.feature.read

    @property
    def initial(self) -> str:
        """What it holds without any words."""
        return initial(self.knob)


def initial(knob: Knob) -> str:
    """The default of an option as Python writes it."""
    if knob.kind is Kind.SWITCH:
        return "False"
    return repr(knob.words[0]) if knob.kind is Kind.MODE else str(knob.default)


def draw_homes(draft: Draft, knobs: Sequence[Knob]) -> tuple[Home, ...]:
    """One or two styles for all options of a program."""
    rng = draft.rng
    styles = rng.sample(list(Style), rng.choice((1, 1, 2)))
    homes = tuple(_home(draft, rng, knob, rng.choice(styles)) for knob in knobs)
    _add_shared(draft, homes)
    return homes


def _home(draft: Draft, rng: random.Random, knob: Knob, style: Style) -> Home:
    name = knob.name
    read, variable, carrier, needs = {
        Style.ARGUMENTS: (f"args.{name}", f"args.{name}", "args", None),
        Style.MODULE: (
            f"settings.{name.upper()}",
            f"{draft.file_of('settings')}:{name.upper()}",
            "",
            Import("settings", ""),
        ),
        Style.CONFIG: (f"config.{name}", f"config.{name}", "config", None),
        Style.SHARED: (f"SHARED.{name}", f"Shared.{name}", "", Import("settings", "SHARED")),
        Style.TABLE: (f"options[{name!r}]", "", "options", None),
        Style.LOCAL: (name, f"main:{name}", name, None),
    }[style]
    feature = Feature(read, knob.kind, knob.words, knob.highest, carrier, needs)
    return Home(knob, style, variable, feature)


def _add_shared(draft: Draft, homes: Sequence[Home]) -> None:
    """The modules that hold values, and the classes of objects that do."""
    by_style = {style: [each for each in homes if each.style is style] for style in Style}
    for home in by_style[Style.MODULE]:
        draft.add("settings", f"{home.knob.name.upper()} = {home.initial}")
    if shared := by_style[Style.SHARED]:
        lines = "\n".join(f"        self.{each.knob.name} = {each.initial}" for each in shared)
        draft.add("settings", f"class Shared:\n    def __init__(self):\n{lines}\n\nSHARED = Shared()")
    if kept := by_style[Style.CONFIG]:
        _add_config(draft, kept)


def _add_config(draft: Draft, kept: Sequence[Home]) -> None:
    shape = draft.rng.choice(("plain", "plain", "class", "dataclass"))
    if shape == "dataclass":
        draft.library("__main__", "from dataclasses import dataclass")
        kinds = {Kind.SWITCH: "bool", Kind.MODE: "str", Kind.LEVEL: "int"}
        lines = "\n".join(f"    {each.knob.name}: {kinds[each.knob.kind]} = {each.initial}" for each in kept)
        draft.add("__main__", f"@dataclass\nclass Config:\n{lines}")
    elif shape == "class":
        lines = "\n".join(f"    {each.knob.name} = {each.initial}" for each in kept)
        draft.add("__main__", f"class Config:\n{lines}")
    else:
        lines = "\n".join(f"        self.{each.knob.name} = {each.initial}" for each in kept)
        draft.add("__main__", f"class Config:\n    def __init__(self):\n{lines}")


def beginnings(homes: Sequence[Home]) -> list[str]:
    """Statements of main that make what holds the values, with their defaults."""
    found = []
    if any(each.style is Style.CONFIG for each in homes):
        found.append("config = Config()")
    if table := [each for each in homes if each.style is Style.TABLE]:
        rows = ", ".join(f"{each.knob.name!r}: {each.initial}" for each in table)
        found.append(f"options = {{{rows}}}")
    found += [f"{each.knob.name} = {each.initial}" for each in homes if each.style is Style.LOCAL]
    return found
