"""What `sonde impact` is asked for."""

import pytest

from sonde.core.errors import UsageError
from sonde.workflows.impact.request import parse_hot_share


def test_the_share_of_hot_code_is_a_share():
    assert parse_hot_share("") == 0.05
    assert parse_hot_share("2%") == 0.02
    assert parse_hot_share("0.1") == 0.1


@pytest.mark.parametrize("written", ["0", "100%", "5x", "-1%"])
def test_what_is_no_share_is_refused(written):
    with pytest.raises(UsageError, match="--hot-share"):
        parse_hot_share(written)
