"""A few generated programs, asked through the analysis; `studies.impact.generated` asks thousands."""

import random
import time
from pathlib import Path

import pytest

from sonde.methods.impact.answer import answer
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.question import AnalysisSettings, Question
from sonde.workflows.impact.programs import ProgramPair
from sonde.workflows.impact.suggestions import whole_words_of, with_suggestions
from studies.impact.answering import told
from studies.impact.generated.c.language import CLanguage
from studies.impact.generated.subjects import Subject
from studies.impact.generated.trees import Side
from studies.impact.generated.truth import Truth
from tests.programs.asking import changed_lines, compile_program, read_programs
from tests.slow_cases import slow_except

LANGUAGE = CLanguage()
SEEDS = (
    59,
    77,
    80,
)  # of changes that make some configurations slower: others, if programs are drawn otherwise

pytestmark = pytest.mark.needs("cc", "clang-19", "valgrind")


@pytest.mark.parametrize("seed", slow_except(SEEDS[:1], SEEDS))
def test_a_slowed_configuration_is_among_those_to_measure(seed, tmp_path):
    subject = LANGUAGE.draw(random.Random(seed)).subject
    truth = LANGUAGE.count(subject, tmp_path / "counts")
    assert isinstance(truth, Truth)
    assert truth.slower

    found = answer(question_about(subject, truth, tmp_path), time.monotonic)

    assert found.is_relevant
    kept = {str(each) for each in told(found).configurations(subject.space)}
    assert kept & truth.slower


def question_about(subject: Subject, truth: Truth, folder: Path) -> Question:
    """What a user would ask who knows the hot functions."""
    for side in Side:
        (folder / side.value).mkdir()
        for name, text in LANGUAGE.files(subject, side).items():
            (folder / side.value / name).write_text(text)
    old, new = read_programs(
        *(
            compile_program(
                sorted((folder / side.value).glob("*.c")), folder / side.value, folder / f"{side.value}-bc"
            )
            for side in Side
        )
    )
    options = with_suggestions(subject.options, [ProgramPair("app", old, new)])
    words = frozenset(word for each in subject.options for word in whole_words_of(each))
    changed = tuple(changed_lines(folder / "base", folder / "head"))
    hot = tuple(map(Hotness, truth.hot))
    return Question(old, new, hot, options, changed, AnalysisSettings(), words, ())
