"""What callgrind is called with, and what it writes."""

from sonde.effects.runs import callgrind

DUMP = b"""# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 14096
cmd:  ./burn fork
part: 1

desc: Trigger: --dump-before=fork
events: Ir
summary: 6124464

fn=(10) main
0 6000000
totals: 6000000
"""


def test_the_words_of_callgrind(golden):
    words = callgrind.wrap(("/sonde/build/xz", "-k", "corpus"), "/usr/bin/valgrind.bin")

    golden("runs/callgrind.txt", "\n".join(words) + "\n")


def test_the_total_of_a_dump_is_read():
    assert callgrind.parse_totals(DUMP) == (6_000_000,)


def test_every_dump_in_a_file_is_read():
    assert callgrind.parse_totals(DUMP + DUMP) == (6_000_000, 6_000_000)


def test_a_dump_that_was_not_finished_has_no_total():
    assert callgrind.parse_totals(DUMP[: DUMP.index(b"totals")]) == ()


def test_files_of_children_and_of_former_programs_are_summed(tmp_path):
    former = tmp_path / "counts" / "17.before.0"
    former.mkdir(parents=True)
    for file in (former / "17.1", former / "17", tmp_path / "counts" / "17", tmp_path / "counts" / "18"):
        file.write_bytes(DUMP)

    assert callgrind.read_instructions(tmp_path) == 24_000_000


def test_no_file_is_no_count(tmp_path):
    assert callgrind.read_instructions(tmp_path) is None


def test_only_real_complaints_of_valgrind_are_shown(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "17").write_text(
        "==17== Using source line as position.\n==17== unhandled instruction\n"
    )

    assert callgrind.read_complaints(tmp_path) == "==17== unhandled instruction"
