"""The instructions of a run by plain cachegrind, without a sandbox and without code of Sonde around it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from sonde.effects.runs import BUILD, RunOrder
from sonde.effects.runs.orders import SCRATCH

CACHEGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
}


def count(order: RunOrder, build: Path, inputs: Path) -> int:
    """What all processes of one run execute; its setup does not count."""
    with tempfile.TemporaryDirectory(prefix="counting-") as name:
        folder = Path(name)
        (folder / "build").symlink_to(build)
        shutil.copytree(inputs, folder / "scratch")
        environment = {**ENVIRONMENT, "HOME": f"{name}/scratch", **dict(order.variables)}
        environment = {key: _placed(value, folder) for key, value in environment.items()}
        if order.setup:
            setup = _placed(order.setup, folder)
            subprocess.run(setup, shell=True, cwd=folder / "scratch", env=environment, check=True)
        words = [
            *("setarch", "-R", *CACHEGRIND, "--trace-children=yes", f"--log-file={name}/log.%p"),
            *(_placed(word, folder) for word in order.argv),
        ]
        stdin = (folder / "scratch" / order.stdin).open() if order.stdin else None
        subprocess.run(
            words,
            cwd=folder / "scratch",
            env=environment,
            stdin=stdin or subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        logs = "".join(each.read_text() for each in folder.glob("log.*"))
        return sum(int(found.replace(",", "")) for found in re.findall(r"I\s+refs:\s+([\d,]+)", logs))


def _placed(text: str, folder: Path) -> str:
    return text.replace(BUILD, f"{folder}/build").replace(SCRATCH, f"{folder}/scratch")
