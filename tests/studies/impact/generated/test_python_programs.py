"""Programs in Python that are drawn from a seed: always the same, valid, and they end."""

import random

import pytest

from sonde.core.options import Option
from sonde.space.space import Space
from studies.impact.generated.judging import NEAR
from studies.impact.generated.python.counting import count_alone, count_children, hot_functions
from studies.impact.generated.python.drawing.program import MOST_CONFIGURATIONS, draw_program
from studies.impact.generated.python.edits import EDITS
from studies.impact.generated.python.language import PythonLanguage, program_of
from studies.impact.generated.python.nodes import File, Function, Program
from studies.impact.generated.python.parsing import parse
from studies.impact.generated.python.rendering import render
from studies.impact.generated.python.starting import Case, cases, write
from studies.impact.generated.python.tidying import tidied
from studies.impact.generated.reducing import reduce
from studies.impact.generated.subjects import Subject
from studies.impact.generated.trees import Side, merge, project, size

LANGUAGE = PythonLanguage()
COUNTED = """\
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--turns", type=int)
total = 0
for i in range(parser.parse_args().turns):
    total = (total * 31 + i) & 65535
print(total)
"""


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


@pytest.mark.parametrize("seed", range(30))
def test_what_is_rendered_is_read_as_the_same_tree(seed):
    subject = drawn(seed)

    for side in Side:
        program = program_of(subject, side)
        texts = render(program)
        for file in program.files:
            assert render(Program((File(file.name, parse(texts[file.name])),)))[file.name] == "".join(
                line
                for line in texts[file.name].splitlines(keepends=True)
                if not line.lstrip().startswith("#")
            )


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
            for name, text in render(changed).items():
                compile(text, name, "exec")
            return
    pytest.fail("it fits none of 60 programs")


def test_functions_and_imports_that_nobody_names_are_dropped():
    unused = parse("from tools import mix\n\ndef lonely(x):\n    return lonely(mix(x))\n\nprint(1)\n")
    used = parse("from tools import mix\nprint(mix(1))\n")

    assert tidied(Program((File("app.py", unused),))) == Program((File("app.py", parse("print(1)")),))
    assert tidied(Program((File("app.py", used),))) == Program((File("app.py", used),))


def test_a_program_that_does_not_end_is_not_valid(tmp_path):
    write({"app.py": "def main():\n    while True:\n        pass\n\nmain()\n"}, tmp_path)

    failed = hot_functions([Case(str(tmp_path), "app.py", (), {})], tmp_path)

    assert not isinstance(failed, tuple)
    assert failed.reason.startswith("fails: 3")


@pytest.mark.parametrize("seed", [1, 2, 3, 5])
def test_every_configuration_of_a_program_ends(seed, tmp_path):
    program = draw_program(random.Random(seed))
    files = render(program.program)
    write(files, tmp_path)
    configurations = list(Space.of(program.options, program.constraints).configurations())

    hot = hot_functions(cases(files, tmp_path, program.options, configurations), tmp_path)

    assert isinstance(hot, tuple)
    own = {node.name for file in program.program.files for node in file.body if isinstance(node, Function)}
    assert any(name.split(".")[0] in own for name in hot)


@pytest.mark.needs("valgrind")
def test_children_count_what_a_run_on_its_own_counts(tmp_path):
    write({"app.py": COUNTED}, tmp_path)
    few, many = (Case(str(tmp_path), "app.py", (f"--turns={turns}",), {}) for turns in (3000, 4000))

    children = count_children([few, many], tmp_path)
    alone = [count_alone(each, tmp_path) for each in (few, many)]

    assert isinstance(children, list)
    first, second = alone
    assert isinstance(first, int)
    assert isinstance(second, int)
    assert second - first == pytest.approx(children[1] - children[0], abs=NEAR * first)
    assert second - first > 10 * NEAR * first


def test_options_come_as_the_product_has_them():
    subjects = [drawn(seed) for seed in range(40)]
    options = [option for subject in subjects for option in subject.options]

    assert {type(value) for option in options for value in option.values} == {bool, int, str}
    assert all(isinstance(option, Option) for option in options)
    assert {bool(option.environment) for option in options} == {True, False}
    assert {bool(option.variables) for option in options} == {True, False}


@pytest.mark.parametrize("seed", [3, 4])
def test_shrinking_leaves_what_is_needed_to_show_a_difference(seed):
    subject = drawn(seed)

    def holds(smaller: Subject) -> bool:
        base, head = (LANGUAGE.files(smaller, side) for side in Side)
        return base != head and all(is_python(text) for text in (*base.values(), *head.values()))

    smallest = reduce(subject, LANGUAGE, holds)

    assert holds(smallest)
    assert size(smallest.program) < 30
    assert len(smallest.options) == 1


def is_python(text: str) -> bool:
    try:
        compile(text, "text", "exec")
    except SyntaxError:
        return False
    return True
