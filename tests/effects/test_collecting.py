"""The garbage collector at rest."""

import gc
from collections.abc import Iterator

import pytest

from sonde.effects.collecting import without_collecting


@pytest.fixture(autouse=True)
def collector_as_it_was() -> Iterator[None]:
    was_enabled = gc.isenabled()
    yield
    (gc.enable if was_enabled else gc.disable)()


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_collector_rests_and_is_then_as_it_was(is_enabled):
    (gc.enable if is_enabled else gc.disable)()

    with without_collecting():
        assert not gc.isenabled()

    assert gc.isenabled() is is_enabled


def test_it_goes_on_after_a_mistake():
    gc.enable()

    with pytest.raises(KeyError), without_collecting():
        raise KeyError

    assert gc.isenabled()
