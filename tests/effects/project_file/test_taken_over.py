"""A feature model that becomes part of a first project file."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.effects.project_file import load_project, starter_file
from sonde.formats.feature_models.defaults import with_valid_default
from sonde.formats.feature_models.splconqueror import read_splconqueror
from sonde.formats.feature_models.uvl import read_uvl
from sonde.space.space import Space
from tests.effects.models.spaces import PACKER_UVL, PACKER_XML, valid_values
from tests.effects.project_file.repositories import REPOSITORIES, write_repository
from tests.space.strategies import expressions

SWITCH = (False, True)


def loaded(folder, space):
    (folder / "sonde.toml").write_text(starter_file(folder, space), encoding="utf-8")
    return load_project(folder).space


def shape(space):
    return [(option.name, option.values, option.default) for option in space.options]


@pytest.mark.parametrize("name", REPOSITORIES)
@pytest.mark.parametrize("read", [lambda: read_splconqueror(PACKER_XML), lambda: read_uvl(PACKER_UVL)])
def test_the_project_has_the_space_of_the_model(tmp_path, name, read):
    space = with_valid_default(read())
    project = loaded(write_repository(tmp_path, name), space)

    assert shape(project) == shape(space)
    assert project.constraints == space.constraints


def test_a_project_file_with_a_model_is_what_one_would_expect(tmp_path, golden):
    space = with_valid_default(read_splconqueror(PACKER_XML))

    golden("project_file/starter/with-model.toml", starter_file(write_repository(tmp_path, "make"), space))


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40)
def test_any_space_reads_back_as_it_is(tmp_path, data):
    options = (
        Option("a", SWITCH, False, words="-a {{x}} \"é 'q'\""),
        Option("io.engine", ("sync", "a b", 'q"\\\n\x7f'), "sync"),
        Option("level", (-1, 0.5, 9), 9, words="--level={value}"),
    )
    constraints = tuple(data.draw(st.lists(expressions(options), max_size=3)))
    assume(valid_values(Space(options, constraints)))
    space = with_valid_default(Space(options, constraints))
    project = loaded(tmp_path, space)

    assert shape(project) == shape(space)
    assert project.constraints == space.constraints
    assert [option.words for option in project.options] == [option.words for option in space.options]


def test_an_option_with_one_value_is_left_out(tmp_path):
    space = Space((Option("only", (3,), 3), Option("a", SWITCH, False)))

    assert [option.name for option in loaded(tmp_path, space).options] == ["a"]
