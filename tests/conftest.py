"""What every test can use: golden files, the mark `needs`, and Hypothesis without deadlines."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.golden_files import GoldenFiles
from tests.needed_programs import require_programs

# Timings are never asserted in a test, and a busy machine would break any deadline.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the files of tests/golden; then read the diff"
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        require_programs(mark.args, os.environ)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> GoldenFiles:
    """Compare a text with a file below tests/golden: `golden("cli/help.txt", text)`."""
    return GoldenFiles(
        Path(__file__).parent / "golden", is_updating=request.config.getoption("--update-golden")
    )
