from sonde.core.evidence import Activity, Place, Profile, Unit
from sonde.methods.impact.profiles import hot_python_routines, hot_routines


def profile(outside=0, **activities: Activity) -> Profile:
    places = {Place("xz", "", name): each for name, each in activities.items()}
    return Profile(Unit.INSTRUCTIONS, places, 0, {"/lib/libc.so.6": outside}, {}, None)


def names(*profiles: Profile) -> list[str]:
    return [each.name for each in hot_routines(("run", each) for each in profiles)]


def test_functions_with_a_large_share_in_some_profile_are_hot_the_hottest_first():
    one = profile(main=Activity(1, 4, 100), sort=Activity(1, 26, 96), copy=Activity(1, 70, 70))
    other = profile(main=Activity(1, 20, 100), sort=Activity(1, 80, 80))

    assert names(one) == ["copy", "sort"]
    assert names(one, other) == ["sort", "copy", "main"]


def test_what_libraries_do_counts_for_who_calls_them():
    found = profile(90, main=Activity(1, 9, 100), copy=Activity(5, 1, 91, 90))

    assert names(found) == ["copy", "main"]


def test_if_nothing_is_hot_the_hottest_is():
    assert names(profile(99, main=Activity(1, 1, 100))) == ["main"]


def test_copies_that_a_compiler_made_of_a_function_count_together():
    assert names(profile(97, **{"sum.part.0": Activity(1, 2, 3), "sum": Activity(1, 3, 3)})) == ["sum"]


def test_a_comprehension_of_python_counts_for_the_function_that_it_stands_in():
    costs = {
        "Packer.run": 20,
        "Packer.run.<locals>.<listcomp>": 50,
        "<listcomp>": 10,
        "f.<locals>.<lambda>": 20,
    }
    places = {Place("pack/work.py", "", name): Activity(1, cost, cost) for name, cost in costs.items()}
    found = hot_python_routines([("run", Profile(Unit.NANOSECONDS, places, 0, {}, {}, None))])

    assert [(each.name, each.share, file) for each, file in found] == [
        ("Packer.run", 0.7, "pack/work.py"),
        ("f.<locals>.<lambda>", 0.2, "pack/work.py"),
        ("<module>", 0.1, "pack/work.py"),
    ]
