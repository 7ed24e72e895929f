"""The section of the page: what it says must be enough to repeat it."""

from studies.impact.generated.answers import Answers, CheckAnswer, ImpactAnswer
from studies.impact.generated.page import commands_of
from studies.impact.generated.records import Key, Record
from studies.impact.generated.truth import Effect, Truth

TRUTH = Truth({"-O2": {"default": Effect(100, 100)}}, "-O2")
IMPACT = ImpactAnswer(False, (), (), (), 1.0)
CHECK = CheckAnswer(0, {}, (), 1.0)


def record(seed: int, number: int, answers: Answers) -> Record:
    return Record(Key("c", seed, number), 0, "constant", False, True, 3, TRUTH, answers, 1.0)


def test_the_command_has_the_questions_that_were_not_asked():
    every = [record(5, number, Answers(IMPACT, IMPACT, CHECK)) for number in range(3)]
    few = [record(5, number, Answers(IMPACT)) for number in range(3)]

    assert commands_of(every) == ["python -m studies.impact.generated --language c --seed 5 --programs 3"]
    assert commands_of(few) == [
        "python -m studies.impact.generated --language c --seed 5 --programs 3 --no-given --no-check"
    ]


def test_each_seed_has_a_command_with_its_first_program():
    records = [record(5, 40, Answers(IMPACT, IMPACT, CHECK)), record(6, 0, Answers(IMPACT, IMPACT, CHECK))]

    assert commands_of(records) == [
        "python -m studies.impact.generated --language c --seed 5 --programs 1 --first 40",
        "python -m studies.impact.generated --language c --seed 6 --programs 1",
    ]
