"""The first project file for all kinds of repositories."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.effects.project_file import load_project, starter_file
from sonde.effects.project_file.starter.makefiles import expand, read_makefile
from tests.effects.project_file.repositories import REPOSITORIES, write_repository


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_starter_file_is_what_one_would_expect(tmp_path, golden, name):
    golden(f"project_file/starter/{name}.toml", starter_file(write_repository(tmp_path, name)))


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_starter_file_has_no_mistakes(tmp_path, name):
    text = starter_file(write_repository(tmp_path, name))
    (tmp_path / "sonde.toml").write_text(text, encoding="utf-8")

    assert load_project(tmp_path).subject.benchmarks[0].commands


def test_the_example_options_in_the_comments_have_no_mistakes(tmp_path):
    text = starter_file(write_repository(tmp_path, "make"))
    begin = text.index("# [options.checksum]")
    end = text.index("#\n# Constraints between")
    options = "\n".join(line.removeprefix("#").strip() for line in text[begin:end].splitlines())
    text = text.replace("packer --version", "packer {options}") + options
    (tmp_path / "sonde.toml").write_text(text, encoding="utf-8")

    assert [option.name for option in load_project(tmp_path).subject.options] == [
        "checksum",
        "level",
        "algorithm",
    ]


@given(text=st.text(alphabet="ab:=\t\n $()@#\\+-.oc%", max_size=60))
def test_any_text_can_be_read_as_a_makefile(text):
    makefile = read_makefile(text)

    assert makefile.goal == "" or isinstance(makefile.goal, str)


def test_references_are_expanded_within_each_other():
    variables = {"A": "x$(B)", "B": "y", "SOURCES": "a.c b.c", "SELF": "$(SELF)"}

    assert expand("$(A) ${B} $(SOURCES:.c=.o) $(nothing)", variables) == "xy y a.o b.o "
    assert "SELF" in expand("$(SELF)", variables)
