from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.space.projections import combinations
from sonde.space.space import Space

SWITCH = (False, True)
SPACE = Space.of(
    [
        Option("a", SWITCH, False),
        Option("b", SWITCH, False),
        Option("level", (1, 5, 9), 5),
        Option("mode", ("x", "y"), "y"),
    ],
    ["a implies b", "level = 9 implies mode = x"],
)


@given(names=st.sets(st.sampled_from(["a", "b", "level", "mode"])))
def test_each_valid_combination_comes_once_and_the_default_first(names: set[str]) -> None:
    found = list(combinations(SPACE, names))

    projected = [tuple(each[name] for name in sorted(names)) for each in found]
    everything = {tuple(each[name] for name in sorted(names)) for each in SPACE.configurations()}
    assert set(projected) == everything
    assert len(projected) == len(everything)
    assert found[0] == SPACE.default
    assert all(SPACE.is_valid(each) for each in found)


def test_other_options_stay_near_their_defaults() -> None:
    found = {str(each) for each in combinations(SPACE, ["a"])}

    assert found == {"!a,!b,level=5,mode=y", "a,b,level=5,mode=y"}
