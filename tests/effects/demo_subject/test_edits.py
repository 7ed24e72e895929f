"""Edits of the demo subject's plan."""

import pytest

from sonde.effects.demo_subject.edits import (
    Append,
    Create,
    Delete,
    Edit,
    EditDoesNotApply,
    Rename,
    Replace,
    apply_edits,
)

TREE = {"a.c": "int one; int two;\n"}


@pytest.mark.parametrize(
    "edit",
    [
        Replace("a.c", "three", "3"),
        Replace("a.c", "int", "long"),
        Replace("b.c", "int one", "1"),
        Rename("a.c", "int", "long", 3),
        Append("b.c", "more\n"),
        Create("a.c", "again\n"),
        Delete("b.c"),
    ],
)
def test_an_edit_that_does_not_fit_exactly_is_an_error(edit):
    with pytest.raises(EditDoesNotApply):
        apply_edits(TREE, [edit])


def test_an_edit_that_changes_nothing_is_an_error():
    with pytest.raises(EditDoesNotApply, match="changes nothing"):
        apply_edits(TREE, [Replace("a.c", "one", "one")])


def test_edits_build_on_each_other():
    edits: list[Edit] = [
        Replace("a.c", "one", "first"),
        Rename("a.c", "int", "long", 2),
        Create("b.c", "x"),
        Append("b.c", "y"),
    ]

    assert apply_edits(TREE, edits) == {"a.c": "long first; long two;\n", "b.c": "xy"}
    assert apply_edits(TREE, [Delete("a.c")]) == {}


def test_what_is_undone_is_as_before():
    edit = Replace("a.c", "one", "first")

    assert apply_edits(TREE, [edit, edit.undone()]) == TREE
