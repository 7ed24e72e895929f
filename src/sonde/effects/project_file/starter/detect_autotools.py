"""Repositories with a configure script, written by hand or by autoconf."""

from __future__ import annotations

import re
from pathlib import Path

from sonde.effects.project_file.starter.files import below, harmless_call, named, read, reads_history
from sonde.effects.project_file.starter.guesses import Guess, look_at_outputs

_PROGRAMS = re.compile(r"^(?:bin|sbin|noinst)_PROGRAMS\s*\+?=\s*(.*)$", re.MULTILINE)
_SOURCES = ("configure.ac", "configure.in")


def detect_autotools(root: Path) -> Guess | None:
    """A guess, if there is a configure script or what makes one."""
    source = next((name for name in _SOURCES if (root / name).is_file()), "")
    has_script = (root / "configure").is_file()
    if not source and not has_script:
        return None
    programs = [program for file in named(root, "Makefile.am") for program in _programs(root, file)]
    # A program of libtool is a script that starts the real one, unless nothing is shared.
    uses_libtool = bool(re.search(r"LT_INIT|AC_PROG_LIBTOOL", read(root / source))) if source else False
    configure = "./configure --disable-shared" if uses_libtool else "./configure"
    evidence = "configure" if has_script else source
    remarks = []
    if len(programs) > 1:
        remarks.append(f"Its programs are {', '.join(programs[:8])}.")
    if not programs:
        remarks.append("Sonde could not see which program is built: run the command, and name it in outputs.")
    return Guess(
        evidence=evidence,
        command=f"{_preparation(root, has_script)}{configure} && make",
        outputs=(programs[0],) if programs else ("Makefile",),
        call=harmless_call(root, f"{{build}}/{programs[0]}") if programs else look_at_outputs(evidence),
        remarks=tuple(remarks),
        sees_git=reads_history(root, "configure.ac", "configure.in", "autogen.sh"),
    )


def _preparation(root: Path, has_script: bool) -> str:
    if has_script:
        return ""
    return "NOCONFIGURE=1 ./autogen.sh && " if (root / "autogen.sh").is_file() else "autoreconf -fi && "


def _programs(root: Path, file: Path) -> list[str]:
    text = re.sub(r"\\\n\s*", " ", read(file))
    names = [name for match in _PROGRAMS.finditer(text) for name in match[1].partition("#")[0].split()]
    return [f"{below(root, file)}{name}" for name in names if re.fullmatch(r"[\w./+-]+", name)]
