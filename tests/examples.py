"""Which examples Hypothesis draws: the same ones in every run, or new ones with `make fuzz`.

A test gives the same result everywhere only if its examples depend on nothing but the test. Hypothesis is
asked for that by `derandomize`, which also switches its database of failed examples off. Its release is
pinned in pyproject.toml, because another one draws other examples.
"""

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

PROFILE, FUZZ = "same-everywhere", "fuzz"
TIMED = (HealthCheck.too_slow,)  # fails where the machine is busy


def register_profiles() -> None:
    """Make both profiles known, and load the one that draws the same examples everywhere.

    Timings are never asserted in a test, so there are no deadlines.
    """
    settings.register_profile(
        PROFILE, deadline=None, derandomize=True, print_blob=True, suppress_health_check=TIMED
    )
    settings.register_profile(
        FUZZ, deadline=None, max_examples=1000, print_blob=True, suppress_health_check=TIMED
    )
    settings.load_profile(PROFILE)


def draw_the_same_everywhere() -> None:
    """Draw nothing from the source code of modules that happen to be imported.

    Hypothesis draws some values from the constants of every local module that is imported so far: which ones
    depends on the other tests of the process, on the folder of the clone, and on unrelated changes.
    """
    nothing = Constants()
    providers._get_local_constants = lambda: nothing  # no setting does it
