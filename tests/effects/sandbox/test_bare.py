"""Where targets are when there is no sandbox."""

from pathlib import Path

import pytest

from sonde.core.errors import UsageError
from sonde.effects.sandbox import Bare, Mount, SandboxView, require_one_word

WORLD = SandboxView(
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
    assert Bare().place(SandboxView(), "/sonde/build") == "/sonde/build"


def test_commands_run_as_they_are():
    assert Bare().wrap(WORLD, ["make", "-j2"]) == ("make", "-j2")


@pytest.mark.parametrize("path", ["/home/ann/.sonde", "/tmp/a-b_c@d+e,f=g:h%20~/état"])
def test_a_path_that_a_shell_reads_as_one_word_will_do(path):
    require_one_word(Path(path))


@pytest.mark.parametrize(
    "letter", [" ", "'", '"', "$", "`", "\\", "\n", ";", "&", "|", "*", "?", "(", "<", "#", "!"]
)
def test_a_path_that_a_shell_would_split_is_refused(letter):
    with pytest.raises(UsageError, match="Pass --state"):
        require_one_word(Path(f"/home/ann{letter}bob/.sonde"))


def test_the_refusal_names_the_folder_and_the_letter(golden):
    with pytest.raises(UsageError) as refused:
        require_one_word(Path("/home/ann/my projects/.sonde"))

    golden("sandbox/splitting-path.txt", f"{refused.value}\n")
