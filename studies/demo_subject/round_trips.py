"""Packing and unpacking small inputs with every build, in every valid configuration."""

import subprocess
from pathlib import Path

from sonde.effects.demo_subject.configurations import DemoConfiguration, holds, valid_configurations, words
from sonde.effects.demo_subject.corpus import corpus
from sonde.effects.demo_subject.planned import Crashes, PlannedRevision
from studies.demo_subject.builds import Build
from studies.demo_subject.counting import exists


def small_inputs() -> dict[str, bytes]:
    """Pieces of the corpus, and what is odd: nothing, and a long run between all bytes."""
    pieces = {name: content[:9000] for name, content in corpus().items()}
    odd = {"nothing": b"", "odd": bytes(range(256)) * 3 + b"\0" * 5000 + b"\1\2" * 9}
    return {**pieces, **odd}


def failed_round_trips(builds: list[Build], planned: tuple[PlannedRevision, ...], folder: Path) -> list[str]:
    """What does not come back, in words; one program a distinct build is tried."""
    folder.mkdir(exist_ok=True)
    inputs = small_inputs()
    for name, content in inputs.items():
        (folder / name).write_bytes(content)
    failures: list[str] = []
    seen: set[str] = set()
    for build in builds:
        if build.digest in seen:
            continue
        seen.add(build.digest)
        effect = planned[build.position].effect
        for configuration in valid_configurations():
            if not exists(configuration, build.position, planned):
                continue
            crashes = isinstance(effect, Crashes) and holds(effect.where, configuration)
            for name in inputs:
                code = _round_trip(build, configuration, folder, name)
                if (code >= 0) if crashes else (code != 0):
                    failures.append(f"{build.position} {words(configuration)} {name}: exit code {code}")
    return failures


def _round_trip(build: Build, configuration: DemoConfiguration, folder: Path, name: str) -> int:
    """0, a negative signal, or the exit code of what failed; 99 if something else came back."""
    packed, unpacked = folder / "packed", folder / "unpacked"
    program, options = str(build.program), words(configuration)
    for command in ([*options, "--verify", name, "packed"], ["--unpack", "packed", "unpacked"]):
        done = subprocess.run([program, *command], cwd=folder, capture_output=True, check=False)
        if done.returncode:
            return done.returncode
    same = unpacked.read_bytes() == (folder / name).read_bytes()
    packed.unlink()
    return 0 if same else 99
