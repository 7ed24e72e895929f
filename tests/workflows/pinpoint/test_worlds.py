from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration, Option
from sonde.core.revisions import Span, Timeline
from sonde.workflows.pinpoint.worlds import life_over
from tests.values import revision_id

REVISIONS = tuple(revision_id(position) for position in range(12))
OPTIONS = (
    Option("always", (False, True), False),
    Option("new", (False, True), False, span=Span(since="new")),
    Option("old", (False, True), True, span=Span(until="old")),
    Option("level", (1, 5, 9), 5, span=Span("level", "no level")),
)


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    """Boundaries that any revisions descend from: a history that is not linear may be in any order."""
    reached = st.frozensets(st.sampled_from(REVISIONS))
    later = st.integers(0, len(REVISIONS)).map(lambda position: frozenset(REVISIONS[position:]))
    names = ("new", "old", "level", "no level")
    return Timeline({name: draw(st.one_of(later, reached)) for name in names})


configurations = st.fixed_dictionaries(
    {option.name: st.sampled_from(option.values) for option in OPTIONS}
).map(Configuration.of)


def exists(configuration: Configuration, position: int, timeline: Timeline) -> bool:
    return all(
        configuration[option.name] == option.default or timeline.covers(option.span, REVISIONS[position])
        for option in OPTIONS
    )


@given(timelines(), configurations)
def test_a_configuration_exists_throughout_its_life_and_no_other_stretch_is_longer(timeline, configuration):
    first, end = life_over(REVISIONS, OPTIONS, timeline)(configuration)

    alive = [exists(configuration, position, timeline) for position in range(len(REVISIONS))]
    assert all(alive[first:end])
    stretches = "".join("x" if each else " " for each in alive).split()
    assert end - first == max(map(len, stretches), default=0)


def test_what_chooses_no_bounded_option_lives_for_ever():
    timeline = Timeline(dict.fromkeys(("new", "old", "level", "no level"), frozenset()))
    default = Configuration.of({option.name: option.default for option in OPTIONS})

    assert life_over(REVISIONS, OPTIONS, timeline)(default) == (0, len(REVISIONS))
