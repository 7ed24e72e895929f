"""What callgrind writes, and what it means for the sum."""

import pytest

from sonde.effects.profiles.dumps import Dump, Life, parse_dumps, read_lives, sum_instructions

TEXT = b"""# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 14096
cmd:  ./burn fork
part: 1


desc: I1 cache:
desc: Timerange: Basic block 0 - 10021860
desc: Trigger: --dump-before=posix_spawn@@GLIBC_2.15

positions: line
events: Ir
summary: 6124464

fn=(10) main
0 6000000
totals: 6000000
"""
DUMP = Dump("./burn fork", 1, "--dump-before=posix_spawn@@GLIBC_2.15", 0, 10_021_860, 6_000_000)
END = "Program termination"


def dump(begins: int, ends: int, cause: str = "", command: str = "a", part: int = 1) -> Dump:
    return Dump(command, part, f"--dump-before={cause}" if cause else END, begins, ends, 1000)


def test_a_dump_is_read_with_its_cause():
    assert parse_dumps(TEXT) == (DUMP,)
    assert DUMP.cause == "posix_spawn"


def test_every_dump_in_a_file_is_read():
    assert parse_dumps(TEXT + TEXT) == (DUMP, DUMP)


def test_a_dump_that_was_not_finished_is_left_out():
    assert parse_dumps(TEXT + TEXT[: TEXT.index(b"totals")]) == (DUMP,)
    assert parse_dumps(b"") == ()


def test_the_dumps_of_a_process_are_read_by_the_program_that_it_was(tmp_path):
    for number in (0, 1, 10, 2):
        (tmp_path / f"17.before.{number}").mkdir()
    (tmp_path / "17.before.0" / "times").write_text(f"17 (a (b) c) R {'0 ' * 10}250 0 0\n")
    (tmp_path / "17.before.10" / "17.1").write_bytes(TEXT)
    (tmp_path / "17").write_bytes(TEXT.replace(b"part: 1", b"part: 2"))
    (tmp_path / "17.1").write_bytes(TEXT)
    (tmp_path / "18").write_bytes(TEXT)

    first, second = read_lives(tmp_path)

    assert [len(program) for program in first.programs] == [0, 0, 0, 1, 2]
    assert [each.part for each in first.programs[-1]] == [1, 2]
    assert first.forked_seconds == pytest.approx(2.5)
    assert second == Life(((DUMP,),))


def test_no_file_is_no_count(tmp_path):
    assert read_lives(tmp_path / "missing") == ()
    assert sum_instructions(()) == "The run ended well, but callgrind recorded nothing."


ALONE = Life(((), (dump(0, 100),)))
FORKER = Life(((), (dump(0, 100, "fork"), dump(100, 150, part=2))))


@pytest.mark.parametrize(
    ("lives", "thousands"),
    [
        ([ALONE], 1),
        ([FORKER, Life(((dump(100, 120),),))], 3),
        ([FORKER], 2),  # the child was killed
        ([FORKER, Life(((dump(100, 120, "execve"),), (dump(0, 90, command="b"),)))], 4),
        ([FORKER, Life(((), (dump(0, 90, command="b"),)))], 3),  # the child took little time
        ([FORKER, FORKER, Life(((dump(100, 120),),)), Life(((dump(100, 130),),))], 6),
        ([Life(((), (dump(0, 100, "execve"),), (dump(0, 90, command="b"),)))], 2),
    ],
)
def test_all_dumps_are_summed_if_each_instruction_is_in_one(lives, thousands):
    assert sum_instructions(lives) == thousands * 1000


@pytest.mark.parametrize(
    "lives",
    [
        [ALONE, Life(((dump(0, 120),),))],
        [ALONE, Life(((dump(0, 120, "execve"),), (dump(0, 90, command="b"),)))],
        [FORKER, Life(((dump(100, 120),),)), Life(((dump(100, 130),),))],
        [FORKER, Life(((dump(100, 120, command="b"),),))],
        [Life(((), (dump(0, 100, "execve"), dump(100, 150, part=2)))), Life(((dump(100, 120),),))],
    ],
)
def test_a_process_that_inherited_counts_is_told(lives):
    told = sum_instructions(lives)

    assert isinstance(told, str)
    assert "would be counted twice" in told


@pytest.mark.parametrize(
    "lives",
    [
        [Life(((), (), (dump(0, 90),)))],
        [Life(((), (dump(0, 100, "fork"),), (dump(0, 90),)))],
        [FORKER, Life(((dump(100, 120, "fork"),), (dump(0, 90),)))],
        [FORKER, Life(((), (dump(0, 90),)), forked_seconds=0.2)],
    ],
)
def test_a_program_whose_counts_are_lost_is_told(lives):
    told = sum_instructions(lives)

    assert isinstance(told, str)
    assert "its own instructions are lost" in told


def test_the_sentences_say_what_to_do(golden):
    long = "sh -c " + "x" * 100
    texts = [
        sum_instructions([ALONE, Life(((dump(0, 120, command=long),),))]),
        sum_instructions([Life(((), (), (dump(0, 90, command="cat corpus"),)))]),
        sum_instructions([ALONE, Life(((), (), ()))]),
    ]

    golden("profiles/unreadable-runs.txt", "".join(f"{text}\n" for text in texts))
