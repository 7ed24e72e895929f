"""What the study about saving calls a miss, a find and a false alarm."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import exp, inf
from pathlib import Path

import pytest

from sonde.core.options import Option
from sonde.core.revisions import History, Revision, RevisionId
from sonde.effects.git.opening import open_repository
from sonde.space.space import Space
from studies.check.saving_checks import Checked, Measured, read_checks
from studies.check.saving_judging import judge
from studies.check.saving_planted import PlantedTruth
from studies.check.saving_revisions import last_revisions
from studies.check.saving_table import alarm_list, finding_table, regression_table, saving_table
from studies.check.saving_truth import CaseKey, Counted, CountedTruth
from tests.real.repositories import RepositoryMaker

BASE, HEAD = RevisionId("a" * 40), RevisionId("b" * 40)


@dataclass(frozen=True)
class Given:
    """A truth that is written down."""

    growth: Mapping[CaseKey, float]

    def growths(self, base: RevisionId, head: RevisionId) -> Mapping[CaseKey, float]:
        return self.growth


def checked(*measured: Measured, problem: str = "", code: int = 0) -> Checked:
    base = None if problem else BASE
    return Checked(
        HEAD, "a change", base, 10, 5, 10 - 5 - len(measured), 0, measured, problem=problem, exit_code=code
    )


def test_a_regression_is_found_if_its_benchmark_is_called_slower_in_another_configuration() -> None:
    truth = Given({("pack", "fast"): 0.3, ("pack", "!fast"): 0.06, ("unpack", "fast"): 0.0})

    judged = judge([checked(Measured("pack", "!fast", "slower", 0.06))], truth)

    (found,) = judged.regressions
    assert (found.configurations, found.unmeasured, found.largest, found.example) == (2, 1, 0.3, "fast")
    assert not judged.missed


@pytest.mark.parametrize("measured", [(), (Measured("pack", "!fast", "equal", 0.0),)])
def test_a_regression_of_which_nothing_is_said_is_missed(measured: tuple[Measured, ...]) -> None:
    judged = judge([checked(*measured)], Given({("pack", "fast"): 0.05, ("pack", "!fast"): 0.0}))

    assert [each.example for each in judged.missed] == ["fast"]


def test_a_regression_that_only_an_audit_has_shown_is_found() -> None:
    truth = Given({("pack", "fast"): 0.05, ("unpack", "fast"): 0.05})
    audited = replace(checked(code=1), audits=("unchanged", "missed"), found_by_audits=("pack",))

    judged = judge([audited], truth)

    assert [each.benchmark for each in judged.missed] == ["unpack"]
    assert "| pack | 1 | +5.0 % | by an audit |" in regression_table(judged.regressions)
    assert "| 1 of 1 | 1 of 2 (at most 97.5 %) |" in finding_table([("subject", judged)])


def test_the_last_revisions_that_touch_the_source_are_taken(tmp_path: Path) -> None:
    maker = RepositoryMaker()
    for files in ({"src/a.c": "1"}, {"src/a.c": "2"}, {"NEWS": "3"}, {"src/b.h": "4"}, {"NEWS": "5"}):
        maker.revision(files)
    maker.make(tmp_path)
    repository = open_repository(tmp_path)
    history = repository.read_history(branch="main")

    chosen = last_revisions(repository, history, 2, ("src/*.[ch]",))

    assert [history.positions[each.id] for each in chosen] == [1, 3]
    assert last_revisions(repository, history, 2) == history.revisions[-2:]


def test_a_verdict_about_another_benchmark_finds_nothing() -> None:
    truth = Given({("pack", "fast"): 0.2, ("unpack", "fast"): 0.2})

    judged = judge([checked(Measured("unpack", "fast", "slower", 0.2))], truth)

    assert [each.benchmark for each in judged.missed] == ["pack"]


def test_small_regressions_may_be_missed() -> None:
    assert not judge([checked()], Given({("pack", "fast"): 0.049})).regressions


def test_a_case_that_fails_at_the_head_alone_is_a_regression() -> None:
    truth = Given({("pack", "fast"): inf})

    assert judge([checked()], truth).missed
    assert not judge([checked(Measured("pack", "fast", "fails", None))], truth).missed


@pytest.mark.parametrize(("true", "alarms"), [(0.0, 1), (0.005, 1), (0.01, 0), (0.2, 0)])
def test_a_slower_case_that_hardly_grows_is_a_false_alarm(true: float, alarms: int) -> None:
    judged = judge([checked(Measured("pack", "fast", "slower", 0.02))], Given({("pack", "fast"): true}))

    assert len(judged.alarms) == alarms


def test_a_revision_without_an_answer_counts_neither_cases_nor_regressions() -> None:
    judged = judge([checked(problem="it does not build")], Given({("pack", "fast"): 1.0}))

    assert (judged.cases, judged.regressions, len(judged.checks)) == (0, (), 1)


def test_counts_of_cases_that_the_base_does_not_have_are_not_compared() -> None:
    before = Counted(BASE, (("pack", "fast", 100.0), ("pack", "!fast", None)), 1, 1, 0.0)
    after = Counted(HEAD, (("pack", "fast", 106.0), ("pack", "!fast", 90.0), ("pack", "new", 1.0)), 1, 1, 0.0)

    growths = CountedTruth({BASE: before, HEAD: after}).growths(BASE, HEAD)

    assert growths == {("pack", "fast"): pytest.approx(0.06)}


def test_planted_changes_between_base_and_head_count_where_their_term_holds() -> None:
    revisions = [Revision(RevisionId(str(at) * 40), (), at, "Ada", "a change") for at in range(4)]
    planted = {
        "change_points": [
            {"revision": 0, "options": [], "steps": {"pack": [0.5, 0.9]}},
            {"revision": 1, "options": ["fast"], "steps": {"pack": [0.1, 0.2]}},
            {"revision": 2, "options": [], "steps": {"pack": [-0.4, -0.5]}},
        ],
        "crashes": [{"position": 3, "where": ["!fast"]}],
    }
    space = Space.of([Option("fast", (False, True), False)])
    truth = PlantedTruth(History(tuple(revisions)), lambda _base, _head: space, ("pack", "unpack"), planted)

    assert truth.growths(revisions[0].id, revisions[2].id) == {
        ("pack", "fast"): pytest.approx(exp(0.1 - 0.4) - 1),
        ("pack", "!fast"): pytest.approx(exp(-0.4) - 1),
        ("unpack", "fast"): 0.0,
        ("unpack", "!fast"): 0.0,
    }
    assert truth.growths(revisions[2].id, revisions[3].id)["unpack", "!fast"] == inf


def test_tables_tell_shares_of_all_cases_and_every_miss() -> None:
    truth = Given({("pack", "fast"): 0.3, ("pack", "!fast"): 0.0})
    judged = judge([checked(Measured("pack", "!fast", "slower", 0.02))] * 2, truth)

    assert "| **10.0 %** |" in saving_table([("subject", judged)])
    assert "| subject | 2 | 2 | **0** | 2 of 2 | 2 | 0 of 1 | - |" in finding_table([("subject", judged)])
    assert "bbbbbbbb a change | pack | 1 | +30.0 % | yes" in regression_table(judged.regressions)
    assert "+2.0 % was said, +0.0 % is true" in alarm_list(judged.alarms)


def test_what_was_checked_is_read_again_as_it_was(tmp_path: Path) -> None:
    kept = checked(Measured("pack", "fast", "slower", 0.1))
    file = tmp_path / "checks.jsonl"
    file.write_text(json.dumps(asdict(kept)) + '\n{"revision": "cut sh')

    assert list(read_checks(file)) == [kept]
