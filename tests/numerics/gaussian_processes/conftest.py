"""What tests of Gaussian processes need."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(scope="package", autouse=True)
def _one_thread():
    """On a busy machine the threads of a small matrix wait for each other, tenfold."""
    with threadpool_limits(1):
        yield
