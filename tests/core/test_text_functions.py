"""Which functions go through texts is told from their names, whatever variant of them it is."""

from __future__ import annotations

import pytest

from sonde.core.text_functions import is_comparing, text_function


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("strlen", "strlen"),
        ("__strlen_avx2", "strlen"),
        ("__strncasecmp_l_avx2", "strncasecmp"),
        ("__memcmp_avx2_movbe", "memcmp"),
        ("__GI_strstr", "strstr"),
        ("strcmp@@GLIBC_2.2.5", "strcmp"),
        ("__rawmemchr_evex", "rawmemchr"),
        ("rindex", "rindex"),
        ("wcslen.part.0", "wcslen"),
        ("__memcpy_avx_unaligned_erms", None),
        ("memset", None),
        ("memmem", None),
        ("strtol", None),
        ("strlength", None),
        ("0x00000000001a2b3c", None),
        ("", None),
    ],
)
def test_variants_have_the_name_of_their_function(symbol, name):
    assert text_function(symbol) == name


def test_some_go_through_two_texts():
    assert is_comparing("strncmp")
    assert is_comparing("wcscmp")
    assert not is_comparing("strlen")
    assert not is_comparing("memcmp")  # it is told the length, so it reads nothing in advance
