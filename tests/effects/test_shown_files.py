"""Files of the machine that builds and runs may see."""

import os

import pytest

from sonde.core.errors import ProjectFileError
from sonde.effects.shown_files import digest_shown


def test_a_file_counts_by_its_contents(tmp_path):
    file = tmp_path / "licence"
    file.write_text("valid")
    first = digest_shown([str(file)])
    os.utime(file, (1, 1))

    assert digest_shown([str(file)]) == first
    file.write_text("expired")
    assert digest_shown([str(file)]) != first


@pytest.mark.parametrize("change", ["name", "size", "time"])
def test_a_folder_counts_by_what_lies_in_it(tmp_path, change):
    file = tmp_path / "deep" / "tool"
    file.parent.mkdir()
    file.write_text("one")
    os.utime(file, (1, 1))
    first = digest_shown([str(tmp_path)])
    assert digest_shown([str(tmp_path)]) == first

    if change == "name":
        file.rename(file.with_name("other"))
    elif change == "size":
        file.write_text("longer")
        os.utime(file, (1, 1))
    else:
        os.utime(file, (2, 2))

    assert digest_shown([str(tmp_path)]) != first


def test_what_cannot_be_read_is_a_mistake_of_the_project_file(tmp_path):
    with pytest.raises(ProjectFileError, match=r"missing: cannot be read .*'readable' in \[environment\]"):
        digest_shown([str(tmp_path / "missing")])
