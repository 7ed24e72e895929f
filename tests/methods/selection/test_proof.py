"""Stage 0 is never wrong, and says yes wherever nothing that is reached changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from sonde.core.evidence import (
    Activity,
    CostUnit,
    DataObject,
    Function,
    Key,
    Language,
    Loading,
    Profile,
    ProfiledFunction,
    Snapshot,
)
from sonde.core.results import Metric
from sonde.methods.selection.differences import difference_between
from sonde.methods.selection.exposure import exposure_to
from sonde.methods.selection.indicators import values_of
from sonde.methods.selection.proof import Doubt, Proven, prove
from sonde.methods.selection.reach import reach_of
from tests.methods.selection.toy_programs import (
    OBJECTS,
    OUTPUT,
    Item,
    cost,
    edited,
    profile_of,
    programs,
    snapshot_of,
)

MAIN, COPY, REPORT = (Key(OUTPUT, "", name) for name in ("main", "copy", "report"))
LEVELS, SIZES = Key(OUTPUT, "", "levels"), Key(OUTPUT, "", "sizes")


def function(code, **more):
    plain = {"masked": code, "masked_for": frozenset(), "raw": code, "texts": "", "length": 10}
    return Function(code=code, **{**plain, **more})


OLD = Snapshot(
    languages={OUTPUT: Language.MACHINE, "lib/extra.so": Language.MACHINE},
    functions={
        MAIN: function("1", calls=frozenset({"copy", "plt:__assert_fail"}), refers_to=frozenset({LEVELS})),
        COPY: function("2"),
        REPORT: function("3"),
    },
    objects={
        LEVELS: DataObject("a", 8, True, refers_to=frozenset({SIZES})),
        SIZES: DataObject("b", 8, True),
    },
    startup={OUTPUT: "start", "lib/extra.so": "x"},
    files={"share/table.txt": "t"},
    libraries={OUTPUT: frozenset({"libc.so.6"})},
)
RAN = Profile(
    CostUnit.INSTRUCTIONS,
    {
        ProfiledFunction(OUTPUT, "", "main"): Activity(1, 100, 1000),
        ProfiledFunction(OUTPUT, "", "copy"): Activity(9, 900, 900),
    },
    nameless=0,
    outside={"/lib/libc.so.6": 1000},
    outside_files={},
    opened=frozenset({"share/table.txt"}),
)


def tried(new, old=OLD, profile=RAN, metric=Metric.INSTRUCTIONS):
    exposure = exposure_to(difference_between(old, new), reach_of(profile, old))
    return prove(exposure, profile, metric)


def with_function(key, changed, snapshot=OLD):
    return replace(snapshot, functions={**snapshot.functions, key: changed})


def with_object(key, changed):
    return replace(OLD, objects={**OLD.objects, key: changed})


@given(program=programs(), data=st.data())
def test_what_is_proven_unchanged_costs_the_same_in_every_function(program, data):
    new = data.draw(edited(program))
    proof = tried(snapshot_of(new), snapshot_of(program), profile_of(program))
    event(type(proof).__name__)

    if isinstance(proof, Proven):
        assert cost(new) == cost(program)


@given(program=programs(), data=st.data())
def test_changes_of_functions_and_data_out_of_reach_are_proven_to_do_nothing(program, data):
    old, profile = snapshot_of(program), profile_of(program)
    reach = reach_of(profile, old)
    functions = [name for name in program.functions if Key(OUTPUT, "", name) not in reach.activities]
    things = [name for name in OBJECTS if Key(OUTPUT, "", name) not in reach.objects]
    grown = {name: (*program.functions[name], ("work", "3")) for name in functions}
    new = replace(
        program,
        functions={**program.functions, **grown},
        items={**program.items, **dict.fromkeys(things, Item(99))},
        raw=1,
    )
    reach_of_new = reach_of(profile, snapshot_of(new))
    if reach_of_new.objects - reach.objects:
        return  # by losing its pointer, data became such to which nothing refers

    assert isinstance(tried(snapshot_of(new), old, profile), Proven)


@given(program=programs(), data=st.data())
def test_a_doubt_always_has_a_reason_and_indicators_are_zero_where_nothing_is_touched(program, data):
    old, profile = snapshot_of(program), profile_of(program)
    new = snapshot_of(data.draw(edited(program)))
    exposure = exposure_to(difference_between(old, new), reach_of(profile, old))
    proof = prove(exposure, profile, Metric.INSTRUCTIONS)

    if isinstance(proof, Doubt):
        assert proof.reasons
        assert [each.share for each in proof.touched] == sorted(
            (each.share for each in proof.touched), reverse=True
        )
    else:
        values = values_of(exposure)
        reached = ("rdel", "topcall", "topinstr", "rlen", "share", "nrch", "objch", "readshare", "weight")
        assert not any(values[name] for name in reached)


def test_the_same_code_is_proven_for_a_sampled_profile_too():
    assert tried(OLD, profile=replace(RAN, is_complete=False)) == Proven("the whole build has the same code")


def test_a_function_that_never_ran_may_change_and_the_reason_says_so():
    proof = tried(with_function(REPORT, function("other")))

    assert isinstance(proof, Proven)
    assert proof.reason == "no code that it reaches changed"


CHANGES = {
    "code": with_function(COPY, function("other")),
    "texts": with_function(COPY, function("2", texts="other")),
    "deleted": replace(OLD, functions={MAIN: OLD.functions[MAIN], REPORT: OLD.functions[REPORT]}),
    "constant": with_object(LEVELS, DataObject("other", 8, True, refers_to=frozenset({SIZES}))),
    "constant behind a pointer": with_object(SIZES, DataObject("other", 8, True)),
    "startup": replace(OLD, startup={**OLD.startup, OUTPUT: "other"}),
    "libraries": replace(OLD, libraries={OUTPUT: frozenset({"libc.so.6", "libm.so.6"})}),
    "file that was opened": replace(OLD, files={"share/table.txt": "other"}),
    "file that came where it looked": replace(OLD, files={**OLD.files, "share/table.txt/x": "new"}),
    "library that is taken instead": replace(
        OLD, languages={**OLD.languages, "lib/libc.so.6": Language.MACHINE}
    ),
    "new data in a section that is gone through": with_object(
        Key(OUTPUT, "", "plugin"), DataObject("p", 8, True, is_gathered=True)
    ),
    "other output": replace(
        OLD,
        functions={
            **{key: each for key, each in OLD.functions.items() if key != COPY},
            Key("lib/extra.so", "", "copy"): OLD.functions[COPY],
        },
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_what_is_reached_is_a_doubt(name):
    assert isinstance(tried(CHANGES[name]), Doubt)


HARMLESS = {
    "startup of a library that took no part": replace(OLD, startup={**OLD.startup, "lib/extra.so": "other"}),
    "file that was not opened": replace(OLD, files={**OLD.files, "share/notes.txt": "new"}),
    "new function": with_function(Key(OUTPUT, "", "extra"), function("9")),
    "source file": replace(
        OLD,
        functions={
            **{key: each for key, each in OLD.functions.items() if key != COPY},
            Key(OUTPUT, "copy.c", "copy"): OLD.functions[COPY],
        },
    ),
    "bytes": with_function(COPY, function("2", raw="moved")),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_a_change_of_something_else_is_none(name):
    assert isinstance(tried(HARMLESS[name]), Proven)


def test_what_was_opened_must_have_been_watched():
    new = replace(OLD, files={**OLD.files, "share/notes.txt": "new"})

    assert isinstance(tried(new, profile=replace(RAN, opened=None)), Doubt)


def test_a_program_that_is_read_as_data_must_have_the_same_bytes():
    profile = replace(RAN, opened=frozenset({OUTPUT}))

    assert isinstance(tried(HARMLESS["bytes"], profile=profile), Doubt)


def test_a_sampled_profile_proves_nothing():
    proof = tried(with_function(REPORT, function("other")), profile=replace(RAN, is_complete=False))

    assert isinstance(proof, Doubt)
    assert "not complete" in proof.reasons[0]


@pytest.mark.parametrize(("cost_without_name", "is_proven"), [(0, True), (19, False), (100_000, False)])
def test_little_may_belong_to_no_function(cost_without_name, is_proven):
    big = replace(RAN, nameless=cost_without_name)

    assert isinstance(tried(HARMLESS["new function"], profile=big), Proven) is is_proven


def test_functions_are_looked_up_by_name_only_if_something_that_ran_does_so():
    caller = function("1", calls=frozenset({"plt:dlsym"}))
    new = with_function(Key(OUTPUT, "", "extra"), function("9"), with_function(MAIN, caller))

    assert isinstance(tried(new, old=with_function(MAIN, caller)), Doubt)


@pytest.mark.parametrize(
    ("receiver", "is_proven"),
    [
        ("__assert_fail", True),
        ("plt:__assert_fail", True),
        ("report", True),
        ("copy", False),
        ("plt:log", False),
    ],
)
def test_a_line_number_counts_where_its_receiver_may_have_run(receiver, is_proven):
    def with_line(line):
        return with_function(MAIN, function(line, masked="m", masked_for=frozenset({receiver})))

    assert isinstance(tried(with_line("12"), old=with_line("11")), Proven) is is_proven


def test_a_receiver_may_have_run_under_another_name():
    old = with_function(MAIN, function("11", masked="m", masked_for=frozenset({"copy_all"})))
    old = replace(old, aliases={Key(OUTPUT, "", "copy_all"): COPY})
    new = with_function(MAIN, function("12", masked="m", masked_for=frozenset({"copy_all"})), old)

    assert isinstance(tried(new, old=old), Doubt)


PYTHON = Snapshot(
    languages={"pack/core.py": Language.PYTHON, "pack/fast.so": Language.MACHINE},
    functions={
        Key("pack/core.py", "", "<module>"): function("1"),
        Key("pack/core.py", "", "pack"): function("2"),
        Key("pack/fast.so", "", "pack"): function("3"),
    },
    objects={},
    startup={"pack/core.py": "bytes"},
    files={},
)
OF_PYTHON = Profile(
    CostUnit.NANOSECONDS,
    {ProfiledFunction("pack/core.py", "", "<module>"): Activity(1, 100, 1000)},
    nameless=0,
    outside={},
    outside_files={},
    opened=None,
)


@pytest.mark.parametrize(("metric", "is_proven"), [(Metric.INSTRUCTIONS, False), (Metric.CPU, True)])
def test_a_comment_in_a_python_file_costs_instructions_of_compiling_it(metric, is_proven):
    new = replace(PYTHON, startup={"pack/core.py": "other bytes"})

    assert isinstance(tried(new, PYTHON, OF_PYTHON, metric), Proven) is is_proven


@pytest.mark.parametrize(
    "new",
    [
        with_function(Key("pack/fast.so", "", "pack"), function("other"), PYTHON),
        with_function(
            Key("pack/json.py", "", "<module>"),
            function("9"),
            replace(PYTHON, languages={**PYTHON.languages, "pack/json.py": Language.PYTHON}),
        ),
    ],
    ids=["extension", "module"],
)
def test_what_a_profile_of_python_cannot_see_must_not_change(new):
    assert isinstance(tried(new, PYTHON, OF_PYTHON, Metric.CPU), Doubt)


def test_for_times_the_layout_is_a_caveat():
    proof = tried(HARMLESS["bytes"], metric=Metric.WALL)

    assert isinstance(proof, Proven)
    assert "same code, but its layout may differ" in proof.caveats


def test_what_the_loader_does_counts_only_where_a_run_is_short():
    few, more = Loading(frozenset({"malloc"}), 5), Loading(frozenset({"malloc", "strlen"}), 9)
    old, new = replace(OLD, loading={OUTPUT: few}), replace(OLD, loading={OUTPUT: more})
    long = replace(RAN, outside={"/lib/libc.so.6": 10**7})

    assert isinstance(tried(new, old), Doubt)
    assert isinstance(tried(new, old, long), Proven)
    assert isinstance(tried(old, old), Proven)


def test_what_the_loader_does_for_a_file_that_takes_no_part_does_not_count():
    extra = {"lib/extra.so": Loading(frozenset({"strlen"}), 9)}

    assert isinstance(tried(replace(OLD, loading=extra)), Proven)
