from sonde.core.code import Kind
from sonde.methods.impact.reach.searching import reach_forward
from sonde.methods.impact.ways.witness import describe_place, describe_way
from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_global, made_routine

LIMIT = made_global("limit", {0: "5"}, size=4)
OPTIONS = made_global("options", type="opts", size=16)
TYPES = {"opts": {"name": 0, "level": 8}}
WIDTH = made_routine("width", "n", "m = compute n 2 line 20\nreturn m line 21")
HOT = made_routine(
    "hot",
    "n",
    "c = compute n 9 shape icmp line 30\nbranch c a b line 30\na:\ncall work line 31\njump b\nb:\nreturn",
)
MAIN = made_routine(
    "main",
    "argc argv",
    """
    f = field @options 8 as opts line 10
    s = store f argc line 10
    v = load f line 11
    w = call width v line 12
    l = load @limit line 13
    x = compute w l line 13
    call hot x line 14
    return
""",
)


def asked() -> Asked:
    return Asked(LIMIT, OPTIONS, WIDTH, HOT, MAIN, types=TYPES)


def way(found: Asked, source: int, target: int) -> list[tuple[int, str, str]]:
    path = reach_forward(found.flow, [source], 1).path(target)
    return [(each.place.line, each.routine, each.words) for each in describe_way(found.flow, path)]


def test_a_way_is_told_line_by_line_with_names_of_variables_and_fields():
    found = asked()

    assert way(found, found.node("main.s"), found.node("hot.c")) == [
        (10, "main", "stored in `options.level`"),
        (11, "main", "`options.level` is read"),
        (1, "width", "passed to `width` as `n`"),
        (20, "width", "used in a computation"),
        (21, "width", "returned by `width`"),
        (12, "main", "returns from `width`"),
        (13, "main", "used in a computation"),
        (1, "hot", "passed to `hot` as `n`"),
        (30, "hot", "used in a computation"),
    ]


def test_a_decision_is_told_with_what_it_decides_over():
    found = asked()

    assert way(found, found.node("hot.n"), found.node("hot:a"))[-2:] == [
        (30, "hot", "decides what is executed"),
        (31, "hot", "executed or not, depending on an earlier decision"),
    ]


def test_a_way_from_a_first_value_names_the_variable():
    found = asked()
    memory = found.flow.memory
    (cell,) = memory.cells_of(memory.object_of_global(0))

    assert way(found, found.flow.cell(cell), found.node("main.l")) == [
        (1, "limit", "the first value of `limit`"),
        (13, "main", "`limit` is read"),
    ]


def test_an_instruction_is_told_by_what_it_does():
    found = asked()
    number = next(found.program.find_routines("main"))
    calls = [n for n, each in enumerate(MAIN.instructions) if each.kind is Kind.CALL]

    assert [describe_place(found.flow, number, n).words for n in calls] == [
        "passes through `width`",
        "passes through `hot`",
    ]
