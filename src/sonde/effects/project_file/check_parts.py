"""Whether the build, the benchmarks, the environment and the constraints fit together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sonde.effects.project_file.conversion import options_of
from sonde.effects.project_file.mistakes import Mistake
from sonde.effects.project_file.models import BenchmarkPart
from sonde.effects.project_file.names import pattern_mistakes, variable_mistakes
from sonde.effects.project_file.positions import KeyPath
from sonde.effects.project_file.source import ProjectSource
from sonde.effects.project_file.structure import Structure
from sonde.space.space import Space
from sonde.space.tokens import ConstraintError

WORK_TREE = "the root of the work tree"
FILE_FOLDER = "the folder of the project file"


def place_mistakes(source: ProjectSource, structure: Structure) -> Iterator[Mistake]:
    """Mistakes in the repository, the build and the environment."""
    part = structure.part
    repository = source.file.parent / part.repository
    if not _is_folder(repository):
        yield Mistake(
            ("repository",), f"is not a folder. Write the path of a git repository from {source.file.parent}."
        )
    build = part.build
    if not source.has(("build", "outputs")):
        yield Mistake(("build",), 'has no outputs. Write outputs = ["..."], the files that benchmarks need.')
    elif not build.outputs and structure.is_intact(("build", "outputs")):
        yield Mistake(("build", "outputs"), "is empty. Name at least one file that benchmarks need.")
    yield from pattern_mistakes(("build", "outputs"), build.outputs, WORK_TREE)
    for at, output in enumerate(build.outputs):
        if output.startswith("!"):
            yield Mistake(
                ("build", "outputs", at),
                "begins with '!', which is only allowed in the inputs of the build. Remove it.",
            )
    # A leading slash is legal here: it binds a pattern to the root of the work tree.
    yield from pattern_mistakes(
        ("build", "inputs"), [p.replace("/", "", p[:1] == "/") for p in build.inputs], WORK_TREE
    )
    for name in build.variables:
        yield from variable_mistakes(("build", "variables", name), name)
    for name in part.environment.variables:
        yield from variable_mistakes(("environment", "variables", name), name)
    for key in ("readable", "writable"):
        for at, path in enumerate(getattr(part.environment, key)):
            if not Path(path).is_absolute():
                yield Mistake(("environment", key, at), "is not an absolute path. Start it with '/'.")


def benchmark_mistakes(source: ProjectSource, structure: Structure) -> Iterator[Mistake]:
    """Mistakes within each benchmark, and that there is one."""
    if not source.has(("benchmarks",)) or not (structure.part.benchmarks or structure.dropped):
        yield Mistake((), 'There is no benchmark. Write [benchmarks.NAME] with command = "...".')
    for name, benchmark in structure.part.benchmarks.items():
        path = ("benchmarks", name)
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.+-]*", name):
            yield Mistake(path, "cannot be a benchmark's name. Write letters, digits, '_', '-', '+' and '.'.")
        if not source.has((*path, "command")):
            yield Mistake(path, 'has no command. Write command = "{build}/... {options}".')
        elif structure.is_intact((*path, "command")) and not any(c.run.strip() for c in benchmark.command):
            yield Mistake((*path, "command"), 'is empty. Write command = "{build}/... {options}".')
        if structure.is_intact((*path, "metric")) and structure.is_intact((*path, "pattern")):
            yield from _metric_mistakes(source, path, benchmark)
        yield from _file_mistakes(source, path, benchmark)
        yield from _server_mistakes(source, path, benchmark)
        if not benchmark.exit_codes and structure.is_intact((*path, "exit_codes")):
            yield Mistake((*path, "exit_codes"), "is empty, so no run can succeed. Write [0].")


def constraint_mistakes(structure: Structure) -> Iterator[Mistake]:
    """Constraints that cannot be read, that leave nothing valid, or that the default configuration breaks."""
    unreadable = {path[1] for path in structure.dropped if path[0] == "options" and len(path) > 1}
    whole = options_of(structure.part)
    options = tuple(option for option in whole if option.name not in unreadable)
    readable: list[str] = []
    unread: list[Mistake] = []
    found: list[Mistake] = []
    for at, constraint in enumerate(structure.part.constraints):
        path = ("constraints", at)
        try:
            space = Space.of(options, (constraint,))
        except ConstraintError as error:
            if error.unknown not in unreadable:
                mark = () if "\n" in constraint else (constraint, " " * (error.column - 1) + "^")
                unread.append(Mistake(path, f"in column {error.column}: {error.message}", detail=mark))
                found.append(unread[-1])
            continue
        readable.append(constraint)
        if structure.is_intact(("options",)) and space.broken(space.every_default):
            found.append(
                Mistake(
                    path,
                    f"does not hold for the default configuration, which is {space.every_default}. "
                    "Change a default, or the constraint.",
                )
            )
    # A solver is asked only where something is wrong: its package loads slowly.
    conflict = Space.of(options, readable).conflict() if len(found) > len(unread) else ()
    if conflict:
        unread.append(
            Mistake(
                ("constraints",),
                "leaves no configuration valid. Change or remove one of these, which cannot hold together:",
                names_value=False,
                detail=tuple(str(constraint) for constraint in conflict),
            )
        )
    yield from unread if conflict else found


def _metric_mistakes(source: ProjectSource, path: KeyPath, benchmark: BenchmarkPart) -> Iterator[Mistake]:
    example = 'pattern = "time: ([0-9.]+)"'
    if benchmark.server is not None and benchmark.metric not in ("wall", "printed"):
        where = (*path, "metric") if source.has((*path, "metric")) else (*path, "server")
        yield Mistake(
            where, f'would be {benchmark.metric} of the command alone. Write metric = "wall" or "printed".'
        )
    if benchmark.metric != "printed":
        if source.has((*path, "pattern")):
            yield Mistake(
                (*path, "pattern"), 'is only for metric = "printed". Use that metric, or remove it.'
            )
        return
    if not benchmark.pattern:
        yield Mistake((*path, "metric"), f"needs a pattern that finds the number. Write {example}.")
        return
    try:
        groups = re.compile(benchmark.pattern).groups
    except re.error as error:
        yield Mistake((*path, "pattern"), f"is not a regular expression: {error}. Write {example}.")
        return
    if groups == 0:
        yield Mistake((*path, "pattern"), f"has no group around the number. Write parentheses: {example}.")


def _file_mistakes(source: ProjectSource, path: KeyPath, benchmark: BenchmarkPart) -> Iterator[Mistake]:
    illegal = list(pattern_mistakes((*path, "inputs"), benchmark.inputs, FILE_FOLDER))
    yield from illegal
    if illegal:
        return
    for at, pattern in enumerate(benchmark.inputs):
        if pattern.startswith("!"):
            yield Mistake(
                (*path, "inputs", at),
                "begins with '!', which is only allowed in the inputs of the build. Remove it.",
            )
        elif not _matches_some_file(source.file.parent, pattern):
            yield Mistake(
                (*path, "inputs", at),
                f"matches no file below {source.file.parent}. Write the path of an existing file.",
            )
    if benchmark.stdin:
        for mistake in pattern_mistakes((*path, "stdin"), [benchmark.stdin], "the scratch folder"):
            yield Mistake((*path, "stdin"), mistake.text)


def _server_mistakes(source: ProjectSource, path: KeyPath, benchmark: BenchmarkPart) -> Iterator[Mistake]:
    if benchmark.server is None:
        return
    for key, example in (("command", 'command = "{build}/..."'), ("port", "port = 8080")):
        if not source.has((*path, "server", key)):
            yield Mistake((*path, "server"), f"has no {key}. Write {example}.")


def _matches_some_file(folder: Path, pattern: str) -> bool:
    # Before Python 3.13, a pattern that ends in ** matches folders only.
    whole = f"{pattern}/*" if pattern.endswith("**") else pattern
    try:
        return any(match.is_file() or any(match.iterdir()) for match in folder.glob(whole))
    except (ValueError, NotImplementedError, OSError):
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # its name is too long, or we may not look
        return False
