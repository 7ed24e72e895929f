"""A state folder on a disk that is soon full: a file system in memory, which no other process sees."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.real.repositories import ENVIRONMENT
from tests.real.subjects import SONDE

SIZE_BYTES = 3_000_000
FILLER = "filler"


@dataclass(frozen=True)
class Step:
    """What a command printed, and its exit code."""

    code: int
    said: str


def on_small_disk(project: Path, *steps: str) -> list[Step]:
    """What came of each step, a line of the shell, where `.sonde` of the project is a small disk.

    `$SONDE` is the program, and `fill N` leaves N bytes free.
    """
    state = project / ".sonde"
    state.mkdir(exist_ok=True)
    (project / "said").mkdir(exist_ok=True)
    lines = [f"SONDE={shlex.quote(shlex.join(SONDE))}", _FILL.format(filler=state / FILLER, state=state)]
    for number, step in enumerate(steps):
        lines += [f"{{ {step}\n}} > said/{number} 2>&1", f"echo $? > said/{number}.code"]
    room = ("--size", str(SIZE_BYTES), "--tmpfs", str(state))
    words = ("bwrap", "--dev-bind", "/", "/", *room, "--die-with-parent", "--chdir", str(project), "--")
    subprocess.run([*words, "bash", "-c", "\n".join(lines)], check=True, env=ENVIRONMENT | {"CI": "1"})
    return [_step(project / "said" / str(number)) for number in range(len(steps))]


_FILL = """\
fill() {{
  head -c $(($(df --output=avail --block-size=1 {state} | tail -1) - $1)) /dev/zero > {filler}
}}"""


def _step(file: Path) -> Step:
    said = file.read_text()
    assert "Traceback" not in said, said
    return Step(int(file.with_suffix(".code").read_text()), said)
