"""Random kernels, observations and positions."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from sonde.numerics.gaussian_processes.kernels import (
    Brownian,
    Matern32,
    Matern52,
    RadialBasis,
    RationalQuadratic,
)
from sonde.numerics.gaussian_processes.observations import Observations

SOME_EXAMPLES = settings(max_examples=25)
FEW_EXAMPLES = settings(max_examples=5)  # of what fits a dense process

MODERATE = st.floats(0.1, 10.0)
POSITIONS = st.floats(0.0, 50.0) | st.integers(0, 50).map(float)
VALUES = st.floats(-100.0, 100.0)
GRID = np.linspace(0.0, 60.0, 31)

KERNELS = st.one_of(
    st.builds(RadialBasis, MODERATE, MODERATE),
    st.builds(RationalQuadratic, MODERATE, MODERATE, MODERATE),
    st.builds(Brownian, MODERATE),
    st.builds(Matern32, MODERATE, MODERATE),
    st.builds(Matern52, MODERATE, MODERATE),
)


def rows(elements, least=1, most=10, *, unique=False):
    return st.lists(elements, min_size=least, max_size=most, unique=unique).map(np.array)


@st.composite
def noisy_observations(draw, least=1):
    """Of several repeats each; positions may come several times."""
    positions = draw(rows(POSITIONS, least))
    values = draw(rows(VALUES, positions.size, positions.size))
    repeats = draw(rows(st.integers(1, 5), positions.size, positions.size))
    return Observations.of(positions, values, 1 / repeats)


@st.composite
def exact_observations(draw, least=1):
    """At different positions, none closer to another or to 0 than 0.01."""
    hundredths = draw(rows(st.integers(1, 5000), least, unique=True))
    values = draw(rows(VALUES, hundredths.size, hundredths.size))
    return Observations.of(hundredths / 100, values)
