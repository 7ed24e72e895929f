"""Texts that lie in files, beside which a test puts the text that the code gives now."""

import difflib
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class GoldenFiles:
    """Compares texts with the files of `folder`, or rewrites those files.

    golden("report/history.txt", render(finding))
    """

    folder: Path
    is_updating: bool

    def __call__(self, name: str, text: str) -> None:
        """Fail with a diff where `text` is not what the file `name` holds."""
        __tracebackhide__ = True
        file = self.folder / name
        if self.is_updating:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
            return
        # Without bytes, reading would turn a carriage return into a line feed and hide it.
        expected = file.read_bytes().decode("utf-8") if file.exists() else ""
        if not file.exists() or text != expected:
            pytest.fail(_explain(name, expected, text), pytrace=False)


def _explain(name: str, expected: str, text: str) -> str:
    diff = difflib.unified_diff(
        expected.splitlines(keepends=True), text.splitlines(keepends=True), f"tests/golden/{name}", "this run"
    )
    lines = [_with_visible_end(line) for line in diff]
    return "\n".join(
        [f"the text differs from tests/golden/{name}:", *lines, "If it is right: pytest --update-golden"]
    )


def _with_visible_end(line: str) -> str:
    if line.endswith("\n"):
        return line[:-1].replace("\r", "\\r")
    return line + "\\ no newline at the end"
