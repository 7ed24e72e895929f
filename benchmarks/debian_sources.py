"""Debian's source packages, fetched by apt-get with settings of its own and kept in `build/benchmarks`.

The settings and the lists of packages of the system stay as they are.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

from benchmarks.frame import tell

PLACE = Path(__file__).parent.parent / "build" / "benchmarks"


class Unavailable(Exception):
    """A program cannot be had here."""


def fetch(package: str) -> Path:
    """The tar file of a source package of this release of Debian, by apt-get with settings of its own."""
    packages = PLACE / "packages"
    pattern = f"{package}_*.orig.tar.[gx]z"
    if not list(packages.glob(pattern)):
        packages.mkdir(parents=True, exist_ok=True)
        apt = _apt(packages / "apt")
        tell(f"fetching Debian's source package {package}")
        words = [*apt, "source", "--quiet", "--download-only", "--tar-only", package]
        ended = subprocess.run(words, cwd=packages, capture_output=True, text=True, check=False)
        if ended.returncode or not list(packages.glob(pattern)):
            raise Unavailable(f"the source package {package} cannot be fetched: {last_line(ended.stderr)}")
    return max(packages.glob(pattern))


def _apt(folder: Path) -> list[str]:
    """The words that start apt-get, whose lists lie in `folder`."""
    lines = Path("/etc/os-release").read_text().splitlines()
    release = dict(line.split("=", 1) for line in lines if "=" in line)
    if shutil.which("apt-get") is None or release.get("ID") != "debian":
        raise Unavailable("the programs are taken from Debian's source packages, and this is not Debian")
    words = ["apt-get", "-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={folder}"]
    words += ["-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
    if not list((folder / "lists").glob("*Sources*")):
        for part in ("lists/partial", "cache/archives/partial"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "debian.sources").write_text(
            "Types: deb-src\nURIs: http://deb.debian.org/debian\n"
            f"Suites: {release['VERSION_CODENAME']}\nComponents: main\n"
            "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"
        )
        tell("fetching the list of Debian's source packages")
        ended = subprocess.run([*words, "update"], capture_output=True, text=True, check=False)
        if not list((folder / "lists").glob("*Sources*")):
            raise Unavailable(f"the list of source packages cannot be fetched: {last_line(ended.stderr)}")
    return words


def unpack(file: Path, folder: Path) -> None:
    """The files of a package, without the folder that they all lie in."""
    outer = folder.with_name("unpacked")
    with tarfile.open(file) as content:
        content.extractall(outer, filter="data")
    (inner,) = outer.iterdir()
    inner.rename(folder)
    outer.rmdir()


def last_line(text: str) -> str:
    """What a program said at last."""
    return (text.strip().splitlines() or ["it says nothing"])[-1]
