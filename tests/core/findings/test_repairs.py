"""What came of a damaged store."""

import pytest

from sonde.core.findings.repairs import Repaired, Rescued

WHOLE = Rescued("samples", kept=4, refused=0, is_whole=True)


@pytest.mark.parametrize(
    ("tables", "is_whole"),
    [
        ([WHOLE, WHOLE], True),
        ([WHOLE, Rescued("builds", kept=0, refused=1, is_whole=True)], False),
        ([Rescued("builds", kept=3, refused=0, is_whole=False), WHOLE], False),
    ],
    ids=["all kept", "a row refused", "a table cut off"],
)
def test_a_store_is_whole_if_every_table_is(tables, is_whole):
    assert Repaired(tuple(tables), "store.damaged").is_whole is is_whole
