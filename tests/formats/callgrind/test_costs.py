"""What callgrind writes of costs and calls, and what is read from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.formats.callgrind.costs import Costs, Garbled, read_costs

HEAD = b"# callgrind format\nversion: 1\npositions: instr\nevents: Ir\nsummary: 20\n\n"
TEXT = (
    HEAD
    + b"""
ob=(1) /sonde/build/xz
fl=(1) main.c
fn=(1) main
0x1000 1
+4 2
cob=(2) /lib/libc.so.6
cfi=(2) ???
cfn=(2) printf
calls=3 0x500
* 7
+2 1
cfn=(3) visit
calls=1 +94
* 4
fi=(3) inline.h
-6 1

fn=(3)
0x1064 2
cfn=(4) visit'2
calls=5 *
* 9
fe=(1)

fn=(4)
0x1064 2

ob=(2)
fl=(2)
fn=(2)
0x500 7
+1 4

totals: 20
"""
)


def read(text: bytes, *located: str) -> list[Costs]:
    return list(read_costs(text, lambda path: path in located))


def test_costs_and_calls_are_read_by_address_where_it_is_wanted():
    (costs,) = read(TEXT, "/sonde/build/xz")

    xz, printf = "/sonde/build/xz", ("/lib/libc.so.6", "printf")
    assert costs.own == {(xz, 0x1000): 2, (xz, 0x1004): 2, (xz, 0x1006): 1, (xz, 0x1064): 4, printf: 11}
    assert costs.calls == {
        ((xz, 0x1004), printf): (3, 7),
        ((xz, 0x1006), (xz, 0x1064)): (1, 4),
        ((xz, 0x1064), (xz, 0x1064)): (5, 9),
    }


def test_depths_of_a_recursion_are_one_function():
    (costs,) = read(TEXT)

    assert costs.own["/sonde/build/xz", "visit"] == 4
    assert {function for (_, function), _ in costs.calls} == {"main", "visit"}


def test_every_finished_dump_in_a_file_is_read():
    assert read(TEXT + TEXT) == read(TEXT) * 2
    assert read(TEXT + TEXT[: TEXT.index(b"totals")]) == read(TEXT)
    assert read(b"") == []


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"+4 2", b"+4 3", "its costs sum up to 21, and not to 20"),
        (b"fn=(1) main", b"fn=(9)", "(9) was never named"),
        (b"0x1000 1", b"0x1000 17 1", "too many values"),
        (b"0x1000 1", b"0xyz 1", "invalid literal"),
    ],
)
def test_a_garbled_file_is_told(old, new, reason):
    with pytest.raises(Garbled) as raised:
        read(TEXT.replace(old, new))

    assert reason in str(raised.value)


@given(noise=st.binary(max_size=200), at=st.integers(min_value=0, max_value=len(TEXT)))
def test_noise_in_a_file_is_read_or_told(noise, at):
    try:
        found = read(TEXT[:at] + noise + TEXT[at:], "/sonde/build/xz")
    except Garbled:
        return
    assert all(sum(costs.own.values()) >= 0 for costs in found)


rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("fgh"), st.integers(1, 300), st.integers(1, 1000)),
    max_size=30,
)


@given(rows=rows)
def test_relative_positions_mean_the_same_as_absolute_ones(rows):
    def write(relative: bool) -> bytes:
        lines, last = [], 0
        for home, function, address, cost in rows:
            difference = address - last
            short = "*" if difference == 0 else f"{difference:+}"
            where = short if relative and last and abs(difference) < 100 else hex(address)
            lines += [f"ob=({home}) /{home}", f"fn=({function}) {function}", f"{where} {cost}"]
            last = address
        total = sum(cost for *_, cost in rows)
        return HEAD + "\n".join([*lines, "", f"totals: {total}", ""]).encode()

    expected: dict[tuple[str, int], int] = {}
    for home, _, address, cost in rows:
        expected[f"/{home}", address] = expected.get((f"/{home}", address), 0) + cost
    for relative in (False, True):
        (costs,) = read(write(relative), "/a", "/b", "/c")
        assert costs.own == expected
