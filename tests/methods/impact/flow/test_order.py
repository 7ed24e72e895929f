from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_global, made_routine

GLOBAL = made_global("limit")
HOT = made_routine("hot", "", "v = load @limit; return v")
SET = made_routine("set", "x", "store @limit x; return")


def _hops(text, source="main.argc", *others):
    return Asked(GLOBAL, HOT, SET, *others, made_routine("main", "argc argv", text)).hops(source, "hot.v")


def test_a_store_after_the_only_call_of_a_reader_does_not_reach_it():
    assert _hops("store @limit argc; r = call hot; return 0") == 0
    assert _hops("r = call hot; store @limit argc; return 0") is None
    assert _hops("r = call hot; call set argc; return 0") is None


def test_a_store_reaches_the_next_round_of_a_loop():
    assert _hops("jump head\nhead:\nr = call hot; store @limit argc\nbranch r head end\nend:\nreturn 0") == 0
    assert _hops("jump head\nhead:\nr = call hot; call set argc\nbranch r head end\nend:\nreturn 0") == 0


def test_a_later_load_still_sees_the_store_that_an_earlier_one_does_not():
    asked = Asked(
        GLOBAL,
        HOT,
        made_routine("main", "argc argv", "r = call hot; store @limit argc; w = load @limit; return w"),
    )

    assert asked.hops("main.argc", "main.w") == 0
    assert asked.hops("main.argc", "hot.v") is None


def test_calling_a_common_routine_does_not_lead_back_to_its_other_callers():
    note = made_routine("note", "", "return")

    assert _hops("call note; r = call hot; store @limit argc; call note; return 0", "main.argc", note) is None


def test_a_caller_that_loads_after_the_call_sees_what_the_callee_stored():
    asked = Asked(
        GLOBAL,
        SET,
        made_routine("main", "argc argv", "u = load @limit; call set argc; w = load @limit; return w"),
    )

    assert asked.hops("main.argc", "main.w") == 0
    assert asked.hops("main.argc", "main.u") is None


def test_what_runs_at_any_time_sees_every_store():
    assert _hops("call signal 2 @hot; store @limit argc; return 0") == 0
    assert _hops("call atexit @hot; store @limit argc; return 0") == 0
    assert _hops("t = local; call pthread_create t null @hot null; store @limit argc; return 0") == 0


def test_a_comparison_that_qsort_calls_sees_what_it_stored_before():
    compare = made_routine("compare", "x y", "v = load @limit; store @limit x; return v")
    asked = Asked(
        GLOBAL, compare, made_routine("main", "argc argv", "call qsort argv 2 8 @compare; return 0")
    )

    assert asked.hops("compare.x", "compare.v") == 0


def test_long_jumps_put_an_end_to_all_order():
    text = "r = call hot; store @limit argc; call longjmp @buffer 1; stop"

    assert _hops(text) == 0


def test_without_main_every_routine_may_come_after_every_other():
    assert Asked(GLOBAL, HOT, SET).hops("set.x", "hot.v") == 0


def test_recursion_comes_back():
    again = made_routine(
        "again",
        "x",
        "r = call hot; store @limit x; branch x more end\nmore:\ncall again x\njump end\nend:\nreturn",
    )

    assert _hops("call again argc; return 0", "again.x", again) == 0


def test_an_outer_round_of_a_recursion_sees_what_an_inner_one_stored():
    again = made_routine(
        "again",
        "x",
        "branch x more end\nmore:\ncall again x\njump end\nend:\nv = load @limit; store @limit x; return",
    )
    asked = Asked(GLOBAL, again, made_routine("main", "argc argv", "call again argc; return 0"))

    assert asked.hops("again.x", "again.v") == 0
