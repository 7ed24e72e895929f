"""Entries from scenarios, and from generated programs with hot functions that are given."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sonde.core.options import Option
from sonde.formats.python_source.reading import read_python
from sonde.formats.python_source.suggestions import suggest_python
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.question import AnalysisSettings, Question
from sonde.space.expressions import holds
from sonde.space.parser import parse
from sonde.workflows.impact.programs import ProgramPair
from sonde.workflows.impact.suggestions import whole_words_of, with_suggestions
from studies.impact.corpus.entries import Entry, entry_file
from studies.impact.generated.python.starting import start_of
from studies.impact.generated.records import Key, read
from studies.impact.generated.running import draw_valid, scratch_folder
from studies.impact.generated.subjects import Language, Subject
from studies.impact.generated.trees import Side
from studies.impact.generated.truth import Truth
from tests.programs.asking import changed_lines, compile_program, question_about, read_programs
from tests.programs.scenarios import NEVER, Scenario, read_scenarios
from tests.python_programs import scenarios as python


def gather_scenarios(folder: Path) -> Iterator[str]:
    """Keep what is asked about each scenario in C."""
    for scenario in read_scenarios():
        name = f"c-scenario-{scenario.name}"
        if not entry_file(folder, name).exists():
            with scratch_folder() as scratch:
                question = question_about(scenario, scratch, AnalysisSettings(implicit_depth=scenario.depth))
            _about(scenario, name, question).write(folder)
        yield name


def gather_python_scenarios(folder: Path) -> Iterator[str]:
    """Keep what is asked about each scenario in Python."""
    for scenario in python.read_scenarios():
        name = f"python-scenario-{scenario.name}"
        if not entry_file(folder, name).exists():
            entry_of_python_scenario(scenario).write(folder)
        yield name


def gather_records(folder: Path, languages: Mapping[str, Language], file: Path) -> Iterator[str]:
    """Keep what a user would ask about the programs of a study, who knows what the product found hot."""
    for record in read(file):
        hot = record.truth.hot or (record.answers.impact.hot if record.answers.impact else ())
        name = _name(record.key)
        if hot and not entry_file(folder, name).exists():
            key = record.key
            rng = random.Random(f"{key.seed}/{key.number}/{record.attempt}")
            subject = languages[key.language].draw(rng).subject
            _generated(name, subject, languages[key.language], record.truth, hot).write(folder)
        yield name


def gather_generated(folder: Path, language: Language, seed: int, numbers: range) -> Iterator[str]:
    """Keep what a user would ask about generated programs, who knows the hot functions."""
    for number in numbers:
        key = Key(language.name, seed, number)
        name = _name(key)
        if not entry_file(folder, name).exists():
            with scratch_folder() as scratch:
                valid = draw_valid(language, key, scratch)
            truth = valid.truth
            _generated(name, valid.drawn.subject, language, truth, truth.hot).write(folder)
        yield name


def _name(key: Key) -> str:
    return f"{key.language}-generated-{key.seed}-{key.number:04}"


def _generated(name: str, subject: Subject, language: Language, truth: Truth, hot: tuple[str, ...]) -> Entry:
    texts = [language.files(subject, side) for side in Side]
    ask = _ask_python if language.name == "python" else _ask_c
    return Entry(
        name,
        f"{language.name}, generated",
        (ask(subject, texts, tuple(map(Hotness, hot))),),
        subject.space.options,
        subject.space.constraints,
        None,
        truth.is_relevant,
        truth.is_harmless,
        frozenset(truth.slower),
    )


def _ask_c(subject: Subject, texts: Sequence[Mapping[str, str]], hot: tuple[Hotness, ...]) -> Question:
    with scratch_folder() as folder:
        compiled = []
        for side, files in zip(Side, texts, strict=True):
            (folder / side.value).mkdir()
            for name, text in files.items():
                (folder / side.value / name).write_text(text)
            sources = sorted((folder / side.value).glob("*.c"))
            compiled.append(compile_program(sources, folder / side.value, folder / f"{side.value}-bc"))
        old, new = read_programs(*compiled)
        changed = tuple(changed_lines(folder / Side.BASE.value, folder / Side.HEAD.value))
    options = with_suggestions(subject.options, [ProgramPair("app", old, new)])
    words = frozenset(word for each in subject.options for word in whole_words_of(each))
    return Question(old, new, hot, options, changed, AnalysisSettings(), words, ())


def _ask_python(subject: Subject, texts: Sequence[Mapping[str, str]], hot: tuple[Hotness, ...]) -> Question:
    start = start_of(texts[0])
    entry = start if start in texts[0] else f"{start}/__main__.py"
    sources = [python.sources_of(each) for each in texts]
    old, new = read_python(sources, [entry])
    pair = ProgramPair("", old.units, new.units, suggest_python(sources[1]))
    words = frozenset(word for each in subject.options for word in whole_words_of(each))
    return Question(old.units, new.units, hot, with_suggestions(subject.options, [pair]), words=words)


def _about(scenario: Scenario, name: str, question: Question) -> Entry:
    slower: frozenset[str] = frozenset()
    if scenario.slower != NEVER:
        slower = frozenset(
            str(each)
            for each in scenario.space.configurations()
            if not scenario.slower or holds(parse(scenario.slower, scenario.space.options), each.chosen)
        )
    options, constraints = scenario.space.options, scenario.space.constraints
    related = frozenset(scenario.related)
    harmless = not scenario.is_relevant
    return Entry(
        name,
        "c, scenarios",
        (question,),
        options,
        constraints,
        None,
        scenario.is_relevant,
        harmless,
        slower,
        related,
    )


def entry_of_python_scenario(scenario: python.Scenario) -> Entry:
    """What is asked about a scenario in Python."""
    old, new = python.programs_of(scenario)
    hot = tuple(Hotness(each) for each in scenario.hot)
    in_code = tuple(OptionInCode(each, (variable,)) for each, variable in scenario.options.items())
    settings = AnalysisSettings(implicit_depth=scenario.depth)
    question = Question(old.units, new.units, hot, in_code, settings=settings)
    options = tuple(Option(each, (False, True), False) for each in scenario.options)
    related = scenario.related if scenario.is_relevant else frozenset[str]()
    relevant = scenario.is_relevant
    return Entry(
        f"python-scenario-{scenario.name}",
        "python, scenarios",
        (question,),
        options,
        (),
        None,
        relevant,
        not relevant,
        frozenset(),
        related,
    )
