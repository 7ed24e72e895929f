import pytest

from sonde.methods.impact.endings.messages import find_unmeasured_ends
from tests.methods.impact.made_programs import block_named, made_global, made_program, made_routine

WORD = made_global("word", text="--version", is_constant=True)
MESSAGE = made_global("message", text="version 1", is_constant=True)
PRINTING = made_routine("licence", "", "call puts @message\nreturn")
BY_WORD = 'r = call strcmp argv @word; c = compute r 0 shape "icmp eq i32"; branch c last on'
EXIT = "call exit 0; stop"
ENDING = """
    {decision}
  last:
    {action}
    {end}
  on:
    call work
    return 0
"""


def ends(*, decision=BY_WORD, action="call licence", end=EXIT, words=(), more=()):
    main = made_routine("main", "argc argv", ENDING.format(decision=decision, action=action, end=end))
    program = made_program(WORD, MESSAGE, PRINTING, *more, main)
    last = len(program.routines) - 1
    found = find_unmeasured_ends(program, [last], frozenset(words))[last]
    return found == {block_named(main, "last")}


def test_an_end_that_a_word_asks_for_and_that_only_prints_is_not_measured():
    assert ends()


def test_main_may_return_from_it_as_well():
    assert ends(end="return 0")


@pytest.mark.parametrize(
    "decision",
    [
        'c = call getopt argc argv "hv"; switch c on 104:last 118:on',
        'c = call getopt argc argv "h"; t = compute c 104 shape "icmp eq i32"; branch t last on',
        'p = field argv 0 argc; v = load p shape "load i8"; switch v on 86:last',
    ],
)
def test_letters_and_getopt_are_words(decision):
    assert ends(decision=decision)


@pytest.mark.parametrize(
    "decision",
    [
        "branch argc last on",
        'c = compute argc 1 shape "icmp eq i32"; branch c last on',
        'r = call strcmp argv argv; c = compute r 0 shape "icmp eq i32"; branch c last on',
        'r = call strcmp argv @word; c = compute r 0 shape "icmp ne i32"; branch c last on',
        'c = call getopt argc argv "h"; switch c last 104:on',
        'c = call getopt argc argv "h"; t = compute c -1 shape "icmp eq i32"; branch t last on',
        "switch argc on 104:last",
    ],
)
def test_what_anything_else_leads_to_is_measured(decision):
    assert not ends(decision=decision)


@pytest.mark.parametrize(
    "action", ["call work", "call exit 0", "call licence; call read argc argv", "call licence; call argv"]
)
def test_what_does_more_than_print_or_does_not_print_is_measured(action):
    assert not ends(action=action)


def test_a_routine_that_works_before_it_prints_is_no_message():
    sums = made_routine("sums", "a", "jump on\non:\nbranch a on done\ndone:\ncall puts @message\nreturn")
    shows = made_routine("shows", "a", "jump on\non:\ncall puts @message\nbranch a on done\ndone:\nreturn")

    assert not ends(action="call sums argc", more=[sums])
    assert ends(action="call shows argc", more=[shows])


@pytest.mark.parametrize("word", ["--version", "--version=1"])
def test_a_word_of_an_option_is_measured(word):
    assert not ends(words=[word])
    assert ends(words=["--verbose", "-v"])


@pytest.mark.parametrize(("word", "is_end"), [("-h", False), ("-xh", False), ("-x", True), ("--help", True)])
def test_letters_of_options_are_measured_also_where_they_stand_together(word, is_end):
    assert ends(decision='c = call getopt argc argv "h"; switch c on 104:last', words=[word]) is is_end


def test_an_end_that_two_decisions_lead_to_needs_words_for_both():
    both = "branch argc last more\nmore:\n" + BY_WORD
    words = BY_WORD.replace("on", "more") + "\nmore:\n" + BY_WORD.replace("r ", "s ").replace("c ", "d ")

    assert not ends(decision=both)
    assert ends(decision=words)


def test_words_of_texts_that_are_not_of_the_command_line_end_what_is_measured():
    talk = made_routine("talk", "argc argv", ENDING.format(decision=BY_WORD, action="call licence", end=EXIT))
    given = made_routine("main", "argc argv", "call talk argc argv\nreturn")
    own = made_routine("main", "argc argv", "t = call fgets argc\ncall talk argc t\nreturn")

    def found(main):
        return find_unmeasured_ends(made_program(WORD, MESSAGE, PRINTING, talk, main), [1], frozenset())[1]

    assert found(given) == {block_named(talk, "last")}
    assert not found(own)
