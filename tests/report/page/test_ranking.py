from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sonde.report.page.model import ChangeEvidence, ShownEffect
from sonde.report.page.ranking import ranked, score
from tests.report.page.pages import made_page

ONE = made_page().changes[0]


def sized(low, log, high, **others):
    return replace(ONE, effect=ShownEffect(log, low, high), **others)


def test_a_certain_size_counts_more_than_a_large_guess():
    sure, vague = sized(0.19, 0.2, 0.21), sized(0.02, 0.4, 0.8)

    assert ranked([vague, sure])[0].effect == sure.effect


def test_a_known_revision_counts_more_than_a_range():
    assert score(ONE) > score(replace(ONE, apart=9))


def test_what_may_be_noise_comes_last():
    assert score(replace(ONE, evidence=ChangeEvidence.UNCLEAR)) < score(sized(0.19, 0.2, 0.21))


@given(st.lists(st.floats(-2, 2), max_size=8))
def test_each_key_occurs_once_and_regressions_come_first(effects):
    rows = ranked(sized(effect - 0.01, effect, effect + 0.01) for effect in effects)

    assert len({row.key for row in rows}) == len(rows) == len(effects)
    assert [row.is_slower for row in rows] == sorted((row.is_slower for row in rows), reverse=True)
