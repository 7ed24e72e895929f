"""Repositories of Rust, built by cargo."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from sonde.effects.project_file.starter.files import harmless_call, read
from sonde.effects.project_file.starter.guesses import Guess, look_at_outputs


def detect_cargo(root: Path) -> Guess | None:
    """A guess, if there is a Cargo.toml."""
    if not (root / "Cargo.toml").is_file():
        return None
    packages = [root, *_members(root)]
    programs = [program for package in packages for program in _programs(package)]
    lock = read(root / "Cargo.lock")
    # Without a lock file, or with packages from elsewhere, cargo asks the registry.
    network = not lock or "source = " in lock
    remarks = ["Without network, run 'cargo vendor' once and leave out the line."] if network else []
    if not programs:
        name = _manifest(root).get("package", {}).get("name", "NAME").replace("-", "_")
        remarks.append("Sonde found no program: build an example or a bench, and name it in outputs.")
        outputs = (f"target/release/lib{name}.rlib",)
        return Guess(
            "Cargo.toml",
            "cargo build --release",
            outputs,
            look_at_outputs("Cargo.toml"),
            tuple(remarks),
            network,
        )
    program = _manifest(root).get("package", {}).get("default-run") or programs[0]
    if len(programs) > 1:
        remarks.append(f"Its programs are {', '.join(programs[:8])}.")
    return Guess(
        evidence="Cargo.toml",
        command="cargo build --release",
        outputs=(f"target/release/{program}",),
        call=harmless_call(root, f"{{build}}/target/release/{program}"),
        remarks=tuple(remarks),
        network=network,
    )


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read(folder / "Cargo.toml"))
    except tomllib.TOMLDecodeError:
        return {}


def _members(root: Path) -> list[Path]:
    workspace = _manifest(root).get("workspace", {})
    patterns = workspace.get("default-members") or workspace.get("members", [])
    return [folder for pattern in patterns for folder in sorted(root.glob(pattern)) if folder != root]


def _programs(folder: Path) -> list[str]:
    manifest = _manifest(folder)
    names = [binary["name"] for binary in manifest.get("bin", []) if "name" in binary]
    package = manifest.get("package", {}).get("name")
    if package and (folder / "src" / "main.rs").is_file():
        own_path = any(binary.get("path") == "src/main.rs" for binary in manifest.get("bin", []))
        names += [] if own_path else [package]
    names += [file.stem for file in sorted((folder / "src" / "bin").glob("*.rs"))]
    return list(dict.fromkeys(names))
