"""The programs of the study of verdicts do as much work as they are told to, and its load ends."""

from __future__ import annotations

import os

import pytest

from studies.check.instructions import count_instructions
from studies.check.measuring import Plan, measure_all
from studies.check.recording import CALM, IN_A_ROW, PLANTED, SAME, Recording
from studies.check.workloads import HARD, NAMES, PROBE_STEPS, Load, make_program, run_once, sized
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("gcc")


@pytest.mark.slow
def test_every_program_runs_and_makes_work(tmp_path):
    for name in NAMES | HARD:
        workload = sized(name, tmp_path)
        assert workload.steps > 0
        assert workload.steps_of_start >= 0
        assert run_once(workload.program, 10).cpu >= 0


@pytest.mark.needs("valgrind")
@pytest.mark.parametrize("name", slow_except(["memory"], sorted(NAMES | HARD)))
def test_instructions_grow_with_the_steps_whatever_the_environment(name, tmp_path):
    program, some = make_program(name, tmp_path), PROBE_STEPS[name] // 4
    start, one, two = (count_instructions(program, steps, 0) for steps in (0, some, 2 * some))

    assert two - one == pytest.approx(one - start, rel=0.02)
    assert count_instructions(program, some, 1000) == pytest.approx(one, rel=0.001)


def test_the_load_ends_with_what_it_was_for(tmp_path):
    with Load(tmp_path, is_wanted=True) as load:
        processes = [process.pid for process in load.processes]
        assert len(processes) > (os.cpu_count() or 1)
        assert all(process.poll() is None for process in load.processes)

    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.slow
def test_a_study_goes_on_where_it_was(tmp_path):
    path = tmp_path / "comparisons.jsonl"
    told: list[str] = []
    measure_all(Plan((CALM,), same=1, planted=0, in_a_row=0, hard=0), tmp_path, Recording(path), told.append)
    before = Recording(path).of(SAME)
    measure_all(Plan((CALM,), same=1, planted=0, in_a_row=1, hard=0), tmp_path, Recording(path), told.append)
    after = Recording(path)

    assert after.of(SAME) == before
    assert len(before[0].pairs) >= 10
    assert len(after.of(IN_A_ROW)[0].pairs) == 10
    assert after.of(PLANTED) == []
