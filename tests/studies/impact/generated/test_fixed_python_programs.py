"""A few generated programs in Python, asked through the analysis; the study asks thousands."""

import random
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from sonde.formats.python_source.reading import read_python
from sonde.methods.impact.answer import answer
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.question import AnalysisSettings, Answer, Question
from sonde.workflows.impact.programs import ProgramPair
from sonde.workflows.impact.suggestions import with_suggestions
from studies.impact.answering import told
from studies.impact.generated.python.counting import count_lines, hot_functions
from studies.impact.generated.python.language import PythonLanguage
from studies.impact.generated.python.starting import Case, cases, start_of, write
from studies.impact.generated.subjects import Invalid, Subject
from studies.impact.generated.trees import Side
from tests.python_programs.scenarios import sources_of
from tests.slow_cases import slow_except

LANGUAGE = PythonLanguage()
SLOWER = (1, 13, 19)  # seeds of changes by which some configurations execute a tenth more lines
SAME = (9, 36, 41)  # of changes that cannot reach hot code


@pytest.mark.parametrize("seed", slow_except(SLOWER[:1], SLOWER))
def test_a_slowed_configuration_is_among_those_to_measure(seed, tmp_path):
    subject = LANGUAGE.draw(random.Random(seed)).subject
    slower = {name for name, ratio in ratios(subject, tmp_path).items() if ratio > 1.1}
    assert slower

    found = ask(subject, tmp_path)

    assert found.is_relevant
    kept = {str(each) for each in told(found).configurations(subject.space)}
    assert kept & slower


@pytest.mark.parametrize("seed", slow_except(SAME[:1], SAME))
def test_what_changes_nothing_cannot_reach_hot_code(seed, tmp_path):
    subject = LANGUAGE.draw(random.Random(seed)).subject
    assert set(ratios(subject, tmp_path).values()) == {1.0}

    assert not ask(subject, tmp_path).is_relevant


def ratios(subject: Subject, folder: Path) -> Mapping[str, float]:
    """Lines of each configuration: those of the head by those of the base."""
    base, head = (
        [total(case, folder) for case in written(subject, side, folder / side.value)] for side in Side
    )
    names = map(str, subject.space.configurations())
    return {name: after / before for name, before, after in zip(names, base, head, strict=True)}


def total(case: Case, folder: Path) -> int:
    lines = count_lines(case, folder)
    assert not isinstance(lines, Invalid)
    return lines.total()


def written(subject: Subject, side: Side, folder: Path) -> list[Case]:
    files = LANGUAGE.files(subject, side)
    write(files, folder)
    return cases(files, folder, subject.options, list(subject.space.configurations()))


def ask(subject: Subject, folder: Path) -> Answer:
    """What a user would ask who knows the hot functions."""
    hot = hot_functions(written(subject, Side.BASE, folder / "base"), folder)
    assert not isinstance(hot, Invalid)
    texts = [LANGUAGE.files(subject, side) for side in Side]
    start = start_of(texts[0])
    entry = start if start in texts[0] else f"{start}/__main__.py"
    old, new = read_python([sources_of(each) for each in texts], [entry])
    options = with_suggestions(subject.options, [ProgramPair("", old.units, new.units)])
    question = Question(old.units, new.units, tuple(map(Hotness, hot)), options, settings=AnalysisSettings())
    return answer(question, time.monotonic)
