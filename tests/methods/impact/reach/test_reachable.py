"""Which code can be executed, beside a plain search that goes from block to block."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.reach.reachable import Reachability
from tests.methods.impact.made_programs import made_global, made_program, made_routine

PROGRAM = made_program(
    made_global("hook", {}, size=8),
    made_routine(
        "main",
        "c d",
        """
        branch c set plain
      set:
        store @hook @late; a = call direct d
        jump both
      plain:
        branch d both end
      both:
        f = load @hook; r = call f d
        branch d again end
      again:
        b = call direct c
      end:
        return
        """,
    ),
    made_routine("direct", "n", "branch n deep out\n deep:\n x = call below n\n out:\n return"),
    made_routine("late", "n", "branch n one two\n one:\n y = call below n\n two:\n return"),
    made_routine("below", "n", "return"),
)
REACHABILITY = Reachability(build_flow(PROGRAM, solve(PROGRAM)))
DIRECT, LATE = (next(PROGRAM.find_routines(name)) for name in ("direct", "late"))
MAIN = next(PROGRAM.find_routines("main"))
CUTS = [
    (routine, block, number)
    for routine, routes in enumerate(REACHABILITY.routes)
    for block, targets in enumerate(routes)
    for number in range(len(targets))
]


def slowly_without(cuts):
    """All blocks again and again, until nothing is added."""
    seen = {(root, 0) for root in REACHABILITY.roots}
    while True:
        taken = {name for routine, block in seen for name in REACHABILITY.mentions(routine).get(block, ())}
        found = set(seen)
        for routine, block in seen:
            targets = REACHABILITY.routes[routine][block]
            kept = [each for n, each in enumerate(targets) if (routine, block, n) not in cuts]
            if len(kept) < len(targets):
                kept.append(REACHABILITY.next_common(routine, block))
            found |= {(routine, each) for each in kept if each < len(REACHABILITY.routes[routine])}
            for call in REACHABILITY.flow.calls[routine]:
                is_direct = PROGRAM.routines[routine].instructions[call.position].operands[0] < 0
                if call.block == block:
                    found |= {(callee, 0) for callee in call.callees if is_direct or callee in taken}
        if found == seen:
            return seen
        seen = found


@given(st.sets(st.sampled_from(CUTS)))
def test_it_is_the_same_as_going_from_block_to_block(cuts):
    found = REACHABILITY.without(cuts)

    assert {(routine, block) for routine, blocks in found.items() for block in blocks} == slowly_without(cuts)


def test_what_a_pointer_calls_needs_code_that_takes_its_address():
    assert LATE in REACHABILITY.everything
    assert LATE not in REACHABILITY.without([(MAIN, 0, 0)])
    assert DIRECT in REACHABILITY.without([(MAIN, 0, 0)])


def test_cutting_changes_no_later_answer():
    before = dict(REACHABILITY.without(()))
    REACHABILITY.without([(DIRECT, 0, 0), (LATE, 0, 0)])

    assert REACHABILITY.without(()) == before
