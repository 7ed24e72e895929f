"""Pearson's chi-square test against equal frequencies."""

from math import sqrt

LEAST_EXPECTED = 5  # below, the test says nothing


def is_plausible(frequencies, deviations=4.0):
    """Whether these frequencies can come from equal probabilities.

    The statistic is turned into a normal deviate by Wilson and Hilferty's cube root; a true sampler exceeds
    `deviations` standard deviations once in thirty thousand tests.
    """
    freedom = len(frequencies) - 1
    expected = sum(frequencies) / len(frequencies)
    assert expected >= LEAST_EXPECTED
    statistic = sum((each - expected) ** 2 for each in frequencies) / expected
    spread = 2 / (9 * freedom)
    return ((statistic / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread) < deviations
