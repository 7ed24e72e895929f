"""Sizes and offsets of types, beside LLVM's own."""

from hypothesis import given, settings
from hypothesis import strategies as st
from llvmlite import binding

from sonde.formats.llvm_ir.types.layouts import TypeLayouts, structure_name, without_numbers
from tests.effects.bitcode.reading.modules import LAYOUT, module_of

SCALARS = ("i1", "i8", "i16", "i24", "i32", "i64", "i128", "float", "double", "x86_fp80", "ptr")


def _structure(types):
    return st.lists(types, max_size=4).map(lambda each: "{ " + ", ".join(each) + " }" if each else "{}")


types = st.recursive(
    st.sampled_from(SCALARS) | st.sampled_from(["<4 x i32>", "<2 x double>", "<3 x i8>", "<8 x i1>"]),
    lambda inner: (
        st.builds("[{} x {}]".format, st.integers(0, 5), inner)
        | _structure(inner)
        | _structure(inner).map("<{}>".format)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(type_=types)
def test_sizes_and_offsets_are_those_of_llvm(type_):
    module = module_of(f"%t = type {{ i8, {type_} }}\n@g = external global %t")
    theirs = binding.create_target_data(LAYOUT)
    structure = module.get_struct_type("t")

    layout = TypeLayouts(LAYOUT, {"%t": f"{{ i8, {type_} }}"}).of("%t")

    assert layout.size == theirs.get_abi_size(structure)
    assert layout.offsets == tuple(theirs.get_element_offset(structure, at) for at in range(2))


@given(offset=st.integers(0, 500))
def test_folding_twice_changes_nothing(offset):
    layouts = TypeLayouts(LAYOUT, {"%a": "{ i8, [3 x %b], i64 }", "%b": "{ i32, [2 x i32] }"})

    folded = layouts.fold("%a", offset)

    assert layouts.fold("%a", folded) == folded
    assert folded in {0, *range(4, 12), *range(40, 48)}


def test_every_element_counts_as_the_first():
    layouts = TypeLayouts(LAYOUT, {"%pair": "{ i32, [4 x i32] }"})

    assert [layouts.fold("[10 x %pair]", offset) for offset in (0, 4, 8, 20, 24, 32)] == [0, 4, 4, 0, 4, 4]


def test_a_type_that_contains_itself_has_some_layout():
    assert TypeLayouts(LAYOUT, {"%a": "{ i32, %a }"}).of("%a").size == 4


def test_names_of_structures_have_no_numbers():
    assert structure_name("%struct.pair.12") == "pair"
    assert structure_name('%"class.space::Thing.3"') == "space::Thing"
    assert structure_name("i32") == ""
    assert without_numbers("[3 x %struct.anon.4]") == "[3 x %struct.anon]"
    assert without_numbers('{ %"class.a::b.7", i32 }') == '{ %"class.a::b", i32 }'
