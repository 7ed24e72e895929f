from dataclasses import replace

from sonde.core.options import Configuration
from sonde.report.page.histories import history_page
from sonde.report.page.model import ChangeEvidence
from tests.report.made_histories import DEFAULT, STRONG, Step, histories_of, stepped
from tests.report.page.pages import CONTEXT, made_histories, made_page


def counts(page):
    return {count.name: count.number for count in page.counts}


def test_regressions_come_first_then_improvements():
    page = made_page()

    assert [change.is_slower for change in page.changes] == [True, True, False]
    assert counts(page)["slower"] == 2
    assert counts(page)["faster"] == 1


def test_a_change_says_who_when_where_how_much_and_how_sure():
    change = made_page().changes[0]

    assert change.benchmark == "pack"
    assert change.revision.subject == "日本語の説明"
    assert change.evidence is ChangeEvidence.EXACT
    assert change.where == "in every configuration that has values (2)"
    assert (change.before, change.after) == ("50 ms", "80 ms")
    assert change.command.startswith("sonde show ")
    assert change.command.endswith(" -b pack --no-sandbox")


def test_a_change_of_some_configurations_names_their_options():
    found = histories_of(
        stepped(50, 1.0, [Step(20, 2.0)], configuration=STRONG),
        stepped(50, 1.0, configuration=DEFAULT),
        stepped(50, 1.0, configuration=Configuration.of({"level": 1, "checksum": True})),
    )

    (change,) = history_page(found, CONTEXT).changes

    assert change.where == "where level=9"
    assert change.options == ("level",)


def test_a_series_that_may_have_the_same_change_is_no_evidence_against_it():
    found = histories_of(
        stepped(50, 1.0, [Step(20, 2.0)], configuration=STRONG),
        stepped(50, 1.0, [Step(22, 0.5, 5)], configuration=DEFAULT),
    )

    changes = history_page(found, CONTEXT).changes

    assert changes[0].where == "with level=9"


def test_a_range_is_narrowed_by_the_command_that_is_shown():
    change = next(each for each in made_page().changes if each.apart > 1)

    assert change.evidence is ChangeEvidence.RANGE
    assert "--exact" in change.command


def test_a_change_within_noise_says_so():
    found = made_histories()
    (first, *_) = found.series[0].changes
    blurred = replace(found.series[0], changes=(replace(first, effect_low=-0.1),))

    (change,) = history_page(replace(found, series=(blurred,)), CONTEXT).changes

    assert change.evidence is ChangeEvidence.UNCLEAR
    assert history_page(replace(found, series=(blurred,)), CONTEXT).sentence.endswith("within noise.")


def test_too_few_values_are_not_no_change():
    few = replace(stepped(9, 1.0), measured=1, proven=0)

    assert history_page(histories_of(few), CONTEXT).sentence == (
        "No change can be found: fewer than two revisions of each series have a value."
    )


def test_what_was_never_looked_at_is_counted():
    found = counts(history_page(histories_of(stepped(30, 1.0, measured_every=7, failed=(3,))), CONTEXT))

    assert found["measured"] + found["proven equal"] + found["failed"] + found["never looked at"] == 30
    assert found["failed"] == 1
