"""The terms of one literal each that influences are told of."""

from __future__ import annotations

from sonde.core.options import Literal
from sonde.space.space import Space


def influencing_literals(space: Space) -> tuple[Literal, ...]:
    """`X` for what is on or off, and for other options `X=v` for each v but the default.

    What the default contributes is part of the core, and so is `!X`: with them, some columns would be the sum
    of others, and no influence could be told from the rest.
    """
    return tuple(
        Literal(option.name, value)
        for option in space.options
        for value in option.values
        if value != (False if option.is_switch else option.default)
    )
