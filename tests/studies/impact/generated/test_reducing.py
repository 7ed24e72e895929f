"""Subjects become small while something stays true of them."""

import random

import pytest

from studies.impact.generated.c.language import CLanguage, program_of
from studies.impact.generated.c.nodes import Call, Loop, Name
from studies.impact.generated.reducing import reduce
from studies.impact.generated.subjects import Subject
from studies.impact.generated.trees import Changed, Side, size, walk

LANGUAGE = CLanguage()


def calls_a_library(subject: Subject) -> bool:
    """Whether the head calls `printf` in a loop or not, and the revisions differ."""
    head = program_of(subject, Side.HEAD)
    calls = {
        node.function.text
        for _, node in walk(head)
        if isinstance(node, Call) and isinstance(node.function, Name)
    }
    return "printf" in calls and program_of(subject, Side.BASE) != head


def has_a_loop(subject: Subject) -> bool:
    return any(isinstance(node, Loop) for _, node in walk(program_of(subject, Side.BASE)))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("holds", [calls_a_library, has_a_loop])
def test_what_is_left_is_small_and_still_shows_it(seed, holds):
    subject = LANGUAGE.draw(random.Random(seed)).subject

    smallest = reduce(subject, LANGUAGE, holds)

    assert holds(smallest)
    assert size(smallest.program) < 30 < size(subject.program)
    assert len(smallest.options) == 1


def test_a_change_stays_if_it_is_what_counts():
    subject = LANGUAGE.draw(random.Random(4)).subject

    smallest = reduce(subject, LANGUAGE, calls_a_library)

    assert sum(isinstance(node, Changed) for _, node in walk(smallest.program)) == 1
