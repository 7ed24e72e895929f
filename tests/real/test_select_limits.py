"""Real programs that notice changes of code which they do not run: none of them may be proven unchanged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sonde.core.evidence import Profile, Snapshot
from sonde.core.results import Metric
from sonde.effects.profiles import Profiler, profile
from sonde.effects.runs import RunOrder, SandboxRuns
from sonde.effects.snapshots.reading import read_snapshot
from sonde.methods.selection.differences import difference_between
from sonde.methods.selection.exposure import exposure_to
from sonde.methods.selection.proof import Doubt, Proven, prove
from sonde.methods.selection.reach import reach_of
from tests.real.run_orders import open_runs

pytestmark = pytest.mark.needs("gcc", "valgrind")

PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#define APART __attribute__((noipa))
volatile unsigned sink;
APART void work(unsigned n) { while (n--) sink += n; }
APART void wide(unsigned n) { work(n); }
APART void plain(unsigned n) { work(n); }
APART void unused(void) { sink = 1; }
__attribute__((used, visibility("hidden"))) void flag(void) { sink = 2; }
int main(int count, char **words)
{
    const char *what = words[1];
    char path[4096] = "/proc/self/root";
    int file = -1;
    work(50000);
    if (strcmp(what, "itself") == 0) file = open("/proc/self/exe", O_RDONLY);
    if (strcmp(what, "root") == 0) file = open(strcat(strcat(path, words[2]), "/table.dat"), O_RDONLY);
    if (file >= 0) work(lseek(file, 0, SEEK_END) & 7);
    if (strcmp(what, "lookup") == 0) work(dlsym(RTLD_DEFAULT, "flag") != NULL);
    if (strcmp(what, "choose") == 0) {
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx512f")) wide(10); else plain(10);
    }
    return 0;
}
"""
THROWING = r"""
volatile unsigned sink;
__attribute__((noinline)) void raise(int n) { if (n) throw n; }
int main(int count, char **words)
{
    for (int i = 0; i < 200; i++) try { raise(count); } catch (int n) { sink += n; }
    return 0;
}
"""
LIBRARY = "volatile unsigned sink;\nvoid go(unsigned n) { while (n--) sink += n; }\n"
UNSEEN_BYTES = '__asm__(".pushsection .own,\\"\\",@progbits\\n.ascii \\"more\\"\\n.popsection");\n'


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> SandboxRuns:
    return open_runs("bare", tmp_path_factory.mktemp("state"))


def built(folder: Path, source: str, *words: str, suffix: str = ".c", table: str = "1") -> Path:
    folder.mkdir(parents=True)
    (folder / f"main{suffix}").write_text(source)
    compiler = "g++" if suffix == ".cc" else "gcc"
    command = [compiler, "-O1", "-w", "-rdynamic", *words, f"main{suffix}", "-o", "program"]
    subprocess.run(command, cwd=folder, check=True)
    (folder / f"main{suffix}").unlink()
    (folder / "table.dat").write_text(table)
    return folder


def snapshot_of(folder: Path) -> Snapshot:
    snapshot = read_snapshot(folder, sorted(file.name for file in folder.iterdir()))
    assert isinstance(snapshot, Snapshot), snapshot
    return snapshot


def profile_of(runs: SandboxRuns, build: Path, *argv: str) -> Profile:
    taken = profile(runs, RunOrder(argv, Metric.CPU), build, None, 0, Profiler.CALLGRIND)
    assert isinstance(taken, Profile), taken
    return taken


def proof(old: Path, new: Path, taken: Profile, metric: Metric = Metric.INSTRUCTIONS) -> Proven | Doubt:
    before, after = snapshot_of(old), snapshot_of(new)
    return prove(exposure_to(difference_between(before, after), reach_of(taken, before)), taken, metric)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("limits") / "old", PROGRAM)


OTHERWISE_UNUSED = ("sink = 1;", "sink = 3;")
CASES = {
    "itself": ("int main", UNSEEN_BYTES + "int main"),
    "lookup": ('__attribute__((used, visibility("hidden"))) void', "__attribute__((used)) void"),
}


@pytest.mark.parametrize("what", CASES)
def test_what_a_program_asks_of_itself_must_not_change(what, runs, old, tmp_path):
    taken = profile_of(runs, old, "/sonde/build/program", what)

    changed = built(tmp_path / "new", PROGRAM.replace(*CASES[what]))
    assert isinstance(proof(old, changed, taken), Doubt)
    unused = built(tmp_path / "unused", PROGRAM.replace(*OTHERWISE_UNUSED))
    assert isinstance(proof(old, unused, taken), Proven if what == "lookup" else Doubt)


def test_a_file_of_the_build_can_be_reached_through_the_root_of_a_process(runs, old, tmp_path):
    taken = profile_of(runs, old, "/sonde/build/program", "root", "/sonde/build")

    assert isinstance(proof(old, built(tmp_path / "new", PROGRAM, table="22"), taken), Doubt)
    assert isinstance(proof(old, built(tmp_path / "same", PROGRAM), taken), Proven)


def test_what_is_appended_to_a_program_is_a_part_of_it(old, tmp_path):
    new = built(tmp_path / "new", PROGRAM)
    with (new / "program").open("ab") as file:
        file.write(b"00010")

    assert snapshot_of(new).fingerprint != snapshot_of(old).fingerprint
    assert snapshot_of(new).functions == snapshot_of(old).functions


@pytest.mark.parametrize(("metric", "is_proven"), [(Metric.INSTRUCTIONS, True), (Metric.WALL, False)])
def test_for_times_a_program_may_choose_other_code_than_it_does_under_a_profiler(
    metric, is_proven, runs, old, tmp_path
):
    taken = profile_of(runs, old, "/sonde/build/program", "choose")
    longer = PROGRAM.replace("wide(unsigned n) { work(n); }", "wide(unsigned n) { work(n); work(n); }")
    unused = PROGRAM.replace(*OTHERWISE_UNUSED)

    assert isinstance(proof(old, built(tmp_path / "new", longer), taken, metric), Proven) is is_proven
    assert isinstance(proof(old, built(tmp_path / "unused", unused), taken, metric), Proven)


def test_code_is_chosen_only_where_the_processor_is_asked_for(old, tmp_path):
    assert snapshot_of(old).programs["program"].dispatches
    # These bytes are those of `cpuid`, but within another instruction.
    plain = built(tmp_path / "plain", "int main(int n, char **v) { return n + 0x11a20f11; }")
    assert b"\x0f\xa2" in (plain / "program").read_bytes()
    assert not snapshot_of(plain).programs["program"].dispatches


@pytest.mark.needs("g++")
def test_functions_that_come_make_throwing_longer(runs, tmp_path):
    before = built(tmp_path / "old", THROWING, suffix=".cc")
    more = "".join(f"unsigned more{i}(unsigned n) {{ return n * {i} + sink; }}\n" for i in range(50))
    taken = profile_of(runs, before, "/sonde/build/program")

    after = built(tmp_path / "new", THROWING + more, suffix=".cc")
    assert isinstance(proof(before, after, taken), Doubt)
    assert isinstance(proof(before, built(tmp_path / "same", THROWING, suffix=".cc"), taken), Proven)


@pytest.mark.slow
def test_what_libffi_calls_is_not_seen_and_the_profile_says_so(runs, tmp_path):
    build = built(tmp_path / "old", LIBRARY, "-shared", "-fPIC")
    script = "import ctypes; ctypes.CDLL('/sonde/build/program').go(9)"
    taken = profile_of(runs, build, sys.executable, "-S", "-c", script)

    assert not taken.is_complete
    assert "libffi" in taken.gap
