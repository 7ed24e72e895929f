from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from sonde.core.findings.measurements import Plan, Survey, Surveyed
from sonde.core.findings.plans import Effort, Pace
from sonde.core.options import Configuration
from sonde.core.points import Point
from sonde.core.results import Cost, Failed, Measurement, Metric, Result, Sample, Stage, Twin
from sonde.core.revisions import History, Revision
from sonde.report.measure.measured import measured_json, measured_text, plan_text
from sonde.report.measure.survey import failures_text, survey_summary, survey_text
from tests.values import revision_id

DEFAULT = Configuration.of({"level": 1, "checksum": False})
STRONG = Configuration.of({"level": 9, "checksum": True})
SUBJECTS = [
    "Begin",
    "Mend the README",
    "Make it slow; which nobody had expected to happen in this very place",
    "日本語",
    "x\ty",
]


def at(position: int, configuration: Configuration = DEFAULT) -> Point:
    return Point(revision_id(position), configuration, "pack")


def measured(place: Point, *values: float, twin: Twin | None = None) -> Result:
    samples = tuple(Sample(n, ((Metric.INSTRUCTIONS, value),), 0.0) for n, value in enumerate(values))
    return Result(place, Measurement(samples, twin))


def survey(results: Mapping[Point, Result], elsewhere: int = 0) -> Survey:
    revisions = [Revision(revision_id(i), (), i, "Ada", subject) for i, subject in enumerate(SUBJECTS)]
    metrics, runs = {"pack": Metric.INSTRUCTIONS}, {"pack": 2}
    return Survey(History(tuple(revisions)), (DEFAULT, STRONG), DEFAULT, metrics, runs, results, elsewhere)


RESULTS = [
    measured(at(0), 1.0e6, 1.0e6),
    measured(at(0, STRONG), 2.0e6),
    measured(at(1), 1.0e6, 1.0e6, twin=Twin(at(0), "same build inputs")),
    measured(at(1, STRONG), 2.0e6, twin=Twin(at(0, STRONG), "same build inputs")),
    measured(at(2), 1.25e6, 1.27e6),
    Result(
        at(2, STRONG), Failed(Stage.RUN, "The benchmark ended with segmentation fault (SIGSEGV).", "tail\n")
    ),
    Result(at(3), Failed(Stage.BUILD, "The build ended with exit code 2.", "cc: error\n")),
    Result(at(3, STRONG), Failed(Stage.BUILD, "The build ended with exit code 2.", "cc: error\n")),
    measured(at(4), 1.001e6),
]
ALL = survey({result.point: result for result in RESULTS})


def test_the_table_tells_measured_shared_failed_and_unknown_apart(golden):
    golden("report/survey.txt", survey_text(ALL))


def test_the_json_holds_every_sample_twin_and_failure(golden):
    answer = Surveyed(ALL, "every point is measured or has failed", Cost(runs=7, builds=3, seconds=83.2))

    golden("report/survey.json", json.dumps(measured_json(answer), indent=2, ensure_ascii=False) + "\n")


def test_the_cost_is_told_in_words():
    answer = Surveyed(ALL, "the budget of 7 runs is spent", Cost(runs=7, builds=1, seconds=83.2))
    nothing = Surveyed(ALL, "every point is measured or has failed", Cost())

    assert measured_text(answer).endswith(
        "The budget of 7 runs is spent. It took 1 build and 7 runs, 1 min 23 s of work."
    )
    assert measured_text(nothing).endswith("No build or run was needed: all results were already stored.")


def test_what_was_never_measured_is_called_unknown():
    assert "10 unknown" in survey_summary(survey({}))
    assert "Of the unknown ones, 3 were measured with a different recipe" in survey_summary(survey({}, 3))


def test_a_change_is_shown_only_where_all_samples_of_one_are_above_all_of_the_other():
    overlapping = [measured(at(0), 1.0e6, 1.3e6), measured(at(1), 1.2e6, 1.5e6)]
    apart = [measured(at(0), 1.0e6, 1.1e6), measured(at(1), 1.2e6, 1.5e6)]

    assert "%" not in survey_text(survey({result.point: result for result in overlapping}))
    assert "+28.6 %" in survey_text(survey({result.point: result for result in apart}))


def test_equal_failures_are_printed_once(golden):
    golden("report/failures.txt", failures_text(ALL) + "\n")
    assert failures_text(survey({})) == "No failures are known here."


def test_a_survey_names_interpreters_machine_and_compilers_where_they_are_known():
    here = replace(ALL, environment="CPU, 2 cores; cc 12.2.0", programs={"pack": "python3: Python 3.11.2"})

    assert survey_text(here).splitlines()[-2:] == [
        "Programs that commands name: python3: Python 3.11.2.",
        "Machine and compilers: CPU, 2 cores; cc 12.2.0.",
    ]
    assert "Machine and compilers" not in survey_text(ALL)


def test_a_plan_is_told_in_words():
    assert plan_text(Plan(8, 2, 1, Effort(1, 10, Pace(2.0, 0.5)), "2 runs")) == (
        "8 points, 2 of them known, 1 without an option that they select. At most 1 build and 10 runs, "
        "fewer if builds are equal; the budget is 2 runs. "
        "That takes about 7.0 s: 2.0 s per build and 0.5 s per run, as so far."
    )


def test_a_plan_without_work_says_so():
    nothing = Plan(8, 8, 0, Effort(0, 0), "unlimited")

    assert plan_text(nothing) == "8 points, 8 of them known. There is nothing to build or run."


def test_an_answer_without_any_value_is_none():
    failed = [result for result in RESULTS if isinstance(result.outcome, Failed)]

    assert Surveyed(ALL, "", Cost()).has_answer
    assert not Surveyed(survey({result.point: result for result in failed}), "", Cost()).has_answer
