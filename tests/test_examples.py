"""The examples of Hypothesis depend on nothing but the test."""

from importlib import import_module

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import FUZZ, PROFILE

needs_profile = pytest.mark.skipif(
    settings.get_current_profile_name() != PROFILE, reason="`make fuzz` draws new examples"
)


def drawn():
    """What a test draws."""
    numbers = []

    @settings(max_examples=400)
    @given(st.integers())
    def draw(number):
        numbers.append(number)

    draw()
    return numbers


@needs_profile
def test_every_run_draws_the_same_examples():
    first, second = drawn(), drawn()

    assert first == second
    assert len(set(first)) > 100


@needs_profile
def test_modules_that_were_imported_before_change_no_example(tmp_path, monkeypatch):
    before = drawn()
    (tmp_path / "full_of_constants.py").write_text(f"NUMBERS = {list(range(10**6, 10**6 + 500))}\n")
    monkeypatch.syspath_prepend(tmp_path)

    import_module("full_of_constants")

    assert drawn() == before


@needs_profile
def test_examples_that_failed_before_are_not_kept():
    assert settings().database is None
    assert settings(max_examples=3).database is None


@pytest.mark.parametrize("name", [PROFILE, FUZZ])
def test_no_profile_fails_because_a_machine_is_slow(name):
    profile = settings.get_profile(name)

    assert profile.deadline is None
    assert HealthCheck.too_slow in profile.suppress_health_check
