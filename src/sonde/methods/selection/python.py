"""What a proof asks of Python code, beside equal code of all that ran.

1. Code objects are those of one interpreter: the profile and both snapshots must be of it, without `-O`.
2. Every function that ran in a module must be one of its file; else it was made in another way.
3. A module that comes or goes may be found in the place of another: its name must not have been looked for.
4. A program can look at docstrings and line numbers. Where something that ran mentions docstrings, those of
   all modules that took part must be equal; where code of the build mentions line numbers, these as well.
   A file that was read as a text is one that was opened, and its bytes must be equal.
5. A module is compiled when it is imported, comments included: for instructions, its file must be equal.

Left open, and said so: line numbers that a library of the machine looks at, as for warnings and tracebacks,
and names that are put together only in the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from pathlib import PurePosixPath

from sonde.core.evidence import Aspect, Language, Profile, Snapshot
from sonde.core.results import Metric
from sonde.methods.selection.differences import BuildDifference
from sonde.methods.selection.exposure import Exposure

IMPORTABLE = (".py", ".pyc", ".so")
PACKAGE = "__init__"


def doubts_of_python(exposure: Exposure, profile: Profile, metric: Metric) -> Iterator[str]:
    """What of a difference a Python program may notice, in words."""
    difference = exposure.difference
    if metric is Metric.INSTRUCTIONS:
        yield from _of_compiling(exposure)
    if difference.is_none:
        return
    yield from _of_interpreters(difference, profile)
    for place in sorted(exposure.reach.strays):
        if difference.old.languages.get(place.output) is Language.PYTHON or profile.interpreters:
            yield f"{place.name} ran in {place.output}, which has no such function"
    yield from _of_modules(difference, profile)
    if Aspect.LINES in profile.aspects:
        for output in sorted({key.output for key in difference.raw} & exposure.reach.outputs):
            if difference.old.languages.get(output) is Language.PYTHON:
                yield f"line numbers changed in {output}, and some code reads line numbers"


def _of_interpreters(difference: BuildDifference, profile: Profile) -> Iterator[str]:
    for known in sorted({difference.old.interpreter, difference.new.interpreter} - {""}):
        for name in sorted(profile.interpreters - {known}):
            yield f"it runs {name}, and its functions are known only for {known}"


def _of_modules(difference: BuildDifference, profile: Profile) -> Iterator[str]:
    old, new = _outputs(difference.old), _outputs(difference.new)
    for output in sorted(old ^ new):
        here, elsewhere = ("came", old) if output in new else ("went", new)
        names = _module_names(output, elsewhere) & (profile.modules or frozenset())
        if names:
            yield f"{output} {here}, and a module {min(names)} was looked for"


def _outputs(snapshot: Snapshot) -> Set[str]:
    return snapshot.languages.keys() | snapshot.files.keys()


def _module_names(output: str, others: Set[str]) -> frozenset[str]:
    """Names under which a file may be imported, and of folders that only it makes, which are packages too."""
    path = PurePosixPath(output)
    folders = {folder for other in others for folder in PurePosixPath(other).parents}
    names = {folder.name for folder in path.parents if folder not in folders}
    if path.suffix in IMPORTABLE:
        name = path.name.partition(".")[0]
        names.add(path.parent.name if name == PACKAGE else name)
    return frozenset(names)


def _of_compiling(exposure: Exposure) -> Iterator[str]:
    difference = exposure.difference
    for output in sorted(exposure.reach.outputs):
        if difference.old.languages.get(output) is Language.PYTHON and _file_differs(output, difference):
            yield f"{output} differs, and compiling it takes instructions"


def _file_differs(output: str, difference: BuildDifference) -> bool:
    """Whether the bytes of a Python file differ, as far as the snapshots tell."""
    return (
        output in difference.startup | difference.files
        or any(key.output == output for key in difference.raw)
        or (output not in difference.old.startup and output not in difference.old.files)
    )
