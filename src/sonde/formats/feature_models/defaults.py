"""Defaults that go together: feature models do not say what is chosen unless one says otherwise."""

from __future__ import annotations

from dataclasses import replace

from sonde.space.space import Space


def with_valid_default(space: Space) -> Space:
    """The same space with defaults that are valid: off, and the smallest numbers, where a solver finds that.

    A space without any valid configuration stays as it is.
    """
    default = space.solver.complete()
    if default is None:
        return space
    options = tuple(replace(option, default=default[option.name]) for option in space.options)
    return Space(options, space.constraints)
