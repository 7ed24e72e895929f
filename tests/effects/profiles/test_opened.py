"""Which outputs a benchmark has opened or asked for."""

from pathlib import Path

import pytest

from sonde.effects.profiles.mentions import Mention
from sonde.effects.profiles.opened import find_opened
from sonde.effects.profiles.places import RunPaths
from sonde.effects.runs.instruments import RunFolders


@pytest.fixture
def places(tmp_path) -> RunPaths:
    for name in ("share/table.dat", "share/deep/more.dat", "readme", "bin/xz", "lib/libxz.so"):
        file = tmp_path / "build" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"\x7fELF" if name.startswith(("bin", "lib")) else b"data")
    for name in ("scratch", "meter"):
        (tmp_path / name).mkdir()
    return RunPaths(
        RunFolders(tmp_path / "meter", tmp_path / "scratch", tmp_path / "build", lambda target: target)
    )


def opened(places: RunPaths, *mentions: tuple[str, str], loaded: frozenset[str] = frozenset()) -> set[str]:
    return set(find_opened([Mention(*each) for each in mentions], places, loaded))


def test_what_is_asked_for_below_the_build_counts_even_if_it_is_not_there(places):
    assert opened(places, ("openat", "/sonde/build/share/table.dat")) == {"share/table.dat"}
    assert opened(places, ("access", "/sonde/build/share/../readme")) == {"readme"}
    assert opened(places, ("newstat", "/sonde/build/missing.cfg")) == {"missing.cfg"}


def test_the_real_path_of_the_build_means_it_too(places, tmp_path):
    assert opened(places, ("openat", f"{tmp_path}/build/readme")) == {"readme"}


@pytest.mark.parametrize(
    "path",
    [
        "/proc/self/root/sonde/build/share/table.dat",
        "/proc/self/root/proc/17/task/18/root/sonde//build/./share/table.dat",
        "//sonde/build/share/table.dat",
        "/proc/self/cwd/table.dat",
        "/proc/self/cwd/../share/table.dat",
        "/proc/thread-self/fd/12/share/table.dat",
        "/dev/fd/3/table.dat",
    ],
)
def test_a_way_through_a_process_leads_to_the_build_too(places, path):
    assert opened(places, ("openat", path)) == {"share/table.dat"}


def test_other_files_do_not_count(places):
    assert opened(places, ("openat", "/etc/passwd"), ("openat", "/sonde/builder/x"), ("openat", "")) == set()


def test_a_folder_counts_if_it_was_opened(places):
    assert opened(places, ("openat", "/sonde/build/share")) == {"share"}
    assert opened(places, ("openat", "/sonde/build")) == {"."}
    assert opened(places, ("newstat", "/sonde/build/share")) == set()


def test_whoever_works_in_the_build_may_look_for_anything(places):
    assert "." in opened(places, ("chdir", "/sonde/build/share"))


def test_a_relative_path_may_mean_any_output_that_ends_so(places):
    assert opened(places, ("openat", "table.dat")) == {"share/table.dat"}
    assert opened(places, ("openat", "../x/../share/table.dat")) == {"share/table.dat"}
    assert opened(places, ("openat", "able.dat"), ("openat", ".")) == set()


def test_a_path_upwards_may_begin_at_a_folder_that_was_opened(places):
    found = opened(places, ("openat", "/sonde/build/share/deep"), ("openat", "../new.dat"))

    assert found == {"share/deep", "."}


def test_a_program_counts_only_if_it_is_read_as_a_file(places):
    assert opened(places, ("execve", "/sonde/build/bin/xz"), ("newstat", "/sonde/build/bin/xz")) == set()
    assert opened(places, ("openat", "/sonde/build/bin/xz")) == {"bin/xz"}
    assert opened(places, ("openat", "/sonde/build/lib/libxz.so")) == {"lib/libxz.so"}
    libraries = frozenset({"lib/libxz.so"})
    assert opened(places, ("openat", "/sonde/build/lib/libxz.so"), loaded=libraries) == set()


def test_a_file_in_the_scratch_folder_may_be_a_copy_of_an_output(places, tmp_path):
    Path(tmp_path, "scratch", "copy").write_bytes(b"data")

    assert places.original("/sonde/scratch/copy") in {"readme", "share/table.dat", "share/deep/more.dat"}
    assert places.original("/sonde/scratch/missing") is None
    assert places.original("/etc/passwd") is None
