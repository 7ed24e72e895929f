"""Profiles of real programs under callgrind: every function that ran, once, and joined to the snapshot."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sonde.core.evidence import Activity, Language, Profile, ProfiledFunction, Snapshot
from sonde.core.results import Failed, Metric
from sonde.core.subject import Server
from sonde.effects.profiles import Profiler, choose_profiler, profile
from sonde.effects.runs import Meter, RunOrder, SandboxRuns, in_shell
from sonde.effects.runs.valgrind import find_valgrind
from sonde.effects.sandbox import Bare, Processes
from sonde.effects.snapshots.reading import read_snapshot
from sonde.methods.selection.reach import reach_of
from tests.real.profiled_programs import compile_programs
from tests.real.run_orders import measure, open_runs
from tests.real.sandboxes import BOTH
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("valgrind")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_programs(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> SandboxRuns:
    return open_runs("bare", tmp_path_factory.mktemp("state"))


def order(*argv: str, **fields) -> RunOrder:
    return RunOrder(argv, Metric.CPU, **fields)


def take(runs: SandboxRuns, build: Path, *argv: str, **fields) -> Profile:
    taken = profile(runs, order(*argv, **fields), build, None, 0, Profiler.CALLGRIND)
    assert isinstance(taken, Profile), taken
    return taken


def take_case(runs: SandboxRuns, build: Path, what: str, program: str = "program") -> Profile:
    if not (build / program).exists():
        pytest.skip("static programs cannot be made here: the static C library is missing")
    return take(runs, build, f"/sonde/build/{program}", what)


def by_name(taken: Profile) -> Mapping[str, Activity]:
    return {place.name: activity for place, activity in taken.activities.items()}


def snapshot_of(build: Path, *outputs: str) -> Snapshot:
    snapshot = read_snapshot(build, outputs)
    assert isinstance(snapshot, Snapshot), snapshot
    return snapshot


# What is done -> functions of the program that it calls, and how often.
CASES = {
    "leaf": {"leaf": 2},
    "middle": {"leaf": 3, "middle": 1},
    "recursion": {"fibonacci": 465, "even": 5, "odd": 5, "leaf": 10},
    "section": {"apart": 1, "leaf": 2},
    "threads": {"in_thread": 3, "leaf": 4},
    "callback": {"compare": 3, "leaf": 1},
    "fork": {"in_child": 1, "leaf": 2},
    "fork, exec": {"in_child": 1, "leaf": 4, "main": 2},
    "spawn": {"leaf": 3, "main": 2},
    "same name": {"first": 1, "helper": 1, "leaf": 1},
    "shared": {"shared": 1, "inner": 1, "leaf": 1},
    "plugin": {"plugged": 1, "inner": 1, "leaf": 1},
}
OWN = {"leaf", "middle", "fibonacci", "even", "odd", "apart", "unused", "in_child", "in_thread", "compare"}
OTHERS = {"first", "second", "helper", "shared", "plugged", "inner"}


@pytest.mark.parametrize("what", CASES)
@pytest.mark.parametrize("program", slow_except(["program"], ["program", "traced"]))
def test_every_function_that_ran_is_seen_and_joined(runs, build, program, what):
    taken = take_case(runs, build, what, program)

    known = OWN | OTHERS | CASES[what].keys()
    calls = {name: activity.calls for name, activity in by_name(taken).items() if name in known}
    assert calls == CASES[what]
    assert taken.is_complete
    assert taken.nameless == 0
    assert "???" not in taken.outside
    reach = reach_of(taken, snapshot_of(build, program, "libshared.so", "plugin.so"))
    assert reach.unjoined == 0
    assert not reach.strays


@pytest.mark.parametrize("program", slow_except(["fixed"], ["fixed", "static"]))
@pytest.mark.parametrize(
    "what",
    slow_except(["section", "same name"], ["recursion", "section", "threads", "fork, exec", "same name"]),
)
def test_programs_at_fixed_addresses_are_joined_as_well(runs, build, program, what):
    taken = take_case(runs, build, what, program)

    calls = {name: each.calls for name, each in by_name(taken).items() if name in CASES[what]}
    assert calls == CASES[what]
    assert taken.is_complete
    assert reach_of(taken, snapshot_of(build, program, "libshared.so")).unjoined == 0


def test_of_two_static_functions_of_one_name_only_the_one_that_ran_is_reached(runs, build):
    taken = take_case(runs, build, "same name")

    assert [place for place in taken.activities if place.name == "helper"] == [
        ProfiledFunction("program", "first.c", "helper")
    ]


@BOTH
@pytest.mark.parametrize(
    ("what", "tolerance"),
    [("recursion", 0.002), ("threads", 0.01), ("fork, exec", 0.002)],  # how long threads wait is chance
)
def test_all_instructions_that_are_measured_are_in_the_profile(tmp_path, build, kind, what, tolerance):
    runs = open_runs(kind, tmp_path)
    wanted = RunOrder(("/sonde/build/program", what), Metric.INSTRUCTIONS, Meter.VALGRIND)

    measured = dict(measure(runs, wanted, build).metrics)[Metric.INSTRUCTIONS]

    # Two tools of valgrind: callgrind counts a repeated string instruction once.
    assert take_case(runs, build, what).total == pytest.approx(measured, rel=tolerance)


def annotate(file: Path, *words: str) -> Mapping[str, int]:
    """The costs that callgrind's own program finds, by function."""
    command = ["callgrind_annotate", "--auto=no", "--threshold=100", *words, str(file)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^ *([\d,]+) (?:\([^)]*\))? *\S*?:(\S+?)(?:'2)? (?:\[.*)?$", text, re.MULTILINE)
    found: dict[str, int] = {}
    for cost, name in rows:
        found[name] = found.get(name, 0) + int(cost.replace(",", ""))
    return found


@pytest.mark.needs("callgrind_annotate")
@pytest.mark.parametrize("what", slow_except(["recursion"], ["middle", "recursion", "callback", "section"]))
def test_costs_are_those_that_callgrind_itself_sums_up(runs, build, tmp_path, what):
    file = tmp_path / "out"
    words = [find_valgrind() or "", "--quiet", "--tool=callgrind", f"--callgrind-out-file={file}"]
    subprocess.run([*words, str(build / "program"), what], check=True)

    found = by_name(take_case(runs, build, what))

    own, inclusive = annotate(file), annotate(file, "--inclusive=yes")
    ours = OWN & found.keys()
    assert {name: found[name].own for name in ours} == {name: own[name] for name in ours}
    alone = ours - {"fibonacci", "even", "odd"}  # of which it counts what is below more than once
    assert {name: found[name].inclusive for name in alone} == {name: inclusive[name] for name in alone}


def test_recursion_counts_what_is_below_once(runs, build):
    found = by_name(take_case(runs, build, "recursion"))

    assert found["fibonacci"].inclusive == found["fibonacci"].own
    circle = found["even"].own + found["odd"].own
    assert circle < found["even"].inclusive < circle + found["leaf"].own
    assert found["main"].inclusive >= found["even"].inclusive + found["fibonacci"].inclusive


@BOTH
def test_files_of_the_build_that_were_asked_for_are_told(tmp_path, build, kind):
    taken = take_case(open_runs(kind, tmp_path), build, "files")

    assert taken.opened is not None
    data = {output for output in taken.opened if output.endswith(".dat")}
    assert data == {"table.dat", "missing.dat"}


def test_a_program_that_is_read_as_a_file_is_told(runs, build):
    outputs = {file.name for file in build.iterdir()}

    for what, expected in (("itself", {"program"}), ("itself, unnamed", {"program"}), ("plugin", set())):
        opened = take_case(runs, build, what).opened
        assert opened is not None
        assert opened & outputs == expected


@BOTH
def test_libraries_outside_of_the_build_are_known_by_their_bytes(tmp_path, build, kind):
    taken = take_case(open_runs(kind, tmp_path), build, "leaf")

    assert any("libc.so" in path for path in taken.outside_files)
    assert all(taken.outside_files.values())
    assert not any(str(build) in path or "/sonde" in path for path in taken.outside_files)


@BOTH
def test_a_copy_in_the_scratch_folder_is_the_output(tmp_path, build, kind):
    line = in_shell(
        "cp /sonde/build/plugin.so /sonde/build/fixed . && LD_LIBRARY_PATH=/sonde/build ./fixed plugin"
    )

    taken = take(open_runs(kind, tmp_path), build, *line)

    assert taken.activities[ProfiledFunction("fixed", "", "leaf")].calls == 1
    assert taken.activities[ProfiledFunction("plugin.so", "", "plugged")].calls == 1


def test_a_process_that_was_killed_leaves_the_profile_incomplete(runs, build):
    taken = take_case(runs, build, "killed")

    assert not taken.is_complete
    assert "main" in by_name(taken)


def test_a_stripped_program_has_no_functions(runs, build):
    taken = take_case(runs, build, "middle", "stripped")

    assert not any(place.output == "stripped" for place in taken.activities)
    assert taken.nameless > 1000


def test_what_the_setup_reaches_is_reached_but_costs_nothing(runs, build):
    taken = take(runs, build, "/sonde/build/program", "leaf", setup="/sonde/build/program middle; true")

    assert by_name(taken)["middle"] == Activity(0, 0, 0)
    assert by_name(taken)["leaf"].calls == 2
    assert taken.is_complete


def test_what_only_a_first_run_reaches_is_reached(runs, build):
    line = "test -e done && exec /sonde/build/program leaf; touch done; /sonde/build/program middle"

    taken = take(runs, build, *in_shell(line), warmups=1)

    assert by_name(taken)["middle"] == Activity(0, 0, 0)
    assert by_name(taken)["leaf"].calls == 2


def test_with_a_server_a_profile_is_not_complete(tmp_path, build):
    runs = open_runs("bubblewrap", tmp_path)
    server = Server("exec /usr/bin/python3 -m http.server 8095 --bind 127.0.0.1", 8095, 30.0)

    assert not take(runs, build, "/sonde/build/program", "leaf", server=server).is_complete


def test_a_benchmark_that_fails_has_no_profile(runs, build):
    failed = profile(runs, order("/sonde/build/program", "fails"), build, None, 0, Profiler.CALLGRIND)

    assert isinstance(failed, Failed)
    assert failed.reason == "The benchmark ended with exit code 3."


def test_instructions_that_would_count_twice_are_refused(runs, build):
    failed = profile(runs, order("/sonde/build/program", "system call"), build, None, 0, Profiler.CALLGRIND)

    assert isinstance(failed, Failed)
    assert "would be counted twice" in failed.reason


def test_any_order_can_be_profiled(runs, build):
    printed = replace(order("/sonde/build/program", "leaf"), metric=Metric.PRINTED, pattern="(.)")
    counted = RunOrder(("/sonde/build/program", "leaf"), Metric.INSTRUCTIONS, Meter.VALGRIND)

    for each in (printed, counted):
        taken = profile(runs, each, build, None, 0, Profiler.CALLGRIND)
        assert isinstance(taken, Profile)
        assert taken.seconds > 0


def test_the_profiler_follows_from_the_languages():
    if shutil.which("valgrind"):
        assert choose_profiler([Language.MACHINE], Processes(), Bare()) is Profiler.CALLGRIND
        assert choose_profiler([Language.MACHINE, Language.PYTHON], Processes(), Bare()) is Profiler.CALLGRIND
    assert choose_profiler([Language.PYTHON], Processes(), Bare()) is Profiler.PYTHON
