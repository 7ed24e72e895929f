"""The lines of two builds, joined."""

from sonde.core.code_lines import CodeLines, FunctionLines
from sonde.core.evidence import ProfiledFunction
from sonde.effects.debug_lines import merge
from sonde.effects.debug_lines.joining import NO_LINES, read_code_lines

MAIN, WORK = ProfiledFunction("tool", "main.c", "main"), ProfiledFunction("tool", "work.c", "work")


def test_where_both_builds_know_a_function_the_first_one_counts():
    first = CodeLines(("main.c",), {MAIN: FunctionLines((0, 4), (0, -1), (3, 0))})
    second = CodeLines(
        ("work.c", "main.c"),
        {MAIN: FunctionLines((0,), (1,), (99,)), WORK: FunctionLines((0,), (0,), (7,))},
        NO_LINES,
    )

    merged = merge(first, second)

    assert merged.files == ("main.c", "work.c")
    assert merged.functions[MAIN] == FunctionLines((0, 4), (0, -1), (3, 0))
    assert merged.functions[WORK] == FunctionLines((0,), (1,), (7,))
    assert merged.gap == NO_LINES


def test_outputs_that_are_no_programs_have_no_lines(tmp_path):
    (tmp_path / "text").write_text("no program")

    assert read_code_lines(tmp_path, ["text", "missing"], ()) == CodeLines((), {}, "")
