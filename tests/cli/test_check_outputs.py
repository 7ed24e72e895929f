"""Where the answer goes: stdout, a file, the summary of a job."""

from __future__ import annotations

import json

import pytest

from sonde.cli.check_outputs import STDOUT, write_outputs
from sonde.core.errors import UsageError
from sonde.report.check.markdown import check_markdown
from tests.report.made_checks import SLOWER

MARKDOWN = check_markdown(SLOWER) + "\n"


def test_text_goes_to_stdout_and_markdown_to_files(tmp_path, capsys):
    file, summary = tmp_path / "check.md", tmp_path / "summary.md"
    file.write_text("old")
    summary.write_text("another step\n")

    write_outputs(SLOWER, False, file, str(summary))

    assert "SLOWER where level=9" in capsys.readouterr().out
    assert file.read_text() == MARKDOWN
    assert summary.read_text() == "another step\n" + MARKDOWN


def test_markdown_or_json_can_be_printed_instead(capsys):
    write_outputs(SLOWER, False, STDOUT, "")
    printed = capsys.readouterr().out
    write_outputs(SLOWER, True, None, "")

    assert printed == MARKDOWN
    assert json.loads(capsys.readouterr().out)["is_regression"]


def test_what_cannot_be_written_is_an_error_after_everything_else_was(tmp_path, capsys):
    with pytest.raises(UsageError, match="nowhere"):
        write_outputs(SLOWER, False, tmp_path / "nowhere" / "check.md", str(tmp_path / "summary"))

    assert "SLOWER" in capsys.readouterr().out
    assert (tmp_path / "summary").read_text() == MARKDOWN
