"""Questions to the flow graph of a made program, by the names in its text."""

from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.reach.searching import reach_backward, reach_forward
from tests.methods.impact.made_programs import block_named, made_program, value_named


class Asked:
    """A made program, to ask how one thing comes to another.

    Things are `routine.value`, `routine:block` (whether a routine that is called executes it),
    `routine!block` (whether it is executed at all) and `routine()` for what it returns.
    """

    def __init__(self, *things, **more):
        self.program = made_program(*things, **more)
        self.flow = build_flow(self.program, solve(self.program))

    def node(self, thing):
        for sign in ".:!(":
            name, found, rest = thing.partition(sign)
            if found:
                break
        number = next(self.program.find_routines(name))
        routine = self.program.routines[number]
        match found:
            case ".":
                return self.flow.value(number, value_named(routine, rest))
            case ":":
                return self.flow.block(number, block_named(routine, rest))
            case "!":
                return self.flow.executed(number, block_named(routine, rest))
            case _:
                return self.flow.returned(number)

    def hops(self, source, target, depth=2):
        """The fewest implicit hops from one thing to the other, or None; both directions must agree."""
        source, target = self.node(source), self.node(target)
        forward = reach_forward(self.flow, [source], depth).hops(target)
        backward = reach_backward(self.flow, [target], depth).hops(source)
        assert forward == backward
        return forward

    def dead_ends(self, name):
        """The blocks of a routine that only lead to failure, by name."""
        number = next(self.program.find_routines(name))
        return self._named(number, self.flow.dead_ends[number])

    def stops(self, name):
        """The blocks of a routine from which it does not come to its usual end, by name."""
        number = next(self.program.find_routines(name))
        return self._named(number, self.flow.ends.stops[number])

    def _named(self, number, blocks):
        routine = self.program.routines[number]
        from tests.methods.impact.made_programs import _BLOCKS

        return {name for name, block in _BLOCKS[id(routine)][1].items() if block in blocks}
