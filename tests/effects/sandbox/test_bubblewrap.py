"""The words that bubblewrap is called with."""

from pathlib import Path

import pytest

from sonde.effects.sandbox import Bubblewrap, Mount, SandboxView
from sonde.effects.sandbox.bubblewrap import OUR_FILES


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A system with merged folders, as Debian has it, and with private files."""
    for name in ("usr/bin", "usr/lib", "lib32", "etc/ssl/certs", "etc/ssl/private", "sys/devices/system/cpu"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("bin", "lib"):
        (tmp_path / name).symlink_to(f"usr/{name}")
    for name in ("shadow", "passwd", "ld.so.cache", "resolv.conf"):
        (tmp_path / "etc" / name).touch()
    for name in ("proc/1", "proc/sys", "proc/pressure"):
        (tmp_path / name).mkdir(parents=True)
    for name, mode in (("mtrr", 0o644), ("stat", 0o444)):
        (tmp_path / "proc" / name).touch(mode)
    (tmp_path / "proc" / "net").symlink_to("self/net")
    return tmp_path


def words(machine: Path, world: SandboxView, python: str = "/opt/python") -> str:
    sandbox = Bubblewrap("/usr/bin/bwrap", machine, Path(python), memory_bytes=4096)
    lines = " ".join(sandbox.wrap(world, ("make", "-j2"))).replace(" --", "\n--")
    return lines.replace(str(machine), "<machine>").replace(str(OUR_FILES), "<ours>") + "\n"


MOUNTS = (
    Mount(Path("/state/build"), "/sonde/build"),
    Mount(Path("/state/s"), "/sonde/scratch", writable=True),
)


def test_a_run_sees_the_system_and_its_mounts_only(golden, machine):
    golden("sandbox/run.txt", words(machine, SandboxView(MOUNTS, folder="/sonde/scratch")))


def test_a_build_with_network_sees_names_and_certificates(golden, machine):
    golden("sandbox/network.txt", words(machine, SandboxView(network=True)))


def test_a_python_of_the_system_needs_no_mount(machine):
    assert "python" not in words(machine, SandboxView(), python="/usr")


def test_targets_are_real_in_the_sandbox(machine):
    assert Bubblewrap("bwrap").place(SandboxView(MOUNTS), "/sonde/build/bin") == "/sonde/build/bin"


@pytest.mark.parametrize(("source", "target"), [("relative", "/sonde/x"), ("/x", "relative")])
def test_a_mount_needs_absolute_paths(source, target):
    with pytest.raises(ValueError, match="two absolute paths"):
        Mount(Path(source), target)
