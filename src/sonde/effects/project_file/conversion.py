"""The parts of a project file as values of the core."""

from __future__ import annotations

from sonde.core.options import Option, Phase, Value
from sonde.core.results import Metric
from sonde.core.revisions import Span
from sonde.core.subject import BenchmarkRecipe, BuildRecipe, Command, Limits, Server, Subject, Surroundings
from sonde.effects.project_file.models import (
    BenchmarkPart,
    BuildPart,
    CommandPart,
    EnvironmentPart,
    FilePart,
    LimitsPart,
    OptionPart,
)

RUNS_OF_INSTRUCTIONS = 2  # the second run verifies that the first is repeatable
RUNS_OF_OTHERS = 5


def subject_of(part: FilePart) -> Subject:
    """The subject that a file without mistakes describes."""
    return Subject(
        branch=part.branch,
        first_parent=part.order == "first-parent",
        build=_build(part.build),
        options=options_of(part),
        constraints=tuple(part.constraints),
        benchmarks=tuple(_benchmark(name, benchmark) for name, benchmark in part.benchmarks.items()),
        surroundings=_surroundings(part.environment),
        limits=_limits(part.limits),
    )


def options_of(part: FilePart) -> tuple[Option, ...]:
    """The options, in the order of the file."""
    return tuple(_option(name, option) for name, option in part.options.items())


def _build(part: BuildPart) -> BuildRecipe:
    return BuildRecipe(
        commands=_commands(part.command) or (Command(""),),
        outputs=tuple(part.outputs),
        inputs=tuple(part.inputs),
        timeout_seconds=part.timeout,
        network=part.network,
        sees_git=part.sees_git,
        variables=tuple(sorted(part.variables.items())),
    )


def _option(name: str, part: OptionPart) -> Option:
    values: tuple[Value, ...] = tuple(part.values) or tuple(part.levels) or (False, True)
    return Option(
        name=name,
        values=values,
        default=values[0] if part.default is None else part.default,
        words=part.words,
        off_words=part.off_words,
        environment=part.environment,
        phase=Phase.BUILD if part.build else Phase.LOAD,
        span=Span(part.since, part.until),
        variables=tuple(f"{part.file}:{name}" if part.file else name for name in part.variable),
    )


def _benchmark(name: str, part: BenchmarkPart) -> BenchmarkRecipe:
    metric = Metric(part.metric)
    usual_runs = RUNS_OF_INSTRUCTIONS if metric is Metric.INSTRUCTIONS else RUNS_OF_OTHERS
    server = part.server
    return BenchmarkRecipe(
        name=name,
        commands=_commands(part.command),
        metric=metric,
        runs=usual_runs if part.runs is None else part.runs,
        shell=part.shell,
        setup=part.setup,
        teardown=part.teardown,
        warmups=part.warmups,
        server=Server(server.command, server.port, server.timeout) if server else None,
        inputs=tuple(part.inputs),
        stdin=part.stdin,
        pattern=part.pattern,
        exit_codes=tuple(part.exit_codes),
        timeout_seconds=part.timeout,
        side_by_side=part.side_by_side,
    )


def _surroundings(part: EnvironmentPart) -> Surroundings:
    return Surroundings(
        variables=tuple(sorted(part.variables.items())),
        aslr=part.aslr,
        readable=tuple(part.readable),
        writable=tuple(part.writable),
        label=part.label,
    )


def _limits(part: LimitsPart) -> Limits:
    return Limits(part.processes, part.memory, part.file, part.open_files, part.outputs)


def _commands(parts: list[CommandPart]) -> tuple[Command, ...]:
    return tuple(Command(part.run, Span(part.since, part.until)) for part in parts)
