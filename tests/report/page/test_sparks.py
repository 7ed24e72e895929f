from hypothesis import given

from sonde.report.page.sparks import COLUMNS, LEVELS, spark
from tests.report.made_histories import Step, some_series, stepped


@given(some_series())
def test_a_spark_has_a_letter_or_a_blank_a_column(series):
    found = spark(series.estimates)

    assert len(found) <= COLUMNS
    assert set(found) <= {*LEVELS, " "}


def test_a_step_up_is_a_higher_letter():
    found = spark(stepped(20, 1.0, [Step(10, 2.0)]).estimates)

    assert found[0] < found[-1]
