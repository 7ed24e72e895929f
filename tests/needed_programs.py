"""Tests that run other programs: `@pytest.mark.needs("valgrind")`."""

import shutil
from collections.abc import Iterable, Mapping

import pytest

# Where the Debian package has another name than the program.
DEBIAN_PACKAGES = {
    "bwrap": "bubblewrap",
    "cc": "gcc",
    "llvm-dis-19": "llvm-19",
    "llvm-link-19": "llvm-19",
    "opt-19": "llvm-19",
}


def require_programs(programs: Iterable[str], environment: Mapping[str, str]) -> None:
    """Skip the test where a program is missing, with a reason that says what to install.

    Where SONDE_REQUIRE_TOOLS is 1 it fails instead, so that a machine which should have everything cannot
    skip in silence.
    """
    missing = [program for program in programs if shutil.which(program, path=environment.get("PATH")) is None]
    if not missing:
        return
    packages = sorted({DEBIAN_PACKAGES.get(program, program) for program in missing})
    reason = f"{', '.join(missing)} not installed (remedy: apt-get install {' '.join(packages)})"
    if environment.get("SONDE_REQUIRE_TOOLS") == "1":
        pytest.fail(f"{reason}, but SONDE_REQUIRE_TOOLS=1 allows no skipping", pytrace=False)
    pytest.skip(reason)
