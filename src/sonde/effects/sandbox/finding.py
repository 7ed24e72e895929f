"""Finds out whether bubblewrap works here, and if not, why."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sonde.effects.sandbox.bubblewrap import Bubblewrap
from sonde.effects.sandbox.processes import PYTHON
from sonde.effects.sandbox.worlds import SandboxView

OTHERWISE = "or pass --no-sandbox: builds and benchmarks can then access the whole machine and the network."
NOT_INSTALLED = f"bubblewrap is not installed. Install the Debian package bubblewrap, {OTHERWISE}"

# A setting that forbids namespaces to ordinary users -> the value that does so
FORBIDDING = {
    "kernel/unprivileged_userns_clone": "0",  # Debian, until 11
    "kernel/apparmor_restrict_unprivileged_userns": "1",  # Ubuntu, from 23.10 on
    "user/max_user_namespaces": "0",
}
ALLOWING = {
    "kernel/unprivileged_userns_clone": "1",
    "kernel/apparmor_restrict_unprivileged_userns": "0",
    "user/max_user_namespaces": "10000",
}


@dataclass(frozen=True)
class Unavailable:
    """There is no sandbox here."""

    reason: str  # what is missing, and what to do


@functools.cache
def find_sandbox() -> Bubblewrap | Unavailable:
    """The sandbox, tried once a process, or the reason why there is none."""
    program = shutil.which("bwrap")
    if program is None:
        return Unavailable(NOT_INSTALLED)
    sandbox = Bubblewrap(program)
    words = sandbox.wrap(SandboxView(), (PYTHON, "-I", "-S", "-c", "import os, select, fcntl"))
    try:
        tried = subprocess.run(
            words, check=False, capture_output=True, stdin=subprocess.DEVNULL, env={}, timeout=60
        )
    except subprocess.TimeoutExpired:
        return Unavailable(explain("it did not end within 60 s", {}))
    if tried.returncode == 0:
        return sandbox
    return Unavailable(explain(tried.stderr.decode(errors="replace"), _settings()))


def _settings() -> Mapping[str, str]:
    files = {name: Path("/proc/sys", name) for name in FORBIDDING}
    return {name: file.read_text().strip() for name, file in files.items() if file.exists()}


def explain(complaint: str, settings: Mapping[str, str]) -> str:
    """Why bubblewrap does not work and what to do, from what it printed and the kernel's settings."""
    said = " ".join(complaint.split())[:500] or "it printed nothing"
    is_forbidden = any(words in complaint for words in ("namespace", "uid map", "Operation not permitted"))
    for name, value in FORBIDDING.items():
        if is_forbidden and settings.get(name) == value:
            setting = name.replace("/", ".")
            return (
                f"bubblewrap is not permitted to create user namespaces here, because {setting} is "
                f"{value} ({said}). Run `sysctl -w {setting}={ALLOWING[name]}` as root, {OTHERWISE}"
            )
    if is_forbidden:
        return (
            f"bubblewrap is not permitted to create namespaces here ({said}). In a container, "
            "allow them (docker: --security-opt seccomp=unconfined, podman: --privileged), "
            f"{OTHERWISE}"
        )
    return f"bubblewrap does not work here: {said}. Fix that, {OTHERWISE}"
