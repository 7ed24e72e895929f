"""Repositories with a makefile."""

from __future__ import annotations

from pathlib import Path

from sonde.effects.project_file.starter.files import harmless_call, reads_history
from sonde.effects.project_file.starter.guesses import Guess, look_at_outputs
from sonde.effects.project_file.starter.makefiles import find_makefile, linked_programs


def detect_linking_make(root: Path) -> Guess | None:
    """A guess, if the makefile is seen to link a program."""
    file = find_makefile(root)
    programs = list(dict.fromkeys(linked_programs(root))) if file else []
    if file is None or not programs:
        return None
    program = next((name for name in programs if Path(name).name == root.name), programs[0])
    others = [name for name in programs if name != program]
    remarks = (f"It also links {', '.join(others[:8])}.",) if others else ()
    return Guess(
        evidence=file.name,
        command="make",
        outputs=(program,),
        call=harmless_call(root, f"{{build}}/{program}"),
        remarks=remarks,
        sees_git=reads_history(root, file.name),
    )


def detect_any_make(root: Path) -> Guess | None:
    """A guess for a makefile that could not be followed."""
    file = find_makefile(root)
    if file is None:
        return None
    return Guess(
        evidence=file.name,
        command="make",
        outputs=(file.name,),
        call=look_at_outputs(file.name),
        remarks=(f"Sonde could not see what {file.name} links: run make, and name the program in outputs.",),
        sees_git=reads_history(root, file.name),
    )
