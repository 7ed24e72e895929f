from sonde.core.code import Instruction, Kind, Routine
from sonde.core.code import SourceLine as Line
from sonde.core.code import Unit as CodeUnit
from sonde.core.evidence import Activity, CostUnit, Profile, ProfiledFunction
from sonde.methods.impact.hot.line_costs import LineCosts
from sonde.methods.impact.hot.line_owners import LineOwners
from sonde.methods.impact.hot.profiles import cost_sources, hot_python_routines, hot_sources

FIRST_LINES = {"copy": 10, "sort": 20, "main": 30}


def routine(name: str, *lines: int, file: str = "xz.c", home: int = 0) -> Routine:
    """A routine with an instruction at each line."""
    code = tuple(Instruction(Kind.COMPUTE, (), "add i32", 0, Line(file, line)) for line in lines)
    return Routine(name, False, 0, False, code, ((0, len(code)),), (), place=Line(file, home or lines[0]))


OWNERS = LineOwners(
    [CodeUnit("xz.c", tuple(routine(name, first, first + 5) for name, first in FIRST_LINES.items()), ())]
)


def costs(total: int, machine: dict[str, int] | None = None, **lines: int) -> LineCosts:
    """The costs of a run: of the second line of each function."""
    return LineCosts(
        total,
        {Line("xz.c", FIRST_LINES[name] + 1): cost for name, cost in lines.items()},
        {ProfiledFunction("xz", "", name): cost for name, cost in (machine or {}).items()},
    )


def found(*profiles: LineCosts):
    return hot_sources(("run", cost_sources(each, OWNERS)) for each in profiles)


def names(*profiles: LineCosts) -> list[str]:
    return [each.name for each in found(*profiles).routines]


def test_functions_with_a_large_share_in_some_profile_are_hot_the_hottest_first():
    one = costs(100, main=4, sort=26, copy=70)
    other = costs(100, main=20, sort=80)

    assert names(one) == ["copy", "sort"]
    assert names(one, other) == ["sort", "copy", "main"]


def test_if_nothing_is_hot_the_hottest_is():
    assert names(costs(100, main=1)) == ["main"]


def test_code_without_lines_stays_with_its_machine_function_whose_copies_count_together():
    hot = found(costs(100, {"sort.part.0": 4, "sort": 3, "main": 1}, copy=92))

    assert [each.name for each in hot.routines] == ["copy"]
    assert [(each.name, each.share) for each in hot.lineless] == [("sort", 0.07)]


def test_of_nested_functions_the_innermost_has_a_line():
    units = [CodeUnit("xz.c", (routine("outer", 10, 20), routine("inner", 13, 15)), ())]
    owners = LineOwners(units)

    assert [[each.name for each in owners.owners(Line("xz.c", line))] for line in (9, 12, 14, 17, 21)] == [
        [],
        ["outer"],
        ["inner"],
        ["outer"],
        [],
    ]


def test_a_line_of_an_included_list_is_of_who_has_code_from_there():
    code = Instruction(Kind.COMPUTE, (), "add i32", 0, Line("words.def", 3))
    main = routine("main", 1, 9)
    main = Routine("main", False, 0, False, (*main.instructions, code), ((0, 3),), (), place=main.place)

    assert LineOwners([CodeUnit("xz.c", (main,), ())]).owners(Line("words.def", 3)) == (main,)


def test_instances_of_a_template_share_their_lines():
    instances = tuple(routine(name, 3, 5, file="f.h") for name in ("f<int>", "f<long>"))
    owners = LineOwners([CodeUnit("a.cc", instances, ())])

    assert owners.owners(Line("f.h", 4)) == instances


def test_a_comprehension_of_python_counts_for_the_function_that_it_stands_in():
    shares = {
        "Packer.run": 20,
        "Packer.run.<locals>.<listcomp>": 50,
        "<listcomp>": 10,
        "f.<locals>.<lambda>": 20,
    }
    places = {
        ProfiledFunction("pack/work.py", "", name): Activity(1, cost, cost) for name, cost in shares.items()
    }
    hot = hot_python_routines([("run", Profile(CostUnit.NANOSECONDS, places, 0, {}, {}, None))])

    assert [(each.name, each.share, file) for each, file in hot] == [
        ("Packer.run", 0.7, "pack/work.py"),
        ("f.<locals>.<lambda>", 0.2, "pack/work.py"),
        ("<module>", 0.1, "pack/work.py"),
    ]
