"""What can be measured here, and what would have to be installed for the rest."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from sonde.core.errors import MissingTool
from sonde.effects.bitcode.clang import find_clang
from sonde.effects.runs.counter import can_be_made
from sonde.effects.sandbox.finding import Unavailable, find_sandbox

OLDEST_GIT = (2, 31)

_TIMEOUT_SECONDS = 20.0
_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


class State(Enum):
    """How far something works."""

    WORKS = "works"
    LIMITED = "limited"  # it is there, but does not do all that it could
    MISSING = "missing"


@dataclass(frozen=True)
class Capability:
    """Something that Sonde can use, and whether it can do so here."""

    name: str
    state: State
    sentence: str
    remedy: str = ""  # what to do; empty if nothing needs to be done


@dataclass(frozen=True)
class Reply:
    """What a program printed and ended with; no code: it could not be run, or took too long."""

    code: int | None
    text: str


def probe_capabilities() -> tuple[Capability, ...]:
    """What can be measured here and how, the metrics first; each was really tried."""
    probes: tuple[Callable[[], Capability], ...] = (
        _probe_usage,
        _probe_valgrind,
        _probe_perf,
        _probe_sandbox,
        _probe_git,
        _probe_compiler,
        _probe_ccache,
        _probe_clang,
    )
    with ThreadPoolExecutor(max_workers=len(probes)) as pool:
        return tuple(pool.map(lambda probe: probe(), probes))


def _probe_usage() -> Capability:
    return Capability("cpu, wall, memory", State.WORKS, "The kernel counts them for every run.")


def _probe_valgrind() -> Capability:
    return judge_valgrind(_ask("valgrind", "--tool=none", "-q", "true"), can_be_made())


def judge_valgrind(reply: Reply, can_count: bool) -> Capability:
    """Whether valgrind can count instructions; for that, it needs a tool that is compiled on this machine."""
    name = "instructions, by valgrind"
    if reply.code is None:
        sentence = "valgrind, which counts instructions without any noise, is not installed."
        return Capability(name, State.MISSING, sentence, "apt-get install valgrind")
    if reply.code != 0:
        sentence = f"valgrind does not run: {_first_line(reply.text)}"
        return Capability(name, State.MISSING, sentence, "apt-get install valgrind libc6-dbg")
    if not can_count:
        sentence = "A C compiler or valgrind's libraries are missing, which the counter is built from."
        return Capability(name, State.MISSING, sentence, "apt-get install gcc valgrind")
    return Capability(
        name, State.WORKS, "valgrind counts instructions without any noise, 3 to 30 times slower."
    )


def _probe_perf() -> Capability:
    reply = _ask("perf", "stat", "-x", ",", "-e", "instructions:u", "true")
    return judge_perf(reply, _PARANOID.read_text().strip() if _PARANOID.exists() else "")


def judge_perf(reply: Reply, paranoid: str) -> Capability:
    """Whether the processor's counters really count; perf ends well even where they do not."""
    name = "instructions, by counters"
    if reply.code is None:
        sentence = "perf, which reads the processor's counters, is not installed."
        return Capability(name, State.MISSING, sentence, "apt-get install linux-perf")
    count = re.search(r"^(\d+),[^,]*,instructions", reply.text, re.MULTILINE)
    if count and int(count[1]) > 0:
        return Capability(name, State.WORKS, "The processor counts instructions at full speed.")
    if "<not supported>" in reply.text:
        sentence = (
            "This processor has no accessible counters, as in most virtual machines; valgrind counts instead."
        )
        return Capability(name, State.MISSING, sentence)
    if paranoid.isdigit() and int(paranoid) > 2:
        sentence = f"The kernel forbids counters (perf_event_paranoid is {paranoid})."
        return Capability(name, State.MISSING, sentence, "sysctl kernel.perf_event_paranoid=2")
    sentence = f"perf counts nothing: {_first_line(reply.text)}"
    return Capability(name, State.MISSING, sentence, "perf stat -e instructions:u true")


def _probe_git() -> Capability:
    return judge_git(_ask("git", "--version"))


def judge_git(reply: Reply) -> Capability:
    """Whether git is there and new enough."""
    found = re.search(r"(\d+)\.(\d+)[\w.]*", reply.text)
    oldest = ".".join(map(str, OLDEST_GIT))
    if reply.code != 0 or not found:
        return Capability(
            "git",
            State.MISSING,
            "git, which Sonde uses to read revisions, is missing.",
            "apt-get install git",
        )
    if (int(found[1]), int(found[2])) < OLDEST_GIT:
        sentence = f"git {found[0]} is too old: Sonde needs {oldest}."
        return Capability("git", State.LIMITED, sentence, "apt-get install git")
    return Capability("git", State.WORKS, f"git {found[0]} reads and checks out revisions.")


def _probe_compiler() -> Capability:
    reply = _ask("cc", "--version")
    if reply.code != 0:
        sentence = "There is no C compiler; subjects in C and the demo need one."
        return Capability("compiler", State.MISSING, sentence, "apt-get install build-essential")
    return Capability("compiler", State.WORKS, f"{_first_line(reply.text)}.")


def _probe_ccache() -> Capability:
    reply = _ask("ccache", "--version")
    if reply.code != 0:
        sentence = "Without ccache, builds of adjacent revisions take about five times longer."
        return Capability("ccache", State.MISSING, sentence, "apt-get install ccache")
    return Capability(
        "ccache", State.WORKS, f"{_first_line(reply.text)} shortens the builds of adjacent revisions."
    )


def _probe_clang() -> Capability:
    try:
        found = find_clang()
    except MissingTool:
        sentence = "There is no clang whose bitcode can be read; only `sonde impact` needs it."
        return Capability("clang", State.MISSING, sentence, "apt-get install clang")
    return Capability("clang", State.WORKS, f"{found.version}, for `sonde impact`.")


def _probe_sandbox() -> Capability:
    found = find_sandbox()
    return judge_sandbox(found.reason if isinstance(found, Unavailable) else "")


def judge_sandbox(trouble: str) -> Capability:
    """Whether builds and runs can be kept apart from the rest of the machine."""
    if not trouble:
        return Capability("sandbox", State.WORKS, "bubblewrap isolates builds and runs from your files.")
    remedy = "apt-get install bubblewrap" if "not installed" in trouble else ""
    return Capability("sandbox", State.MISSING, trouble, remedy)


def _ask(*words: str) -> Reply:
    try:
        ended = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return Reply(None, "")
    return Reply(ended.returncode, ended.stdout.decode(errors="replace"))


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "it prints nothing")
