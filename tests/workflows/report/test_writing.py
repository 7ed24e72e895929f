import subprocess
from pathlib import Path

import pytest

from sonde.report.harmless import harmless
from sonde.workflows.report.writing import SCRIPTS, read_assets, written_page
from tests.report.page.pages import made_page

FORBIDDEN = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:", "https:")
SVG_NAME = "http://www.w3.org/2000/svg"  # the name of a language; nothing is loaded from there


def test_every_script_of_the_folder_is_part_of_the_page():
    import sonde.report.page

    folder = Path(sonde.report.page.__file__).parent / "assets"

    assert {file.name for file in folder.glob("*.js")} == set(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_makes_no_html_of_texts_and_loads_nothing(name):
    script = read_assets().scripts[SCRIPTS.index(name)].replace(SVG_NAME, "")

    assert [word for word in FORBIDDEN if word in script] == []


def test_the_scripts_are_valid(tmp_path):
    playwright = pytest.importorskip("playwright", reason="playwright not installed (remedy: make setup)")
    node = Path(playwright.__file__).parent / "driver" / "node"

    for name, script in zip(SCRIPTS, read_assets().scripts, strict=True):
        file = tmp_path / name
        file.write_text(script, "utf-8")
        found = subprocess.run([node, "--check", file], capture_output=True, text=True, check=False)
        assert found.stderr == ""


def test_no_letter_of_a_page_is_changed_when_it_is_written():
    page = written_page(made_page())

    assert harmless(page) == page
