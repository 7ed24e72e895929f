"""Whatever a parser is given, it reads it or says that it cannot, and soon."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.mutations import mutated
from tests.fuzz.parsers import PARSERS, Parser

INPUTS = 10  # for each example that is drawn: `make fuzz` tries ten thousand
LONGEST_SECONDS = 10.0


@pytest.mark.parametrize("parser", PARSERS, ids=lambda each: each.name)
@given(seed=st.integers(0, 2**64))
def test_nothing_but_a_complaint_comes_of_wrong_content(parser: Parser, seed: int):
    examples = parser.examples()
    for number in range(INPUTS):
        rng = Random(f"{seed}/{number}")
        content = mutated(rng.choice(examples), rng, examples)
        begun = time.process_time()
        with suppress(*parser.complaints):
            parser.read(content)
        assert time.process_time() - begun < LONGEST_SECONDS


@pytest.mark.parametrize("parser", PARSERS, ids=lambda each: each.name)
def test_the_examples_are_read(parser: Parser):
    readable = 0
    for content in parser.examples():
        try:
            parser.read(content)
        except parser.complaints:
            continue
        readable += 1
    assert readable
