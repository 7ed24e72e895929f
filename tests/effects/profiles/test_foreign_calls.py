"""Profiles in which libffi may have called something that callgrind does not see."""

import pytest

from sonde.core.evidence import ProfiledFunction
from sonde.effects.profiles.callgrind import makes_foreign_calls
from sonde.formats.callgrind.nodes import Elsewhere, NamelessCode

LIBFFI = "/usr/lib/libffi.so.8.1.2"


@pytest.mark.parametrize(
    "node",
    [
        Elsewhere(LIBFFI, "ffi_call"),
        ProfiledFunction("lib/libown.so", "", "ffi_call"),
        Elsewhere("/opt/lib/_ctypes.cpython-311-x86_64-linux-gnu.so", "0x1234"),
    ],
    ids=["library", "built in", "without names"],
)
def test_calls_by_libffi_are_noticed(node):
    assert makes_foreign_calls([node, NamelessCode("bin/x")])


def test_using_libffi_without_calling_is_no_call():
    ctypes = Elsewhere("/opt/lib/_ctypes.cpython-311-x86_64-linux-gnu.so", "PyInit__ctypes")

    assert not makes_foreign_calls(
        [ctypes, Elsewhere(LIBFFI, "ffi_prep_cif"), ProfiledFunction("bin/x", "", "main")]
    )
