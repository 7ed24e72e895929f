"""Tables of a program's own in which words of its command line stand beside numbers."""

from dataclasses import replace

from sonde.core.code import ValuePart
from tests.methods.impact.command_line.test_cases import cases_of
from tests.methods.impact.made_programs import made_global, made_routine

WORD, ID = 0, 8

MAIN = """
    jump loop
  loop:
    p = field @table 0
    w = load p size 8
    a = field argv 0
    g = load a size 8
    d = call strcmp {given} w
    e = compute d 0 shape "icmp eq i32"
    branch e found loop
  found:
    q = field @table 8
    i = load q size 4
    call take i
    call take 7
    return
"""
TAKE = """
    switch id other 1:fast 2:slow
  fast:
    return
  slow:
    return
  other:
    return
"""


def program(given: str = "g", main: str = MAIN, take: str = TAKE, is_constant: bool = True):
    table = made_global("table", {WORD: "@first"}, size=32, is_constant=is_constant)
    rows = [
        *table.parts,
        ValuePart(ID, "1", number=1),
        *made_global("more", {WORD: "@second"}).parts,
        ValuePart(ID, "2", number=2),
    ]
    return (
        replace(table, parts=tuple(rows)),
        made_global("first", text="fast\0", size=5, is_constant=True),
        made_global("second", text="slow\0", size=5, is_constant=True),
        made_global("line", {0: "@text"}, size=8),
        made_global("text", text="slow\0", size=5, is_constant=True),
        made_routine("main", "argc argv", main.format(given=given)),
        made_routine("take", "id", take),
    )


def test_a_number_beside_a_word_leads_where_that_word_does():
    found = cases_of(*program())

    assert found == {"fast": ({"--fast", "fast"}, False), "slow": ({"--slow", "slow"}, False)}


def test_a_table_whose_words_are_compared_with_other_texts_is_none():
    assert cases_of(*program(given="@text")) == {}


def test_a_table_that_may_be_changed_is_none():
    assert cases_of(*program(is_constant=False)) == {}


def test_a_number_that_is_computed_may_be_any():
    main = MAIN.replace("call take 7", 'n = compute i 1 shape "add i32"\n    call take n')
    assert cases_of(*program(main=main)) == {}


def test_a_number_that_is_chosen_between_constants_is_one_of_them():
    main = MAIN.replace("call take 7", 'n = compute e i 7 shape "select i1 i32 i32"\n    call take n')
    assert set(cases_of(*program(main=main))) == {"fast", "slow"}


def test_a_number_that_is_also_given_without_a_word_needs_none():
    main = MAIN.replace("call take 7", "call take 2")
    assert set(cases_of(*program(main=main))) == {"fast"}
