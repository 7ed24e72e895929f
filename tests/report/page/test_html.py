import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from sonde.report.harmless import harmless
from sonde.report.page.document import page_document
from sonde.report.page.html import PageAssets, page_html, script_json
from tests.report.page.pages import HOSTILE, hostile_page

ASSETS = PageAssets(
    '<title>$title</title><meta content="$policy"><style>$style</style>'
    '<script type="application/json">$document</script><script>$script</script>',
    "p { color: red }",
    ("const one = `${1}`;", "const two = 2;"),
)


class Elements(HTMLParser):
    """The names of all elements of a page."""

    def __init__(self):
        super().__init__()
        self.names = []

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)


@given(st.text() | st.sampled_from(HOSTILE))
def test_a_text_can_neither_end_its_element_nor_change(text):
    written = script_json({"text": text})

    assert not re.search("[<>&\u2028\u2029]", written)
    assert json.loads(written) == {"text": text}


@given(st.text())
def test_a_title_is_text(title):
    elements = Elements()
    elements.feed(page_html({"title": title}, ASSETS))

    assert elements.names == ["title", "meta", "style", "script", "script"]


def test_only_our_script_and_style_are_allowed():
    page = page_html({"title": "packer"}, ASSETS)

    for kind in ("script", "style"):
        content = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)[0]
        assert f"{kind}-src 'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'" in page
    assert "default-src 'none'" in page
    assert "unsafe" not in page


def test_scripts_share_one_scope_that_is_not_global():
    page = page_html({"title": "packer"}, ASSETS)

    assert '<script>(() => {\n"use strict";\nconst one = `${1}`;\nconst two = 2;\n})();</script>' in page


def test_a_page_of_hostile_texts_has_no_further_element_and_steers_nothing():
    page = page_html(page_document(hostile_page()), ASSETS)

    elements = Elements()
    elements.feed(page)
    assert elements.names == ["title", "meta", "style", "script", "script"]
    assert harmless(page) == page
