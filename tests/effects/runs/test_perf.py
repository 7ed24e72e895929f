"""What perf is called with, and what it writes."""

import pytest

from sonde.effects.runs import perf


def test_the_words_of_perf(golden):
    golden("runs/perf.txt", "\n".join(perf.WORDS) + "\n")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# started on Sat Nov 15\n\n123456,,instructions:u,2000000,100.00,,\n", 123456),
        # Two kinds of cores, of which one or both took part.
        ("100,,cpu_core/instructions:u/,9,100.00,,\n20,,cpu_atom/instructions:u/,9,100.00,,\n", 120),
        ("<not counted>,,cpu_atom/instructions:u/,0,0.00,,\n7,,cpu_core/instructions:u/,9,100.00,,\n", 7),
        ("<not supported>,,instructions:u,0,100.00,,\n", None),
        ("<not counted>,,instructions:u,0,0.00,,\n", None),
        ("1000,,instructions:u,9,42.00,,\n", None),  # an estimate from a part of the time
        ("", None),
        ("Error: access to performance monitoring is limited\n", None),
    ],
)
def test_only_real_counts_are_read(text, count):
    assert perf.read_instructions(text) == count
