"""The models of library functions."""

from __future__ import annotations

import pytest

from sonde.methods.impact.library.models import NAMED, RESULT, UNKNOWN, CallValue, Transfer, effect_of


def test_memcpy_copies_memory_as_it_is_and_returns_where_to():
    effect = effect_of("memcpy")

    assert effect.transfers == (
        Transfer(CallValue(1, 1), CallValue(0, 1), True),
        Transfer(CallValue(0, 0), CallValue(RESULT, 0), True),
    )
    assert effect.transfers[0].is_copy
    assert not effect.transfers[1].is_copy
    assert effect.cost == (CallValue(2, 0),)


def test_texts_are_copied_without_pointers():
    assert Transfer(CallValue(1, 1), CallValue(0, 1), False) in effect_of("strcpy").transfers


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("rpl_malloc", "malloc"),
        ("fputs_unlocked", "fputs"),
        ("__isoc99_sscanf", "sscanf"),
        ("__isoc23_strtol", "strtol"),
        ("__memcpy_chk", "memcpy"),
        ("__strcpy_chk", "strcpy"),
        ("fopen64", "fopen"),
        ("llvm.memset.p0.i64", "llvm.memset"),
        ("__builtin_strlen", "strlen"),
        ("\x01fopen", "fopen"),
    ],
)
def test_other_names_of_a_function_mean_the_same(name, plain):
    assert effect_of(name) == effect_of(plain)
    assert effect_of(plain).is_known


def test_checked_functions_with_more_arguments_have_their_own_model():
    sprintf, checked = effect_of("sprintf"), effect_of("__sprintf_chk")

    assert sprintf.transfers[0].source == CallValue(1, 1)
    assert checked.transfers[0].source == CallValue(3, 1)
    assert effect_of("__fgets_chk").cost[0] == CallValue(2, 0)


def test_the_size_of_an_allocation_costs_but_does_not_flow():
    for name in ("malloc", "calloc", "_Znwm"):
        effect = effect_of(name)
        assert effect.is_fresh
        assert effect.cost
        assert effect.transfers == ()


def test_growing_memory_hands_on_its_contents():
    effect = effect_of("realloc")

    assert effect.is_fresh
    assert Transfer(CallValue(0, 1), CallValue(RESULT, 1), True) in effect.transfers


def test_a_sort_calls_the_comparison_with_pointers_into_the_table():
    (callback,) = effect_of("qsort").callbacks

    assert callback.argument == CallValue(3, 0)
    assert callback.arguments == (CallValue(0, 0), CallValue(0, 0))


def test_options_come_out_of_the_arguments_of_the_program():
    transfers = effect_of("getopt_long").transfers

    assert Transfer(CallValue(1, 1), CallValue(NAMED, 1, name="optarg"), True) in transfers
    assert Transfer(CallValue(1, 2), CallValue(RESULT, 0), False) in transfers


@pytest.mark.parametrize(
    "name", ["exit", "abort", "__assert_fail", "longjmp", "__cxa_throw", "_ZSt20__throw_length_errorPKc"]
)
def test_some_functions_do_not_return(name):
    assert effect_of(name).never_returns


def test_most_functions_return():
    assert not effect_of("printf").never_returns
    assert not UNKNOWN.never_returns


def test_an_unknown_function_is_taken_with_caution():
    effect = effect_of("frobnicate")

    assert effect is UNKNOWN
    assert not effect.is_known
    assert effect.cost


def test_rest_means_all_further_arguments():
    rest = next(each for each in effect_of("printf").cost if each.is_rest)

    assert list(rest.arguments(4)) == [1, 2, 3]
    assert list(rest.arguments(1)) == []
    assert list(CallValue(2, 0).arguments(2)) == []
    assert list(CallValue(RESULT, 0).arguments(2)) == []


COMMON = """
getline fread fgets printf fscanf bsearch strtoul __ctype_b_loc tolower read write open mbrtowc iswspace
pthread_mutex_lock signal time pow mmap _ZdlPv llvm.lifetime.start.p0 llvm.umax.i32 __errno_location
"""


def test_common_functions_are_known():
    assert [name for name in COMMON.split() if not effect_of(name).is_known] == []


@pytest.mark.parametrize(
    ("writer", "reader", "name"),
    [
        ("srand", "rand", "random-state"),
        ("srandom", "random", "random-state"),
        ("setlocale", "strcoll", "locale"),
        ("setlocale", "mbrtowc", "locale"),
        ("strtok", "strtok", "strtok-rest"),
        ("setenv", "getenv", "environ"),
        ("putenv", "getenv", "environ"),
    ],
)
def test_what_a_library_keeps_between_calls_has_one_name(writer, reader, name):
    assert name in {each.target.name for each in effect_of(writer).transfers}
    assert name in {each.source.name for each in effect_of(reader).transfers}
