import json
from base64 import b64decode
from typing import Any
from zlib import decompress

from sonde.report.page.document import page_document as made_document
from sonde.report.page.document import plain_document
from sonde.report.page.histories import history_page
from sonde.report.page.model import Page
from tests.report.made_histories import Step, histories_of, stepped
from tests.report.page.pages import CONTEXT, hostile_page, made_page
from tests.report.page.unpacking import unpacked


def page_document(page: Page, **settings: int) -> Any:
    return made_document(page, **settings)


def test_the_document_of_a_made_history(golden):
    document = plain_document(made_page())
    del document["revisions"]

    golden("report/page/history.json", json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def test_series_and_revisions_come_back_from_the_packed_document():
    page = made_page()
    document = page_document(page)

    revisions = json.loads(decompress(b64decode(document["revisions"]["packed"])))
    assert revisions["id"] == [revision.id for revision in page.history]
    assert revisions["subject"][1] == page.history[1].subject
    for series in document["series"]:
        assert len(unpacked(series["packed"], series["rows"])) == series["rows"]


def test_series_with_changes_get_more_rows():
    length = 4000
    flat = stepped(length, 1.0, measured_every=2)
    changed = stepped(length, 1.0, [Step(100, 2.0)], measured_every=2, benchmark="unpack")

    document = page_document(history_page(histories_of(flat, changed), CONTEXT), most_rows=3000)

    first, second = (series["rows"] for series in document["series"])
    assert first * 3 == second
    assert [series["bucket"] for series in document["series"]] == [-(-length // first), -(-length // second)]


def test_nothing_in_the_document_steers_a_reader():
    text = json.dumps(page_document(hostile_page()), ensure_ascii=False)
    packed = page_document(hostile_page())["revisions"]["packed"]

    for letter in ("\u202e", "\u202c", "\x1b", "\u2028"):
        assert letter not in text
        assert letter not in decompress(b64decode(packed)).decode()


def test_an_empty_page_has_a_document():
    assert page_document(Page("packer", "", "", (), ()))["changes"] == []
