"""Instructions, counted by a tool of our own for valgrind (counter.c), which is compiled once a state folder.

It takes about a fifth of the time of callgrind, and sees each fork and each program that a process becomes,
by whatever system call. What it counts comes through a pipe that a run can write to and not read or remove:
what was told cannot be taken back. Valgrind and the program share their memory, so a program that looks for
the counter there can change it; that is its own number, as if it had done less when it is counted.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sonde.core.errors import MissingTool
from sonde.effects.half_made import new_folder
from sonde.effects.runs.gauging import find_compiler
from sonde.effects.runs.instruments import RunFolders, Variables, Words, join_complaints
from sonde.effects.runs.orders import METER
from sonde.effects.runs.valgrind import LIBRARY, LOG, LOGS, OF_ALL_CHILDREN, find_programs, find_valgrind
from sonde.effects.sandbox import Processes

SOURCE = Path(__file__).with_name("counter.c")
PIPE = "counts"  # in the library, which the run cannot change
PIPE_BYTES = 1 << 20  # room for some 100,000 programs; a fuller pipe makes the run wait
COUNTED = "counted"  # beside the meter's folder: what came through the pipe

# How valgrind calls processors, and how many bits its tools for them have.
PLATFORMS = {"x86_64": {"amd64": 64, "x86": 32}, "aarch64": {"arm64": 64}}
PLACES = ("usr/lib/*/valgrind", "usr/lib/valgrind", "usr/lib64/valgrind", "usr/local/lib/valgrind")
HEADERS = ("/usr/include/valgrind", "/usr/local/include/valgrind")
FLAGS = (
    *("-O2", "-s", "-w", "-std=gnu99", "-fno-stack-protector", "-fno-strict-aliasing", "-fno-builtin"),
    *("-fno-pie", "-no-pie", "-static", "-nodefaultlibs", "-nostartfiles", "-nostdlib", "-u", "_start"),
    *("-Wl,--build-id=none", "-Wl,-Ttext-segment=0x58000000"),  # where valgrind expects its tools
)

NOT_OURS = "The instructions cannot be counted, because the benchmark wrote to the pipe of the counter."


def find_parts() -> tuple[Path, Path] | None:
    """The folders with valgrind's own libraries and headers, of which tools are made, or None."""
    folders = (folder for place in PLACES for folder in Path("/").glob(place))
    libraries = next((each for each in folders if any(each.glob("libcoregrind-*-linux.a"))), None)
    headers = next((Path(each) for each in HEADERS if (Path(each) / "pub_tool_tooliface.h").exists()), None)
    return (libraries, headers) if libraries and headers else None


def can_be_made() -> bool:
    """Whether all is there that the counter needs."""
    return bool(find_valgrind() and find_compiler() and find_parts() and platform.machine() in PLATFORMS)


def counter_version() -> str:
    """Tells counters of different sources apart."""
    return f"counter-{hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]}"


def make_counter(state: Path, processes: Processes) -> Path:
    """The folder with the counter and with what of valgrind it needs; raises MissingTool."""
    tools = state / "tools"
    compiler, parts, programs = find_compiler(), find_parts(), find_programs()
    if compiler is None or parts is None or programs is None:
        raise MissingTool(
            "Instructions cannot be counted: valgrind or a C compiler is missing. Install both."
        )
    installed = parts[0].stat().st_mtime_ns  # another valgrind needs another counter
    ready = tools / f"{counter_version()}-{installed:x}"
    if ready.exists():
        return ready
    tools.mkdir(parents=True, exist_ok=True)
    with new_folder(tools) as folder:
        made = folder / LIBRARY
        made.mkdir()
        failed = ""
        for name, bits in PLATFORMS[platform.machine()].items():
            words = _compiling(compiler, *parts, name, bits, made / f"sonde-{name}-linux")
            ended = processes.run(words, timeout_seconds=120.0)
            failed = failed or ("" if ended.succeeded or bits == 32 else ended.last_output(1000))
        if failed:
            raise MissingTool(f"The counter of instructions cannot be compiled by {compiler}: {failed}")
        for file in (programs / "default.supp", *programs.glob("vgpreload_core-*-linux.so")):
            shutil.copy(file, made)
        with suppress(OSError):  # another Sonde was faster
            made.rename(ready)
    return ready


def _compiling(
    compiler: str, libraries: Path, headers: Path, name: str, bits: int, program: Path
) -> tuple[str, ...]:
    meant = (f"-DVGA_{name}=1", "-DVGO_linux=1", f"-DVGP_{name}_linux=1", f"-DVGPV_{name}_linux_vanilla=1")
    parts = (str(libraries / f"lib{part}-{name}-linux.a") for part in ("coregrind", "vex", "gcc-sup"))
    wide = () if name == "arm64" else (f"-m{bits}",)
    return (compiler, *wide, *FLAGS, *meant, f"-I{headers}", "-o", f"{program}", f"{SOURCE}", *parts, "-lgcc")


def wrap(argv: Words, valgrind: str) -> Words:
    """The words that count the instructions of `argv` and of all that it starts."""
    return (
        *(valgrind, "--quiet", "--tool=sonde", "--vgdb=no", "--trace-children=yes"),
        *OF_ALL_CHILDREN,
        f"--log-file={METER}/{LOGS}/{LOG}.%p",
        f"--counts={METER}/{LIBRARY}/{PIPE}",
        "--",
        *argv,
    )


@dataclass(frozen=True)
class CounterMeter:
    """Counts the instructions of all processes."""

    counter: Path  # the folder that `make_counter` has made
    writes: bool = True
    programs: Words = (LIBRARY,)
    variables: Variables = (("VALGRIND_LIB", f"{METER}/{LIBRARY}"),)
    around_gauge: Words = ()

    def wrap(self, argv: Words, variables: Mapping[str, str]) -> Words:
        """The words that run it under the counter."""
        return wrap(argv, find_valgrind() or "valgrind")

    @contextmanager
    def attached(self, meter: Path, appears_as: str) -> Iterator[None]:
        """Hold the pipe open as long as it runs, and keep what came through it."""
        (meter / LOGS).mkdir(parents=True)
        shutil.copytree(self.counter, meter / LIBRARY)
        os.mkfifo(meter / LIBRARY / PIPE, 0o600)
        pipe = os.open(meter / LIBRARY / PIPE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        (meter / LIBRARY / PIPE).chmod(0o200)  # who could read it could take counts away
        try:
            with suppress(OSError):  # where it may not grow, it holds some thousand programs
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            yield
            (meter.parent / COUNTED).write_bytes(b"".join(_pieces(pipe)))
        finally:
            os.close(pipe)

    def read(self, scene: RunFolders) -> float | str:
        """The instructions, or why they are not known."""
        return sum_counts((scene.meter.parent / COUNTED).read_bytes())

    def read_complaints(self, meter: Path) -> str:
        """What valgrind itself has printed."""
        return join_complaints(sorted((meter / LOGS).glob("*")), lambda line: not line.startswith("=="))


def _pieces(pipe: int) -> Iterator[bytes]:
    with suppress(BlockingIOError):
        while piece := os.read(pipe, PIPE_BYTES):
            yield piece


def sum_counts(told: bytes) -> float | str:
    """The sum of all lines, or why it is not known."""
    lines = told.splitlines()
    if not lines:
        return "The run ended well, but its instructions could not be counted."
    if not all(line.isdigit() and len(line) <= 20 for line in lines):
        return NOT_OURS
    return float(sum(map(int, lines)))
