"""Small random spaces with constraints, and what the plain loop says of them."""

from itertools import combinations, product

from hypothesis import strategies as st

from sonde.core.options import Configuration, Literal, Option
from sonde.space.space import Space
from tests.space.strategies import expressions

SWITCH = (False, True)

# 320 of its configurations are valid; to force, the level must leave its default.
CONSTRAINED = Space.of(
    (
        Option("fast", SWITCH, True),
        *(Option(name, SWITCH, False) for name in ("strong", "tiny", "verify", "force")),
        Option("level", (1, 5, 9), 5),
        *(Option(name, SWITCH, False) for name in ("threads", "quiet", "keep", "sparse")),
    ),
    ("exactly one of fast, strong, tiny", "fast excludes verify", "force requires level = 9"),
)


@st.composite
def an_option(draw, name):
    values = draw(
        st.one_of(
            st.just(SWITCH),
            st.just(SWITCH),
            st.lists(st.integers(-9, 9), min_size=1, max_size=4, unique=True).map(tuple),
            st.lists(st.sampled_from(["gz", "xz", "lz"]), min_size=1, max_size=3, unique=True).map(tuple),
        )
    )
    return Option(name, values, draw(st.sampled_from(values)))


@st.composite
def small_spaces(draw, at_most=5):
    """Spaces that can be enumerated; some have no valid configuration, some no constraints."""
    names = "abcdefgh"[: draw(st.integers(1, at_most))]
    options = tuple(draw(an_option(name)) for name in names)
    constraints = draw(st.lists(expressions(options), max_size=4))
    return Space(options, tuple(constraints))


@st.composite
def spaces_with_samples(draw, at_most=5):
    """A space and some of its valid configurations."""
    space = draw(small_spaces(at_most))
    valid = valid_of(space)
    return space, draw(st.lists(st.sampled_from(valid), max_size=6) if valid else st.just([]))


def some_terms(space):
    """Terms over a space: literals of different options."""
    literals = st.fixed_dictionaries(
        {}, optional={option.name: st.sampled_from(option.values) for option in space.options}
    )
    return literals.map(lambda chosen: frozenset(_literals(chosen)))


def tuples_of(configurations, strength):
    """Every combination of `strength` literals that some of these configurations have."""
    return {
        frozenset(chosen)
        for configuration in configurations
        for chosen in combinations(configuration.values, min(strength, len(configuration.values)))
    }


def _literals(chosen):
    return [Literal(option, value) for option, value in chosen.items()]


def valid_of(space):
    """All valid configurations, by the plain loop over all values."""
    names = [option.name for option in space.options]
    every = product(*(option.values for option in space.options))
    configurations = (Configuration.of(dict(zip(names, values, strict=True))) for values in every)
    return [each for each in configurations if space.is_valid(each)]
