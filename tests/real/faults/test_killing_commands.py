"""Every command that builds and runs may be killed at any moment, too, and so may what runs for it."""

import pytest

from tests.real.faults.kills import GROUPS, kill_over_all_commands

pytestmark = pytest.mark.needs("git", "bwrap")

ONCE_EACH = sum(map(len, GROUPS))


def test_each_command_is_killed_once_and_nothing_is_lost_or_measured_twice(tmp_path):
    tally = kill_over_all_commands(tmp_path, ONCE_EACH, seed=1, runs_of_a_point=2, latest_seconds=3.0)

    assert (tally.kills, tally.lost, tally.twice) == (ONCE_EACH, 0, 0)
    assert tally.stored
