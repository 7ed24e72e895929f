from sonde.methods.impact.traceable import find_steps
from tests.methods.impact.made_programs import made_routine, position_named, value_named


def steps_of(routine, options=(), followed=()):
    """The positions that matter, by their names."""
    found = find_steps(
        routine,
        {value_named(routine, each) for each in options},
        {position_named(routine, each) for each in followed},
    )
    return {position for block in found for position in block}


def test_a_variable_of_constants_is_looked_at_and_what_is_computed_from_it():
    routine = made_routine(
        "f", "", "x = local; s = store x 1; v = load x; c = compute v 1 shape icmp; t = store @elsewhere c"
    )

    assert steps_of(routine) == {position_named(routine, each) for each in ("s", "v", "c")}


def test_a_variable_whose_address_is_handed_on_is_left_alone():
    routine = made_routine("f", "", "x = local; s = store x 1; r = call g x; v = load x")

    assert steps_of(routine) == set()


def test_what_is_not_known_makes_all_unknown_that_needs_it_however_far():
    text = """
        x = local; y = local
        jump again
      again:
        v = load y
        s = store x v
        w = load x
        t = store y w
        u = load @elsewhere
        z = store y u
        branch v again after
      after:
    """
    assert steps_of(made_routine("f", "", text)) == set()


def test_options_and_calls_that_are_followed_are_known():
    routine = made_routine(
        "f",
        "",
        "x = local; y = local; o = load @option; s = store x o; r = call g; t = store y r; q = call h",
    )

    assert steps_of(routine) == set()
    assert steps_of(routine, ["o"], ["r"]) == {position_named(routine, each) for each in ("o", "s", "r", "t")}
