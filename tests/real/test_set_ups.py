"""Runs that are timed see another set-up each time, and nothing else that differs."""

from pathlib import Path

import pytest

from sonde.core.results import Failed, Metric
from sonde.effects.runs import BUILD, SCRATCH, SandboxRuns, SetUp, draw_set_up, in_shell
from tests.real.run_orders import open_runs, order
from tests.real.sandboxes import BOTH, compile_program

PLACES = f"cd {SCRATCH} && pwd && echo {BUILD}/program && ls {BUILD} && echo $HOME && exit 9"
CIRCUMSTANCES = 'env | wc -c && echo "$PYTHONHASHSEED $PERL_HASH_SEED" && exit 9'


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_program(tmp_path_factory.mktemp("build")).parent


@pytest.fixture
def runs(kind, tmp_path) -> SandboxRuns:
    return open_runs(kind, tmp_path)


def seen(runs: SandboxRuns, line: str, build: Path, set_up: SetUp, **fields) -> str:
    """What a shell line prints under a set-up."""
    failed = runs.run(order(*in_shell(line), **fields), build, set_up=set_up)
    assert isinstance(failed, Failed)
    return failed.output


@BOTH
def test_build_and_scratch_lie_elsewhere(runs, build):
    both = [seen(runs, PLACES, build, draw_set_up(Metric.CPU, seed)).split() for seed in "ab"]

    for folder, program, listed, home in both:
        assert listed == "program"
        assert home == folder
        assert Path(program).parent.parent == Path(folder).parent
    assert len({len(folder) for folder, *_ in both}) == 2


@BOTH
def test_environment_and_seeds_differ_and_are_the_same_for_the_same_seed(runs, build):
    first, second, again = (
        seen(runs, CIRCUMSTANCES, build, draw_set_up(Metric.CPU, seed)).split() for seed in "aba"
    )

    assert first == again
    assert all(one != other for one, other in zip(first, second, strict=True))


@BOTH
def test_what_the_benchmark_sets_itself_counts(runs, build):
    set_up = draw_set_up(Metric.CPU, "a")

    found = seen(runs, CIRCUMSTANCES, build, set_up, variables=(("PYTHONHASHSEED", "7"),))

    assert found.split()[1] == "7"


@BOTH
def test_addresses_are_random(runs, build):
    wanted = order(f"{BUILD}/program", "address", metric=Metric.PRINTED, pattern=r"address (\d+)")
    set_up = draw_set_up(Metric.PRINTED, "a")

    reports = [runs.run(wanted, build, set_up=set_up) for _ in range(4)]

    assert len({dict(each.metrics)[Metric.PRINTED] for each in reports}) > 1


def test_counted_runs_have_the_usual_one():
    assert draw_set_up(Metric.INSTRUCTIONS, "a") == draw_set_up(Metric.INSTRUCTIONS, "b") == SetUp()
