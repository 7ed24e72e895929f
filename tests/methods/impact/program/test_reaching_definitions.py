from hypothesis import given
from hypothesis import strategies as st

from sonde.core.code import Kind
from sonde.methods.impact.program.reaching_definitions import find_definitions
from tests.methods.impact.made_programs import made_routine, position_named

NAMES = ("x", "y")


@st.composite
def routines(draw):
    """Routines that load and store two locals in any order, with any jumps."""
    blocks = draw(st.integers(1, 6))
    lines = ["entry:", *(f"{name} = local size 4" for name in NAMES)]
    for block in range(blocks):
        if block:
            lines.append(f"b{block}:")
        for _ in range(draw(st.integers(0, 4))):
            name = draw(st.sampled_from(NAMES))
            lines.append(
                draw(st.sampled_from([f"store {name} p size 4", f"l{len(lines)} = load {name} size 4"]))
            )
        after = draw(st.lists(st.integers(1, blocks - 1), max_size=2)) if blocks > 1 else []
        if not after:
            lines.append("return")
        elif len(after) == 1:
            lines.append(f"jump b{after[0]}")
        else:
            lines.append(f"branch p b{after[0]} b{after[1]}")
    return made_routine("f", "p", "\n".join(lines))


def _ways_back(routine, load):
    """By definition: the stores from which some way without another store leads to the load."""
    after = routine.routes
    before: dict[int, list[int]] = {n: [] for n in range(len(routine.instructions))}
    for block, (start, end) in enumerate(routine.blocks):
        for position in range(start, end - 1):
            before[position + 1].append(position)
        for each in after[block]:
            before[routine.blocks[each][0]].append(end - 1)
    address = routine.instructions[load].operands[0]
    found, seen, waiting = set(), set(), list(before[load])
    while waiting:
        position = waiting.pop()
        if position in seen:
            continue
        seen.add(position)
        instruction = routine.instructions[position]
        if instruction.kind is Kind.STORE and instruction.operands[0] == address:
            found.add(position)
        else:
            waiting.extend(before[position])
    return found


@given(routines())
def test_stores_reach_the_loads_that_some_way_leads_to(routine):
    definitions = find_definitions(routine, routine.routes)

    for position, instruction in enumerate(routine.instructions):
        if instruction.kind is Kind.LOAD:
            expected = _ways_back(routine, position)
            found = definitions.reaching[position]
            stores = [
                each
                for each in routine.instructions
                if each.kind is Kind.STORE and each.operands[0] == instruction.operands[0]
            ]
            assert set(found) >= expected
            if len(stores) > 1:  # an only store is seen by all
                assert set(found) == expected


def _reaching(text, load):
    routine = made_routine("f", "p q", text)
    found = find_definitions(routine, routine.routes).reaching.get(position_named(routine, load))
    return None if found is None else [routine.instructions[each].place.line for each in found]


def test_a_later_store_replaces_an_earlier_one():
    assert _reaching("x = local size 4\nstore x p size 4\nstore x q size 4\nv = load x size 4", "v") == [3]


def test_fields_of_a_local_structure_are_kept_apart():
    text = """
        s = local size 8 as pair
        a = field s 0 as pair; b = field s 4 as pair
        store a p size 4
        store b q size 4
        store a q size 4
        v = load a size 4
        w = load b size 4
    """
    assert _reaching(text, "v") == [6]
    assert _reaching(text, "w") == [5]


def test_a_store_to_an_element_of_an_array_does_not_replace_the_others():
    text = """
        s = local size 40
        a = field s 0 p
        store a p size 4
        store a q size 4
        v = load a size 4
    """
    assert _reaching(text, "v") == [4, 5]


def test_who_goes_over_the_bytes_of_a_structure_writes_to_all_fields():
    text = """
        s = local size 8 as pair
        b = field s 4 as pair; byte = field s 0 p stride 1
        store b p size 4
        store byte q size 1
        v = load b size 4
    """
    assert _reaching(text, "v") == [4, 5]


def test_fields_of_elements_are_kept_apart():
    text = """
        s = local size 80
        e = field s 0 p length 80 stride 8; a = field e 0 as pair; b = field e 4 as pair
        store a p size 4
        store b q size 4
        v = load b size 4
    """
    assert _reaching(text, "v") == [5]


def test_a_store_of_the_whole_reaches_loads_of_a_piece():
    text = """
        s = local size 8 as pair
        b = field s 4 as pair
        store s p size 8
        store b q size 4
        v = load b size 4
        w = load s size 8
    """
    assert _reaching(text, "v") == [4, 5]
    assert _reaching(text, "w") == [4, 5]


def test_a_local_whose_address_is_given_away_is_not_the_routines_own_affair():
    assert _reaching("x = local\nstore x p\ncall g x\nv = load x", "v") is None
    assert _reaching("x = local\ny = local\nstore x p\nstore y x\nv = load x", "v") is None


def test_marks_of_lifetime_give_nothing_away():
    assert _reaching("x = local\nstore x p\ncall llvm.lifetime.end.p0 x\nv = load x", "v") == [2]


def test_an_address_that_is_used_before_it_is_made_in_the_text_counts_as_given_away():
    text = """
        entry:
            s = local size 8 as pair
            jump later
        early:
            call g b
            v = load b size 4
            return v
        later:
            b = field s 4 as pair
            store b p size 4
            jump early
    """
    assert _reaching(text, "v") is None
