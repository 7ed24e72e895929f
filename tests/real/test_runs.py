"""Runs of real benchmarks: right numbers in an exact environment."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from sonde.core.errors import UsageError
from sonde.core.results import Metric
from sonde.core.subject import Surroundings
from sonde.effects.fixed_time import FIXED_TIME_SECONDS
from sonde.effects.runs import (
    BUILD,
    SCRATCH,
    Meter,
    SandboxRuns,
    in_shell,
    stage_inputs,
)
from sonde.effects.sandbox import Processes
from tests.real.run_orders import (
    PROGRAM,
    assert_that_cpu_is_right,
    fail,
    measure,
    open_runs,
    open_runs_without_compiler,
    order,
    printed,
)
from tests.real.sandboxes import BOTH, compile_program, living, long_sleep, open_sandbox

MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_program(tmp_path_factory.mktemp("build")).parent


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture
def runs(kind, state) -> SandboxRuns:
    return open_runs(kind, state)


@pytest.fixture
def runs_without_compiler(kind, monkeypatch, tmp_path) -> SandboxRuns:
    return open_runs_without_compiler(kind, tmp_path, monkeypatch)


@BOTH
def test_processor_time_is_what_the_program_itself_sees(runs, build):
    assert_that_cpu_is_right(runs, build)


@BOTH
def test_wall_time_is_at_least_what_was_slept(runs, build):
    values = dict(measure(runs, order("sleep", "0.2"), build).metrics)

    assert values[Metric.WALL] >= 0.2
    assert values[Metric.CPU] < 0.1


@BOTH
def test_processor_time_of_children_and_of_orphans_counts(runs, build):
    orphan = f"(setsid sh -c 'echo $$ >orphan; {PROGRAM} spin 200; true' &)"
    is_gone = "test -s orphan && ! kill -0 $(cat orphan) 2>/dev/null"  # and counted: a zombie is there
    line = f"{PROGRAM} spin 200; {orphan}; {PROGRAM} spin 200; until {is_gone}; do sleep 0.1; done"

    cpu = dict(measure(runs, order(*in_shell(line)), build).metrics)[Metric.CPU]

    assert 0.6 <= cpu < 0.75  # one that was left out, or counted twice, would be 0.2 more or less


@BOTH
def test_peak_memory_is_what_the_program_touches(runs, build):
    little = dict(measure(runs, order(PROGRAM), build).metrics)[Metric.MEMORY]
    much = dict(measure(runs, order(PROGRAM, "touch", str(50 * MEGABYTE)), build).metrics)[Metric.MEMORY]

    assert 0.3 * MEGABYTE < little < 2 * MEGABYTE
    assert much - little == pytest.approx(50 * MEGABYTE, rel=0.02)


@BOTH
def test_without_a_compiler_small_memory_is_left_out_and_large_is_right(runs_without_compiler, build):
    little = dict(measure(runs_without_compiler, order(PROGRAM), build).metrics)
    much = dict(measure(runs_without_compiler, order(PROGRAM, "touch", str(50 * MEGABYTE)), build).metrics)

    assert set(little) == {Metric.WALL, Metric.CPU}
    assert much[Metric.MEMORY] == pytest.approx(51 * MEGABYTE, rel=0.03)


@BOTH
def test_without_a_compiler_the_metric_memory_fails_in_words(runs_without_compiler, build):
    failed = fail(runs_without_compiler, order(PROGRAM, metric=Metric.MEMORY), build)

    assert failed.reason.endswith("Install a C compiler (package gcc).")


@BOTH
def test_gauges_tell_of_a_busy_machine(runs, build):
    rivals = [
        subprocess.Popen([build / "program", "spin", "60000"]) for _ in range(2 * (os.cpu_count() or 1))
    ]
    try:
        gauges = measure(runs, order(PROGRAM, "spin", "200"), build).gauges
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()

    assert gauges.involuntary_switches > 0
    assert 0 <= gauges.pressure <= 1


@BOTH
def test_the_environment_is_what_was_promised_and_nothing_else(runs, build):
    lines = set(printed(runs, "env", build, variables=(("ANSWER", "42"),)).splitlines())

    names = {line.partition("=")[0] for line in lines}
    assert names == {
        "PATH",
        "HOME",
        "LC_ALL",
        "TZ",
        "PYTHONHASHSEED",
        "PERL_HASH_SEED",
        "ANSWER",
        "PWD",
    }  # PWD: the shell's
    assert {"LC_ALL=C.UTF-8", "TZ=UTC", "PYTHONHASHSEED=0", "PERL_HASH_SEED=0", "ANSWER=42"} <= lines


@BOTH
def test_paths_are_the_same_in_each_run_and_the_scratch_folder_is_fresh(runs, build):
    line = f"pwd; echo $HOME {BUILD} {SCRATCH}; ls -A; touch left"

    first, second = (printed(runs, line, build) for _ in range(2))

    assert first == second
    assert "left" not in second


def test_paths_in_the_sandbox_are_fixed(state, build):
    runs = SandboxRuns(open_sandbox("bubblewrap"), state, Processes(), Surroundings())

    assert (
        printed(runs, "pwd; echo $HOME; ls /sonde/build", build)
        == "/sonde/scratch\n/sonde/scratch\nprogram\n"
    )


@BOTH
def test_nothing_of_a_run_stays_on_disk(runs, build, state):
    measure(runs, order(*in_shell("mkdir -p a/b; touch a/b/c; chmod 0 a/b a; ln -s / root")), build)

    assert list((state / "scratch").iterdir()) == []


def test_the_build_cannot_be_changed_by_a_run_in_the_sandbox(state, build):
    runs = SandboxRuns(open_sandbox("bubblewrap"), state, Processes(), Surroundings())

    assert "Read-only file system" in printed(runs, "touch /sonde/build/x", build)


@BOTH
def test_inputs_appear_in_the_scratch_folder_with_fixed_times(runs, build, state, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "corpus").write_text("content")
    (tmp_path / "top").write_text("top")
    inputs = stage_inputs(tmp_path, ["deep/corpus", "top"], state)

    output = printed(runs, "cat deep/corpus top; stat -c ' %Y' deep/corpus", build, inputs.path)

    assert output == f"contenttop {FIXED_TIME_SECONDS}\n"


@BOTH
def test_a_run_can_write_beside_its_inputs(runs, build, state, tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "corpus").write_text("content")
    inputs = stage_inputs(tmp_path, ["deep/er/corpus"], state)

    output = printed(runs, "gzip -k deep/er/corpus && ls deep/er; stat -c %Y deep", build, inputs.path)

    assert output == f"corpus\ncorpus.gz\n{FIXED_TIME_SECONDS}\n"


@BOTH
def test_a_full_disk_is_no_lasting_failure(runs, build, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "mkfifo", refuse)
    wanted = order(PROGRAM, metric=Metric.INSTRUCTIONS, meter=Meter.VALGRIND)

    failed = fail(runs, wanted, build)

    assert failed.reason == "The folder of the run could not be written: No space left on device."
    assert not failed.is_lasting


@pytest.mark.parametrize("name", ["a b", "a'b", 'a"b'])
def test_without_a_sandbox_a_folder_that_a_shell_would_split_is_refused(tmp_path, name):
    with pytest.raises(UsageError, match="Pass --state"):
        open_runs("bare", tmp_path / name)


@pytest.mark.parametrize("name", ["a b", "a'b", 'a"b'])
def test_in_the_sandbox_any_folder_will_do(tmp_path, build, name):
    runs = open_runs("bubblewrap", tmp_path / name)
    line = f"{PROGRAM} && sh {SCRATCH}/script"

    assert printed(runs, line, build, setup=f"echo echo done >{SCRATCH}/script") == "done\n"


@BOTH
def test_a_run_cannot_change_the_staged_inputs(runs, build, state, tmp_path):
    (tmp_path / "corpus").write_text("content")
    inputs = stage_inputs(tmp_path, ["corpus"], state)

    printed(runs, "echo other >corpus; rm -f corpus", build, inputs.path)

    assert (inputs.path / "corpus").read_text() == "content"


@BOTH
def test_a_file_of_the_scratch_folder_can_be_read_from_stdin(runs, build, state, tmp_path):
    (tmp_path / "corpus").write_text("content")
    inputs = stage_inputs(tmp_path, ["corpus"], state)

    assert printed(runs, "cat", build, inputs.path, stdin="corpus") == "content"


@BOTH
def test_addresses_are_fixed_unless_they_shall_be_random(runs, build):
    def addresses(aslr: bool) -> set[float]:
        wanted = order(PROGRAM, "address", metric=Metric.PRINTED, pattern=r"address (\d+)", aslr=aslr)
        return {dict(measure(runs, wanted, build).metrics)[Metric.PRINTED] for _ in range(4)}

    assert len(addresses(aslr=False)) == 1
    assert len(addresses(aslr=True)) > 1


@BOTH
def test_without_a_compiler_all_but_memory_is_the_same(runs_without_compiler, build):
    runs = runs_without_compiler
    wanted = order(PROGRAM, "address", metric=Metric.PRINTED, pattern=r"address (\d+)")
    mark = long_sleep(6)
    left = order(*in_shell(f"setsid sleep {mark} >/dev/null 2>&1 & exit 0"))

    assert len({dict(measure(runs, wanted, build).metrics)[Metric.PRINTED] for _ in range(3)}) == 1
    assert_that_cpu_is_right(runs, build)
    assert (
        fail(runs, order(PROGRAM, "crash"), build).reason
        == "The benchmark ended with segmentation fault (SIGSEGV)."
    )
    assert fail(runs, order("no-such-program"), build).reason == "The benchmark ended with exit code 127."
    assert fail(runs, order("sleep", mark, timeout_seconds=0.2), build).reason.startswith(
        "The benchmark did not"
    )
    assert measure(runs, left, build).left_behind == 1
    assert living(mark) == []
