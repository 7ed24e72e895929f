from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_routine
from tests.methods.impact.shapes import shaped_routine

USAGE = made_routine("usage", "status", "s = local; store s status; v = load s; call exit v\nstop")
CHECK = """
    branch a bad good
  bad:
    {}
    jump good
  good:
    return
"""


ASKED = CHECK.replace("branch a bad good", 'c = call getopt a a "h"; switch c good 104:bad')


def _dead_ends(call, *others):
    return Asked(*others, made_routine("f", "a", CHECK.format(call))).dead_ends("f")


def test_a_call_that_never_returns_is_a_dead_end_also_through_another_routine():
    die = made_routine("die", "", "call abort\nstop")
    worse = made_routine("worse", "a", "branch a one two\none:\ncall die\njump two\ntwo:\ncall die\nreturn")

    assert _dead_ends("call die", die) == {"bad"}
    assert _dead_ends("call worse a", die, worse) == {"bad"}


def test_leaving_with_success_is_no_dead_end_but_stops_if_a_word_asks_for_it():
    assert _dead_ends("call exit 0") == set()
    assert Asked(made_routine("f", "a", ASKED.format("call exit 0"))).dead_ends("f") == set()
    assert Asked(made_routine("f", "a", ASKED.format("call exit 0"))).stops("f") == {"bad"}


def test_what_follows_an_end_with_success_waits_for_the_decision_unless_it_is_about_a_word():
    decided = Asked(made_routine("f", "a", CHECK.format("call exit 0").replace("return", "call work")))
    asked = Asked(made_routine("f", "a", ASKED.format("call exit 0").replace("return", "call work")))

    assert decided.stops("f") == set()
    assert decided.hops("f.a", "f:good") == 1
    assert asked.hops("f.a", "f:good") is None


def test_the_status_that_is_handed_on_tells_failure_from_success():
    assert _dead_ends("call usage 1", USAGE) == {"bad"}
    assert _dead_ends("call usage 0", USAGE) == set()
    assert _dead_ends("call usage a", USAGE) == set()


def test_messages_with_a_status_stop_and_those_without_go_on():
    assert _dead_ends("call error 1 0 a") == {"bad"}
    assert _dead_ends("call error 0 0 a") == set()


def test_a_main_that_ends_by_exit_is_no_dead_end_and_its_checks_still_do_not_matter():
    main = made_routine(
        "main",
        "argc argv",
        """
            c = call getopt argc argv "h"; switch c on 104:help
          help:
            call exit 0
            stop
          on:
            branch argv bad fine
          bad:
            call usage 2
            stop
          fine:
            branch argc work last
          work:
            call puts argv
            jump last
          last:
            call exit 0
            stop
        """,
    )
    asked = Asked(USAGE, main)

    assert asked.dead_ends("main") == {"bad"}
    assert asked.stops("main") == {"help", "bad"}
    assert asked.hops("main.argc", "main:work") == 1
    assert asked.hops("main.argv", "main:work") is None


def test_a_main_that_always_fails_in_the_end_still_counts():
    main = made_routine(
        "main", "argc argv", "branch argc one two\none:\ncall abort\nstop\ntwo:\ncall exit 1\nstop"
    )

    assert Asked(main).dead_ends("main") == {"one"}


def test_an_endless_loop_that_works_is_no_dead_end_even_if_only_failure_ends_it():
    serve = made_routine(
        "serve",
        "a",
        "jump head\nhead:\nr = call handle a\nbranch r bad head\nbad:\ncall abort\nstop",
    )
    main = made_routine("main", "argc argv", "call serve argc\nreturn 0")
    asked = Asked(made_routine("handle", "a", "return a"), serve, main)

    assert asked.dead_ends("serve") == {"bad"}
    assert asked.dead_ends("main") == set()


def test_a_loop_that_only_prints_before_the_end_is_a_dead_end():
    usage = made_routine(
        "help", "a", "jump head\nhead:\nr = call puts a\nbranch r head bad\nbad:\ncall exit 1\nstop"
    )

    assert _dead_ends("call help a", usage) == {"bad"}


def test_a_loop_that_reads_and_prints_before_the_end_is_none():
    copy = made_routine(
        "copy",
        "a",
        "jump head\nhead:\nr = call getc a; call putchar r\nbranch r head bad\nbad:\ncall exit 1\nstop",
    )

    assert _dead_ends("call copy a", copy) == set()


def test_unknown_functions_that_are_said_not_to_return_do_not():
    asked = Asked(made_routine("f", "a", CHECK.format("call panic a")), never_return=("panic",))

    assert asked.dead_ends("f") == {"bad"}


def test_routines_that_never_return_may_call_each_other():
    one = made_routine("one", "a", "branch a x y\nx:\ncall two a\nstop\ny:\ncall abort\nstop")
    two = made_routine("two", "a", "call one a\nstop")

    assert Asked(one, two, made_routine("f", "a", ASKED.format("call one a"))).stops("f") == {"bad"}


SPIN = made_routine("spin", "a", "jump head\nhead:\nr = compute a\nbranch r head out\nout:\nreturn r")


def test_a_failure_after_work_is_no_dead_end():
    through = made_routine("through", "a", "r = call spin a\nreturn r")

    assert _dead_ends("call through a; call exit 1", SPIN, through) == set()


def test_a_routine_that_works_and_then_fails_is_no_dead_end():
    finish = made_routine("finish", "a", "call spin a; call exit 1\nstop")

    assert _dead_ends("call finish a", SPIN, finish) == set()


def test_recursion_is_work_too():
    down = made_routine("down", "a", "branch a on out\non:\ncall down a\njump out\nout:\nreturn")

    assert _dead_ends("call down a; call exit 1", down) == set()


def test_a_text_for_a_message_is_no_work():
    quoted = CHECK.format('t = call spin a shape "call ptr(ptr)"; call error 1 0 t')
    used = CHECK.format('t = call spin a shape "call ptr(ptr)"; store @x t; call error 1 0 t')

    assert Asked(SPIN, shaped_routine("f", "a", quoted)).flow.dead_ends[1] == {1}
    assert Asked(SPIN, shaped_routine("f", "a", used)).flow.dead_ends[1] == set()


def test_work_that_is_only_done_if_there_is_no_failure_does_not_count():
    usage = shaped_routine(
        "usage",
        "status",
        """
            s = local
            store s status
            v = load s
            c = compute v 0 shape "icmp ne i32"
            branch c bad good
          bad:
            call puts 1
            jump end
          good:
            call spin 1
            jump end
          end:
            w = load s
            call exit w
            stop
        """,
    )

    assert _dead_ends("call usage 1", SPIN, usage) == {"bad"}
    assert _dead_ends("call usage 0", SPIN, usage) == set()
