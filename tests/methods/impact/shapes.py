"""Made routines whose shapes are several words: `shape "icmp ne i32"`."""

from dataclasses import replace
from typing import Any

from sonde.core.code import Routine
from tests.methods.impact.made_programs import made_routine


def shaped_routine(name: str, parameters: str = "", text: str = "", **more: Any) -> Routine:
    """As `made_routine`, without the quotes around shapes."""
    made = made_routine(name, parameters, text, **more)
    return replace(
        made, instructions=tuple(each._replace(shape=each.shape.strip('"')) for each in made.instructions)
    )
