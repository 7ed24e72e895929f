"""What is spent in functions that go through texts, as far as it depends on the program."""

from __future__ import annotations

from sonde.core.evidence import ProfiledFunction
from sonde.formats.callgrind.nodes import CallGraph, Elsewhere
from sonde.formats.callgrind.texts import sum_text_functions

LIBRARY, LOADER = "/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2"
MAIN = ProfiledFunction("bin/toy", "", "main")


def graph(own, calls=()):
    made = CallGraph()
    made.own.update(own)
    for caller, callee, cost in calls:
        made.costs[caller, callee] += cost
    return made


def test_variants_are_summed_and_other_functions_left_out():
    own = {
        MAIN: 1000,
        ProfiledFunction("bin/toy", "", "strlen"): 70,
        Elsewhere(LIBRARY, "__strlen_avx2"): 30,
        Elsewhere(LIBRARY, "__strlen_sse2"): 4,
        Elsewhere(LIBRARY, "__memcpy_avx_unaligned_erms"): 500,
        Elsewhere("/lib/libother.so", "strcmp"): 6,
    }

    assert sum_text_functions(graph(own)) == {"strlen": 34, "strcmp": 6}


def test_what_the_loader_does_for_itself_is_left_out():
    chooser, used = Elsewhere(LIBRARY, "strlen"), Elsewhere(LIBRARY, "__strlen_avx2")
    own = {chooser: 44, used: 100, Elsewhere(LOADER, "strcmp"): 6000}
    calls = [(Elsewhere(LOADER, "_dl_relocate_object"), chooser, 44), (MAIN, used, 100)]

    assert sum_text_functions(graph(own, calls)) == {"strlen": 100}


def test_functions_of_the_c_library_without_a_name_may_be_such():
    own = {
        Elsewhere(LIBRARY, "0x000000000015a9c0"): 20,
        Elsewhere("/lib/libm.so.6", "0x0000000000001000"): 40,
    }

    assert sum_text_functions(graph(own)) == {"": 20}
