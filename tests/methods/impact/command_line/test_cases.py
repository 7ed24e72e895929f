"""Which decisions of a program need which words of the command line."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.code import ValuePart
from sonde.methods.impact.command_line.cases import WordCase, find_cases
from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.reach.reachable import Reachability
from tests.methods.impact.made_programs import made_global, made_program, made_routine, names_of_blocks

WORDS = st.lists(st.text("-=ab1", min_size=1, max_size=4), max_size=4)


def case(letters: str = "", names: tuple[str, ...] = (), texts: tuple[str, ...] = (), is_inner: bool = False):
    return WordCase(0, 0, 1, frozenset(letters), frozenset(names), frozenset(texts), is_inner)


def cases_of(*things):
    """What is found in a program: the name of the block behind each case, and what that needs."""
    program = made_program(*things)
    flow = build_flow(program, solve(program))
    found = {}
    for each in find_cases(flow, Reachability(flow)):
        code = program.routines[each.routine]
        last = code.instructions[code.blocks[each.block][1] - 1]
        behind = names_of_blocks(code)[last.targets[each.number]]
        found[behind] = {*each.letters, *each.names, *each.texts}, each.is_inner
    return found


GETOPT = """
    jump loop
  loop:
    r = call {parser}
    e = compute r -1 shape "icmp eq i32"
    branch e done more
  more:
    switch r other 102:fast 115:slow 1000:next
  fast:
    jump loop
  slow:
    jump loop
  next:
    jump loop
  other:
    jump loop
  done:
    return
"""


LOCAL_TABLE = "options = local size 32\n{filling}" + GETOPT.format(
    parser='getopt_long argc argv "fs" options null'
)


class TestFinding:
    def test_a_letter_of_getopt_leads_to_its_case_alone(self):
        found = cases_of(made_routine("main", "argc argv", GETOPT.format(parser='getopt argc argv "fs"')))

        assert found == {"fast": ({"f"}, False), "slow": ({"s"}, False)}

    def test_getopt_long_names_cases_by_its_table(self):
        table = made_global("table", {0: "@name"}, size=32)
        table = replace(table, parts=(*table.parts, ValuePart(24, "1000", number=1000)))
        name = made_global("name", text="thorough\0", size=9, is_constant=True)
        parser = 'getopt_long argc argv "fs" @table null'

        found = cases_of(table, name, made_routine("main", "argc argv", GETOPT.format(parser=parser)))

        assert found["next"] == ({"--thorough"}, False)
        assert found["fast"] == ({"f"}, False)

    def test_a_table_that_is_a_variable_is_read_from_the_constant_that_is_copied_to_it(self):
        table = made_global("table", {0: "@name"}, size=32, is_constant=True)
        table = replace(table, parts=(*table.parts, ValuePart(24, "1000", number=1000)))
        name = made_global("name", text="thorough\0", size=9, is_constant=True)
        text = LOCAL_TABLE.format(filling="call llvm.memcpy options @table 32")

        found = cases_of(table, name, made_routine("main", "argc argv", text))

        assert found["next"] == ({"--thorough"}, False)

    def test_a_table_that_is_a_variable_is_read_from_what_is_stored_there(self):
        name = made_global("name", text="thorough\0", size=9, is_constant=True)
        text = LOCAL_TABLE.format(
            filling="""
    n = field options 0
    store n @name
    v = field options 24
    store v 1000
    """
        )

        found = cases_of(name, made_routine("main", "argc argv", text))

        assert found["next"] == ({"--thorough"}, False)

    @pytest.mark.parametrize("filling", ["call fill options", "store argv options"])
    def test_if_a_table_cannot_be_read_any_long_word_may_lead_anywhere(self, filling):
        program = made_program(made_routine("main", "argc argv", LOCAL_TABLE.format(filling=filling)))
        flow = build_flow(program, solve(program))

        cases = find_cases(flow, Reachability(flow))

        assert cases
        assert all(each.may_follow(["--thorough=3"]) for each in cases)
        assert not any(each.may_follow(["thorough", "--", "-x"]) for each in cases)

    def test_what_another_function_gives_is_no_word(self):
        assert cases_of(made_routine("main", "argc argv", GETOPT.format(parser="getchar"))) == {}

    def test_a_number_beside_what_getopt_gave_leaves_its_letters_known(self):
        text = """
    c = local size 4
    store c 0 size 4
    r = call getopt argc argv "f"
    store c r size 4
    v = load c size 4
    t = compute v 102 shape "icmp ne i32"
    branch t no fast
  fast:
    return
  no:
    return
"""
        assert cases_of(made_routine("main", "argc argv", text)) == {"fast": ({"f"}, False)}

    @pytest.mark.parametrize(("relation", "leading"), [("eq", "yes"), ("ne", "no")])
    def test_a_word_that_equals_a_text_leads_to_where_the_comparison_gives_0(self, relation, leading):
        text = f"""
    p = field argv 8
    a = load p size 8
    r = call strcmp a @text
    t = compute r 0 shape "icmp {relation} i32"
    branch t yes no
  yes:
    return
  no:
    return
"""
        literal = made_global("text", text="--fast\0", size=7, is_constant=True)

        assert cases_of(literal, made_routine("main", "argc argv", text)) == {leading: ({"--fast"}, False)}

    @pytest.mark.parametrize("name", ["load argv", 'field argv 0 shape "getelementptr inbounds ptr 0"'])
    def test_the_name_of_the_program_is_no_word_of_the_command_line(self, name):
        place, load = ("argv", "") if name.startswith("load") else ("p", f"p = {name}")
        text = f"""
    {load}
    a = load {place} size 8
    r = call strcmp a @text
    t = compute r 0 shape "icmp eq i32"
    branch t yes no
  yes:
    return
  no:
    return
"""
        literal = made_global("text", text="fast\0", size=5, is_constant=True)

        assert cases_of(literal, made_routine("main", "argc argv", text)) == {}

    def test_texts_that_are_no_words_of_the_command_line_are_not_compared_with_words(self):
        text = """
    a = call getenv @text
    r = call strcmp a @text
    t = compute r 0 shape "icmp eq i32"
    branch t yes no
  yes:
    return
  no:
    return
"""
        literal = made_global("text", text="--fast\0", size=7, is_constant=True)

        assert cases_of(literal, made_routine("main", "argc argv", text)) == {}

    def test_a_routine_takes_the_word_apart_that_only_a_case_hands_over(self):
        main = """
    r = call getopt argc argv "f"
    t = compute r 102 shape "icmp eq i32"
    branch t fast no
  fast:
    w = load @optarg size 8
    call apart w
    jump no
  no:
    return
"""
        apart = """
    c = load word size 1
    t = compute c 97 shape "icmp eq i8"
    branch t yes end
  yes:
    return
  end:
    return
"""
        things = (
            made_global("optarg", is_defined=False),
            made_routine("main", "argc argv", main),
            made_routine("apart", "word", apart),
        )

        assert cases_of(*things) == {"fast": ({"f"}, False), "yes": ({"a"}, True)}

    def test_a_routine_that_is_called_without_words_as_well_takes_none_apart(self):
        main = """
    r = call getopt argc argv "f"
    t = compute r 102 shape "icmp eq i32"
    branch t fast no
  fast:
    call apart argv
    jump no
  no:
    call apart argv
    return
"""
        apart = (
            'c = load word size 1\n t = compute c 97 shape "icmp eq i8"\n branch t yes end\n'
            " yes:\n return\n end:\n return"
        )

        found = cases_of(made_routine("main", "argc argv", main), made_routine("apart", "word", apart))

        assert found == {"fast": ({"f"}, False)}

    @pytest.mark.parametrize(
        "given",
        [
            "call apart @text",
            "w = call getenv @text\n    call apart w",
            "b = local size 8\n    call fgets b 8 @text\n    call apart b",
            "b = local size 8\n    store b 97 size 1\n    call apart b",
        ],
    )
    def test_a_routine_that_is_given_other_texts_takes_no_words_apart(self, given):
        main = f"""
    r = call getopt argc argv "f"
    t = compute r 102 shape "icmp eq i32"
    branch t fast no
  fast:
    {given}
    jump no
  no:
    return
"""
        apart = (
            'c = load word size 1\n t = compute c 97 shape "icmp eq i8"\n branch t yes end\n'
            " yes:\n return\n end:\n return"
        )
        literal = made_global("text", text="all\0", size=4, is_constant=True)

        found = cases_of(
            literal, made_routine("main", "argc argv", main), made_routine("apart", "word", apart)
        )

        assert found == {"fast": ({"f"}, False)}

    def test_a_program_that_reads_no_words_has_no_cases(self):
        assert (
            cases_of(made_routine("main", "argc argv", "branch argc yes no\n yes:\n return\n no:\n return"))
            == {}
        )

    def test_getopt_long_only_takes_long_words_with_one_dash(self):
        table = made_global("table", {0: "@name"}, size=32)
        table = replace(table, parts=(*table.parts, ValuePart(24, "1000", number=1000)))
        name = made_global("name", text="thorough\0", size=9, is_constant=True)
        parser = 'getopt_long_only argc argv "fs" @table null'

        found = cases_of(table, name, made_routine("main", "argc argv", GETOPT.format(parser=parser)))

        assert found["next"] == ({"--thorough", "-thorough"}, False)

    @pytest.mark.parametrize(
        ("call", "text"),
        [
            ("strncmp a @text 3", "--f"),
            ("strncmp a @text n", "--fast"),
            ("strncmp a @text m", ""),
            ("strcasecmp a @text", ""),
        ],
    )
    def test_as_much_of_a_text_is_needed_as_is_compared(self, call, text):
        main = f"""
    p = field argv 8
    a = load p size 8
    n = call strlen @text
    m = call strlen a
    r = call {call}
    t = compute r 0 shape "icmp eq i32"
    branch t yes no
  yes:
    return
  no:
    return
"""
        literal = made_global("text", text="--fast\0", size=7, is_constant=True)

        found = cases_of(literal, made_routine("main", "argc argv", main))

        assert found == ({"yes": ({text}, False)} if text else {})


LETTERS = """
    i = local size 4
    store i 1 size 4
    jump loop
  loop:
    n = load i size 4
    p = field argv 0 n
    w = load p size 8
    f = load w size 1
    t = compute f 45 shape "icmp eq i8"
    branch t dash {other}
  around:
    jump dash
  dash:
    {between}
    m = load i size 4
    q = field argv 0 m
    x = load q size 8
    y = field x 1
    z = load y size 1
    switch z done 102:fast 115:slow
  fast:
    jump next
  slow:
    jump next
  next:
    k = load i size 4
    l = compute k 1 shape "add i32"
    store i l size 4
    jump loop
  done:
    return
"""


def followed(words: tuple[str, ...], other: str = "next", between: str = "") -> set[str]:
    """The blocks that may follow these words where the program looks at letters itself."""
    program = made_program(made_routine("main", "argc argv", LETTERS.format(other=other, between=between)))
    flow = build_flow(program, solve(program))
    (code,) = program.routines
    return {
        names_of_blocks(code)[code.instructions[code.blocks[each.block][1] - 1].targets[each.number]]
        for each in find_cases(flow, Reachability(flow))
        if each.may_follow(words)
    }


class TestOwnLetters:
    def test_a_letter_of_a_word_with_a_dash_leads_to_its_case(self):
        assert followed(("-f",)) == {"dash", "fast"}
        assert followed(("-xs", "--fast=1")) == {"dash", "fast", "slow"}
        assert followed(("f", "+s")) == set()

    @pytest.mark.parametrize("other", ["dash", "around"])
    def test_letters_of_any_words_count_if_they_need_no_dash(self, other):
        assert followed(("f",), other) == {"fast"}

    def test_letters_of_any_words_count_if_another_word_is_looked_at(self):
        assert followed(("-x", "f"), between="store i 2 size 4") == {"dash", "fast"}


class TestFollowing:
    @pytest.mark.parametrize("word", ["-a", "-xa", "-a1"])
    def test_a_letter_may_stand_anywhere_behind_one_dash(self, word):
        assert case("a").may_follow([word])

    @pytest.mark.parametrize("word", ["a", "--a", "-x", "--xa"])
    def test_a_letter_without_a_single_dash_is_none(self, word):
        assert not case("a").may_follow([word])

    @pytest.mark.parametrize("word", ["--lines", "--lines=3", "--li", "--l=3"])
    def test_a_long_word_may_be_shortened_and_have_a_value(self, word):
        assert case(names=("--lines",)).may_follow([word])

    @pytest.mark.parametrize("word", ["--linesmen", "-lines", "--words"])
    def test_other_long_words_lead_elsewhere(self, word):
        assert not case(names=("--lines",)).may_follow([word])

    def test_a_text_may_be_compared_with_a_part_of_a_word(self):
        assert case(texts=("fast",)).may_follow(["--mode=fast"])
        assert not case(texts=("fast",)).may_follow(["--mode=slow"])

    def test_letters_of_words_that_are_taken_apart_need_no_dash(self):
        assert case("a", is_inner=True).may_follow(["banana"])
        assert not case("a", is_inner=True).may_follow(["-b"])

    def test_a_letter_in_the_middle_may_be_the_value_of_another_option(self):
        assert case("a").may_follow(["-xa"])
        assert not case("a").surely_follows(["-xa"])
        assert case("a").surely_follows(["-ax"])

    def test_a_shortened_word_is_not_sure(self):
        assert not case(names=("--lines",)).surely_follows(["--li"])
        assert case(names=("--lines",)).surely_follows(["--lines=3"])

    @given(words=WORDS, more=WORDS, letters=st.text("ab1", max_size=2), is_inner=st.booleans())
    def test_more_words_never_rule_out_what_fewer_allow(self, words, more, letters, is_inner):
        some = case(letters, ("--ab",), ("b1",), is_inner)

        assert not some.may_follow(words) or some.may_follow([*words, *more])
        assert not some.surely_follows(words) or some.surely_follows([*words, *more])

    @given(words=WORDS, letters=st.text("ab1", max_size=2))
    def test_what_surely_follows_may_follow(self, words, letters):
        some = case(letters, ("--ab",), ("b1",))

        assert not some.surely_follows(words) or some.may_follow(words)

    @given(letters=st.text("ab1", max_size=2), is_inner=st.booleans())
    def test_nothing_follows_without_words(self, letters, is_inner):
        assert not case(letters, ("--ab",), ("b1",), is_inner).may_follow([])
