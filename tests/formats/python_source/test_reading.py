"""Python programs as units of code."""

import ast

import pytest

from sonde.core.code import Address, Kind, Routine
from sonde.formats.python_source.names.definitions import ParameterOrder
from sonde.formats.python_source.names.package import Package
from sonde.formats.python_source.names.scopes import scopes_of
from sonde.formats.python_source.names.vocabulary import learn
from sonde.formats.python_source.reading import PythonProgram, read_python
from sonde.formats.python_source.sources import UnreadablePython, module_name, parse_source
from sonde.formats.python_source.suggestions import suggest_python
from sonde.methods.impact.differences.programs import find_differences
from tests.python_programs.scenarios import programs_of, read_scenarios, sources_of

ENDS = (Kind.JUMP, Kind.BRANCH, Kind.RETURN, Kind.STOP)


def read(text: str, entry: bool = True) -> PythonProgram:
    (program,) = read_python([sources_of({"tool.py": text})], ["tool.py"] if entry else [])
    return program


def routine(program: PythonProgram, name: str) -> Routine:
    return next(each for unit in program.units for each in unit.routines if name in (each.name, each.shown))


def test_what_a_handler_names_that_nothing_leads_to_is_nothing():
    program = read(
        """
def probe(total):
    for each in range(10):
        try:
            total = total + each
        except ValueError:
            total += 2
        finally:
            total += 1
    return total

probe(1)
"""
    )

    found = routine(program, "probe")
    for position, each in enumerate(found.instructions):
        assert all(operand < found.parameters + position for operand in each.operands)
    assert not find_differences(program.units, program.units)


@pytest.mark.parametrize("scenario", read_scenarios(), ids=lambda each: each.name)
def test_routines_are_well_formed(scenario):
    for program in programs_of(scenario):
        for each in (routine for unit in program.units for routine in unit.routines):
            values = each.parameters + len(each.instructions)
            assert [block for block, _ in enumerate(each.blocks)] == sorted(
                {instruction.block for instruction in each.instructions}
            )
            for number, (start, end) in enumerate(each.blocks):
                last = each.instructions[end - 1]
                assert last.kind in ENDS or (last.kind is Kind.CALL and last.targets), each.name
                for instruction in each.instructions[start:end]:
                    assert instruction.block == number
                    assert all(0 <= target < len(each.blocks) for target in instruction.targets)
                    assert all(-len(each.outside) <= n < values for n in instruction.operands)
                for instruction in each.instructions[start : end - 1]:
                    assert instruction.kind not in ENDS
                    assert not instruction.targets or instruction.kind is Kind.PHI


@pytest.mark.parametrize("scenario", read_scenarios(), ids=lambda each: each.name)
def test_a_program_does_not_differ_from_itself(scenario):
    sides = [sources_of(scenario.old), sources_of({k: f"# above\n\n{v}" for k, v in scenario.old.items()})]
    old, new = read_python(sides, scenario.entries)

    assert not find_differences(old.units, new.units)


def test_a_syntax_error_is_told_with_file_and_line():
    with pytest.raises(UnreadablePython, match=r"^pack/tool\.py:3: this is not valid Python: "):
        parse_source("pack/tool.py", b"x = 1\n\ndef f(:\n    pass\n")


def test_modules_are_named_from_their_outermost_package():
    packages = ["src/pack", "src/pack/inner"]

    assert module_name("src/pack/inner/work.py", packages) == "pack.inner.work"
    assert module_name("src/pack/__init__.py", packages) == "pack"
    assert module_name("src/tool.py", packages) == "tool"


def test_a_variable_that_two_functions_share_is_captured():
    text = "def f(a, b):\n    c = [a for a in b]\n    def g():\n        nonlocal c\n        c = b\n"
    root, _ = scopes_of(ast.parse(text), "m")
    outer = root.children[0]

    assert outer.captured == {"b", "c"}
    assert root.find("f") is root
    assert outer.find("print") is None


def test_names_of_a_class_are_not_seen_by_its_methods():
    root, _ = scopes_of(ast.parse("x = 1\nclass A:\n    x = 2\n    def f(self):\n        return x\n"), "m")
    made = root.children[0]

    assert made.find("x") is made
    assert made.children[0].find("x") is root


def test_arguments_find_their_parameters():
    layout = ParameterOrder(("a", "b"), True, ("c",), True, 4)

    assert [layout.place_of(name) for name in ("a", "b", "c", "other")] == [1, 2, 5, 6]
    assert layout.count == 7
    assert ParameterOrder(("a",), False, (), False, 4).place_of("b") == 0


def test_a_call_of_a_known_function_is_direct():
    program = read("def f(a, b=2):\n    return a\n\n\nprint(f(b=1, a=3))\n")
    body = routine(program, "tool.<module>")
    call = next(
        each
        for each in body.instructions
        if each.kind is Kind.CALL and body.outside[~each.operands[0]] == Address("tool:f")
    )

    assert [body.outside[~each].text for each in call.operands[2:]] == ["int 3", "int 1"]  # type: ignore[union-attr]


def test_a_star_import_brings_the_names_of_a_module():
    sources = sources_of({"tool.py": "from other import *\nf()\n", "other.py": "def f():\n    pass\n"})
    (program,) = read_python([sources], ["tool.py"])
    body = routine(program, "tool.<module>")

    assert any(
        each.kind is Kind.CALL and body.outside[~each.operands[0]] == Address("other:f")
        for each in body.instructions
        if each.operands and each.operands[0] < 0
    )


def test_methods_are_looked_up_in_the_order_of_inheritance():
    text = (
        "class A:\n    def f(self): pass\n\nclass B(A): pass\n\n"
        "class C(A):\n    def f(self): pass\n\nclass D(B, C): pass\n"
    )
    source = parse_source("m.py", text.encode())
    package = Package([source], learn([source.tree]))
    classes = {each.node.name: each for each in package.classes.values()}
    owner = classes["D"].definer("f")

    assert [each.node.name for each in classes["D"].order] == ["D", "B", "C", "A"]
    assert owner is classes["C"]
    assert classes["D"].definer("f", owner) is classes["A"]


def test_a_revision_without_python_is_an_empty_program():
    before, after = read_python([(), sources_of({"tool.py": "x = 1\n"})], ["tool.py"])

    assert not before.units
    assert find_differences(before.units, after.units)


def test_code_in_texts_is_warned_of():
    program = read("def f(text):\n    return eval(text)\n\n\nf('1')\n")

    assert program.warnings == ("tool.py:2: `eval` runs code that is not followed",)


def test_both_sides_of_a_change_share_one_vocabulary():
    old, new = (sources_of({"tool.py": text}) for text in ("x.size = 1\n", "x.size = 1\nx.all = 2\n"))
    before, after = read_python([old, new])

    assert before.units[0].types == after.units[0].types


def test_options_are_suggested_from_argparse_and_click():
    text = """\
import argparse
import click


@click.command()
@click.option("--jobs", "-j", default=1)
@click.option("--fast/--slow", "quick")
def run(jobs, quick):
    pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-l", "--max-level", type=int)
    parser.add_argument("--mode", dest="kind")
    given = parser.parse_args()
"""
    found = {each.words: each.variable for each in suggest_python(sources_of({"tool.py": text}))}

    assert found == {
        ("-l", "--max-level"): "given.max_level",
        ("--mode",): "given.kind",
        ("--jobs", "-j"): "run:jobs",
        ("--fast", "--slow"): "run:quick",
    }
