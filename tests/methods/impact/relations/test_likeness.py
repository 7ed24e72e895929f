"""Which configurations are alike, on programs in a terse notation that read their own command line."""

from sonde.core.options import Configuration
from sonde.methods.impact.answer import answer
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import Choice, OptionInCode
from sonde.methods.impact.question import AnalysisSettings, Question
from tests.methods.impact.made_programs import made_global, made_unit
from tests.methods.impact.shapes import shaped_routine
from tests.methods.impact.test_answer import HOT

READING = """
    c = local size 4
    jump loop
  loop:
    r = call getopt argc argv "fs"
    store c r size 4
    v = load c size 4
    e = compute v -1 shape "icmp eq i32"
    branch e done more
  more:
    w = load c size 4
    switch w loop 102:setfast 115:setslow 100:setdebug
  setfast:
    store @fast 1
    jump loop
  setslow:
    store @slow 1
    jump loop
  setdebug:
    store @fast 1
    jump loop
  done:
"""
NESTED = """
    f = load @fast
    t = compute f 0 shape "icmp ne i32"
    branch t quick rest
  quick:
    g = load @slow
    u = compute g 0 shape "icmp ne i32"
    branch u twice once
  twice:
    call hot {number}
    jump rest
  once:
    call hot {number}
    jump rest
  rest:
    return
"""
OPTIONS = tuple(
    OptionInCode(name, (name,), choices=(Choice(False, ()), Choice(True, (word,))))
    for name, word in (("fast", "-f"), ("slow", "-s"))
)


def program(text: str):
    globals_ = [made_global(each, size=4) for each in ("fast", "slow")]
    return (made_unit(*globals_, HOT, shaped_routine("main", "argc argv", READING + text)),)


def classes(old: str, new: str, fixed: tuple[str, ...] | None = (), is_conservative: bool = False):
    """The class of each combination of `fast` and `slow`; None if nothing is known."""
    question = Question(
        program(old),
        program(new),
        (Hotness("hot"),),
        OPTIONS,
        (),
        AnalysisSettings(is_conservative=is_conservative),
        fixed_words=fixed,
    )
    found = answer(question, lambda: 0.0)
    assert found.is_relevant
    if found.partition is None:
        return None
    return {
        (fast, slow): found.partition.of(Configuration.of({"fast": fast, "slow": slow}))
        for fast in (False, True)
        for slow in (False, True)
    }


def test_configurations_that_do_not_execute_the_changed_code_cannot_matter():
    found = classes(NESTED.format(number=5), NESTED.format(number=50))

    assert found[False, False] is None
    assert found[False, True] is None


def test_a_decision_that_is_only_asked_inside_of_another_one_tells_apart_there_alone():
    found = classes(NESTED.format(number=5), NESTED.format(number=50))

    assert None not in (found[True, False], found[True, True])
    assert found[True, False] != found[True, True]


def test_words_that_may_be_given_as_well_leave_every_configuration_in():
    found = classes(NESTED.format(number=5), NESTED.format(number=50), fixed=None)

    assert found is None or None not in found.values()


def test_a_word_of_every_run_that_sets_the_variable_counts():
    found = classes(NESTED.format(number=5), NESTED.format(number=50), fixed=("-d",))

    assert found is None or None not in found.values()


def test_conservative_answers_know_nothing_of_likeness():
    assert classes(NESTED.format(number=5), NESTED.format(number=50), is_conservative=True) is None


def test_what_an_option_sets_on_the_way_tells_configurations_apart():
    text = """
    n = local size 4
    store n 1 size 4
    f = load @fast
    t = compute f 0 shape "icmp ne i32"
    branch t grow same
  grow:
    store n 3 size 4
    jump same
  same:
    m = load n size 4
    p = compute m {number} shape "mul i32"
    call hot p
    return
"""
    found = classes(text.format(number=5), text.format(number=50))

    assert None not in found.values()
    assert found[False, False] == found[False, True] != found[True, False] == found[True, True]


def is_left_out(word: str) -> bool:
    """Whether a configuration whose word is not `-f` is left out, for `fast` is needed."""
    choices = (Choice(False, (word,)), Choice(True, ("-f",)))
    question = Question(
        program(NESTED.format(number=5)),
        program(NESTED.format(number=50)),
        (Hotness("hot"),),
        (OptionInCode("fast", ("fast",), choices=choices),),
        fixed_words=(),
    )
    partition = answer(question, lambda: 0.0).partition
    assert partition is None or partition.of(Configuration.of({"fast": True})) is not None
    return partition is not None and partition.of(Configuration.of({"fast": False})) is None


def test_a_word_that_is_looked_for_and_stores_nothing_leaves_the_variable_as_it_was():
    assert is_left_out("-s")


def test_a_word_that_nobody_is_seen_to_look_for_may_do_anything():
    assert not is_left_out("-q")


CALLING = """
    c = local size 4
    store c n size 4
    jump head
  head:
    v = load c size 4
    t = compute v 0 shape "icmp sgt i32"
    branch t body done
  body:
    call work
    d = compute v 1 shape "sub i32"
    store c d size 4
    jump head
  done:
    return
"""


BEFORE = """
    n = local size 4
    store n {number} size 4
    f = load @fast
    t = compute f 0 shape "icmp ne i32"
    branch t quick rest
  quick:
    m = load n size 4
    call hot m
    jump rest
  rest:
    return
"""


def test_hot_code_that_only_other_hot_code_calls_is_executed_where_that_is():
    def made(number: int):
        globals_ = [made_global(each, size=4) for each in ("fast", "slow")]
        main = shaped_routine("main", "argc argv", READING + BEFORE.format(number=number))
        hot = shaped_routine("hot", "n", CALLING)
        return (made_unit(*globals_, hot, shaped_routine("work", "", "return"), main),)

    hot = (Hotness("hot"), Hotness("work"))
    question = Question(made(5), made(50), hot, OPTIONS[:1], fixed_words=())

    partition = answer(question, lambda: 0.0).partition
    assert partition is not None
    assert partition.of(Configuration.of({"fast": False})) is None
    assert partition.of(Configuration.of({"fast": True})) is not None
