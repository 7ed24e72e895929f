"""Whether a revision is slower, in words, on wide and narrow terminals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.core.findings.comparisons import Ratio, Verdict
from sonde.report.check.markdown import check_markdown
from sonde.report.check.text import check_text
from sonde.report.check.words import headline
from sonde.report.tables import width
from tests.golden_files import GoldenFiles
from tests.report.made_checks import (
    AUDIT_MISSED,
    AUDITED,
    AUDITED_ALONE,
    AUDITS_DIFFER,
    BROKEN,
    COSTLY,
    EARLIER,
    EQUAL,
    FAILS,
    HEAD,
    INCONCLUSIVE,
    KINDS,
    MANY,
    MERGE,
    NOTHING,
    SLOWER,
    UNCHANGED,
)


@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_is_told_in_words(golden: GoldenFiles, kind: str) -> None:
    golden(f"report/check-{kind}.txt", check_text(KINDS[kind], 100) + "\n")


@pytest.mark.parametrize("most", [40, 80])
def test_narrow_terminals_get_the_same_in_more_lines(golden: GoldenFiles, most: int) -> None:
    golden(f"report/check-slower-{most}.txt", check_text(SLOWER, most) + "\n")


@pytest.mark.parametrize("most", [40, 60, 80, 100, 200])
@pytest.mark.parametrize("kind", KINDS)
def test_no_line_but_a_command_is_wider_than_the_terminal(kind: str, most: int) -> None:
    lines = check_text(KINDS[kind], most).splitlines()

    assert [line for line in lines if width(line) > most and not line.startswith("$ ")] == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_word_is_the_verdict(kind: str) -> None:
    assert headline(KINDS[kind]).split()[0].rstrip(":,") in {
        "SLOWER",
        "FASTER",
        "FAILS",
        "MENDED",
        "NOT",
        "NOTHING",
        "UNCHANGED",
        "INCONCLUSIVE",
        "BROKEN",
        "DEPENDS",
    }


def test_what_was_not_measured_is_never_told_as_unchanged() -> None:
    told = " ".join(check_text(NOTHING, 100).split())

    assert headline(NOTHING).startswith("NOTHING TO MEASURE")
    assert "Not measured: 216 cases" in told
    assert "Proven unchanged: 30 cases" in told
    assert headline(UNCHANGED).startswith("UNCHANGED, proven")
    assert "unchanged" not in headline(EQUAL).lower()


@pytest.mark.parametrize("tell", [lambda check: check_text(check, 100), check_markdown], ids=["text", "md"])
def test_another_output_is_told_whatever_the_verdict_is(tell) -> None:
    equal = replace(EQUAL, compared=tuple(replace(each, is_output_same=False) for each in EQUAL.compared))

    assert "pack prints different output than at the base. Check that it still does the same work." in tell(
        equal
    )
    assert "prints something else" not in tell(EQUAL)


def test_where_leaving_out_took_longer_the_report_names_the_faster_way() -> None:
    told = " ".join(check_text(COSTLY, 100).split())

    assert "--all is faster here" in told
    assert "saved" not in told
    assert "--all" not in check_text(SLOWER, 100)
    assert "--all" not in check_text(replace(COSTLY, seconds_narrowing=4.8), 100)  # by less than a second


def test_of_a_merge_it_is_said_with_which_parent_it_is_compared() -> None:
    first, second = check_text(MERGE, 100), check_text(replace(MERGE, base=EARLIER), 100)
    other = replace(MERGE, head=replace(MERGE.head, parents=(HEAD.id, EARLIER.id)))

    assert "Compared with the first parent of this merge, 66666666" in first
    assert "Compared with the second parent of this merge, 22222222" in second
    assert "Compared with 66666666" in check_text(other, 100)
    assert "Compared with 66666666" in check_text(EQUAL, 100)


def test_a_long_table_is_cut_and_says_so() -> None:
    told = check_text(MANY, 100)

    assert told.count("\nslower") == 12
    assert "and 42 more; --json lists them all" in told


@pytest.mark.parametrize("found", [FAILS, BROKEN, INCONCLUSIVE])
def test_what_fails_or_is_not_decided_has_its_reason(found) -> None:
    (reason,) = {each.reason for each in found.compared if each.reason}

    assert reason in " ".join(check_text(found, 100).split())


def test_it_is_said_why_a_change_below_the_threshold_counts() -> None:
    case = next(each for each in SLOWER.compared if each.verdict is Verdict.SLOWER)
    near = replace(case, threshold=0.05, ratio=Ratio(0.04, 0.02, 0.06, 15, 0.001))
    check = replace(SLOWER, compared=(near,))

    said = f"{case.case.benchmark}: the change may be as large as 5 %, so it is reported."
    assert said in check_text(check, 100)
    assert said in check_markdown(check)
    assert "so it is reported" not in check_text(SLOWER, 100)


def test_a_bound_is_rounded_up() -> None:
    said = (
        "0 of 84 audited cases had a change that would have been missed: "
        "at most 3.6 % of skipped cases do, with 95 % confidence"  # 3.503 %
    )

    assert said in " ".join(check_text(AUDITED, 100).split())
    assert said in check_markdown(AUDITED)


@pytest.mark.parametrize("tell", [lambda check: check_text(check, 100), check_markdown], ids=["text", "md"])
def test_what_an_audit_found_alone_is_said_before_anything_else_is(tell) -> None:
    told = " ".join(tell(AUDIT_MISSED).split())

    assert "1 AUDIT FOUND A CHANGE THAT WOULD HAVE BEEN MISSED: pack with algorithm=huffman,checksum" in told
    assert told.index("WOULD HAVE BEEN MISSED") < told.index("31.65 M")
    assert "--all" in told
    assert "sonde impact 77777777" not in told  # it would say the same once more
    for other in (AUDITED, AUDITED_ALONE, AUDITS_DIFFER):
        assert "MISSED" not in tell(other)


def test_audited_cases_are_measured_and_never_told_as_proven() -> None:
    assert headline(AUDITED_ALONE).startswith("NOTHING TO MEASURE")
    everything = replace(AUDITED_ALONE, dropped=AUDITED_ALONE.dropped[:1])
    assert headline(everything).startswith("NOTHING TO MEASURE")
    assert "Measured 2 of 246 cases" in check_text(AUDITED_ALONE, 100)
