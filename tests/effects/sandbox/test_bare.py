"""Where targets are when there is no sandbox."""

from pathlib import Path

import pytest

from sonde.effects.sandbox import Bare, Mount, World

WORLD = World(
    (
        Mount(Path("/state/b"), "/sonde/build"),
        Mount(Path("/state/s"), "/sonde/scratch", writable=True),
        Mount(Path("/inputs/x"), "/sonde/scratch/x"),
    )
)


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("/sonde/build", "/state/b"),
        ("/sonde/build/bin/xz", "/state/b/bin/xz"),
        ("-I/sonde/build/include", "-I/state/b/include"),
        ("--in=/sonde/scratch/y", "--in=/state/s/y"),
        ("/sonde/scratch/x/y", "/inputs/x/y"),
        ("/sonde/scratch/xylophone", "/state/s/xylophone"),
        (
            "cat '/sonde/build/a' >/sonde/scratch/b; ls /sonde/build.",
            "cat '/state/b/a' >/state/s/b; ls /state/b.",
        ),
        (
            "/sonde/building /sonde/build-old /sonde/build.old",
            "/sonde/building /sonde/build-old /sonde/build.old",
        ),
        ("nothing", "nothing"),
    ],
)
def test_targets_are_replaced_by_their_sources(text, placed):
    assert Bare().place(WORLD, text) == placed


def test_a_world_without_mounts_changes_nothing():
    assert Bare().place(World(), "/sonde/build") == "/sonde/build"


def test_commands_run_as_they_are():
    assert Bare().wrap(WORLD, ["make", "-j2"]) == ("make", "-j2")
