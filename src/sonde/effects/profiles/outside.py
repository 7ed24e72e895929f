"""The files outside of the build that code was loaded from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sonde.effects.profiles.digests import digest_file
from sonde.effects.profiles.mentions import Mention
from sonde.effects.profiles.places import RunPaths, is_elf


def digest_outside(
    executed: Iterable[str], mentions: Iterable[Mention], places: RunPaths
) -> Mapping[str, str]:
    """The digest of each file with code that is not of the build, by its path; empty if it is gone.

    Programs and libraries of which nothing was executed count, too: loading them takes instructions. A file
    below SCRATCH was there for the run only: nobody can tell later whether it would be the same; but for the
    inputs of the benchmark, for a profile belongs to them.
    """
    loaded = {each.path for each in mentions if each.path.startswith("/") and _is_code(each, places)}
    found: dict[str, str] = {}
    for path in sorted(loaded | {path for path in executed if path.startswith("/")}):
        is_known = places.is_of_meter(path) or places.is_input(path)
        if places.output(path) is None and places.original(path) is None and not is_known:
            found[places.outside(path)] = digest_file(places.on_machine(path))
    return found


def _is_code(mention: Mention, places: RunPaths) -> bool:
    """Whether it is a program or library, or a script that was started."""
    file = places.on_machine(mention.path)
    if places.is_of_scratch(mention.path) or not mention.is_executing:
        return is_elf(file)
    return file.is_file()
