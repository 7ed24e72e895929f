from sonde.methods.impact.presence.traceable import find_traceable
from tests.methods.impact.made_programs import made_routine, position_named, value_named


def known_in(routine, options=(), followed=()):
    """The values that can be known."""
    return find_traceable(
        routine,
        {value_named(routine, each) for each in options},
        {position_named(routine, each) for each in followed},
    ).values


def values_named(routine, *names):
    return {value_named(routine, each) for each in names}


def test_a_variable_of_constants_is_known_and_what_is_computed_from_it():
    routine = made_routine(
        "f",
        "",
        'x = local; s = store x 1; v = load x; c = compute v 1 shape "icmp eq i32"; t = store @elsewhere c',
    )

    assert known_in(routine) == values_named(routine, "x", "v", "c")


def test_a_variable_whose_address_is_handed_on_is_left_alone():
    routine = made_routine("f", "", "x = local; s = store x 1; r = call g x; v = load x")

    assert known_in(routine) == set()


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
    assert known_in(made_routine("f", "", text)) == set()


def test_options_and_calls_that_are_followed_are_known():
    routine = made_routine(
        "f",
        "",
        "x = local; y = local; o = load @option; s = store x o; r = call g; t = store y r; q = call h",
    )

    assert known_in(routine) == set()
    assert known_in(routine, ["o"], ["r"]) == values_named(routine, "x", "y", "o", "r")
