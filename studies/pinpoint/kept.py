"""Outcomes that are kept in a file, one a line, so that a study that was interrupted goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path

from studies.pinpoint.judge import Json

FILE_NAME = "outcomes.jsonl"


class Kept:
    """Outcomes by key; in memory alone without a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = folder / FILE_NAME if folder is not None else None
        self._outcomes: dict[str, Json] = {}
        if self._file is not None and self._file.is_file():
            for line in self._file.read_text().splitlines():
                self._take(line)

    def get(self, key: str) -> Json | None:
        """What is known for a key, or None."""
        return self._outcomes.get(key)

    def put(self, key: str, outcome: Json) -> None:
        """Keep an outcome, at once."""
        self._outcomes[key] = outcome
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a") as lines:
                lines.write(json.dumps({"key": key, "outcome": outcome}) + "\n")

    def _take(self, line: str) -> None:
        try:
            read = json.loads(line)
        except json.JSONDecodeError:  # the last line of a study that was interrupted
            return
        self._outcomes[read["key"]] = read["outcome"]
