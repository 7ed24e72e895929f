"""What a check says of changed code that no benchmark executes."""

from dataclasses import replace

from sonde.core.code import SourceLine
from sonde.core.findings.comparisons import Case
from sonde.core.findings.impacts import ChangedRegion, Witnesses
from sonde.core.options import Configuration
from sonde.methods.impact.coverage import Execution
from sonde.report.check.words import not_executed_text
from sonde.workflows.check.coverage import RegionCoverage
from tests.report.made_checks import EQUAL

CASE = Case("pack", Configuration.of({}))


def region(line: int, routine: str = "scan") -> ChangedRegion:
    return ChangedRegion(routine, SourceLine("scan.c", line), False, Witnesses(), Witnesses())


def coverage(**executed: Execution) -> RegionCoverage:
    """Of regions that are named by their lines."""
    lines = [int(name.removeprefix("line_")) for name in executed]
    return RegionCoverage(tuple(region(line) for line in lines), {CASE: tuple(executed.values())})


def test_a_routine_of_which_some_changed_code_is_executed_is_named_in_part() -> None:
    found = coverage(line_10=Execution.NO, line_12=Execution.YES, line_40=Execution.NO).not_executed()

    assert [each.is_part for each in found] == [True]
    assert "profiled benchmark: parts of scan (scan.c:10-40)." in not_executed_text(
        replace(EQUAL, not_executed=found)
    )


def test_a_routine_of_which_no_changed_code_is_executed_is_named_as_a_whole() -> None:
    found = coverage(line_10=Execution.NO, line_40=Execution.NO).not_executed()

    assert [each.is_part for each in found] == [False]
    text = not_executed_text(replace(EQUAL, not_executed=found))
    assert "profiled benchmark: scan (scan.c:10-40)." in text
