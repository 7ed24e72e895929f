"""Builds once more with line numbers, for projects whose builds have none."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sonde.core.code_lines import CodeLines
from sonde.core.results import Failed
from sonde.effects.bitcode.wrappers import compilers_on
from sonde.effects.builds.orders import TREE
from sonde.effects.builds.outputs import Outputs
from sonde.effects.debug_lines.joining import read_code_lines
from sonde.effects.sandbox import Mount, Sandbox, SandboxView

WRAPPERS = "/sonde/debug"
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class DebugBuild:
    """A build whose compilers are asked for line numbers: what `Builder.visit` needs to know."""

    folder: Path  # empty; it may be removed afterwards
    built: Path  # the outputs of the usual build
    outputs: Sequence[str]
    sandbox: Sandbox

    def equip(self, world: SandboxView) -> SandboxView:
        """The world with wrappers of its compilers, and of `strip`."""
        equipped = replace(world, mounts=(*world.mounts, Mount(self.folder, WRAPPERS)))
        variables = dict(world.variables)
        path = variables.get("PATH", "")
        variables["PATH"] = f"{WRAPPERS}:{path}"
        self._write_wrappers(self.sandbox.place(equipped, WRAPPERS), path)
        return replace(equipped, variables=tuple(sorted(variables.items())))

    def look(self, folder: Path, world: SandboxView, outputs: Outputs) -> CodeLines | Failed:
        """The lines of the usual build's code, as far as both builds have the same."""
        roots = (self.sandbox.place(world, TREE), TREE)
        return read_code_lines(self.built, self.outputs, roots, with_lines=folder)

    def _write_wrappers(self, appears_as: str, path: str) -> None:
        for script in ("debug.sh", "strip.sh"):
            text = (_HERE / script).read_text().replace("@HERE@", shlex.quote(appears_as))
            (self.folder / script).write_text(text)
            (self.folder / script).chmod(0o555)
        for name in compilers_on(path):
            os.link(self.folder / "debug.sh", self.folder / name)
        os.link(self.folder / "strip.sh", self.folder / "strip")
