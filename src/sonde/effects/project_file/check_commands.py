"""Whether the command lines name what exists, and whether every option reaches a command."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sonde.effects.project_file.check_options import span_mistakes
from sonde.effects.project_file.mistakes import Mistake
from sonde.effects.project_file.models import CommandPart, OptionPart
from sonde.effects.project_file.positions import KeyPath
from sonde.effects.project_file.source import ProjectSource
from sonde.effects.project_file.structure import Structure
from sonde.space.nearest import did_you_mean
from sonde.space.templates import lone_braces, sound_places
from sonde.space.words import BUILD_PLACE, OPTIONS_PLACE, option_variable

_LINE_TABLES = ("build", "benchmarks")
_LINE_KEYS = ("command", "setup", "teardown", "server")


@dataclass(frozen=True)
class FileLine:
    """A command line of the file."""

    path: KeyPath
    text: str
    is_build: bool
    is_for_shell: bool


def command_lines(source: ProjectSource, structure: Structure) -> tuple[FileLine, ...]:
    """Every line that is run, of the build and of the benchmarks."""
    build = structure.part.build
    lines = [
        FileLine(path, text, True, True) for path, text in _texts(source, ("build", "command"), build.command)
    ]
    for name, benchmark in structure.part.benchmarks.items():
        path = ("benchmarks", name)
        for where, text in _texts(source, (*path, "command"), benchmark.command):
            lines.append(FileLine(where, text, False, benchmark.shell))
        lines.append(FileLine((*path, "setup"), benchmark.setup, False, True))
        lines.append(FileLine((*path, "teardown"), benchmark.teardown, False, True))
        if benchmark.server:
            lines.append(FileLine((*path, "server", "command"), benchmark.server.command, False, True))
    return tuple(line for line in lines if line.text.strip())


def command_mistakes(source: ProjectSource, structure: Structure) -> Iterator[Mistake]:
    """Mistakes within the lines, and in the lists that give a line to each part of the history."""
    broken = [str(path[1]) for path in structure.dropped if path[0] == "options" and len(path) > 1]
    names = list(dict.fromkeys([*structure.part.options, *broken]))
    for line in command_lines(source, structure):
        yield from _place_mistakes(line, names, structure)
        yield from _shell_mistakes(line)
    yield from _list_mistakes(source, ("build", "command"), structure.part.build.command)
    for name, benchmark in structure.part.benchmarks.items():
        yield from _list_mistakes(source, ("benchmarks", name, "command"), benchmark.command)


def unused_option_mistakes(source: ProjectSource, structure: Structure) -> Iterator[Mistake]:
    """Options that change nothing, because no command of their phase is told of them."""
    lines = command_lines(source, structure)
    if any(len(path) <= 2 or path[2] in _LINE_KEYS for path in structure.dropped if path[0] in _LINE_TABLES):
        return  # the line that uses it may be one that could not be read
    for name, option in structure.part.options.items():
        phase = [line.text for line in lines if line.is_build == option.build]
        if structure.is_intact(("options", name)) and not _is_used(name, option, phase):
            yield Mistake(("options", name), _how_to_use(name, option, phase))


def _texts(
    source: ProjectSource, path: KeyPath, commands: Sequence[CommandPart]
) -> Iterator[tuple[KeyPath, str]]:
    """Each line with its path: one line alone stands at the key itself."""
    for at, command in enumerate(commands):
        where = (*path, at, "run")
        yield (where if source.has(where) else path), command.run


def _place_mistakes(line: FileLine, names: Sequence[str], structure: Structure) -> Iterator[Mistake]:
    for brace in lone_braces(line.text):
        yield Mistake(line.path, f"has a stray brace: {brace}", detail=_mark(line.text, brace.column))
    known = [OPTIONS_PLACE, *names] if line.is_build else [BUILD_PLACE, OPTIONS_PLACE, *names]
    for place in sound_places(line.text):
        option = structure.part.options.get(place.name)
        if line.is_build and place.name == BUILD_PLACE:
            text = "has {build}, which is only available in benchmarks. Write paths below the work tree."
        elif place.name not in known:
            hint = did_you_mean(place.name, known)
            text = (
                f"has {{{place.name}}}, which is not an option.{hint} Known here: {', '.join(known)}. "
                f"For literal braces write {{{{{place.name}}}}}."
            )
        elif line.is_build and option and not option.build:
            text = (
                f"has {{{place.name}}}, an option that takes effect when the subject runs. "
                f"Write build = true in [options.{place.name}] if it belongs to the build."
            )
        else:
            continue
        yield Mistake(line.path, text, detail=_mark(line.text, place.column))


def _shell_mistakes(line: FileLine) -> Iterator[Mistake]:
    try:
        shlex.split(line.text)
        words = list(shlex.shlex(line.text, posix=False, punctuation_chars="|<>;&"))
    except ValueError:
        if not line.is_for_shell:
            yield Mistake(line.path, "has an unclosed quote. Close it, or write shell = true.")
        return
    signs = [word for word in words if set(word) <= set("|<>;&")]
    if signs and not line.is_for_shell:
        yield Mistake(
            line.path, f"has '{signs[0]}', which needs a shell. Write shell = true, or put it in quotes."
        )
    elif "$SONDE_" in line.text.replace("{", "") and not line.is_for_shell:
        yield Mistake(line.path, "has a variable, which needs a shell. Write shell = true.")


def _list_mistakes(
    source: ProjectSource, path: KeyPath, commands: Sequence[CommandPart]
) -> Iterator[Mistake]:
    for at, command in enumerate(commands):
        where: KeyPath = (*path, at)
        if not source.has(where):
            continue
        if not source.has((*where, "run")):
            yield Mistake(where, 'has no run. Write { run = "..." }.')
        yield from span_mistakes(where, command.since, command.until)
        if not command.since and not command.until and at + 1 < len(commands):
            yield Mistake(
                where,
                "applies to every revision, so the entries after it are never used. Write it last, or "
                "add `until`.",
            )


def _is_used(name: str, option: OptionPart, lines: Sequence[str]) -> bool:
    if option.environment:
        return True
    has_words = bool(option.words or option.off_words)
    variables = (option_variable(name), "SONDE_CONFIGURATION")
    return any(
        (has_words and OPTIONS_PLACE in _names(line))
        or name in _names(line)
        or any(variable in line for variable in variables)
        for line in lines
    )


def _how_to_use(name: str, option: OptionPart, lines: Sequence[str]) -> str:
    kind = "build command" if option.build else "benchmark's command"
    if not (option.words or option.off_words) and any(OPTIONS_PLACE in _names(line) for line in lines):
        example = f"--{name}={{value}}" if option.values or option.levels else f"--{name}"
        return (
            f'has no words, so {{options}} cannot include it. Write words = "{example}", '
            "or an environment variable."
        )
    return (
        f"changes nothing: no {kind} has {{options}} or {{{name}}}. Write one of them there, "
        f'or environment = "..." if a script reads it.'
    )


def _names(line: str) -> frozenset[str]:
    return frozenset(place.name for place in sound_places(line))


def _mark(text: str, column: int) -> tuple[str, ...]:
    """The line, and a mark below a column; nothing for a text of several lines."""
    return () if "\n" in text else (text, " " * (column - 1) + "^")
