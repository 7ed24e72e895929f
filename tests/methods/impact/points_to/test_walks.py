"""Pointers that go along elements: what they come to, and what stays apart."""

from __future__ import annotations

from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program.linking import Program
from tests.methods.impact.made_programs import made_global, made_program, made_routine, value_in
from tests.methods.impact.points_to.test_points_to import callees, pointees, shown


def main(text: str) -> Program:
    return made_program(
        made_routine("main", "i", text), made_routine("f", "", ""), made_routine("g", "", ""), BUFFER
    )


BUFFER = made_global("buffer", size=64)
TWO_FIELDS = "s = local size 16; second = field s 8 as pair; store s @f; store second @g"


def test_elements_keep_their_fields_apart():
    memory = solve(
        main("""
        p = call malloc i
        one = field p 0 i stride 16; first = field one 0 as pair; second = field one 8 as pair
        other = field p 0 i stride 16; again = field other 8 as pair
        store first @f; store second @g
        a = load again
        b = load other
        """)
    )

    assert pointees(memory, "main", "a") == {"g"}
    assert pointees(memory, "main", "b") == {"f"}


def test_who_goes_over_the_bytes_of_a_structure_comes_to_all_fields():
    memory = solve(main(f"{TWO_FIELDS}; byte = field s 0 i stride 1; a = load byte"))

    assert pointees(memory, "main", "byte") == {"s", "s+8"}
    assert pointees(memory, "main", "a") == {"f", "g"}


def test_who_names_a_field_still_means_that_one_alone():
    memory = solve(main(f"{TWO_FIELDS}; byte = field s 0 i stride 1; a = field s 8 as pair"))

    assert pointees(memory, "main", "a") == {"s+8"}


def test_so_does_who_steps_from_field_to_field():
    memory = solve(
        main(f"""
        {TWO_FIELDS}
        p = local; store p s
        jump loop
      loop:
        now = load p
        next = field now 0 stride 8
        store p next
        a = load now
        branch a loop out
      out:
        """)
    )

    assert pointees(memory, "main", "a") == {"f", "g"}


def test_so_does_who_computes_with_an_address():
    memory = solve(main(f"{TWO_FIELDS}; n = compute s i shape add; q = compute n shape inttoptr; a = load q"))

    assert pointees(memory, "main", "a") == {"f", "g"}


def test_who_steps_back_comes_to_what_lies_before():
    memory = solve(main(f"{TWO_FIELDS}; back = field second 0 i stride 8; a = load back"))

    assert pointees(memory, "main", "a") == {"f", "g"}


def test_an_array_in_a_structure_is_not_left():
    memory = solve(
        main("""
        s = local size 48
        array = field s 16 length 16; after = field s 32 as record
        store s @f; store after @g
        element = field array 0 i stride 8
        store element i
        a = load element
        """)
    )

    assert pointees(memory, "main", "element") == {"s+16"}
    assert pointees(memory, "main", "a") == set()


def test_from_an_element_back_to_what_contains_the_array_is_a_constant_step():
    memory = solve(
        main("""
        p = call malloc i
        array = field p 16 length 16
        element = field array 0 i stride 8
        whole = field element -16
        store p @f
        a = load whole
        """)
    )

    assert pointees(memory, "main", "a") == {"f"}


def test_a_buffer_that_is_cast_to_a_structure_is_left():
    memory = solve(
        main("""
        element = field @buffer 0 i length 64 stride 1
        store element @f
        field_ = field @buffer 8 as packet
        a = load field_
        """)
    )

    assert pointees(memory, "main", "a") == {"f"}


def test_what_gets_its_fields_later_is_left_then():
    memory = solve(
        made_program(
            made_routine("main", "i", "p = call malloc i; call fill p i; a = call use p"),
            made_routine("fill", "p i", "e = field p 0 i stride 1; store e @main"),
            made_routine("use", "p", "q = field p 24 as record; r = load q; return r"),
        )
    )

    assert pointees(memory, "main", "a") == {"main"}


def test_pointers_that_are_copied_byte_by_byte_arrive():
    program = main("""
        s = local size 16; t = local size 16
        second = field s 8 as pair; store second @g
        from = field s 0 i stride 1; to = field t 0 i stride 1
        byte = load from size 1
        kept = local size 1; store kept byte size 1
        again = load kept size 1
        store to again size 1
        there = field t 8 as pair
        a = load there
        r = call a
    """)
    memory = solve(program)

    assert callees(memory, "main", "r") == {"g"}


def test_bytes_that_are_copied_to_a_structure_come_to_its_fields():
    program = main("""
        e = field @buffer 0 i length 64 stride 1
        store e i size 1
        s = local size 16; second = field s 8 as pair
        m = call memcpy s @buffer 16
        v = load second
    """)
    memory = solve(program)
    routine, call = value_in(program, "main", "m")

    pairs = memory.copied(routine, call - program.routines[routine].parameters)
    assert ("buffer", "s+8") in {(shown(memory, one), shown(memory, other)) for one, other in pairs}


def test_a_structure_that_is_copied_to_bytes_is_all_of_them():
    memory = solve(
        main(f"""
        {TWO_FIELDS}
        m = call memcpy @buffer s 16
        e = field @buffer 0 i length 64 stride 1
        a = load e
        """)
    )

    assert pointees(memory, "main", "a") == {"f", "g"}


def test_copies_keep_the_fields_of_elements_apart():
    memory = solve(
        main(f"""
        {TWO_FIELDS}
        p = call malloc i
        e = field p 0 i stride 16
        m = call memcpy e s 16
        last = field p 0 i stride 16; second_of_last = field last 8 as pair
        a = load second_of_last
        """)
    )

    assert pointees(memory, "main", "a") == {"g"}
