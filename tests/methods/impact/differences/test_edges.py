import pytest

from sonde.methods.impact.differences.programs import find_differences
from tests.methods.impact.made_programs import block_named, made_routine, made_unit

CASES = """
    v = load @x
    switch v other {cases}
  one:
    store @a 1
    jump after
  two:
    store @b 2
    jump after
  other:
    store @c 3
    jump after
  after:
    call work
    return
"""


def moved(old: str, new: str) -> tuple[set[str], set[str]]:
    """The blocks of the old and the new version that other conditions decide over, by their names."""
    routines = [made_routine("main", "", each) for each in (old, new)]
    found = find_differences([made_unit(routines[0])], [made_unit(routines[1])]).routines
    if not found:
        return set(), set()
    sides = (found[0].old_side.blocks, found[0].new_side.blocks)
    before, after = (
        {name for name in _labels(text) if block_named(routine, name) in blocks}
        for text, routine, blocks in zip((old, new), routines, sides, strict=True)
    )
    return before, after


def _labels(text: str) -> list[str]:
    return [line.strip()[:-1] for line in text.splitlines() if line.strip().endswith(":")]


def test_a_case_that_goes_elsewhere_moves_where_it_went_and_where_it_goes():
    old, new = CASES.format(cases="1:one 2:two 3:two"), CASES.format(cases="1:one 2:one 3:two")

    assert moved(old, new) == ({"two"}, {"one"})


def test_a_case_that_only_one_version_has_was_the_default():
    old, new = CASES.format(cases="1:one 2:two"), CASES.format(cases="1:one 2:two 3:one")

    assert moved(old, new) == ({"other"}, {"one"})
    assert moved(new, old) == ({"one"}, {"other"})


def test_the_order_of_cases_does_not_matter():
    assert moved(CASES.format(cases="1:one 2:two"), CASES.format(cases="2:two 1:one")) == (set(), set())


def test_another_case_that_goes_where_the_default_goes_moves_nothing():
    assert moved(CASES.format(cases="1:one"), CASES.format(cases="1:one 4:other")) == (set(), set())


def test_cases_of_another_value_are_all_changed():
    old = CASES.format(cases="1:one 2:two")
    new = old.replace("@x", "@y")
    (found,) = find_differences(
        [made_unit(made_routine("main", "", old))], [made_unit(made_routine("main", "", new))]
    ).routines

    assert found.new_side.decisions


CHECKED = """
    v = load @x
    branch v bad good
  bad:
    store @a 1
    {}
  good:
    call work
    jump after
  after:
    return
"""


@pytest.mark.parametrize("end", ["call abort; stop", "call exit 2; stop"])
def test_a_way_that_now_fails_moves_only_what_lay_on_it(end):
    old, new = CHECKED.format("jump after"), CHECKED.format(end)

    assert moved(old, new) == ({"bad"}, set())
    assert moved(new, old) == (set(), {"bad"})


def test_a_way_that_now_ends_with_success_moves_what_it_no_longer_comes_to():
    old, new = CHECKED.format("jump good"), CHECKED.format("call exit 0; stop")

    assert "good" in moved(old, new)[1]


def test_what_a_branch_no_longer_leads_to_is_changed_also_behind_new_code():
    old = """
        v = load @x
        branch v one two
      one:
        call first; call again
        jump after
      two:
        call second
        jump after
      after:
        return
    """
    new = old.replace("call first; call again", "call third")
    new = new.replace("call second", "call first; call again; call second")
    (found,) = find_differences(
        [made_unit(made_routine("main", "", old))], [made_unit(made_routine("main", "", new))]
    ).routines

    assert found.new_side.decisions
    assert found.old_side.decisions
