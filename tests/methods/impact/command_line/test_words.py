"""What the words of a command line let a program execute."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.command_line.words import CommandLine
from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.reach.reachable import Reachability
from tests.methods.impact.made_programs import block_named, made_global, made_program, made_routine

PROGRAM = made_program(
    made_global("speed", size=4),
    made_routine(
        "main",
        "argc argv",
        """
        call prepare argc
        jump loop
      loop:
        r = call getopt argc argv "fst"
        e = compute r -1 shape "icmp eq i32"
        branch e done more
      more:
        switch r other 102:fast 115:slow 116:thorough
      fast:
        store @speed 1
        jump loop
      slow:
        call go_slow argc
        jump loop
      thorough:
        branch argc deep other
      deep:
        store @speed 3
        jump loop
      other:
        jump loop
      done:
        call work argc
        return
        """,
    ),
    made_routine("prepare", "n", "store @speed 0\n call both n\n return"),
    made_routine("go_slow", "n", "store @speed 2\n return"),
    made_routine("work", "n", "call both n\n return"),
    made_routine("both", "n", "return"),
    made_routine("nobody", "n", "return"),
)
FLOW = build_flow(PROGRAM, solve(PROGRAM))
LINE = CommandLine(FLOW, Reachability(FLOW))
NUMBERS = {
    name: next(PROGRAM.find_routines(name)) for name in ("prepare", "go_slow", "work", "both", "nobody")
}
MAIN = next(PROGRAM.find_routines("main"))
WORDS = st.lists(st.sampled_from(["-f", "-s", "-t", "-fs", "-x", "--fast", "word"]), max_size=4)


def block(name: str) -> int:
    return block_named(PROGRAM.routines[MAIN], name)


def test_without_words_no_code_of_a_case_is_executed():
    found = LINE.executed(())

    assert found[MAIN].isdisjoint({block("fast"), block("slow"), block("thorough"), block("deep")})
    assert NUMBERS["go_slow"] not in found


def test_what_needs_no_word_is_always_executed():
    found = LINE.executed(())

    assert {block("loop"), block("more"), block("other"), block("done")} <= set(found[MAIN])
    assert NUMBERS["work"] in found


def test_a_word_lets_its_own_code_be_executed():
    found = LINE.executed(("-f",))

    assert block("fast") in found[MAIN]
    assert NUMBERS["go_slow"] not in found


def test_what_a_case_calls_is_executed_with_it():
    assert NUMBERS["go_slow"] in LINE.executed(("-s",))


def test_words_that_nobody_models_may_be_given_as_well():
    found = LINE.executed((), all_words=("-f",))

    assert block("fast") not in found[MAIN]
    assert NUMBERS["go_slow"] in found


def test_what_is_never_chosen_is_left_out_in_addition():
    cut = (MAIN, block("thorough"), 0)

    assert block("deep") in LINE.executed(("-t",))[MAIN]
    assert block("deep") not in LINE.executed(("-t",), never=[cut])[MAIN]


@given(words=WORDS, more=WORDS)
def test_more_words_let_no_less_be_executed(words, more):
    fewer, all_ = LINE.executed(words), LINE.executed([*words, *more])

    assert all(set(blocks) <= set(all_.get(routine, ())) for routine, blocks in fewer.items())


@given(words=WORDS)
def test_what_is_cut_is_what_none_of_the_words_leads_to(words):
    cuts = set(LINE.cuts(words))

    assert cuts == {
        (each.routine, each.block, each.number) for each in LINE.cases if not each.may_follow(words)
    }


class TestMoments:
    @pytest.mark.parametrize("name", ["loop", "more", "fast", "done"])
    def test_what_follows_a_look_at_words_is_later(self, name):
        assert LINE.is_later(MAIN, block(name), LINE.executed(("-f",)))

    def test_what_comes_before_the_first_look_is_not(self):
        assert not LINE.is_later(MAIN, block("entry"), LINE.executed(()))
        assert not LINE.is_later(NUMBERS["prepare"], 0, LINE.executed(()))

    @pytest.mark.parametrize("name", ["work", "go_slow"])
    def test_a_routine_is_as_late_as_its_callers(self, name):
        assert LINE.is_later(NUMBERS[name], 0, LINE.executed(("-s",)))

    def test_one_late_caller_is_enough(self):
        assert LINE.is_later(NUMBERS["both"], 0, LINE.executed(()))

    def test_a_routine_whose_callers_are_not_known_may_be_late(self):
        assert LINE.is_later(NUMBERS["nobody"], 0, LINE.executed(()))


class TestCertainty:
    def test_a_case_is_certain_with_its_own_word(self):
        assert LINE.is_straight(MAIN, block("fast"), ("-f",))

    def test_a_case_is_not_certain_with_a_word_that_nobody_asks_for(self):
        assert not LINE.is_straight(MAIN, block("fast"), ("-x",))

    def test_a_further_decision_makes_it_uncertain(self):
        assert LINE.is_straight(MAIN, block("thorough"), ("-t",))
        assert not LINE.is_straight(MAIN, block("deep"), ("-t",))

    def test_what_a_case_calls_is_as_certain_as_the_case(self):
        assert LINE.is_straight(NUMBERS["go_slow"], 0, ("-s",))
        assert not LINE.is_straight(NUMBERS["go_slow"], 0, ("-x",))

    def test_a_letter_behind_an_unknown_one_is_not_certain(self):
        assert not LINE.is_straight(MAIN, block("slow"), ("-xs",))
