"""Which outputs a Python program has looked at."""

from pathlib import Path

import pytest

from sonde.effects.profiles.looked_at import find_looked_at
from sonde.effects.profiles.mentions import read_mentions
from sonde.effects.profiles.places import RunPaths
from sonde.effects.profiles.python_processes import Process
from sonde.effects.runs.instruments import RunFolders

MODULE, TABLE = "/sonde/build/pack/core.py", "/sonde/build/pack/table.json"
IMPORT = f'1 openat(AT_FDCWD, "{MODULE}", O_RDONLY|O_CLOEXEC) = 3\n'
LISTING = '1 openat(AT_FDCWD, "/sonde/build/pack", O_RDONLY|O_DIRECTORY) = 3\n'


@pytest.fixture
def places(tmp_path) -> RunPaths:
    for name in ("build/pack", "scratch", "meter"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("core.py", "table.json"):
        (tmp_path / "build" / "pack" / name).write_text("")
    return RunPaths(
        RunFolders(tmp_path / "meter", tmp_path / "scratch", tmp_path / "build", lambda target: target)
    )


def looked_at(places: RunPaths, folder: Path, lines: str, **told: object) -> set[str]:
    trace = folder / "trace"
    trace.write_text(lines)
    nothing = dict.fromkeys(("functions", "files", "asked", "read", "listed"), ())
    counts: dict[str, object] = {"imported": {}, "listings": {}}
    words = {"library": "", "interpreter": "", "gap": ""}
    process = Process(**{**nothing, **counts, **words, **told})  # type: ignore[arg-type]
    return set(find_looked_at([process], read_mentions([trace]) or (), trace, places))


def test_what_an_import_opens_and_lists_is_not_looked_at(places, tmp_path):
    told = {"imported": {MODULE: 1}, "listings": {"/sonde/build/pack": 1}}

    assert looked_at(places, tmp_path, IMPORT + LISTING, **told) == set()


def test_a_module_that_was_opened_once_more_than_it_was_imported_was_read(places, tmp_path):
    assert looked_at(places, tmp_path, IMPORT + IMPORT, imported={MODULE: 1}) == {"pack/core.py"}
    assert looked_at(places, tmp_path, IMPORT) == {"pack/core.py"}


def test_a_module_that_a_program_opened_by_a_path_from_where_it_works_was_read(places, tmp_path):
    line = '2 openat(AT_FDCWD, "pack/core.py", O_RDONLY) = 3\n'

    assert looked_at(places, tmp_path, IMPORT + line, imported={MODULE: 1}) == {"pack/core.py"}


def test_a_folder_that_was_listed_once_more_than_python_tells_was_listed_by_something_else(places, tmp_path):
    assert looked_at(places, tmp_path, LISTING + LISTING, listings={"/sonde/build/pack": 1}) == {"pack"}


def test_what_the_processes_tell_counts_in_any_case(places, tmp_path):
    told = {"imported": {MODULE: 1}, "read": (MODULE,), "listed": ("/sonde/build",)}

    assert looked_at(places, tmp_path, IMPORT, **told) == {"pack/core.py", "."}


def test_other_files_are_looked_at_when_they_are_opened_or_asked_for(places, tmp_path):
    lines = f'1 openat(AT_FDCWD, "{TABLE}", O_RDONLY) = 3\n1 access("/sonde/build/more", R_OK) = -1\n'

    assert looked_at(places, tmp_path, lines) == {"pack/table.json", "more"}


def test_whoever_works_in_the_build_may_look_at_anything(places, tmp_path):
    assert looked_at(places, tmp_path, '1 chdir("/sonde/build/pack") = 0\n') == {"."}
