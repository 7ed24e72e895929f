"""Whether programs will run with the libraries that were built with them, and not with the system's."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from sonde.effects.builds.outputs import Outputs
from sonde.effects.snapshots.dynamic_linking import read_dynamic_linking


def find_stray_library(tree: Path, outputs: Outputs, appears_as: str) -> str | None:
    """Why a program among the outputs would run with another library than the one built with it, if so.

    The loader takes a library of the same name from the system without a word, and every revision would be
    measured with that one.
    """
    libraries: dict[str, list[str]] = {}
    for name in outputs.files:
        libraries.setdefault(Path(name).name, []).append(name)
    built: dict[str, str] | None = None
    for name in outputs.files:
        linking = read_dynamic_linking(tree / name)
        for needed in linking.needed:
            if needed in libraries:
                places = libraries[needed]
                if not any(_finds(linking.search_path, name, place, appears_as) for place in places):
                    return (
                        f"'{name}' needs {needed}, which is among the outputs, but cannot find it there. "
                        "Link it with -Wl,-rpath,'$ORIGIN', or set LD_LIBRARY_PATH to its folder in {build}"
                    )
                continue
            if built is None:
                built = _shared_libraries(tree)
            if needed in built:
                return (
                    f"'{name}' needs {needed}, which this build created, but which is not among the "
                    f"outputs. Add '{built[needed]}', or link statically"
                )
    return None


def _finds(search_path: tuple[str, ...], program: str, library: str, appears_as: str) -> bool:
    """Whether a search path leads to the folder of `library`, seen from `program`."""
    origin = PurePosixPath(appears_as, program).parent
    wanted = PurePosixPath(appears_as, library).parent
    places = [re.sub(r"\$ORIGIN|\$\{ORIGIN\}", str(origin), folder) for folder in search_path]
    return any(os.path.normpath(place) == str(wanted) for place in places)


def _shared_libraries(tree: Path) -> dict[str, str]:
    """The shared libraries below a work tree by their names."""
    return {
        name: (Path(folder) / name).relative_to(tree).as_posix()
        for folder, _, names in os.walk(tree)
        for name in names
        if ".so" in name
    }
