"""What callgrind is called with, and what it writes."""

from sonde.effects.profiles import under_callgrind


def test_the_words_of_callgrind(golden):
    words = under_callgrind.wrap(("/sonde/build/xz", "-k", "corpus"), "/usr/bin/valgrind.bin")

    golden("profiles/callgrind.txt", "\n".join(words) + "\n")


def test_only_real_complaints_of_valgrind_are_shown(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "17").write_text(
        "==17== Using source line as position.\n==17== unhandled instruction\n"
    )

    assert under_callgrind.read_complaints(tmp_path) == "==17== unhandled instruction"
