from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program.linking import link
from sonde.methods.impact.reach.moments import ExecutionOrder
from tests.methods.impact.made_programs import made_global, made_routine, made_unit

EARLY = made_routine("early", "", "call helper\nreturn", is_internal=True)
HELPER = made_routine("helper", "", "store @limit 5\nreturn")
MAIN = made_routine("main", "", "v = load @limit; call hot v\nreturn")
HOT = made_routine("hot", "n", "return n")


class Times:
    """What comes before and after the routines of a made program."""

    def __init__(self, *routines, **more):
        program = link([made_unit(made_global("limit"), *routines, **more)])
        self.flow = build_flow(program, solve(program))
        self.timeline = ExecutionOrder(self.flow)

    def number(self, name):
        return next(self.flow.program.find_routines(name))

    def is_after(self, name, other):
        return self.flow.block(self.number(name), 0) in self.timeline.after([(self.number(other), 0)])

    def is_before(self, name, other):
        return self.flow.block(self.number(name), 0) in self.timeline.before([(self.number(other), 0)])


def test_what_runs_at_startup_comes_before_main():
    times = Times(EARLY, HELPER, MAIN, HOT, startup=("early",))

    assert times.is_after("hot", "early")
    assert times.is_after("hot", "helper")
    assert times.is_before("early", "hot")
    assert times.is_before("helper", "main")
    assert not times.is_after("early", "main")
    assert not times.is_before("main", "helper")


def test_routines_that_run_at_startup_may_follow_each_other():
    other = made_routine("other", "", "return", is_internal=True)
    times = Times(EARLY, HELPER, other, MAIN, HOT, startup=("early", "other"))

    assert times.is_after("helper", "other")
    assert times.is_before("other", "helper")


def test_what_runs_at_shutdown_may_follow_everything_and_leads_to_nothing_else():
    last = made_routine("last", "", "call helper\nreturn", is_internal=True)
    times = Times(last, HELPER, MAIN, HOT, shutdown=("last",))

    assert times.is_after("last", "main")
    assert times.is_after("helper", "hot")
    assert times.is_before("hot", "helper")
    assert not times.is_after("main", "last")


def test_without_a_main_every_routine_may_follow_every_other_one():
    times = Times(HELPER, HOT)

    assert times.is_after("hot", "helper")
    assert times.is_after("helper", "hot")
