"""Stage 0: nothing that a benchmark reaches has changed, so it does the same as before.

The proof is by induction over a run. Two builds start up alike, and as long as the new one is in functions
that the old one reached, it executes the same instructions on the same data, and so comes to the same next
function. A profile is of one configuration, and proves nothing for another.

What could make it wrong, and what is done about it:

1. A reached function changed, or what it is linked to. Snapshots name what code refers to, so another callee
   is other code. A function that is gone, or is in another output now, is a doubt.
2. Reached code reads other data. Objects are followed through objects. Those in sections that may be gone
   through as a whole count as read, and a new one is a doubt. So do those of the same name in other outputs
   that took part, for the linker may take either. Where something that ran calls `dlsym` or its kin, all data
   count that the outputs which took part offer by name.
3. Something runs that nobody calls: initialisers, resolvers, symbols that take the place of the C library's.
   That is `startup`.
4. The loader takes its time to look up names and to fill in addresses. Where the code that needs them is not
   reached, the difference must be below half a thousandth of the cost.
5. Another library is loaded: the names are compared, as is a new output that has the name of a library that
   is loaded. Whether libraries outside of the build are still the same, the caller checks.
6. Files of the build are read: data files, or a program as data. They are compared by bytes, unless the
   profile watched what was opened, and they were not; nor may there be new files where it looked.
7. Code ran that the profile does not see. A sampled profile proves nothing. Code without a known function may
   be 0.01 % of the cost, and the code that no symbol covers must be the same then. Outputs in a language of
   which the profile saw nothing must be equal.
8. Line numbers that go to `assert` and its kin: they count as long as a receiver may have run.
9. Machine code and Python have ways of their own: `machine.py` and `python.py` tell them.
10. String functions of the C library take more steps for texts near the end of a page: `layout.py` tells how
    many at the most. This is no sign of anything that was written, so it is left to the learned rules.

Left open, and said so: input that is not part of the build, the environment, the clock, and that a program
itself may depend on where code and data lie (hashes of pointers, alignment).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from sonde.core.evidence import CostUnit, Language, Loading, Profile
from sonde.core.findings.selections import Touched
from sonde.core.results import Metric
from sonde.methods.selection.differences import BuildDifference
from sonde.methods.selection.exposure import Exposure
from sonde.methods.selection.layout import doubts_of_layout
from sonde.methods.selection.machine import doubts_of_machine_code, rewritten
from sonde.methods.selection.python import doubts_of_python
from sonde.methods.selection.reach import MOST_UNJOINED_FOR_PROOF

NO_LOADING = Loading(frozenset(), 0)
LOADING_OTHERWISE, LOADING_A_NAME, LOADING_AN_ADDRESS = 500, 200, 20  # instructions, rather too many
MOST_LOADING = 0.0005  # of the cost


@dataclass(frozen=True)
class Proven:
    """A benchmark does the same as before."""

    reason: str
    caveats: tuple[str, ...] = ()  # what the proof does not cover here


@dataclass(frozen=True)
class Doubt:
    """A benchmark may do something else than before."""

    touched: tuple[Touched, ...]  # functions that it reaches and that changed, the costliest first
    constants: tuple[str, ...]  # data objects that reached code refers to, and that changed
    reasons: tuple[str, ...]  # in words, the weightiest first; never empty
    moved: tuple[str, ...] = ()  # those of them that are about nothing but where data lie


def prove(exposure: Exposure, profile: Profile, metric: Metric) -> Proven | Doubt:
    """Whether nothing that the benchmark reaches has changed, for `metric` in the profiled configuration.

    Equal code is a proof for instructions; for times it means "same code, layout may differ".
    """
    touched, constants = exposure.touched(), exposure.constants()
    moved = tuple(doubts_of_layout(exposure, profile)) if metric is Metric.INSTRUCTIONS else ()
    reasons = [
        *(_function_words(each) for each in touched),
        *(f"{name} changed, data that it reads" for name in constants),
        *_of_linking(exposure),
        *_of_files(exposure.difference, profile),
        *_of_unseen_code(exposure, profile),
        *doubts_of_machine_code(exposure, profile, metric),
        *doubts_of_python(exposure, profile, metric),
        *moved,
    ]
    if reasons:
        return Doubt(touched, constants, tuple(reasons), moved)
    return Proven(_reason(exposure.difference), tuple(_caveats(exposure, profile, metric)))


def _reason(difference: BuildDifference) -> str:
    if difference.is_none:
        return "the whole build has the same code"
    return "no code that it reaches changed"


def _function_words(touched: Touched) -> str:
    return f"{touched.name} {touched.how}" if " " not in touched.how else f"{touched.how} in {touched.name}"


def _of_linking(exposure: Exposure) -> Iterator[str]:
    reach, difference = exposure.reach, exposure.difference
    for key in sorted(difference.moved & reach.activities.keys()):
        if difference.counterparts[key].output != key.output:
            yield f"{key.name} moved to {difference.counterparts[key].output}"
    for output in sorted(difference.startup & reach.outputs):
        if difference.old.languages.get(output) is not Language.PYTHON:
            yield f"{output} has different start-up code"
    for output in sorted(difference.libraries & reach.outputs):
        yield f"{output} loads different libraries"
    if reach.unit is CostUnit.INSTRUCTIONS and _loading(exposure) > MOST_LOADING * reach.total:
        yield ("the dynamic loader does different work, and the benchmark is so short that this may matter")
    loaded = {name for output in reach.outputs for name in difference.old.libraries.get(output, ())}
    for output in sorted(difference.added_outputs):
        if PurePosixPath(output).name in loaded:
            yield f"{output} is new, and has the name of a library that is loaded"
    for key in sorted(difference.unreferenced):
        if key.output in reach.outputs:
            yield f"{key.name} is new data that may be found through its section"


def _loading(exposure: Exposure) -> int:
    """The most instructions by which loading may differ: seen were some 50 a name and 5 an address."""
    difference = exposure.difference
    most = 0
    for output in difference.loading & exposure.reach.outputs:
        old, new = (each.loading.get(output, NO_LOADING) for each in (difference.old, difference.new))
        names, addresses = len(old.lookups ^ new.lookups), abs(old.relocations - new.relocations)
        most += LOADING_OTHERWISE + LOADING_A_NAME * names + LOADING_AN_ADDRESS * addresses
    return most


def _of_files(difference: BuildDifference, profile: Profile) -> Iterator[str]:
    """Files that the benchmark may have opened, and that differ."""
    languages = {**difference.old.languages, **difference.new.languages}
    for name in sorted(difference.files - languages.keys()):
        if profile.opened is None:
            yield f"{name} differs, and it may have been read"
        elif _looked_at(name, profile.opened):
            yield f"{name} differs, and it was opened"
    if profile.opened is None:
        for name in sorted(rewritten(difference)) if not difference.is_none else ():
            yield f"{name} has different bytes, and it may have been read as a file"
        return
    for name in sorted((difference.touched_outputs | rewritten(difference)) & profile.opened):
        yield f"{name} differs, and it was opened as a file"
    for name in sorted(difference.added_outputs | difference.deleted_outputs):
        if name not in profile.opened and _looked_at(name, profile.opened):
            yield f"{name} was added or deleted, and its folder was opened"


def _looked_at(name: str, opened: frozenset[str]) -> bool:
    """Whether the file was opened, or a folder in which it would be noticed."""
    return name in opened or any(str(folder) in opened for folder in PurePosixPath(name).parents)


def _of_unseen_code(exposure: Exposure, profile: Profile) -> Iterator[str]:
    reach, difference = exposure.reach, exposure.difference
    if difference.is_none:
        return
    if reach.refusal is not None:
        yield reach.refusal
    elif reach.unjoined > MOST_UNJOINED_FOR_PROOF:
        yield f"{100 * reach.unjoined:.2g} % of the executed code belongs to no known function"
    if not profile.is_complete:
        yield f"the profile is not complete: {profile.gap or 'functions that ran may be missing'}"
    if reach.nameless or reach.strays:
        functions = difference.changed | difference.deleted | difference.texts
        for key in sorted(functions & difference.old.functions.keys()):
            if key.name.startswith(".") and key.output in reach.outputs and key not in reach.activities:
                yield f"unnamed code of {key.output} changed, and some of it ran"
    seen = {difference.old.languages.get(key.output) for key in reach.activities}
    for output in sorted(difference.touched_outputs):
        language = difference.old.languages.get(output, difference.new.languages.get(output))
        is_looked_at = profile.opened is None or _looked_at(output, profile.opened)
        is_new_module = language is Language.PYTHON and output in difference.added_outputs
        if language not in seen and is_looked_at:
            yield f"{output} differs, and the profile does not show which of its code ran"
        elif is_new_module and is_looked_at and profile.modules is None:
            yield f"{output} is new, and may be imported"


def _caveats(exposure: Exposure, profile: Profile, metric: Metric) -> Iterator[str]:
    reach, difference = exposure.reach, exposure.difference
    if metric is not Metric.INSTRUCTIONS and difference.touched_outputs & reach.outputs:
        yield "same code, but its layout may differ"
    if profile.opened is None and difference.touched_outputs:
        yield "it is unknown whether it reads built programs as data"
    if reach.unjoined > 0:
        yield f"{100 * reach.unjoined:.2g} % of the executed code belongs to no known function"
