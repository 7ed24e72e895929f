from sonde.core.code import Address, Part
from sonde.methods.impact.option_tables import long_options
from sonde.methods.impact.option_variables import OptionInCode
from sonde.methods.impact.suggestions import match_suggestions, suggest
from tests.methods.impact.made_programs import made_global, made_routine, made_unit
from tests.methods.impact.shapes import shaped_routine

MAIN = shaped_routine(
    "main",
    "argc argv",
    """
    c = call getopt argc argv @letters
    switch c other 118:loud 108:level
  loud:
    store @verbose 1
    jump done
  level:
    call set_level 9
    jump done
  other:
    call exit 2
    stop
  done:
    s = call strcmp argv @word
    e = compute s 0 shape "icmp eq i32"
    branch e same rest
  same:
    store @mode 3
    jump rest
  rest:
    return
""",
)
SETTER = made_routine("set_level", "n", "l = local size 4\nstore l n\nv = load l\nstore @level v\nreturn")
UNIT = made_unit(
    MAIN,
    SETTER,
    made_global("verbose"),
    made_global("level"),
    made_global("mode"),
    made_global("letters", text="vl:"),
    made_global("word", text="--mode"),
)


def test_cases_of_getopt_and_comparisons_suggest_variables():
    found = [(each.words, each.variable, each.values) for each in suggest([UNIT])]

    assert found == [
        (("-v",), "verbose", ("1",)),
        (("-l",), "level", ("9",)),
        (("--mode",), "mode", ("3",)),
    ]


def test_an_option_is_matched_by_its_word():
    assert match_suggestions(suggest([UNIT]), OptionInCode("mode")) == ("mode",)
    assert match_suggestions(suggest([UNIT]), OptionInCode("speed")) == ()


def test_rows_of_a_table_have_a_name_and_a_value_or_a_variable():
    texts = {
        "n1": made_global("n1", text="verbose"),
        "n2": made_global("n2", text="quiet"),
        "quiet": made_global("quiet"),
    }
    table = made_global("table")
    parts = (
        Part(0, "", Address("n1")),
        Part(24, "", None, 118),
        Part(0, "", Address("n2")),
        Part(16, "", Address("quiet")),
        Part(24, "", None, 1),
    )
    object.__setattr__(table, "parts", parts)

    found = [(each.name, each.value, each.variable) for each in long_options(table, texts)]
    assert found == [("verbose", 118, ""), ("quiet", 1, "quiet")]
