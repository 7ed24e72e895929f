"""Answers beside the truth."""

import pytest

from studies.impact.generated.answers import Answers, CheckAnswer, ImpactAnswer
from studies.impact.generated.judging import Miss, is_near, misses
from studies.impact.generated.records import Key, Record
from studies.impact.generated.tally import tally
from studies.impact.generated.truth import Effect, Truth

SLOWER = {"default": Effect(100_000, 100_000), "fast": Effect(100_000, 120_000)}
FASTER = {"default": Effect(100_000, 100_000), "fast": Effect(100_000, 80_000)}
SAME = {"default": Effect(100_000, 100_000), "fast": Effect(90_000, 90_000)}
NEAR = {"default": Effect(100_000, 101_001), "fast": Effect(90_000, 90_000)}


def truth(effects: dict[str, Effect]) -> Truth:
    return Truth({"-O2": effects}, "-O2", ("work",))


def impact(*configurations: str, relevant: bool = True, error: str = "") -> ImpactAnswer:
    return ImpactAnswer(relevant, (), configurations, (), 1.0, error)


def check(exit_code: int) -> CheckAnswer:
    return CheckAnswer(exit_code, {"default": "equal"}, (), 1.0)


@pytest.mark.parametrize(
    ("effects", "answers", "wrong"),
    [
        (SLOWER, Answers(impact("default", "fast"), impact("fast"), check(1)), set()),
        (SLOWER, Answers(impact(relevant=False)), {Miss.NOT_RELEVANT}),
        (SLOWER, Answers(impact("default")), {Miss.NOT_KEPT}),
        (SLOWER, Answers(None, impact("default")), {Miss.GIVEN_NOT_KEPT}),
        (SLOWER, Answers(None, impact(relevant=False)), {Miss.GIVEN_NOT_RELEVANT}),
        (SLOWER, Answers(None, None, check(0)), {Miss.PASSED}),
        (SLOWER, Answers(None, None, check(3)), {Miss.NO_ANSWER}),
        (SLOWER, Answers(impact(error="no profile")), {Miss.NO_ANSWER}),
        (FASTER, Answers(impact(relevant=False), None, check(0)), {Miss.NOT_RELEVANT}),
        (FASTER, Answers(impact("default"), None, check(1)), {Miss.FALSE_ALARM}),
        (SAME, Answers(impact(relevant=False), impact("default"), check(0)), set()),
        (NEAR, Answers(None, None, check(0)), set()),
        (NEAR, Answers(None, None, check(1)), set()),
    ],
)
def test_what_is_wrong_is_named(effects, answers, wrong):
    assert misses(truth(effects), answers) == wrong


def test_a_change_as_large_as_the_threshold_may_fall_on_either_side():
    assert is_near(truth(NEAR))
    assert not is_near(truth(SLOWER))


def test_the_tally_counts_each_question_apart():
    records = [
        record(0, SLOWER, Answers(impact("fast"), impact("default"), check(0))),
        record(1, SAME, Answers(impact(relevant=False), impact("default"), check(0))),
    ]

    rows = dict(
        line.strip("| ").split(" | ", 1) for line in tally(records).splitlines() if line.startswith("| ")
    )

    assert rows["relevant change found"].startswith("100.00% (1 of 1;")
    assert rows["harmless change recognised"].startswith("100.00% (1 of 1;")
    assert rows["hot code given: harmless change recognised"].startswith("0.00% (0 of 1;")
    assert rows["hot code given: a slowed configuration is kept"].startswith("0.00% (0 of 1;")
    assert rows["exit code right"].startswith("50.00% (1 of 2;")
    assert rows["mean share to measure, where it is relevant"] == "0.50; exact: 0.50"
    assert rows[Miss.PASSED.value] == "1 | constant 1 | 0"


def record(number: int, effects: dict[str, Effect], answers: Answers) -> Record:
    return Record(Key("c", 1, number), 0, "constant", False, True, 3, truth(effects), answers, 9.0)
