"""What the replies of programs mean."""

import pytest

from sonde.effects.machine.probe import Reply, State, judge_git, judge_perf, judge_valgrind


@pytest.mark.parametrize(
    ("reply", "paranoid", "state", "remedy"),
    [
        (Reply(0, "123456,,instructions:u,800,100.00,,\n"), "2", State.WORKS, ""),
        (Reply(0, "<not supported>,,instructions:u,0,100.00,,\n"), "2", State.MISSING, ""),
        (Reply(255, "Error:\nNo permission\n"), "4", State.MISSING, "sysctl kernel.perf_event_paranoid=2"),
        (Reply(0, "0,,instructions:u,0,100.00,,\n"), "2", State.MISSING, "perf stat -e instructions:u true"),
        (Reply(None, ""), "2", State.MISSING, "apt-get install linux-perf"),
    ],
)
def test_counters_work_only_if_they_count(reply, paranoid, state, remedy):
    capability = judge_perf(reply, paranoid)

    assert (capability.state, capability.remedy) == (state, remedy)


@pytest.mark.parametrize(
    ("reply", "can_count", "state", "words"),
    [
        (Reply(0, ""), True, State.WORKS, "without any noise"),
        (Reply(0, ""), False, State.MISSING, "A C compiler"),
        (Reply(1, "valgrind:  Fatal error at startup\n"), True, State.MISSING, "Fatal error at startup"),
        (Reply(None, ""), True, State.MISSING, "not installed"),
    ],
)
def test_valgrind_works_only_if_it_runs_and_can_count(reply, can_count, state, words):
    capability = judge_valgrind(reply, can_count)

    assert capability.state is state
    assert words in capability.sentence


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (Reply(0, "git version 2.39.5\n"), State.WORKS),
        (Reply(0, "git version 2.31.0.windows.1\n"), State.WORKS),
        (Reply(0, "git version 2.25.1\n"), State.LIMITED),
        (Reply(None, ""), State.MISSING),
    ],
)
def test_an_old_git_is_told(reply, state):
    assert judge_git(reply).state is state
