"""Whatever a run executes, presence says that it may be: with variables, loops, calls and results."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count, product

from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.options.variables import find_reads
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.presence.routines import Routines
from sonde.methods.impact.presence.spaces import Presence
from sonde.methods.impact.presence.value_tables import Domain
from tests.methods.impact.made_programs import block_named, made_global, made_program, made_routine
from tests.methods.impact.shapes import shaped_routine

OPTIONS = ("a", "b")
VARIABLES = ("x", "y")
DATA = "data"
HELPER = """
    k = local
    s = store k p
    v = load k
    c = compute v 1 shape "icmp eq i32"
    branch c one other
  one:
    return 2
  other:
    o = load @a
    d = compute o 0 shape "icmp ne i32"
    branch d on off
  on:
    return 1
  off:
    w = load k
    return w
"""


@dataclass(frozen=True)
class Set:
    """`x = 2`."""

    variable: str
    value: int


@dataclass(frozen=True)
class If:
    """A decision by an option, a variable that is 1, or data."""

    test: str
    then: tuple["Statement", ...]
    otherwise: tuple["Statement", ...]


@dataclass(frozen=True)
class Loop:
    """As long as data says so."""

    body: tuple["Statement", ...]


@dataclass(frozen=True)
class Ask:
    """`x = helper (y)`."""

    result: str
    argument: str


Statement = Set | If | Loop | Ask
State = tuple[tuple[str, int], ...]  # what each variable holds


def bodies(depth: int) -> st.SearchStrategy[tuple[Statement, ...]]:
    variables = st.sampled_from(VARIABLES)
    inner = bodies(depth - 1) if depth else st.just(())
    tests = st.sampled_from((*OPTIONS, *VARIABLES, DATA))
    kinds: tuple[st.SearchStrategy[Statement], ...] = (
        st.builds(Set, variables, st.integers(0, 2)),
        st.builds(Ask, variables, variables),
        st.builds(If, tests, inner, inner),
        st.builds(Loop, inner),
    )
    return st.lists(st.one_of(*kinds), max_size=3).map(tuple)


class Writing:
    """The text of a main that does so; each arm of a decision is a block, found by its decision."""

    def __init__(self, body: tuple[Statement, ...]) -> None:
        self.numbers = count()
        self.lines = [f"{each} = local" for each in VARIABLES]
        self.lines += [f"store {each} 0" for each in VARIABLES]
        self.arms: dict[tuple[int, bool], str] = {}
        self._write(body)
        self.lines.append("return")

    def _write(self, body: tuple[Statement, ...]) -> None:
        for each in body:
            number = next(self.numbers)
            match each:
                case Set(variable, value):
                    self.lines.append(f"store {variable} {value}")
                case Ask(result, argument):
                    self.lines.append(f"v{number} = load {argument}")
                    self.lines.append(f"r{number} = call helper v{number}")
                    self.lines.append(f"store {result} r{number}")
                case If(test, then, otherwise):
                    self._decide(number, test)
                    self._arm(each, number, True, then, f"after{number}")
                    self._arm(each, number, False, otherwise, f"after{number}")
                    self.lines.append(f"after{number}:")
                case Loop(inner):
                    self.lines += [f"jump again{number}", f"again{number}:"]
                    self._decide(number, DATA)
                    self._arm(each, number, True, inner, f"again{number}")
                    self.lines.append(f"no{number}:")

    def _decide(self, number: int, test: str) -> None:
        if test == DATA:
            self.lines.append(f"v{number} = call {DATA}")
        else:
            self.lines.append(f"v{number} = load {test if test in VARIABLES else '@' + test}")
        self.lines.append(f'c{number} = compute v{number} 1 shape "icmp eq i32"')
        self.lines.append(f"branch c{number} yes{number} no{number}")

    def _arm(
        self, each: If | Loop, number: int, is_then: bool, body: tuple[Statement, ...], after: str
    ) -> None:
        self.arms[id(each), is_then] = name = f"{'yes' if is_then else 'no'}{number}"
        self.lines.append(f"{name}:")
        self._write(body)
        self.lines.append(f"jump {after}")


class Runs:
    """All runs of one configuration: what they execute, whatever data says."""

    def __init__(self, on: dict[str, int]) -> None:
        self.on = on
        self.arms: set[tuple[int, bool]] = set()
        self.helped: set[str] = set()

    def after(self, body: tuple[Statement, ...], states: frozenset[State]) -> frozenset[State]:
        """What variables may hold behind some statements."""
        for each in body:
            states = frozenset(self._after_one(each, states))
        return states

    def _after_one(self, each: Statement, states: frozenset[State]) -> Iterable[State]:
        match each:
            case Set(variable, value):
                return [_with(state, variable, value) for state in states]
            case Ask(result, argument):
                return [_with(state, result, self._help(dict(state)[argument])) for state in states]
            case If(test, then, otherwise):
                yes = frozenset(state for state in states if True in self._outcomes(test, state))
                no = frozenset(state for state in states if False in self._outcomes(test, state))
                return self._arm(each, True, then, yes) | self._arm(each, False, otherwise, no)
            case Loop(inner):
                reached = states
                while not (more := self._arm(each, True, inner, reached)) <= reached:
                    reached |= more
                return reached

    def _arm(
        self, each: If | Loop, is_then: bool, body: tuple[Statement, ...], states: frozenset[State]
    ) -> frozenset[State]:
        if states:
            self.arms.add((id(each), is_then))
        return self.after(body, states)

    def _help(self, given: int) -> int:
        arm, value = ("one", 2) if given == 1 else ("on", 1) if self.on["a"] else ("off", given)
        self.helped |= {arm} if arm == "one" else {"other", arm}
        return value

    def _outcomes(self, test: str, state: State) -> list[bool]:
        if test == DATA:
            return [True, False]
        return [(self.on[test] if test in self.on else dict(state)[test]) == 1]


def _with(state: State, variable: str, value: int) -> State:
    return tuple((name, value if name == variable else known) for name, known in state)


@settings(deadline=None, max_examples=150)
@given(bodies(2))
def test_what_a_run_executes_may_be_executed(body):
    writing = Writing(body)
    text = "\n".join(writing.lines)
    named, named_helper = made_routine("main", "", text), made_routine("helper", "p", HELPER)
    program = made_program(
        *(made_global(each, size=4) for each in OPTIONS),
        shaped_routine("main", "", text),
        shaped_routine("helper", "p", HELPER),
    )
    flow = build_flow(program, solve(program))
    reads = {node: n for n, each in enumerate(OPTIONS) for node in find_reads(flow, each).nodes}
    main, helper = (next(program.find_routines(name)) for name in ("main", "helper"))
    presence = Presence(
        Routines(flow, frozenset({main, helper}), reads), Domain(((0, 1),) * len(OPTIONS)), [main], {}
    )

    for number, values in enumerate(product((0, 1), repeat=len(OPTIONS))):
        on = dict(zip(OPTIONS, reversed(values), strict=True))
        runs = Runs(on)
        runs.after(body, frozenset({tuple((each, 0) for each in VARIABLES)}))
        for arm in runs.arms:
            assert presence.may_reach(main, block_named(named, writing.arms[arm])) >> number & 1
        for name in runs.helped:
            assert presence.may_reach(helper, block_named(named_helper, name)) >> number & 1


def test_a_result_that_becomes_known_late_reaches_the_decision_behind_it():
    text = """
        x = local
        store x 0
        jump again
      again:
        v = load x
        r = call helper v
        c = compute r 2 shape "icmp eq i32"
        jump behind
      behind:
        branch c found more
      more:
        store x 1
        jump again
      found:
        return
    """
    helper = HELPER.replace("load @a", "load k")
    named = made_routine("main", "", text)
    program = made_program(shaped_routine("main", "", text), shaped_routine("helper", "p", helper))
    flow = build_flow(program, solve(program))

    presence = Presence(Routines(flow, frozenset({0, 1}), {}), Domain(((0, 1),)), [0], {})

    assert presence.may_reach(0, block_named(named, "found")) == 0b11
