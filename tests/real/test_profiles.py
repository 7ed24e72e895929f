"""Profiles of real programs under callgrind: every function that ran, once, and joined to the snapshot."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sonde.core.evidence import Activity, Language, Place, Profile, Snapshot
from sonde.core.results import Failed, Metric
from sonde.core.subject import Server
from sonde.effects.binaries.snapshots import read_snapshot
from sonde.effects.profiles import Profiler, choose_profiler, profile
from sonde.effects.runs import Meter, RunOrder, Runs, in_shell
from sonde.effects.runs.callgrind import find_valgrind
from sonde.effects.sandbox import Bare, Processes
from sonde.methods.selection.reach import reach_of
from tests.needed_programs import require_programs
from tests.real.run_orders import measure, open_runs
from tests.real.sandboxes import BOTH

pytestmark = pytest.mark.needs("valgrind")

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
int first(int), second(int), shared(int);
#define APART __attribute__((noinline, noclone))

APART int leaf(int n) { volatile int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
APART int middle(int n) { return leaf(n) + leaf(2 * n); }
APART int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
APART int odd(int n);
APART int even(int n) { volatile int m = n; return m == 0 ? 1 : odd(m - 1) + leaf(3); }
APART int odd(int n) { volatile int m = n; return m == 0 ? 0 : even(m - 1) + leaf(3); }
APART __attribute__((section("apart"))) int apart(int n) { return leaf(n) + 1; }
APART int unused(int n) { return leaf(n) + 2; }
APART int in_child(int n) { return leaf(n) + 3; }
APART void *in_thread(void *number) { leaf(*(int *)number); return NULL; }
APART int compare(const void *one, const void *other) { return *(int *)one - *(int *)other; }
__attribute__((constructor)) static void at_start(void) { leaf(5); }

static void in_threads(void)
{
    pthread_t threads[3];
    int number = 100;
    for (int i = 0; i < 3; i++) pthread_create(threads + i, NULL, in_thread, &number);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

static void open_beside(const char *program, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", program);
    strcpy(strrchr(path, '/') + 1, name);
    int file = open(path, O_RDONLY);
    if (file >= 0) close(file);
}

int main(int count, char **argv)
{
    const char *what = count > 1 ? argv[1] : "";
    char *six[] = {argv[0], "leaf", NULL}, plugin[4096];
    int numbers[] = {3, 1, 2};
    pid_t child;
#define CASE(name) if (strcmp(what, name) == 0)
    CASE("leaf") return leaf(60) == 0;
    CASE("middle") return middle(100) == 0;
    CASE("recursion") return fibonacci(12) + even(9) == 0;
    CASE("section") return apart(10) == 0;
    CASE("threads") in_threads();
    CASE("callback") qsort(numbers, 3, sizeof(int), compare);
    CASE("fork") if (fork() == 0) { in_child(10); _exit(0); }
    CASE("fork, exec") if (fork() == 0) { in_child(10); execv(argv[0], six); }
    CASE("spawn") posix_spawn(&child, argv[0], NULL, NULL, six, environ);
    CASE("killed") { if ((child = fork()) == 0) { in_child(10); pause(); } kill(child, SIGKILL); }
    CASE("system call") if (syscall(SYS_fork) == 0) _exit(0);
    CASE("same name") return first(10) == 0;
    CASE("shared") return shared(10) == 0;
    CASE("plugin") {
        snprintf(plugin, sizeof plugin, "%.*s/plugin.so", (int)(strrchr(argv[0], '/') - argv[0]), argv[0]);
        void *handle = dlopen(plugin, RTLD_NOW);
        if (handle == NULL) { puts(dlerror()); return 7; }
        ((int (*)(int))dlsym(handle, "plugged"))(10);
        dlclose(handle);
    }
    CASE("files") { open_beside(argv[0], "table.dat"); open_beside(argv[0], "missing.dat"); }
    CASE("itself") open_beside(argv[0], strrchr(argv[0], '/') + 1);
    CASE("fails") return 3;
    while (wait(NULL) > 0);
    return 0;
}
"""
SAME_NAME = r"""
static int __attribute__((noinline, noclone)) helper(int n) { volatile int m = n; return m * FACTOR; }
int NAME(int n) { return helper(n) + 1; }
"""
LIBRARY = r"""
static int __attribute__((noinline, noclone)) inner(int n) { volatile int m = n; return m + 1; }
int NAME(int n) { return inner(n) + 1; }
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_programs(["cc"], os.environ)
    folder = tmp_path_factory.mktemp("build")

    def compile_c(output: str, text: str, *words: str) -> None:
        (folder / "source.c").write_text(text)
        command = ["cc", "-O1", "-w", "-fno-optimize-sibling-calls", "-pthread", "source.c", *words]
        done = subprocess.run([*command, "-o", output], check=False, cwd=folder, capture_output=True)
        assert done.returncode == 0 or output == "static", done.stderr

    for name, output in (("shared", "libshared.so"), ("plugged", "plugin.so")):
        compile_c(output, LIBRARY.replace("NAME", name), "-shared", "-fPIC")
    for name, factor in (("first", "3"), ("second", "5")):
        text = SAME_NAME.replace("NAME", name).replace("FACTOR", factor)
        (folder / f"{name}.c").write_text(text)
        subprocess.run(["cc", "-O1", "-c", f"{name}.c"], check=True, cwd=folder)
    objects, library = ("first.o", "second.o"), ("libshared.so", "-Wl,-rpath,$ORIGIN")
    compile_c("program", SOURCE, *objects, *library)
    compile_c("fixed", SOURCE, "-no-pie", *objects, *library)
    compile_c("traced", SOURCE, "-g", "-fcf-protection=full", *objects, *library)
    compile_c("static", SOURCE, "-static", "-Dshared=second", *objects)
    subprocess.run(["strip", "program", "-o", "stripped"], check=True, cwd=folder)
    for name in ("source.c", "first.c", "second.c", *objects):
        (folder / name).unlink()
    (folder / "table.dat").write_text("1 2 3")
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return open_runs("bare", tmp_path_factory.mktemp("state"))


def order(*argv: str, **fields) -> RunOrder:
    return RunOrder(argv, Metric.CPU, **fields)


def take(runs: Runs, build: Path, *argv: str, **fields) -> Profile:
    taken = profile(runs, order(*argv, **fields), build, None, 0, Profiler.CALLGRIND)
    assert isinstance(taken, Profile), taken
    return taken


def take_case(runs: Runs, build: Path, what: str, program: str = "program") -> Profile:
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
IN_TURN = (
    "leaf",
    "middle",
    "fibonacci",
    "even",
    "odd",
    "apart",
    "unused",
    "in_child",
    "in_thread",
    "compare",
)
OFTEN = {*IN_TURN, "first", "second", "helper", "shared", "plugged", "inner"}


@pytest.mark.parametrize("what", CASES)
@pytest.mark.parametrize("program", ["program", "traced"])
def test_every_function_that_ran_is_seen_and_joined(runs, build, program, what):
    taken = take_case(runs, build, what, program)

    calls = {
        name: activity.calls for name, activity in by_name(taken).items() if name in {*OFTEN, *CASES[what]}
    }
    assert calls == CASES[what]
    assert taken.is_complete
    assert taken.nameless == 0
    assert "???" not in taken.outside
    reach = reach_of(taken, snapshot_of(build, program, "libshared.so", "plugin.so"))
    assert reach.unjoined == 0
    assert not reach.strays


@pytest.mark.parametrize("program", ["fixed", "static"])
@pytest.mark.parametrize("what", ["recursion", "section", "threads", "fork, exec", "same name"])
def test_programs_at_fixed_addresses_are_joined_as_well(runs, build, program, what):
    taken = take_case(runs, build, what, program)

    calls = {name: each.calls for name, each in by_name(taken).items() if name in CASES[what]}
    assert calls == CASES[what]
    assert taken.is_complete
    assert reach_of(taken, snapshot_of(build, program)).unjoined == 0


def test_of_two_static_functions_of_one_name_only_the_one_that_ran_is_reached(runs, build):
    taken = take_case(runs, build, "same name")

    assert [place for place in taken.activities if place.name == "helper"] == [
        Place("program", "first.c", "helper")
    ]


@BOTH
@pytest.mark.parametrize("what", ["recursion", "threads", "fork, exec"])
def test_all_instructions_that_are_measured_are_in_the_profile(tmp_path, build, kind, what):
    runs = open_runs(kind, tmp_path)
    wanted = RunOrder(("/sonde/build/program", what), Metric.INSTRUCTIONS, Meter.CALLGRIND)

    measured = dict(measure(runs, wanted, build).metrics)[Metric.INSTRUCTIONS]

    assert take_case(runs, build, what).total == pytest.approx(measured, rel=0.001)


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
@pytest.mark.parametrize("what", ["middle", "recursion", "callback", "section"])
def test_costs_are_those_that_callgrind_itself_sums_up(runs, build, tmp_path, what):
    file = tmp_path / "out"
    words = [find_valgrind() or "", "--quiet", "--tool=callgrind", f"--callgrind-out-file={file}"]
    subprocess.run([*words, str(build / "program"), what], check=True)

    found = by_name(take_case(runs, build, what))

    own, inclusive = annotate(file), annotate(file, "--inclusive=yes")
    ours = OFTEN & found.keys()
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

    assert taken.opened == {"table.dat", "missing.dat"}


def test_a_program_that_is_read_as_a_file_is_told(runs, build):
    assert take_case(runs, build, "itself").opened == {"program"}
    assert take_case(runs, build, "plugin").opened == frozenset()


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

    assert taken.activities[Place("fixed", "", "leaf")].calls == 1
    assert taken.activities[Place("plugin.so", "", "plugged")].calls == 1


def test_a_process_that_was_killed_leaves_the_profile_incomplete(runs, build):
    taken = take_case(runs, build, "killed")

    assert not taken.is_complete
    assert "main" in by_name(taken)


def test_a_stripped_program_has_no_functions(runs, build):
    taken = take_case(runs, build, "middle", "stripped")

    assert not any(place.output == "stripped" for place in taken.activities)
    assert taken.nameless > 1000


def test_what_the_setup_reaches_is_reached_but_costs_nothing(runs, build):
    taken = take(runs, build, "/sonde/build/program", "leaf", setup="/sonde/build/program middle; cat $SONDE")

    assert not taken.is_complete or by_name(taken)["middle"] == Activity(0, 0, 0)
    taken = take(runs, build, "/sonde/build/program", "leaf", setup="/sonde/build/program middle || true")
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
    assert "some would count twice" in failed.reason


def test_any_order_can_be_profiled(runs, build):
    printed = replace(order("/sonde/build/program", "leaf"), metric=Metric.PRINTED, pattern="(.)")
    counted = RunOrder(("/sonde/build/program", "leaf"), Metric.INSTRUCTIONS, Meter.CALLGRIND)

    for each in (printed, counted):
        taken = profile(runs, each, build, None, 0, Profiler.CALLGRIND)
        assert isinstance(taken, Profile)
        assert taken.seconds > 0


def test_the_profiler_follows_from_the_languages():
    if shutil.which("valgrind"):
        assert choose_profiler([Language.MACHINE], Processes(), Bare()) is Profiler.CALLGRIND
        assert choose_profiler([Language.MACHINE, Language.PYTHON], Processes(), Bare()) is Profiler.CALLGRIND
    assert choose_profiler([Language.PYTHON], Processes(), Bare()) is Profiler.PYTHON
