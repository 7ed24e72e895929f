"""Asks the analysis about scenarios: clang compiles them to bitcode, which is read and analysed."""

from __future__ import annotations

import difflib
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sonde.core.code import Unit
from sonde.core.findings.impacts import Role
from sonde.core.options import OptionName
from sonde.effects.bitcode.reading import read_units
from sonde.methods.impact.answer import answer
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.question import AnalysisSettings, Answer, Question
from sonde.space.space import Space
from sonde.workflows.impact.suggestions import whole_words_of
from sonde.workflows.impact.words import choices_of
from tests.programs.scenarios import Scenario, sources_in

FLAGS = ("-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-emit-llvm", "-c")
SIDES = ("old", "new")
_ROOT = Path("/program")  # the folder that is told to the compiler, so that both sides are of one place
_TEXTS = (".c", ".cpp", ".h")


def compile_program(sources: Sequence[Path], root: Path, folder: Path) -> tuple[Path, ...]:
    """The bitcode of the sources of a program, in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for source in sources:
        compiler = "clang++-19" if source.suffix == ".cpp" else "clang-19"
        file = folder / f"{source.name}.bc"
        place = f"-fdebug-compilation-dir={_ROOT}"
        line = [compiler, *FLAGS, place, str(source.relative_to(root)), "-o", str(file)]
        subprocess.run(line, cwd=root, check=True)
        files.append(file)
    return tuple(files)


def read_programs(*programs: Sequence[Path]) -> tuple[tuple[Unit, ...], ...]:
    """The units of each program, by one reader: its process takes longer to begin than to read."""
    read = iter(read_units([file for program in programs for file in program], _ROOT))
    units = tuple(tuple(next(read) for _ in program) for program in programs)
    assert all(isinstance(unit, Unit) for program in units for unit in program), units
    return tuple(tuple(unit for unit in program if isinstance(unit, Unit)) for program in units)


def question_about(scenario: Scenario, folder: Path, settings: AnalysisSettings) -> Question:
    """What a user would ask about the change of a scenario."""
    sources = folder / "sources"
    scenario.write(sources)
    old, new = read_programs(
        *(compile_program(sources_in(sources / side), sources / side, folder / side) for side in SIDES)
    )
    options = tuple(
        OptionInCode(each.name, each.variables, choices=choices_of(each)) for each in scenario.space.options
    )
    hot = tuple(Hotness(name) for name in scenario.hot)
    changed = tuple(changed_lines(sources / "old", sources / "new"))
    words = frozenset(word for each in scenario.space.options for word in whole_words_of(each))
    return Question(old, new, hot, options, changed, settings, words, ())


def changed_lines(old: Path, new: Path) -> Iterator[ChangedFileLines]:
    """The lines that differ, as a tool for differences tells them."""
    names = {each.name for folder in (old, new) for each in folder.iterdir() if each.suffix in _TEXTS}
    for name in sorted(names):
        before, after = _lines(old / name), _lines(new / name)
        steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        changed = [step for step in steps if step[0] != "equal"]
        if changed:
            yield ChangedFileLines(
                name,
                tuple((first + 1, last) for _, first, last, _, _ in changed if last > first),
                tuple((first + 1, last) for _, _, _, first, last in changed if last > first),
            )


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def ask(scenario: Scenario, folder: Path, settings: AnalysisSettings | None = None) -> Answer:
    """What the analysis says about the change of a scenario."""
    settings = settings or AnalysisSettings(implicit_depth=scenario.depth)
    return answer(question_about(scenario, folder, settings), time.monotonic)


def related_in(found: Answer) -> set[OptionName]:
    """The options that are to be varied: those up to the first hot code, if there are any."""
    related = {each.option for each in found.options if each.role in (Role.RELATED, Role.UNKNOWN)}
    return related or {each.option for each in found.options if each.role is Role.BEHIND}


def reduced(space: Space, related: Iterable[OptionName]) -> int:
    """How many combinations of these options are valid."""
    names = sorted(related)
    return len({tuple(each.chosen[name] for name in names) for each in space.configurations()})
