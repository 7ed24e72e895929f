"""The space: which configurations are valid, and how they are written."""

from contextlib import suppress
from itertools import islice, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sonde.core.errors import InvalidConfiguration, UnknownOption
from sonde.core.options import Configuration, Option
from sonde.space.expressions import holds
from sonde.space.space import Space
from tests.space.models import distance, valid_ones, valid_spaces
from tests.space.strategies import configurations, some_options

SWITCH = (False, True)
SPACE = Space.of(
    (
        Option("level", (1, 5, 9), 5),
        Option("checksum", SWITCH, False),
        Option("filter", SWITCH, True),
        Option("algorithm", ("lz", "rle", "lz,4"), "lz"),
    ),
    ("filter implies not algorithm = rle", "checksum excludes level = 9"),
)


def in_order(space):
    """The plain loop over all values, in the order of the options, those of the default first."""
    first = space.default.chosen
    orders = [(first[o.name], *(v for v in o.values if v != first[o.name])) for o in space.options]
    for values in product(*orders):
        yield Configuration.of(dict(zip((o.name for o in space.options), values, strict=True)))


@given(space=valid_spaces())
def test_the_configurations_are_those_of_the_plain_loop(space):
    valid = [c for c in in_order(space) if all(holds(e, c.chosen) for e in space.constraints)]

    assert list(space.configurations()) == valid


@given(space=valid_spaces())
def test_the_default_has_every_default_if_that_is_valid(space):
    assume(space.is_valid(space.every_default))

    assert space.default == space.every_default


@given(space=valid_spaces())
def test_the_default_is_valid_and_has_as_many_defaults_as_can_be(space):
    assert space.default in valid_ones(space)
    assert distance(space.default, space.every_default) == min(
        distance(configuration, space.every_default) for configuration in valid_ones(space)
    )


@given(data=st.data(), options=some_options())
def test_a_configuration_reads_back_as_it_is_written(data, options):
    # Commas and spaces at the ends of values are the subject of tests of their own.
    for option in options:
        assume(all(str(v) == str(v).strip() and "," not in str(v) for v in option.values))
    configuration = data.draw(configurations(options))

    assert Space(options).parse(str(configuration)) == configuration


@given(text=st.text(alphabet="=,! level59checksumfilterlz", max_size=24))
def test_any_text_is_a_configuration_or_a_mistake(text):
    with suppress(UnknownOption, InvalidConfiguration):
        assert not SPACE.broken(SPACE.parse(text))


def test_a_value_may_have_commas():
    configuration = SPACE.parse("algorithm=lz,4,!filter")

    assert configuration["algorithm"] == "lz,4"
    assert configuration["filter"] is False
    assert SPACE.parse(str(configuration)) == configuration


def test_configurations_come_one_at_a_time():
    many = Space(tuple(Option(f"o{number}", SWITCH, False) for number in range(60)))

    assert len(list(islice(many.configurations(), 3))) == 3


def test_options_that_are_not_named_have_their_default():
    assert str(SPACE.parse(" level=9 , !filter")) == "algorithm=lz,!checksum,!filter,level=9"
    assert SPACE.parse("default") == SPACE.parse("") == SPACE.default
    assert SPACE.parse("filter=off, checksum=true") == SPACE.parse("!filter,checksum")


def test_broken_constraints_are_named_as_they_were_written():
    configuration = Configuration.of({"level": 9, "checksum": True, "filter": False, "algorithm": "lz"})

    assert [str(constraint) for constraint in SPACE.broken(configuration)] == ["checksum excludes level = 9"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "levle=9",
            UnknownOption,
            (
                "option 'levle' is not in the space. Did you mean 'level'? "
                "Known options: level, checksum, filter, algorithm."
            ),
        ),
        (
            "rle",
            UnknownOption,
            (
                "option 'rle' is not in the space. Did you mean 'algorithm = rle'? "
                "Known options: level, checksum, filter, algorithm."
            ),
        ),
        (
            "level=4",
            InvalidConfiguration,
            (
                "'level=4' does not fit option 'level': '4' is not one of its values. Write "
                "level=VALUE; its values are 1, 5, 9."
            ),
        ),
        (
            "level",
            InvalidConfiguration,
            (
                "'level' does not fit option 'level': it needs a value. "
                "Write level=VALUE; its values are 1, 5, 9."
            ),
        ),
        (
            "checksum=3",
            InvalidConfiguration,
            (
                "'checksum=3' does not fit option 'checksum': '3' is not one of its values. Write "
                "'checksum' or '!checksum'; its values are on, off."
            ),
        ),
        (
            "checksum,!checksum",
            InvalidConfiguration,
            "configuration 'checksum,!checksum': option 'checksum' is given twice; give it once.",
        ),
        (
            "algorithm=rle",
            InvalidConfiguration,
            (
                "configuration 'algorithm=rle' is not valid, because it breaks the constraint 'filter "
                "implies not algorithm = rle'. The full configuration is "
                "algorithm=rle,!checksum,filter,level=5."
            ),
        ),
    ],
)
def test_a_mistake_in_a_configuration_is_told_with_what_to_write(text, error, message):
    with pytest.raises(error) as caught:
        SPACE.parse(text)

    assert str(caught.value) == message
