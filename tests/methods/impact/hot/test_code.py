import pytest

from sonde.methods.impact.hot.code import HotCode, Hotness, find_hot_code, find_hot_positions, same_file
from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_program, made_routine

HELPER = made_routine("helper", "n", "c = compute n 3 shape icmp\nbranch c a b\na:\njump b\nb:\nreturn")
HOT = made_routine(
    "hot",
    "n m p",
    """
    jump head
  head:
    c = compute n 9 shape icmp
    branch c body done
  body:
    r = call helper m
    jump head
  done:
    call memset p 0 m
    branch p bad good
  bad:
    call cold p
    call abort
    stop
  good:
    return p
""",
)
COLD = made_routine("cold", "p", "return p")
MAIN = made_routine("main", "argc argv", "v = call hot argc argc argv\nreturn v")


def hot_code(asked: Asked, *hotness: Hotness) -> HotCode:
    positions, missing = find_hot_positions(asked.program, hotness or [Hotness("hot")])
    assert not missing
    return find_hot_code(asked.flow, positions)


def asked() -> Asked:
    return Asked(HELPER, HOT, COLD, MAIN)


@pytest.mark.parametrize(
    ("first", "second", "are_same"),
    [
        ("src/sort.c", "sort.c", True),
        ("./src/sort.c", "src/sort.c", True),
        ("lib/sort.c", "src/sort.c", False),
        ("resort.c", "sort.c", False),
        ("", "sort.c", False),
    ],
)
def test_files_are_the_same_if_one_name_ends_like_the_other(first, second, are_same):
    assert same_file(first, second) is are_same


def test_what_a_program_does_not_have_is_told():
    program = made_program(HOT, COLD)
    wanted = [Hotness("hot"), Hotness("none"), Hotness("made.c:900", "made.c", (900, 901))]
    positions, missing = find_hot_positions(program, wanted)

    assert positions == {0: None}
    assert missing == wanted[1:]


def test_a_routine_is_that_of_its_file_if_one_is_named():
    program = made_program(HOT, COLD)

    assert find_hot_positions(program, [Hotness("hot", "made.c")])[0] == {0: None}
    assert find_hot_positions(program, [Hotness("hot", "other.c")])[0] == {}


def test_lines_are_hot_alone_unless_the_routine_is_hot_as_well():
    program = made_program(HOT)
    lines = Hotness("made.c:7", "made.c", (7, 7))
    positions, _ = find_hot_positions(program, [lines])

    assert positions[0] is not None
    assert {program.routines[0].instructions[n].place.line for n in positions[0]} == {7}
    assert find_hot_positions(program, [lines, Hotness("hot")])[0] == {0: None}


def test_what_hot_code_calls_counts_but_not_where_it_fails():
    found = asked()
    code = hot_code(found)

    assert [found.program.routines[n].name for n in code.called] == ["helper"]
    assert code.holds(next(found.program.find_routines("helper")), 0)
    assert not code.holds(next(found.program.find_routines("cold")), 0)


def test_targets_are_decisions_entries_costs_of_calls_and_what_decides_in_callees():
    found = asked()
    targets = hot_code(found).targets
    hot = next(found.program.find_routines("hot"))

    assert found.node("hot!entry") in targets
    assert found.node("hot.m") in targets  # how much `memset` does, and what `helper` decides by
    loops = found.flow.value(hot, HOT.parameters + 2)
    checks = [n for n, each in enumerate(HOT.instructions) if each.kind.name == "BRANCH"][1]
    assert loops in targets
    assert found.flow.value(hot, HOT.parameters + checks) not in targets  # the other way only fails


def test_of_hot_lines_only_what_lies_there_is_a_target():
    found = asked()
    code = hot_code(found, Hotness("made.c:5", "made.c", (5, 5)))

    assert {each.position for each in code.targets.values()} == {2}
    assert not code.called


def test_a_text_that_a_call_finds_by_a_pointer_to_a_pointer_is_what_it_costs():
    hot = made_routine(
        "hot",
        "at",
        """
    t = call strsep at ","
    return t
""",
    )
    main = made_routine(
        "main",
        "argc argv",
        """
    text = local size 64
    other = local size 64
    at = local size 8
    store at text
    store other argc size 1
    v = call hot at
    return v
""",
    )
    found = Asked(hot, main)
    memory = found.flow.memory
    places = [found.flow.where(node) for node in hot_code(found).targets]
    names = {memory.objects[memory.cells[each.index].object].name for each in places if each.kind == "cell"}

    assert "text" in names
    assert "other" not in names
