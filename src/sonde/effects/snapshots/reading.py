"""The snapshot of a build: its functions and data objects, whatever it was written in."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sonde.core.evidence import DataObject, Function, Key, Language, ProgramTraits, Snapshot
from sonde.effects.collecting import without_collecting
from sonde.formats.compiled_functions.python import INTERPRETER, read_python_code
from sonde.formats.compiled_functions.reading import MachineCode, read_machine_code
from sonde.formats.damaged import Damaged, UnreadableOutput
from sonde.formats.elf.dispatching import dispatches
from sonde.formats.elf.file import EXECUTABLE, MAGIC, SHARED, Elf, read_elf
from sonde.formats.elf.image import Image

__all__ = ["UnreadableOutput", "read_snapshot"]

_BEGINNING = 18  # bytes that say what a file is
_SECTION_HEADERS, _SECTION_HEADER_SIZE = 40, 64  # where their place stands (e_shoff), and each one's bytes


@without_collecting()
def read_snapshot(folder: Path, names: Sequence[str]) -> Snapshot | UnreadableOutput:
    """What the files `names` below `folder` consist of, or which of them cannot be read and why."""
    programs: dict[str, MachineCode] = {}
    noticed: dict[str, ProgramTraits] = {}
    appended: dict[str, str] = {}
    modules: dict[str, Mapping[Key, Function]] = {}
    files: dict[str, str] = {}
    for name in names:
        with (folder / name).open("rb") as file:
            try:
                if _is_program(file.peek(_BEGINNING)):
                    image = _image(file.read())
                    programs[name] = read_machine_code(name, image)
                    noticed[name] = _program(image, programs[name])
                    appended[name] = _appended(image.elf)
                    continue
                if name.endswith(".py") and (module := read_python_code(name, file.read())) is not None:
                    modules[name] = module
            except Damaged as damaged:
                return UnreadableOutput(name, f"'{name}' cannot be read: {damaged}.")
            file.seek(0)
            files[name] = hashlib.file_digest(file, "sha256").hexdigest()
    imported = {name for program in programs.values() for name in program.startup.imports}
    functions, objects = _linked(programs)
    return Snapshot(
        languages={**dict.fromkeys(programs, Language.MACHINE), **dict.fromkeys(modules, Language.PYTHON)},
        functions={key: each for module in (functions, *modules.values()) for key, each in module.items()},
        objects=objects,
        startup={
            **{name: each.startup.digest(imported) + appended[name] for name, each in programs.items()},
            **{name: files[name] for name in modules},  # importing a module compiles all of it
        },
        files={name: digest for name, digest in files.items() if name not in modules},
        libraries={name: program.startup.libraries for name, program in programs.items()},
        loading={name: program.startup.loading for name, program in programs.items()},
        aliases={key: own for program in programs.values() for key, own in program.aliases.items()},
        programs=noticed,
        interpreter=INTERPRETER if modules else "",
    )


def _is_program(content: bytes) -> bool:
    """Whether it is an executable or a shared library, and not an object file or a memory dump."""
    kind = int.from_bytes(content[16:18], "big" if content[5:6] == b"\x02" else "little")
    return content.startswith(MAGIC) and kind in (EXECUTABLE, SHARED)


def _image(content: bytes) -> Image:
    image = Image(read_elf(content))
    if not len(image.elf.symbols.rows):
        raise Damaged("it has no symbols; build without `strip` and `-s`, or with `-g`")
    return image


def _program(image: Image, program: MachineCode) -> ProgramTraits:
    content, startup = hashlib.sha256(image.elf.content).hexdigest(), program.startup
    return ProgramTraits(content, startup.exports | startup.versions, dispatches(image), program.layout)


def _appended(elf: Elf) -> str:
    """A digest of what follows the file proper, for the program to read; empty if nothing does."""
    (table_at,) = struct.unpack_from("<Q", elf.content, _SECTION_HEADERS)
    ends = [each.offset + each.size for each in elf.sections if not each.is_zero]
    rest = elf.content[max(table_at + _SECTION_HEADER_SIZE * len(elf.sections), *ends) :]
    return hashlib.sha256(rest).hexdigest()[:16] if rest else ""


def _linked(programs: Mapping[str, MachineCode]) -> tuple[dict[Key, Function], dict[Key, DataObject]]:
    """The functions and objects of all files; those that mention data of another file refer to it."""
    exported: dict[str, set[Key]] = {}
    for program in programs.values():
        for key in program.objects:
            if key.name in program.startup.exports:
                exported.setdefault(key.name, set()).add(key)
        for alias, key in program.aliases.items():
            if key in program.objects and alias.name in program.startup.exports:
                exported.setdefault(alias.name, set()).add(key)
    functions: dict[Key, Function] = {}
    objects: dict[Key, DataObject] = {}
    for program in programs.values():
        functions |= program.functions
        objects |= program.objects
        for key, names in program.imports.items():
            found = frozenset().union(*(exported.get(name, ()) for name in names))
            if found and key in functions:
                functions[key] = replace(functions[key], refers_to=functions[key].refers_to | found)
            elif found:
                objects[key] = replace(objects[key], refers_to=objects[key].refers_to | (found - {key}))
    return functions, objects
