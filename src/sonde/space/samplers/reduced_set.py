"""All valid combinations of some options, the rest as usual.

ConfFLARE, section 3.4: once the options that can matter are known, their combinations are all that is
measured. The paper says "cover all possible combinations of the features" and leaves the others open; here
they keep their defaults.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from sonde.core.errors import UnknownOption
from sonde.core.options import Configuration, Literal, Option, OptionName
from sonde.space.facts import Suggestions
from sonde.space.space import Space


def reduced_set(
    space: Space,
    options: Collection[OptionName],
    sampled: Collection[Configuration] = (),
    at_most: int | None = None,
) -> tuple[Configuration, ...]:
    """One configuration for each valid combination of values of `options`, in the order of the space.

    Where a constraint forbids the defaults of the rest beside a combination, the nearest valid configuration
    with that combination stands for it: no valid combination is dropped. `at_most` takes only the first ones.
    """
    known = frozenset(sampled)
    new = (each for each in _combinations(space, options) if each not in known)
    return tuple(islice(new, at_most))


def _combinations(space: Space, options: Collection[OptionName]) -> Iterator[Configuration]:
    for name in options:
        if name not in space.option:
            raise UnknownOption(Suggestions(space.options).for_unknown(name))
    chosen = [option for option in space.options if option.name in options]
    if not space.solver.is_possible(()):
        return
    for literals in _valid_literals(space, chosen, ()):
        wanted = Configuration.of(
            {**space.every_default.chosen, **{literal.option: literal.value for literal in literals}}
        )
        yield wanted if space.is_valid(wanted) else space.solver.nearest(wanted, literals)


def _valid_literals(
    space: Space, options: Sequence[Option], fixed: tuple[Literal, ...]
) -> Iterator[tuple[Literal, ...]]:
    if len(fixed) == len(options):
        yield fixed
        return
    option = options[len(fixed)]
    for value in (option.default, *(value for value in option.values if value != option.default)):
        longer = (*fixed, Literal(option.name, value))
        if space.solver.is_possible(longer):
            yield from _valid_literals(space, options, longer)
