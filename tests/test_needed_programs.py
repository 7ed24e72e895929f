import sys
from pathlib import Path

import pytest

from tests.needed_programs import require_programs


def test_programs_that_are_there_neither_skip_nor_fail():
    require_programs(["python"], {"PATH": str(Path(sys.executable).parent), "SONDE_REQUIRE_TOOLS": "1"})


def test_a_missing_program_skips_and_says_what_to_install(tmp_path):
    with pytest.raises(pytest.skip.Exception) as skipped:
        require_programs(["valgrind", "bwrap"], {"PATH": str(tmp_path)})

    assert skipped.value.msg == (
        "valgrind, bwrap not installed (remedy: apt-get install bubblewrap valgrind)"
    )


def test_a_missing_program_fails_where_tools_are_required(tmp_path):
    with pytest.raises(pytest.fail.Exception, match="valgrind not installed"):
        require_programs(["valgrind"], {"PATH": str(tmp_path), "SONDE_REQUIRE_TOOLS": "1"})


@pytest.mark.needs("sh")
def test_the_mark_lets_a_test_run_whose_program_is_there():
    pass
