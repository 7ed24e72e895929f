"""The configurations of a recording, and the space that they are."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration, Option
from sonde.effects.models import ModelError
from sonde.effects.recordings.configurations import read_configurations
from sonde.effects.recordings.listing import listed
from sonde.space.space import Space
from tests.effects.models.spaces import as_set, valid_values

SWITCH = (False, True)


@st.composite
def some_lists(draw):
    options = (
        Option("a", SWITCH, False),
        Option("b", SWITCH, False),
        Option("level", (1, 5, 9), 1),
        Option("way", ("x", "y z"), "x"),
        Option("c", SWITCH, False),
        Option("only", (3,), 3),
    )
    rows = list(product(*(option.values for option in options)))
    chosen = draw(st.lists(st.sampled_from(rows), min_size=1, max_size=60))
    names = [option.name for option in options]
    return options, [Configuration.of(dict(zip(names, row, strict=True))) for row in chosen]


@given(given_list=some_lists())
def test_the_listed_configurations_are_valid_and_no_others(given_list):
    options, configurations = given_list
    space = Space(options, listed(options, configurations))

    assert as_set(valid_values(space)) == as_set(each.chosen for each in configurations)


def test_a_product_is_told_in_short_sentences():
    names = ("fast", "small", "level_1", "level_5", "level_9", "checksum")
    options = tuple(Option(name, SWITCH, False) for name in names)
    rows = product([(1, 0), (0, 1)], [(1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0,), (1,)])
    values = ([bool(value) for part in row for value in part] for row in rows)
    configurations = [Configuration.of(dict(zip(names, row, strict=True))) for row in values]

    assert [str(constraint) for constraint in listed(options, configurations)] == [
        "exactly one of fast, small",
        "exactly one of level_1, level_5, level_9",
    ]


def test_columns_become_options(tmp_path):
    file = tmp_path / "configurations.csv"
    file.write_text("configuration,checksum,level,way,my opt\n0,0,1,fast,1\nseven,1,2.5,small,1\n")
    recorded = read_configurations(file)

    assert [(option.name, option.values) for option in recorded.options] == [
        ("checksum", SWITCH),
        ("level", (1, 2.5)),
        ("way", ("fast", "small")),
        ("my_opt", SWITCH),
    ]
    assert str(recorded.configurations["seven"]) == "checksum,level=2.5,my_opt,way=small"
    assert set(recorded.space().configurations()) == set(recorded.configurations.values())


def test_a_model_adds_the_options_that_are_not_recorded(tmp_path):
    file = tmp_path / "configurations.csv"
    file.write_text("configuration,lz,rle\n0,1,0\n1,0,1\n2,1,1\n")
    options = tuple(Option(name, SWITCH, False) for name in ("root", "lz", "rle"))
    model = Space.of(options, ("root", "root implies (exactly one of lz, rle)"))
    completed = read_configurations(file).under(model)

    assert {name: each and str(each) for name, each in completed.items()} == {
        "0": "lz,!rle,root",
        "1": "!lz,rle,root",
        "2": None,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,a\n0,1\n", "1: the first column is not 'configuration'"),
        ("configuration\n0\n", "1: the first column is not 'configuration'"),
        ("configuration,a,a\n0,1,1\n", "1: the column 'a' is duplicate"),
        ("configuration,a\n0,1,1\n", "2: there are 3 values, but 2 columns"),
        ("configuration,a\n0,1\n0,0\n", "3: configuration '0' is listed twice"),
        ("configuration,a\n", "1: no configuration is listed"),
        ('configuration,a\n0,"1\n', "this is not CSV"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path, text, message):
    file = tmp_path / "configurations.csv"
    file.write_text(text)
    with pytest.raises(ModelError) as caught:
        read_configurations(file)

    assert message in str(caught.value)
