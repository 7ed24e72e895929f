"""Random small spaces of all kinds of options, their valid configurations, and large spaces by seed."""

from itertools import product
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from sonde.core.options import Configuration, Literal, Option
from sonde.space.expressions import (
    Comparator,
    Connective,
    Counted,
    Expression,
    Fact,
    Joined,
    Not,
    Quantity,
    holds,
)
from sonde.space.space import Space
from tests.space.strategies import expressions, some_options

SWITCH = (False, True)


def every_assignment(space):
    """The plain loop over all values, in the order of the options."""
    for values in product(*(option.values for option in space.options)):
        yield Configuration.of({o.name: v for o, v in zip(space.options, values, strict=True)})


def valid_ones(space):
    """All valid configurations, by brute force."""
    return [c for c in every_assignment(space) if all(holds(e, c.chosen) for e in space.constraints)]


@st.composite
def some_spaces(draw):
    """Up to four options of any kind and up to four constraints, which may contradict each other."""
    options = draw(some_options())
    return Space(options, tuple(draw(st.lists(expressions(options), max_size=4))))


@st.composite
def valid_spaces(draw):
    """The same, with at least one valid configuration."""
    space = draw(some_spaces())
    assume(valid_ones(space))
    return space


@st.composite
def partial_values(draw, space):
    """Literals of some options, at most one each."""
    options = draw(st.lists(st.sampled_from(space.options), unique_by=lambda option: option.name))
    return tuple(Literal(option.name, draw(st.sampled_from(option.values))) for option in options)


def has(configuration, literals):
    return all(configuration[literal.option] == literal.value for literal in literals)


def distance(one, other, among=None):
    """How many options differ."""
    return sum(v != other[name] for name, v in one.values if among is None or name in among)


def feature_tree(size: int, rng: Random) -> Space:
    """A tree of switches, each of which requires its parent, with groups and a few rules across."""
    options = tuple(Option(f"o{at}", SWITCH, False) for at in range(size))
    on = [Fact(option.name, Comparator.EQUAL, True) for option in options]
    parents = {at: rng.randrange(max(0, at - 12), at) for at in range(1, size)}
    constraints: list[Expression] = [
        Joined(Connective.REQUIRES, on[at], on[parent]) for at, parent in parents.items()
    ]
    for parent in range(size):
        children = tuple(on[at] for at in parents if parents[at] == parent)
        if len(children) > 1 and rng.random() < 0.5:
            quantity = rng.choice([Quantity.EXACTLY_ONE, Quantity.AT_LEAST_ONE, Quantity.AT_MOST_ONE])
            constraints.append(Joined(Connective.IMPLIES, on[parent], Counted(quantity, children)))
    for _ in range(size // 20):
        at = rng.randrange(size - 10)
        one, other = rng.sample(range(at, at + 10), 2)
        constraints.append(Joined(Connective.IMPLIES, on[one], Not(on[other])))
    return Space(options, tuple(constraints))
