"""In which configurations a change of some functions shows best."""

from sonde.core.options import Configuration
from sonde.methods.impact.hot.heaviest import heaviest
from sonde.methods.impact.hot.profiles import FunctionCosts

DEFAULT = Configuration.of({"level": 5, "quick": False, "check": False})


def costs(total: int, **sources: int) -> FunctionCosts:
    return FunctionCosts(total, sources, {})


def configuration(**values: int) -> Configuration:
    return Configuration.of({**DEFAULT.chosen, **values})


PROFILES = [
    (DEFAULT, costs(1000, pack=50)),
    (configuration(quick=True), costs(200, pack=50)),
    (configuration(check=True), costs(1500, pack=50, verify=500)),
    (configuration(level=1), costs(960, pack=50)),
    (configuration(level=9), costs(400, pack=50)),
]


def test_options_that_leave_other_work_out_are_chosen():
    assert heaviest(DEFAULT, PROFILES, ["pack"], []) == configuration(quick=True, level=9)


def test_options_that_are_varied_keep_their_defaults():
    assert heaviest(DEFAULT, PROFILES, ["pack"], ["quick"]) == configuration(level=9)


def test_a_little_more_weight_is_not_worth_an_unusual_value():
    assert heaviest(DEFAULT, PROFILES[:1] + PROFILES[3:4], ["pack"], []) == DEFAULT


def test_functions_that_run_with_one_value_only_are_looked_at_there():
    assert heaviest(DEFAULT, PROFILES, ["verify"], []) == configuration(check=True)


def test_without_profiles_the_default_stays():
    assert heaviest(DEFAULT, [], ["pack"], []) == DEFAULT
