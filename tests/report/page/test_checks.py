import pytest

from sonde.report.page.checks import check_page
from sonde.report.page.document import page_document, plain_document
from sonde.report.page.html import script_json
from tests.report.made_checks import AUDIT_MISSED, CULPRITS, FASTER, GROWTH, KINDS, SLOWER, UNCHANGED
from tests.report.page.pages import CONTEXT


def counts(check):
    return {count.name: count.number for count in check_page(check, CONTEXT).counts}


@pytest.mark.parametrize("kind", KINDS)
def test_every_check_has_a_page(kind):
    page = check_page(KINDS[kind], CONTEXT)

    assert script_json(page_document(page))
    assert script_json(plain_document(page))
    assert len({change.key for change in page.changes}) == len(page.changes)


def test_a_regression_is_listed_with_its_options_and_command():
    change = check_page(SLOWER, CONTEXT).changes[0]

    assert change.is_slower
    assert change.command.startswith("sonde check 66666666..77777777 -b ")
    assert counts(SLOWER)["slower"] >= 1


def test_what_is_faster_is_no_regression():
    assert [change.is_slower for change in check_page(FASTER, CONTEXT).changes] == [False]


def test_what_was_proven_and_what_was_left_out_are_told_apart():
    found = counts(UNCHANGED)

    assert found["proven equal"] == 252
    assert found["left out"] == 0
    assert check_page(UNCHANGED, CONTEXT).left_out[0].startswith("Proven unchanged: 252 cases")


def test_the_functions_behind_a_change_are_named():
    notes = [change.note for change in check_page(GROWTH, CONTEXT).changes]

    assert any("compress (108 %)" in note for note in notes)


def test_a_culprit_is_the_revision_of_its_change():
    change = check_page(CULPRITS, CONTEXT).changes[0]

    assert (change.apart, change.revision) == (1, CULPRITS.head)


def test_a_change_that_only_an_audit_found_is_a_warning():
    assert any("WOULD HAVE BEEN MISSED" in text for text in check_page(AUDIT_MISSED, CONTEXT).warnings)
