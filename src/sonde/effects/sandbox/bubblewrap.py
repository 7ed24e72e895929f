"""The sandbox made by bubblewrap: no network, and only what a world says is writable or there at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.effects.sandbox.system_calls import COUNTERS, filter_of
from sonde.effects.sandbox.worlds import SandboxView, with_paths

# The same for root and for everyone else: a user of no rights, who owns what Sonde's user owns.
USER = GROUP = "1000"

ISOLATION = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--uid", USER, "--gid", GROUP, "--hostname", "sonde"),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
    # Bubblewrap's own process 1 could be traced, and made to start programs that nobody watches over.
    "--as-pid-1",
)

SYSTEM_FOLDERS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

# What programs and libraries need to work; nothing of it is private. Ours stand in for the rest.
SYSTEM_FILES = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "os-release", "debian_version"),
    *(
        "services",
        "protocols",
        "mime.types",
        "magic",
        "locale.alias",
        "fonts",
        "perl",
        "python3",
        "python3.*",
    ),
    *("java-*", "maven", "ssl/openssl.cnf", "ssl/certs", "pki/tls/openssl.cnf", "crypto-policies"),
)
NETWORK_FILES = ("resolv.conf", "gai.conf", "host.conf", "ca-certificates", "pki/tls/certs", "pki/ca-trust")
OUR_FILES = Path(__file__).with_name("etc")

# The number of processors and their caches, which many programs ask for.
MACHINE_FOLDERS = ("/sys/devices/system/cpu", "/sys/devices/system/node")


@dataclass(frozen=True)
class Bubblewrap:
    """Runs commands in namespaces of their own."""

    program: str
    root: Path = Path("/")  # whose system is shown: the machine's, or one made up by a test
    python: Path = Path(sys.base_prefix)  # the programs inside need it
    memory_bytes: int = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    @property
    def is_isolated(self) -> bool:
        """True: only the world is there."""
        return True

    @property
    def folders_in_memory(self) -> tuple[str, ...]:
        """They are empty when a command begins, and gone when it has ended."""
        return ("/tmp", "/dev/shm")

    def place(self, world: SandboxView, text: str) -> str:
        """Targets are real; some are real elsewhere, too, and named there."""
        return with_paths(text, dict(world.moved))

    def filter_of(self, world: SandboxView) -> bytes:
        """What no build and no benchmark needs is denied."""
        return filter_of([COUNTERS] if world.allows_counters else [])

    def wrap(self, world: SandboxView, argv: Sequence[str], filter_at: int = -1) -> tuple[str, ...]:
        """The words that run `argv` in `world`. Its environment is empty: see `Processes.run`."""
        return (
            self.program,
            *ISOLATION,
            *(() if world.network else ("--unshare-net",)),
            *self._system(world.network),
            *("--proc", "/proc", *self._kernel_settings(), "--dev", "/dev"),
            *(word for place in self.folders_in_memory for word in self._in_memory(place)),
            *self._python(),
            *(
                word
                for mount in world.mounts
                for target in dict.fromkeys((mount.target, self.place(world, mount.target)))
                for word in _bind(mount.source, target, mount.writable)
            ),
            *("--remount-ro", "/"),
            *(("--seccomp", str(filter_at)) if filter_at >= 0 else ()),
            *("--chdir", self.place(world, world.folder), "--"),
            *argv,
        )

    def _in_memory(self, place: str) -> tuple[str, ...]:
        """A folder that lies in memory, of which a program cannot take all."""
        return ("--size", str(self.memory_bytes // 4), "--tmpfs", place)

    def _system(self, network: bool) -> Iterator[str]:
        yield from _bind(self.root / "usr", "/usr")
        for name in SYSTEM_FOLDERS:
            folder = self.root / name[1:]
            if folder.is_symlink():
                yield from ("--symlink", str(folder.readlink()), name)
            elif folder.is_dir():
                yield from _bind(folder, name)
        for pattern in (*SYSTEM_FILES, *(NETWORK_FILES if network else ())):
            for file in sorted((self.root / "etc").glob(pattern)):
                yield from _bind(file, f"/{file.relative_to(self.root)}")
        for file in sorted(OUR_FILES.iterdir()):
            yield from _bind(file, f"/etc/{file.name}")
        for name in MACHINE_FOLDERS:
            if (self.root / name[1:]).is_dir():
                yield from _bind(self.root / name[1:], name)

    def _kernel_settings(self) -> Iterator[str]:
        """All of /proc that is not about processes, read-only.

        Settings of the kernel belong to root. If root has started Sonde, then code inside could write them,
        for the kernel asks for the user's number only, and bubblewrap leaves /proc/sys as it is.
        """
        folder = self.root / "proc"
        for file in sorted(folder.iterdir()) if folder.is_dir() else ():
            if not file.name.isdigit() and not file.is_symlink() and (file.is_dir() or _is_writable(file)):
                yield from _bind(file, f"/proc/{file.name}")

    def _python(self) -> Iterator[str]:
        if not self.python.is_relative_to("/usr"):
            yield from _bind(self.python, str(self.python))


def _is_writable(file: Path) -> bool:
    return bool(file.stat().st_mode & stat.S_IWUSR)


def _bind(source: Path, target: str, writable: bool = False) -> tuple[str, str, str]:
    return ("--bind" if writable else "--ro-bind", str(source), target)
