from pathlib import Path

import pytest

from tests.golden_files import GoldenFiles


def compare(folder: Path, name: str, text: str) -> None:
    GoldenFiles(folder, is_updating=False)(name, text)


def update(folder: Path, name: str, text: str) -> None:
    GoldenFiles(folder, is_updating=True)(name, text)


def test_an_equal_text_passes(tmp_path):
    (tmp_path / "report.txt").write_text("faster\n")

    compare(tmp_path, "report.txt", "faster\n")


def test_another_text_fails_with_a_diff_and_the_remedy(tmp_path):
    (tmp_path / "report.txt").write_text("history of zlib\nfaster\n")

    with pytest.raises(pytest.fail.Exception) as failure:
        compare(tmp_path, "report.txt", "history of zlib\nslower\n")

    assert failure.value.msg is not None
    lines = failure.value.msg.splitlines()
    assert lines[0] == "the text differs from tests/golden/report.txt:"
    assert lines[-4:-1] == [" history of zlib", "-faster", "+slower"]
    assert lines[-1] == "If it is right: pytest --update-golden"


@pytest.mark.parametrize("text", ["faster", "faster\r\n", "faster\n\n"])
def test_ends_of_lines_count(tmp_path, text):
    (tmp_path / "report.txt").write_text("faster\n")

    with pytest.raises(pytest.fail.Exception):
        compare(tmp_path, "report.txt", text)


def test_a_missing_file_fails_even_if_the_text_is_empty(tmp_path):
    with pytest.raises(pytest.fail.Exception, match="--update-golden"):
        compare(tmp_path, "report.txt", "")


@pytest.mark.parametrize("text", ["", "σ² fell by 3 %\n", "one\r\ntwo\rthree"])
def test_what_was_updated_compares_equal(tmp_path, text):
    update(tmp_path, "report/history.txt", text)

    compare(tmp_path, "report/history.txt", text)


def test_the_fixture_reads_the_folder_golden(golden):
    golden("golden-fixture.txt", "The fixture `golden` compared this line.\n")
