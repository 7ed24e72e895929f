"""Programs in C that are drawn from a seed: always the same, valid, and they end."""

import random
from pathlib import Path

import pytest

from sonde.core.options import Option
from studies.impact.generated.c.compiling import Objects
from studies.impact.generated.c.counting import count_alone, count_children, spellings, total_of
from studies.impact.generated.c.drawing.program import draw_program
from studies.impact.generated.c.edits import EDITS
from studies.impact.generated.c.language import CLanguage, program_of
from studies.impact.generated.c.rendering import render
from studies.impact.generated.knobs import MOST_CONFIGURATIONS
from studies.impact.generated.subjects import Invalid, Subject
from studies.impact.generated.trees import Side, merge, project

LANGUAGE = CLanguage()
MOST_INSTRUCTIONS = 20_000_000


def drawn(seed: int) -> Subject:
    return LANGUAGE.draw(random.Random(seed)).subject


@pytest.mark.parametrize("seed", range(12))
def test_the_same_seed_draws_the_same_subject(seed):
    first, second = drawn(seed), drawn(seed)

    assert first == second
    assert LANGUAGE.files(first, Side.HEAD) == LANGUAGE.files(second, Side.HEAD)
    assert LANGUAGE.files(first, Side.BASE) != LANGUAGE.files(drawn(seed + 1), Side.BASE)


@pytest.mark.parametrize("seed", range(12))
def test_there_are_three_to_six_options_and_few_configurations(seed):
    subject = drawn(seed)

    assert 3 <= len(subject.options) <= 6
    assert 3 < len(list(subject.space.configurations())) <= MOST_CONFIGURATIONS


@pytest.mark.parametrize("seed", range(12))
def test_base_and_head_are_different_programs(seed):
    subject = drawn(seed)

    assert program_of(subject, Side.BASE) != program_of(subject, Side.HEAD)


@pytest.mark.parametrize("kind", EDITS, ids=lambda each: each.name)
def test_each_kind_of_edit_fits_some_program(kind):
    for seed in range(60):
        program = draw_program(random.Random(seed)).program
        changed = kind.change(random.Random(seed), program)
        if changed is not None and changed != program:
            merged = merge(program, changed)
            assert project(merged, Side.BASE) == program
            assert project(merged, Side.HEAD) == changed
            assert render(changed)
            return
    pytest.fail("it fits none of 60 programs")


@pytest.mark.needs("cc")
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_undefined_in_any_configuration(seed, tmp_path):
    assert LANGUAGE.check(drawn(seed), tmp_path) is None


@pytest.mark.needs("cc", "valgrind")
@pytest.mark.parametrize("seed", [8])
def test_children_count_what_a_run_on_its_own_counts(seed, tmp_path):
    subject = drawn(seed)
    program = Objects(tmp_path).program(render(program_of(subject, Side.BASE)), ("-O2",))
    assert isinstance(program, Path)
    wanted = spellings(subject.options, list(subject.space.configurations()))

    written = count_children(program, wanted, tmp_path)

    assert not isinstance(written, Invalid)
    children = [total_of(each) for each in written]

    assert all(count < MOST_INSTRUCTIONS for count in children)
    few = range(0, len(wanted), max(1, len(wanted) // 4))
    alone = [count_alone(program, wanted[at], tmp_path) for at in few]
    before = [count - children[at] for at, count in zip(few, alone, strict=True) if isinstance(count, int)]
    assert len(before) == len(few)
    assert max(before) - min(before) < 0.003 * (min(before) + min(children))  # the words are of other lengths


def test_options_come_as_the_product_has_them():
    kinds = {type(value) for seed in range(40) for option in drawn(seed).options for value in option.values}

    assert kinds == {bool, int, str}
    assert all(isinstance(option, Option) for option in drawn(0).options)
    assert {bool(option.environment) for seed in range(40) for option in drawn(seed).options} == {True, False}
    assert {bool(option.variables) for seed in range(40) for option in drawn(seed).options} == {True, False}
