"""What the constraints of a space leave to choose."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.options import Literal
from sonde.space.expressions import Expression, options_of
from sonde.space.space import Space


@dataclass(frozen=True)
class Leeway:
    """Options without a choice, values that are never valid, and constraints that leave nothing at all."""

    conflict: tuple[Expression, ...] = ()  # cannot all hold, so that nothing is valid; any fewer of them can
    always: tuple[Literal, ...] = ()  # options with several values of which one only is possible
    never: tuple[Literal, ...] = ()  # values of the other options that no valid configuration has

    @property
    def always_on(self) -> tuple[str, ...]:
        """On/off options that are on in every valid configuration."""
        return tuple(literal.option for literal in self.always if literal.value is True)

    @property
    def dead(self) -> tuple[str, ...]:
        """On/off options that are on in no valid configuration."""
        return tuple(literal.option for literal in self.always if literal.value is False)

    @property
    def settled(self) -> tuple[Literal, ...]:
        """Options with other values than on and off that have the same in every valid configuration."""
        return tuple(literal for literal in self.always if not isinstance(literal.value, bool))


ALL_LEEWAY = Leeway()  # every value of every option can be chosen


def leeway_of(space: Space) -> Leeway:
    """What can still be chosen; where nothing is valid, the conflict alone."""
    conflict = space.conflict()
    if conflict:
        return Leeway(conflict=conflict)
    # What no constraint mentions has all its values, and there may be thousands of such options.
    mentioned = {name for constraint in space.constraints for name in options_of(constraint)}
    options = tuple(option for option in space.options if option.name in mentioned)
    dead = Space(options, space.constraints).solver.dead_values()
    possible = {option.name: list(option.values) for option in options}
    for literal in dead:
        possible[literal.option].remove(literal.value)
    fixed = {option.name for option in options if len(possible[option.name]) == 1 < len(option.values)}
    return Leeway(
        always=tuple(Literal(name, values[0]) for name, values in possible.items() if name in fixed),
        never=tuple(literal for literal in dead if literal.option not in fixed),
    )
