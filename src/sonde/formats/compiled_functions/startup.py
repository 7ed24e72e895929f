"""What of an ELF file acts without being called: initialisers, what it offers to others, how it is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

import numpy as np

from sonde.core.evidence import Loading
from sonde.core.symbol_names import canonical_name
from sonde.formats.elf.file import Elf
from sonde.formats.elf.image import Image
from sonde.formats.elf.names import unversioned
from sonde.formats.machine_code.meanings import Meanings, short_digest
from sonde.formats.machine_code.text_relocations import names_in_code

_FIRST, _LAST = 12, 13  # DT_INIT, DT_FINI
_NEEDED, _RPATH, _SYMBOLIC, _BIND_NOW, _RUNPATH, _FLAGS, _FLAGS_1 = 1, 15, 16, 24, 29, 30, 0x6FFFFFFB
_FLAGS_THAT_MATTER = {_SYMBOLIC: ~0, _BIND_NOW: ~0, _FLAGS: 0x1 | 0x2 | 0x8, _FLAGS_1: 0x1 | 0x400 | 0x20}
INITIALISERS = (".preinit_array", ".init_array", ".ctors", ".fini_array", ".dtors")
_OF_THREADS, _UNDEFINED = 6, 0  # STT_TLS, SHN_UNDEF
# The C library and the C++ runtime look these up in every file that is loaded.
_LOOKED_UP = re.compile(
    r"(m|c|re|v|pv)alloc|c?free|reallocarray|memalign|posix_memalign|aligned_alloc|malloc_usable_size"
    r"|_Zn[wa].*|_Zd[la].*"  # operator new and delete
    r"|__cxa_.*|_Unwind_.*|mem(cpy|move|set|cmp)|str(len|cmp|cpy)"
)


@dataclass(frozen=True)
class Startup:
    """What one file does on its own, and what it has to do with the others of its build."""

    own: bytes  # a digest
    exports: frozenset[str]
    versions: frozenset[str]  # of exports, such as `read@@V2`
    imports: frozenset[str]
    libraries: frozenset[str]
    relocations: int
    is_library: bool

    @property
    def loading(self) -> Loading:
        """What the loader does for it."""
        return Loading(self.imports, self.relocations)

    def digest(self, imported: Set[str]) -> str:
        """With those exports that a file of the build, or the runtime, may take from here."""
        offered = {*self.exports, *self.versions}
        if self.is_library:
            offered = {name for name in offered if unversioned(name) in imported or is_looked_up(name)}
        return short_digest(self.own, *(name.encode() for name in sorted(offered))).hex()


def is_looked_up(name: str) -> bool:
    """Whether the runtime calls a function of this name, wherever it is."""
    return _LOOKED_UP.fullmatch(name) is not None


def read_startup(image: Image, meanings: Meanings, extra: bytes = b"") -> Startup:
    """What the loader and the first and last instructions of a process look at."""
    elf = image.elf
    settings, libraries = _dynamic(elf)
    interpreter = elf.named(".interp")
    parts = [extra, *settings, elf.bytes_of(interpreter) if interpreter else b""]
    for section in elf.sections:
        if section.name.startswith(INITIALISERS) or (section.is_of_threads and not section.is_zero):
            parts += [section.name.encode(), meanings.content(section.address, section.size).identity]
    resolvers = [meaning for meaning in image.slots.meanings if meaning.startswith("resolver:")]
    parts += sorted(meanings.of(int(each.partition(":")[2]), 0).identity for each in resolvers)
    parts += _thread_variables(elf)
    parts += sorted(names_in_code(image))
    parts += [f"{what} ".encode() + meanings.of(at, 0).identity for what, at in _called_first_and_last(elf)]
    symbols = elf.dynamic_symbols
    is_defined = (symbols.rows["section"] != _UNDEFINED) & (symbols.rows["info"] >> 4 != 0)
    names = np.array(symbols.names, dtype=object)
    versioned = names + np.array(image.versions, dtype=object)
    return Startup(
        own=short_digest(*parts),
        exports=frozenset(names[is_defined]),
        versions=frozenset(versioned[is_defined]) - frozenset(names),
        imports=frozenset(names[symbols.rows["section"] == _UNDEFINED]),
        libraries=libraries,
        relocations=len(elf.relocations) + len(elf.packed_relocations),
        is_library=interpreter is None and bool(len(symbols.rows)) and not _has_entry(elf),
    )


def _called_first_and_last(elf: Elf) -> Iterator[tuple[str, int]]:
    """Where a process begins, and what the loader calls by its address."""
    if elf.entry:
        yield "entry", elf.entry
    for tag, value in _tags(elf):
        if tag in (_FIRST, _LAST) and 0 < value < 1 << 62:
            yield str(tag), value


def _has_entry(elf: Elf) -> bool:
    """Whether it is a program: only then a `main` is called."""
    return any(name == "_start" for name in elf.symbols.names)


def _thread_variables(elf: Elf) -> list[bytes]:
    """Where each variable of threads lies: code holds these places as plain numbers."""
    rows, names = elf.symbols.rows, elf.symbols.names
    chosen = np.flatnonzero((rows["info"] & 15) == _OF_THREADS).tolist()
    return sorted(f"{canonical_name(names[n])} {rows['value'][n]} {rows['size'][n]}".encode() for n in chosen)


def _dynamic(elf: Elf) -> tuple[list[bytes], frozenset[str]]:
    """The settings of the loader that a program can notice, and the libraries that it loads."""
    section = elf.named(".dynamic")
    if section is None or section.is_zero or section.link >= len(elf.sections):
        return [], frozenset()
    texts = elf.bytes_of(elf.sections[section.link])
    libraries: set[str] = set()
    settings: list[bytes] = []
    for tag, value in _tags(elf):
        if tag == _NEEDED:
            libraries.add(_text(texts, value).decode(errors="backslashreplace"))
            settings.append(b"library " + _text(texts, value))  # of two that define a name, the first counts
        elif tag in (_RPATH, _RUNPATH):
            settings.append(b"path " + _text(texts, value))
        elif tag in _FLAGS_THAT_MATTER and value & _FLAGS_THAT_MATTER[tag]:
            settings.append(f"{tag} {value & _FLAGS_THAT_MATTER[tag]}".encode())
    return settings, frozenset(libraries)


def _tags(elf: Elf) -> Iterator[tuple[int, int]]:
    section = elf.named(".dynamic")
    content = elf.bytes_of(section) if section else b""
    for tag, value in np.frombuffer(content, "<u8", len(content) // 16 * 2).reshape(-1, 2).tolist():
        if tag == 0:
            break
        yield tag, value


def _text(texts: bytes, at: int) -> bytes:
    return texts[at : texts.find(b"\0", at, at + (1 << 15))]
