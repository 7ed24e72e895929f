from sonde.core.code import Address, ValuePart
from sonde.methods.impact.command_line.suggestions import match_suggestions, suggest
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.program.option_tables import rows_of
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
        ValuePart(0, "", Address("n1")),
        ValuePart(24, "", None, 118),
        ValuePart(0, "", Address("n2")),
        ValuePart(16, "", Address("quiet")),
        ValuePart(24, "", None, 1),
    )
    object.__setattr__(table, "parts", parts)

    found = [(each.name, each.value, each.variable) for each in rows_of(table, texts).rows]
    assert found == [("verbose", 118, ""), ("quiet", 1, "quiet")]


LETTERS = """
    p = local size 8
    store p words
    a = load p
    f = field a 1
    v = load f shape "load i8"
    w = compute v shape "sext i8 to i32"
    switch w other 49:level 50:level 102:fast 45:dash
  level:
    store @level w
    jump done
  fast:
    q = load @options
    t = load @fast
    branch t again once
  again:
    store @fast 2
    jump once
  once:
    o = field q 4 as opts
    store o 1
    jump done
  dash:
    store @fast 3
    jump done
  other:
    return 1
  done:
    return 0
"""


def suggested(parser: str, main: str) -> list[tuple[tuple[str, ...], str]]:
    unit = made_unit(
        made_routine("main", "argc argv", main),
        made_routine(parser, "words", LETTERS),
        made_global("level"),
        made_global("fast"),
        made_global("options", type="opts"),
        types={"opts": {"name": 0, "quick": 4, "size": 8}},
    )
    return [(each.words, each.variable) for each in suggest([unit])]


def test_letters_of_words_that_main_hands_on_suggest_variables_and_fields():
    main = "l = local size 8; store l argv; a = load l; e = field a 8 argc; w = load e; call parse w\nreturn"

    assert suggested("parse", main) == [
        (("-1", "-2"), "level"),
        (("-f",), "fast"),
        (("-f",), "opts.quick"),
    ]


def test_letters_of_other_texts_suggest_nothing():
    assert suggested("tokens", "l = call read argc; call tokens l\nreturn") == []


def test_a_word_of_dashes_alone_is_no_option():
    unit = made_unit(MAIN, SETTER, made_global("mode"), made_global("word", text="--"))

    assert [each for each in suggest([unit]) if each.variable == "mode"] == []


CASES = """
    jump head
  head:
    c = call getopt argc argv @letters
    e = compute c -1 shape "icmp ne i32"
    branch e body rest
  body:
    switch c other 97:all 98:both 100:delimiter 116:type
  both:
    store @pairs 0
    jump all
  all:
    store @unpaired 1
    jump next
  delimiter:
    t = load @text
    d = compute t 0 shape "icmp ne i32"
    branch d twice once
  twice:
    call error 1
    stop
  once:
    store @text 1
    jump next
  type:
    n = call choose @kind @steps
    z = load @steps
    store @width z
    jump next
  other:
    call exit 2
    stop
  next:
    jump head
  rest:
    return
"""
CHOOSE = """
    l = local size 8; m = local size 8
    store l kind; store m steps
    k = load l; store k 3
    s = load m; store s 4
    return
"""
GIVEN = ("pairs", "unpaired", "text", "kind", "steps", "width")


def suggested_by_cases(letters: str) -> dict[tuple[str, ...], list[str]]:
    unit = made_unit(
        shaped_routine("main", "argc argv", CASES),
        made_routine("choose", "kind steps", CHOOSE),
        made_global("letters", text=letters),
        *(made_global(name) for name in GIVEN),
    )
    found: dict[tuple[str, ...], list[str]] = {}
    for each in suggest([unit]):
        found.setdefault(each.words, []).append(each.variable)
    return found


def test_a_case_that_falls_through_sets_what_the_next_one_sets():
    found = suggested_by_cases("abdt")

    assert found["-b",] == ["pairs", "unpaired"]
    assert found["-a",] == ["unpaired"]


def test_a_check_that_fails_within_a_case_leaves_the_other_cases_alone():
    assert suggested_by_cases("abdt")["-d",] == ["text"]


def test_a_variable_that_is_filled_by_a_call_is_suggested_unless_it_is_a_step_on_the_way():
    assert suggested_by_cases("abdt")["-t",] == ["kind", "width"]


def test_letters_that_cannot_be_read_may_be_any():
    assert suggested_by_cases("") == suggested_by_cases("abdt")


LOOKED_UP = """
    jump head
  head:
    c = call getopt argc argv @letters
    e = compute c -1 shape "icmp ne i32"
    branch e body rest
  body:
    switch c other 70:kind 101:most
  kind:
    store @row 0
    jump look
  look:
    s = call strcmp @names argv
    d = compute s 0 shape "icmp ne i32"
    branch d more same
  more:
    n = load @row
    m = compute n 1
    store @row m
    f = compute m 4 shape "icmp eq i32"
    branch f fatal look
  fatal:
    call error 1
    stop
  same:
    store @format 3
    jump next
  most:
    call set_most
    jump next
  other:
    call exit 2
    stop
  next:
    jump head
  rest:
    return
"""


def test_a_case_is_followed_behind_its_loops_and_into_setters_of_other_files():
    main = shaped_routine("main", "argc argv", LOOKED_UP)
    names = [made_global(name) for name in ("row", "format", "names")]
    reading = made_unit(main, made_global("letters", text="F:e"), *names)
    setting = made_unit(made_routine("set_most", "", "store @most 1\nreturn"), made_global("most"))

    found = [(each.words, each.variable) for each in suggest([reading, setting])]

    assert found == [(("-F",), "row"), (("-F",), "format"), (("-e",), "most")]


def test_a_setter_may_set_a_variable_by_what_it_was():
    setter = made_routine(
        "set_level", "n", 'v = load @level\nw = compute v 4 shape "or i32"\nstore @level w\nreturn'
    )
    unit = made_unit(MAIN, setter, made_global("level"), made_global("letters", text="vl:"))

    assert [each.variable for each in suggest([unit]) if each.words == ("-l",)] == ["level"]


def test_a_variable_that_another_file_defines_is_suggested():
    declared = made_global("verbose", is_defined=False)
    object.__setattr__(declared, "variable", None)
    reading = made_unit(MAIN, declared, made_global("letters", text="v"))

    found = suggest([reading, made_unit(made_global("verbose"))])

    assert [(each.words, each.variable) for each in found] == [(("-v",), "verbose")]


def in_a_table(parts: tuple[ValuePart, ...], main: str) -> list[tuple[tuple[str, ...], str]]:
    table = made_global("table")
    object.__setattr__(table, "parts", parts)
    unit = made_unit(
        made_routine("main", "argc argv", main),
        made_routine("look", "words", "r = load @table\nreturn"),
        table,
        made_global("name", text="fast\0"),
        made_global("other", text="level\0"),
        made_global("phrase", text="no such file"),
        made_global("fast"),
        made_global("options", type="opts", size=16),
        types={"opts": {"name": 0, "level": 8}},
    )
    return [(each.words, each.variable) for each in suggest([unit])]


ROWS = (
    ValuePart(0, "", Address("name")),
    ValuePart(16, "", Address("fast")),
    ValuePart(0, "", Address("other")),
    ValuePart(8, "", None, 3),
    ValuePart(16, "", Address("options", 8)),
    ValuePart(0, "", Address("phrase")),
    ValuePart(16, "", Address("fast")),
)
HANDED = "l = local size 8; store l argv; a = load l; e = field a 8 argc; w = load e; call look w\nreturn"


def test_rows_with_a_word_and_the_address_of_a_variable_suggest_it():
    assert in_a_table(ROWS, HANDED) == [
        (("-fast", "--fast"), "fast"),
        (("-level", "--level"), "options.level"),
    ]


def test_a_table_that_no_word_of_the_command_line_comes_to_suggests_nothing():
    assert in_a_table(ROWS, "w = call read argc; call look w\nreturn") == []


def test_a_single_row_is_no_table():
    assert in_a_table(ROWS[:2], HANDED) == []


def test_the_table_of_getopt_long_has_long_words_alone():
    rows = (
        *ROWS[:2],
        ValuePart(24, "", None, 1),
        ValuePart(0, "", Address("other")),
        ValuePart(24, "", None, 2),
    )
    main = "c = call getopt_long argc argv @letters @table null\n" + HANDED

    assert in_a_table(rows, main) == [(("--fast",), "fast")]
