import re

from sonde.core.code import Unit
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.methods.impact.differences.programs import find_differences
from tests.methods.impact.made_programs import made_global, made_routine, made_unit, position_named

BODY = """
    a = local size 4; b = local size 4
    store a 1
    s = store b 2
    v = load b
    c = compute v 10 shape icmp
    branch c low high
  low:
    call work v
    jump high
  high:
    return v
"""


def changed(old: str, new: str, *more) -> list[str]:
    return [each.name for each in differences(old, new, *more).changed]


def differences(old: str, new: str, lines: tuple[ChangedFileLines, ...] = ()):
    return find_differences([unit(old)], [unit(new)], lines)


def unit(text: str) -> Unit:
    return made_unit(made_routine("main", "", text))


def test_the_same_program_does_not_differ():
    assert not differences(BODY, BODY)


def test_lines_do_not_matter():
    assert not differences(BODY, "\n\n\n" + BODY)


def test_names_of_variables_do_not_matter():
    assert not differences(BODY, re.sub(r"\bb\b", "other", BODY))


def test_the_order_of_declarations_does_not_matter():
    swapped = BODY.replace("a = local size 4; b = local size 4", "b = local size 4; a = local size 4")

    assert not differences(BODY, swapped)


def test_another_constant_is_a_change_that_needs_no_look_at_the_old_program():
    new = BODY.replace("s = store b 2", "s = store b 3")
    found = differences(BODY, new)

    assert [each.name for each in found.changed] == ["main"]
    position = position_named(found.new.routines[0], "s")
    assert found.routines[0].new_side.changed == {position}
    assert not found.needs_old


def test_a_deleted_store_is_looked_for_in_the_old_program():
    found = differences(BODY, BODY.replace("    s = store b 2\n", ""))

    assert found.needs_old
    assert found.routines[0].old_side.changed == {position_named(found.old.routines[0], "s")}
    assert not found.routines[0].new_side.changed


def test_an_edited_condition_is_a_changed_decision():
    found = differences(BODY, BODY.replace("compute v 10", "compute v 20"))

    assert found.routines[0].new_side.decisions


def test_code_that_came_under_a_condition_is_executed_otherwise():
    old = "store @x 1\nreturn"
    new = "v = load @y\nbranch v yes no\nyes:\nstore @x 1\njump no\nno:\nreturn"

    assert differences(old, new).routines[0].new_side.blocks


def test_swapped_targets_are_a_change():
    assert changed(BODY, BODY.replace("branch c low high", "branch c high low"))


def test_what_only_leads_to_failure_does_not_matter():
    old = 'v = load @x\nbranch v good bad\nbad:\ncall __assert_fail "x" 10\nstop\ngood:\nreturn'

    assert not differences(old, old.replace('"x" 10', '"x" 99'))


def test_a_renamed_routine_is_no_change():
    old = made_unit(
        made_routine("main", "", "call f 1\nreturn"), made_routine("f", "p", "store @x p\nreturn")
    )
    new = made_unit(
        made_routine("main", "", "call g 1\nreturn"), made_routine("g", "p", "store @x p\nreturn")
    )

    assert not find_differences([old], [new])


def test_a_routine_that_moved_to_another_unit_is_no_change():
    main, other = made_routine("main", "", "call f 1\nreturn"), made_routine("f", "p", "store @x p\nreturn")

    assert not find_differences(
        [made_unit(main, other)], [made_unit(main), made_unit(other, source="other.c")]
    )


def test_the_changed_field_of_a_global_is_known():
    old = made_unit(made_global("limits", {0: "1", 8: "2"}, size=16))
    new = made_unit(made_global("limits", {0: "1", 8: "3"}, size=16))

    (found,) = find_differences([old], [new]).globals
    assert found.new_offsets == (8,)


def test_an_inserted_field_leaves_the_uses_of_others_alone():
    old = made_unit(
        made_routine("main", "p", "f = field p 0 as point\nv = load f\nreturn v"), types={"point": {"x": 0}}
    )
    new = made_unit(
        made_routine("main", "p", "f = field p 8 as point\nv = load f\nreturn v"),
        types={"point": {"new": 0, "x": 8}},
    )

    assert not find_differences([old], [new])


def test_lines_alone_are_no_change():
    lines = (ChangedFileLines("made.c", old=((1, 9),), new=((1, 9),)),)

    assert not differences(BODY, BODY, lines)


def test_code_before_a_usual_exit_is_compared():
    old = "s = store @x 1\ncall exit 0\nstop"

    assert changed(old, old.replace("@x 1", "@x 9")) == ["main"]


def test_code_before_an_exit_with_a_status_that_nobody_knows_is_compared():
    old = "v = load @x\nbranch v good bad\nbad:\ncall puts 1\ncall exit v\nstop\ngood:\nreturn"

    assert changed(old, old.replace("puts 1", "puts 2")) == ["main"]


def test_work_before_a_failure_is_compared():
    old = "v = load @x\nbranch v good bad\nbad:\ncall spin 1\ncall exit 1\nstop\ngood:\nreturn"
    spin = made_routine("spin", "a", "jump head\nhead:\nr = compute a\nbranch r head out\nout:\nreturn r")
    before, after = (
        [made_unit(made_routine("main", "", text), spin)] for text in (old, old.replace("spin 1", "spin 9"))
    )

    assert [each.name for each in find_differences(before, after).changed] == ["main"]


def test_what_a_pointer_calls_before_a_failure_is_compared():
    old = "v = load @x\nbranch v good bad\nbad:\ncall v 1\ncall exit 1\nstop\ngood:\nreturn"

    assert changed(old, old.replace("call v 1", "call v 2")) == ["main"]


def test_the_number_of_its_own_line_is_no_change():
    old = """
        call lock "file" 7 line 7
        v = load @x
        branch v one two
      one:
        call unlock 9 line 9
        jump two
      two:
        return
    """
    new = old.replace("7 line 7", "17 line 17").replace("9 line 9", "19 line 19")

    assert not differences(old, new)


def test_a_number_that_happens_to_be_that_of_its_line_is_no_change_where_the_line_moves():
    assert not differences("store @x 7 line 7\nreturn", "store @x 7 line 8\nreturn")


def test_numbers_of_lines_do_not_hide_what_else_has_changed():
    old = "call lock 7 line 7\nstore @x 5 line 8\nreturn"
    new = "call lock 17 line 17\nstore @x 50 line 18\nreturn"
    (found,) = differences(old, new).routines

    assert found.new_side.changed == {1}


def test_a_number_that_was_not_that_of_its_line_is_a_change():
    assert changed("call lock 5 line 7\nreturn", "call lock 8 line 8\nreturn")
