"""Random options, expressions and configurations."""

from hypothesis import strategies as st

from sonde.core.options import Configuration, Option, Phase
from sonde.space.expressions import Comparator, Connective, Counted, Fact, Joined, Not, Quantity

NAMES = ("a", "checksum", "io.engine", "no-cache", "x_1", "level", "at")

SOME_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)


@st.composite
def some_options(draw, at_least=1):
    names = draw(st.lists(st.sampled_from(NAMES), min_size=at_least, max_size=4, unique=True))
    return tuple(draw(an_option(name)) for name in names)


@st.composite
def an_option(draw, name):
    values = draw(
        st.one_of(
            st.just((False, True)),
            st.lists(st.integers(-9, 9) | st.floats(-9, 9), min_size=1, max_size=3, unique=True).map(tuple),
            st.lists(SOME_TEXT, min_size=1, max_size=3, unique=True).map(tuple),
        )
    )
    return Option(name, values, draw(st.sampled_from(values)), phase=draw(st.sampled_from(list(Phase))))


def facts(options):
    return st.sampled_from(options).flatmap(_facts_of)


def _facts_of(option):
    if option.is_switch:
        return st.just(Fact(option.name, Comparator.EQUAL, True))
    equalities = st.builds(
        Fact,
        st.just(option.name),
        st.sampled_from([Comparator.EQUAL, Comparator.UNEQUAL]),
        st.sampled_from(option.values),
    )
    if not option.is_numeric:
        return equalities
    numbers = st.integers(-9, 9) | st.floats(-9, 9)
    return equalities | st.builds(Fact, st.just(option.name), st.sampled_from(list(Comparator)[2:]), numbers)


def expressions(options):
    return st.recursive(
        facts(options),
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(Joined, st.sampled_from(list(Connective)), inner, inner),
            st.builds(
                Counted,
                st.sampled_from(list(Quantity)),
                st.lists(inner, min_size=1, max_size=3).map(tuple),
            ),
        ),
        max_leaves=6,
    )


def configurations(options):
    return st.fixed_dictionaries({o.name: st.sampled_from(o.values) for o in options}).map(Configuration.of)
