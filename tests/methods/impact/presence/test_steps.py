from sonde.methods.impact.presence.steps import find_steps
from sonde.methods.impact.presence.traceable import find_traceable
from tests.methods.impact.made_programs import block_named, made_routine, position_named, value_named

LOOP = """
    x = local; y = local
    s = store x 1
    t = store y 2
    jump first
  first:
    v = load x
    branch v second last
  second:
    u = store y 3
    jump third
  third:
    w = load y
    branch w first last
  last:
    return
"""


def steps_of(routine, asked):
    known = find_traceable(routine, frozenset(), frozenset())
    values = {value_named(routine, each) for each in asked}
    return find_steps(routine, routine.routes, known, values, (), is_returning=False)


def test_nothing_is_looked_at_that_nobody_asks_for():
    routine = made_routine("f", "", LOOP)

    steps = steps_of(routine, ["x", "v"])

    found = {position for block in steps.by_block for position in block}
    assert found == {position_named(routine, each) for each in ("s", "v")}


def test_a_variable_is_kept_as_long_as_it_may_be_read():
    routine = made_routine("f", "", LOOP)

    steps = steps_of(routine, ["x", "v", "y", "w"])

    x, y = value_named(routine, "x"), value_named(routine, "y")
    kept = {
        name: set(steps.kept[block_named(routine, name)]) for name in ("first", "second", "third", "last")
    }
    assert kept == {"first": {x}, "second": {x}, "third": {x, y}, "last": set()}


def test_other_blocks_that_need_a_value_are_told():
    text = """
        c = compute p 1 shape icmp
        jump after
      after:
        branch c yes no
      yes:
        jump no
      no:
        d = phi 1:after c:yes
        branch d end end
      end:
        return
    """
    routine = made_routine("f", "p", text)

    steps = steps_of(routine, ["p", "c", "d"])

    names = {"p": [0], "c": [block_named(routine, "after"), block_named(routine, "no")]}
    assert steps.users == {value_named(routine, name): blocks for name, blocks in names.items()}
    assert steps.joining == {block_named(routine, "no")}
