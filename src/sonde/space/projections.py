"""The valid combinations of some of the options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sonde.core.options import Configuration, Literal, Option, OptionName
from sonde.space.space import Space


def combinations(
    space: Space, names: Iterable[OptionName], near: Configuration | None = None
) -> Iterator[Configuration]:
    """A configuration for each valid combination of the values of these options.

    All other options are as `near` to this configuration, which may break constraints, as these allow; None
    is the default. The combination of the defaults comes first. Without any names it is the only one.
    """
    varied = set(names)
    options = [option for option in space.options if option.name in varied]
    return _complete(space, options, [], near)


def _complete(
    space: Space, options: Sequence[Option], chosen: list[Literal], near: Configuration | None
) -> Iterator[Configuration]:
    if chosen and not space.solver.is_possible(chosen):
        return
    if not options:
        yield space.solver.nearest(near or space.default, chosen, space.default if near else None)
        return
    first, rest = options[0], options[1:]
    usual = space.default[first.name]
    for value in (usual, *(each for each in first.values if each != usual)):
        yield from _complete(space, rest, [*chosen, Literal(first.name, value)], near)
