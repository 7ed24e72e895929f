"""Profiles of Python programs, in all their threads and processes, and of sampled programs."""

import sys
from pathlib import Path

import pytest

from sonde.core.evidence import Activity, Aspect, CostUnit, Profile, ProfiledFunction, Snapshot
from sonde.core.results import Failed, Metric
from sonde.effects.profiles import Profiler, profile
from sonde.effects.runs import RunOrder, SandboxRuns, in_shell
from sonde.effects.sandbox.processes import PYTHON
from sonde.effects.snapshots.reading import read_snapshot
from sonde.methods.selection.reach import reach_of
from tests.real.run_orders import open_runs
from tests.real.sandboxes import BOTH, compile_program

PACKAGE = {
    "pack/__init__.py": "from pack.work import Thing, total\n",
    "pack/data.json": "{}",
    "pack/readme.txt": "nothing reads it",
    "pack/work.py": """
import _thread
import cProfile
import inspect
import json
import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    import pack_speedups
except ImportError:
    pack_speedups = None


class Thing:
    def method(self, n):
        return sum(x * x for x in range(n))


def total(n):
    return n if n < 2 else total(n - 1) + total(n - 2)


def in_thread():
    return 1


def in_raw_thread(lock):
    lock.release()


def in_executor(n):
    return n + 1


def in_fork():
    return 2


def in_pool(n):
    return n + 2


def in_process():
    return 3


def in_program():
    return 4


def before_becoming():
    return 5


def unused():
    return 6


def paused():
    return 7


class Ending:
    def __del__(self):
        at_end()


def at_end():
    return 8


def profiled():
    cProfile.Profile().runcall(unused)


def do(what):
    here = Path(__file__).parent
    if what == "call":
        Thing().method(10)
        total(5)
    if what == "threads":
        thread = threading.Thread(target=in_thread)
        thread.start()
        thread.join()
        with ThreadPoolExecutor(2) as executor:
            list(executor.map(in_executor, range(5)))
        lock = _thread.allocate_lock()
        lock.acquire()
        _thread.start_new_thread(in_raw_thread, (lock,))
        lock.acquire()
    if what == "processes":
        if os.fork() == 0:
            in_fork()
            os._exit(0)
        os.wait()
        pool = multiprocessing.get_context("fork").Pool(2)
        pool.map(in_pool, [1, 2, 3])
        pool.close()
        pool.join()
        process = multiprocessing.get_context("fork").Process(target=in_process)
        process.start()
        process.join()
        command = "import pack.work; pack.work.in_program()"
        subprocess.run([sys.executable, "-c", command], check=True)
    if what == "become":
        before_becoming()
        os.execv(sys.executable, [sys.executable, "-c", "import pack.work; pack.work.in_program()"])
    if what == "pause":  # as pytest-benchmark does
        before = sys.getprofile()
        if before:
            sys.setprofile(None)
        paused()
        if before:
            sys.setprofile(before)
    if what == "profile":
        sys.setprofile(lambda *_: None)
    if what == "files":
        json.loads((here / "data.json").read_text())
        (here / "missing.json").exists()
    if what == "end":
        global kept
        kept = Ending()
    if what == "source":
        inspect.getsource(unused)
    if what == "source, by a program":
        subprocess.run(["cat", __file__], check=True)
    if what == "docstring":
        return len(do.__doc__ or "")
    if what == "line":
        return do.__code__.co_firstlineno
    if what == "template":
        name = str(here / "readme.txt")
        exec(compile("def rendered():\\n    pass\\nrendered()", name, "exec"))
    if what == "profile in a thread":
        thread = threading.Thread(target=profiled)
        thread.start()
        thread.join()
    if what == "list, by a program":
        subprocess.run(["ls", here], check=True)
    if what == "list":
        sorted(os.listdir(here))
    if what == "killed" and os.fork() == 0:
        os.kill(os.getpid(), 9)
    if what == "fails":
        sys.exit(3)
""",
    "main.py": "import sys\nimport pack.work\n\nif __name__ == '__main__':\n    pack.work.do(sys.argv[1])\n",
}
OUTPUTS = [name for name in PACKAGE if name.endswith(".py")]


@pytest.fixture
def build(tmp_path) -> Path:
    for name, text in PACKAGE.items():
        (tmp_path / "build" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "build" / name).write_text(text)
    return Path(tmp_path, "build")


@pytest.fixture
def runs(tmp_path) -> SandboxRuns:
    return open_runs("bare", tmp_path / "state")


def take(runs: SandboxRuns, build: Path, *argv: str) -> Profile:
    variables = (("PYTHONPATH", "/sonde/build"), ("PYTHONDONTWRITEBYTECODE", "1"))
    taken = profile(runs, RunOrder(argv, Metric.CPU, variables=variables), build, None, 0, Profiler.PYTHON)
    assert isinstance(taken, Profile), taken
    return taken


def take_case(runs: SandboxRuns, build: Path, what: str) -> Profile:
    return take(runs, build, PYTHON, "/sonde/build/main.py", what)


def calls(taken: Profile, output: str = "pack/work.py") -> dict[str, int]:
    names = ("<module>", "do", "Thing", "Ending")
    found = {place.name: each.calls for place, each in taken.activities.items() if place.output == output}
    return {name: number for name, number in found.items() if name not in names}


CASES = {
    "call": {"Thing.method": 1, "Thing.method.<locals>.<genexpr>": 11, "total": 15},
    "threads": {"in_thread": 1, "in_executor": 5, "in_raw_thread": 1},
    "processes": {"in_fork": 1, "in_pool": 3, "in_process": 1, "in_program": 1},
    "become": {"before_becoming": 1, "in_program": 1},
    "pause": {"paused": 1},
    "end": {"Ending.__del__": 1, "at_end": 1},
}


@pytest.mark.needs("strace")
@BOTH
@pytest.mark.parametrize("what", CASES)
def test_every_function_that_ran_is_seen_and_joined(tmp_path, build, kind, what):
    taken = take_case(open_runs(kind, tmp_path / "state"), build, what)

    assert calls(taken) == CASES[what]
    assert calls(taken, "main.py") == {}
    assert taken.unit is CostUnit.NANOSECONDS
    assert taken.is_complete
    assert taken.nameless == 0
    snapshot = read_snapshot(build, OUTPUTS)
    assert isinstance(snapshot, Snapshot)
    assert not reach_of(taken, snapshot).strays


def test_a_recursive_function_contains_itself_once(runs, build):
    taken = take_case(runs, build, "call")

    total = taken.activities[ProfiledFunction("pack/work.py", "", "total")]
    assert (
        0
        < total.own
        <= total.inclusive
        <= taken.activities[ProfiledFunction("pack/work.py", "", "do")].inclusive
    )


@pytest.mark.parametrize("line", ["PYTHONPATH=/sonde/build", "P=PYTHON; env ${P}PATH=/sonde/build"])
def test_a_command_may_set_the_path_itself(runs, build, line):
    taken = take(runs, build, *in_shell(f"{line} {PYTHON} /sonde/build/main.py call"))

    assert calls(taken) == CASES["call"]


def test_another_sitecustomize_still_acts(runs, build):
    (build / "sitecustomize.py").write_text("import pack.work\npack.work.unused()\n")

    assert calls(take_case(runs, build, "call")) == {**CASES["call"], "unused": 1}


@pytest.mark.needs("strace")
@BOTH
def test_files_that_were_asked_for_are_told(tmp_path, build, kind):
    taken = take_case(open_runs(kind, tmp_path / "state"), build, "files")

    assert taken.opened is not None
    outputs = {file.relative_to(build).as_posix() for file in build.rglob("*")}
    assert taken.opened & outputs == {"pack/data.json"}
    assert "pack/missing.json" in taken.opened
    assert taken.modules is not None
    assert {"pack", "work", "pack_speedups"} <= taken.modules


@pytest.mark.needs("strace")
@pytest.mark.parametrize(
    ("what", "opened"),
    [
        ("call", set()),
        ("list", {"pack"}),
        ("list, by a program", {"pack"}),
        ("source", {"pack/work.py"}),
        ("source, by a program", {"pack/work.py"}),
    ],
)
def test_modules_that_were_read_and_folders_that_were_listed_are_told(runs, build, what, opened):
    taken = take_case(runs, build, what)

    assert taken.opened is not None
    outputs = {file.relative_to(build).as_posix() for file in build.rglob("*")} | {"."}
    assert taken.opened & outputs == opened
    assert taken.is_complete


@pytest.mark.parametrize(
    ("what", "aspects"), [("call", set()), ("docstring", {Aspect.DOCSTRINGS}), ("line", {Aspect.LINES})]
)
def test_what_a_program_may_look_at_is_known_from_the_functions_that_ran(runs, build, what, aspects):
    # `do` can do everything, so it must not be what tells.
    work = build / "pack" / "work.py"
    cases = {"docstring": "__doc__", "line": "co_firstlineno"}
    for name in cases.keys() - {what}:
        work.write_text(work.read_text().replace(cases[name], "__name__"))

    assert take_case(runs, build, what).aspects == aspects


def test_the_interpreter_and_its_options_are_told(runs, build):
    ours = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"

    assert take_case(runs, build, "call").interpreters == {ours}
    line = f"{PYTHON} /sonde/build/main.py call; {PYTHON} -O /sonde/build/main.py call"
    assert take(runs, build, *in_shell(line)).interpreters == {ours, f"{ours} -O"}


def test_code_from_a_file_that_is_no_module_is_outside_of_the_build(runs, build):
    taken = take_case(runs, build, "template")

    assert {place.output for place in taken.activities} == {"main.py", "pack/__init__.py", "pack/work.py"}
    assert any(path.endswith("/pack/readme.txt") for path in taken.outside)
    assert not any(path.endswith("/pack/readme.txt") for path in taken.outside_files)


@pytest.mark.needs("strace")
def test_a_python_that_ignores_its_environment_leaves_the_profile_incomplete(runs, build):
    line = f"{PYTHON} /sonde/build/main.py call; {PYTHON} -I -c 1"

    assert not take(runs, build, *in_shell(line)).is_complete


@pytest.mark.needs("strace")
@pytest.mark.parametrize(
    ("what", "gap"),
    [
        ("killed", "a Python process was killed"),
        ("profile", "the program profiles itself"),
        ("profile in a thread", "another profiler took the place of Sonde's"),
    ],
)
def test_what_cannot_be_seen_leaves_the_profile_incomplete(runs, build, what, gap):
    taken = take_case(runs, build, what)

    assert not taken.is_complete
    assert taken.gap == gap


@pytest.mark.needs("strace")
def test_a_script_among_the_files_of_a_benchmark_is_none_that_could_change(runs, build, tmp_path):
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "bench.py").write_text("import pack.work\npack.work.total(3)\n")
    variables = (("PYTHONPATH", "/sonde/build"),)
    order = RunOrder((PYTHON, "bench.py"), Metric.CPU, variables=variables)

    taken = profile(runs, order, build, tmp_path / "inputs", 0, Profiler.PYTHON)

    assert isinstance(taken, Profile)
    assert taken.outside_files
    assert not any(path.endswith("bench.py") for path in taken.outside_files)


def test_modules_and_libraries_outside_of_the_build_are_known_by_their_bytes(runs, build):
    taken = take_case(runs, build, "call")

    assert any(path.endswith("/threading.py") for path in taken.outside_files)
    assert any("python3" in Path(path).name for path in taken.outside_files)
    assert all(taken.outside_files.values())
    assert not any("/sonde" in path or str(build) in path for path in taken.outside_files)


def test_a_run_without_python_is_told(runs, build):
    failed = profile(runs, RunOrder(("true",), Metric.CPU), build, None, 0, Profiler.PYTHON)

    assert isinstance(failed, Failed)
    assert failed.reason.startswith("The run ended well, but no Python process was profiled.")


def test_a_benchmark_that_fails_has_no_profile(runs, build):
    order = RunOrder((sys.executable, "/sonde/build/main.py", "fails"), Metric.CPU)

    failed = profile(runs, order, build, None, 0, Profiler.PYTHON)

    assert isinstance(failed, Failed)
    assert failed.reason == "The benchmark ended with exit code 3."


@pytest.mark.needs("perf", "cc")
@BOTH
def test_samples_tell_where_the_time_is_spent(tmp_path, kind):
    compile_program(tmp_path / "build")
    order = RunOrder(("/sonde/build/program", "burn", "300000000"), Metric.CPU)

    taken = profile(open_runs(kind, tmp_path / "state"), order, tmp_path / "build", None, 0, Profiler.PERF)

    if isinstance(taken, Failed):
        pytest.skip(taken.reason)
    burn = taken.activities[ProfiledFunction("program", "", "burn")]
    assert taken.unit is CostUnit.SAMPLES
    assert not taken.is_complete
    assert burn == Activity(0, burn.own, burn.own)
    assert burn.own > 0.8 * taken.total
