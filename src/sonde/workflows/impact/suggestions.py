"""Where the program keeps its options: as the project file says, or as the code suggests."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from sonde.core.errors import NothingMeasured
from sonde.core.findings.impacts import Suggestion
from sonde.core.options import Option, Phase
from sonde.core.points import Point
from sonde.core.protocols import Watcher
from sonde.core.results import Failed
from sonde.core.revisions import Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.impact.command_line.suggestions import suggest
from sonde.methods.impact.options.variables import OptionInCode
from sonde.space.facts import text_of
from sonde.space.templates import fill_text
from sonde.space.words import VALUE_PLACE
from sonde.workflows.impact.front_ends import AsPython, FrontEnd, T, front_end_for
from sonde.workflows.impact.programs import ProgramPair
from sonde.workflows.impact.request import ImpactRequest
from sonde.workflows.impact.words import choices_of
from sonde.workflows.project_tools import open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.select.pairs import pair_of


def with_suggestions(options: Iterable[Option], programs: Sequence[ProgramPair]) -> tuple[OptionInCode, ...]:
    """The options that take effect at run time; those without a variable get what the code suggests."""
    wanted = [option for option in options if option.phase is Phase.LOAD]
    found: list[Suggestion] = []
    if any(not option.variables for option in wanted):
        found = [each for program in programs for each in _suggestions(program)]
    return tuple(
        OptionInCode(
            option.name,
            option.variables or tuple(dict.fromkeys(_suggested(option, found))),
            choices=choices_of(option),
        )
        for option in wanted
    )


def _suggestions(program: ProgramPair) -> tuple[Suggestion, ...]:
    if program.suggestions is not None:
        return program.suggestions
    return suggest(program.new or program.old)


def _suggested(option: Option, suggestions: Iterable[Suggestion]) -> Iterator[str]:
    words = set(words_of(option))
    return (each.variable for each in suggestions if words & set(each.words))


def words_of(option: Option) -> Iterator[str]:
    """The option's words on a command line, without values: `-l`, `--level`."""
    for word in whole_words_of(option):
        if word.startswith("-"):
            name = word.partition("=")[0]
            yield name
            if not name.startswith("--") and len(name) > 2:
                yield name[:2]  # `-j4` is `-j` with a value


def whole_words_of(option: Option) -> Iterator[str]:
    """All of the option's words on a command line, with its values: `-l9`, `--level=9`, `9`."""
    for value in option.values:
        for word in shlex.split(f"{option.words} {option.off_words}"):
            yield fill_text(word, {VALUE_PLACE: text_of(value)})


def suggest_options(
    project: OpenProject, how: ImpactRequest, is_sandboxed: bool, watcher: Watcher
) -> tuple[Suggestion, ...]:
    """Which variables the words of the program's command line are kept in, at a revision."""
    pair = pair_of(project, how.revision, how.base)
    benchmark = project.file.subject.benchmarks[0].name
    with open_tools(project, pair.history, [benchmark], is_sandboxed) as tools:
        draft = tools.drafter.draft(Point(pair.head.id, project.file.space.default, benchmark))
        if not isinstance(draft, Blueprint):
            raise NothingMeasured(f"{pair.head.short} cannot be built. {draft.reason}")
        with tools.executor(watcher) as executor:
            front_end = front_end_for(tools, executor, draft, pair.head, how.compile_commands)
            if isinstance(front_end, AsPython):
                return _read_suggestions(front_end, executor, draft, pair.head)
            return _read_suggestions(front_end, executor, draft, pair.head)


def _read_suggestions(
    front_end: FrontEnd[T], executor: LocalExecutor, draft: Blueprint, head: Revision
) -> tuple[Suggestion, ...]:
    ((_, code),) = front_end.read(executor, [draft])
    if isinstance(code, Failed):
        raise NothingMeasured(f"{head.short} cannot be read {front_end.name}. {code.reason}")
    return tuple(dict.fromkeys(front_end.suggest(code)))
