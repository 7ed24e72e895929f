"""Which of several findings stand, so that few of them are chance."""

from __future__ import annotations

from collections.abc import Sequence


def discovered(p_values: Sequence[float], rate: float) -> list[bool]:
    """Which of several hypotheses to reject, so that at most `rate` of those are true on average.

    Y. Benjamini, Y. Hochberg: Controlling the False Discovery Rate. 1995.
    """
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    last = 0
    for rank, at in enumerate(order, start=1):
        if p_values[at] <= rate * rank / len(p_values):
            last = rank
    rejected = set(order[:last])
    return [at in rejected for at in range(len(p_values))]
