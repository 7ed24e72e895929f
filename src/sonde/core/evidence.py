"""What a build consists of, and what a benchmark executes: the evidence that selections rest on.

A snapshot is read off a build, a profile is taken from a run. Both name functions by keys that survive
recompiling: a function that only moved has the same key and the same code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from sonde.core.digests import digest


class Key(NamedTuple):
    """A function or a data object of a build. A tuple, for most of a comparison is looking up keys."""

    output: str  # the file that holds it, by its path below the build, such as `programs/lz4`
    source: str  # of what only one source file knows: that file, and `:` the function of a static inside one
    name: str  # as the linker knows it, without the numbers that a compiler counts up

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Function:
    """The code of one function, blind to where it and everything that it refers to lies."""

    code: str  # digest of its instructions
    masked: str  # the same without line numbers that are handed to `masked_for`; `code` if there are none
    masked_for: frozenset[str]  # the functions that get such line numbers, as `assert` and its kin do
    raw: str  # digest of its bytes as they are
    texts: str  # digest of the character strings that it refers to
    length: int  # instructions
    calls: frozenset[str] = frozenset()  # names of functions that it calls, jumps to or takes the address of
    refers_to: frozenset[Key] = frozenset()  # data objects of this build
    layout: int = 0  # digest of where in their pages the data lie whose address it takes


@dataclass(frozen=True, slots=True)
class DataObject:
    """A constant, or a variable and its initial value."""

    content: str  # digest; pointers count as what they point to
    size_bytes: int
    is_constant: bool
    refers_to: frozenset[Key] = frozenset()  # other data objects
    calls: frozenset[str] = frozenset()  # functions that it points to
    is_gathered: bool = False  # lies in a section of its own kind, which may be gone through as a whole
    layout: int = 0  # digest of where in its page it lies, and what it points to


class Language(Enum):
    """What the functions of a file are made of."""

    MACHINE = "machine"  # instructions of the processor
    PYTHON = "python"  # code objects of the interpreter


@dataclass(frozen=True, slots=True)
class Loading:
    """What the loader does for a file before it runs."""

    lookups: frozenset[str]  # names that it looks up in other files
    relocations: int  # addresses that it fills in


@dataclass(frozen=True, slots=True)
class ProgramTraits:
    """What a run may notice of an executable or a library, beside its functions and data."""

    content: str  # digest of its bytes
    exports: frozenset[str]  # names by which others find what it holds, without and with their versions
    dispatches: bool  # it may choose its code by the processor
    layout: int = 0  # digest of where in their pages nameless data lie that only nameless data point to


@dataclass(frozen=True)
class Snapshot:
    """The functions and data objects of a build, and what else of it a run may notice."""

    languages: Mapping[str, Language]  # of each output that holds code
    functions: Mapping[Key, Function]
    objects: Mapping[Key, DataObject]
    startup: Mapping[str, str]  # an output -> digest of what acts without being called: initialisers, exports
    files: Mapping[str, str]  # every other output -> digest of its bytes
    libraries: Mapping[str, frozenset[str]] = field(default_factory=dict)  # an output -> what it loads
    loading: Mapping[str, Loading] = field(default_factory=dict)  # of each output that holds machine code
    aliases: Mapping[Key, Key] = field(default_factory=dict)  # another name of a function -> the function
    programs: Mapping[str, ProgramTraits] = field(default_factory=dict)  # each output that holds machine code
    interpreter: str = ""  # the Python whose code objects are told, such as `cpython 3.11`; empty: none are

    @cached_property
    def fingerprint(self) -> str:
        """Equal for builds of equal code: whatever a run of either does, a run of the other does too.

        Unless it reads a program as data: the bytes of programs do not count.
        """
        functions = sorted((*key, each.code, each.texts) for key, each in self.functions.items())
        objects = sorted((*key, each.content) for key, each in self.objects.items())
        libraries = sorted((output, sorted(names)) for output, names in self.libraries.items())
        loading = sorted(
            (output, sorted(each.lookups), each.relocations) for output, each in self.loading.items()
        )
        return digest(functions, objects, libraries, loading, self.startup, self.files)

    @cached_property
    def layout(self) -> str:
        """Equal for builds of equal code whose data lie at the same places in their pages."""
        functions = sorted((*key, each.layout) for key, each in self.functions.items() if each.layout)
        objects = sorted((*key, each.layout) for key, each in self.objects.items())
        return digest(functions, objects, sorted((name, each.layout) for name, each in self.programs.items()))


class CostUnit(Enum):
    """What the cost of a function is counted in."""

    INSTRUCTIONS = "instructions"
    NANOSECONDS = "nanoseconds"
    SAMPLES = "samples"


@dataclass(frozen=True, slots=True, order=True)
class ProfiledFunction:
    """A function as a profiler names it."""

    output: str  # the file that holds it, by its path below the build
    source: str  # the source file's own name, without folders; empty if the profiler does not know it
    name: str  # the symbol


class Aspect(Enum):
    """What a Python program can see of its own functions, beside what they do."""

    DOCSTRINGS = "docstrings"
    LINES = "lines"  # their numbers


@dataclass(frozen=True, slots=True)
class Activity:
    """What a function did in a run."""

    calls: int
    own: int  # cost of the function itself
    inclusive: int  # with everything that it called
    elsewhere: int = 0  # of what it called in files outside of the build; 0 if that is not known


@dataclass(frozen=True, slots=True)
class ExecutedInstructions:
    """The instructions of a function that ran. Costs are those of `Activity`, for each instruction."""

    offsets: tuple[int, ...]  # in bytes from the beginning of the function, ascending
    own: tuple[int, ...]  # zero if it ran only before the measured run
    elsewhere: tuple[int, ...]


@dataclass(frozen=True)
class Profile:
    """What a benchmark executed in one configuration, in all of its processes."""

    unit: CostUnit
    activities: Mapping[
        ProfiledFunction, Activity
    ]  # of files of the build; zeros if only before the measured run
    nameless: int  # cost in files of the build that no function is known for
    outside: Mapping[str, int]  # cost in each other file, by its path: the C library, an interpreter
    outside_files: Mapping[str, str]  # digest of each file outside of the build that code was loaded from
    opened: frozenset[str] | None  # outputs that were opened, beside those of the code; None: not watched
    is_complete: bool = True  # False: functions that ran may be missing, as in sampling
    seconds: float = 0.0  # that the run took
    gap: str = ""  # why it is not complete, in words, where that is known
    interpreters: frozenset[str] = frozenset()  # each Python that ran, with options that change its code
    modules: frozenset[str] | None = None  # words of the names of modules that were looked for; None: unknown
    aspects: frozenset[Aspect] = frozenset()  # that something which ran may look at
    text_functions: Mapping[str, int] = field(default_factory=dict)  # cost of each such one outside, by name
    executed: Mapping[ProfiledFunction, ExecutedInstructions] = field(
        default_factory=dict
    )  # of functions whose addresses are known

    @property
    def total(self) -> int:
        """The cost of everything that ran."""
        own = sum(activity.own for activity in self.activities.values())
        return own + self.nameless + sum(self.outside.values())
