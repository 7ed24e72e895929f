from dataclasses import replace

from sonde.report.page.document import page_document
from sonde.report.page.html import script_json
from sonde.report.page.model import ChangeEvidence
from sonde.report.page.pinpoints import pinpoint_page
from tests.report.page.pages import CONTEXT
from tests.report.pinpoint.test_text import CORE, EXACT, PACK, RANGE, pinpoints


def test_changes_are_listed_with_their_options():
    page = pinpoint_page(pinpoints(PACK), CONTEXT)

    slower, faster = page.changes
    assert (slower.evidence, faster.evidence) == (ChangeEvidence.RANGE, ChangeEvidence.EXACT)
    assert faster.where == "where checksum is on"
    assert slower.options == ("checksum", "level")
    assert slower.apart == 4
    assert "Probability .87" in slower.note


def test_the_matrix_links_each_cell_to_its_change():
    found = replace(PACK, findings=(CORE, EXACT, RANGE))

    page = pinpoint_page(pinpoints(found), CONTEXT)

    (matrix,) = page.matrices
    assert matrix.terms[0] == "in every configuration"
    assert len(matrix.terms) == len(matrix.revisions) == 3
    assert {cell.change for cell in matrix.cells} == {change.key for change in page.changes}


def test_an_interval_that_includes_no_change_is_noise():
    found = replace(PACK, findings=(replace(EXACT, effect_high=0.1),))

    (change,) = pinpoint_page(pinpoints(found), CONTEXT).changes

    assert change.evidence is ChangeEvidence.UNCLEAR


def test_an_open_interval_has_a_document():
    found = replace(PACK, findings=(replace(EXACT, effect_low=float("-inf")),))

    assert script_json(page_document(pinpoint_page(pinpoints(found), CONTEXT)))


def test_what_was_never_looked_at_is_counted():
    counts = {count.name: count.number for count in pinpoint_page(pinpoints(PACK), CONTEXT).counts}

    assert counts["measured"] == 212
    assert counts["never looked at"] == 12_600 - 212 - 3
