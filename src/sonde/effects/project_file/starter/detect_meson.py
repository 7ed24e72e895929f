"""Repositories that are built by Meson."""

from __future__ import annotations

import re
from pathlib import Path

from sonde.effects.project_file.starter.files import below, harmless_call, named, read
from sonde.effects.project_file.starter.guesses import BUILD_FOLDER, Guess, look_at_outputs

COMMAND = f"meson setup {BUILD_FOLDER} --buildtype=release && meson compile -C {BUILD_FOLDER}"

_EXECUTABLE = re.compile(r"\bexecutable\s*\(\s*'([^']+)'")
_PROJECT = re.compile(r"\bproject\s*\(\s*'([^']+)'")


def detect_meson(root: Path) -> Guess | None:
    """A guess, if there is a meson.build at the root."""
    if not (root / "meson.build").is_file():
        return None
    project = _PROJECT.search(read(root / "meson.build"))
    programs = [
        f"{below(root, file)}{match[1]}"
        for file in named(root, "meson.build")
        for match in _EXECUTABLE.finditer(re.sub(r"#[^\n]*", "", read(file)))
    ]
    history = "vcs_tag" in read(root / "meson.build")
    if not programs:
        remark = "Sonde found no executable(...): name a program that meson builds in outputs."
        outputs = (BUILD_FOLDER,)
        return Guess(
            "meson.build", COMMAND, outputs, look_at_outputs("meson.build"), (remark,), sees_git=history
        )
    name = project[1] if project else root.name
    program = next((candidate for candidate in programs if Path(candidate).name == name), programs[0])
    others = [candidate for candidate in programs if candidate != program]
    return Guess(
        evidence="meson.build",
        command=COMMAND,
        outputs=(f"{BUILD_FOLDER}/{program}",),
        call=harmless_call(root, f"{{build}}/{BUILD_FOLDER}/{program}"),
        remarks=(f"Other programs that it may build: {', '.join(others[:8])}.",) if others else (),
        sees_git=history,
    )
