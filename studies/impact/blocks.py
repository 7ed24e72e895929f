"""How many blocks a tool executes in each configuration: a quick look at what an edit does to its cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from studies.impact.coreutils import Compilation, Coreutils, NotCompiled, Tool
from studies.impact.instructions import count_blocks

REFUSED = "the compiler refuses it"
FAILS = "the program fails"


class Blocks:
    """Counts blocks, each edit once; what is known is kept in a file."""

    def __init__(
        self, coreutils: Coreutils, tool: Tool, calls: Sequence[Sequence[str]], given: Path, file: Path
    ) -> None:
        self.coreutils, self.tool, self.calls, self.given, self._file = coreutils, tool, calls, given, file
        self._known: dict[str, list[int] | str] = {}
        if file.exists():
            for line in file.read_text().splitlines():
                if line.endswith("}"):  # else the study was killed while it wrote
                    self._known.update(json.loads(line))

    def of(self, parts: tuple[Compilation, ...]) -> list[int] | str:
        """The executed blocks of each call; if there are none, why."""
        key = self.coreutils.key(parts)
        if key not in self._known:
            self._known[key] = found = self._count(parts)
            with self._file.open("a") as stream:
                stream.write(json.dumps({key: found}) + "\n")
        return self._known[key]

    def _count(self, parts: tuple[Compilation, ...]) -> list[int] | str:
        try:
            program = self.coreutils.counting(self.tool, parts)
        except NotCompiled:
            return REFUSED
        found = []
        for words in self.calls:
            count = count_blocks(program, words, self.given)
            if count is None:
                break
            found.append(count)
        program.unlink()
        return found if len(found) == len(self.calls) else FAILS
