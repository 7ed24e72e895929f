"""Records in a file, one line each."""

from hypothesis import given
from hypothesis import strategies as st

from studies.impact.generated.answers import Answers, CheckAnswer, ImpactAnswer
from studies.impact.generated.records import Key, Record, append, read
from studies.impact.generated.truth import Effect, Truth

words = st.text("abc=,!", min_size=1, max_size=4)
several = st.lists(words, max_size=3).map(tuple)
counts = st.dictionaries(words, st.builds(Effect, st.integers(1, 99), st.integers(1, 99)), min_size=1)
impacts = st.builds(ImpactAnswer, st.booleans(), several, several, several, st.floats(0, 9), words)
checks = st.builds(CheckAnswer, st.integers(0, 4), st.dictionaries(words, words), several, st.floats(0, 9))
answers = st.builds(Answers, st.none() | impacts, st.none() | impacts, st.none() | checks)
truths = st.builds(lambda effects, hot: Truth({"-O2": effects}, "-O2", hot), counts, several)
keys = st.builds(Key, st.just("c"), st.integers(0, 9), st.integers(0, 99))
records = st.builds(
    Record,
    keys,
    st.integers(0, 3),
    words,
    st.booleans(),
    st.booleans(),
    st.integers(1, 6),
    truths,
    answers,
    st.floats(0, 99),
)


@given(written=st.lists(records, max_size=4))
def test_what_is_written_is_read(written, tmp_path_factory):
    file = tmp_path_factory.mktemp("records") / "records.jsonl"
    for each in written:
        append(file, each)

    assert list(read(file)) == written


@given(written=st.lists(records, min_size=2, max_size=2), cut=st.integers(1, 40))
def test_a_line_that_was_cut_off_is_passed_over(written, cut, tmp_path_factory):
    file = tmp_path_factory.mktemp("records") / "records.jsonl"
    for each in written:
        append(file, each)
    file.write_text(file.read_text()[:-cut])

    found = list(read(file))

    assert found == written[: len(found)]
    assert len(found) >= 1
