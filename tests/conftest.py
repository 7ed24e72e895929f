"""What every test can use: golden files, the mark `needs`, and the same examples of Hypothesis everywhere."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests.examples import PROFILE, draw_the_same_everywhere, register_profiles
from tests.golden_files import GoldenFiles
from tests.needed_programs import require_programs

register_profiles()


@pytest.hookimpl(trylast=True)  # after Hypothesis has read --hypothesis-profile
def pytest_configure() -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
        signal.signal(
            signal.SIGINT, signal.default_int_handler
        )  # or programs that tests start would not stop
    if settings.get_current_profile_name() == PROFILE:
        draw_the_same_everywhere()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the files of tests/golden; then read the diff"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of real programs first, which take longest: short ones end at about the same time."""
    items.sort(key=lambda item: "tests/real/" not in item.nodeid)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        require_programs(mark.args, os.environ)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> GoldenFiles:
    """Compare a text with a file below tests/golden: `golden("cli/help.txt", text)`."""
    return GoldenFiles(
        Path(__file__).parent / "golden", is_updating=request.config.getoption("--update-golden")
    )
