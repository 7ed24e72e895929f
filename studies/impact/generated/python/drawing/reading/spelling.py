"""How users write an option."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.options import Option, Value
from studies.impact.generated.knobs import Kind, Knob
from studies.impact.generated.python.drawing.homes import Home


@dataclass(frozen=True)
class Spelled:
    """A home, and what users write."""

    home: Home
    flag: str  # `--level`, `-L`
    joint: str = "="  # between the flag and a value
    variable: str = ""  # of the environment, in the place of a flag

    @property
    def words(self) -> str:
        """As the project file has them."""
        if self.variable:
            return ""
        return self.flag if self.home.knob.kind is Kind.SWITCH else f"{self.flag}{self.joint}{{value}}"


def option_of(spelled: Spelled, is_told: bool) -> Option:
    """The option as Sonde has it; `is_told`: the project file says where it is kept."""
    knob = spelled.home.knob
    variables = (spelled.home.variable,) if is_told and spelled.home.variable else ()
    values = _values(knob)
    default = knob.default if knob.kind is Kind.LEVEL else values[0]
    return Option(
        knob.name, values, default, spelled.words, environment=spelled.variable, variables=variables
    )


def _values(knob: Knob) -> tuple[Value, ...]:
    if knob.kind is Kind.SWITCH:
        return (False, True)
    return knob.words or knob.levels
