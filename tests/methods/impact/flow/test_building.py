import pytest

from sonde.methods.impact.flow.building import FlowStep
from sonde.methods.impact.reach.searching import reach_forward
from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_global, made_routine

IDENTITY = made_routine("id", "x", "a = local; store a x; v = load a; return v")
OUTER = made_routine("outer", "x", "v = call id x; return v")
WORK = made_routine("work", "n", "branch n loop end\nloop: \njump end\nend:\nreturn")


def test_operands_flow_into_what_is_computed_from_them():
    asked = Asked(made_routine("f", "a b", "s = compute a 3; t = compute s b; return t"))

    assert asked.hops("f.a", "f()") == 0
    assert asked.hops("f.b", "f.s") is None


@pytest.mark.parametrize("name", ["id", "outer"])
def test_what_enters_a_routine_at_one_call_does_not_leave_it_at_another(name):
    asked = Asked(
        IDENTITY, OUTER, made_routine("f", "a b", f"x = call {name} a; y = call {name} b; return y")
    )

    assert asked.hops("f.a", "f.x") == 0
    assert asked.hops("f.b", "f.y") == 0
    assert asked.hops("f.a", "f.y") is None
    assert asked.hops("f.b", "f.x") is None


def test_calls_and_returns_are_matched_under_recursion():
    again = made_routine(
        "again",
        "x n",
        """
            branch n more end
          more:
            r = call again x 0
            return r
          end:
            return x
        """,
    )
    asked = Asked(again, made_routine("f", "a b", "x = call again a 1; y = call again b 2; return y"))

    assert asked.hops("f.a", "f.x") == 0
    assert asked.hops("f.a", "f.y") is None


TWO_CONDITIONS = """
    x = local; y = local
    store x 0; store y 0
    branch a set on
  set:
    store x {number}
    jump on
  on:
    v = load x
    branch v again end
  again:
    store y {number}
    jump end
  end:
    w = load y
    return w
"""


def test_a_condition_is_one_hop_and_two_in_a_row_are_two():
    asked = Asked(made_routine("f", "a", TWO_CONDITIONS.format(number=5)))

    assert asked.hops("f.a", "f:set") == 1
    assert asked.hops("f.a", "f.v") == 1
    assert asked.hops("f.a", "f.w") == 2
    assert asked.hops("f.a", "f.w", depth=1) is None
    assert asked.hops("f.a", "f.v", depth=0) is None


def test_a_flag_that_a_condition_sets_is_a_value():
    asked = Asked(made_routine("f", "a", TWO_CONDITIONS.format(number=1)))

    assert asked.hops("f.a", "f:set") == 1
    assert asked.hops("f.a", "f.v") == 0
    assert asked.hops("f.a", "f.w") == 0


def test_a_check_that_only_stops_the_program_does_not_taint_the_rest():
    asked = Asked(
        made_routine("die", "", "call exit 1\nstop"),
        made_routine(
            "f",
            "a b",
            """
                x = local
                branch a bad good
              bad:
                call die
                jump good
              good:
                store x b
                v = load x
                return v
            """,
        ),
    )

    assert asked.dead_ends("f") == {"bad"}
    assert asked.hops("f.a", "f()") is None
    assert asked.hops("f.a", "f:bad") == 1
    assert asked.hops("f.a", "die:entry") is None


def test_a_condition_decides_whether_a_routine_is_called_but_not_about_its_own_variables():
    worker = made_routine(
        "worker",
        "n",
        """
            i = local
            store i n
            v = load i
            store @done v
            return v
        """,
    )
    asked = Asked(
        made_global("done"),
        worker,
        made_routine("f", "a n", "branch a yes no\nyes:\nr = call worker n\njump no\nno:\nreturn"),
        made_routine("g", "", "d = load @done; return d"),
    )

    assert asked.hops("f.a", "worker:entry") == 1
    assert asked.hops("f.a", "worker!entry") == 1
    assert asked.hops("f.a", "g()") == 1
    assert asked.hops("f.a", "worker.v") is None
    assert asked.hops("f.n", "worker.v") == 0


def test_values_pass_through_globals_and_forget_the_call():
    asked = Asked(
        made_global("limit"),
        made_routine("put", "x", "store @limit x; return"),
        made_routine("get", "", "v = load @limit; return v"),
        made_routine("f", "a b", "call put a; y = call get; call work y; return y"),
        WORK,
    )

    assert asked.hops("f.a", "f.y") == 0
    assert asked.hops("f.a", "work.n") == 0
    assert asked.hops("f.b", "f.y") is None


def test_fields_of_what_a_pointer_points_to_are_kept_apart():
    asked = Asked(
        made_global("options", size=16),
        made_routine(
            "put",
            "p a b",
            """
                q = field p 8 as options
                store p a size 8
                store q b size 8
                return
            """,
        ),
        made_routine(
            "f",
            "a b",
            """
                call put @options a b
                v = load @options size 8
                w = load @options+8 size 8
                return v
            """,
        ),
    )

    assert asked.hops("f.a", "f.v") == 0
    assert asked.hops("f.b", "f.w") == 0
    assert asked.hops("f.a", "f.w") is None
    assert asked.hops("f.b", "f.v") is None


def test_an_access_of_several_fields_at_once_touches_all_of_them():
    asked = Asked(
        made_global("pair", size=8),
        made_routine("f", "a", "store @pair+4 a size 4; v = load @pair size 8; return v"),
        made_routine("g", "b", "store @pair b size 8; w = load @pair+4 size 4; return w"),
    )

    assert asked.hops("f.a", "f.v") == 0
    assert asked.hops("g.b", "g.w") == 0


def test_a_result_comes_through_an_out_parameter():
    asked = Asked(
        made_routine("divide", "a b q r", "store q a; store r b; return"),
        made_routine(
            "f",
            "a b",
            "x = local; y = local; call divide a b x y; v = load x; w = load y; return v",
        ),
    )

    assert asked.hops("f.a", "f.v") == 0
    assert asked.hops("f.a", "f.w") is None


def test_a_pointer_that_is_called_decides_what_is_executed():
    asked = Asked(
        made_global("table", {0: "@fast"}, size=16),
        made_routine("set_up", "", "store @table @slow; return"),
        made_routine("fast", "n", "return n"),
        made_routine("slow", "n", "c = compute n 2; return c"),
        made_routine("decoy", "n", "return n"),
        made_routine("f", "a n", "e = field @table 0 a; p = load e; r = call p n; return r"),
    )

    assert asked.hops("f.n", "slow.n") == 0
    assert asked.hops("f.n", "f.r") == 0
    assert asked.hops("f.n", "decoy.n") is None
    assert asked.hops("f.a", "slow:entry") == 1
    assert asked.hops("f.a", "decoy:entry") is None


def test_a_library_function_calls_back():
    asked = Asked(
        made_global("reverse"),
        made_routine("compare", "x y", "a = load x; b = load y; c = compute a b; return c"),
        made_routine("other", "x y", "return 0"),
        made_routine(
            "f", "base n c", "branch c yes no\nyes:\nq = call qsort base n 8 @compare\njump no\nno:\nreturn"
        ),
        made_routine("main", "argc argv", "call f argv argc argc; return 0"),
    )

    assert asked.hops("f.base", "compare.x") == 0
    assert asked.hops("f.c", "compare:entry") == 1
    assert asked.hops("f.c", "other:entry") is None
    assert asked.hops("f.n", "f.q") == 0


def test_a_length_does_not_flow_to_fresh_memory_but_a_copy_keeps_fields_apart():
    asked = Asked(
        made_global("from", size=16),
        made_routine(
            "f",
            "n a b",
            """
                p = call malloc n
                store @from a size 8
                store @from+8 b size 8
                c = call memcpy p @from 16
                q = field p 8 as pair
                v = load p size 8
                w = load q size 8
                return v
            """,
        ),
    )

    assert asked.hops("f.n", "f.p") is None
    assert asked.hops("f.a", "f.v") == 0
    assert asked.hops("f.b", "f.w") == 0
    assert asked.hops("f.a", "f.w") is None
    assert asked.hops("f.a", "f.c") == 0  # the call is on the way


def test_loops_depend_on_their_condition_and_so_does_what_they_count():
    asked = Asked(
        made_routine(
            "f",
            "n",
            """
                i = local; s = local
                store i 0; store s 0
              head:
                v = load i
                c = compute v n
                branch c body end
              body:
                w = load s
                x = compute w 2
                store s x
                y = compute v 1
                store i y
                jump head
              end:
                r = load s
                return r
            """,
        )
    )

    assert asked.hops("f.n", "f:body") == 1
    assert asked.hops("f.n", "f:head") == 1
    assert asked.hops("f.n", "f.r") == 1
    assert asked.hops("f.n", "f.w", depth=0) is None


def test_cases_of_a_switch_and_what_they_fall_into_depend_on_it():
    asked = Asked(
        made_routine(
            "f",
            "n",
            """
                x = local
                store x 0
                switch n other 1:one 2:two
              one:
                store x 1
                jump two
              two:
                store x 2
                jump end
              other:
                jump end
              end:
                v = load x
                return v
            """,
        )
    )

    assert asked.hops("f.n", "f:one") == 1
    assert asked.hops("f.n", "f:two") == 1
    assert asked.hops("f.n", "f:end") is None
    assert asked.hops("f.n", "f()") == 0  # it only looks and answers


def test_an_early_return_decides_about_what_follows():
    asked = Asked(
        made_global("g"),
        made_routine("f", "a", "branch a out on\nout:\nreturn 1\non:\nstore @g 1\nreturn 2"),
        made_routine("h", "", "v = load @g; return v"),
    )

    assert asked.hops("f.a", "f:on") == 1
    assert asked.hops("f.a", "h()") == 1
    assert asked.hops("f.a", "f()") == 1


def test_a_jump_out_of_two_loops_decides_about_both():
    asked = Asked(
        made_routine(
            "f",
            "a b c",
            """
                jump outer
              outer:
                branch a inner end
              inner:
                branch b body outer
              body:
                branch c end inner
              end:
                return
            """,
        )
    )

    assert asked.hops("f.c", "f:inner") == 1
    assert asked.hops("f.c", "f:outer") == 1
    assert asked.hops("f.b", "f:body") == 1
    assert asked.hops("f.c", "f:end") is None


def test_a_call_that_may_throw_decides_where_it_goes_on():
    asked = Asked(
        made_routine("risky", "x", "return x"),
        made_routine(
            "f",
            "a",
            """
                x = local
                r = call risky a to on caught
              on:
                store x 1
                jump end
              caught:
                store x 2
                jump end
              end:
                v = load x
                return v
            """,
        ),
    )

    assert asked.hops("f.a", "f.r") == 0
    assert asked.hops("f.a", "f:caught") == 1
    assert asked.hops("f.a", "f()") == 1


def test_choices_join_in_a_phi():
    asked = Asked(
        made_routine(
            "f",
            "a b c",
            """
                branch a more end
              more:
                branch b end last
              last:
                jump end
              end:
                v = phi 0:entry 1:more c:last
                return v
            """,
        )
    )

    assert asked.hops("f.a", "f.v") == 1
    assert asked.hops("f.b", "f.v") == 1
    assert asked.hops("f.c", "f.v") == 0


def test_further_arguments_come_to_where_they_are_taken():
    sum_up = made_routine(
        "sum_up",
        "n",
        """
            list = local size 24 as __va_list_tag
            call llvm.va_start.p0 list
            area = field list 16 as __va_list_tag
            at = load area size 8
            v = load at size 4
            return v
        """,
        is_variadic=True,
    )
    asked = Asked(sum_up, made_routine("f", "a b", "r = call sum_up 2 a b; return r"))

    assert asked.hops("f.a", "sum_up.v") == 0
    assert asked.hops("f.b", "f.r") == 0


def test_many_loads_of_the_same_cells_share_their_edges():
    globals_ = [made_global(f"g{n}") for n in range(6)]
    picks = "\n".join(f"d{n} = compute a @g{n} shape select; store at d{n}" for n in range(6))
    asked = Asked(
        *globals_,
        made_routine(
            "f",
            "a b",
            f"""
                at = local
                {picks}
                p = load at
                call keep at
                store p b
                v = load p
                w = load p
                u = load @g3
                return v
            """,
        ),
    )

    assert asked.hops("f.b", "f.v") == 0
    assert asked.hops("f.b", "f.w") == 0
    assert asked.hops("f.b", "f.u") == 0
    number = asked.node("f.w")
    path = reach_forward(asked.flow, [asked.node("f.b")], 0).path(number)
    assert {asked.flow.where(node).kind for node, _ in path} == {"value", "cell"}


def test_a_path_shows_the_steps_inside_of_what_it_passes():
    asked = Asked(IDENTITY, OUTER, made_routine("f", "a", "x = call outer a; return x"))
    path = reach_forward(asked.flow, [asked.node("f.a")], 0).path(asked.node("f()"))

    steps = [step for _, step in path if step is not FlowStep.FLOW]
    assert steps == [FlowStep.CALL, FlowStep.CALL, FlowStep.RETURN, FlowStep.RETURN]
    assert path[0] == (asked.node("f.a"), FlowStep.FLOW)
    assert asked.node("id.v") in [node for node, _ in path]


def test_nodes_know_what_they_stand_for():
    asked = Asked(IDENTITY, made_global("g"))
    flow = asked.flow

    assert flow.where(flow.value(0, 2)) == ("value", 0, 2)
    assert flow.where(flow.block(0, 0)) == flow.where(flow.executed(0, 0)) == ("block", 0, 0)
    assert flow.where(flow.returned(0)) == ("returned", 0, -1)
    assert flow.where(flow.cell(0)) == ("cell", -1, 0)


def test_callers_and_controllers_are_known():
    asked = Asked(WORK, made_routine("f", "a", "branch a yes no\nyes:\ncall work a\njump no\nno:\nreturn"))

    assert asked.flow.callers(0) == [(1, 1)]
    assert asked.flow.controllers(1, 1) == [0]
    assert asked.flow.controllers(1, 2) == []


def test_what_begins_at_a_constant_argument_or_at_a_call_stays_with_that_call():
    asked = Asked(
        IDENTITY,
        made_routine("f", "", "x = call id 1; y = call id 2; return y"),
    )
    flow = asked.flow
    argument, entrance = flow.argument(1, 0, 0), flow.entrance(1, 0)
    assert argument is not None
    assert entrance is not None
    by_argument, by_call = reach_forward(flow, [argument], 0), reach_forward(flow, [entrance], 0)

    assert flow.where(argument) == flow.where(entrance) == ("value", 1, 0)
    assert by_argument.hops(asked.node("f.x")) == 0
    assert by_argument.hops(asked.node("f.y")) is None
    assert by_call.hops(asked.node("id!entry")) == 0
    assert by_call.hops(asked.node("f.y")) is None


def test_a_pointer_decides_which_text_a_library_function_reads():
    asked = Asked(
        made_global("mode"), made_routine("f", "", "m = load @mode; r = call strcmp m @best; return r")
    )

    assert asked.hops("f.m", "f.r") == 0


def test_that_something_is_thrown_is_told_to_who_catches_it():
    asked = Asked(
        made_routine("check", "a", "branch a bad good\nbad:\ncall __cxa_throw 1 2 3\nstop\ngood:\nreturn"),
        made_routine("between", "a", "call check a; return"),
        made_routine("f", "a", "r = call between a to on caught\ncaught:\njump on\non:\nreturn"),
    )

    assert asked.dead_ends("check") == set()
    assert asked.hops("f.a", "f.r") == 1
    assert asked.hops("f.a", "f:caught") == 2


def test_a_long_jump_comes_out_where_its_buffer_was_set():
    asked = Asked(
        made_global("start"),
        made_routine("check", "a", "branch a bad good\nbad:\ncall longjmp @start 1\nstop\ngood:\nreturn"),
        made_routine(
            "f", "a", "r = call _setjmp @start\nbranch r back on\nback:\njump on\non:\ncall check a; return"
        ),
    )

    assert asked.hops("f.a", "f.r") == 1
    assert asked.hops("f.a", "f:back") == 2
