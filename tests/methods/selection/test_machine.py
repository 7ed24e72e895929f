"""What a program may notice though nothing that ran has changed: names, exceptions, the processor."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.core.evidence import Activity, CostUnit, DataObject, Key, ProfiledFunction, ProgramTraits
from sonde.core.results import Metric
from sonde.methods.selection.proof import Doubt, Proven
from tests.methods.selection.test_proof import MAIN, OLD, RAN, REPORT, function, tried, with_function
from tests.methods.selection.toy_programs import OUTPUT

PLUGIN = "lib/extra.so"
EXTRA = Key(OUTPUT, "", "extra")


def with_programs(snapshot, output="p", plugin="q", exports=("main",), dispatches=False):
    programs = {
        OUTPUT: ProgramTraits(output, frozenset(exports), dispatches),
        PLUGIN: ProgramTraits(plugin, frozenset({"run"}), False),
    }
    return replace(snapshot, programs=programs)


def test_a_program_that_was_opened_must_have_the_same_bytes_even_if_its_code_is_equal():
    old, new = with_programs(OLD), with_programs(OLD, output="debugged")

    assert isinstance(tried(new, old), Proven)
    assert isinstance(tried(new, old, replace(RAN, opened=frozenset({PLUGIN}))), Proven)
    assert isinstance(tried(new, old, replace(RAN, opened=frozenset({OUTPUT}))), Doubt)


def test_where_nobody_watched_what_was_opened_any_program_may_have_been_read():
    profile = replace(RAN, opened=None)
    old, relinked = with_programs(OLD), with_programs(HARMLESS, output="relinked")

    assert isinstance(tried(relinked, old, profile), Doubt)
    assert isinstance(tried(with_programs(HARMLESS), old, profile), Proven)
    assert isinstance(tried(with_programs(OLD, output="debugged"), old, profile), Proven)


HARMLESS = with_function(REPORT, function("other"))
ASKING = with_function(MAIN, function("1", calls=frozenset({"plt:dlsym"})))


@pytest.mark.parametrize("exports", [("main", "flag"), ()], ids=["came", "went"])
def test_a_name_that_may_be_asked_for_must_stay_as_it_is(exports):
    new = with_function(REPORT, function("other"), ASKING)

    assert isinstance(tried(with_programs(new), with_programs(ASKING)), Proven)
    assert isinstance(tried(with_programs(new, exports=exports), with_programs(ASKING)), Doubt)
    assert isinstance(tried(with_programs(HARMLESS, exports=exports), with_programs(OLD)), Proven)


def test_what_is_new_in_an_output_that_took_no_part_cannot_be_looked_up():
    elsewhere = with_function(Key(PLUGIN, "", "extra"), function("9"), ASKING)

    assert isinstance(tried(elsewhere, ASKING), Proven)
    assert isinstance(tried(with_function(EXTRA, function("9"), ASKING), ASKING), Doubt)


def test_only_what_is_offered_by_name_can_be_looked_up():
    table = Key(OUTPUT, "", "table")
    old = replace(ASKING, objects={**ASKING.objects, table: DataObject("t", 8, True)})
    new = replace(old, objects={**ASKING.objects, table: DataObject("other", 8, True)})
    new = with_function(EXTRA, function("9"), new)

    assert isinstance(tried(with_programs(new), with_programs(old)), Proven)
    offered = [with_programs(each, exports=("main", "table")) for each in (new, old)]
    assert isinstance(tried(*offered), Doubt)


def test_python_can_look_up_names_too():
    old, new = with_programs(OLD), with_programs(HARMLESS, exports=("main", "flag"))
    profile = replace(RAN, outside={**RAN.outside, "/lib/python3/_ctypes.cpython-311.so": 5})

    assert isinstance(tried(new, old), Proven)
    assert isinstance(tried(new, old, profile), Doubt)


THROWING = replace(RAN, outside={"/lib/libc.so.6": 10**5, "/lib/libgcc_s.so.1": 10**4})


def test_where_exceptions_are_thrown_new_functions_make_the_search_longer():
    new = with_function(EXTRA, function("9"))
    gone = replace(OLD, functions={key: each for key, each in OLD.functions.items() if key != REPORT})

    assert isinstance(tried(new), Proven)
    assert isinstance(tried(new, profile=THROWING), Doubt)
    assert isinstance(tried(gone, profile=THROWING), Doubt)
    assert isinstance(tried(HARMLESS, profile=THROWING), Proven)


def test_an_unwinder_that_only_starts_up_does_not_count():
    idle = replace(RAN, outside={"/lib/libc.so.6": 10**7, "/lib/libgcc_s.so.1": 300})

    assert isinstance(tried(with_function(EXTRA, function("9")), profile=idle), Proven)


def test_an_unwinder_may_be_in_the_program_itself():
    finder = Key(OUTPUT, "", "_Unwind_Find_FDE")
    old = with_function(finder, function("7"))
    found = ProfiledFunction(OUTPUT, "", finder.name)
    profile = replace(RAN, activities={**RAN.activities, found: Activity(4, 10, 900)})

    assert isinstance(tried(with_function(EXTRA, function("9"), old), old, profile), Doubt)
    assert isinstance(tried(with_function(REPORT, function("9"), old), old, profile), Proven)


CHOOSING = with_function(MAIN, function("1", calls=frozenset({"copy", "wide"})))
CHOOSING = with_function(Key(OUTPUT, "", "wide"), function("w", calls=frozenset({"wider"})), CHOOSING)
CHOOSING = with_function(Key(OUTPUT, "", "wider"), function("v"), CHOOSING)
WIDER = with_function(Key(OUTPUT, "", "wider"), function("other"), CHOOSING)


@pytest.mark.parametrize(
    ("new", "metric", "dispatches", "is_proven"),
    [
        (WIDER, Metric.WALL, True, False),
        (WIDER, Metric.CPU, True, False),
        (WIDER, Metric.INSTRUCTIONS, True, True),
        (WIDER, Metric.WALL, False, True),
        (with_function(REPORT, function("other"), CHOOSING), Metric.WALL, True, True),
        (CHOOSING, Metric.WALL, True, True),
    ],
    ids=["wall", "cpu", "instructions", "does not choose", "nobody calls it", "same code"],
)
def test_another_processor_may_take_another_way(new, metric, dispatches, is_proven):
    old, new = (with_programs(each, dispatches=dispatches) for each in (CHOOSING, new))

    assert isinstance(tried(new, old, metric=metric), Proven) is is_proven


def test_what_the_other_way_reads_counts_too_and_what_it_finds_through_pointers():
    table, hook = Key(OUTPUT, "", "table"), DataObject("h", 8, True, calls=frozenset({"report"}))
    wide = function("w", refers_to=frozenset({table}))
    old = with_function(Key(OUTPUT, "", "wide"), wide, replace(CHOOSING, objects={table: hook}))
    old = with_programs(old, dispatches=True)
    other_data = replace(old, objects={table: replace(hook, content="other")})
    other_callee = with_function(REPORT, function("other"), old)

    assert isinstance(tried(other_data, old, metric=Metric.WALL), Doubt)
    assert isinstance(tried(other_callee, old, metric=Metric.WALL), Doubt)


def test_a_profile_of_a_run_on_the_processor_itself_shows_the_way_that_it_takes():
    old, new = (with_programs(each, dispatches=True) for each in (CHOOSING, WIDER))
    profile = replace(RAN, unit=CostUnit.NANOSECONDS)

    assert isinstance(tried(new, old, profile, Metric.WALL), Proven)


@pytest.mark.parametrize(("exports", "is_proven"), [(("main", "log"), True), (("main",), False)])
def test_a_receiver_in_another_file_is_seen_only_if_the_build_offers_it(exports, is_proven):
    def with_line(line):
        snapshot = with_function(MAIN, function(line, masked="m", masked_for=frozenset({"plt:log"})))
        namesake = with_function(Key(OUTPUT, "", "log"), function("l"), snapshot)
        return with_programs(namesake, exports=exports)

    assert isinstance(tried(with_line("12"), with_line("11")), Proven) is is_proven
