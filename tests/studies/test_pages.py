"""Parts of a study write their own sections of its page."""

from studies.pages import with_sections

ONE, TWO = "## One\n\nfirst", "## Two\n\n### Inside\n\nsecond"


def test_a_section_takes_the_place_of_the_one_with_its_title():
    page = with_sections("# Page\n\nAbout it.\n", [ONE, TWO])

    assert page == f"# Page\n\nAbout it.\n\n{ONE}\n\n{TWO}\n"
    assert with_sections(page, ["## One\n\nnew\n"]) == page.replace("first", "new")


def test_a_head_takes_the_place_of_the_head():
    page = with_sections("# Page\n\nAbout it.\n", [ONE])

    assert with_sections(page, [], "# Other\n") == f"# Other\n\n{ONE}\n"
