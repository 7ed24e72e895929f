from __future__ import annotations

import pytest

from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_global, made_routine

DECIDING = "branch n yes no\nyes:\n{work}return 1\nno:\nreturn 0"


def hops(work: str) -> object:
    """How many decisions lie between what a routine is given and its answer."""
    return Asked(
        made_global("g"),
        made_global("text"),
        made_routine("ask", "n", "branch n yes no\nyes:\nreturn 3\nno:\nreturn 4"),
        made_routine("note", "n", "store @g n\nreturn 3"),
        made_routine("f", "n", DECIDING.format(work=work)),
    ).hops("f.n", "f()")


@pytest.mark.parametrize(
    "work",
    [
        "",
        "x = local; store x 1\n",
        "x = load @g\n",
        "x = call strlen @text\n",
        "x = call ask 1\n",
    ],
)
def test_what_a_routine_decides_by_that_only_looks_comes_to_its_answer_as_values_do(work):
    assert hops(work) == 0


@pytest.mark.parametrize(
    "work",
    [
        "store @g 1\n",
        "x = call note 1\n",
        "x = call memcpy @g @text 8\n",
        "x = call malloc 8\n",
        "x = call something @g\n",
    ],
)
def test_elsewhere_it_is_a_decision(work):
    assert hops(work) == 1


@pytest.mark.parametrize(("answer", "decisions"), [("c", 0), ("d", 0), ("m", 1), ("x", 1)])
def test_comparisons_tell_cases_apart_and_numbers_do_not(answer, decisions):
    text = f"""
        c = compute m 3 shape icmp
        d = compute c 1 shape zext
        x = compute m 3 shape add
        branch n yes no
      yes:
        return {answer}
      no:
        return 0
    """

    assert Asked(made_routine("f", "n m", text)).hops("f.n", "f()") == decisions
