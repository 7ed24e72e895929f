"""What of a difference between two builds a benchmark can meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sonde.core.evidence import Aspect, Key, Language
from sonde.core.findings.selections import Touched
from sonde.methods.selection.differences import BuildDifference
from sonde.methods.selection.reach import BenchmarkReach, bare_name

# They end the process, so a run that went well did not come to them.
FATAL = frozenset({"__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail", "abort"})

OUTSIDE = "plt:"  # how a snapshot marks a call into another file


@dataclass(frozen=True)
class Exposure:
    """The reached part of a difference. Functions and objects are named as in the old build."""

    reach: BenchmarkReach
    difference: BuildDifference
    changed: frozenset[Key]  # functions that ran, and do something else now
    texts: frozenset[Key]  # functions with other character strings or docstrings now, which may be read
    deleted: frozenset[Key]  # functions that ran, and are gone
    objects: frozenset[Key]  # data objects that reached code may read, and that changed or are gone
    newly_reached: frozenset[Key]  # new functions that changed ones call, as the new build names them

    def touched(self) -> tuple[Touched, ...]:
        """The functions that ran and changed in any way, the costliest first."""
        how = dict.fromkeys(self.texts, "its string constants changed")
        how |= dict.fromkeys(self.changed, "changed") | dict.fromkeys(self.deleted, "deleted")
        keys = sorted(how, key=lambda key: (-self.reach.share(key), key))
        return tuple(Touched(key.name, self.reach.share(key), how[key], key.output) for key in keys)

    def constants(self) -> tuple[str, ...]:
        """The names of the data objects that changed, each once."""
        return tuple(sorted({key.name for key in self.objects}))


def exposure_to(difference: BuildDifference, reach: BenchmarkReach) -> Exposure:
    """What of `difference` the benchmark can meet whose profile of the old build gave `reach`.

    A function in which only line numbers differ counts as changed where a function that gets them ran.
    """
    ran = reach.activities.keys()
    relined = {key for key in difference.relined & ran if _hands_on(key, difference, reach)}
    changed = frozenset((difference.changed & ran) | relined)
    known = difference.old.objects
    return Exposure(
        reach=reach,
        difference=difference,
        changed=changed,
        texts=_texts(difference, reach),
        deleted=frozenset(difference.deleted & ran),
        objects=frozenset(key for key in reach.objects if key in difference.objects or key not in known),
        newly_reached=_newly_reached(difference, changed),
    )


def _texts(difference: BuildDifference, reach: BenchmarkReach) -> frozenset[Key]:
    """Functions whose changed texts may be read.

    The docstrings of Python functions are for whoever asks for them, even if the functions do not run.
    """
    languages = difference.old.languages
    of_python = {key for key in difference.texts if languages.get(key.output) is Language.PYTHON}
    read = {key for key in of_python if key.output in reach.outputs and Aspect.DOCSTRINGS in reach.aspects}
    return frozenset(read | ((difference.texts - of_python) & reach.activities.keys()))


def _hands_on(key: Key, difference: BuildDifference, reach: BenchmarkReach) -> bool:
    receivers = difference.old.functions[key].masked_for
    return not receivers or any(_may_have_run(receiver, difference, reach) for receiver in receivers)


def _may_have_run(receiver: str, difference: BuildDifference, reach: BenchmarkReach) -> bool:
    name = bare_name(receiver)
    if name in reach.names:
        return True
    if name in FATAL:
        return False
    # Of calls into files outside of the build, a profile keeps no names.
    return receiver.startswith(OUTSIDE) and not _is_offered(name, difference, reach)


def _is_offered(name: str, difference: BuildDifference, reach: BenchmarkReach) -> bool:
    """Whether a call into another file finds the function in an output, where it would have been seen."""
    programs = difference.old.programs
    return any(name in programs[output].exports for output in reach.outputs if output in programs)


def _newly_reached(difference: BuildDifference, changed: frozenset[Key]) -> frozenset[Key]:
    """New functions that changed ones call, or that such new functions call."""
    added: defaultdict[str, list[Key]] = defaultdict(list)
    for key in difference.added:
        added[key.name].append(key)
    functions = difference.new.functions
    found: set[Key] = set()
    waiting = [difference.counterparts[key] for key in changed]
    while waiting:
        for key in _called(functions[waiting.pop()].calls, added):
            if key not in found:
                found.add(key)
                waiting.append(key)
    return frozenset(found)


def _called(references: frozenset[str], named: Mapping[str, list[Key]]) -> Iterator[Key]:
    for reference in references:
        yield from named.get(bare_name(reference), ())
