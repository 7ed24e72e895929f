"""Every module of `src` is named by a test: imported, or used by what is imported of its package."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Tests run these, but import neither them nor what uses them in their package.
ONLY_RUN = {
    "sonde.__main__",
    "sonde.effects.bitcode.capturing",
    "sonde.effects.bitcode.marks",
    "sonde.effects.bitcode.reading.disassembler",
    "sonde.effects.executors.profiling",
    "sonde.workflows.check.planning",
    "sonde.workflows.history.planning",
    "sonde.workflows.pinpoint.planning",
    "sonde.workflows.repair",
    "sonde.workflows.replay.history",
    "sonde.workflows.replay.select",
    "sonde.workflows.report.known",
    "sonde.workflows.select.examples",
    "sonde.workflows.select.training",
}


@cache
def modules() -> Mapping[str, Path]:
    """The files of modules; what only acts inside of a sandbox, without our package, is none."""
    files = [file for file in (ROOT / "src").rglob("*.py") if not _is_inside(file)]
    return {_name(file): file for file in files}


def _is_inside(file: Path) -> bool:
    return any(part.endswith("inside") for part in file.parts)


def _name(file: Path) -> str:
    parts = file.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path) -> Iterator[tuple[str, str]]:
    """Modules that a file imports from, each with the name that it takes from there, if it takes one."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


@cache
def passed_on(package: str) -> Mapping[str, str]:
    """The names that a package takes from its modules, and from which."""
    return {name: source for source, name in imports(modules()[package]) if source in modules()}


def source_of(module: str, name: str) -> str | None:
    """The module that defines what is imported."""
    if f"{module}.{name}" in modules():
        return f"{module}.{name}"
    if module not in modules():
        return None
    is_package = modules()[module].name == "__init__.py"
    source = passed_on(module).get(name) if is_package else None
    return module if source in (None, module) else source_of(str(source), name)


@cache
def used_by(file: Path) -> frozenset[str]:
    """The modules of ours that a file imports, also through packages."""
    found = {source for pair in imports(file) for source in (pair[0], source_of(*pair))}
    return frozenset(module for module in found if module is not None and module in modules())


def package_of(module: str) -> str:
    """The package with all of its rooms: `sonde.methods.impact`, or `sonde.workflows`."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["methods"] else 2])


def named() -> set[str]:
    """The modules that tests import, those of their packages that these use, and formats that they read."""
    found: set[str] = set()
    tests = (ROOT / "tests").rglob("*.py")
    remaining = {module for file in tests for module in used_by(file)}
    while remaining:
        module = remaining.pop()
        found.add(module)
        below = (f"{package_of(module)}.", "sonde.formats.")
        remaining |= {each for each in used_by(modules()[module]) - found if each.startswith(below)}
    return found


def test_every_module_is_named_by_a_test():
    packages = {module for module, file in modules().items() if file.name == "__init__.py"}

    missing = set(modules()) - packages - named()

    assert sorted(missing - ONLY_RUN) == [], "add a test that imports it"
    assert sorted(ONLY_RUN - missing) == [], "leave it out of the list: a test names it, or it is gone"
