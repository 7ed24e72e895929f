"""Whatever a parser is given, it reads it or says that it cannot, and soon."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.mutations import mutated
from tests.fuzz.parsers import PARSERS, Parser

INPUTS = 10  # for each example that is drawn: `make fuzz` tries ten thousand
LONGEST_SECONDS = 10.0  # of the processor, where milliseconds are usual
MOST_BYTES = 4 << 30
DEPTHS = (0, 0, 150, 300, 500)  # of calls that are under way already, as where a library calls Sonde


@pytest.fixture(autouse=True, scope="module")
def little_memory():
    """What takes all memory fails, and does not take the machine with it."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def test_what_hangs_is_ended():
    def hang() -> None:
        while True:
            pass

    with pytest.raises(TakesTooLong), ended_if_it_hangs(0.01):
        hang()


class TakesTooLong(BaseException):
    """No complaint of a parser."""


@contextmanager
def ended_if_it_hangs(seconds: float = LONGEST_SECONDS) -> Iterator[None]:
    """Fail once this process has worked too long on one content."""

    def fail(*_: object) -> None:
        raise TakesTooLong

    before = signal.signal(signal.SIGVTALRM, fail)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("parser", PARSERS, ids=lambda each: each.name)
@given(seed=st.integers(0, 2**64))
def test_nothing_but_a_complaint_comes_of_wrong_content(parser: Parser, seed: int):
    examples = parser.examples()
    for number in range(INPUTS):
        rng = Random(f"{seed}/{number}")
        content = mutated(rng.choice(examples), rng, examples)
        with ended_if_it_hangs(), suppress(*parser.complaints):
            deep(rng.choice(DEPTHS), partial(parser.read, content))


# What failed once, with how many calls under way.
FOUND = (
    ("command line", 500, b"(" * 120),  # RecursionError
    ("project file", 0, b"a." * 100_000 + b"b = 1"),  # RecursionError
    ("project file", 0, b'repository = "' + b"-" * 5_000 + b'"'),  # OSError: File name too long
    ("range", 0, b"v1..mai" + b"a" * 200_000),  # OSError: Argument list too long
    ("bitcode", 0, b"define i32 @f(, i32 %n) {\n}\n"),  # IndexError
    ("bitcode", 0, b"!1 = !DIDerivedType(tag: DW_TAG_typedef, " + b"a" * 400_000 + b")\n"),  # quadratic time
)


@pytest.mark.parametrize(("name", "calls", "content"), FOUND)
def test_what_was_found_is_read_or_refused(name: str, calls: int, content: bytes):
    (parser,) = (each for each in PARSERS if each.name == name)
    with ended_if_it_hangs(), suppress(*parser.complaints):
        deep(calls, partial(parser.read, content))


def deep(levels: int, act: Callable[[], object]) -> object:
    """What `act` gives, called from so many calls within each other."""
    return deep(levels - 1, act) if levels else act()


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
