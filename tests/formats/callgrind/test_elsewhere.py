from sonde.core.evidence import ProfiledFunction
from sonde.formats.callgrind.elsewhere import sum_elsewhere
from sonde.formats.callgrind.nodes import CallGraph, Elsewhere


def place(name: str) -> ProfiledFunction:
    return ProfiledFunction("xz", "", name)


def library(name: str) -> Elsewhere:
    return Elsewhere("/lib/libc.so.6", name)


def graph(own, costs) -> CallGraph:
    found = CallGraph()
    found.own.update(own)
    found.costs.update(costs)
    return found


def test_libraries_count_for_who_calls_them():
    calls = {
        (place("main"), place("copy")): 120,
        (place("copy"), library("memcpy")): 100,
        (place("main"), library("puts")): 7,
        (library("start"), place("main")): 130,
    }
    own = {place("main"): 3, place("copy"): 20, library("memcpy"): 100, library("puts"): 7}

    assert sum_elsewhere(graph(own, calls)) == {place("copy"): 100, place("main"): 7}


def test_the_loader_counts_for_nobody():
    resolve = Elsewhere("/lib64/ld-linux-x86-64.so.2", "_dl_runtime_resolve_xsave")
    calls = {(place("main"), resolve): 900, (place("main"), library("puts")): 7}

    assert sum_elsewhere(graph({resolve: 900, library("puts"): 7}, calls)) == {place("main"): 7}


def test_what_a_library_calls_back_counts_for_itself():
    calls = {
        (place("main"), library("qsort")): 100,
        (library("qsort"), library("merge")): 90,
        (library("merge"), place("compare")): 60,
        (place("compare"), library("strcmp")): 40,
    }
    own = {library("qsort"): 10, library("merge"): 30, place("compare"): 20, library("strcmp"): 40}

    assert sum_elsewhere(graph(own, calls)) == {place("main"): 40, place("compare"): 40}


def test_libraries_that_call_each_other_in_circles_have_a_share_as_well():
    calls = {
        (place("main"), library("one")): 100,
        (library("one"), library("two")): 60,
        (library("two"), library("one")): 30,
        (library("two"), place("back")): 20,
    }
    own = {library("one"): 40, library("two"): 10, place("back"): 20}
    (found,) = sum_elsewhere(graph(own, calls)).values()

    assert 40 < found < 100
