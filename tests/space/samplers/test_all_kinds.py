"""What holds of every kind of sample."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.errors import InvalidConfiguration, UnknownOption, UsageError
from sonde.space.samplers.choosing import KINDS, SamplerRequest, sample
from tests.space.samplers.spaces import CONSTRAINED, some_terms, spaces_with_samples

RANDOM = ("uniform", "distance-based", "keep-term", "vary-term")
TERMS = ("keep-term", "vary-term", "reduced-set")


@st.composite
def requests(draw, space):
    kind = draw(st.sampled_from(sorted(KINDS)))
    term = sorted(draw(some_terms(space)), key=str) if kind in TERMS else []
    if kind in TERMS and not term:
        kind = "pair-wise"
    named = tuple(literal.option if kind == "reduced-set" else str(literal) for literal in term)
    return SamplerRequest(
        kind,
        count=draw(st.none() | st.integers(0, 12)),
        strength=draw(st.integers(1, 3)),
        options=named,
        seed=draw(st.integers(0, 99)),
        levels=draw(st.sampled_from([None, 2, 3, 5])),
    )


@given(drawn=spaces_with_samples(), data=st.data())
def test_all_are_valid_new_and_different(drawn, data):
    space, sampled = drawn
    request = data.draw(requests(space))
    found = sample(space, request, sampled)

    assert all(space.is_valid(each) for each in found)
    assert len(set(found)) == len(found)
    assert not set(found) & set(sampled)
    assert request.count is None or len(found) <= request.count


@given(drawn=spaces_with_samples(), data=st.data())
def test_the_same_wish_gives_the_same_sample_in_whatever_order_the_sampled_come(drawn, data):
    space, sampled = drawn
    request = data.draw(requests(space))
    again = data.draw(st.permutations([*sampled, *sampled]))

    assert sample(space, request, sampled) == sample(space, request, again)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_something_and_says_what(kind):
    options = ("strong", "force") if kind in TERMS else ()
    found = sample(CONSTRAINED, SamplerRequest(kind, options=options, seed=3))

    assert found
    assert KINDS[kind].description
    assert "\n" not in KINDS[kind].description


@pytest.mark.parametrize("kind", RANDOM)
def test_another_seed_gives_another_sample(kind):
    options = ("strong", "force", "keep", "quiet", "!tiny", "sparse") if kind in TERMS else ()
    samples = {sample(CONSTRAINED, SamplerRequest(kind, 5, options=options, seed=seed)) for seed in range(5)}

    assert len(samples) > 1


def test_a_sample_does_not_depend_on_the_process():
    program = (
        "from tests.space.samplers.spaces import CONSTRAINED\n"
        "from sonde.space.samplers.choosing import KINDS, SamplerRequest, sample\n"
        "for kind in KINDS:\n"
        "    request = SamplerRequest(kind, 9, options=('strong', 'force', 'keep', 'quiet'))\n"
        "    print(*sample(CONSTRAINED, request))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[3])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(outputs) == 1


def test_an_unknown_kind_is_a_mistake_that_names_the_nearest():
    with pytest.raises(UsageError, match=r"'pairwise' is not a kind of sample\. Did you mean 'pair-wise'"):
        sample(CONSTRAINED, SamplerRequest("pairwise"))


@pytest.mark.parametrize("kind", TERMS)
def test_a_kind_about_some_options_needs_them(kind):
    with pytest.raises(UsageError, match=f"kind '{kind}' needs the options"):
        sample(CONSTRAINED, SamplerRequest(kind))


@pytest.mark.parametrize(
    ("wanted", "error", "words"),
    [
        (SamplerRequest("keep-term", options=("strung",)), UnknownOption, "Did you mean 'strong'"),
        (
            SamplerRequest("vary-term", options=("level=4",)),
            InvalidConfiguration,
            "'4' is not one of its values",
        ),
        (SamplerRequest("vary-term", options=("level",)), InvalidConfiguration, "it needs a value"),
        (SamplerRequest("reduced-set", options=("strung",)), UnknownOption, "Did you mean 'strong'"),
        (SamplerRequest("uniform", count=-1), UsageError, "count of a sample must be at least 0, not -1"),
        (SamplerRequest("t-wise", strength=0), UsageError, "strength of a sample must be at least 1, not 0"),
        (SamplerRequest("plackett-burman", levels=6), UsageError, "prime number of levels, not 6"),
    ],
)
def test_a_request_that_does_not_fit_is_a_mistake(wanted, error, words):
    with pytest.raises(error, match=words):
        sample(CONSTRAINED, wanted)
