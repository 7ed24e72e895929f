"""Kept questions: what is kept is answered as before, and what an answer loses is said."""

from dataclasses import replace

from studies.impact.corpus.comparing import differences, table
from studies.impact.corpus.entries import Entry, read_entries
from studies.impact.corpus.gathering import entry_of_python_scenario
from studies.impact.corpus.outcomes import Miss, misses, outcome_of
from tests.python_programs.scenarios import PROGRAMS, read_scenario


def entry() -> Entry:
    return entry_of_python_scenario(read_scenario(PROGRAMS / "attribute_by_its_class.toml"))


def test_what_is_kept_is_read_as_it_was_written(tmp_path):
    kept = entry()
    kept.write(tmp_path)

    (found,) = read_entries(tmp_path)

    assert (found.name, found.options, found.related) == (kept.name, kept.options, kept.related)
    assert outcome_of(found).digest == outcome_of(kept).digest


def test_the_same_answer_is_no_difference():
    now = outcome_of(entry())

    assert differences({"a": (entry(), now)}, {"a": now}).startswith("0 answers differ")
    assert ": 1, 1, 1/1" in table({"a": (entry(), now)})


def test_an_option_that_is_missing_is_lost():
    known = entry()
    now = outcome_of(known)
    less = replace(now, related=(), behind=(), digest="another")

    assert misses(known, less) == {Miss.OPTION}
    assert "LOST: a related option is missing" in differences({"a": (known, less)}, {"a": now})
