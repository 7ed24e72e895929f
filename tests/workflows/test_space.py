"""Which configurations are valid, and a sample of them."""

import pytest

from sonde.core.errors import UsageError
from sonde.core.options import Option
from sonde.space.samplers.choosing import SamplerRequest
from sonde.space.space import Space
from sonde.workflows.space import look_at, space_of

OPTIONS = (Option("a", (False, True), False), Option("b", (False, True), False))


def test_a_sample_is_taken_only_where_it_is_wished_for():
    space = Space.of(OPTIONS, ("a implies b",))

    assert look_at(space).sample is None
    sampled = look_at(space, SamplerRequest("pair-wise")).sample
    assert sampled is not None
    assert all(space.is_valid(each) for each in sampled.configurations)


def test_of_a_space_without_valid_configurations_nothing_is_sampled():
    space = Space.of(OPTIONS, ("a", "not a"))

    assert look_at(space).leeway.conflict
    with pytest.raises(UsageError, match="no configuration is valid"):
        look_at(space, SamplerRequest("pair-wise"))


def test_the_configurations_of_a_recording_are_a_space(tmp_path):
    (tmp_path / "configurations.csv").write_text("configuration,a,b\n1,0,0\n2,1,1\n")

    space = space_of(tmp_path, tmp_path / "configurations.csv")

    assert {option.name for option in space.options} == {"a", "b"}
