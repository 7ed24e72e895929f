"""Programs as users build them, and with the sanitizers that find undefined behaviour."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studies.impact.generated.subjects import Invalid

COMPILER = "cc"
SANITIZED = ("-O1", "-g", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")
# What may be undefined, or is no C; but not what is only unusual, which a shrunk program often is.
WARNINGS = (
    "-Wall",
    "-Wextra",
    "-Werror",
    *(
        f"-Wno-{name}"
        for name in (
            "unused-parameter",
            "unused-variable",
            "unused-but-set-variable",
            "unused-but-set-parameter",
            "unused-value",
            "unused-function",
            "unused-label",
            "unused-const-variable",
            "sign-compare",
            "type-limits",
            "missing-field-initializers",
            "empty-body",
            "implicit-fallthrough",
            "tautological-compare",
            "bool-compare",
            "int-in-bool-context",
            "misleading-indentation",
            "dangling-else",
            "missing-braces",
            "switch-unreachable",
            "override-init",
        )
    ),
)


@dataclass(frozen=True)
class Objects:
    """A folder of programs and object files; the same text is compiled once."""

    folder: Path

    def program(self, files: Mapping[str, str], flags: Sequence[str]) -> Path | Invalid:
        """A program of these files."""
        headers = [text for name, text in sorted(files.items()) if name.endswith(".h")]
        shared = _digest([*headers, *flags])
        home = self.folder / shared
        home.mkdir(parents=True, exist_ok=True)
        objects = []
        for name, text in files.items():
            if name.endswith(".h"):
                (home / name).write_text(text)
        for name, text in files.items():
            if name.endswith(".c"):
                made = self._object(home, name, text, flags)
                if isinstance(made, Invalid):
                    return made
                objects.append(str(made))
        program = home / f"program-{_digest(objects)}"
        if not program.exists():
            linked = _run([COMPILER, *flags, *objects, "-o", str(program)], home)
            if linked.returncode:
                return Invalid(f"does not link: {linked.stderr[-500:]}")
        return program

    def _object(self, home: Path, name: str, text: str, flags: Sequence[str]) -> Path | Invalid:
        stem = f"{name.removesuffix('.c')}-{_digest([text])}"
        made = home / f"{stem}.o"
        if not made.exists():
            source = home / f"{stem}.c"
            source.write_text(text)
            compiled = _run([COMPILER, *flags, "-c", source.name, "-o", made.name], home)
            if compiled.returncode:
                return Invalid(f"does not compile: {compiled.stderr[:500]}")
        return made


def _run(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def _digest(texts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
