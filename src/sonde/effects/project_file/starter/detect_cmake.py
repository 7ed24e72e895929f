"""Repositories that are built by CMake."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath

from sonde.effects.project_file.starter.files import below, harmless_call, named, read, reads_history
from sonde.effects.project_file.starter.guesses import BUILD_FOLDER, Guess, look_at_outputs

COMMAND = (
    f"cmake -S . -B {BUILD_FOLDER} -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DBUILD_SHARED_LIBS=OFF"
    f" && cmake --build {BUILD_FOLDER} --parallel 2"
)

_SET = re.compile(r"\bset\s*\(\s*(\w+)\s+\"?([^\s\")]*)\"?", re.IGNORECASE)
_PROJECT = re.compile(r"\bproject\s*\(\s*\"?([\w.-]+)", re.IGNORECASE)
_EXECUTABLE = re.compile(r"\badd_executable\s*\(\s*\"?([^\s\")]+)\"?\s+(?!IMPORTED|ALIAS)", re.IGNORECASE)
_LIBRARY = re.compile(r"\badd_library\s*\(\s*\"?([^\s\")]+)\"?\s+(?!IMPORTED|ALIAS|INTERFACE)", re.IGNORECASE)
_RENAMED = r"set_target_properties\s*\([^)]*\b{}\b[^)]*\bOUTPUT_NAME\s+\"?([\w.+-]+)"


def detect_cmake(root: Path) -> Guess | None:
    """A guess, if there is a CMakeLists.txt at the root."""
    if not (root / "CMakeLists.txt").is_file():
        return None
    files = named(root, "CMakeLists.txt")
    programs = _find(root, files, _EXECUTABLE)
    libraries = _find(root, files, _LIBRARY)
    sees_git = reads_history(root, "CMakeLists.txt")
    if not programs:
        outputs = tuple(f"{BUILD_FOLDER}/**/lib{Path(name).name}.*" for name in libraries[:1]) or (
            BUILD_FOLDER,
        )
        remark = "Sonde found no add_executable: switch on a program or an example, and name it in outputs."
        return Guess(
            "CMakeLists.txt",
            COMMAND,
            outputs,
            look_at_outputs("CMakeLists.txt"),
            (remark,),
            sees_git=sees_git,
        )
    program = next((name for name in programs if Path(name).name == root.name), programs[0])
    others = [name for name in programs if name != program]
    return Guess(
        evidence="CMakeLists.txt",
        command=COMMAND,
        outputs=(normpath(f"{BUILD_FOLDER}/{program}"),),
        call=harmless_call(root, "{build}/" + normpath(f"{BUILD_FOLDER}/{program}")),
        remarks=(f"Other programs that it may build: {', '.join(others[:8])}.",) if others else (),
        sees_git=sees_git,
    )


def _find(root: Path, files: list[Path], kind: re.Pattern[str]) -> list[str]:
    """The targets of one kind, as paths below the build folder."""
    found: list[str] = []
    variables: dict[str, str] = {}
    for file in files:
        text = re.sub(r"#[^\n]*", "", read(file))
        folder = below(root, file)
        if project := _PROJECT.search(text):
            variables["PROJECT_NAME"] = project[1]
        binary = {
            "CMAKE_BINARY_DIR": "",
            "PROJECT_BINARY_DIR": "",
            "CMAKE_CURRENT_BINARY_DIR": folder.rstrip("/"),
            "CMAKE_SOURCE_DIR": "..",
            "PROJECT_SOURCE_DIR": "..",
            "CMAKE_CURRENT_SOURCE_DIR": f"../{folder}".rstrip("/"),
        }
        for name, value in _SET.findall(text):
            variables[name] = _expand(value, {**variables, **binary})
        runtime = variables.get("CMAKE_RUNTIME_OUTPUT_DIRECTORY")
        is_known = runtime is not None and "$" not in runtime
        place = f"{runtime}/".lstrip("/") if is_known else folder
        for match in kind.finditer(text):
            target = _expand(match[1], variables)
            renamed = re.search(_RENAMED.format(re.escape(match[1])), text, re.IGNORECASE)
            name = _expand(renamed[1], variables) if renamed else target
            if name and "$" not in name:
                found.append(f"{place}{name}")
    return list(dict.fromkeys(found))


def _expand(text: str, variables: dict[str, str]) -> str:
    return re.sub(r"\$\{(\w+)\}", lambda match: variables.get(match[1], match[0]), text)
