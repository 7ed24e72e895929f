import pytest

from sonde.core.code import Variable
from sonde.methods.impact.options.names import variable_at
from tests.methods.impact.made_programs import made_global, made_routine, made_unit, value_named

TYPES = {"opts": {"quick": 0, "level": 4, "inner": 8}, "typeof g": {"form": 0, "count": 12}}
GLOBALS = (
    made_global("flag", size=4),
    made_global("options", type="opts", size=16),
    made_global("chosen", type="opts", size=8),
    made_global("g", type="typeof g", size=16),
    made_global("main.state", size=4, is_internal=True),
)
TEXT = """
    own = local size 4
    kept = local as opts size 16
    plain = load @flag
    direct = field @options 4 as opts
    pointer = load @chosen
    behind = field pointer 4 as opts
    nameless = field pointer 12 as typeof_g
    element = field @flag 0 plain
"""


def named(value: str, routine: str = "main") -> str:
    code = made_routine(routine, "", TEXT)
    code.variables[value_named(code, "kept")] = Variable("kept", "opts")  # type: ignore[index]
    unit = made_unit(code, *GLOBALS, types={**TYPES, "typeof_g": TYPES["typeof g"]})
    address = ~code.outside.index(_outside(code, value[1:])) if value[0] == "@" else value_named(code, value)
    return variable_at(code, address, {each.name: each for each in GLOBALS}, unit.types)


def _outside(code, name):
    return next(each for each in code.outside if getattr(each, "name", "") == name)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("@flag", "flag"),
        ("own", "own"),
        ("kept", "kept.quick"),
        ("direct", "options.level"),
        ("@chosen", "chosen"),
        ("behind", "opts.level"),
        ("nameless", "typeof_g.count"),
        ("element", "flag"),
        ("plain", ""),
    ],
)
def test_variables_and_fields_have_the_names_that_project_files_use(value, name):
    assert named(value) == name


def test_variables_of_other_routines_than_main_are_named_with_their_routine():
    assert named("own", "parse") == "parse:own"
