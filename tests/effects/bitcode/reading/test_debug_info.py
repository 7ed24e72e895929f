"""Places, variables and structures, from debug information."""

from pathlib import Path

from sonde.core.code import Member, SourceLine, Variable
from tests.effects.bitcode.reading.modules import unit_of

TEXT = (Path(__file__).parent / "debug_info.ll").read_text()


def unit(root=None, language="DW_LANG_C11", scope="!1", name="run"):
    text = TEXT.replace("LANGUAGE", language).replace("SCOPE", scope).replace("NAME", name)
    return unit_of(text, root)


def test_places_are_relative_to_the_root():
    found = unit("/project/tree")

    assert found.source == "src/a.c"
    assert found.routines[0].place == SourceLine("src/a.c", 4)
    assert found.has_places


def test_places_elsewhere_are_as_the_compiler_was_given_them():
    assert unit("/elsewhere").source == "src/a.c"
    assert unit("/project/tree/src").source == "a.c"
    assert unit("/project/tre").source == "src/a.c"


def test_inlined_code_has_the_place_where_it_stands():
    load = unit().routines[0].instructions[2]

    assert load.place == SourceLine("/usr/include/b.h", 7)


def test_a_parameter_is_the_variable_that_it_is_stored_in():
    assert unit().routines[0].variables == {0: Variable("n", "opts"), 1: Variable("n", "opts")}


def test_a_structure_is_called_by_its_typedef_and_inner_ones_by_their_member():
    assert unit().types == {
        "opts": (
            Member("level", 0),
            Member("quiet", 4, (0, 1)),
            Member("force", 4, (1, 2)),
            Member("in", 8, None, "opts.in"),
        ),
        "opts.in": (Member("a", 0), Member("b", 4)),
    }


def test_a_field_of_an_inner_structure_has_its_name():
    field = unit().routines[0].instructions[3]

    assert (field.type, field.offset) == ("opts.in", 4)
    assert ".b" in field.shape


def test_a_global_is_the_variable_of_the_source():
    (found,) = unit().globals

    assert found.variable == Variable("opts", "opts")
    assert found.place.line == 2


def test_names_have_their_scopes_in_languages_that_have_some():
    found = unit(language="DW_LANG_C_plus_plus_14", scope="!27", name="_ZN5space3runEi")

    assert found.routines[0].shown == "space::run"


def test_without_debug_information_all_else_is_there():
    found = unit_of(
        "%struct.s = type { i32 }\ndefine void @f(ptr %p) {\n  %a = load i32, ptr %p\n  ret void\n}"
    )

    assert not found.has_places
    assert not found.types
    assert len(found.routines[0].instructions) == 2
