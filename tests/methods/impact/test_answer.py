"""The answer as a whole, on programs in a terse notation; real C stands in tests/real."""

from itertools import count

import pytest

from sonde.core.findings.impacts import Role, Via
from sonde.methods.impact.answer import answer
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.question import AnalysisSettings, By, Question
from tests.methods.impact.made_programs import made_global, made_routine, made_unit
from tests.methods.impact.shapes import shaped_routine

HOT = made_routine(
    "hot",
    "n",
    """
    i = local size 4
    store i 0
    jump test
  test:
    v = load i
    c = compute v n shape icmp
    branch c body done
  body:
    w = load i
    x = compute w 1 shape add
    store i x
    jump test
  done:
    return
""",
    is_internal=True,
)
OPTIONS = ("fast", "slow", "other")


def program(main: str):
    return (
        made_unit(
            *(made_global(each, size=4) for each in (*OPTIONS, "result")),
            HOT,
            shaped_routine("main", "", main),
        ),
    )


def ask(old: str, new: str, **settings):
    options = tuple(OptionInCode(each, (each,)) for each in OPTIONS)
    question = Question(
        program(old), program(new), (Hotness("hot"),), options, (), AnalysisSettings(**settings)
    )
    return answer(question, lambda: 0.0)


def related(found) -> list[str]:
    return [each.option for each in found.options if each.role is Role.RELATED]


GUARDED = """
    t = local size 4
    store t 5
    f = load @fast
    c = compute f 0 shape "icmp ne i32"
    branch c yes no
  yes:
    v = load t
    d = compute v 2 shape mul
    store t d
    jump no
  no:
    u = load t
    call hot u
    return
"""


def test_nothing_changed_means_nothing_to_measure():
    found = ask(GUARDED, GUARDED)

    assert not found.is_relevant
    assert found.analysis.points_to == "none"
    assert related(found) == []


def test_a_value_that_comes_to_hot_code_is_relevant_with_the_option_on_its_way():
    found = ask(GUARDED, GUARDED.replace("store t 5", "store t 9"))

    assert found.is_relevant
    assert found.interactions[0].via is Via.EXPLICIT
    assert found.interactions[0].hot_routine == "hot"
    assert found.interactions[0].path[0].words == "stored in `t`"
    assert related(found) == ["fast"]


def test_a_busy_machine_changes_no_answer():
    hours = count(step=3600)
    question = Question(
        program(GUARDED), program(GUARDED.replace("store t 5", "store t 9")), (Hotness("hot"),)
    )

    found = answer(question, lambda: float(next(hours)), work=lambda: 0.0)

    assert found.analysis.points_to == "inclusion-based, field-sensitive"
    assert found.analysis.seconds >= 3600


def test_a_deleted_statement_is_found_in_the_old_program():
    found = ask(GUARDED, GUARDED.replace("    store t d\n", ""))

    assert found.is_relevant
    assert any(each.is_deletion for each in found.interactions)
    assert "fast" in related(found)


def test_what_does_not_come_to_hot_code_is_not_relevant():
    base = GUARDED.replace("    return", "    store @result 1\n    return")
    found = ask(base, base.replace("store @result 1", "store @result 2"))

    assert not found.is_relevant
    assert [each.role for each in found.options] == [Role.UNRELATED] * 3


def test_hot_code_that_only_one_option_lets_run_is_its_affair():
    text = """
        f = load @slow; c = compute f 0 shape "icmp ne i32"
        branch c yes no
      yes:
        call hot 7
        jump no
      no:
        return
    """
    found = ask(text, text.replace("hot 7", "hot 8"))

    assert related(found) == ["slow"]


def test_two_options_of_which_one_is_enough_are_both_related():
    text = """
        f = load @fast; c = compute f 0 shape "icmp ne i32"
        branch c yes more
      more:
        g = load @slow; d = compute g 0 shape "icmp ne i32"
        branch d yes no
      yes:
        call hot 7
        jump no
      no:
        return
    """
    assert related(ask(text, text.replace("hot 7", "hot 8"))) == ["fast", "slow"]


def test_a_decision_that_cannot_matter_relates_nothing():
    text = """
        f = load @fast; c = compute f 0 shape "icmp ne i32"
        branch c yes more
      more:
        g = load @slow; d = compute g 0 shape "icmp ne i32"
        branch d odd no
      yes:
        call hot 7
        jump no
      odd:
        store @result 1
        jump no
      no:
        return
    """
    assert related(ask(text, text.replace("hot 7", "hot 8"))) == ["fast"]


FLAG = """
    flag = local size 4; t = local size 4
    store flag 0
    f = load @fast; c = compute f 0 shape "icmp ne i32"
    branch c yes no
  yes:
    store flag 1
    jump no
  no:
    store t 5
    g = load flag; d = compute g 0 shape "icmp ne i32"
    branch d more done
  more:
    v = load t; w = compute v 3 shape mul
    store t w
    jump done
  done:
    u = load t
    call hot u
    return
"""


@pytest.mark.parametrize("depth", [0, 1])
def test_a_flag_between_option_and_value_is_seen_through(depth):
    found = ask(FLAG, FLAG.replace("store t 5", "store t 6"), implicit_depth=depth)

    assert found.is_relevant
    assert related(found) == ["fast"]


def test_a_flag_in_memory_counts_as_one_decision():
    text = FLAG.replace("flag = local size 4; ", "").replace("flag", "@result")
    new = text.replace("store t 5", "store t 6")

    assert related(ask(text, new, implicit_depth=0)) == []
    assert related(ask(text, new, implicit_depth=1)) == ["fast"]


def test_an_unknown_variable_is_kept_and_named():
    question = Question(
        program(GUARDED),
        program(GUARDED.replace("store t 5", "store t 9")),
        (Hotness("hot"), Hotness("cold")),
        (OptionInCode("fast", ("fats",)), OptionInCode("nothing")),
    )
    found = answer(question, lambda: 0.0)

    assert [each.role for each in found.options] == [Role.UNKNOWN, Role.UNKNOWN]
    assert any("no variable 'fats'; there is fast" in each for each in found.warnings)
    assert any("'cold' exists in neither program" in each for each in found.warnings)


def test_the_paper_does_not_see_deletions():
    found = ask(GUARDED, GUARDED.replace("    store t d\n", ""), by=By.PAPER)

    assert not found.is_relevant


def test_the_paper_sees_values():
    found = ask(GUARDED, GUARDED.replace("store t 5", "store t 9"), by=By.PAPER)

    assert found.is_relevant
    assert related(found) == ["fast"]


def test_only_ways_that_decide_are_implicit():
    base = """
        t = local size 4
        store t 5
        l = load @result; c = compute l 7 shape "icmp slt i32"
        branch c yes no
      yes:
        store t 9
        jump no
      no:
        u = load t
        call hot u
        return
    """
    found = ask(base, base.replace("compute l 7", "compute l 8"))

    assert found.is_relevant
    assert {each.via for each in found.interactions} == {Via.IMPLICIT}
